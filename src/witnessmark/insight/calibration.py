"""How sure a judge's word is, learnt from what people and the world said later: per check, judge, version and kind of confidence.

Fits are made from samples and are plain values. Keeping them is `artifacts`'s; laying them over results is the wiring's.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Literal

from witnessmark.core.values import canonical, text_digest
from witnessmark.insight import statistics as stats
from witnessmark.insight.samples import JudgeSource, Sample, by_source
from witnessmark.insight.thresholds import certify
from witnessmark.insight.values import Bin, Calibration, Fit, Quality, WhatIf

MIN_FIT = 100
"""Below this many samples nothing is fitted and nothing is advised."""
ISOTONIC_FROM = 400
"""From here on the shape is taken from the data; below, a logistic curve is."""
MIN_EACH = 10
"""So many of the good and of the bad, at least."""
CORRELATION_TARGET = 0.7
FOLDS = 5


def lean(by: str, status: str, score: float | None, confidence: float | None) -> float | None:
    """How far a word leans towards good, before anything was learnt."""
    if by == "score" or confidence is None:
        return score
    return confidence if status == "pass" else 1 - confidence


def sureness(by: str, status: str, score: float | None, confidence: float | None) -> float:
    """How sure a word is of itself: what verdicts are sorted by when some go to a person."""
    leaning = lean(by, status, score, confidence)
    if leaning is None:
        return 0.0
    return leaning if status == "pass" else 1 - leaning


def fit(
    samples: Sequence[Sample],
    *,
    name: str = "calibration",
    version: int = 1,
    workspace: str = "default",
    risk: float = 0.05,
    confidence: float = 0.90,
    made_at: float | None = None,
) -> Calibration:
    """Learn from the samples, each source on its own."""
    return Calibration(
        name=name,
        version=version,
        workspace=workspace,
        made_at=time.time() if made_at is None else made_at,
        samples=len(samples),
        digest=text_digest("\n".join(sorted(canonical(sample).decode() for sample in samples))),
        fits=tuple(_fit(source, some, risk, confidence) for source, some in by_source(samples).items()),
    )


def _fit(source: JudgeSource, samples: Sequence[Sample], risk: float, confidence: float) -> Fit:
    by = _by(samples)
    usable = [s for s in samples if lean(by, s.status, s.score, s.confidence) is not None]
    xs = [lean(by, s.status, s.score, s.confidence) or 0.0 for s in usable]
    good = [s.good for s in usable]
    before = quality(xs, good, [s.status == "pass" for s in usable])
    method = _method(good)
    points = _points(method, xs, good)
    after = None if method == "none" else _crossed(method, usable, xs, good)
    right = [(sureness(by, s.status, s.score, s.confidence), (s.status == "pass") == s.good) for s in usable]
    groups = [s.group or str(n) for n, s in enumerate(usable)]
    enough = len(usable) >= MIN_FIT
    certificate = certify(right, risk=risk, confidence=confidence, groups=groups) if enough else None
    return Fit(
        source=source,
        by=by,
        method=method,
        before=before,
        xs=points[0],
        ys=points[1],
        after=after,
        certificate=certificate,
        advice=_advice(before, usable),
    )


def _by(samples: Sequence[Sample]) -> Literal["score", "confidence"]:
    """Scores, unless they only repeat pass and fail while there is a confidence to go by."""
    plain = all(s.score in (None, 0.0, 1.0) for s in samples)
    return "confidence" if plain and all(s.confidence is not None for s in samples) else "score"


def _method(good: Sequence[bool]) -> Literal["isotonic", "platt", "none"]:
    if len(good) < MIN_FIT or min(sum(good), len(good) - sum(good)) < MIN_EACH:
        return "none"
    return "isotonic" if len(good) >= ISOTONIC_FROM else "platt"


def why_none(found: Quality) -> str:
    """Why a source has no curve, in words."""
    if found.n < MIN_FIT:
        return f"{found.n} of the {MIN_FIT} labelled results that are needed"
    return f"fewer than {MIN_EACH} of its {found.n} labelled results were good work, or fewer than {MIN_EACH} bad"


def _points(method: str, xs: Sequence[float], good: Sequence[bool]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """A map as points to draw lines between; a curve is kept at every hundredth."""
    if method == "isotonic":
        return stats.isotonic(xs, good)
    if method == "none":
        return (), ()
    slope, offset = stats.platt(xs, good)
    # A judge whose higher numbers mean worse work is not turned round: that is a fault to look at, not to correct for.
    slope = max(slope, 0.0)
    marks = tuple(n / 100 for n in range(101))
    return marks, tuple(stats.logistic(slope * x + offset) for x in marks)


def chance(made: Fit, leaning: float) -> float:
    """The chance that the work is good; never quite nothing and never quite certain."""
    p = stats.between(made.xs, made.ys, leaning)
    edge = 1 / (made.before.n + 2)
    return min(max(p, edge), 1 - edge)


def _crossed(method: str, samples: Sequence[Sample], xs: Sequence[float], good: Sequence[bool]) -> Quality:
    """Quality of the fitted numbers, each predicted by a map that has not seen its group."""
    fold = [int(text_digest(s.group or str(n))[:8], 16) % FOLDS for n, s in enumerate(samples)]
    predicted = list(xs)
    for number in range(FOLDS):
        inside = [i for i, f in enumerate(fold) if f != number]
        some = [good[i] for i in inside]
        if not some or not 0 < sum(some) < len(some):
            continue
        points = _points(method, [xs[i] for i in inside], some)
        for i in (i for i, f in enumerate(fold) if f == number):
            predicted[i] = stats.between(*points, xs[i])
    return quality(predicted, good, [p >= 0.5 for p in predicted])


def quality(xs: Sequence[float], good: Sequence[bool], passed: Sequence[bool]) -> Quality:
    """How well numbers tell good work from bad."""
    interval = stats.auroc_interval(xs, good)
    made = stats.bins(xs, good)
    return Quality(
        n=len(xs),
        good=sum(good),
        point_biserial=stats.point_biserial(xs, good),
        auroc=stats.auroc(xs, good),
        auroc_low=interval[0] if interval else None,
        auroc_high=interval[1] if interval else None,
        kappa=stats.kappa(passed, good),
        brier=stats.brier(xs, good),
        ece=stats.ece(xs, good),
        reliability=tuple(
            Bin(low=at / len(made), high=(at + 1) / len(made), n=n, said=said, was=was)
            for at, (n, said, was) in enumerate(made)
        ),
    )


def _advice(found: Quality, samples: Sequence[Sample]) -> str:
    """What to change, from enough samples only."""
    if found.n < MIN_FIT:
        return f"{found.n} of {MIN_FIT} labelled results; no advice from fewer"
    rejected = sum(s.good and s.status != "pass" for s in samples)
    accepted = sum(not s.good and s.status == "pass" for s in samples)
    said = []
    if found.point_biserial is None or found.point_biserial < CORRELATION_TARGET:
        told = "unknown" if found.point_biserial is None else f"{found.point_biserial:.2f}"
        said.append(
            f"score and success correlate at {told}, short of {CORRELATION_TARGET}: recalibrate weights or thresholds"
        )
    if rejected > 2 * accepted and rejected > 0.1 * found.n:
        said.append(f"{rejected} of {found.n} scored low and succeeded: lower the pass threshold")
    elif accepted > 2 * rejected and accepted > 0.1 * found.n:
        said.append(f"{accepted} of {found.n} scored high and failed: raise the pass threshold")
    return "; ".join(said) or "no change needed"


# --- before any change -----------------------------------------------------------------------------------------------


def what_if(calibration: Calibration, samples: Sequence[Sample]) -> WhatIf:
    """What the calibration would have changed on these samples."""
    fits: Mapping[JudgeSource, Fit] = {made.source: made for made in calibration.fits if made.method != "none"}
    moves: dict[str, int] = {}
    cases = wrong_before = wrong_after = escalated = 0
    for sample in samples:
        made = fits.get(sample.source)
        leaning = None if made is None else lean(made.by, sample.status, sample.score, sample.confidence)
        if made is None or leaning is None:
            continue
        cases += 1
        wrong = (sample.status == "pass") != sample.good
        wrong_before += wrong
        sure = sureness(made.by, sample.status, sample.score, sample.confidence)
        if handed_on(made, sure):
            escalated += 1
            moves[f"{sample.status} → to a person"] = moves.get(f"{sample.status} → to a person", 0) + 1
        else:
            wrong_after += wrong
    return WhatIf(
        calibration=calibration.ref,
        cases=cases,
        changed=escalated,
        accepted=cases - escalated,
        escalated=escalated,
        wrong_before=wrong_before,
        wrong_after=wrong_after,
        moves=moves,
    )


def handed_on(made: Fit, sure: float) -> bool:
    """Whether a word this unsure goes to a person."""
    cut = made.certificate.threshold if made.certificate is not None else None
    return cut is not None and sure < cut - 1e-12
