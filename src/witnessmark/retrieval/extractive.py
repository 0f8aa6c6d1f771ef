"""A generator that needs no model: it keeps what may well hold and says the rest in the words of the sources.

A claim that is contradicted, or more likely wrong than right, is replaced by the sentence of the source that speaks about it, with the
source's id in brackets where citations are wanted; one that no source speaks about is taken out, and `[…]` stands in its place. Doubt
alone changes nothing: it stands in the record. Sentences are replaced whole, so that what comes out is prose. A value of a record (`false`, a
row of a table) is no sentence and never stands for one; where a record has another figure, date or name in its place, that stands in the claim's own
sentence. Where the sources answer by a yes or a no alone, nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from witnessmark.core.case import Evidence
from witnessmark.core.verdict import Claim, EvidenceRef
from witnessmark.retrieval.protocols import Revision
from witnessmark.text import question_kinds
from witnessmark.text.records import fields
from witnessmark.text.sentences import Span

REMOVED = "[…]"
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
STANDS_IN = 0.45
"""The share of a claim's words that a sentence must have to stand in for it."""
ABOUT = 0.5
"""The share of a question's words that a sentence must have to be given as its answer."""
EVEN = 0.5
"""Above it a claim is more likely right than wrong, and to cut it would do more harm than good."""
NO_ANSWER = "The sources do not say."
Nearest = Callable[[str, Sequence[Evidence]], Sequence[tuple[float, EvidenceRef]]]


class ExtractiveGenerator:
    """Puts a response right by cutting and quoting; answers a bare question with what the sources say about it.

    `cite` puts the id of its source behind every sentence that is quoted.
    """

    def __init__(self, nearest: Nearest, *, cite: bool = True) -> None:
        self._nearest, self._cite = nearest, cite

    def generate(self, task: Revision) -> str:
        """The response with everything that is surely not borne out replaced or taken out; empty where no sentence of the sources would do."""
        texts = {source.id: source.text or "" for source in task.sources}
        made = self._repaired(task, texts) if task.response else ""
        return made or self._answer(task, texts)

    def _repaired(self, task: Revision, texts: dict[str, str]) -> str:
        pieces: list[str] = []
        said: set[str] = set()
        at, kept = 0, False
        for group in _sentences(task):
            if not any(map(wrong, group)):
                kept = kept or any(claim.status != "unverifiable" for claim in group)
                continue
            start, end = _span(group[0])[0], _span(group[-1])[1]
            fresh = list(dict.fromkeys(part for claim in group for part in self._instead(claim, task, texts)))
            told = [part for part in fresh if part not in said] or [REMOVED]
            kept = kept or told != [REMOVED]
            said.update(part for part in fresh if part != REMOVED)
            pieces += [task.response[at:start], " ".join(told)]
            at = end + len(task.response[end:]) - len(task.response[end:].lstrip(",;:.!?"))
        pieces.append(task.response[at:])
        return "".join(pieces).strip() if kept else ""

    def _instead(self, claim: Claim, task: Revision, texts: dict[str, str]) -> Iterator[str]:
        """What stands for a claim of a sentence that is replaced: the source's words, or its own where it may stay."""
        put_right = _put_right(claim)
        if put_right is not None:
            text, source = put_right
            yield f"{text.rstrip(',;:.')} [{source}]." if self._cite else f"{text.rstrip(',;:.')}."
            return
        near = next((ref for share, ref in self._nearest(claim.text, task.sources)[:1] if share >= STANDS_IN), None)
        quoted = self._quoted(near, texts) if near is not None else ""
        if quoted:
            yield quoted
        elif wrong(claim):
            yield REMOVED
        else:
            text = claim.text.strip().rstrip(",;:.")
            yield f"{text[:1].upper()}{text[1:]}."

    def _answer(self, task: Revision, texts: dict[str, str]) -> str:
        about = " ".join(question_kinds.subject(task.query)) or task.query
        near = [ref for share, ref in self._nearest(about, task.sources)[:2] if share >= ABOUT]
        said = " ".join(dict.fromkeys(part for ref in near if (part := self._quoted(ref, texts))))
        contradicted = any(claim.status == "contradicted" for claim in task.claims)
        return said or ("" if near or contradicted else NO_ANSWER)

    def _quoted(self, ref: EvidenceRef, texts: dict[str, str]) -> str:
        """The words of a source as a sentence; empty where they are no sentence but a value of a record."""
        whole = texts.get(ref.id, "")
        part = " ".join((whole[slice(*ref.span)] if ref.span else whole).split())
        if not part or _is_value(whole, ref.span):
            return ""
        end = part[-1] if part[-1] in ".!?" else ""
        mark = f" [{ref.id}]" if self._cite else ""
        return f"{part.removesuffix(end) if end else part}{mark}{end or '.'}"


def wrong(claim: Claim) -> bool:
    """Whether a claim is contradicted, or no more likely right than wrong; what is only doubtful is not."""
    if claim.status in ("supported", "unverifiable") or claim.probability is None:
        return claim.status in ("contradicted", "unsupported")
    return claim.status == "contradicted" or claim.probability <= EVEN


def _put_right(claim: Claim) -> tuple[str, str] | None:
    """A claim with the value that a record has in the place of the wrong one, and the record's source; None where no value can stand there."""
    one = claim.words[0] if len(claim.words) == 1 else None
    if one is None or one.closest is None or claim.status != "contradicted" or claim.details.get("rule") != "cell":
        return None
    value = one.closest.text.rpartition(": ")[2]
    found, stated = (_DIGITS.findall(text) for text in (one.text, value))
    if len(found) == 1 and stated == [value]:
        value = one.text.replace(found[0], value)  # a bare number in the unit that the claim gives
    same = bool(found) == bool(stated) and claim.text.count(one.text) == 1
    return (claim.text.replace(one.text, value), one.closest.id) if same else None


def _sentences(task: Revision) -> Iterator[list[Claim]]:
    """The claims of a response, those of one sentence together: what stands between two of them ends no sentence and no line."""
    group: list[Claim] = []
    for claim in sorted((one for one in task.claims if one.span is not None), key=_span):
        between = task.response[_span(group[-1])[1] - 1 : _span(claim)[0]] if group else ""
        if group and any(mark in between for mark in ".!?\n"):
            yield group
            group = []
        group.append(claim)
    if group:
        yield group


def _span(claim: Claim) -> Span:
    assert claim.span is not None
    return claim.span


def _is_value(text: str, span: Span | None) -> bool:
    """Whether a place in a source holds a value of its JSON or a row of its table, and no sentence."""
    start, end = span or (0, len(text))
    data = text.lstrip()[:1] in ("{", "[")
    values = [one for one in fields(text) if (data or one.table) and start <= one.span[0] < end]
    return bool(values) and not any(
        one.value.rstrip().endswith((".", "!", "?")) and " " in one.value.strip() for one in values
    )
