"""Why a value may be right although a record has another one: then the record contradicts nothing.

What is worked out from several values is in no field, a figure that a text beside the record states is no field's, a number that names a
row is no value, and what is set beside a row is not said of it.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index, Passage, once
from witnessmark.checks.grounding.fields.rows import RowKey
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.reading.questions import is_polar
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.checks.grounding.steps.question_steps import asks_apart
from witnessmark.text import lang, words
from witnessmark.text.dates import dates
from witnessmark.text.numbers import HEAT, Number, figures
from witnessmark.text.records import Field

ASKED = 20
"""Characters at the end of a question by which a claim that was read with it is known."""


def undoubted(
    found: Iterable[RuleFinding], claim: str, goal: str, index: Index, named: Mapping[RowKey, Field]
) -> list[RuleFinding]:
    """What records say of a claim, without contradictions of what may be right; `named` are the rows that the claim names."""
    return [one for one in found if one.finding != "contradicted" or not _doubted(one, claim, goal, index, named)]


def _doubted(one: RuleFinding, claim: str, goal: str, index: Index, named: Mapping[RowKey, Field]) -> bool:
    labels = [label.value for label in named.values()]
    if one.rule == "field":
        return any(_set_against(claim, label) for label in labels)
    if one.rule != "cell":
        return False
    if one.part in _around(index).codes:
        return True  # `2024-0319` names a row and is no value
    number = next((figure for figure in figures(claim, index.language) if claim[slice(*figure.span)] == one.part), None)
    if number is None:
        return False
    if re.search(rf"\b(?:{_beside()}|{_against()})\s+(?:\w+\s+)?$", claim[: number.span[0]], re.IGNORECASE):
        return True  # 46 versus 49 dB: the other one is of another row
    if not is_polar(goal) and any(agrees(number, asked) for asked in figures(goal)):
        return True  # `my 12-year-old` is the question's
    if _by_so_much_less(number, claim, index, named):
        return True
    if number.dimension == "time" and dates(one.stated):
        return True  # 22 days until the 5th of September
    others = [other for other in figures(claim, index.language) if other.span != number.span]
    if others and asks_apart(goal, claim, number) and arithmetic.of_its_own(number, others) is not None:
        return True  # by 376 votes, 6,318 to 5,942
    several = bool(goal) and goal.strip()[-ASKED:] in claim and len(named) > 1
    return several or _worked_out(number, claim, index, named) or _in_prose([number.face], number, claim, index)


def _worked_out(number: Number, claim: str, index: Index, named: Mapping[RowKey, Field]) -> bool:
    """Whether a figure is said to be a sum or the like (and not by the name of a column), or how far a value is from what a text beside the record states."""
    columns = _around(index).columns
    if arithmetic.says_so(" ".join(word for word in words.words(claim) if words.stem(word) not in columns)):
        return True
    if not arithmetic.compared_by(claim, number):
        return False
    cells = [one.face for s, f in index.fields if (s, f.row) in named for one in figures(f.value, index.language)]
    return _in_prose([way for cell in cells for way in (cell - number.face, cell + number.face)], number, claim, index)


def _by_so_much_less(number: Number, claim: str, index: Index, named: Mapping[RowKey, Field]) -> bool:
    """Whether a fall is told in a word, and the row has it with a sign: cut by 25, where the change is -25."""
    falling = (lang.words("falling") | lang.words("moved_down") | lang.words("went_down")).intersection(
        words.words(claim)
    )
    told = (one for s, f in index.fields if (s, f.row) in named for one in figures(f.value, index.language))
    return bool(falling) and any(one.negative and one.face == number.face for one in told if one.dimension not in HEAT)


def _set_against(claim: str, label: str) -> bool:
    """Whether a claim names a row only to set something beside it: `compared with Studio, you have no SSO`."""
    return re.search(rf"\b(?:{_beside()})\s+(?:the\s+)?{re.escape(label)}\b", claim, re.IGNORECASE) is not None


@lang.derived
def _beside() -> str:
    return lang.either(lang.phrases("records", "set_against"))


@lang.derived
def _against() -> str:
    return lang.either(lang.listed("records", "against"))


def _in_prose(faces: Sequence[float], number: Number, claim: str, index: Index) -> bool:
    """Whether a text beside the record has one of these values in the unit of a figure, and a word of the claim with it."""
    known = frozenset(stem for stem in words.content(claim) if not stem[0].isdigit())
    wanted = [
        replace(number, face=face, low=face, high=face, bound="") if face != number.face else number for face in faces
    ]
    beside = (p for p in _around(index).prose if wanted and known & p.stems)
    return any(agrees(one, other) for passage in beside for other in passage.figures for one in wanted)


@dataclass(frozen=True, slots=True)
class RecordContext:
    """What stands around the numbers of records: the words of their keys, texts that begin with a digit and open a row, and the passages that are no part of them."""

    columns: frozenset[str]
    codes: frozenset[str]
    prose: tuple[Passage, ...]


@once
def _around(index: Index) -> RecordContext:
    paths = {field.path for _, field in index.fields}
    columns = frozenset(stem for path in paths for stem in words.content(" ".join(path)))
    starts = sorted((source, field.span[0]) for source, field in index.fields)
    plain = (one for one in index.passages if not one.is_flattened)
    places = ((one, bisect(starts, (one.source, one.span[0] - 1))) for one in plain)
    prose = tuple(p for p, at in places if at == len(starts) or starts[at] >= (p.source, p.span[1]))
    first: dict[RowKey, Field] = {}
    for source, field in index.fields:
        first.setdefault((source, field.row), field)
    codes = frozenset(one.value for one in first.values() if one.kind == "text" and one.value[:1].isdigit())
    return RecordContext(columns, codes, prose)


def is_told_alike(this: ClaimInEvidence, part: str, field: Field) -> bool:
    """Whether what a claim has of another row is its own, too: among the words of its own value, or in a sentence about it."""
    return _has_words(field.value, part) or _is_told_in_prose(this, part)


def _has_words(value: str, part: str) -> bool:
    """Whether a value has the words of another one among its own: `weekly from May, else every two weeks`, for `every two weeks`."""
    mine, theirs = words.words(part), words.words(value)
    rows = (theirs[at : at + len(mine)] for at in range(len(theirs) - len(mine) + 1))
    return len(mine) > 1 and len(theirs) > len(mine) and mine in rows


def _is_told_in_prose(this: ClaimInEvidence, part: str) -> bool:
    """Whether a sentence about the claim says in words what is a value of another row, too: call customer service; a figure it may say of something else."""
    mine = frozenset(words.content(part))
    told = (passage.stems for passage in this.near if not passage.is_flattened)
    return not figures(part, this.language) and any(len(mine) > 1 and mine <= stems for stems in told)
