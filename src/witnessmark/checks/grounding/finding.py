"""What a rule found about one part of a claim: the same, elsewhere, contradicted or missing, and where it looked.

`RULES` is the one table of the rules: what each weighs, how it is told and which features count it. A new rule is one entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.text.records import Field
from witnessmark.text.sentences import Span

Finding = Literal["same", "elsewhere", "contradicted", "missing"]
Weight = Literal["settles", "needed", "needed in prose", "bears out", "works out", "lends"]
"""What findings of a rule decide: a contradiction settles a claim whatever a model says; what no source mentions leaves it unsupported,
anywhere or beside prose only; what is the same bears it out where its words alone do not, or works a figure of it out; a figure that
is borne out lends itself to the other claims of a text."""
Part = Literal["figure", "date", "denial", "record", "other"]
"""What the part of a claim is that a rule speaks of; `record` where it names a value by its key, which need not stand so in the source."""
NEVER = 2.0
"""No probability reaches it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What the findings of one rule weigh, how they are told and which features count them."""

    weighs: tuple[Weight, ...] = ()
    contradicted: str = ""
    missing: str = ""
    same: str = ""
    """What is told of a claim that a contradiction decides, a part that no source mentions, or one that is worked out."""
    part: Part = "other"
    overruled_at: float = NEVER
    """From which probability on a part that no source mentions is taken to stand there in other words, or to follow."""
    features: tuple[tuple[str, tuple[Finding, ...]], ...] = ()
    """Which features count which of its findings; one that several rules share is their sum."""


_FOLLOWS = "its figure is not stated but follows from figures that are"
RULES: Mapping[str, Rule] = {
    # Out of fold, seven in ten claims with a name that no source has are true from 0.7 on, and nine in ten with such a figure from 0.9
    # on (42 of 47; from 0.7 to 0.9 it is one in two); of dates hardly any reach it.
    "figure": Rule(
        ("settles", "needed", "lends"),
        "a figure differs from what the source says",
        "this figure is not in any source",
        part="figure",
        overruled_at=0.9,
        features=(
            ("figure_same", ("same",)),
            ("figure_missing", ("missing",)),
            ("figure_against", ("contradicted",)),
            ("figure_elsewhere", ("elsewhere",)),
        ),
    ),
    "date": Rule(
        ("settles", "needed"),
        "a date differs from what the source says",
        "this date is not in any source",
        part="date",
        overruled_at=0.9,
        features=(
            ("figure_same", ("same",)),
            ("figure_elsewhere", ("elsewhere",)),
            ("date_missing", ("missing",)),
            ("date_against", ("contradicted",)),
        ),
    ),
    "count": Rule(
        ("settles",),
        "a number differs from what the source says",
        part="figure",
        features=(("figure_same", ("same",)), ("count_missing", ("missing",))),
    ),
    # What is worked out is as good as what is stated.
    "derived": Rule(("bears out", "works out", "lends"), same=_FOLLOWS, features=(("figure_same", ("same",)),)),
    "worked": Rule(("bears out", "works out", "lends"), same=_FOLLOWS, features=(("figure_same", ("same",)),)),
    "bounded": Rule(("bears out", "works out", "lends"), same="it follows from what the source says"),
    "name": Rule(
        ("settles", "needed in prose"),
        "the source has another name in this place",
        "this name is not in any source",
        overruled_at=0.7,
        features=(
            ("name_same", ("same",)),
            ("name_missing", ("missing",)),
            ("name_part", ("elsewhere",)),
            ("name_against", ("contradicted",)),
        ),
    ),
    "quote": Rule(
        ("needed", "bears out"),
        missing="these words are not in any source",
        features=(("quote_missing", ("missing", "contradicted")),),
    ),
    "opposite": Rule(
        contradicted="the source uses the opposite word",
        features=(("opposite", ("contradicted", "missing")), ("opposite_near", ("contradicted",))),
    ),
    "negation": Rule(
        contradicted="the source says the opposite: one of the two denies it",
        part="denial",
        features=(("negation", ("contradicted", "missing")),),
    ),
    "denial": Rule(("settles",), "the source says the opposite in the same words", part="denial"),
    "superlative": Rule(features=(("superlative", ("missing",)),)),
    "rival": Rule(contradicted="the source has the opposite, or another day, in its place"),
    "field": Rule(
        ("settles", "bears out"),
        "the record says the opposite in this field",
        part="record",
        features=(("record_same", ("same",)), ("record_against", ("contradicted",))),
    ),
    "hours": Rule(
        ("settles", "bears out"),
        "the source gives other hours or days",
        part="record",
        features=(("record_same", ("same",)), ("record_against", ("contradicted",))),
    ),
    "cell": Rule(
        ("settles", "bears out", "lends"),
        "the record gives another value for this",
        part="record",
        features=(("record_same", ("same",)), ("record_against", ("contradicted",))),
    ),
    "days": Rule(("settles", "needed", "bears out"), "the source gives other days", "the source gives other days"),
    "own": Rule(("settles",), "its own figures contradict it"),
    "sign": Rule(("settles",), "the source has another sign in this place"),
    "change": Rule(("settles",), "the source tells this change the other way round"),
    "share": Rule(("settles",), "the source gives another share"),
    "role": Rule(("settles",), "the source tells it of the other one"),
    "compared": Rule(("settles",), "the figures in the source compare the other way"),
    "order": Rule(("settles",), "the source has it the other way round"),
    "excepted": Rule(("settles",), "the source excepts this"),
    "quantified": Rule(("settles",), "the source says otherwise of one of them"),
    "address": Rule(
        ("settles", "needed"), "the source has another address in this place", "this address is not in any source"
    ),
    "phone": Rule(
        ("settles", "needed"),
        "the source has another phone number in this place",
        "this phone number is not in any source",
    ),
    "identifier": Rule(
        ("settles", "needed"),
        "the source has another id or version in this place",
        "this name, id or option is not in any source",
    ),
    "qualifier": Rule(("needed",), missing="the source limits this by words beside it that are left out here"),
    "inclusion": Rule(
        ("settles",), "the source says of the figure that it takes this in, or leaves it out", part="denial"
    ),
    "rhythm": Rule(("settles",), "the source gives another rhythm", part="figure"),
    "section": Rule(("needed",), missing="the source says this of another one"),
    "condition": Rule(("needed",), missing="the source has this condition the other way round"),
    "words": Rule(("needed",), missing="it has no word of its own that a source has"),
}


def weighing(*weights: Weight) -> tuple[str, ...]:
    """The rules that weigh in one of these ways."""
    return tuple(name for name, rule in RULES.items() if not {*weights}.isdisjoint(rule.weighs))


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """What a rule found about one part of a claim; a ValueError where RULES has no rule of that name."""

    rule: str
    finding: Finding
    part: str
    passage: Passage | None = None
    place: Span | None = None
    stated: str = ""

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"{self.rule!r} is no rule; known rules: {', '.join(RULES)}")


def looked(rule: str, part: str, near: Sequence[Passage]) -> RuleFinding:
    """That a part of a claim is mentioned nowhere, with the passage that was nearest."""
    best = near[0] if near else None
    return RuleFinding(rule, "missing", part, best, best.span if best else None)


def at_field(rule: str, finding: Finding, part: str, source: str, field: Field, index: Index) -> RuleFinding:
    """What a value of a record says of a part of a claim."""
    stated = f"{' '.join(field.path[-2:])}: {field.value}"[:120]
    return RuleFinding(rule, finding, part, index.passage_at(source, field.span), field.span, stated)
