"""The data of an agent's output, value by value: what its sources bear out, what nobody has said, and what a reader has to be asked.

A value is borne out where it stands in a source, the goal or the summary (whose claims are read by themselves), where a record has it under the
same key, and a figure also where it is the sum or the number of what a record or the data lists. A name or a figure that nobody has
is told. Everything else, yes and no among it, is a statement for whoever reads the summary. Knows no reader.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from witnessmark.checks.output.data_fields import plain, same
from witnessmark.core.case import Case
from witnessmark.core.verdict import Claim
from witnessmark.text import lang, words
from witnessmark.text.dates import dates, without_dates
from witnessmark.text.numbers import figures
from witnessmark.text.patterns import compiled
from witnessmark.text.records import Field, fields, key_words, kind_of
from witnessmark.text.sentences import sentence_texts

about_the_call = lang.derived(lambda: lang.listed("records", "of_the_call"))
"""Keys of a result that say something of the call, and nothing of what it found."""
_about_itself = lang.derived(lambda: lang.listed("records", "of_the_call", "of_itself"))
"""Keys of what says nothing of what was found: what is said of the call and of the output itself, and what was run for it."""
MOST_VALUES = 200
DEEP = 20
PROSE = 6
"""Words from which a text is put to a reader as it stands, without its key before it."""
_NAME = compiled(r"(?=[A-Z]|\S*\d)[\w./-]+")
_LABEL = compiled(r"[a-zà-ÿ]+|[A-Z]{2,3}")
_FIGURE = compiled(r"(?:[^\W\d_]{1,3}\s)?[\W\d]+[^\W\d_]{0,3}")


@dataclass(frozen=True, slots=True)
class DataValue:
    """One value of the data: the keys it stands under from the outside in, what it says, and the keys beside the last one."""

    path: tuple[str, ...]
    value: str | float | bool
    beside: tuple[str, ...] = ()

    @property
    def written(self) -> str:
        """The value as a claim shows it."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return self.value if isinstance(self.value, str) else f"{self.value:g}"

    @property
    def text(self) -> str:
        """The value with the keys that it stands under: `ports.web-1: 443`."""
        return f"{'.'.join(self.path)}: {self.written}" if self.path else self.written

    @property
    def statement(self) -> str:
        """The value as words for a reader."""
        if len(self.written.split()) >= PROSE or not self.path:
            return self.written
        return f"{' '.join(map(key_words, self.path))}: {self.written}"


class DataSources:
    """What the values of the data may rest on: the texts of the sources, what else was said, and their records."""

    def __init__(self, case: Case, sources: Sequence[str], data: Any) -> None:
        calls = [msgspec.json.encode(one.input).decode() for one in case.evidence if one.input]
        self.sources = sources
        self.said = [*sources, case.text, case.goal, *calls]
        self.data = data

    @functools.cached_property
    def plainly(self) -> list[str]:
        """All that was said, as it is compared."""
        return [plain(text) for text in self.said]

    def mentions(self, value: str) -> bool:
        """Whether a value was said, word by word."""
        sought = plain(value)
        return any(sought in text and re.search(rf"(?<!\w){re.escape(sought)}(?!\w)", text) for text in self.plainly)

    @functools.cached_property
    def lines(self) -> list[str]:
        """What is said of one thing, as a rule: sentences and lines of the sources."""
        parts = (part for text in self.said for line in text.splitlines() for part in sentence_texts(line))
        return [plain(part) for part in parts]

    @functools.cached_property
    def stems(self) -> frozenset[str]:
        """The words of the sources."""
        return frozenset(stem for text in self.sources for stem in words.stems(text))

    @functools.cached_property
    def records(self) -> Mapping[str, Sequence[Field]]:
        """The values of the sources' records by the last of their keys."""
        found: dict[str, list[Field]] = defaultdict(list)
        for field in (field for text in self.sources for field in fields(text)):
            found[field.path[-1] if field.path else ""].append(field)
        return found

    @functools.cached_property
    def figures(self) -> frozenset[float]:
        """Every figure that is said, and what counts or adds up the rows of a record, the lines of a source or what the data lists."""
        known = {number for text in self.said for one in figures(text) for number in (one.low, one.high, one.face)}
        known |= {0.0, 1.0, float(len(self.sources)), *_lengths(self.data)}
        known |= {float(sum(bool(line.strip()) for line in text.splitlines())) for text in self.sources}
        told = [fields(text) for text in (*self.sources, msgspec.json.encode(self.data).decode())]
        known |= {one.face for found in told[:-1] for cell in found for one in figures(cell.value)}
        known |= {number for found in told for number in _totals(found)}
        return frozenset(round(number, 9) for number in known)

    def has_figure(self, number: float) -> bool:
        """Whether a figure is said or counts or adds up what is; a share may be told in percent."""
        return not self.figures.isdisjoint((round(number, 9), round(number * 100, 9)))

    def has_record(self, value: DataValue) -> bool:
        """Whether a record of the sources has the value under the same key."""
        key = key_words(value.path[-1]) if value.path else ""
        field = Field((key,), value.written, kind_of(value.written), (0, 0))
        return any(same(field, other) for other in self.records.get(key, ()))

    def of_another(self, value: DataValue) -> bool:
        """Whether the sources tell of a value only beside a neighbour of the name that it stands under."""
        names = [plain(one) for one in value.beside]
        owners = [owner for line in self.lines for owner in _owners(line, plain(value.written), names)]
        return bool(owners) and plain(value.path[-1]) not in owners and None not in owners


def _owners(line: str, value: str, names: Sequence[str]) -> Iterator[str | None]:
    """Of which of some names a sentence or row says a value, each time; None where it has none of them.

    In one that begins with a name a value belongs to the last name before it, otherwise to the next one.
    """
    found = _places(line, value)
    places = sorted((at, one) for one in names for at in _places(line, one)) if found else []
    for at in found:
        before = [one for start, one in places if start < at]
        after = [one for start, one in places if start > at]
        yield next(iter(before[-1:] if places and places[0][0] < found[0] else after[:1]), None)


def _places(line: str, sought: str) -> list[int]:
    return [match.start() for match in re.finditer(rf"(?<![\w.-]){re.escape(sought)}(?![\w-]|\.\w)", line)]


def _lengths(data: Any, depth: int = 0) -> Iterator[float]:
    """How many things each list and each table of the data holds: a figure may count them."""
    inner = data.values() if isinstance(data, Mapping) else data if isinstance(data, (list, tuple)) else ()
    if inner and depth <= DEEP:
        yield float(len(inner))
        for one in inner:
            yield from _lengths(one, depth + 1)


def _totals(found: Sequence[Field]) -> Iterator[float]:
    """How many rows some records have and what their columns and lists add up to, of all rows and of those that share a value."""
    rows: dict[int, list[Field]] = defaultdict(list)
    for field in found:
        rows[field.row].append(field)
    groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for number, cells in rows.items():
        for shared in dict.fromkeys([(), *((cell.path, plain(cell.value)) for cell in cells)]) if number else ():
            groups[shared].append(number)
        yield from _sums(cells)
    for numbers in groups.values():
        yield float(len(numbers))
        yield from _sums([cell for number in numbers for cell in rows[number]])


def _sums(cells: Iterable[Field]) -> Iterator[float]:
    """How many values stand under each key, what its figures add up to and come to on average, where there are several."""
    columns: dict[tuple[str, ...], list[Field]] = defaultdict(list)
    for cell in cells:
        columns[cell.path].append(cell)
    for column in (one for one in columns.values() if len(one) > 1):
        yield float(len(column))
        total = sum(number.face for cell in column if cell.kind == "number" for number in figures(cell.value)[:1])
        yield total
        yield from (round(total / len(column), places) for places in (1, 2, 3, 9))


def values_of(
    data: Any, path: tuple[str, ...] = (), beside: tuple[str, ...] = (), depth: int = 0
) -> Iterator[DataValue]:
    """Every value of the data that says something of what was found: not those of the call, nor what is left empty."""
    if depth > DEEP:
        return
    if isinstance(data, Mapping):
        for name in data:
            if str(name).casefold() not in _about_itself():
                yield from values_of(data[name], (*path, str(name)), tuple(map(str, data)), depth + 1)
    elif isinstance(data, (list, tuple)):
        for inner in data:
            yield from values_of(inner, path, beside, depth + 1)
    elif isinstance(data, (int, float)) or (isinstance(data, str) and not words.blank(data)):
        yield DataValue(path, data, beside)


def judged(values: Iterable[DataValue], told: DataSources) -> Iterator[tuple[DataValue, Claim | None]]:
    """Each value with its claim, or None where a reader has to be asked."""
    for one in values:
        yield one, _claim(one, told)


def _claim(one: DataValue, told: DataSources) -> Claim | None:
    if isinstance(one.value, bool) or kind_of(one.written) in ("yes", "no"):
        return _settled(one, "a record has this value") if told.has_record(one) else None
    numbers = [one.value] if isinstance(one.value, (int, float)) else _figures(one.value)
    if not all(map(told.has_figure, numbers)):
        return _absent(one, "the data holds a figure that neither the summary nor any source has")
    if told.has_record(one):
        return _settled(one, "a record has this value")
    if _under_a_name(one) and told.of_another(one):
        return _absent(one, "the sources say this of something else beside it")
    if not isinstance(one.value, str) or _FIGURE.fullmatch(one.value) or told.mentions(one.value):
        return _settled(one, "it is in the summary or a source")
    if _LABEL.fullmatch(one.value) and told.stems.isdisjoint(_key_stems(one)):
        return _settled(one, "a label of the agent's own")
    if _NAME.fullmatch(one.value) and told.stems.isdisjoint(words.stems(one.value)):
        return _absent(one, "no source has this name")
    return None


def _figures(text: str) -> list[float]:
    return [one.face for one in without_dates(figures(text), dates(text)) if not one.worded]


def _key_stems(one: DataValue) -> Iterator[str]:
    return (stem for key in one.path[-1:] for stem in words.stems(key_words(key)))


def _under_a_name(one: DataValue) -> bool:
    """Whether a short value stands under one of several names: `{"web-1": 443, "db-2": 5432}`."""
    short = not isinstance(one.value, str) or len(one.value.split()) < PROSE
    return short and len(one.beside) > 1 and all(map(_NAME.fullmatch, (one.path[-1], *one.beside)))


def _settled(one: DataValue, why: str) -> Claim:
    return Claim(text=one.text, kind="data", status="supported", reason=why, details={"by": "rule"})


def _absent(one: DataValue, why: str) -> Claim:
    return Claim(text=one.text, kind="data", status="unsupported", reason=why)
