"""One status and one probability for a claim: rules first, then weights fitted on labelled data.

The weights are in weights.json and made by training/fit_decision.py: one set without a model and one for each embedded model,
by its id, since what rules add differs from model to model. Where a judge has read a claim its word stands, unless a rule by
itself contradicts the claim.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.features import ClaimFeatures
from witnessmark.checks.grounding.finding import NEVER, RULES, RuleFinding, weighing
from witnessmark.checks.grounding.relations.word_support import FITTED_IN
from witnessmark.core.protocols import Reading
from witnessmark.core.verdict import ClaimStatus, log_odds
from witnessmark.text.sentences import Span
from witnessmark.text.words import content

HARD = weighing("settles")
"""Rules whose contradiction settles a claim whatever a model says."""
UNMENTIONED = weighing("needed")
"""What no source mentions is not supported, unless a model is as sure as its rule has it (`overruled_at`): on real answers figures, dates,
quotations and addresses are right 53, 53, 44 and 33 times in a hundred (training/RUNS.md)."""
MENTIONED = weighing("needed", "needed in prose")
"""… and so is a name; right 55 times in a hundred beside prose and 16 beside records, where it only advises."""
BEARING = weighing("bears out")
"""Rules that bear a claim out where its words alone do not: a table's cell, a record's value, arithmetic, a quotation."""
WORKED = weighing("works out")
WORKED_AT = 0.85
"""How probable a claim is at least whose figure is what the step it names leads to and whose other words all have a source; stated, since
labelled answers have few of them."""
CONTRADICTED_AT, VERBATIM_AT = 0.15, 0.99
"""How probable a claim can be at most after a rule contradicts it (17 in 20 such flags are right on real answers), and at least
where it stands in the evidence word for word (650 of 656 labelled ones). What is missing is among the features, so the probability knows of it."""
FOLLOWS_FROM = 0.2
"""What a model must at least say for a claim whose figure follows from others in some way: of 659 written ones 93 in 100 are right from there on, and 64 below
(training/RUNS.md, run 23). A figure that follows says nothing of whose it is."""
OVERRULES_FROM = 0.8
"""What a model itself must say for a claim with a part that no source mentions: of such figures in real answers 94 in 100 are right from there on, 55 just below."""
OVERRULES_ALONE = 0.6
"""The same for a single statement that answers no question: on FoolMeTwice .8 costs two points and a half of balanced accuracy, .6 nothing (bench/RESULTS.md)."""
DOUBTED_BELOW = 0.15
"""Below this a model's own word keeps a claim from being supported by the words that it shares with a source alone: wrong answers to a question are made of a source's
words. Of 724 wrong answers of six unseen writers 7 fewer pass, of as many right ones as many as before; at .2 it is 20 and 9 fewer."""
DAYS_AT = 0.9
"""How probable a claim is at least of which nothing is left but days that are said to be open, or closed; stated, as above."""
COPIED_AT = 0.3
"""How probable a claim can be at most with an option or a package that no source names; stated, since real answers have hardly any."""
WITHOUT_A_MODEL = "rules"
"""Under which name the weights for the rules alone stand."""
TOO_LITTLE = 0.3
"""The share of a claim's words below which overlap alone never speaks for it."""
EVEN = 0.5
"""Nothing that is more likely wrong than right is supported, borne out in part or passes, wherever a mark was fitted."""
UNLIKELY = 0.49
"""The most that is said for what is not supported: one order holds, supported above partial above unsupported. Of what no source mentions, that is so."""
LONG_FROM, LONG_SHARE = (25, 50), 0.5
"""From how many passages on rules count beside a model for a single statement, and how much (bench/RESULTS.md)."""
WINDOW = 12
"""How many passages a model may be shown of a long context."""
BY_JUDGE: Mapping[str, float] = {"supported": 0.9, "partial": 0.5, "unsupported": 0.1, "contradicted": 0.05}
"""How probable a claim is after a judge's word on it: stated, since there is nothing to fit it on."""


@dataclass(frozen=True, slots=True)
class ClaimDecision:
    """What became of a claim: status, how probable it is that the sources support it, and what settled it."""

    status: ClaimStatus
    probability: float
    by: str
    point: RuleFinding | None
    places: tuple[tuple[str, Span], ...]
    nearest: Passage | None = None
    """What speaks most about it in the evidence."""

    @property
    def deterministic(self) -> bool:
        """Whether a rule settled it."""
        return self.by == "rule"


@functools.cache
def weights() -> dict[str, Any]:
    """The fitted coefficients that ship with the check."""
    text = resources.files("witnessmark.checks.grounding").joinpath("weights.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def fitted(model: str | None = None) -> Mapping[str, Any]:
    """The coefficients and thresholds for a model by its id; one that nobody fitted with is added to the rules' as it is."""
    known = weights()
    found: Mapping[str, Any] = known.get(model or WITHOUT_A_MODEL) or known[WITHOUT_A_MODEL]
    return found


def in_language(language: str, model: str | None) -> Mapping[str, Any]:
    """How a model's word counts in a language that it was not trained in, for answers and, under `single`, for a single statement.

    Empty where the weights were fitted in the language, and where nobody measured the model in it: then it is not asked. Made by
    training/fit_languages.py.
    """
    found: Mapping[str, Any] = _by_language().get(model or WITHOUT_A_MODEL, {})
    return found if language not in FITTED_IN and language in found.get("languages", ()) else {}


@functools.cache
def _by_language() -> dict[str, Any]:
    text = resources.files("witnessmark.checks.grounding").joinpath("languages.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def shaped(
    known: Mapping[str, Any], *, single: bool, brief: float = 0.0, spoken: Mapping[str, Any] | None = None
) -> Mapping[str, Any]:
    """The coefficients and thresholds for a single statement or for a longer answer: one does not carry to the other.

    The mark of an answer moves with how far a model sees all of its sources at once (`brief`): nothing was left out of what it read.
    `spoken` is what `in_language` gives: its marks stand for those of the weights.
    """
    found: Mapping[str, Any] = known.get("single", known) if single else known
    if spoken:
        return {**found, **(spoken["single"] if single else spoken)}
    marks = {
        name: max(EVEN, found[name])
        for name in ("supported_at", "partial_at", "answer_at", "brief_at")
        if name in found
    }
    if "brief_at" in marks:
        marks["answer_at"] += brief * (marks["brief_at"] - marks["answer_at"])
    return {**found, **marks}


def probability(
    features: Mapping[str, float], model: Reading | None = None, known: Mapping[str, Any] | None = None
) -> float:
    """How probable it is that the evidence supports the claim, by the coefficients that `fitted` gave.

    Where weights name `rules`, those count half beside a long context: of that, a model reads only a small part.
    """
    by = known or fitted()
    total = weighed(features, by)
    if model is not None:
        odds = log_odds(model.support)
        total += odds * (by["coefficients"].get("model", 1.0) + _sum(by.get("model_by", {}), features))
        total += by["coefficients"].get("contradicts", 0.0) * log_odds(_contradicts(model))
        total += by["coefficients"].get("doubt", 0.0) * log_odds(0.5 if model.doubt is None else model.doubt)
    if "rules" in by:
        share = LONG_SHARE * long(features["context"])
        total += share * (weighed(features, by["rules"]) - total)
    return chance(by["scale"] * total + by["shift"] if "scale" in by else total)


def weighed(features: Mapping[str, float], by: Mapping[str, Any]) -> float:
    """The log odds that features come to by an intercept and coefficients."""
    return float(by["intercept"]) + _sum(by["coefficients"], features)


def _sum(coefficients: Mapping[str, float], features: Mapping[str, float]) -> float:
    return math.fsum([coefficients.get(name, 0.0) * value for name, value in features.items()])


def chance(odds: float) -> float:
    """The probability of log odds, kept within reason."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))


def long(context: float) -> float:
    """How long a context is, by the logarithm of its passages: 0 up to 25 of them, 1 from 50 on."""
    low, high = (math.log1p(count) for count in LONG_FROM)
    return min(1.0, max(0.0, (context - low) / (high - low)))


def settled(look: ClaimFeatures) -> bool:
    """Whether rules settle a claim by themselves, so that no model need be asked about it."""
    return contradicted(look) or bool(look.features["verbatim"])


def contradicted(look: ClaimFeatures) -> bool:
    """Whether a rule by itself contradicts a claim: then nobody is asked, a judge no more than a model."""
    return _first(look, "contradicted", HARD) is not None


def decide(
    look: ClaimFeatures, model: Reading | None = None, judge: str | None = None, known: Mapping[str, Any] | None = None
) -> ClaimDecision:
    """Decide one claim; `known` are the weights for the model whose score it is."""
    nearest = look.near[0][1] if look.near else None
    return replace(_decided(look, model, judge, known or fitted()), nearest=nearest)


def _decided(look: ClaimFeatures, model: Reading | None, judge: str | None, by: Mapping[str, Any]) -> ClaimDecision:
    likely = probability(look.features, model, by)
    against = _first(look, "contradicted", HARD)
    if against is not None:
        return _ruled("contradicted", min(likely, CONTRADICTED_AT), against, look)
    if judge is not None:
        return _judged(look, judge)
    absent = _first(look, "missing", UNMENTIONED if look.features["kind_record"] else MENTIONED)
    worked = _first(look, "same", WORKED) is not None  # arithmetic bears a figure out, never the name beside it
    several = sum(p.finding == "missing" and RULES[p.rule].overruled_at < NEVER for p in look.points) > 1
    if absent is not None and (
        worked or several or model is None or not _overruled(absent.rule, look, likely, by, model)
    ):
        most = COPIED_AT if absent.rule == "identifier" else UNLIKELY
        return _ruled("unsupported", min(likely, most), absent, look)
    if look.features["verbatim"] and look.borne_out is not False:
        return ClaimDecision("supported", max(likely, VERBATIM_AT), "rule", None, _places(look, None))
    days = _first(look, "same", ("days",))
    if days is not None and all(point.finding == "same" for point in look.points):
        return ClaimDecision("supported", max(likely, DAYS_AT), "wording", None, _places(look, days))
    step = _first(look, "same", ("worked", "bounded"))
    if step is not None and all(point.finding in ("same", "elsewhere") for point in look.points):
        return _ruled("supported", max(likely, WORKED_AT), step, look)
    follows = _first(look, "same", ("derived",))
    if (
        follows is not None
        and likely >= by["partial_at"]
        and (model is None or model.support >= FOLLOWS_FROM)
        and all(p.finding in ("same", "elsewhere") for p in look.points)
    ):
        return ClaimDecision("supported", max(likely, WORKED_AT), "wording", follows, _places(look, follows))
    alone = model is None
    explained = look.features["kind_record"] or worked
    if alone and look.features["union"] < TOO_LITTLE and not explained:
        return ClaimDecision("unsupported", min(likely, UNLIKELY), "overlap", None, _places(look, None))
    rival = _first(look, "contradicted", ("rival",))
    if rival is not None:
        return ClaimDecision("contradicted", min(likely, CONTRADICTED_AT), "wording", rival, _places(look, rival))
    if model is not None and (1 - likely) * _contradicts(model) >= by.get("contradicted_at", NEVER):
        return ClaimDecision("contradicted", likely, "model", None, _places(look, None))
    if (
        model is not None
        and model.support < DOUBTED_BELOW
        and look.borne_out is None
        and _first(look, "same", BEARING) is None
    ):
        likely = min(likely, by["supported_at"] - 0.01)
    return _by_chance(look, likely, "overlap" if alone else "model", by)


def _contradicts(model: Reading) -> float:
    return 0.5 if model.contradicts is None else model.contradicts


def _judged(look: ClaimFeatures, judge: str) -> ClaimDecision:
    """What a judge said, with what a rule found missing beside it where the judge agrees that it does not hold."""
    status: ClaimStatus = judge  # type: ignore[assignment] # the reply was read against these very words
    absent = _first(look, "missing", MENTIONED) if judge in ("unsupported", "contradicted") else None
    return ClaimDecision(status, BY_JUDGE[judge], "judge", absent, _places(look, absent))


def _by_chance(look: ClaimFeatures, likely: float, by: str, known: Mapping[str, Any]) -> ClaimDecision:
    """What no rule settles, by its probability; a denial or an opposite in the best passage names it contradicted."""
    worded = next((p for p in look.points if p.finding == "contradicted"), None) if known.get("wording", True) else None
    likely = _bounded(look, likely, known) if by == "overlap" or look.borne_out else likely
    status = _status(likely, known)
    if worded is not None and status != "supported":
        return ClaimDecision("contradicted", likely, by, worded, _places(look, worded))
    if worded is not None and (by == "overlap" or look.borne_out is False):  # no model was fitted to read a `nicht`
        return ClaimDecision("contradicted", min(likely, 0.2), "wording", worded, _places(look, worded))
    if status == "partial" and look.features["union"] < TOO_LITTLE:
        status, likely = (
            "unsupported",
            UNLIKELY,
        )  # what shares next to nothing with the evidence is not half borne out by it
    worked = _first(look, "same", WORKED) if status in ("supported", "partial") else None
    return ClaimDecision(status, likely, by, worked, _places(look, worked))


def _bounded(look: ClaimFeatures, likely: float, known: Mapping[str, Any]) -> float:
    """Shared words in a language that the weights were not fitted in: they support a claim where one passage, or a rule, bears it out.

    The one place where that is decided, in both directions: no more than `partial` otherwise, and no less than `supported` then.
    """
    if look.borne_out is None or _first(look, "same", BEARING) is not None:
        return likely
    bound = float(known["supported_at"])
    return max(likely, bound) if look.borne_out else min(likely, bound - 0.01)


def _first(look: ClaimFeatures, finding: str, rules: tuple[str, ...]) -> RuleFinding | None:
    return next((p for p in look.points if p.finding == finding and p.rule in rules), None)


def _overruled(rule: str, look: ClaimFeatures, likely: float, known: Mapping[str, Any], model: Reading) -> bool:
    """What no source mentions may stand there in other words (the Dutch for the Netherlands).

    A model says so that is sure by itself, never the words around it alone; of a figure only one whose word was fitted.
    """
    heard = rule not in UNMENTIONED or "model" in known["coefficients"]
    alone = "whole" not in known and not look.features["kind_answer"]
    sure = model.support >= (OVERRULES_ALONE if alone else OVERRULES_FROM)
    return heard and likely >= RULES[rule].overruled_at and sure


def _ruled(status: ClaimStatus, likely: float, point: RuleFinding, look: ClaimFeatures) -> ClaimDecision:
    return ClaimDecision(status, likely, "rule", point, _places(look, point))


def _status(likely: float, known: Mapping[str, Any]) -> ClaimStatus:
    if likely >= known["supported_at"]:
        return "supported"
    return "partial" if likely >= known["partial_at"] else "unsupported"


def _places(look: ClaimFeatures, point: RuleFinding | None) -> tuple[tuple[str, Span], ...]:
    """Where in the evidence the decision looked: the place a rule points at, or what speaks most for the claim."""
    if point is not None and point.passage is not None:
        return ((point.passage.source, point.place or point.passage.span),)
    strong = [passage for share, passage in look.near if share >= 0.5 * look.near[0][0]][:2]
    return tuple((passage.source, passage.span) for passage in strong)


def window(claim: str, index: Index, words: int = 330) -> str:
    """The evidence a model reads for a claim: all of it where it is short, otherwise what speaks most about the claim, in order."""
    if index.size <= words:
        return " ".join(passage.text for passage in index.passages)
    chosen: list[Passage] = []
    left = words
    for _, passage in index.best(content(claim), WINDOW):
        size = len(passage.text.split())
        if size <= left or not chosen:
            chosen.append(passage)
            left -= size
    return " ".join(passage.text for passage in sorted(chosen, key=lambda p: p.number))
