"""Tables written in HTML: their rows with the place of each cell, and a text in HTML with its marks blanked out.

>>> [[cell.text for cell in row.cells] for row in rows("<table><tr><th>Plan<th>Price</tr><tr><td>Team</td><td>&euro;9</td></tr></table>")]
[['Plan', 'Price'], ['Team', '€9']]
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import pairwise

from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

_TABLE = compiled(r"<table\b(?:(?!<table\b).)*?</table\s*>", re.IGNORECASE | re.DOTALL)
_ROW = compiled(r"<tr\b[^>]*>", re.IGNORECASE)
_CELL = compiled(r"<t[hd]\b[^>]*>", re.IGNORECASE)
_CELL_END = compiled(r"</t[hdr]\s*>|</(?:thead|tbody|tfoot|table)\s*>", re.IGNORECASE)
_UNSEEN = compiled(r"<(script|style|head|template)\b.*?</\1\s*>|<!--.*?-->|</?[a-z!][^<>]*>", re.IGNORECASE | re.DOTALL)
LONGEST_HEAD = 60
"""Characters of a cell that can still be the name of a column."""


@dataclass(frozen=True, slots=True)
class HtmlCell:
    """A cell: what a reader sees, and where that stands."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class HtmlRow:
    """A row, where it stands, and the names of its columns: none for the row that holds them, or where a row has more cells or fewer."""

    span: Span
    cells: tuple[HtmlCell, ...]
    header: tuple[str, ...] = ()
    is_head: bool = False


def rows(text: str) -> list[HtmlRow]:
    """The rows of all tables of a text that have columns; a table inside another is read, the one around it is not."""
    return [row for table in _TABLE.finditer(text) for row in _table(text, table.span())] if "<" in text else []


def _table(text: str, span: Span) -> list[HtmlRow]:
    starts = [match.end() for match in _ROW.finditer(text, *span)]
    made = [HtmlRow((start, end), _cells(text, start, end)) for start, end in pairwise([*starts, span[1]])]
    made = [row for row in made if len(row.cells) > 1]
    if len(made) < 2 or any(len(cell.text) > LONGEST_HEAD for cell in made[0].cells):
        return []
    names = tuple(cell.text for cell in made[0].cells)
    head = HtmlRow(made[0].span, made[0].cells, (), True)
    return [
        head,
        *(HtmlRow(row.span, row.cells, names if len(row.cells) == len(names) else ()) for row in made[1:]),
    ]


def _cells(text: str, start: int, end: int) -> tuple[HtmlCell, ...]:
    begins = [match.end() for match in _CELL.finditer(text, start, end)]
    found: list[HtmlCell] = []
    for begin, after in pairwise([*begins, end]):
        closing = _CELL_END.search(text, begin, after)
        opening = text.rfind("<", begin, after) if after != end else after
        inner = text[begin : closing.start() if closing else opening]
        seen = blanked(inner)
        lead = len(seen) - len(seen.lstrip())
        found.append(HtmlCell(" ".join(html.unescape(seen).split()), (begin + lead, begin + len(seen.rstrip()))))
    return tuple(found)


def blanked(text: str) -> str:
    """A text with spaces in the place of marks, comments and scripts, so that places stay what they were."""
    return _UNSEEN.sub(lambda found: " " * len(found.group()), text) if "<" in text else text
