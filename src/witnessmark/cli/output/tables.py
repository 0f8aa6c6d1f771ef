"""Tables on a terminal of any width: drawn where they fit, and otherwise each row in two parts, so that nothing is cut to ribbons."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

from witnessmark.core.explain import clipped

GAP = "  "
SPACE = 3
"""Columns between two cells of a drawn table."""
TEXTS = ("reason", "finding", "summary", "statement")
"""Headings of columns that hold sentences; they are wrapped, and go below where there is no room beside the others."""
READABLE = 30
"""A sentence in a narrower column is read word by word."""
LONGEST_KEY, LONGEST_CELL = 44, 24
"""Characters of the first column and of the others that a row shows where there is little room."""
NARROWEST = 40


def fits(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether a drawn table has room for every cell, and enough for its sentences."""
    needed = [
        min(size, READABLE) if name in TEXTS else size
        for name, size in zip(columns, _widths(columns, rows), strict=True)
    ]
    return sum(needed) + SPACE * (len(columns) - 1) <= width


def in_two_parts(
    columns: Sequence[str], rows: Sequence[Sequence[str]], width: int, styled: Callable[[str, str], str]
) -> list[str]:
    """The lines of a table that does not fit: as many columns as do, and below each row what is left of it.

    `styled` is handed a cell padded and the cell itself.
    """
    width = max(width, NARROWEST)
    sizes = [min(size, LONGEST_CELL if n else LONGEST_KEY) for n, size in enumerate(_widths(columns, rows))]
    above = _above(columns, sizes, width)
    lines = [GAP.join(name.ljust(size) for name, size in zip(columns[:above], sizes, strict=False)).rstrip()]
    lines.append("─" * min(width, sum(sizes[:above]) + len(GAP) * (above - 1)))
    for row in rows:
        shown = [(clipped(cell, size), size) for cell, size in zip(row[:above], sizes, strict=False)]
        lines.append(GAP.join(styled(cell.ljust(size), cell) for cell, size in shown).rstrip())
        rest = zip(columns[above:], row[above:], strict=True)
        below = " · ".join(cell if name in TEXTS else f"{name} {cell}" for name, cell in rest if cell not in ("", "–"))
        lines += textwrap.wrap(below, width, initial_indent=GAP, subsequent_indent=GAP, break_on_hyphens=False)
    return lines


def _above(columns: Sequence[str], sizes: Sequence[int], width: int) -> int:
    """How many columns stand beside each other, the first always: up to the first that has no room or holds sentences."""
    used = sizes[0]
    for number in range(1, len(columns)):
        used += len(GAP) + sizes[number]
        if used > width or columns[number] in TEXTS:
            return number
    return len(columns)


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(name), *(len(row[n]) for row in rows)) if rows else len(name) for n, name in enumerate(columns)]
