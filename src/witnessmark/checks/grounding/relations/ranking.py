"""Which is most and which is more, worked out from the figures that a table, a list or a passage gives for each thing by name.

Silent where the column cannot be told, or where a word of the claim singles out some of its rows: `the largest northern branch`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.relations.series import Series, SeriesEntry, in_turns, series_of
from witnessmark.text import lang, words
from witnessmark.text.numbers import figures

_PART = re.compile(r"[,;]\s|\b(?:and|but|against|whereas|while)\b")


@lang.derived
def _ends() -> dict[str, tuple[bool, bool, int]]:
    """Which end of a row a word means, whether it is of time (the oldest has the earliest date), and how many things it ranks."""
    kinds = (("up", True, False), ("down", False, False), ("late", True, True), ("early", False, True))
    tables = [(count, table) for count, name in ((1, "most"), (2, "more")) for table in lang.section("ranking", name)]
    return {
        w: (end, timed, n) for kind, end, timed in kinds for n, table in tables for w in table.get(kind, "").split()
    }


@lang.derived
def _measured() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """What an adjective measures: (its forms, the stems of the columns that hold it)."""
    lines = (line.split("|") for lines in lang.section("ranking", "measured") for line in lines)
    return tuple((frozenset(forms.split()), frozenset(map(words.stem, names.split()))) for forms, names in lines)


def ranked(claim: str, index: Index, near: Sequence[Passage]) -> tuple[SeriesEntry, SeriesEntry] | None:
    """What a claim puts first and what the figures put there; None where the figures do not tell."""
    row = words.words(claim)
    places = [n for n, word in enumerate(row) if word in _ends()]
    if len(places) != 1 or not lang.words("negations").isdisjoint(row) or index.has(words.stem(row[places[0]])):
        return None
    at, (up, timed, count) = places[0], _ends()[row[places[0]]]
    if count > 1 and "than" not in row:
        return None
    told = [_order(row, at, one.entries, up != turned, one) for one, turned in _meant(row, at, index)]
    if told:
        return next((one for one in told if one is None or one[0] == one[1]), told[0])
    prose = [] if figures(claim) or "one of" in claim else [in_turns(passage, timed=timed) for passage in near]
    found = next((one for entries in prose if (one := _order(row, at, entries, up)) is not None), None)
    return found if found and found[0] != found[1] else None  # a sentence may be wrong in other words all the same


def _meant(row: tuple[str, ...], at: int, index: Index) -> list[tuple[Series, bool]]:
    """The series that a claim may speak of, each with whether the order is turned: the oldest has the highest age."""
    found, any_size = series_of(index), row[at] in lang.words("of_any_size")
    names = {name for forms, names in _measured() if not forms.isdisjoint(row[at : at + 2]) for name in names}
    held = [one for one in found if one.title & names]
    if _ends()[row[at]][1]:
        return [(one, not all(1000 <= entry.value < 2200 for entry in one.entries)) for one in held]
    if not held and any_size:
        held = [one for one in found if one.title & frozenset(map(words.stem, row)) - one.heads]
        held = held or [one for one in found if len({one.title for one in found}) == 1]
    return [(one, False) for one in held]


def _order(
    row: tuple[str, ...], at: int, found: Sequence[SeriesEntry], up: bool, table: Series | None = None
) -> tuple[SeriesEntry, SeriesEntry] | None:
    stems = tuple(map(words.stem, row))
    named = [entry for entry in found if entry.stems <= frozenset(stems)]
    named = [entry for entry in named if not any(entry.stems < other.stems for other in named)]
    named.sort(key=lambda entry: min(n for n, stem in enumerate(stems) if stem in entry.stems))
    if len(named) != _ends()[row[at]][2] or (table and not _only(row, stems, at, table, named)):
        return None
    first = (max if up else min)(named if len(named) > 1 else found, key=lambda entry: entry.value)
    return named[0], named[0] if named[0].value == first.value else first


def _only(row: tuple[str, ...], stems: tuple[str, ...], at: int, one: Series, named: Sequence[SeriesEntry]) -> bool:
    """Whether a claim has nothing beside what is ranked and by what, but a verb right after it and the word for such things after `largest`."""
    labels, stop = frozenset(stem for entry in named for stem in entry.stems), words.stop_words()
    plain = (stop - lang.words("softened")) | lang.words("row_words") | {f"{entry.value:g}" for entry in named}
    plain = plain.union(lang.words("of_any_size"), *(forms for forms, _ in _measured()))
    left = [n for n, word in enumerate(row) if word not in plain and stems[n] not in labels | one.title | one.heads]
    verbs = [n for n in left if 0 < n < at and stems[n - 1] in labels]
    things = [n for n in left if n == at + 1 and row[at] not in stop and (n + 1 == len(row) or row[n + 1] in stop)]
    return len({*left} - {at}) == len(verbs) + len(things)


def off_plan(claim: str, near: Sequence[Passage]) -> tuple[Passage, str] | None:
    """The passage (a row of a table is one) whose planned and actual figure say otherwise than a claim, and the words that they belie."""
    found = [(kind, re.search(sign, claim, re.IGNORECASE)) for kind, sign in lang.merged("planned", "signs").items()]
    said = [(kind, hit.group()) for kind, hit in found if hit is not None]
    if len(said) != 1:
        return None
    sides = (" ".join(lang.section("planned", side)).split() for side in ("plan", "actual", "light"))
    plan, actual, light = (frozenset(map(words.stem, side)) for side in sides)
    stems, denied = frozenset(words.content(claim)), not lang.words("negations").isdisjoint(words.words(claim))
    subject = stems - plan - actual - light - lang.words("negations")
    if not subject or not (stems & plan or "spen" in said[0][1]):
        return None
    for passage in (one for one in near if subject <= one.stems and len(one.figures) == 2):
        cuts = [0, *(cut.end() for cut in _PART.finditer(passage.text)), len(passage.text)]
        parts = [(frozenset(words.stems(passage.text[a:b])), a, b) for a, b in pairwise(cuts)]
        held = ((known, f) for f in passage.figures for known, a, b in parts if a <= f.span[0] < b)
        (one, first), (other, second) = held
        if bool(one & plan) != bool(other & plan) and (one | other) & actual and first.dimension == second.dimension:
            planned, came = (first.low, second.low) if one & plan else (second.low, first.low)
            holds = {"over": came > planned, "under": came < planned, "within": came <= planned}[said[0][0]]
            return (passage, said[0][1]) if holds == denied else None
    return None
