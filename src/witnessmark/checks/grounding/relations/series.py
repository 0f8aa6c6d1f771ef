"""Figures of one kind by the thing they are of: columns of tables and records, runs of `label: figure`, names in turn with figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from witnessmark.checks.grounding.evidence import MAX_READ, Index, Passage
from witnessmark.text import lang, words
from witnessmark.text.dates import dates
from witnessmark.text.numbers import figures
from witnessmark.text.patterns import compiled
from witnessmark.text.records import Field
from witnessmark.text.sentences import Span
from witnessmark.text.units import units

MOST_WORDS, MOST_ENTRIES, LEAST_RANKED = 5, 500, 2
"""Words of what follows a label, since more are a sentence; things among which one is looked for."""
_CAPITAL = compiled(r"(?<!\w)[A-ZÀ-ÖØ-Þ][\w'’&-]*(?:\s+[A-ZÀ-ÖØ-Þ][\w'’&-]*)*")
_PIECE = compiled(r"[^\n;,]+(?:,(?! )[^\n;,]*)*|\Z")
_PAIR = compiled(
    r"(?:([^:=\n|]{3,60}):\s+(?=[^\W\d_][^:]*:))?[\s*•+-]*([^\W\d_][^:=\n|]{0,40}?)[\s*]*(?::|=|\s[–—-])[\s*]+(.*\d.*?)[ .*]*"
)


class SeriesEntry(NamedTuple):
    """One thing of a series with its figure and what kind of figure it is, and where the source names it."""

    label: str
    stems: frozenset[str]
    value: float
    kind: str
    source: str
    span: Span


class Series(NamedTuple):
    """Figures of one kind; `title` are the stems of what they are called, `heads` those of what the things are called."""

    title: frozenset[str]
    heads: frozenset[str]
    entries: tuple[SeriesEntry, ...]


def series_of(index: Index) -> tuple[Series, ...]:
    """Every table's and list's series of one kind in which each label stands once, worked out when first asked for."""
    known = index.kept.get("series")
    if not isinstance(known, tuple):
        found = [*_columns(index), *(one for s in index.sources for one in _runs(s.text[:MAX_READ], s.id))]
        known = index.kept["series"] = tuple(filter(_clear, found))
    return known


def _clear(one: Series) -> bool:
    labels, kinds = {entry.stems for entry in one.entries}, {entry.kind for entry in one.entries}
    return len(kinds) == 1 and LEAST_RANKED <= len(labels) == len(one.entries) <= MOST_ENTRIES and all(labels)


def _columns(index: Index) -> Iterator[Series]:
    rows: dict[tuple[str, int], list[Field]] = defaultdict(list)
    for source, field in index.fields:
        rows[source, field.row].append(field)
    found: dict[tuple[str, ...], tuple[frozenset[str], list[SeriesEntry]]] = {}
    for (source, _), row in rows.items():
        label = next((f for f in row if f.kind == "text" and _value(f.value) is None), None)
        if label is not None and lang.words("not_ranked").isdisjoint(words.words(label.value)):
            for field, value in ((field, value) for field in row if (value := _value(field.value)) is not None):
                column = found.setdefault((source, *field.path), (_stems(*label.path), []))
                column[1].append(_entry(label.value, value, source, label.span))
    yield from (Series(_stems(*key[1:]), heads, tuple(entries)) for key, (heads, entries) in found.items())


def _runs(text: str, source: str) -> Iterator[Series]:
    """The `label: figure` pairs that follow each other, on lines or in a row, with what stands before them as title."""
    title, entries = "", list[SeriesEntry]()
    for piece in _PIECE.finditer(text):
        pair = _PAIR.fullmatch(piece.group())
        value = _value(pair[3]) if pair is not None else None
        if value is None or (pair and pair[1]):
            yield Series(_stems(title), frozenset(), tuple(entries))
            title, entries = (pair and pair[1]) or piece.group(), []
        if pair is not None and value is not None:
            entries.append(_entry(pair[2], value, source, (piece.start() + pair.start(2), piece.start() + pair.end(2))))


def _entry(label: str, value: tuple[float, str], source: str, span: Span) -> SeriesEntry:
    return SeriesEntry(label, frozenset(words.content(label) or words.stems(label)), *value, source, span)


def _stems(*texts: str) -> frozenset[str]:
    return frozenset(stem for stem in words.content(" ".join(texts)) if stem not in units())


def _value(text: str) -> tuple[float, str] | None:
    """The one figure or date of a cell with its kind; None where it has none or several, or is a sentence."""
    if text.isdigit():
        return float(text), ""  # 1249 may be a year and a price
    found, dated = figures(text), [date for date in dates(text) if date.first is not None]
    if len(dated or found) != 1 or len(text.split()) > MOST_WORDS:
        return None
    if dated:
        return (dated[0].first or 0) + (dated[0].month or 0) / 12 + (dated[0].day or 0) / 366, "date"
    return None if found[0].is_range else (found[0].low, found[0].dimension)


def in_turns(passage: Passage, *, timed: bool) -> list[SeriesEntry]:
    """Names and figures (years where `timed`) that take turns in a passage, each name with its figure; empty where they do not."""
    kinds = [figure.dimension for figure in passage.figures]
    best = max(kinds, key=kinds.count, default="")
    given = [(f.span[0], f.low) for f in passage.figures if f.dimension == best and not f.is_range]
    given = [(d.span[0], float(d.first)) for d in passage.dates if d.first is not None] if timed else given
    small = lang.words("not_names") | words.stop_words()
    named = [hit for hit in _CAPITAL.finditer(passage.text) if not small.issuperset(hit.group().lower().split())]
    turns = [(at, "figure", n) for n, (at, _) in enumerate(given)]
    turns = sorted(turns + [(hit.start(), "name", n) for n, hit in enumerate(named)])
    while len(turns) > 1 and turns[0][1] == "name" and (turns[1][1] == "name" or len(turns) % 2):
        turns.pop(0)  # what the passage is about stands before the row
    order = [kind for _, kind, _ in turns]
    if len(turns) < 2 * LEAST_RANKED or order != order[:2] * (len(turns) // 2) or order[0] == order[1]:
        return []
    pairs = (sorted(turns[n : n + 2], key=lambda turn: turn[1]) for n in range(0, len(turns), 2))
    made = [(named[name[2]], given[figure[2]][1]) for figure, name in pairs]
    return [_entry(hit.group(), (value, best), passage.source, passage.place(hit.span())) for hit, value in made]
