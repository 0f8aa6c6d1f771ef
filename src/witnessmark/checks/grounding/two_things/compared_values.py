"""Which of two things has more, held to the figures that the sources give of each: `Town had more shots than Rovers` beside 19 and 11.

Only where each of the two has one figure of the kind that is compared, in a clause that speaks of it and not of the other.

>>> from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
>>> index = Index([EvidenceSource("d", "Town had 19 shots, Rovers 11.")])
>>> said = (f"Rovers had {word} shots than Town." for word in ("more", "fewer"))
>>> [compared_values(ClaimInEvidence(claim, index)).finding for claim in said]
['contradicted', 'same']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index, Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.relations.clauses import around, clauses
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.dates import dates, without_dates
from witnessmark.text.numbers import Number, figures
from witnessmark.text.patterns import compiled

MOST_PASSAGES = 60
"""Passages up to which all are looked through; in a longer text a figure of one thing may well be of another time."""
_NAMED = compiled(r"\b[A-ZÀ-ÖØ-Þ][\w'’-]*\s+\d+\b")
"""A name with a number: the Aria 13."""
_OF_SIZE = frozenset({"", "mass", "length", "area", "volume", "percent", "data"})


class ComparedThings(NamedTuple):
    """What a claim sets side by side: the word that compares, `more`, `less` or `even`, the kinds of figure it is of, what is compared, and the two things as stems."""

    word: str
    side: str
    kinds: frozenset[str]
    what: frozenset[str]
    one: frozenset[str]
    other: frozenset[str]


def compared_values(this: ClaimInEvidence) -> RuleFinding | None:
    """What the figures of two things say of a claim that one has more; None where they are not plain."""
    said = comparison(this.claim) if "than" in this.claim or " as " in this.claim else None
    if said is None or denies(this.claim) or len(this.index.passages) > MOST_PASSAGES:
        return None
    mine, theirs = (_values(said, *pair, this.index) for pair in ((said.one, said.other), (said.other, said.one)))
    if len({one.low for one, _ in mine}) != 1 or len({one.low for one, _ in theirs}) != 1:
        return None
    (one, place), (other, _) = mine[0], theirs[0]
    if one.dimension != other.dimension:
        return None
    side = "even" if one.low == other.low else "more" if one.low > other.low else "less"
    shown = f"{place.text[slice(*one.span)]} against {theirs[0][1].text[slice(*other.span)]}"
    rule, finding = ("worked", "same") if side == said.side else ("compared", "contradicted")
    return RuleFinding(rule, finding, said.word, place, place.place(one.span), shown)  # type: ignore[arg-type] # one of the two


# --- what is compared ----------------------------------------------------------------------------------------------


@lang.derived
def _comparing() -> re.Pattern[str]:
    known = lang.either(lang.listed("numbers", "more_of", "less_of").union(lang.merged("numbers", "comparison")))
    return compiled(
        rf"\b(?:(?P<word>{known})(?P<what>(?:\s+[\w'’-]+){{0,3}}?)\s+than|(?P<even>as\s+(?:many|much))(?P<of>(?:\s+[\w'’-]+){{0,3}}?)\s+as)\s",
        re.IGNORECASE,
    )


def comparison(claim: str) -> ComparedThings | None:
    """What a claim compares, by `than` or `as many as`; None where it does not, or says by how much."""
    found = list(_comparing().finditer(claim))
    if len(found) != 1:
        return None
    (match,) = found
    left, right = around(claim, *match.span())
    if figures(_NAMED.sub("", f"{left} {match.group()} {right}")):
        return None  # by how much is another matter
    what = frozenset(words.content(match["what"] or match["of"] or ""))
    what = what or frozenset(words.content(left)) - thing_of(left)  # weighs more than
    one, other = (thing_of(part) - what for part in (left, right))
    if not one - other or not other - one:
        return None
    if match["even"]:
        return ComparedThings(match["even"], "even", frozenset({"any"}), what, one - other, other - one)
    side, *kinds = lang.merged("numbers", "comparison").get(match["word"].lower(), "").split() or [""]
    if not side:
        side = "more" if match["word"].lower() in lang.listed("numbers", "more_of") else "less"
        kinds = ["any"]
    return ComparedThings(match["word"], side, frozenset(kinds), what, one - other, other - one)


def thing_of(part: str) -> frozenset[str]:
    """What a side of a comparison speaks of: its names where it has any, otherwise its words."""
    named = [word for word in part.split()[1:] if word[:1].isupper() or any(char.isdigit() for char in word)]
    first = part.split()[:1]
    opens = [word for word in first if word[:1].isupper() and word.lower() not in words.stop_words()]
    return frozenset(words.content(" ".join((*opens, *named)))) if named or opens else frozenset(words.content(part))


# --- the figures of one thing --------------------------------------------------------------------------------------


def _values(
    said: ComparedThings, mine: frozenset[str], other: frozenset[str], index: Index
) -> list[tuple[Number, Passage]]:
    """The figures of one of the two: of clauses that name it alone, or else of sentences that do."""
    about = [passage for passage in index.passages if mine <= passage.stems]
    close = [pair for passage in about for pair in _in_clauses(said, mine, other, passage)]
    return close or [
        (one, passage)
        for passage in about
        if not other <= passage.stems
        for one in _plain(passage)
        if _fits(said, one, passage.text)
    ]


def _in_clauses(
    said: ComparedThings, mine: frozenset[str], other: frozenset[str], passage: Passage
) -> Iterator[tuple[Number, Passage]]:
    parts = clauses(passage.text)
    for n, (start, end) in enumerate(parts):
        stems = frozenset(words.content(passage.text[start:end]))
        if not mine <= stems or other <= stems:
            continue
        lead = passage.text[slice(*parts[n - 1])] if n else ""  # Town had 19 shots, Rovers 11
        for one in _plain(passage):
            if start <= one.span[0] < end and (
                _fits(said, one, passage.text[start:end]) or (not one.noun and _fits(said, one, lead))
            ):
                yield one, passage


def _plain(passage: Passage) -> list[Number]:
    """The figures of a passage that are no range and bounded by nothing."""
    return [one for one in without_dates(passage.figures, dates(passage.text)) if not one.is_range and not one.bound]


def _fits(said: ComparedThings, one: Number, text: str) -> bool:
    """Whether a figure is of the kind that is compared, and of what is."""
    kind = one.dimension.partition(":")[0]
    fits = not {"any", kind}.isdisjoint(said.kinds) or ("size" in said.kinds and kind in _OF_SIZE)
    return fits and (said.what <= frozenset(words.content(text)) if said.what else bool(one.dimension))
