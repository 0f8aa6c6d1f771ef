"""Work that a text tells in the imperative or the present, told as done: `Add x and drop y` is `Added x and dropped y`.

So pull requests and lists of changes tell it. What asks a reader to do something stays as it is, and so do plans and steps.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from witnessmark.actions.report.layout import OPEN, Context, ReportLine, context_of, statement_spans
from witnessmark.actions.report.lexicon import VERBS, WORDS, table, third_person
from witnessmark.actions.report.report import Report
from witnessmark.text.patterns import compiled

_WORKS = ("create", "write", "add", "edit", "delete", "move")
_FIRST = compiled(
    r"(?P<lead>[\s*_\"']*)(?P<subject>[a-z]{2,9}(?:\([^)\n]*\))?!?: |(?:(?:this|the) (?:pr|pull request|mr|merge request|change(?:set)?|commit|patch|branch|diff)|also|then),? (?:also |now |just |simply )?)?(?P<verb>[a-z-]+)(?= [^\s=:])",
    re.IGNORECASE,
)
_MORE = compiled(
    r"(?:,| and|, and|;|, then| and then| and also) (?P<verb>[a-z-]+)(?= (?:`|(?:the|an?|its|all|some|unused|old|new|dead|stale)\b))"
)
_CODE = compiled(r"`[^`\n]*`")


@functools.cache
def _past() -> dict[str, tuple[str, str]]:
    """The verbs of work in the imperative and the third person, each with its form and its past tense."""
    found: dict[str, tuple[str, str]] = {}
    for cls in _WORKS:
        for verb in table("en")["verbs"][cls].split():
            base, *given = verb.split("/")
            past = given[0] if given else base + ("d" if base.endswith("e") else "ed")
            found |= {base: ("base", past), third_person(base): ("third", past)}
    return {word: made for word, made in found.items() if word in VERBS and word != made[1]}


@dataclass(frozen=True, slots=True)
class PastTenseReport:
    """A report in the past tense, and where each of its places was in the one before."""

    report: Report
    places: tuple[int, ...] = ()
    later: tuple[int, ...] = ()

    def before(self, span: tuple[int, int]) -> tuple[int, int]:
        """Where a stretch of the text stood before."""
        start, end = (at - (self.later[n - 1] if (n := bisect_right(self.places, at)) else 0) for at in span)
        return max(0, start), max(0, start, end)


def in_past_tense(report: Report, *, everywhere: bool = False) -> PastTenseReport:
    """The report with its statements of work in the past tense: those of lists under a title of changes, or `everywhere` but in plans and steps."""
    text, made = report.own, list[str]()
    places, later, at, shift = [], [], 0, 0
    for start, end, new in _verbs(report, everywhere):
        made += [text[at:start], new]
        shift += len(new) - (end - start)
        places.append(end + shift)
        later.append(shift)
        at = end
    return (
        PastTenseReport(Report("".join((*made, text[at:]))), tuple(places), tuple(later))
        if made
        else PastTenseReport(report)
    )


def _verbs(report: Report, everywhere: bool) -> Iterator[tuple[int, int, str]]:
    """The verbs to be put into the past tense, in order: where each stands, and what stands there then."""
    text, heading, lead = report.text, OPEN, OPEN
    for line in report.lines:
        words = text[line.start : line.end]
        if line.role == "heading":
            heading, lead = _over(words), OPEN
        if line.role not in ("item", "words", "heading") or line.mark in ("open", "later", "no"):
            continue
        if _counts(line, heading, lead, everywhere):
            yield from _of_line(text, line)
        if line.role == "words":
            lead = _over(words) if words.rstrip(" *_").endswith(":") else OPEN


def _over(words: str) -> Context:
    """What a title or a line with a colon says of what stands under it; `not` where that is asked of the reader."""
    asks = re.search(table("en")["tense"]["steps"], words.lower())
    return Context("not") if asks else context_of(words)


def _counts(line: ReportLine, heading: Context, lead: Context, everywhere: bool) -> bool:
    over = lead if lead.mode != "open" else heading
    if everywhere:
        return over.mode in ("open", "done")
    return line.role == "item" and over.mode == "done"


def _of_line(text: str, line: ReportLine) -> Iterator[tuple[int, int, str]]:
    asked = compiled(table("en")["tense"]["asked"])
    for at, end in statement_spans(text, line.start, line.end):
        low = _CODE.sub("x", text[at:end].lower())
        first = _FIRST.match(text, at, end)
        if first is not None and not asked.search(low) and not low.rstrip().endswith(("?", "...")):
            yield from _of_sentence(text, first, end)


def _of_sentence(text: str, first: re.Match[str], end: int) -> Iterator[tuple[int, int, str]]:
    verb = first["verb"]
    form, past = _past().get(verb.lower(), ("", ""))
    following = text[first.end("verb") : end].split(maxsplit=1)[0].lower()
    if not form or following in WORDS.be | WORDS.outcome or (form == "base" and _names_a_thing(verb, following)):
        return
    start = first.start("subject") if first["subject"] else first.start("verb")
    yield start, first.end("verb"), past.capitalize() if text[start].isupper() else past
    for more in _MORE.finditer(text, first.end("verb"), end):
        kind, past = _past().get(more["verb"], ("", ""))
        if kind == form and text.count("`", first.end("verb"), more.start()) % 2 == 0:
            yield more.start("verb"), more.end("verb"), past


def _names_a_thing(verb: str, following: str) -> bool:
    """Whether what looks like an imperative is a noun: `change of plan`, `output files`, `fix for #12`."""
    plain = following in ("of", "for", "in", "on", "to", "from", "by", "with", "and", "or", "as", "at", "that", "which")
    return plain or (verb.lower() in WORDS.ambiguous and re.match(r"`|the$|an?$|all$|\d", following) is None)
