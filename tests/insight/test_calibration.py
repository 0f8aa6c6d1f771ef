"""The arithmetic is that of scikit-learn; nothing is mixed, fitted or advised from too little; promises hold."""

from __future__ import annotations

import asyncio
import bisect
import itertools
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from witnessmark import Case, Verifier
from witnessmark.core.errors import ConfigError, InputError, UnknownNameError
from witnessmark.core.record import ResultRecord
from witnessmark.core.tallies import LabelledVerification
from witnessmark.core.verdict import Result
from witnessmark.insight import artifacts, review
from witnessmark.insight import calibration as cal
from witnessmark.insight import samples as read_samples
from witnessmark.insight import statistics as stats
from witnessmark.insight.calibrated_results import calibrated
from witnessmark.insight.samples import JudgeSource, Sample, samples_of
from witnessmark.insight.thresholds import certify, fewest, moved
from witnessmark.insight.values import Calibration
from witnessmark.stores import open_store
from witnessmark.testing.records import NOON, entry, made, word

NUMBERS = st.lists(st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.booleans()), min_size=4, max_size=120)


def split(pairs: list[tuple[float, bool]]) -> tuple[list[float], list[bool]]:
    return [x for x, _ in pairs], [g for _, g in pairs]


@settings(deadline=None, max_examples=60)
@given(NUMBERS)
def test_ranking_and_distance_are_those_of_scikit_learn(pairs):
    xs, good = split(pairs)
    if 0 < sum(good) < len(good):
        assert stats.auroc(xs, good) == pytest.approx(sk.roc_auc_score(good, xs))
        if len(set(xs)) > 1:
            expected = np.corrcoef(xs, np.array(good, float))[0, 1]
            assert stats.point_biserial(xs, good) == pytest.approx(expected, abs=1e-9)  # req: C16
    else:
        assert stats.auroc(xs, good) is None
        assert stats.point_biserial(xs, good) is None
    assert stats.brier(xs, good) == pytest.approx(np.mean((np.array(xs) - np.array(good, float)) ** 2))


@settings(deadline=None, max_examples=60)
@given(NUMBERS, st.randoms(use_true_random=False))
def test_kappa_is_that_of_scikit_learn(pairs, drawn):
    _, good = split(pairs)
    said = [g if drawn.random() < 0.7 else not g for g in good]
    if len({*said, *good}) > 1:
        assert stats.kappa(said, good) == pytest.approx(sk.cohen_kappa_score(said, good), abs=1e-9)
    else:
        assert stats.kappa(said, good) is None


@settings(deadline=None, max_examples=60)
@given(NUMBERS)
def test_the_rising_fit_is_that_of_scikit_learn(pairs):
    xs, good = split(pairs)
    fitted = IsotonicRegression(out_of_bounds="clip").fit(xs, np.array(good, float))
    points = stats.isotonic(xs, good)
    assert list(points[1]) == sorted(points[1])
    for x in sorted(set(xs)):
        assert stats.between(*points, x) == pytest.approx(float(fitted.predict([x])[0]), abs=1e-9)


def test_the_curve_is_a_logistic_regression_with_smoothed_targets():
    drawn = random.Random(4)
    xs = [drawn.random() for _ in range(400)]
    good = [drawn.random() < stats.logistic(6 * x - 3) for x in xs]
    slope, offset = stats.platt(xs, good)
    fitted = LogisticRegression(C=1e9, tol=1e-10, max_iter=10_000).fit(np.array(xs)[:, None], good)
    assert slope == pytest.approx(float(fitted.coef_[0][0]), rel=0.08)
    assert offset == pytest.approx(float(fitted.intercept_[0]), rel=0.08)


def test_calibration_error_is_the_weighted_gap_of_the_bins():
    ps, good = [0.15, 0.15, 0.85, 0.85], [False, True, True, True]
    assert stats.ece(ps, good) == pytest.approx((2 * abs(0.15 - 0.5) + 2 * abs(0.85 - 1.0)) / 4)


@given(st.integers(0, 60), st.integers(1, 60))
def test_the_exact_bound_is_where_the_chance_of_so_few_is_what_is_left(wrong, more):
    n = wrong + more
    bound = stats.upper_bound(wrong, n, 0.9)
    assert wrong / n < bound <= 1
    assert stats.binomial_cdf(wrong, n, bound) == pytest.approx(0.1, abs=1e-6)


def test_a_bootstrap_interval_holds_the_value():
    drawn = random.Random(1)
    xs = [drawn.random() for _ in range(200)]
    good = [drawn.random() < x for x in xs]
    low, high = stats.auroc_interval(xs, good)
    assert low < stats.auroc(xs, good) < high


# --- promises ---------------------------------------------------------------------------------------------------------


def verdicts(drawn: random.Random, n: int) -> list[tuple[float, bool]]:
    """The surer, the righter: wrong half of the time at 0.5, hardly ever at 1."""
    found = []
    for _ in range(n):
        sure = 0.5 + drawn.random() / 2
        found.append((sure, drawn.random() < 0.5 + 0.5 * ((sure - 0.5) / 0.5) ** 0.35))
    return found


def test_a_promise_is_broken_no_more_often_than_it_allows():
    """The true error above a cut-off is known here, so this is the promise itself: at most 10 % of 300 draws."""
    drawn, broken, promised = random.Random(2), 0, 0
    at_large = sorted(verdicts(random.Random(9), 40_000))
    wrong_up_to = list(itertools.accumulate((not right for _, right in at_large), initial=0))
    for _ in range(300):
        made_ = certify(verdicts(drawn, 400), risk=0.1, confidence=0.9)
        if made_.threshold is not None:
            promised += 1
            first = bisect.bisect_left(at_large, (made_.threshold, False))
            broken += (wrong_up_to[-1] - wrong_up_to[first]) / (len(at_large) - first) > 0.1
    assert promised > 250
    assert broken <= 30


def test_a_promise_says_what_it_covers_and_hands_the_rest_on():
    samples = [(0.9, True)] * 78 + [(0.6, False)] * 22
    made_ = certify(samples)
    assert (made_.threshold, made_.coverage, made_.wrong) == (0.9, 0.78, 0)
    assert made_.says == (
        "auto-accepted verdicts are wrong at most 5% of the time, at 90% confidence, covering 78% of traffic; the rest goes "
        "to a person"
    )


def test_what_belongs_together_counts_once():
    """A hundred criteria of five tasks say no more than five tasks do."""
    samples = [(0.9, True)] * 100
    assert certify(samples).threshold == 0.9
    made_ = certify(samples, groups=[f"task-{n % 5}" for n in range(100)])
    assert (made_.threshold, made_.n) == (None, 5)


def test_too_few_or_too_wrong_gets_no_promise():
    assert certify([(0.9, True)] * (fewest(0.05, 0.95) - 1)).threshold is None
    assert certify([(0.9, True)] * fewest(0.05, 0.95)).threshold == 0.9
    assert certify([(0.9, n % 5 > 0) for n in range(1000)]).threshold is None
    assert certify([]).threshold is None
    with pytest.raises(InputError, match="risk"):
        certify([], risk=0)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10).map(lambda n: n / 10), st.booleans()), max_size=300))
def test_what_a_certificate_says_is_so_of_its_sample(samples):
    made_ = certify(samples, risk=0.2, confidence=0.8)
    if made_.threshold is not None:
        accepted = [right for sure, right in samples if sure >= made_.threshold]
        assert (made_.accepted, made_.wrong) == (len(accepted), accepted.count(False))
        assert made_.upper is not None
        assert made_.wrong / made_.accepted <= made_.upper <= 0.2


def test_another_pass_threshold_is_tried_on_paper_first():
    def one(score: float, outcome: str, truth: str) -> LabelledVerification:
        return LabelledVerification(
            made(score=score, outcome=outcome, action="accept" if outcome == "pass" else "retry"), NOON, None, truth
        )

    labels = [
        one(0.65, "partial", "pass"),
        one(0.65, "partial", "fail"),
        one(0.9, "pass", "pass"),
        one(0.72, "pass", "fail"),
    ]
    lower = moved(labels, 0.6)
    assert (lower.passed_before, lower.passed_after) == (2, 4)  # req: C63
    assert (lower.good_stopped_before, lower.good_stopped_after) == (1, 0)
    assert (lower.bad_passed_before, lower.bad_passed_after) == (1, 2)
    higher = moved(labels, 0.8)
    assert (higher.caught_before, higher.caught_after) == (0.5, 1.0)  # req: S0-107


def test_the_threshold_in_force_changes_nothing_on_paper():
    """Of two partial verdicts one has too low a score; the other is good enough, and half of it could not be looked at."""
    store: Any = open_store("memory:")
    keyword = {"check": "contains_keywords", "value": ["pears"], "must_pass": False}
    unknown = [{"check": f"nowhere_{number}", "must_pass": False} for number in range(2)]
    criteria = {
        "low": [{"check": "min_length", "value": 5, "must_pass": False}, keyword],
        "open": [{"check": "min_length", "value": 5}, {"check": "contains_keywords", "value": ["apples"]}, *unknown],
    }

    async def work() -> list[tuple[str, float | None]]:
        verifier, kept = Verifier(store=store), []
        for name, asked in criteria.items():
            case = Case(id=name, subject={"kind": "task_output", "text": "Three apples."}, criteria=asked)
            record = await verifier.verify(case)
            await review.outcome(store, record.id, outcome="pass")
            kept.append((record.outcome, record.score))
        return kept

    assert asyncio.run(work()) == [("partial", 0.5), ("partial", 1.0)]
    labels = asyncio.run(store.labelled("default"))
    told = [moved(labels, threshold) for threshold in (0.7, 0.5)]
    assert [(one.passed_before, one.passed_after, one.good_stopped_after) for one in told] == [(0, 0, 2), (0, 1, 1)]


# --- fitting ----------------------------------------------------------------------------------------------------------

SOURCE = JudgeSource(check="rubric", version="1", judge="openai/m", kind="reported")


def many(n: int, source: JudgeSource = SOURCE, seed: int = 1, sharp: float = 8.0) -> list[Sample]:
    """A judge that says too much: its scores lie above the chance that the work is good."""
    drawn, found = random.Random(seed), []
    for number in range(n):
        score = round(drawn.random(), 2)
        good = drawn.random() < stats.logistic(sharp * (score - 0.6))
        status = "pass" if score >= 0.7 else "fail"
        found.append(Sample(source=source, status=status, score=score, confidence=0.75, good=good, group=f"g{number}"))
    return found


def test_sources_are_never_mixed():
    others = [
        JudgeSource(check="rubric", version="2", judge="openai/m", kind="reported"),
        JudgeSource(check="rubric", version="1", judge="anthropic/m", kind="reported"),
        JudgeSource(check="rubric", version="1", judge="openai/m", kind="agreement"),
        JudgeSource(check="goal", version="1", judge="openai/m", kind="reported"),
    ]
    made_ = cal.fit([s for source in (SOURCE, *others) for s in many(30, source)])
    assert {one.source for one in made_.fits} == {SOURCE, *others}
    assert [one.before.n for one in made_.fits] == [30] * 5


def test_nothing_is_fitted_or_advised_below_a_hundred():
    (few,) = cal.fit(many(99)).fits
    assert few.certificate is None
    assert "no advice" in few.advice  # req: S0-088
    (enough,) = cal.fit(many(100)).fits
    assert (few.method, enough.method) == ("none", "platt")  # req: S0-088
    (lots,) = cal.fit(many(500)).fits
    assert lots.method == "isotonic"


def test_a_fit_brings_said_and_was_together():
    (one,) = cal.fit(many(800, sharp=14)).fits
    assert one.after is not None
    assert one.after.ece < one.before.ece
    assert one.after.brier < one.before.brier
    assert sum(b.n for b in one.before.reliability) == 800
    assert one.before.auroc_low < one.before.auroc < one.before.auroc_high


def test_advice_follows_the_correlation_and_which_side_errs():
    (weak,) = cal.fit(many(200, sharp=1.0)).fits
    assert weak.before.point_biserial < 0.7
    assert "recalibrate weights or thresholds" in weak.advice  # req: S0-090
    low = [Sample(source=SOURCE, status="fail", score=0.5 + n / 1000, confidence=0.7, good=True) for n in range(120)]
    (strict,) = cal.fit([*many(100), *low]).fits
    assert "lower the pass threshold" in strict.advice
    high = [Sample(source=SOURCE, status="pass", score=0.8 + n / 1000, confidence=0.7, good=False) for n in range(120)]
    (lax,) = cal.fit([*many(100), *high]).fits
    assert "raise the pass threshold" in lax.advice


def test_a_judge_that_is_upside_down_is_not_turned_round():
    upside_down = [
        Sample(source=s.source, status=s.status, score=s.score, confidence=None, good=not s.good) for s in many(300)
    ]
    (one,) = cal.fit(upside_down).fits
    assert list(one.ys) == sorted(one.ys)


def test_plain_yes_and_no_is_sorted_by_confidence():
    said = [
        Sample(source=SOURCE, status="pass" if n % 2 else "fail", score=float(n % 2), confidence=0.5 + n % 50 / 100, good=bool(n % 2))
        for n in range(200)
    ]  # fmt: skip
    (one,) = cal.fit(said).fits
    assert one.by == "confidence"
    assert cal.lean("confidence", "fail", 0.0, 0.9) == pytest.approx(0.1)
    assert cal.sureness("confidence", "fail", 0.0, 0.9) == pytest.approx(0.9)


def test_the_same_samples_give_the_same_artefact():
    samples = many(150)
    first, second = (cal.fit(some, made_at=1.0) for some in (samples, samples[::-1]))
    assert first.digest == second.digest
    assert first.fits[0].before.auroc == second.fits[0].before.auroc


def test_what_if_says_who_would_go_to_a_person():
    samples = many(600, sharp=20)
    made_ = cal.fit(samples, risk=0.1)
    found = cal.what_if(made_, samples)
    assert found.cases == 600
    assert found.accepted + found.escalated == 600
    assert 0 < found.escalated < 600
    assert found.wrong_after < found.wrong_before
    assert sum(found.moves.values()) == found.escalated


# --- from records, in the store, at work ------------------------------------------------------------------------------


def judged(status: str, score: float, **more: Any) -> ResultRecord:
    given = {"confidence": 0.7, "confidence_source": "reported", "judge": "openai/m", "details": {}} | more
    return ResultRecord(node="rubric", check="rubric", version="1", status=status, score=score, **given)


def test_samples_come_from_what_people_and_the_world_said():
    record = made(outcome="partial", action="retry", score=0.6, confidence=0.7, confidence_source="reported",
                  results=(judged("partial", 0.6), judged("pass", 1.0, confidence_source="deterministic", judge=None)))  # fmt: skip
    silent = made()
    store = open_store("memory:")
    asyncio.run(
        store.append([entry(record), entry(silent), word(record, "pass", "override"), word(record, "fail", "outcome")])
    )
    found = asyncio.run(read_samples.labelled(store, "default"))
    assert [(s.source.check, s.source.kind, s.good) for s in found] == [
        ("verdict:task", "reported", False),
        ("rubric", "reported", False),
    ]


def test_what_a_calibration_touched_is_read_as_it_was_said():
    told = {"by": "c@1", "kind": "reported", "status": "pass", "score": 0.8, "confidence": 0.7, "chance_good": 0.9}
    said = judged("abstain", 0.0, details={"calibration": told})
    said = ResultRecord(node="rubric", check="rubric", version="1", status="abstain", judge="openai/m", confidence_source="reported", details={"calibration": told})  # fmt: skip
    record = made(results=(said,))
    (sample,) = [s for s in samples_of(LabelledVerification(record, NOON, None, "pass")) if s.source.check == "rubric"]
    assert (sample.status, sample.score, sample.source.kind) == ("pass", 0.8, "reported")


def test_versions_are_kept_and_one_is_applied_by_choice(sqlite_url):
    store: Any = open_store(sqlite_url)

    async def work() -> None:
        first = await artifacts.keep(store, cal.fit(many(120), name="rubric"))
        second = await artifacts.keep(store, cal.fit(many(200), name="rubric"))
        other = await artifacts.keep(store, cal.fit(many(120), name="rubric", workspace="other"))
        assert [first.ref, second.ref, other.ref] == ["rubric@1", "rubric@2", "rubric@1"]
        assert await artifacts.calibration_in_force(store, "default") is None
        await artifacts.apply(store, "default", "rubric@1")
        assert await artifacts.calibration_in_force(store, "default") == first
        assert await artifacts.calibration_in_force(store, "other") is None
        assert [one.ref for one in await artifacts.stored_calibrations(store, "default")] == ["rubric@2", "rubric@1"]
        assert (await artifacts.calibration_named(store, "default", "rubric")).ref == "rubric@2"
        await artifacts.apply(store, "default", None)
        assert await artifacts.calibration_in_force(store, "default") is None
        with pytest.raises(UnknownNameError, match="rubric@9"):
            await artifacts.apply(store, "default", "rubric@9")
        with pytest.raises(InputError, match="name"):
            await artifacts.keep(store, cal.fit(many(120), name="No Good"))
        await store.close()

    asyncio.run(work())


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_calibrations_kept_at_the_same_time_are_versions_of_their_own(kind, sqlite_url, request):
    url = {"memory": "memory:", "sqlite": sqlite_url}.get(kind) or request.getfixturevalue("postgres_url")
    fits = [cal.fit(many(120 + n), name="rubric") for n in range(6)]

    async def work() -> tuple[list[Calibration], list[Calibration]]:
        one: Any = open_store(url)
        other: Any = one if kind == "memory" else open_store(url)
        made = await asyncio.gather(*(artifacts.keep((one, other)[n % 2], fit) for n, fit in enumerate(fits)))
        found = [await artifacts.calibration_named(other, "default", each.ref) for each in made]
        for store in {one, other}:
            await store.close()
        return made, found

    made, found = asyncio.run(work())
    assert sorted(each.ref for each in made) == [f"rubric@{n}" for n in range(1, 7)]
    assert [each.samples for each in found] == [fit.samples for fit in fits], "each name is of what was kept under it"


def test_a_covered_result_carries_its_chance_and_the_name():
    (fit,) = cal.fit(many(800, sharp=20), risk=0.1).fits
    assert fit.certificate is not None
    assert fit.certificate.threshold is not None
    result = Result(status="fail", score=0.02, confidence=0.75, confidence_source="reported", judge="openai/m", check="rubric", version="1")  # fmt: skip
    sure = calibrated(result, fit, "rubric@3")
    assert sure.confidence_source == "calibrated"
    assert sure.confidence > 0.9
    assert sure.details["calibration"]["by"] == "rubric@3"
    doubtful = 1 - fit.certificate.threshold + 0.05
    unsure = calibrated(Result(status="fail", score=doubtful, confidence=0.75, confidence_source="reported", judge="openai/m"), fit, "rubric@3")  # fmt: skip
    assert (unsure.status, unsure.cause, unsure.score) == ("abstain", "undecided", None)
    assert unsure.details["calibration"]["score"] == doubtful


def test_only_a_calibrated_judge_brings_a_failure(register, sqlite_url):
    """Before: at most partial. Applied: fail, with the artefact named in the record. Pinned to none: as before."""

    @register("insight_judged")
    def insight_judged() -> Any:
        def look(case: Case, prior: Any) -> Result:
            return Result(status="fail", score=0.02, confidence=0.75, confidence_source="reported", judge="openai/m", independence="family")  # fmt: skip

        return look

    source = JudgeSource(check="insight_judged", version="1", judge="openai/m", kind="reported")
    case = Case(
        subject={"kind": "task_output", "text": "x"}, criteria=[{"check": "insight_judged", "must_pass": False}]
    )

    async def work() -> None:
        store: Any = open_store(sqlite_url)
        kept = await artifacts.keep(store, cal.fit(many(800, source, sharp=20), name="judge", risk=0.1))
        before = await Verifier(store=store).verify(case)
        await artifacts.apply(store, "default", kept.ref)
        after = await Verifier(store=store).verify(case)
        assert before.outcome == "partial"
        assert after.outcome == "fail"
        assert after.confidence_source == "calibrated"
        (said,) = [said for said in after.results if said.check == "insight_judged"]
        assert said.details["calibration"]["by"] == "judge@1"
        from witnessmark.settings import Settings

        without = await Verifier(Settings(calibration="none"), store=store).verify(case)
        assert without.outcome == "partial"
        with pytest.raises(ConfigError, match="judge@7"):
            await Verifier(Settings(calibration="judge@7"), store=store).verify(case)
        await store.close()

    asyncio.run(work())


def test_samples_are_read_from_a_file_with_the_line_that_is_wrong(root):
    found = read_samples.read((root / "examples" / "calibration.jsonl").read_bytes().splitlines())
    assert len(found) >= 200
    with pytest.raises(InputError, match=r"line 2: stat"):
        read_samples.read(
            [b'{"check":"a","good":true,"status":"pass","score":1}', b'{"check":"a","good":true,"stat":"pass"}']
        )
    with pytest.raises(InputError, match=r"line 1: score"):
        read_samples.read([b'{"check":"a","good":true,"status":"pass"}'])
    with pytest.raises(InputError, match="no sample"):
        read_samples.read([])
