"""Whether a figure that a claim bounds, denies or allows holds beside the one that a source states in its place.

>>> from witnessmark.text.numbers import figures
>>> one = lambda text: figures(text)[0]
>>> holds(one("more than 1 euro"), one("2 euros")), holds(one("more than 3 euros"), one("2 euros"))
(True, False)
>>> holds(one("6 files"), one("at most 5 files"), denied=True, permitted=True), holds(one("3 files"), one("at most 5 files"), permitted=True)
(True, True)
"""

from __future__ import annotations

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import SAYS_IT, ClaimInEvidence, Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.relations.figure_in_claim import FigureInClaim
from witnessmark.text import lang, words
from witnessmark.text.dates import Date
from witnessmark.text.numbers import Number
from witnessmark.text.sentences import Span

_TURNED = {"over": "under", "under": "over"}
ROUGHLY, FAR = 0.1, 0.25
"""How far `about` and `nearly` may be off and be right (47 is nearly 50), and from where on they are surely wrong."""


def holds(one: Number, stated: Number, *, denied: bool = False, permitted: bool = False) -> bool | None:
    """Whether a figure of a claim holds beside a stated one; None where bounds do not tell.

    A source's limit tells only of what a claim says can be done: of `at most five files`, that 3 can be uploaded and 6 cannot.
    """
    if one.is_range or stated.is_range or (one.face == stated.face and one.scale != stated.scale):
        return None  # 6 cm for 6 m is a slip of the unit, whatever bounds it
    if stated.bound == "under" and permitted and not one.bound:
        return (one.low <= stated.low) != denied if one.low != stated.low else None
    if stated.bound:
        return None
    bound = _TURNED.get(one.bound, one.bound) if denied else one.bound
    if bound == "about":
        return True if not denied and off_by(one, stated) <= ROUGHLY else None
    if bound in _TURNED and one.low != stated.low:
        return (stated.low > one.low) == (bound == "over")
    return None


def is_within(one: Number, passage: Passage, stated: Number) -> bool:
    """Whether a figure is within every limit that a passage gives beside a stated one: at least 18 and at most 35 years, of which the first has no unit."""
    empty = words.stop_words() | {""}
    alike = [f for f in passage.figures if f.dimension == stated.dimension or (not f.dimension and f.noun in empty)]
    limits = [(f.bound, f.low if f.dimension else f.face * stated.scale) for f in alike]
    beyond = {"over": lambda limit: one.low < limit, "under": lambda limit: one.low > limit}
    return not any(bound in beyond and beyond[bound](limit) for bound, limit in limits)


def is_beyond(this: FigureInClaim, passage: Passage, stated: Number) -> bool:
    """Whether a claim says of a value outside a stated limit that it is not so, or too much: nine are too many, where up to eight are carried."""
    one = this.one
    outside = (stated.bound == "over" and one.low < stated.low) or (stated.bound == "under" and one.low > stated.low)
    denies = wording.denies(this.claim) or not lang.listed("scope", "too").isdisjoint(words.words(this.claim))
    return outside and denies and not wording.denies(passage.text)


def off_by(one: Number, stated: Number) -> float:
    """How far two figures are apart, as a share of the larger one."""
    return abs(one.low - stated.low) / (max(abs(one.low), abs(stated.low)) or 1.0)


def bears_out(claim: str, span: Span, passage: Passage, stated: Number | Date) -> RuleFinding:
    """That a stated value bears out what a claim says of another one by bounding or denying it: the whole claim, where the passage has its other words."""
    part, told = claim[slice(*span)], passage.text[slice(*stated.span)]
    small = lang.listed("scope", "permitting") | lang.words("afterwards") | lang.words("beforehand") | _bounding()
    rest = " ".join(word for word in f"{claim[: span[0]]} {claim[span[1] :]}".split() if word.lower() not in small)
    others = wording.meaningful_words(rest)
    rule, finding = ("bounded", "same") if passage.stems.issuperset(others) else ("count", "elsewhere")
    return RuleFinding(rule, finding, part, passage, passage.place(stated.span), told)  # type: ignore[arg-type] # one of the two


@lang.derived
def _bounding() -> frozenset[str]:
    return frozenset(word for phrase in lang.phrases("numbers", "over", "under", "about") for word in phrase.split())


def other_bound(this: ClaimInEvidence, one: Number) -> tuple[Passage, Number] | None:
    """The figure that a passage, which says the same otherwise, bounds from the other side; None where any has it as the claim does."""
    mine = _bound_of(this.claim, one)
    if not mine or lang.speech("condition").search(this.claim[: one.span[0]]) is not None:
        return None  # if it is below two, where at least two are needed
    alike = [
        (passage, figure)
        for passage in this.near
        for figure in passage.figures
        if (figure.low, figure.high, figure.dimension) == (one.low, one.high, one.dimension)
    ]
    if not alike or any(_bound_of(passage.text, figure) != _TURNED[mine] for passage, figure in alike):
        return None
    return next(((p, figure) for p, figure in alike if this.like(p) >= SAYS_IT), None)


def _bound_of(text: str, one: Number) -> str:
    """`over` or `under`, turned by a denial right before it (`no more than`); empty where something else is denied, or nothing bounds it."""
    before = words.words(text[: one.span[0]])
    if one.bound in _TURNED and set(before[-3:-2]) & wording.negations():
        return _TURNED[one.bound]
    return one.bound if one.bound in _TURNED and not wording.denies(text) else ""
