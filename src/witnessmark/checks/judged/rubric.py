"""Criteria in words, for a judge: `reading` asks about a few at once, `rubric` settles one, `quality` reports dimensions.

Without a judge each of them abstains and says what to do; nothing is ever guessed. A judge's score is recomputed on its
scale, gated at the criterion's own threshold and, near it, on the spread of several samples instead of one of them.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.judged import scales
from witnessmark.checks.judged.case_parts import parts_of
from witnessmark.checks.judged.criteria_reading import CriteriaReading, further_samples, holds_everywhere, near, read
from witnessmark.checks.judged.judge_reading import no_judge, nobody_may
from witnessmark.checks.judged.questions import CriterionItem, question_about
from witnessmark.checks.plain.counts import Count, count, counted_things
from witnessmark.checks.plain.vague import vagueness
from witnessmark.core.case import Case
from witnessmark.core.errors import ConfigError, InputError, JudgeReplyError
from witnessmark.core.explain import convert
from witnessmark.core.plans.criteria import SCORING_MODES, Scale
from witnessmark.core.policy import Policy
from witnessmark.core.protocols import Asks, Judges
from witnessmark.core.redact import JUDGED_KEYS
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import (
    NO_USAGE,
    ConfidenceSource,
    Finding,
    Independence,
    Result,
    Status,
    Usage,
    abstained,
    amount,
    passed,
)
from witnessmark.judges.choice import choice_findings

REASON_LENGTH = 2_000
FORMAT_CHECKS = frozenset(
    {
        "format_regex",
        "min_length",
        "max_length",
        "word_count_range",
        "required_sections",
        "json_schema",
        "not_truncated",
    }
)


def reading_asks(case: Case, items: Sequence[CriterionItem]) -> Asks:
    """One question for each part of the output; near a threshold, a few more of the same."""
    asked = [item for item in scaled(items, case) if count(case.text, item.text) is None]
    if not asked:
        return Asks()
    shown = parts_of(case)
    more = further_samples(case) if shown.whole and any(item.resample for item in asked) else 0
    return Asks([question_about(case, asked, part, sample=0) for part in shown.parts], again=more, again_at="high")


def _items_ask(case: Case, options: Mapping[str, Any]) -> Asks:
    return reading_asks(case, convert(options["items"], list[CriterionItem], "value"))


def _criterion_asks(case: Case, options: Mapping[str, Any]) -> Asks:
    item = _item_of(convert(options["criterion"], str | CriterionItem, "value"))
    return Asks() if item.reading is not None else reading_asks(case, [item])


def _item_of(criterion: str | CriterionItem) -> CriterionItem:
    return CriterionItem(key="c1", text=criterion) if isinstance(criterion, str) else criterion


@check(
    "reading",
    version="5",
    cost="paid",
    services=("judges", "policy"),
    asks=_items_ask,
    judged_keys=JUDGED_KEYS | {"revision"},
)
def reading(
    items: list[CriterionItem],
    *,
    judges: Judges | None = None,
    policy: Policy | None = None,
) -> Look:
    """Asks a judge about a few criteria in one question; the nodes of the criteria settle what came back.

    Args:
        items: the criteria, each with its key and text.
        judges: those that may be asked, handed in by the wiring.
        policy: who may be asked and what is met, handed in by the wiring.

    """
    asked = [met_as(policy, item) for item in items]

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        return await read_all(case, scaled(asked, case), judges)

    return look


async def read_all(case: Case, items: Sequence[CriterionItem], judges: Judges | None) -> Result:
    """What one question about these criteria came to, for the nodes that settle them."""
    try:
        made = await read(case, items, judges)
    except ConfigError as exc:
        return nobody_may(exc)
    if made is None:
        return no_judge("no judge is configured to read the output", stated=_stated(case, items))
    return reading_result(made)


@check("rubric", version="9", cost="paid", services=("judges", "policy"), asks=_criterion_asks)
def rubric(
    criterion: str | CriterionItem,
    *,
    judges: Judges | None = None,
    policy: Policy | None = None,
) -> Look:
    """One criterion that only reading can tell; it takes its answer from the reading it names, or asks by itself.

    Args:
        criterion: its text, or what is said of it: `key`, `text`, `scale`, `met_threshold`, and the `reading` that asks about it.
        judges: those that may be asked, handed in by the wiring.
        policy: who may be asked and what is met, handed in by the wiring.

    """
    item = met_as(policy, _item_of(criterion))

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        (asked,) = scaled((item,), case)
        if item.reading is not None:
            found = count(case.text, item.text)
            if found is not None:  # whatever became of the judge
                return _counted(asked, found)
            said = _reading_of(prior, item.reading)
            return settle(asked, said) if said.settled else abstained(said.cause or "undecided", said.reason)
        try:
            made = await read(case, [asked], judges)
        except ConfigError as exc:
            return nobody_may(exc)
        if made is None:
            reason = f"no judge is configured for: {item.text}"
            return abstained("no_judge", reason) if item.beside else no_judge(reason, stated=_stated(case, [item]))
        return settle(asked, _told(made))

    return look


@check("quality", version="2", cost="paid", asks=lambda case, options: Asks())
def quality(reading: str, dimensions: list[str]) -> Look:
    """The fixed dimensions of quality, reported beside the verdict; format is what the deterministic checks say.

    Args:
        reading: the node that asks a judge about them.
        dimensions: the keys under which it does.

    """

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        said = _reading_of(prior, reading)
        heard = said.details.get("items", {})
        scores = {name: _mean(heard[name]["scores"]) for name in dimensions if heard.get(name, {}).get("scores")}
        form = format_score(prior)
        known = scores | ({} if form is None else {"format": form})
        if said.judge is None:
            return abstained("no_judge", "no judge read the output")
        if not scores:
            raise JudgeReplyError("the judge left out every dimension of quality")
        mean = _mean(list(known.values()))
        return Result(
            **_by(said),
            status="pass" if mean >= scales.MET else "partial",
            score=mean,
            confidence=_mean([c for name in scores for c in heard[name]["confidences"]]),
            reason=", ".join(f"{name} {score:.2f}" for name, score in known.items()),
            details={"quality_scores": known},
        )

    return look


def _reading_of(prior: Mapping[str, Result], node: str) -> Result:
    """What a reading came to; InputError where no node of that name was looked at before."""
    if node not in prior:
        raise InputError(f"option reading: no check is named {node!r} here; known are {', '.join(prior) or 'none'}")
    return prior[node]


def format_score(prior: Mapping[str, Result]) -> float | None:
    """The share of the case's format checks that passed; None where none was asked for."""
    said = [result for result in prior.values() if result.check in FORMAT_CHECKS and result.settled]
    return _mean([float(result.status == "pass") for result in said]) if said else None


def _stated(case: Case, items: Sequence[CriterionItem]) -> bool:
    """Whether the case itself names one of these as a criterion; its goal, and what a checkpoint asks, are none."""
    words = {one.text for one in case.criteria if not isinstance(one, str)}
    return any(item.text in words for item in items)


def met_as(policy: Policy | None, item: CriterionItem) -> CriterionItem:
    """The item with the policy's threshold for what must pass, where it declares none of its own."""
    stricter = policy.must_pass_met if policy is not None else None
    if stricter is None or not item.must_pass or item.met_threshold is not None:
        return item
    return replace(item, met_threshold=stricter)


def scaled(items: Sequence[CriterionItem], case: Case) -> Sequence[CriterionItem]:
    """The items with the scale of the case's scoring mode where they declare none."""
    return _scaled(tuple(items), SCORING_MODES[case.context.get("scoring_mode", "rubric")])


@functools.lru_cache(maxsize=1024)
def _scaled(items: tuple[CriterionItem, ...], usual: Scale) -> tuple[CriterionItem, ...]:
    return tuple(item if item.scale is not None else replace(item, scale=usual) for item in items)


@dataclass(slots=True)
class ReadingSummary:
    """What a reading told that is not a node of its own; a Result of one that is has the same fields."""

    judge: str | None
    prompt: str | None
    confidence_source: ConfidenceSource
    independence: Independence
    findings: tuple[Finding, ...]
    usage: Usage
    details: dict[str, Any]
    node: str = ""


def reading_result(made: CriteriaReading) -> Result:
    """A reading as the result of a node of its own; the nodes that rest on it settle what it heard."""
    heard = _told(made)
    judged = made.judge is not None
    heard_of = amount(len(made.heard), "criterion", "criteria")
    return Result(
        **_by(heard),
        status="pass",
        reason=f"{heard_of} read by {made.judge}" if judged else "settled by counting",
        findings=heard.findings,
        details=heard.details,
    )


def _told(made: CriteriaReading) -> ReadingSummary:
    details: dict[str, Any] = {"items": {key: heard.details() for key, heard in made.heard.items()}}
    if made.counted:
        details["counted"] = {
            k: {"wanted": c.wanted, "found": c.found, "what": c.what, "most": c.most} for k, c in made.counted.items()
        }
    if not made.whole:
        details["seen"] = {"output": made.output_seen, "evidence": made.evidence_seen}
    if made.stopped:
        details["stopped"] = made.stopped
    if made.again_by:
        details["again_by"] = made.again_by
    source: ConfidenceSource = "deterministic" if made.judge is None else "reported"
    found = () if made.judge is None else choice_findings(made.independence, made.set_aside)
    return ReadingSummary(made.judge, made.prompt, source, made.independence, found, made.usage, details)


# --- one criterion -------------------------------------------------------------------------------------------------


def settle(item: CriterionItem, said: Result | ReadingSummary) -> Result:
    """How one criterion stands after a reading: counted, in error, or by its scores. All arithmetic is here."""
    found = said.details.get("counted", {}).get(item.key)
    if found is not None:
        return _counted(item, Count(**found))
    heard = said.details.get("items", {}).get(item.key)
    if heard is None and said.judge is None:
        return no_judge(f"no judge is configured for: {item.text}")
    if heard is not None and heard.get("apart"):
        return abstained(
            "undecided", "the judges of the panel disagree on this criterion", *vagueness(item.text), **_by(said)
        )
    if heard is None or not heard["scores"]:
        raise JudgeReplyError((heard or {}).get("error") or "the judge left out this criterion")
    scores, met_from = heard["scores"], item.met_from
    met = sum([score >= met_from for score in scores])
    seen, stopped = said.details.get("seen"), said.details.get("stopped") or heard.get("stopped")
    status = _status(item, scores, met, cut_short=stopped is not None)
    if seen is not None and seen["output"] < 1 and status != ("fail" if holds_everywhere(item.text) else "pass"):
        return abstained("undecided", f"only {seen['output']:.0%} of the output was read", *vagueness(item.text))
    agreed = max(met, len(scores) - met) / len(scores)
    mean = _mean(scores)
    spread: dict[str, Any] = {"met_from": met_from, "scale": item.scale, "scores": scores}
    if len(scores) > 1:
        spread |= {"flip_rate": round(1 - agreed, 6), "interval": [min(scores), max(scores)]}
        spread["again_by"] = said.details.get("again_by", said.judge)
    return Result(
        **_by(said),
        status=status,
        score=mean,
        confidence=_mean(heard["confidences"]) if agreed == 1 else round(_mean(heard["confidences"]) * agreed, 9),
        reason=heard["reasoning"][:REASON_LENGTH],
        findings=(*_unmet(item, status, mean, heard), *(() if said.node else said.findings), *vagueness(item.text)),
        details=spread | {name: told for name, told in (("seen", seen), ("stopped", stopped)) if told is not None},
    )


def _status(item: CriterionItem, scores: Sequence[float], met: int, *, cut_short: bool) -> Status:
    """Met or not by all samples alike; where they differ, or further ones near the line could not be had, in part."""
    if cut_short and len(scores) == 1 and item.resample and near(item, scores[0]):
        return "partial"
    if met == len(scores):
        return "pass"
    return "fail" if met == 0 else "partial"


def _by(said: Result | ReadingSummary) -> dict[str, Any]:
    """Who said it, as the reading has it; what it cost stays with the reading where that is a node of its own."""
    return {
        "confidence_source": said.confidence_source,
        "independence": said.independence,
        "judge": said.judge,
        "prompt": said.prompt,
        "usage": NO_USAGE if said.node else said.usage,
    }


def _unmet(item: CriterionItem, status: Status, mean: float, heard: Mapping[str, Any]) -> tuple[Finding, ...]:
    if status == "pass":
        return ()
    how = "is not met" if status == "fail" else "is met by some readings and not by others"
    return (
        Finding(
            message=f"a criterion {how}: {mean:.2f}, where {item.met_from:.2f} is asked for",
            severity="error" if status == "fail" else "warning",
            quote=heard["reasoning"][:REASON_LENGTH] or None,
            suggestion=heard.get("revision") or None,
        ),
    )


def _counted(item: CriterionItem, count: Count) -> Result:
    """A limit that is kept is met. A count that is certainly missed, whether by few or by many, is not met at all: a part of a limit is no part of meeting it."""
    there = counted_things(count.found, count.what)
    if count.kept:
        bound = "at most" if count.most else "at least"
        return passed(f"{there}, {bound} {count.wanted}", details={"wanted": count.wanted, "found": count.found})
    if count.most:
        reason = f"{there} where at most {count.wanted} {'is' if count.wanted == 1 else 'are'} allowed"
        advice = f"Cut {counted_things(count.found - count.wanted, count.what)}."
    else:
        reason = f"{there} where {count.wanted} {'is' if count.wanted == 1 else 'are'} asked for"
        missing = count.wanted - count.found
        advice = f"Add {counted_things(missing, count.what, more=True)}."
    return Result(
        status="fail",
        score=0.0,
        reason=reason,
        findings=(Finding(message=reason, suggestion=advice), *vagueness(item.text)),
        details={"wanted": count.wanted, "found": count.found},
    )


def _mean(numbers: Sequence[float]) -> float:
    return round(sum(numbers) / len(numbers), 9)
