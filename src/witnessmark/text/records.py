"""Records in a text, value by value: JSON, YAML, CSV, tables in Markdown and HTML, lines of `key: value`. Knows nothing about claims.

>>> [(f.words, f.kind, f.value) for f in fields('{"OutdoorSeating": false, "hours": {"Monday": "7:0-17:0"}, "stars": 4.5}')]
[(('outdoor', 'seating'), 'no', 'false'), (('hours', 'monday'), 'text', '7:0-17:0'), (('stars',), 'number', '4.5')]
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from witnessmark.core.values import reads_as_json
from witnessmark.text import html_tables, lang, markdown, nested_data
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

MAX_JSON = 2_000_000
_JSON_TOKEN = compiled(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|[{}\[\],:]')
_CAMEL = compiled(r"(?<=[a-z])(?=[A-Z][a-z]{2})|[_\-.\s/]+")
_NUMBER = compiled(r"[-+]?[$€£]?\s?\d[\d,.]*\s?(?:%|[A-Za-z]{0,3})")
_KEY_VALUE = compiled(
    r"^[ \t]*(?:[-*+•]\s+)?(?:\*\*)?([A-Za-zÀ-ÿ][\w À-ÿ/()&'.-]{0,40}?)(?:\*\*)?\s?[:=]\s+(?:\*\*)?(\S.*?)\s*$"
)
_MIN_ROWS = 2
_MOST_TITLE, _MIN_TITLED = 2, 3
"""Lines of a title above a CSV or notes below, and how many columns it must then have: a sentence with one comma is no header."""

Form = Literal["json", "table", "html", "csv", "yaml", "lines", "prose"]
Kind = Literal["yes", "no", "unknown", "number", "text"]


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a record: the words of its key with those above it, what it says, where, and in which row."""

    path: tuple[str, ...]
    """The keys from the outside in, as words: ('business parking', 'lot')."""
    value: str
    kind: Kind
    span: Span
    row: int = 0
    table: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """All words of the path."""
        return tuple(word for key in self.path for word in key.split())


@lang.kept(32)
def form_of(text: str) -> tuple[Form, tuple[Field, ...]]:
    """What form a text has and the values in it: the first of these that it can be read as, for whoever reads it. Prose has none."""
    if text.lstrip()[:1] in ("{", "[") and len(text) <= MAX_JSON and reads_as_json(text):
        return "json", tuple(branched(list(_json(text))))
    for form, read in _READERS.items():
        if found := tuple(read(text)):
            return form, found
    return "prose", ()


def fields(text: str) -> list[Field]:
    """The values of a text that is a record or holds one; empty for prose."""
    return list(form_of(text)[1])


def table_head(text: str) -> str:
    """The line of column names of a text that begins as a CSV; empty for any other text."""
    found = csv_fields(text[: text.rfind("\n")])
    return (
        text[: text.rfind("\n", 0, found[0].span[0]) + 1].lstrip().rpartition("\n")[0].rpartition("\n")[2] + "\n"
        if found
        else ""
    )


def kind_of(value: str) -> Kind:
    """What a value is: yes, no, unknown, a number or text."""
    word = value.strip().lower().rstrip(".")
    for kind in ("yes", "no", "unknown"):
        if word in _values(kind):
            return kind
    return "unknown" if not word or word in "-–—?" else "number" if _NUMBER.fullmatch(value.strip()) else "text"


yes_words = lang.derived(lambda: lang.listed("records", "yes"))
no_words = lang.derived(lambda: lang.listed("records", "no"))
unknown_words = lang.derived(lambda: lang.listed("records", "unknown"))


def _values(kind: str) -> frozenset[str]:
    return yes_words() if kind == "yes" else no_words() if kind == "no" else unknown_words()


def key_text(key: str) -> str:
    """A key with spaces between its words: `RestaurantsTakeOut` is `Restaurants Take Out`."""
    return " ".join(_CAMEL.sub(" ", key).split())


def key_words(key: str) -> str:
    """A key as words: `RestaurantsTakeOut` is `restaurants take out`."""
    return key_text(key).lower()


def _json(text: str) -> Iterator[Field]:
    """Every leaf; a list of objects is a row each."""
    for keys, token, row in json_leaves(text):
        mark = token.group()
        value = str(json.loads(mark)) if mark.startswith('"') else mark
        path = tuple(name for name in map(key_words, keys) if name)
        yield Field(path, value, kind_of(value), token.span(), row)


def _yaml(text: str) -> list[Field]:
    """Every leaf of a text in YAML that is nested."""
    leaves = nested_data.yaml_leaves(text)
    paths = [tuple(name for name in map(key_words, keys) if name) for keys, *_ in leaves]
    rest = ((value, kind_of(value), span, row) for _, value, span, row in leaves)
    return branched([Field(path, *more) for path, more in zip(paths, rest, strict=True)])


def branched(found: list[Field]) -> list[Field]:
    """The same values with each branch as a row that its key names: `staging` in `{"prod": {"port": 1}, "staging": {"port": 2}}`."""
    keys = nested_data.branch_keys([field.path if not field.row else () for field in found])
    last = max((field.row for field in found), default=0)
    numbers: dict[tuple[str, ...], int] = {}
    made: list[Field] = []
    for field, places in zip(found, keys, strict=True):
        if not places:
            made.append(field)
            continue
        branch = field.path[: places[-1] + 1]
        above = tuple(key for at, key in enumerate(field.path) if at not in places)
        if branch not in numbers:
            numbers[branch] = last + len(numbers) + 1
            name = " ".join(branch[at] for at in places)
            what = next((key for at, key in enumerate(branch) if at + 1 == places[0]), "name").removesuffix("s")
            made.append(Field((what,), name, kind_of(name), (field.span[0], field.span[0]), numbers[branch]))
        made.append(replace(field, path=above, row=numbers[branch]))
    return made


def json_leaves(text: str) -> Iterator[tuple[tuple[str, ...], re.Match[str], int]]:
    """Every leaf of a text that is valid JSON, so that tokens are all there is to follow: the keys from the outside in, the token, and the row.

    A value in a list has its list's keys, and each object of a list is a row.
    """
    path: list[str] = []
    inside: list[str] = []
    rows, last = [0], 0
    key, expecting = "", False
    for token in _JSON_TOKEN.finditer(text):
        mark = token.group()
        if mark in "{[":
            new = mark == "{" and inside[-1:] == ["["]
            last += new
            rows.append(last if new else rows[-1])
            path.append(key)
            inside.append(mark)
            key, expecting = "", mark == "{"
        elif mark in "}]":
            path.pop()
            inside.pop()
            rows.pop()
        elif mark == ",":
            expecting = inside[-1:] == ["{"]
        elif expecting:
            key, expecting = str(json.loads(mark)), False
        elif mark != ":":
            yield tuple(name for name in (*path, key) if name), token, rows[-1]
            if not inside or inside[-1] == "{":
                key = ""


def _table(text: str) -> list[Field]:
    found: list[Field] = []
    row = 0
    for part in markdown.stretches(text) if "|" in text else ():
        if part.kind == "table" and part.header:
            row += 1
            found += _row(text, (part.start, part.end), part.header, markdown.cells(text[part.start : part.end]), row)
    return found


def _html(text: str) -> list[Field]:
    """The cells of tables in HTML, each row under the names of its columns."""
    return [
        Field((key_words(name),), cell.text, kind_of(cell.text), cell.span, number, True)
        for number, row in enumerate(html_tables.rows(text), 1)
        for name, cell in zip(row.header, row.cells, strict=False)
        if cell.text
    ]


def _row(text: str, span: Span, header: tuple[str, ...], cells: tuple[str, ...], row: int) -> Iterator[Field]:
    at = span[0]
    for name, cell in zip(header, cells, strict=False):
        place = text.find(cell, at, span[1]) if cell else -1
        if place < 0:
            continue
        at = place + len(cell)
        yield Field((key_words(name),), cell, kind_of(cell), (place, at), row, True)


def csv_fields(text: str) -> list[Field]:
    """The cells of a CSV: lines of the same number of cells, at least two of them, under a header without figures.

    A title may stand above it and notes below; such lines have no cells.
    """
    lines = [line for line in markdown.lines(text) if line.text.strip() and not markdown.is_table_rule(line.text)]
    if len(lines) < _MIN_ROWS:
        return []
    for mark in (",", ";", "\t", "|"):
        table = _csv_lines(lines, mark)
        if table:
            head = _cells(table[0].text, mark)
            return [
                field
                for number, line in enumerate(table[1:], 1)
                for field in _row(
                    text, (line.start, line.start + len(line.text)), head, _cells(line.text, mark), number
                )
            ]
    return []


def _csv_lines(lines: list[markdown.MarkdownLine], mark: str) -> list[markdown.MarkdownLine]:
    """The header and the rows of a CSV, from the first line or below a title; nothing where there is none."""
    for start in range(min(len(lines), _MOST_TITLE + 1)):
        head = _cells(lines[start].text, mark)
        if len(head) < 2 or any(map(_figure_or_long, head)):
            continue
        same = [line for line in lines[start:] if len(_cells(line.text, mark)) == len(head)]
        clear = len(head) >= _MIN_TITLED and (mark == "|" or f"{mark} " not in lines[start].text)
        notes = sum(line.start > same[-1].start for line in lines[-_MOST_TITLE:]) if clear else 0
        if (start > 0 and not clear) or len(same) < max(_MIN_ROWS, 0.85 * (len(lines) - start - notes)):
            continue
        return same
    return []


def _cells(line: str, mark: str) -> tuple[str, ...]:
    try:
        return tuple(cell.strip() for cell in next(csv.reader([line], delimiter=mark), []))
    except csv.Error:  # a wall of text without a comma is longer than a cell may be
        return ()


def _figure_or_long(cell: str) -> bool:
    return not cell or cell[0].isdigit() or len(cell.split()) > 4


def _key_values(text: str) -> list[Field]:
    """Lines of `key: value`, where most lines are such; a blank line begins another row."""
    found: list[Field] = []
    row, filled = 0, 0
    for line in markdown.lines(text):
        if not line.text.strip():
            row += bool(found)
            continue
        filled += 1
        match = _KEY_VALUE.match(line.text)
        if match:
            span = (line.start + match.start(2), line.start + match.end(2))
            value = match.group(2).rstrip("*")
            found.append(Field((key_words(match.group(1)),), value, kind_of(value), span, row))
    return found if len(found) >= _MIN_ROWS and len(found) >= 0.6 * filled else []


_READERS: dict[Form, Callable[[str], list[Field]]] = {
    "table": _table,
    "html": _html,
    "csv": csv_fields,
    "yaml": _yaml,
    "lines": _key_values,
}
