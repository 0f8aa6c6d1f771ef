"""The one reader of Markdown: lines and fences, headings with what stands under them, stretches of prose, items and table rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from witnessmark.text.patterns import compiled

_FENCE = compiled(r"^[ \t]{0,8}(`{3,}|~{3,})(.*)$")
"""A fence may be as deep as the item of a list that it stands in."""
CODE_SPAN = compiled(r"(?<!`)(`++)(?:(?!\1).)+?\1")
"""Code within a line. It opens with all of its marks: where each of a row of them could, a line of them would take the cube of its length."""
ATX = compiled(r"^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
SETEXT = compiled(r"^ {0,3}(=+|-{2,})[ \t]*$")
_BOLD_LINE = compiled(r"^ {0,3}(?:\*\*|__)([^*_]{1,120})(?:\*\*|__):?[ \t]*$")
_HTML = compiled(r"^\s*<h([1-6])[^>]*>(.*?)</h\1>\s*$", re.IGNORECASE)
_BULLET = compiled(r"^\s*(?:[-*+>|]|\d+[.)])\s")
ITEM = compiled(r"^\s*(?:>\s*)*(?:[-*+•‣–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+(?:\[[ xX]\]\s+)?")
"""What opens an item of a list."""
_INITIAL = compiled(r"^\s*([A-Z])\.\s+(?=[A-ZÀ-ÖØ-Þ])")
_LABELS = compiled(r"(?<![\w.])\(?([A-Z])[.)]\s")
_NOTE = compiled(r"^ {0,3}\[\^?[\w.-]{1,40}\]:\s+")
"""What opens a footnote, or the address that a link stands for."""
_QUOTED_LINE = compiled(r"^\s*(?:>\s?)+")
_RULE = compiled(r"^\s*(?:[-*_]\s*){3,}$")
_TABLE_RULE = compiled(r"^\s*+(?:\|\s*+)?(?::?-{2,}:?|:-:?|-:)\s*+(?:\|\s*+(?::?-{2,}:?|:-:?|-:)\s*+)*+\|?\s*$")


@dataclass(frozen=True, slots=True)
class MarkdownLine:
    """One line with where it starts and whether it is inside a fence; fence lines themselves are inside."""

    text: str
    start: int
    fenced: bool
    edge: bool = False
    """Whether it is the fence itself, that opens or closes."""


@dataclass(frozen=True, slots=True)
class Block:
    """The content of one fenced block, its info string, and whether the fence was ever closed."""

    info: str
    text: str
    start: int
    closed: bool


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its words, depth, place, and whether anything stands under it."""

    title: str
    level: int
    span: tuple[int, int]
    empty: bool


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text that is read by itself: a paragraph, an item, a footnote, a row of a table, a heading or a line of code."""

    start: int
    end: int
    kind: Literal["text", "item", "note", "table", "heading", "code"]
    header: tuple[str, ...] = ()
    """The cells of the table's header, for a row."""


def lines(text: str) -> Iterator[MarkdownLine]:
    """Every line, with fences followed."""
    start, fence = 0, ""
    for raw in text.splitlines(keepends=True):
        line = raw.rstrip("\r\n")
        mark = _FENCE.match(line)
        sign, info = mark.groups() if mark else ("", "")
        closes = fence != "" and sign.startswith(fence) and not info.strip()
        opens = not fence and sign != "" and not (sign[0] == "`" and "`" in info)
        fence = sign if opens else fence
        yield MarkdownLine(line, start, fence != "", opens or closes)
        fence = "" if closes else fence
        start += len(raw)


def plain_lines(text: str) -> Iterator[str]:
    """The lines outside fenced code."""
    return (line.text for line in lines(text) if not line.fenced)


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a text."""
    found: list[Block] = []
    inside: list[str] | None = None
    info, start = "", 0
    for line in lines(text):
        if line.edge and inside is None:
            inside, info, start = [], line.text.strip(" \t`~"), line.start + len(line.text) + 1
        elif line.edge and inside is not None:
            found.append(Block(info, "\n".join(inside), start, True))
            inside = None
        elif inside is not None:
            inside.append(line.text)
    if inside is not None:
        found.append(Block(info, "\n".join(inside), start, False))
    return found


def headings(text: str) -> list[Heading]:
    """Headings written as `# X`, underlined, as HTML, or as a line that is bold as a whole."""
    rows = list(lines(text))
    found = [(number, *_heading(rows, number)) for number in range(len(rows))]
    real = [(number, title, level) for number, title, level in found if level]
    return [
        Heading(title, level, (rows[number].start, rows[number].start + len(rows[number].text)), _empty(rows, real, at))
        for at, (number, title, level) in enumerate(real)
    ]


def _heading(rows: list[MarkdownLine], number: int) -> tuple[str, int]:
    """The heading at this line as (title, level); level 0 where there is none."""
    line = rows[number]
    if line.fenced or not line.text.strip():
        return "", 0
    if match := ATX.match(line.text):
        return (match.group(2) or "").strip(), len(match.group(1))
    if match := _HTML.match(line.text):
        return re.sub(r"<[^>]+>", "", match.group(2)).strip(), int(match.group(1))
    if match := _BOLD_LINE.match(line.text):
        return match.group(1).strip(), 6
    following = rows[number + 1] if number + 1 < len(rows) else None
    if following and not following.fenced and not _BULLET.match(line.text):
        underline = SETEXT.match(following.text)
        if underline and not SETEXT.match(line.text):
            return line.text.strip(), 1 if underline.group(1).startswith("=") else 2
    return "", 0


def _empty(rows: list[MarkdownLine], real: list[tuple[int, str, int]], at: int) -> bool:
    """Whether nothing but space stands between this heading and the next one that is not below it."""
    number, _, level = real[at]
    after = real[at + 1] if at + 1 < len(real) else None
    if after and after[2] > level:
        return False
    body = rows[number + 1 : after[0] if after else len(rows)]
    return not any(line.text.strip() and not SETEXT.match(line.text) for line in body)


# --- stretches -----------------------------------------------------------------------------------------------------


_CELL = compiled(r"(?:[^|`\\]+|\\.|`[^`\n]*`|[`\\])*")
"""A cell of a table: a bar in code or after a backslash does not end it."""


def cell_spans(row: str) -> list[tuple[int, int]]:
    """Where the cells of a table row stand in it."""
    at = len(row) - len(row.lstrip())
    at, end = at + row.startswith("|", at), len(row.rstrip())
    found: list[tuple[int, int]] = []
    while at < end or not found:
        stop = min(_CELL.match(row, at).end(), end)  # type: ignore[union-attr] # it matches the empty text too
        found.append((at, stop))
        at = stop + 1
    return found


def cells(row: str) -> tuple[str, ...]:
    """The words of the cells of a table row."""
    return tuple([row[start:end].strip() for start, end in cell_spans(row)])


def is_row(line: str) -> bool:
    """Whether a line is one of a table; the line under a header is one too."""
    stripped = line.strip()
    return stripped.startswith("|") and stripped.count("|") >= 2


def is_table_rule(line: str) -> bool:
    """Whether a line is the one under a table's header."""
    return _TABLE_RULE.match(line) is not None


def stretches(text: str, beside: str = "") -> Iterator[Stretch]:
    """The text in the parts that hold sentences, in order; blank lines, rules, fences and table headers hold none.

    `beside` is what it replies to: `B. Paris` is an item where that has an A and a B, and `D. Okafor` elsewhere a name.
    """
    rows = list(lines(text))
    labels = frozenset(_LABELS.findall(f"{text}\n{beside}"))
    heads = {heading.span[0]: heading for heading in headings(text)}
    header: tuple[str, ...] = ()
    begin = end = continued = -1
    kind: Literal["text", "item", "note"] = "text"
    for number, line in enumerate(rows):
        alone = _alone(rows, number, heads)
        item = ITEM.match(line.text) if not alone and not line.fenced and not _is_named(line.text, labels) else None
        note = _NOTE.match(line.text) if not alone and not line.fenced else None
        if begin >= 0 and (alone or item or note or line.fenced or not line.text.strip()):
            yield Stretch(begin, end, kind)
            begin = -1
        header = header if is_row(line.text) and not line.fenced else ()
        if alone == "header":
            header = cells(line.text)
        elif alone == "code" and line.text.endswith("\\") and number + 1 < len(rows) and rows[number + 1].text.strip():
            continued = continued if continued >= 0 else line.start  # one command over several lines
        elif alone in ("table", "heading", "code"):
            yield Stretch(continued if continued >= 0 else line.start, line.start + len(line.text), alone, header)
            continued = -1
        elif not alone and line.text.strip():
            if begin < 0:
                mark = item or note or _QUOTED_LINE.match(line.text)
                kind = "item" if item else "note" if note else "text"
                begin = line.start + (mark.end() if mark else 0)
            end = line.start + len(line.text)
    if begin >= 0:
        yield Stretch(begin, end, kind)


def _is_named(line: str, labels: frozenset[str]) -> bool:
    """Whether a line begins with the initial of a name, not with a letter that counts: for that all letters before it must be there, and a second one."""
    initial = _INITIAL.match(line)
    if initial is None or initial[1] == "I":
        return False
    before = {chr(code) for code in range(ord("A"), max(ord(initial[1]), ord("B")) + 1)}
    return not before <= labels


def _alone(
    rows: list[MarkdownLine], number: int, heads: dict[int, Heading]
) -> Literal["", "heading", "header", "table", "code", "none"]:
    """What a line is by itself; empty where it belongs to a paragraph or a list."""
    line = rows[number]
    if not line.text.strip():
        return "none"
    if line.fenced:
        return "none" if line.edge else "code"
    if line.start in heads:
        return "heading"
    if is_row(line.text):
        if is_table_rule(line.text):
            return "none"
        return "header" if number + 1 < len(rows) and is_table_rule(rows[number + 1].text) else "table"
    return "none" if _RULE.match(line.text) or SETEXT.match(line.text) else ""
