"""Structured text as short sentences, each with its place in the original: JSON, tables, and plain passages.

A record reads as `opening hours Monday: 8-17`; the span is that of the value in the text. Knows nothing about claims.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from witnessmark.text import html_tables, markdown, nested_data, records
from witnessmark.text.sentences import Span, sentences

MAX_SENTENCE = 600
"""A longer stretch without an end is cut, so that a wall of text is still read piece by piece."""
_SAID = {"true": "yes", "false": "no", "null": "unknown"}


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """One sentence of a source: where it is, and its words as they are compared."""

    span: Span
    text: str


def flattened(text: str) -> list[SourceSentence]:
    """The sentences of a source, whatever its form."""
    form, found = records.form_of(text)
    if form == "csv":
        return list(_rows(text, found))
    return list(_READERS.get(form, _prose)(text))


def _html(text: str) -> Iterator[SourceSentence]:
    """The rows of tables in HTML, each as `header: cell; …`, and what stands between them without its marks."""
    rows = html_tables.rows(text)
    plain = html_tables.blanked(text)
    end = 0
    for row in rows:
        yield from _sentences(plain, end, row.span[0])
        cells = [cell.text for cell in row.cells]
        told = "; ".join(f"{h}: {c}" for h, c in zip(row.header, cells, strict=True)) if row.header else " ".join(cells)
        yield SourceSentence((row.cells[0].span[0], row.cells[-1].span[1]), told)
        end = row.span[1]
    yield from _sentences(plain, end, len(plain))


def _yaml(text: str) -> Iterator[SourceSentence]:
    """Every leaf of a text in YAML that is nested, as `path: value`."""
    for keys, value, span, _ in nested_data.yaml_leaves(text):
        name = " ".join(map(records.key_text, keys))
        yield SourceSentence(span, f"{name}: {_SAID.get(value, value)}" if name else value)


def _rows(text: str, found: Sequence[records.Field]) -> Iterator[SourceSentence]:
    """The rows of a CSV, each as `header: cell; …`, and what stands above or below it."""
    end = 0
    for number, row in groupby(found, key=lambda field: field.row):
        cells = list(row)
        span = (cells[0].span[0], cells[-1].span[1])
        if number == 1:
            yield from _title(text, span[0])
        yield SourceSentence(span, "; ".join(f"{cell.path[0]}: {cell.value}" for cell in cells))
        end = text.find("\n", span[1])
    if end >= 0:
        yield from _sentences(text, end, len(text))


def _title(text: str, first_row: int) -> Iterator[SourceSentence]:
    """The lines above the header of a CSV."""
    header = text[: text.rfind("\n", 0, first_row) + 1].rstrip()
    above = header.rpartition("\n")[0]
    yield from _sentences(text, 0, len(above))


def _prose(text: str) -> Iterator[SourceSentence]:
    """Lines of tables with their header, everything else by sentence and line."""
    header: list[str] = []
    for start, end in _stretches(text):
        line = text[start:end]
        if markdown.is_row(line):
            if markdown.is_table_rule(line):
                continue
            cells = list(markdown.cells(line))
            if header and len(cells) == len(header):
                yield SourceSentence((start, end), "; ".join(f"{h}: {c}" for h, c in zip(header, cells, strict=True)))
            else:
                header = cells
                yield SourceSentence((start, end), " ".join(cells))
            continue
        header = []
        yield from _sentences(text, start, end)


def _sentences(text: str, start: int, end: int) -> Iterator[SourceSentence]:
    """The sentences of text[start:end], cut where they are too long."""
    for one in sentences(text, start, end):
        for part in (one,) if one[1] - one[0] <= MAX_SENTENCE else _cut(text, one):
            yield SourceSentence(part, text[slice(*part)])


def _stretches(text: str) -> Iterator[Span]:
    """Paragraphs as one stretch; lines of lists, tables and headings each their own."""
    begin = -1
    end = 0
    for line in markdown.lines(text):
        alone = (
            not line.text.strip()
            or line.text.lstrip()[0] in "|-*+#>•"
            or (line.text.lstrip()[0].isdigit() and re.match(r"\s*\d{1,3}[.)]\s", line.text) is not None)
        )
        short = len(line.text) < 60 and line.text.rstrip()[-1:] not in ".,;"
        if begin >= 0 and alone:
            yield begin, end
            begin = -1
        if not line.text.strip():
            continue
        if alone:
            yield line.start, line.start + len(line.text)
            continue
        begin = line.start if begin < 0 else begin
        end = line.start + len(line.text)
        if short or line.text.rstrip()[-1:] in ".!?":
            yield begin, end
            begin = -1
    if begin >= 0:
        yield begin, end


def _cut(text: str, span: Span) -> Iterator[Span]:
    """A long sentence in pieces: behind a comma or a semicolon where there is one, since a space may stand between a number and its unit."""
    start, end = span
    while end - start > MAX_SENTENCE:
        half, most = start + MAX_SENTENCE // 2, start + MAX_SENTENCE
        space = 1 + max(text.rfind(", ", half, most), text.rfind("; ", half, most)) or text.rfind(" ", half, most)
        cut = space if space > start else most
        yield start, cut
        start = cut + (1 if space > start else 0)
    if end > start:
        yield start, end


# --- JSON ----------------------------------------------------------------------------------------------------------


def _record(text: str) -> Iterator[SourceSentence]:
    """Every leaf as `path: value`, at the value's place."""
    for keys, token, _ in records.json_leaves(text):
        yield from _leaf(token, keys)


def _leaf(token: re.Match[str], keys: tuple[str, ...]) -> Iterator[SourceSentence]:
    mark = token.group()
    name = " ".join(map(records.key_text, keys))
    lead = f"{name}: " if name else ""
    if not mark.startswith('"'):
        yield SourceSentence(token.span(), lead + _SAID.get(mark, mark))
        return
    value = json.loads(mark)
    inner = (token.start() + 1, token.end() - 1)
    exact = len(value) == inner[1] - inner[0]
    parts = sentences(value) or [(0, 0)]
    for start, end in parts:
        span = (inner[0] + start, inner[0] + end) if exact else inner
        yield SourceSentence(span, lead + value[start:end])


_READERS: dict[records.Form, Callable[[str], Iterator[SourceSentence]]] = {
    "json": _record,
    "html": _html,
    "yaml": _yaml,
}
