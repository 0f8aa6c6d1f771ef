"""Calibration: how sure a judge's word is, what a threshold promises, and what would change before anything does."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import random
from collections.abc import Sequence
from typing import Literal

from starlette.responses import Response

from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.thresholds import threshold
from witnessmark.insight import artifacts, calibration
from witnessmark.insight.calibrated_results import in_force
from witnessmark.insight.samples import JudgeSource, Sample, labelled
from witnessmark.server.pages import charts
from witnessmark.server.pages.access import Visit, see

SHIPPED = "shipped"
RISKS = ("0.01", "0.02", "0.05", "0.10", "0.20")
CONFIDENCES = ("0.80", "0.90", "0.95", "0.99")
MEASURES = (
    ("auroc", "AUROC", "how often a good one scores above a bad one: 0.5 is chance, 1 always"),
    (
        "point_biserial",
        "Point-biserial correlation",
        "how closely the score follows good and bad: 0 not at all, 1 fully",
    ),
    ("kappa", "Cohen's kappa", "how often the verdict agrees with what was, beyond chance: 0 is chance, 1 always"),
    ("brier", "Brier score", "the squared distance of a probability from what was, on average: 0 is best"),
    ("ece", "Expected calibration error", "how far stated probabilities lie from what happened, on average: 0 is best"),
)
METHODS = {
    "isotonic": "isotonic: steps that only rise, fitted to the outcomes",
    "platt": "Platt: one S-shaped curve, fitted to the outcomes",
    "none": "not fitted: too few outcomes",
}
"""Terms of statistics, each with half a sentence for whoever has not met it."""


async def show(visit: Visit) -> Response:
    """What was fitted, which one holds, and what each would change."""
    store, workspace = visit.site.store, visit.caller.workspace
    known = await artifacts.stored_calibrations(store, workspace)
    ref = visit.asked("see")
    chosen = next((one for one in known if one.ref == ref), known[0] if known else None)
    holds = None
    with contextlib.suppress(UsageError):  # one is named that there is not: whoever verifies is told
        holds = await in_force(store, workspace, visit.site.settings.calibration)
    samples = await labelled(store, workspace)
    shipped = chosen is not None and chosen.name == SHIPPED
    about = labels() if shipped else samples if chosen is not None else ()
    return await visit.page(
        "calibration.html",
        "calibration",
        known=known,
        chosen=chosen,
        holds=holds,
        samples=len(samples),
        shipped=len(labels()),
        enough=calibration.MIN_FIT,
        what_if=calibration.what_if(chosen, about) if chosen is not None and about else None,
        about="the shipped data" if shipped else "this workspace",
        diagrams=[charts.reliability(fit.before, fit.after) for fit in chosen.fits] if chosen is not None else [],
        risks=RISKS,
        confidences=CONFIDENCES,
        measures=MEASURES,
        methods=METHODS,
    )


async def fitted(visit: Visit) -> Response:
    """Fit on what the workspace knows, or on the shipped data; nothing holds until it is applied."""
    sent = await visit.form()
    store, workspace = visit.site.store, visit.caller.workspace
    shipped = sent.get("data") == SHIPPED
    samples: Sequence[Sample] = labels() if shipped else await labelled(store, workspace)
    if len(samples) < calibration.MIN_FIT:
        raise InputError(
            f"outcomes: {len(samples)} known so far, and a calibration needs at least {calibration.MIN_FIT}; override verdicts or "
            "record outcomes first, or fit on the shipped data"
        )
    # Intervals are found by drawing again and again: seconds of work, which nobody else should wait for.
    made = await asyncio.to_thread(
        calibration.fit,
        samples,
        name=SHIPPED if shipped else "workspace",
        workspace=workspace,
        risk=_number(sent, "risk", "0.05", RISKS),
        confidence=_number(sent, "confidence", "0.90", CONFIDENCES),
    )
    kept = await artifacts.keep(store, made)
    await visit.site.note(visit.caller, "calibration fit", kept.ref)
    return see(f"/ui/calibration?see={kept.ref}#fit")


async def applied(visit: Visit) -> Response:
    """Have one hold from now on, or none."""
    sent = await visit.form()
    store, workspace = visit.site.store, visit.caller.workspace
    ref = sent.get("ref", "")
    if ref and all(one.ref != ref for one in await artifacts.stored_calibrations(store, workspace)):
        raise InputError(f"calibration: {ref!r} is not kept in this workspace; fit one first")
    words = "Records made from then on refer to it, and its probabilities and thresholds decide."
    if ref.partition("@")[0] == SHIPPED:
        words = (
            "It was fitted on example data: its judges are simulated and exist in no record, so it says nothing about "
            "yours. Apply it only to see how that looks."
        )
    question = f"Apply {ref} in workspace {workspace}?"
    if ref and (asked := await visit.unsure(question, words, f"Apply {ref} now", f"/ui/calibration?see={ref}")):
        return asked
    await artifacts.apply(store, workspace, ref or None)
    await visit.site.note(visit.caller, "calibration apply", ref or "none")
    return see(f"/ui/calibration?see={ref}&told=applied" if ref else "/ui/calibration?told=unapplied")


def _number(sent: dict[str, str], name: str, default: str, allowed: Sequence[str]) -> float:
    value = sent.get(name, default)
    if value not in allowed:
        raise InputError(f"{name}: {value!r} is not one of {', '.join(allowed)}")
    return float(value)


EACH = 600
STEADY = JudgeSource(check="rubric", version="2", judge="example/steady", kind="reported")
EAGER = JudgeSource(check="rubric", version="2", judge="example/eager", kind="reported")


@functools.cache
def labels() -> tuple[Sample, ...]:
    """Example data for a first calibration: six hundred words of each of two simulated judges, with what became of the work.

    One judge is steady, the other sounds surer than it is. They exist in no record; they show what a calibration looks like
    before a workspace has outcomes of its own.
    """
    chance = random.Random(11)  # noqa: S311 - a story, not a secret
    return tuple(_sample(chance, source, number) for number in range(EACH) for source in (STEADY, EAGER))


def _sample(chance: random.Random, source: JudgeSource, number: int) -> Sample:
    """The work is good as often as the steady judge's score says; the eager one gives everything a third more than it is worth."""
    truth = chance.choices(
        (chance.uniform(0.96, 1.0), chance.uniform(0.3, 0.9), chance.uniform(0.0, 0.08)), (58, 24, 18)
    )[0]
    seen = min(1.0, max(0.0, truth + chance.gauss(0, 0.05)))
    score = round(seen if source is STEADY else 1 - 0.66 * (1 - seen), 3)
    status: Literal["pass", "partial", "fail"] = (
        "pass"
        if score >= threshold("pass_threshold")
        else "partial"
        if score >= threshold("retry_threshold")
        else "fail"
    )
    sure = round(min(1.0, 0.5 + abs(score - 0.5) * 0.95), 3)
    good = chance.random() < truth
    return Sample(source=source, status=status, score=score, confidence=sure, good=good, group=f"task-{number % 150}")
