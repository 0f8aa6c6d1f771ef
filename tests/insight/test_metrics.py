"""Every figure has an exact numerator and denominator, is unknown until there is enough, and says where it stands."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.core.errors import InputError
from witnessmark.core.record import Entry, ResultRecord
from witnessmark.insight.alerts import alerts, drift
from witnessmark.insight.dictionary import BY_NAME, DICTIONARY
from witnessmark.insight.figure import Figure
from witnessmark.insight.metrics import breakdowns, calls_saved, figures, figures_of, measured
from witnessmark.insight.overview import Overview, overview
from witnessmark.insight.period import gather
from witnessmark.insight.roi import compute_roi, retry_pays
from witnessmark.server.pages.charts import outcomes
from witnessmark.stores import open_store
from witnessmark.testing.records import DAY, NOON, entry, made, word


def kept(*entries: Entry) -> Any:
    store = open_store("memory:")
    asyncio.run(store.append(list(entries)))
    return store


def ended(outcome: str, action: str, truth: str, n: int, **more: Any) -> list[Entry]:
    """So many verifications decided this way, and how the work ended."""
    found = []
    for _ in range(n):
        record = made(outcome=outcome, action=action, **more)
        found += [entry(record, work_usd=0.1, agent="writer"), word(record, truth)]
    return found


def of(store: Any) -> dict[str, Figure]:
    return asyncio.run(figures(store, "default"))


def test_catch_rate_is_caught_of_caught_and_missed():
    store = kept(*ended("fail", "abort", "fail", 15), *ended("pass", "accept", "fail", 5))
    figure = of(store)["catch_rate"]
    assert (figure.numerator, figure.denominator, figure.value) == (15, 20, 0.75)  # req: S0-095
    assert figure.target == 0.70
    assert figure.low == pytest.approx(0.5313, abs=1e-4)
    assert figure.high == pytest.approx(0.8881, abs=1e-4)


@pytest.mark.parametrize("work_usd", [1.0, 2.0])
def test_a_share_of_dollars_has_no_interval_whatever_the_work_cost(work_usd):
    """One dollar of work in one run is a sum of money, and no sample of one."""
    figure = of(kept(entry(made(), cost_usd=0.4 * work_usd, work_usd=work_usd)))["verification_cost_share"]
    assert (figure.value, figure.n, figure.low, figure.high) == (0.4, 1, None, None)


def test_a_judge_that_says_nothing_is_counted_among_what_is_unverified():
    words = ("pass", "abstain", "error", "error")
    said = tuple(
        ResultRecord(node=f"n{n}", check="rubric", version="1", status=word, judge="openai/m")
        for n, word in enumerate(words)
    )
    (group,) = asyncio.run(overview(kept(entry(made(results=said))), "default")).by_judge
    assert (group.runs, group.outcomes) == (4, {"pass": 1, "unverified": 3})
    assert [(bar.name, bar.n) for bar in outcomes(group) if bar.n] == [("pass", 1), ("unverified", 3)]


def test_false_rejection_is_told_over_all_and_over_the_good():
    """Both readings; the alert goes by the first, as the source document writes it."""
    store = kept(
        *ended("fail", "abort", "pass", 6), *ended("pass", "accept", "pass", 24), *ended("fail", "retry", "fail", 10)
    )
    found = of(store)
    assert found["false_rejection_rate"].value == pytest.approx(6 / 40)  # req: S0-096
    assert found["false_rejection_of_good"].value == pytest.approx(6 / 30)  # req: C11
    assert found["false_rejection_rate"].state == "below_target"
    assert BY_NAME["false_rejection_rate"].alert == 0.15


def test_what_was_handed_to_a_person_is_neither_caught_nor_missed():
    store = kept(*ended("unverified", "escalate", "fail", 30), *ended("fail", "abort", "fail", 20))
    found = of(store)["catch_rate"]
    assert (found.numerator, found.denominator) == (20, 20)


def test_work_that_ended_in_part_settles_nothing():
    store = kept(*ended("pass", "accept", "partial", 30))
    assert of(store)["false_acceptance_rate"].n == 0


def test_rates_are_unknown_until_outcomes_are_recorded():
    """Not one verification's end is known at first; then too few; then enough."""
    record = made(outcome="fail", action="abort")
    assert of(kept(entry(record)))["catch_rate"].state == "unknown"  # req: C12
    few = of(kept(*ended("fail", "abort", "fail", 19)))["catch_rate"]
    assert (few.state, few.value, few.n) == ("unknown", None, 19)
    assert few.low is not None  # the interval says how little is known
    assert of(kept(*ended("fail", "abort", "fail", 20)))["catch_rate"].state == "ok"


def test_retry_success_is_passed_retries_of_all_retries():
    first = made(outcome="partial", action="retry", categories=("missing_section",))
    good = [made(attempt=2, parent=first.id) for _ in range(14)]
    bad = [made(attempt=2, parent=first.id, outcome="fail", action="abort") for _ in range(6)]
    store = kept(entry(first), *(entry(record) for record in good + bad))
    found = of(store)["retry_success"]
    assert (found.numerator, found.denominator, found.value) == (14, 20, 0.7)  # req: S0-097
    assert found.state == "ok"  # 70 % is measured, not assumed
    assert BY_NAME["retry_success"].target == 0.60  # req: C14
    by_issue = breakdowns(asyncio.run(gather(store, "default")))["retry_success.by_issue"]
    assert by_issue["missing_section"].value == 0.7  # req: S0-087
    assert asyncio.run(overview(store, "default")).patterns[0].retry_success == 0.7  # req: S0-086


def test_first_attempts_that_pass_and_retries_a_request_needs():
    first = [made(outcome="pass" if n < 15 else "partial", action="accept" if n < 15 else "retry") for n in range(25)]
    later = [made(attempt=2, parent=record.id) for record in first[15:]]
    store = kept(*(entry(record) for record in first + later))
    found = of(store)
    assert found["pass_at_first_attempt"].value == 15 / 25  # req: S1-035
    assert found["mean_retries"].value == 10 / 25  # req: S1-036
    assert found["pass_rate"].value == 25 / 35  # req: C70


def test_retries_needed_stand_beside_what_was_expected():
    first = [made() for _ in range(65)] + [made(outcome="partial", action="retry") for _ in range(35)]
    second = [made(attempt=2, parent=record.id) for record in first[65:]]
    third = [made(attempt=3, parent=record.id) for record in second[:4]]
    shares = asyncio.run(overview(kept(*(entry(r) for r in first + second + third)), "default")).retries_needed
    assert [(s.name, s.n, s.share) for s in shares] == [("0", 65, 0.65), ("1", 31, 0.31), ("2", 4, 0.04)]
    assert [(s.low, s.high) for s in shares] == [(0.60, 0.70), (0.25, 0.30), (0.0, 0.05)]  # req: S0-053


@pytest.mark.parametrize("attempt", [10, 50, 2**62])
def test_many_retries_are_counted_together_whatever_number_an_attempt_is_given(attempt):
    records = [made(), made(), *(made(attempt=number) for number in range(2, 10)), made(attempt=attempt)]
    shares = asyncio.run(overview(kept(*map(entry, records)), "default")).retries_needed
    assert [(s.name, s.n) for s in shares] == [("0", 1), *((str(number), 0) for number in range(1, 9)), ("9+", 1)]


def test_confidence_has_a_histogram_for_each_kind():
    records = [made(confidence=c, confidence_source=s) for c, s in ((0.7, "reported"), (0.95, "calibrated"), (1.0, "reported"))]  # fmt: skip
    found = asyncio.run(overview(kept(*map(entry, records)), "default")).confidence
    assert found == {  # req: S1-037
        "reported": (0, 0, 0, 0, 0, 0, 0, 1, 0, 1),
        "calibrated": (0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
    }


def test_common_failures_come_first():
    records = [made(categories=("truncated",)) for _ in range(3)] + [made(categories=("wrong_format",))]
    found = asyncio.run(overview(kept(*map(entry, records)), "default")).patterns
    assert [(p.category, p.runs) for p in found] == [("truncated", 3), ("wrong_format", 1)]  # req: S1-038


def test_overrides_are_counted_where_people_disagree():
    same, other = made(outcome="fail", action="abort"), made(outcome="fail", action="abort", categories=("truncated",))
    rest = [made(checkpoint="answer") for _ in range(38)]
    store = kept(
        *(entry(r, agent="writer") for r in (same, other, *rest)),
        word(same, "fail", "override"),
        word(other, "pass", "override"),
    )
    found = of(store)["override_rate"]
    assert (found.numerator, found.denominator) == (1, 40)  # req: S1-039
    assert found.value == 1 / 40  # req: S2-107
    by = breakdowns(asyncio.run(gather(store, "default")))
    assert by["override_rate.by_level"]["answer"].value == 0.0
    assert by["override_rate.by_agent"]["writer"].numerator == 1
    assert by["override_rate.by_category"]["truncated"].numerator == 1
    # Good work that a person let through after all is a false rejection, known from the override alone.
    assert of(store)["false_rejection_rate"].numerator == 1  # req: S2-112


def test_agents_have_figures_of_their_own():
    """For an agent without memory this is the only sign of its quality."""
    records = [made(score=0.9), made(outcome="fail", action="abort", score=0.1)]
    store = kept(*(entry(r, agent="contractor-7") for r in records), entry(made(), agent="other"))
    found = {agent.name: agent for agent in asyncio.run(overview(store, "default")).by_agent}
    assert {name: (agent.runs, agent.outcomes) for name, agent in found.items()} == {
        "contractor-7": (2, {"pass": 1, "fail": 1}), "other": (1, {"pass": 1}),
    }  # req: S2-120  # fmt: skip
    assert found["contractor-7"].mean_score == pytest.approx(0.5)


def test_scores_stand_by_complexity():
    records = [entry(made(score=0.5), complexity="SIMPLE"), entry(made(score=1.0), complexity="CRITICAL")]
    found = asyncio.run(overview(kept(*records), "default")).by_complexity
    assert {g.name: g.mean_score for g in found} == {"SIMPLE": 0.5, "CRITICAL": 1.0}


def test_a_threshold_saves_calls():
    """Scores in bins of 0.05: of ten runs that 0.9 would send back, three lie between 0.7 and 0.9."""
    bins = [0] * 20
    bins[3], bins[14], bins[17], bins[19] = 7, 2, 1, 50
    assert calls_saved(bins, 0.7, 0.9) == (3, 10)  # req: S0-084
    records = [made(score=s) for s in (0.1,) * 14 + (0.7,) * 6 + (0.95,) * 10]
    assert of(kept(*map(entry, records)))["calls_saved"].value == 6 / 20


def test_a_retry_is_weighed_against_the_failure():
    cheap = retry_pays(0.7)
    assert (cheap.retry_usd, cheap.failure_usd) == (0.002, 0.05)
    assert cheap.pays  # req: S0-085
    assert cheap.expected_usd == pytest.approx(0.7 * 0.05 - 0.002)
    assert cheap.break_even == pytest.approx(0.04)
    assert not retry_pays(0.03).pays
    with pytest.raises(InputError, match="success"):
        retry_pays(1.2)


def test_verifying_pays_when_it_costs_less_than_what_it_prevents():
    caught = ended("fail", "abort", "fail", 10)
    store = kept(*caught, *ended("fail", "abort", "pass", 5), entry(made(), cost_usd=0.3, work_usd=1.0))
    report = compute_roi(asyncio.run(gather(store, "default")), failure_usd=0.05, retry_usd=0.002)
    assert report.spent_usd == pytest.approx(0.3)
    assert report.prevented_usd == pytest.approx(0.5)
    assert report.net_usd == pytest.approx(0.5 - 0.01 - 0.3)  # req: S0-108
    assert report.pays
    found = of(store)
    assert found["verification_return"].numerator == pytest.approx(1.0)  # ten failures of work that cost 0.10
    assert found["verification_cost_share"].value == pytest.approx(0.3 / (15 * 0.1 + 1.0))


def test_of_an_answer_the_loop_and_the_reviewed_sample_are_told():
    starts = [made(checkpoint="answer", outcome="partial", action="correct") for _ in range(5)]
    others = [made(checkpoint="answer") for _ in range(20)]
    fixed = [made(checkpoint="answer", attempt=2, parent=record.id) for record in starts]
    words = [word(record, "fail" if n == 0 else "pass") for n, record in enumerate(others)]
    found = of(kept(*(entry(r) for r in starts + others + fixed), *words))
    assert found["corrective_trigger_rate"].value == 5 / 25
    assert (found["corrective_success_rate"].numerator, found["corrective_success_rate"].denominator) == (5, 5)
    assert found["hallucination_rate"].value == 1 / 20


def test_second_readings_count_as_cost_and_nothing_else():
    record = made()
    audit = made(kind="audit", parent=record.id)
    store = kept(entry(record, cost_usd=0.01), entry(audit, cost_usd=0.02))
    found = asyncio.run(overview(store, "default"))
    assert (found.runs, found.cost.verification_usd) == (1, pytest.approx(0.03))


# --- the dictionary ---------------------------------------------------------------------------------------------------


def test_every_metric_is_measured_and_every_figure_is_in_the_dictionary():
    found = of(kept())
    assert list(found) == [metric.name for metric in DICTIONARY]
    for metric in DICTIONARY:
        assert metric.numerator
        assert metric.denominator
        assert metric.meaning


def test_names_that_mean_two_things_stand_only_among_the_aliases():
    for metric in DICTIONARY:
        said = f"{metric.name} {metric.numerator} {metric.denominator} {metric.meaning}".lower()
        assert "false positive" not in said  # req: C59
        assert "false negative" not in said
    assert any("false_positive_rate" in alias for alias in BY_NAME["false_rejection_rate"].aliases)


# --- states, alerts, advice -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "good", "between", "bad"),
    [("catch_rate", 0.70, 0.65, 0.59), ("false_rejection_rate", 0.10, 0.12, 0.16), ("retry_success", 0.60, 0.55, 0.49)],
)
def test_there_are_three_states_between_target_and_alert(name, good, between, bad):
    metric = BY_NAME[name]
    states = [measured(metric, round(value * 1000), 1000, 1000).state for value in (good, between, bad)]
    assert states == ["ok", "below_target", "alert"]  # req: C10
    assert measured(metric, round(bad * 10), 10, 10).state == "unknown"


def raised(name: str, value: float) -> Any:
    (alert,) = alerts({name: measured(BY_NAME[name], round(value * 1000), 1000, 1000)})
    return alert


def test_a_low_catch_rate_is_a_grave_alert():
    alert = raised("catch_rate", 0.59)
    assert (alert.name, alert.severity) == ("low_catch_rate", "high")  # req: S0-102
    assert "raise" in alert.advice or "higher pass threshold" in alert.advice  # req: S0-092
    assert alerts({"catch_rate": measured(BY_NAME["catch_rate"], 600, 1000, 1000)}) == ()


def test_many_false_rejections_are_an_alert():
    alert = raised("false_rejection_rate", 0.16)
    assert (alert.name, alert.severity) == ("high_false_rejection", "medium")  # req: S0-103
    assert "lower pass threshold" in alert.advice  # req: S0-091
    assert "relax the thresholds" in alert.advice
    assert alerts({"false_rejection_rate": measured(BY_NAME["false_rejection_rate"], 150, 1000, 1000)}) == ()


def test_retries_that_do_not_help_are_an_alert():
    alert = raised("retry_success", 0.49)
    assert (alert.name, alert.severity) == ("low_retry_success", "medium")  # req: S0-104
    assert "feedback" in alert.advice
    assert "prompts" in alert.advice


def test_the_gravest_alert_comes_first():
    bad = {name: measured(BY_NAME[name], n, 100, 100) for name, n in (("retry_success", 1), ("catch_rate", 1))}
    assert [alert.severity for alert in alerts(bad)] == ["high", "medium"]


def test_a_judge_that_changed_is_told_apart_from_a_new_check():
    fitted = [("rubric", "1", "openai/m")]
    seen = [("rubric", "1", "openai/m"), ("rubric", "2", "openai/m"), ("grounding", "1", "openai/m")]
    (alert,) = drift(seen, fitted)
    assert "The check rubric, version 2, by openai/m" in alert.message


# --- the overview -----------------------------------------------------------------------------------------------------


def test_a_few_days_are_drawn_by_the_hour_and_more_by_the_day():
    entries = [
        entry(made(), NOON),
        entry(made(outcome="fail", action="abort"), NOON + 3600),
        entry(made(), NOON + 9 * DAY),
    ]
    store = kept(*entries)
    days = asyncio.run(overview(store, "default"))
    assert [(p.runs, p.outcomes) for p in days.series] == [(2, {"pass": 1, "fail": 1}), (1, {"pass": 1})]
    hours = asyncio.run(overview(store, "default", NOON, NOON + 7200))
    assert (hours.unit, [p.runs for p in hours.series]) == ("hour", [1, 1])
    assert hours.runs == 2


def test_an_empty_workspace_has_an_overview_too(sqlite_url):
    store = open_store(sqlite_url)
    found = asyncio.run(overview(store, "nobody"))
    assert found.runs == 0
    assert {figure.state for figure in found.figures.values()} == {"unknown"}
    assert msgspec.json.decode(msgspec.json.encode(found), type=Overview) == found


def test_one_workspace_does_not_count_in_another():
    store = kept(entry(made()), entry(made(workspace="other")))
    assert asyncio.run(overview(store, "other")).runs == 1


@given(st.integers(0, 400), st.integers(20, 400))
def test_an_interval_holds_its_value_and_lies_in_bounds(numerator, denominator):
    figure = measured(BY_NAME["catch_rate"], min(numerator, denominator), denominator, denominator)
    assert figure.value is not None
    assert figure.low is not None
    assert figure.high is not None
    assert 0 <= figure.low <= figure.value + 1e-12 <= figure.high + 2e-12 <= 1 + 4e-12
    assert math.isfinite(figure.low)


def test_figures_from_a_file_are_those_from_memory(sqlite_url):
    entries = [*ended("fail", "abort", "fail", 20), *ended("pass", "accept", "pass", 20)]
    store = open_store(sqlite_url)
    asyncio.run(store.append(entries))
    assert of(store) == of(kept(*entries))
    assert figures_of(asyncio.run(gather(store, "default"))) == of(store)
