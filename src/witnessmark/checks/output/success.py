"""A summary that says a run went well over an output that shows that it did not: `Tests passed.` over `11 passed, 1 failed`.

Only of what runs (tests, builds, migrations …) and against the last output of a tool that tells how a run ended. What a sentence itself says of
failures, or says of a part only, is no such claim. Words are data (`[runs]` of a language).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from witnessmark.core.verdict import Claim, EvidenceRef, SourceWords, WrongWords
from witnessmark.text import lang
from witnessmark.text.sentences import Span

_LINE = re.compile(r"[^\n;]+")


SHORT = 40
"""Words up to which an output is what a run says of itself, and no file, diff or listing."""


@lang.derived
def _told(name: str) -> re.Pattern[str]:
    """What says this of a run: that it went well, that it failed."""
    return re.compile("|".join(lang.rows("runs", name)))


def false_success(outputs: Sequence[tuple[str, str]], claims: Sequence[Claim]) -> Iterator[Claim]:
    """The claims of a summary that say of a run that it went well, where the last tool output (id, text) about one shows a failure."""
    told = [(name, shown) for name, text in outputs if (shown := _ended(text, len(outputs) == 1)) is not None]
    if not told or told[-1][1][0]:
        return
    name, (_, text, span) = told[-1]
    for claim in claims:
        if claim.status == "contradicted" or not _claims_success(claim.text):
            continue
        closest = SourceWords(id=name, text=text[:300], span=span)
        yield Claim(
            text=claim.text,
            kind=claim.kind,
            status="contradicted",
            span=claim.span,
            reason="the tool's output shows a failure",
            evidence=(EvidenceRef(id=name, span=span),),
            probability=0.05,
            details={"by": "rule", "rule": "success"},
            words=(WrongWords(text=claim.text, span=None, closest=closest),),
        )


def _claims_success(sentence: str) -> bool:
    """Whether a sentence says of a run that it went well, and no word of a part or a failure."""
    bare, clean = _told("unharmed").subn(" ", sentence)
    if (
        _told("ran").search(sentence) is None
        or _told("failed").search(bare)
        or _told("reserved").search(bare)
        or _in_part(bare)
    ):
        return False
    return bool(clean) or _told("well").search(bare) is not None


def _ended(text: str, alone: bool) -> tuple[bool, str, Span] | None:
    """How the run ended whose output this is: whether well, and the line that says so; None where it tells nothing of a run.

    One of several outputs, or a long one, may be a file that was read, in which any word stands: there only what a runner writes counts.
    """
    if text.lstrip()[:1] in "{[" or not text.strip():
        return None
    short = alone and len(text.split()) <= SHORT
    ended: tuple[bool, str, Span] | None = None
    for line in _LINE.finditer(text):
        bare = _told("unharmed").sub(" ", line.group())
        if _told("broke").search(bare) or (short and (_told("failed").search(bare) or _in_part(bare))):
            return False, line.group().strip(), line.span()
        if _told("well").search(bare):
            ended = True, line.group().strip(), line.span()
    return ended


def _in_part(text: str) -> bool:
    """Whether a text counts fewer than there were: `applied 4 of 6`."""
    return any(int(found["n"]) < int(found["all"]) for found in _told("part").finditer(text))
