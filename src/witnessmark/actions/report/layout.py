"""A report as lines with a role: heading, item, table row, quotation, code, words. Knows nothing about claims.

Markdown as agents write it, read line by line in one pass; what it does not recognise is words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from witnessmark.text.patterns import compiled

Role = Literal["heading", "item", "row", "quote", "code", "words", "blank"]
Mark = Literal["", "done", "open", "yes", "no", "warn", "later"]

MAX_LINE = 4_000
_ITEM = compiled(r"(\s*)(?:[-*+•◦▪‣·–—]|[├└]─{1,2}|\d{1,3}[.)]|[a-h]\))\s+")
_BOX = compiled(r"\[([ xX✓✔~-])\]\s+")
_SIGNED = compiled(r"(✅|✔️?|☑️?|✓|🟢|❌|✗|✘|🔴|🚫|⚠️?|🟡|⏳|🚧|⏭️?|🔜|🔲|⬜|➖)\s*")
_MARKS: dict[str, Mark] = {
    "✅": "yes", "✔": "yes", "☑": "yes", "✓": "yes", "🟢": "yes", "❌": "no", "✗": "no", "✘": "no", "🔴": "no", "🚫": "no",
    "⚠": "warn", "🟡": "warn", "⏳": "later", "🚧": "later", "⏭": "later", "🔜": "later", "🔲": "open", "⬜": "open", "➖": "no",
}  # fmt: skip
_HEADING = compiled(r"\s{0,3}#{1,6}\s+")
_BOLD_LINE = compiled(r"\s{0,3}(?:[^\w\s*`|]{1,3}\s+)?\*\*[^*\n]{1,120}\*\*(?:\s\(`[^`\n]{1,200}`\))?:?\s*$")
_UNDERLINE = compiled(r"\s{0,3}(?:={3,}|-{3,})\s*$")
_FENCE = compiled(r"\s{0,8}(?:```|~~~)")
_LEAD = compiled(r"\s*[✦⏺●◆▶•⎿└↳]\s+")
_RULE = compiled(r"\s*\|?[\s:|+-]{3,}\|?\s*$")


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One line: where its words start and end in the report, how deep it stands, and what marks it."""

    role: Role
    start: int
    end: int
    indent: int = 0
    mark: Mark = ""
    level: int = 0
    """Of a heading: 1 to 6 for #, 7 for a line in bold."""
    cut: int = 0
    """How many characters of the line were left out because it is too long."""


def lines(text: str, limit: int) -> Iterator[ReportLine]:
    """Every line of text[:limit] with its role. A line longer than MAX_LINE is read up to there."""
    at, fenced, blank = 0, False, True
    listed = 0
    while at < limit:
        end = text.find("\n", at, limit)
        end = limit if end < 0 else end
        stop = min(end - (end > at and text[end - 1] == "\r"), at + MAX_LINE)
        if _FENCE.match(text, at, stop):
            fenced = not fenced
            yield ReportLine("code", at, at)
        elif fenced:
            yield ReportLine("code", at, stop, cut=max(end - at - MAX_LINE, 0))
        else:
            line = _line(text, at, stop, after_blank=blank, in_list=listed > 0)
            underlined = line.role == "words" and _underlined(text, end, limit)
            line = replace(line, cut=max(end - at - MAX_LINE, 0)) if end - at > MAX_LINE else line
            yield ReportLine("heading", line.start, line.end, level=2) if underlined else line
            listed = _still_listed(line, listed)
        blank = not fenced and at == stop
        at = end + 1


def _still_listed(line: ReportLine, listed: int) -> int:
    """How many more lines may belong to the list before them."""
    if line.role == "item":
        return 3
    return (
        listed - 1 if line.role == "blank" else 0 if line.role in ("heading", "words") and not line.indent else listed
    )


def _line(text: str, at: int, stop: int, *, after_blank: bool, in_list: bool) -> ReportLine:
    if not text[at:stop].strip():
        return ReportLine("blank", at, at)
    if text.startswith("<!--", at):
        return ReportLine("quote", at, stop)
    first = at + len(text[at:stop]) - len(text[at:stop].lstrip())
    if text[first] == ">":
        return ReportLine("quote", first, stop)
    if text[first] == "|" and text.find("|", first + 1, stop) > 0:
        return ReportLine("row", first, stop)
    heading = _HEADING.match(text, at, stop)
    if heading:
        return ReportLine("heading", heading.end(), stop, level=text.count("#", at, heading.end()))
    item = _ITEM.match(text, at, stop)
    if item:
        return _item(text, item.end(), stop, first - at)
    if _BOLD_LINE.match(text, at, stop):
        return ReportLine("heading", first, stop, level=7)
    signed = _SIGNED.match(text, first, stop)
    if signed:
        return ReportLine("item", signed.end(), stop, first - at, _MARKS[signed.group(1)[0]])
    if after_blank and not in_list and first - at >= 4 and text[at:first].isspace():
        return ReportLine("code", at, stop)
    lead = _LEAD.match(text, at, stop)
    return ReportLine("words", lead.end() if lead else first, stop, 0 if lead else first - at)


def _item(text: str, at: int, stop: int, indent: int) -> ReportLine:
    if text.startswith("> ", at):
        return ReportLine("quote", at, stop)
    box = _BOX.match(text, at, stop)
    if box:
        return ReportLine("item", box.end(), stop, indent, "open" if box.group(1) in " ~-" else "done")
    signed = _SIGNED.match(text, at, stop)
    if signed:
        return ReportLine("item", signed.end(), stop, indent, _MARKS[signed.group(1)[0]])
    return ReportLine("item", at, stop, indent)


def _underlined(text: str, end: int, limit: int) -> bool:
    if end >= limit:
        return False
    following = text.find("\n", end + 1, limit)
    return _UNDERLINE.match(text, end + 1, limit if following < 0 else following) is not None


def is_rule(text: str, line: ReportLine) -> bool:
    """Whether a table row only separates the head from the body."""
    return _RULE.match(text, line.start, line.end) is not None
