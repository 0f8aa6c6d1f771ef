"""A claim against the values of a record: yes/no fields, opening hours, and figures of the right row.

Says of each value that a claim speaks about whether it is the same or contradicted, like the other rules. General: fields are
found by the words of their keys (with those above them and words alike, from text/lang), never by the names of one schema.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index, once
from witnessmark.checks.grounding.fields import row_counts, row_extremes, row_questions, row_steps, rows, titles
from witnessmark.checks.grounding.fields.doubts import is_told_alike, undoubted
from witnessmark.checks.grounding.fields.field_figures import (
    is_asked_for,
    stated_figures,
    unit_of,
    value_agrees,
    without_unit,
)
from witnessmark.checks.grounding.fields.line_totals import line_totals
from witnessmark.checks.grounding.fields.rows import RowKey
from witnessmark.checks.grounding.fields.wrong_values import wrong_values
from witnessmark.checks.grounding.finding import Finding, RuleFinding, at_field
from witnessmark.checks.grounding.relations import affirmation
from witnessmark.checks.grounding.relations.opening_hours import record_hours
from witnessmark.checks.grounding.relations.other_forms import in_another_form
from witnessmark.checks.grounding.relations.other_units import is_on_own_basis
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.checks.grounding.wording import opposites_of
from witnessmark.text import lang, number_parts, words
from witnessmark.text.numbers import Number, figures
from witnessmark.text.records import Field, no_words, yes_words
from witnessmark.text.units import head_dimensions, units

REPEATED = 3
"""A word in so many keys names the whole record, not one of its values: `restaurants` in RestaurantsTakeOut."""
MOST_CELLS = 200
"""Cells of a list of records, none of which is named, among which a figure is looked for."""
AROUND = 4
"""Words around a figure in which the name of its field is looked for."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[.;,:()]")


@dataclass(frozen=True, slots=True)
class ClaimWords:
    """The words of a claim in order, as they are written in lower case and as stems; marks of punctuation among them."""

    row: tuple[str, ...]
    stems: tuple[str, ...]
    places: Mapping[str, int]
    """Where each stem first stands."""
    grown: Mapping[str, int]
    """Where one, two or three neighbouring words, written as one, end: take out is takeout."""

    @staticmethod
    def of(text: str) -> ClaimWords:
        """Read a claim; hyphens join, so that Wi-Fi is wifi."""
        text = re.sub(r"\bno\.(?=\s*\d)", "number", re.sub(r"(?<=\w)[-‐](?=\w)", "", text).lower())
        row = tuple(_WORD.findall(text))
        stems = tuple(map(words.stem, row))
        places = {stem: at for at, stem in reversed(list(enumerate(stems)))}
        runs = [(size, at) for size in (3, 2, 1) for at in reversed(range(len(row) - size + 1))]
        grown = {words.stem("".join(row[at : at + size])): at + size - 1 for size, at in runs}
        return ClaimWords(row, stems, places, grown)

    def place(self, wanted: str) -> int | None:
        """Where a word stands, or one that names the same thing in records."""
        found = [self.places[stem] for stem in (wanted, *_alike(wanted)) if stem in self.places]
        return min(found, default=None)


def _alike(stem: str) -> frozenset[str]:
    """The stems that name the same thing in records as this one."""
    return words.stem_groups("records", "alike").get(stem, frozenset())


def record_findings(this: ClaimInEvidence) -> list[RuleFinding]:
    """What the values of the records in the evidence say about a claim; empty where the evidence is prose."""
    claim, index, goal = this.claim, this.index, this.goal
    if not index.fields:
        return []
    said = ClaimWords.of(claim)
    book = _book(index)
    named = book.rows.named(claim)
    told = [*_yes_no(said, index, book, named), *record_hours(claim, index), *_exchanged(this, book)]
    told += [one for one in _figures(this, said, book, named) if one.part not in {other.part for other in told}]
    same = functools.partial(value_agrees, language=this.language)
    for part, source, field in wrong_values(claim, goal, index, book.rows, named, same):
        if not is_told_alike(this, part, field):
            told.append(at_field("cell", "contradicted", part, source, field, index))
    flags = [(flag.own, [field for _, field in flag.fields]) for flag in book.flags]
    for part, right, source, field in (
        *row_extremes.extremes(claim, goal, book.rows, named),
        *row_questions.asked_rows(claim, goal, book.rows),
        *row_counts.counts(claim, goal, book.rows, flags),
    ):
        rule, finding = ("worked", "same") if right else ("cell", "contradicted")
        told.append(at_field(rule, finding, part, source, field, index))  # type: ignore[arg-type] # one of the two
    labels = [*titles.named(claim, index), *((source, label) for (source, _), label in named.items())]
    found = undoubted(told, claim, goal, index, named)
    found = found if row_extremes.asks_for_one(claim, goal) else _whole(found, claim, labels)
    return [*found, *line_totals(this)]


def _whole(found: list[RuleFinding], claim: str, labels: Sequence[tuple[str, Field]]) -> list[RuleFinding]:
    """The findings; where a claim says nothing but what fields say, those bear it out: `The timeout is 1.5 seconds` of `timeout ms: 1500`."""
    same = [one for one in found if one.finding == "same" and one.rule in ("cell", "field")]
    if not same or len(same) < len(found):
        return found
    sources = {one.passage.source for one in same if one.passage is not None}
    known = " ".join([f"{one.stated} {one.part}" for one in same] + [f.value for s, f in labels if s in sources])
    told = {*words.content(known.replace("_", " ")), *map(words.stem, yes_words() | no_words())}
    whole = told.issuperset(words.content(claim.replace("_", " ")))
    return [replace(one, rule="bounded") for one in same] if whole else found


# --- what a field is called ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FlagColumn:
    """A yes/no key: the stems of its own name, those of the group it is one of, those that say the opposite, and its fields with their sources."""

    key: str
    own: tuple[str, ...]
    group: tuple[str, ...]
    turned: tuple[tuple[str, ...], ...]
    fields: tuple[tuple[str, Field], ...]


@dataclass(frozen=True, slots=True)
class RecordBook:
    """The fields by what is asked of them, worked out once for an index."""

    flags: tuple[FlagColumn, ...]
    numbers: Mapping[RowKey, tuple[tuple[str, Field], ...]]
    """The fields that hold a number, by the row they stand in."""
    columns: Mapping[str, tuple[str, ...]]
    """What a field that holds a number is called, and the stems that tell it from others."""
    in_tables: frozenset[str]
    """Those of them that stand in tables of several rows."""
    alone: tuple[tuple[str, Field], ...]
    """The numbers that stand in no row, or in the only one."""
    listed: tuple[tuple[str, Field], ...]
    """Those of lists with few of them."""
    rows: rows.RowIndex


@once
def _book(index: Index) -> RecordBook:
    numbers: dict[RowKey, list[tuple[str, Field]]] = defaultdict(list)
    for source, field in index.fields:
        if field.kind == "number" and field.path and field.path[-1]:
            numbers[source, field.row].append((source, field))
    names = {field.path[-1] for found in numbers.values() for _, field in found}
    columns = {  # `timeout ms` is called timeout
        name: tuple(
            stem
            for stem in words.content(without_unit(name))
            if stem not in words.stemmed(lang.listed("records", "generic"))
        )
        for name in names
    }
    table = rows.RowIndex.of(index.fields)
    several = (c for c in table.columns.values() if len(c.cells) > 1 and c.cells[0].table)
    in_tables = frozenset(column.path[-1] for column in several) & columns.keys()
    alone, listed = list[tuple[str, Field]](), list[tuple[str, Field]]()
    for (source, row), found in numbers.items():
        count = len(table.column(source, found[0][1]).cells) if row else 1
        if count == 1:
            alone += found
        elif count <= MOST_CELLS and not found[0][1].table:
            listed += found
    by_row = {row: tuple(found) for row, found in numbers.items()}
    return RecordBook(tuple(_flags(index)), by_row, columns, in_tables, tuple(alone), tuple(listed), table)


def _flags(index: Index) -> Iterator[FlagColumn]:
    keys = {field.path[-1] for _, field in index.fields if field.path}
    often = Counter(words.stem(word) for key in keys for word in set(key.split()))

    def told_apart(stem: str) -> bool:
        return often[stem] < REPEATED and stem not in words.stemmed(lang.listed("records", "generic"))

    siblings: dict[tuple[str, tuple[str, ...], int], list[str]] = defaultdict(list)
    for source, field in index.fields:
        siblings[source, field.path[:-1], field.row].append(field.kind)
    columns: dict[tuple[tuple[str, ...], bool], list[tuple[str, Field]]] = defaultdict(list)
    for source, field in index.fields:
        if field.kind in ("yes", "no") and field.path:
            alike = siblings[source, field.path[:-1], field.row]
            # one of several yes/no values under one key: parking {garage, street, lot}
            grouped = len(field.path) > 1 and len(alike) > 1 and not {"number", "text"}.intersection(alike)
            columns[field.path, grouped].append((source, field))
    for (path, grouped), fields in columns.items():
        own = [word for word in path[-1].split() if told_apart(words.stem(word))]
        # `enabled` alone is said of what it stands under
        below = grouped or (len(path) > 1 and lang.listed("records", "states").issuperset(path[-1].split()))
        group = tuple(stem for stem in map(words.stem, path[-2].split()) if told_apart(stem)) if below else ()
        stems = tuple(map(words.stem, own))
        turned = [(*stems[:n], other, *stems[n + 1 :]) for n, word in enumerate(own) for other in opposites_of(word)]
        if own or group:
            yield FlagColumn(path[-1], stems, group, tuple(turned), tuple(fields))


def _mention(said: ClaimWords, stems: Sequence[str], key: str) -> tuple[int, int] | None:
    """The first and the last word with which a claim names a key: all within a few of each other, or grown together (takeout, read-only)."""
    grown = "".join(stems)
    for one in (grown, words.stem(grown), words.stem(key.replace(" ", ""))):
        if one in said.grown:
            return said.grown[one], said.grown[one]
    known = [place for place in map(said.place, stems) if place is not None]
    if not known or len(known) < len(stems):
        return None
    return (min(known), max(known)) if max(known) - min(known) <= AROUND else None


def _same(stem: str, wanted: str) -> bool:
    return stem == wanted or stem in _alike(wanted)


# --- yes and no ----------------------------------------------------------------------------------------------------


def _yes_no(said: ClaimWords, index: Index, book: RecordBook, named: Mapping[RowKey, Field]) -> Iterator[RuleFinding]:
    heard: dict[tuple[str, ...], list[tuple[str, Field, tuple[int, int], bool]]] = defaultdict(list)
    for flag in book.flags:
        place = _mention(said, flag.own, flag.key) if flag.own else None
        against = place is None
        if against:
            place = next(
                (found for stems in flag.turned if (found := _mention(said, stems, " ".join(stems))) is not None), None
            )
        in_group = bool(flag.group) and any(said.place(wanted) is not None for wanted in flag.group)
        meant = [(s, f) for s, f in flag.fields if not (f.row and named) or (s, f.row) in named]
        if place is not None and meant and (not flag.group or in_group or " " in flag.key):
            for s, f in meant:
                label = _property(s, f, book, named)
                at = place if label is None else _mention(said, words.content(label.value), label.value)
                if at is not None:
                    key = (*flag.own, *flag.group) if label is None else (s, str(f.row))
                    heard[key].append((s, f, at, against))
    reporting = lang.listed("records", "reporting")
    reported = not reporting.isdisjoint(said.row) or not lang.listed("scope", "everything").isdisjoint(said.row)
    for fields in heard.values():
        if len({(field.kind, against) for _, field, _, against in fields}) > 1:
            continue  # rows of one table say both, and the claim names none of them
        source, field, (first, last), against = fields[0]
        said_so = affirmation.polarity(said.row, first, last)
        if said_so is None:
            continue
        denied = (said_so == "denied") != against
        finding: Finding = "same" if (field.kind == "no") == denied else "contradicted"
        one_row = (source, field.row) not in named and _of_one_row(field, index)
        if finding == "contradicted" and (reported or one_row):
            continue  # what one person found, or what one row of several says, is not what the field is about
        yield at_field("field", finding, said.row[last], source, field, index)


def _property(source: str, field: Field, book: RecordBook, named: Mapping[RowKey, Field]) -> Field | None:
    """What a yes or no is said of by the name of its row, where the column is a thing with values of other kinds too: `API access` of `| API access | no | yes |`."""
    label = named.get((source, field.row)) if field.table else None
    if label is None:
        return None
    thing = any(cell.kind in ("number", "text") for cell in book.rows.column(source, field).cells)
    values = (cell for cell in book.rows.rows[source, field.row] if cell.path != label.path)
    return label if thing and all(cell.kind in ("yes", "no", "unknown") for cell in values) else None


def _of_one_row(field: Field, index: Index) -> bool:
    """Whether other rows of the table have something else in this column: `60 days` where this one has `no`."""
    return any(
        other.row != field.row and other.path[-1:] == field.path[-1:] and other.kind != field.kind
        for _, other in index.fields
    )


def _figures(
    this: ClaimInEvidence, said: ClaimWords, book: RecordBook, named: Mapping[RowKey, Field]
) -> Iterator[RuleFinding]:
    claim, index, language = this.claim, this.index, this.language
    apart = [*(match.span() for match in _CLOCK.finditer(claim)), *book.rows.texts_in(claim, named)]
    told_as = (one for one in this.figures if not one.is_range and not is_on_own_basis(this, one))
    found = [one for one in told_as if not any(a <= one.span[0] < b for a, b in apart)]
    if not found or not book.numbers:
        return
    # the rows that it names, or of lists with few numbers all of them where it names none
    rest = [one for row in named for one in book.numbers.get(row, ())] if named else book.listed
    others, unnamed = titles.apart(claim, index)
    numbers = (*(one for one in book.alone if one[0] not in others), *rest)
    keyed = [stated for key in book.columns for stated in figures(key, language)]
    told = {name for name, stems in book.columns.items() if _in_claim(said, stems)}
    called = {stem for label in named.values() for stem in words.content(label.value)}
    made = functools.partial(row_steps.from_row, claim, numbers=book.numbers, table=book.rows, index=index)
    for one in found:
        part = claim[slice(*one.span)]
        if part in called or any(agrees(one, stated) for stated in keyed if stated.dimension):
            continue  # `after 10 years` and the 13 of `Alder 13` name a row and are no value
        beside = {name for name, stems in book.columns.items() if _is_named(unnamed, one, stems, unit_of(name))}
        beside -= {name for name in book.rows.numbering if not claim[: one.span[0]].rstrip().lower().endswith(name)}
        under = _counted_column(claim, one, book)
        about = beside | (under or told)  # `12 goals` is of no other column, whichever the claim names and has 12
        if not named and not about.isdisjoint(book.in_tables):
            continue  # which row is meant, nobody says
        row_of = [(s, f) for s, f in numbers if f.path[-1] in about and (s, f.row) in named]
        mine = row_of or [(s, f) for s, f in numbers if f.path[-1] in (about if f.table else beside)]
        same = [(s, f) for s, f in mine if value_agrees(one, f, language)]
        same += row_steps.counted_in_text(one, book.rows, named, language) if under else ()
        if same:
            yield at_field("cell", "same", part, *same[0], index)
            continue
        if under and len(named) == len(row_of) == 1 and row_of[0][1].value.isdigit() and not rows.sets_apart(claim):
            yield at_field("cell", "contradicted", part, *row_of[0], index)
            continue
        meant = mine
        mine = [(s, f) for s, f in mine if not _told_already(claim, one, found, f, language)]
        if one.worded and not one.dimension:  # `two invoices` counts rows
            continue
        elsewhere = any(value_agrees(one, f, language) for _, f in numbers) or is_asked_for(this, one, mine)
        if elsewhere or (row_of and rows.sets_apart(claim)):
            continue
        if mine and in_another_form(claim, one, index) is None and not made(one, meant):
            yield at_field("cell", "contradicted", part, *mine[0], index)  # no `1,302 million` in a table of millions
        elif not mine and len(named) == 1 and not arithmetic.compares(claim) and said_in_whole(claim):
            ((row, label),) = named.items()
            other = rows.number_of_another(claim, one, book.rows, row, label)
            held = [] if other is None or _told_already(claim, one, found, other, language) else [(row[0], other)]
            if held and not made(one, held):  # not of `250 GB and 15 seats`
                yield at_field("cell", "contradicted", part, *held[0], index)


def _counted_column(claim: str, one: Number, book: RecordBook) -> set[str]:
    """The columns of what a figure counts: `goals` after `12 goals`; none of a price per night."""
    after = words.stems(claim[one.span[1] :])[:1] if not one.dimension else ()
    if not lang.words("rates").isdisjoint(words.words(claim[one.span[1] :])[1:2]):
        return set()  # 336 visitors per hectare
    named = {name for name, stems in book.columns.items() if after and stems[-1:] == after}
    return {name for name in named if lang.words("rates").isdisjoint(name.split())}


def said_in_whole(claim: str) -> bool:
    """Whether a claim speaks of no half or quarter of anything."""
    return number_parts.parts().keys().isdisjoint(words.words(claim))


def _exchanged(this: ClaimInEvidence, book: RecordBook) -> Iterator[RuleFinding]:
    """Figures that a claim gives right before one key (`24 in billing`) and that the record has under another key of the same group."""
    numbers = [one for fields in book.numbers.values() for one in fields if len(one[1].path) > 1 and not one[1].table]
    for one in figures(this.claim, this.language) if numbers else ():
        after = words.words(this.claim[one.span[1] :])[:2]
        if one.dimension or len(after) < 2 or after[0] not in lang.words("prepositions"):
            continue
        named = [(s, f) for s, f in numbers if words.content(f.path[-1]) == (words.stem(after[1]),)]
        if len(named) == 1 and not value_agrees(one, named[0][1], this.language):
            group = [f for _, f in numbers if f.path[:-1] == named[0][1].path[:-1]]
            if any(value_agrees(one, f, this.language) for f in group):
                yield at_field("cell", "contradicted", this.claim[slice(*one.span)], *named[0], this.index)


def _in_claim(said: ClaimWords, wanted: Sequence[str]) -> bool:
    """Whether a claim has the words of a column's name."""
    return bool(wanted) and all(said.place(one) is not None for one in wanted)


def _is_named(claim: str, one: Number, wanted: Sequence[str], unit: str = "") -> bool:
    """Whether the words beside a figure name the field that is called by these stems, and whose key ends in that unit."""
    before = words.stems(claim[max(0, one.span[0] - 40) : one.span[0]])[-3:]
    after = words.stems(claim[one.span[1] : one.span[1] + 30])[:2]
    inside = words.stems(claim[slice(*one.span)])[1:]
    if not wanted or before[-2:] == ("out", "of") or "/" in claim[max(0, one.span[0] - 1) : one.span[1] + 1]:
        return False
    if any(_same(stem, wanted[-1]) for stem in (*inside, *after[:1])):
        return True
    bare = not one.dimension and not re.match(r"[\s-]*[^\W\d_]{4}", claim[one.span[1] :])
    measured = bool(unit) and units()[unit].dimension == one.dimension
    return (bare or measured) and any(_same(stem, wanted[-1]) for stem in before)


_CLOCK = re.compile(r"\b\d{1,2}(?:[:.]\d{2}|\s?h(?:\s?[0-5]\d)?|\s?Uhr)\b(?!\.\d)")
_SINGLE = re.compile(r"\b(?:single|one|once|a)\b", re.IGNORECASE)


def _told_already(claim: str, one: Number, found: Sequence[Number], field: Field, language: str) -> bool:
    """Whether another figure of the claim is this field's, or the two are not of one kind: then this figure is of something else."""
    if any(value_agrees(other, field, language) for other in found if other is not one):
        return True
    stated = stated_figures(field.path[-1], field.value, language)
    kinds = {figure.dimension for figure in stated} | head_dimensions(field.words)
    unlike = bool(one.dimension) and bool(stated) and one.dimension not in kinds
    return unlike or (field.value.strip() == "1" and _SINGLE.search(claim) is not None)
