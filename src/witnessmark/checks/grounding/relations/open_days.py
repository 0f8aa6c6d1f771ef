"""Whether something is open on the days that a claim names, by what the sentences of the sources say of those days."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import ClaimInEvidence
from witnessmark.checks.grounding.finding import Finding, RuleFinding
from witnessmark.checks.grounding.relations.claimed_hours import beside_days
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.text import lang, words
from witnessmark.text.clock import openings

MOST_MORE = 1
"""Words of its own that a sentence may have and still speak of all the year: `In summer the pool is open daily` has one that limits it."""


@dataclass(frozen=True, slots=True)
class _Days:
    """The days that a text says something is open on or closed on, and what else it speaks of."""

    open: frozenset[int]
    closed: frozenset[int]
    about: frozenset[str]


def _read(text: str) -> _Days | None:
    """What a text says of days; None where it says nothing of opening, excepts a day, or denies one of several things."""
    row = words.words(text)
    if lang.listed("dates", "opening").isdisjoint(row) and lang.listed("dates", "closed").isdisjoint(row):
        return None
    told = _told(text)
    denied = wording.denies(text)
    odd = not (lang.words("excepting") | lang.words("denying")).isdisjoint(row) or (denied and len(told) > 1)
    if not told or odd:
        return None
    days = {
        shut: frozenset(day for found, is_shut in told for day in found if is_shut is shut) for shut in (True, False)
    }
    return _Days(days[denied], days[not denied], beside_days(text))


def _told(text: str) -> list[tuple[frozenset[int], bool]]:
    """The days of each clause, and whether it says of them that something is closed; a clause that does not say is like the one beside it."""
    shut, known = lang.listed("dates", "closed"), lang.listed("dates", "opening")
    parts = (
        [text[slice(*span)] for span in clauses(text)]
        if shut & set(words.words(text)) and known & set(words.words(text)) - shut
        else [text]
    )
    rows = [(frozenset(day for one in openings(part) for day in one.days), set(words.words(part))) for part in parts]
    said = [True if row & shut else False if row & known else None for _, row in rows]
    stated = [one for one in said if one is not None]
    found: list[tuple[frozenset[int], bool]] = []
    last = stated[0] if stated else False
    for (days, _), one in zip(rows, said, strict=True):
        last = last if one is None else one
        found += [(days, last)] if days else []
    return found


def open_days(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """What the sentences about the same thing say of the days of a claim.

    Days that are said to be open, or closed, contradict a claim of the other; days that are not said at all only leave it unsupported.
    """
    mine = _read(this.claim)
    if mine is None or bool(mine.open) == bool(mine.closed):
        return
    read = (
        (passage, _read(passage.text)) for passage in this.near if not passage.is_flattened
    )  # records have a rule of their own
    told = [(passage, one) for passage, one in read if one is not None and (not one.about or mine.about <= one.about)]
    if not told or len({one.about for _, one in told if one.about}) > 1:
        return
    days = mine.open or mine.closed
    for passage, stated in told:
        right, wrong = (stated.open, stated.closed) if mine.open else (stated.closed, stated.open)
        finding: Finding | None = None
        if days <= right:
            finding = "same"
        elif days & wrong and len(stated.about - mine.about) <= MOST_MORE:
            finding = "contradicted"
        if finding is not None:
            yield RuleFinding("days", finding, _part(this.claim), passage, passage.span)
            return
    if mine.open and all(one.open for _, one in told):
        yield RuleFinding("days", "missing", _part(this.claim), told[0][0], told[0][0].span)


def _part(claim: str) -> str:
    return next(claim[slice(*one.span)] for one in openings(claim) if one.days)
