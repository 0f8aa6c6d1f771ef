"""From results to one verdict and one decision, exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.core.allowance import backoff_s, bypass, may_retry
from witnessmark.core.case import Answer, Case
from witnessmark.core.errors import ConfigError
from witnessmark.core.graph import Node
from witnessmark.core.policy import Policy, conclude, decide, feedback, layered
from witnessmark.core.registry import ReadyCheck
from witnessmark.core.verdict import CATEGORIES, Claim, Finding, Result, abstained, failed, passed

DIMENSIONS = {"completeness": 0.4, "consistency": 0.2, "groundedness": 0.2, "routability": 0.2}


def row(result, name="check", weight=1.0, must_pass=False, cost="instant", criterion=None, asked=False):
    check = ReadyCheck(name, "1", cost, {}, lambda case, prior: result)
    return Node(check, weight=weight, must_pass=must_pass, criterion=criterion, asked=asked), result


def scored(score, source="deterministic", **more):
    status = "pass" if score >= 0.7 else "partial" if score > 0 else "fail"
    if source != "deterministic":
        more = {"confidence": 0.9, "independence": "family"} | more
    return Result(status=status, score=score, confidence_source=source, **more)


def judged(score, **more):
    return scored(score, "reported", **more)


def plan(scores):
    return [row(scored(s), name, weight) for (name, weight), s in zip(DIMENSIONS.items(), scores, strict=True)]


ORIGINAL = Policy(profile="original", retry_below_floor="never", on_exhausted="abort")

# --- the weighted mean, exactly ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "printed", "true"),
    [
        ((0.95, 1.0, 0.9, 1.0), 0.94, 0.96),
        ((0.5, 0.9, 0.8, 0.7), 0.65, 0.68),
        ((0.9, 0.95, 0.85, 0.9), 0.89, 0.90),
        ((0.2, 0.8, 0.3, 0.5), 0.35, 0.40),
        ((0.4, 0.9, 0.4, 0.6), 0.52, 0.54),
        ((0.3, 0.6, 0.4, 0.5), 0.42, 0.42),
    ],
)
def test_the_worked_scores_are_recomputed_and_the_printed_ones_are_errata(scores, printed, true):
    assert conclude(ORIGINAL, plan(scores)).score == true  # req: S0-036
    as_printed = conclude(ORIGINAL, plan([printed] * 4))
    assert as_printed.outcome == conclude(ORIGINAL, plan(scores)).outcome, "no verdict hangs on it"  # req: C01


def test_example_3_attempt_1_ends_by_the_rule_and_is_tried_again_by_the_salvage():
    rows = plan((0.2, 0.8, 0.3, 0.5))
    verdict = conclude(ORIGINAL, rows)
    assert (verdict.score, verdict.outcome) == (0.4, "fail")
    assert decide(ORIGINAL, verdict, rows, 1).action == "abort"
    salvage = layered(ORIGINAL, {"workspace": {"retry_below_floor": "first_attempt"}})
    assert [decide(salvage, verdict, rows, attempt).action for attempt in (1, 2)] == ["retry", "abort"]  # req: S0-117


def test_weights_are_part_of_the_policy():
    rows = plan((1.0, 0.0, 0.0, 0.0))
    assert conclude(ORIGINAL, rows).score == 0.4
    heavier = layered(ORIGINAL, {"workspace": {"weights": {"completeness": 1.4}}})
    assert conclude(heavier, rows).score == 0.7  # req: S0-037


def test_every_combination_on_the_grid_gets_the_verdict_its_exact_sum_deserves():
    """Seed 0, weakness 7: 69 of the combinations that are exactly 0.50 came out below it, one that is 0.70 below 0.7.

    All 194,481 combinations of four scores on the 0.05 grid are summed exactly; those on or beside a boundary (the 4,441
    of the weakness and more) go through the policy.
    """
    seen = near = 0
    for combo in product(range(21), repeat=4):
        exact = 2 * combo[0] + sum(combo[1:])  # in hundredths
        if exact not in (49, 50, 51, 69, 70, 71):
            continue
        near += 1
        verdict = conclude(ORIGINAL, plan([n / 20 for n in combo]))
        wanted = "pass" if exact >= 70 else "partial" if exact >= 50 else "fail"
        # accept needs at least one pass: four partials of 0.65 to 0.69 cannot reach 0.70 on this grid
        assert verdict.outcome == wanted, combo
        assert verdict.score == float(Fraction(exact, 100))
        seen += exact in (50, 70)
    assert seen >= 4_441
    assert near > seen


@given(
    st.lists(st.tuples(st.integers(0, 1000), st.integers(1, 50)), min_size=1, max_size=8),
    st.integers(0, 1000),
)
def test_a_mean_reaches_a_threshold_exactly_when_its_fraction_does(parts, threshold):
    rows = [row(scored(s / 1000), f"n{i}", w / 10) for i, (s, w) in enumerate(parts)]
    mean = Fraction(sum(s * w for s, w in parts), 1000 * sum(w for _, w in parts))
    policy = Policy(pass_threshold=threshold / 1000, retry_threshold=0.0, min_confidence=0.0)
    passes = conclude(policy, rows).outcome == "pass"
    assert passes == (mean >= Fraction(threshold, 1000) and any(s >= 700 for s, _ in parts))


# --- the outcome -------------------------------------------------------------------------------------------------


def test_pass_at_the_threshold_and_not_below_it():
    assert conclude(Policy(), [row(scored(0.7))]).outcome == "pass"  # req: S0-038
    assert conclude(Policy(), [row(scored(0.7)), row(scored(0.69))]).outcome == "partial"


def test_between_the_thresholds_it_is_tried_again_and_below_it_fails():
    middle = plan((0.5, 0.9, 0.8, 0.7))
    verdict = conclude(ORIGINAL, middle)
    assert decide(ORIGINAL, verdict, middle, attempt=1).action == "retry"  # req: S0-039
    low = plan((0.2, 0.8, 0.3, 0.5))
    assert decide(ORIGINAL, conclude(ORIGINAL, low), low, attempt=1).action == "abort"  # req: S0-040
    assert decide(ORIGINAL, verdict, middle, attempt=3).action == "abort"


def test_a_pass_counts_even_when_every_revision_is_spent():
    rows = plan((0.9, 0.9, 0.9, 0.9))
    assert decide(ORIGINAL, conclude(ORIGINAL, rows), rows, attempt=3).action == "accept"


def test_a_named_fault_of_what_must_pass_is_told_though_nobody_could_say_the_rest():
    named = row(Result(status="partial", score=0.5, findings=(Finding(message="a step is empty"),)), "s", 0.0, True)
    bare = row(Result(status="partial", score=0.5, reason="one of two is not known"), "s", 0.0, True)
    guess = row(judged(0.5, findings=(Finding(message="a step is vague"),)), "s", 0.0, True)
    unread = row(abstained("no_judge", "nobody to ask"), "c")
    verdict = conclude(Policy(), [named, unread])
    assert (verdict.outcome, verdict.score, verdict.unverified_because) == ("partial", None, None)
    assert decide(Policy(), verdict, [named, unread]).action == "retry"
    assert [conclude(Policy(), [other, unread]).outcome for other in (bare, guess)] == ["unverified"] * 2


def test_a_failed_must_pass_fails_whatever_the_score():
    rows = [row(scored(1.0), weight=100.0), row(failed("no"), must_pass=True)]
    assert conclude(Policy(), rows).outcome == "fail"  # req: S2-084


def test_a_deterministic_failure_that_need_not_pass_scores_zero_and_counts():
    rows = [row(passed()), row(passed()), row(passed()), row(failed("no"))]
    verdict = conclude(Policy(), rows)
    assert (verdict.outcome, verdict.score) == ("pass", 0.75)  # req: C29


@pytest.mark.parametrize(
    ("found", "without", "with_a_judge"),
    [
        (failed("an invented figure"), "fail", "fail"),
        (scored(0.6, findings=(Finding(message="a file that is not there"),)), "partial", "partial"),
        (scored(0.6), "partial", "pass"),  # computed, and nothing that is wrong for certain
        (scored(0.9), "pass", "pass"),
    ],
)
def test_what_a_checkpoint_finds_for_certain_is_never_outvoted_by_a_judge(found, without, with_a_judge):
    assert conclude(Policy(), [row(found)]).outcome == without
    assert conclude(Policy(), [row(found), row(judged(1.0), weight=5.0)]).outcome == with_a_judge


def test_what_the_case_itself_asked_for_weighs_as_it_says():
    rows = [row(failed("too long"), asked=True), row(judged(1.0), weight=5.0)]
    assert conclude(Policy(), rows).outcome == "pass"
    assert conclude(ORIGINAL, [row(failed("x")), row(judged(1.0), weight=5.0)]).outcome == "pass", "it averages"


def test_coverage_is_the_settled_share_and_a_skipped_check_was_asked():
    rows = [row(passed(), weight=3.0), row(Result(status="skipped", cause="skipped"), weight=1.0)]
    verdict = conclude(Policy(), rows)
    assert (verdict.coverage, verdict.score, verdict.outcome) == (0.75, 1.0, "partial")


@pytest.mark.parametrize("status", ["abstain", "error", "skipped"])
def test_some_unsettled_is_at_most_partial_and_the_score_is_the_mean_of_the_settled(status):
    rows = [row(passed()), row(Result(status=status, cause="no_judge"))]
    verdict = conclude(Policy(), rows)
    assert (verdict.outcome, verdict.score, verdict.coverage) == ("partial", 1.0, 0.5)
    assert decide(Policy(), verdict, rows).action == "warn"


def test_too_little_settled_is_unverified_with_the_cause():
    rows = [row(passed()), row(abstained("no_judge", "")), row(abstained("budget", ""))]
    verdict = conclude(Policy(), rows)
    assert (verdict.outcome, verdict.unverified_because) == ("unverified", "no_judge")
    assert decide(Policy(), verdict, rows).action == "escalate"


def test_an_unsettled_must_pass_is_unverified_unless_another_one_failed():
    unsettled = row(abstained("deadline", ""), must_pass=True)
    assert conclude(Policy(), [row(passed(), weight=9.0), unsettled]).unverified_because == "deadline"
    assert conclude(Policy(), [row(failed("x"), must_pass=True), unsettled]).outcome == "fail"


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [row(passed(), weight=0.0, must_pass=True)],
        [row(abstained("no_claims", ""))],
        [row(Result(status="error", cause="check_missing"))],
        [row(Result(status="skipped", cause="skipped")), row(Result(status="skipped", cause="skipped"))],
    ],
)
def test_nothing_checked_never_passes(rows):
    verdict = conclude(Policy(), rows)
    assert verdict.outcome == "unverified"
    assert verdict.score is None
    assert decide(Policy(), verdict, rows).action != "accept"  # req: S0-111


def test_a_guard_that_fails_fails_although_it_carries_no_weight():
    verdict = conclude(Policy(), [row(failed("empty"), weight=0.0, must_pass=True)])
    assert (verdict.outcome, verdict.score, verdict.confidence) == ("fail", None, 1.0)


def test_accept_needs_at_least_one_pass():
    rows = [row(Result(status="partial", score=0.9)), row(Result(status="partial", score=0.9))]
    assert conclude(Policy(), rows).outcome == "partial"


def test_a_low_confidence_does_not_pass_but_goes_to_a_person():
    rows = [row(judged(1.0, confidence=0.4))]
    verdict = conclude(Policy(), rows)
    assert (verdict.outcome, verdict.confidence, verdict.confidence_source) == ("partial", 0.4, "reported")  # req: C28
    assert decide(Policy(), verdict, rows).action == "escalate"  # req: S2-096


def test_a_reported_confidence_counts_for_at_most_three_quarters():
    assert conclude(Policy(), [row(judged(1.0, confidence=0.99))]).confidence == 0.75  # req: C34
    assert conclude(Policy(), [row(scored(1.0, "calibrated", confidence=0.99))]).confidence == 0.99  # req: C34
    assert (
        conclude(Policy(), [row(judged(0.1, confidence=0.6)), row(judged(1.0, confidence=0.6))]).confidence == 0.6
    )  # req: C34
    assert conclude(Policy(), [row(passed())]).confidence == 1.0


@pytest.mark.parametrize("certain", [1, 9])
@pytest.mark.parametrize(("score", "outcome"), [(1.0, "pass"), (0.0, "partial")])
def test_what_is_certain_beside_it_does_not_make_a_reported_confidence_surer(certain, score, outcome):
    rows = [row(judged(score, confidence=0.99)), *(row(passed()) for _ in range(certain))]
    verdict = conclude(Policy(pass_threshold=0.95), rows)
    assert (verdict.outcome, verdict.confidence, verdict.confidence_source) == (outcome, 0.75, "reported")
    measured = [row(scored(score, "calibrated", confidence=0.99)), *rows[1:]]
    assert conclude(Policy(), measured).confidence > 0.75


@pytest.mark.parametrize("way", ["correct", "switch"])
def test_a_criterion_that_only_a_judge_finds_unmet_is_tried_again_by_whoever_wrote_it(way):
    policy = Policy(revise_with=way)
    unmet, fine = row(judged(0.0), "tone", asked=True), row(passed(), "grounding")

    def action(*rows, policy=policy):
        return decide(policy, conclude(policy, rows), rows).action

    assert action(unmet, fine) == "retry"
    assert action(unmet, row(judged(0.0), "grounding")) == way, "the checkpoint's own finding is mended its way"
    assert action(unmet, row(failed("deterministic"), "length", asked=True)) == way
    assert action(row(scored(0.0, "calibrated"), "tone", asked=True), fine) == way
    assert action(unmet, fine, policy=Policy(revise_with=way, profile="original")) == way


def test_an_uncalibrated_judge_brings_it_down_to_partial_and_no_further():
    rows = [row(judged(0.0)), row(judged(0.1))]
    verdict = conclude(Policy(), rows)
    assert verdict.outcome == "partial"
    assert decide(Policy(), verdict, rows).action == "retry"
    assert decide(Policy(on_exhausted="abort"), verdict, rows, attempt=3).action == "escalate"
    assert conclude(Policy(), [row(scored(0.0, "calibrated"))]).outcome == "fail"
    assert conclude(Policy(), [row(judged(0.0), must_pass=True)]).outcome == "fail"
    assert conclude(Policy(), [row(judged(0.0)), row(failed("deterministic"))]).outcome == "fail"
    assert conclude(ORIGINAL, rows).outcome == "fail"


def test_a_judge_that_is_not_independent_enough_settles_nothing():
    strict = Policy(independence="family")
    same_model = row(judged(1.0, independence="prompt"))
    assert conclude(strict, [same_model]).unverified_because == "no_judge"
    assert conclude(strict, [row(judged(1.0, independence="family"))]).outcome == "pass"
    assert conclude(Policy(), [same_model]).independence == "prompt"


# --- the decision ------------------------------------------------------------------------------------------------


def test_a_revision_carries_feedback_basic_first_then_detailed():
    finding = Finding(message="section 'X' is missing", suggestion="Add it.", quote="abc")
    rows = [row(failed("no X", finding), name="sections", criterion="has X", must_pass=True), row(passed())]
    verdict = conclude(Policy(), rows)
    first = decide(Policy(), verdict, rows, attempt=1)
    assert first.action == "retry"
    assert first.feedback.level == "basic"
    assert first.feedback.failed == ("has X",)
    assert first.feedback.issues == ("section 'X' is missing: “abc”",)
    assert first.feedback.suggestions == ("Add it.",)
    assert (first.feedback.attempt, first.feedback.max_attempts, first.feedback.previous_score) == (1, 3, 0.5)
    assert decide(Policy(), verdict, rows, attempt=2).feedback.level == "detailed"


@pytest.mark.parametrize(
    ("rule", "action", "degraded"), [("warn", "warn", True), ("escalate", "escalate", False), ("abort", "abort", False)]
)
def test_when_the_revisions_are_spent_the_policy_says_what_happens(rule, action, degraded):
    rows = [row(failed("no"), must_pass=True)]
    policy = Policy(on_exhausted=rule)
    decision = decide(policy, conclude(policy, rows), rows, attempt=3)
    assert (decision.action, decision.degraded) == (action, degraded)
    assert decision.because == "still fail after 3 attempts"


def test_below_the_floor_is_tried_again_as_the_policy_says():
    rows = [row(failed("no")), row(failed("no"))]
    for rule, first, second in (
        ("always", "retry", "retry"),
        ("first_attempt", "retry", "abort"),
        ("never", "abort", "abort"),
    ):
        policy = Policy(retry_below_floor=rule)
        verdict = conclude(policy, rows)
        assert decide(policy, verdict, rows, attempt=1).action == first
        assert decide(policy, verdict, rows, attempt=2).action == second


@pytest.mark.parametrize(("end", "wrong", "action"), [
    ("warn", False, "warn"), ("warn", True, "escalate"), ("abort", True, "abort"), ("abort", False, "abort"),
])  # fmt: skip
def test_what_is_too_far_off_goes_to_a_person_where_a_claim_is_wrong_and_ends_only_where_the_policy_says_so(
    end, wrong, action
):
    claims = (Claim(text="x", status="contradicted", probability=0.05),) if wrong else ()
    rows = [row(Result(status="fail", score=0.0, claims=claims))]
    policy = Policy(retry_below_floor="never", on_exhausted=end)
    decided = decide(policy, conclude(policy, rows), rows)
    assert (decided.action, decided.degraded) == (action, action == "warn")


def test_an_exact_fault_is_worth_a_revision_whatever_the_score():
    rows = [row(failed("cycle"), must_pass=True)]
    policy = Policy(retry_below_floor="never")
    assert decide(policy, conclude(policy, rows), rows).action == "retry"


@pytest.mark.parametrize("how", ["retry", "switch", "correct"])
def test_how_to_revise_is_the_checkpoints_word(how):
    rows = [row(failed("no"), must_pass=True)]
    policy = Policy(revise_with=how)
    assert decide(policy, conclude(policy, rows), rows).action == how


def test_three_budgets_that_never_borrow_from_each_other():
    policy = Policy(max_revisions=1, max_judge_retries=2, max_executor_retries=0)
    assert [may_retry(policy, kind, 0) for kind in ("revision", "judge", "executor")] == [True, True, False]
    assert [may_retry(policy, kind, 1) for kind in ("revision", "judge", "executor")] == [False, True, False]


def test_backoff_doubles_up_to_its_cap():
    assert [backoff_s(Policy(), n) for n in (0, 1, 2, 8, 9, 5000)] == [1, 2, 4, 256, 300, 300]


# --- layers and bypass -------------------------------------------------------------------------------------------


def test_task_over_mission_over_workspace_and_the_decision_says_which_layer_decided():
    layers = {
        "workspace": {"pass_threshold": 0.6, "max_revisions": 5},
        "mission": {"pass_threshold": 0.8},
        "task": {"pass_threshold": 0.9},
    }
    policy = layered(Policy(), layers)
    assert (policy.pass_threshold, policy.max_revisions) == (0.9, 5)  # req: S2-103
    assert policy.layers == {"pass_threshold": "task", "max_revisions": "workspace"}
    rows = [row(scored(0.95))]
    assert decide(policy, conclude(policy, rows), rows).layer == "task"
    rows = [row(failed("no"), must_pass=True)]
    assert decide(policy, conclude(policy, rows), rows).layer == "workspace"
    assert decide(Policy(), conclude(Policy(), rows), rows).layer == "default"


@pytest.mark.parametrize(
    ("layers", "complaint"),
    [
        ({"team": {}}, "policy layer 'team' is not one of workspace, user, mission, task"),
        ({"task": {"pass_treshold": 0.5}}, "policy (task): unknown field 'pass_treshold'"),
        ({"mission": {"pass_threshold": 7}}, "policy: pass_threshold"),
        ({"workspace": {"pass_threshold": 0.3}}, "retry_threshold: 0.5 lies above pass_threshold 0.3"),
        ({"workspace": {"on_exhausted": "explode"}}, "on_exhausted"),
    ],
)
def test_a_wrong_policy_is_refused_with_its_field(layers, complaint):
    with pytest.raises(ConfigError) as refused:
        layered(Policy(), layers)
    assert complaint in str(refused.value)


def test_judges_are_left_out_by_complexity_cost_or_the_cases_own_wish():
    policy = layered(Policy(), {"workspace": {"skip_judges_at": ["SIMPLE"]}, "mission": {"skip_judges_below_usd": 0.1}})

    def why(**more):
        return bypass(policy, Case(subject=Answer(text=""), **more))

    assert why() is None
    assert why(context={"complexity": "SIMPLE"}) == "policy (workspace): no judge for SIMPLE cases"
    assert "the work cost $0.04, judges are asked from $0.1 up" in why(executor={"cost_usd": 0.04})
    assert why(executor={"cost_usd": 0.1}) is None
    assert why(context={"skip_judges": True}) == "the case opted out of judges"
    assert bypass(Policy(), Case(subject=Answer(text=""), executor={"cost_usd": 0.0})) is None


def test_feedback_is_one_value_with_levels():
    told = feedback(Policy(), conclude(Policy(), [row(passed())]), [row(passed())])
    assert (told.failed, told.issues, told.level) == ((), (), "basic")


RESULTS = st.one_of(
    st.sampled_from(["abstain", "error", "skipped"]).map(lambda s: Result(status=s, cause="undecided")),
    st.integers(0, 20).map(lambda n: scored(n / 20)),
    st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda p: judged(p[0] / 20, confidence=p[1] / 20)),
)
ROWS = st.lists(
    st.tuples(RESULTS, st.sampled_from([0.0, 0.5, 1.0, 3.0]), st.booleans()).map(
        lambda t: row(t[0], weight=t[1], must_pass=t[2])
    ),
    max_size=6,
)


@given(ROWS, st.integers(1, 4))
def test_what_always_holds(rows, attempt):
    policy = Policy()
    verdict = conclude(policy, rows)
    decision = decide(policy, verdict, rows, attempt)
    weighed = [(n, r) for n, r in rows if n.weight]
    if decision.action == "accept":
        assert verdict.outcome == "pass"
        assert any(r.status == "pass" for _, r in weighed)
        assert all(r.settled for _, r in weighed)
    if any(n.must_pass and r.status == "fail" for n, r in rows):
        assert verdict.outcome == "fail"
    hard = any(r.status == "fail" and (n.must_pass or r.confidence_source == "deterministic") for n, r in rows)
    if verdict.outcome == "fail" or decision.action == "abort":
        assert hard
    if verdict.coverage is not None and verdict.coverage < 0.5 and verdict.outcome != "fail":
        assert verdict.outcome == "unverified"
    assert (verdict.outcome == "unverified") == (verdict.unverified_because is not None)
    assert (decision.feedback is not None) == (decision.action in ("retry", "switch", "correct"))


@given(ROWS)
def test_the_verdict_does_not_depend_on_the_order_of_the_rows(rows):
    one, other = conclude(Policy(), rows), conclude(Policy(), rows[::-1])
    assert (one.outcome, one.score, one.coverage, one.confidence) == (
        other.outcome,
        other.score,
        other.coverage,
        other.confidence,
    )


class TestCategories:
    """The eight categories of an agent's own claims are words of ours; a finding takes each, and no invented one."""

    @pytest.mark.parametrize(
        "name",
        [
            "missing_field",
            "invalid_type",
            "schema_mismatch",
            "hash_mismatch",
            "anchor_mismatch",
            "file_not_found",
            "filesystem_mismatch",
            "unknown",
        ],
    )
    def test_of_the_eight(self, name):
        assert Finding(message="m", category=name).category == name

    def test_ours_beside_them(self):
        ours = {
            "judge_error", "judge_malformed", "unsupported_claim", "contradicted_claim", "criterion_unmet", "consistency_conflict",
            "placeholder_left", "non_answer", "budget_exceeded",
        }  # fmt: skip
        assert ours <= CATEGORIES  # req: C67
