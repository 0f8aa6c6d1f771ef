"""A pass is earned: nothing unread, nothing outvoted, nothing assumed. One property for each rule, over any mix of results."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.core.graph import Node
from witnessmark.core.policy import Policy, conclude, decide, wrong_claims
from witnessmark.core.registry import ReadyCheck
from witnessmark.core.verdict import ASSERTS_NOTHING, Claim, Result, abstained, passed

SHARES = st.integers(0, 100).map(lambda n: n / 100)
WRONG = Claim(text="wrong", status="unsupported", probability=0.05)


def row(result, weight=1.0, must_pass=False, name="check"):
    check = ReadyCheck(name, "1", "instant", {}, lambda case, prior: result)
    return Node(check, name=name, weight=weight, must_pass=must_pass), result


@st.composite
def results(draw):
    score = draw(SHARES)
    status = draw(st.sampled_from(["pass", "partial"])) if score < 1 else "pass"
    source = draw(st.sampled_from(["deterministic", "calibrated", "reported"]))
    return Result(
        status=status, score=score, coverage=draw(SHARES), confidence=draw(SHARES), confidence_source=source, independence="family"
    )  # fmt: skip


rows_of = st.lists(st.tuples(results(), st.integers(0, 3), st.booleans()), min_size=1, max_size=6).map(
    lambda given: [row(result, float(weight), must, f"check{n}") for n, (result, weight, must) in enumerate(given)]
)


@given(rows_of)
def test_what_asserts_and_was_not_settled_stops_a_pass(rows):
    verdict = conclude(Policy(), rows)
    if verdict.outcome == "pass":
        assert verdict.coverage == 1.0
        assert all(result.coverage == 1.0 for node, result in rows if node.weight)


def test_a_policy_may_ask_for_less_coverage():
    rows = [row(Result(status="pass", score=1.0, coverage=0.8, claims=(Claim(text="read", status="supported"),)))]
    assert conclude(Policy(), rows).outcome == "partial"
    assert conclude(Policy(pass_coverage=0.8), rows).outcome == "pass"
    assert conclude(Policy(profile="original"), rows).outcome == "pass"


@given(rows_of, st.integers(0, 5), st.integers(0, 50))
def test_one_claim_that_is_surely_wrong_stops_a_pass_whatever_the_share_of_good_ones(rows, at, good):
    claims = (*(Claim(text=f"good {n}", status="supported", probability=0.99) for n in range(good)), WRONG)
    node, _ = rows[at % len(rows)]
    rows[at % len(rows)] = (node, Result(status="pass", score=1.0, claims=claims))
    assert conclude(Policy(), rows).outcome != "pass"


@given(SHARES, SHARES, st.sampled_from(["unsupported", "contradicted", "supported", "partial", "unverifiable"]))
def test_surely_is_a_probability_of_the_policy(probability, at, status):
    claim = Claim(text="c", status=status, probability=probability)
    wrong = status not in ("supported", "unverifiable") and round(1 - probability, 9) >= at
    assert bool(wrong_claims(Policy(surely_wrong=at), [claim])) == wrong
    assert wrong_claims(Policy(profile="original", surely_wrong=at), [claim]) == ()


def test_the_score_stays_the_share_and_the_profile_original_votes():
    rows = [row(Result(status="pass", score=0.8, claims=(WRONG,)))]
    ours, letter = conclude(Policy(), rows), conclude(Policy(profile="original"), rows)
    assert (ours.outcome, ours.score) == ("partial", 0.8)
    assert (letter.outcome, letter.score) == ("pass", 0.8)


@given(
    st.lists(st.tuples(SHARES, st.sampled_from(["deterministic", "calibrated", "reported"]), st.booleans()), min_size=1)
)
def test_a_pass_is_never_surer_than_what_must_pass(given_):
    rows = [
        row(Result(status="pass", score=1.0, confidence=sure, confidence_source=source), 1.0, must, f"check{n}")
        for n, (sure, source, must) in enumerate(given_)
    ]
    verdict = conclude(Policy(min_confidence=0.0), rows)
    assert verdict.outcome == "pass"
    capped = [
        min(r.confidence, 0.75) if r.confidence_source == "reported" else r.confidence for n, r in rows if n.must_pass
    ]
    assert verdict.confidence <= min(capped, default=1.0) + 1e-9


@given(SHARES, SHARES)
def test_what_is_no_pass_is_as_sure_as_what_decided_it(other, decided):
    wrong = Result(status="partial", score=0.5, confidence=decided, confidence_source="calibrated", claims=(WRONG,))
    fine = Result(status="pass", score=1.0, confidence=other, confidence_source="calibrated")
    verdict = conclude(Policy(), [row(fine, name="a"), row(wrong, name="b", must_pass=True)])
    assert (verdict.outcome, verdict.confidence, verdict.confidence_source) == ("partial", decided, "calibrated")


@given(rows_of, SHARES)
def test_a_threshold_that_is_set_is_held(rows, threshold):
    policy = Policy(pass_threshold=threshold, retry_threshold=0.0, min_coverage=0.0)
    verdict = conclude(policy, rows)
    decision = decide(policy, verdict, rows)
    if verdict.score is not None and verdict.score < threshold:
        assert verdict.outcome != "pass"
        assert decision.action not in ("accept", "warn")


def test_a_raised_threshold_gates_where_every_part_reaches_its_own_mark():
    rows = [row(Result(status="pass", score=0.75))]
    policy = Policy(pass_threshold=0.95)
    decision = decide(policy, conclude(policy, rows), rows)
    assert (decision.action, "score 0.75 is below 0.95" in decision.because) == ("retry", True)


@pytest.mark.parametrize(
    ("sure", "source", "must", "action"),
    [
        (0.3, "reported", True, "warn"),
        (0.3, "agreement", True, "warn"),
        (0.5, "reported", True, "accept"),
        (0.3, "reported", False, "accept"),
    ],
)
def test_a_judge_that_is_unsure_of_what_must_pass_is_not_accepted_in_silence(sure, source, must, action):
    unsure = Result(status="pass", score=1.0, confidence=sure, confidence_source=source, independence="family")
    certain = Result(status="pass", score=1.0, confidence=0.75, confidence_source="reported", independence="family")
    rows = [row(unsure, 1.0, must, "a"), row(certain, 1.0, False, "b")]
    policy = Policy(layers={"min_confidence": "task"})
    verdict = conclude(policy, rows)
    decision = decide(policy, verdict, rows)
    assert (verdict.outcome, decision.action) == ("pass", action)
    if action == "warn":
        assert (decision.because, decision.layer) == ("passes, but confidence 0.3 of a is below 0.5", "task")


@pytest.mark.parametrize(
    ("status", "action"),
    [("supported", "accept"), ("partial", "warn"), ("unsupported", "warn"), ("unverifiable", "accept")],
)
def test_a_pass_with_a_claim_in_doubt_goes_on_with_a_word_of_warning(status, action):
    claims = (Claim(text="It is blue.", status="supported"), Claim(text="It is old.", status=status))
    rows = [row(Result(status="pass", score=1.0, claims=claims))]
    policy = Policy()
    verdict = conclude(policy, rows)
    decision = decide(policy, verdict, rows)
    assert (verdict.outcome, decision.action) == ("pass", action)
    if action == "warn":
        assert decision.because == "passes, but a claim is in doubt: “It is old.”"


def test_a_long_claim_in_doubt_is_quoted_on_one_line_and_shows_where_it_was_cut():
    claims = (Claim(text="It is old\nand " + "very " * 20 + "big.", status="partial"),)
    rows = [row(Result(status="pass", score=1.0, claims=claims))]
    because = decide(Policy(), conclude(Policy(), rows), rows).because
    assert because.startswith("passes, but a claim is in doubt: “It is old and very very")
    assert because.endswith("…”")
    assert len(because) < 120


@pytest.mark.parametrize("must", [True, False])
@given(sure=SHARES, asked=SHARES)
def test_a_calibrated_pass_is_as_probable_as_the_policy_asks(must, sure, asked):
    likely = Result(status="pass", score=1.0, confidence=sure, confidence_source="calibrated")
    certain = Result(status="pass", score=1.0)
    rows = [row(likely, 1.0, must, "a"), row(certain, 1.0, False, "b")]
    policy = Policy(min_confidence=asked)
    assert conclude(policy, rows).outcome == ("pass" if sure >= asked else "partial")
    assert conclude(Policy(profile="original", min_confidence=asked), rows).outcome == "pass"


def test_what_is_less_probable_than_asked_goes_to_a_person_and_says_why():
    rows = [row(Result(status="pass", score=1.0, confidence=0.79, confidence_source="calibrated"), must_pass=True)]
    policy = Policy(min_confidence=0.95, layers={"min_confidence": "workspace"})
    verdict = conclude(policy, rows)
    decision = decide(policy, verdict, rows)
    assert (verdict.outcome, verdict.confidence) == ("partial", 0.79)
    assert (decision.action, decision.because, decision.layer) == (
        "escalate",
        "confidence 0.79 is below 0.95",
        "workspace",
    )


def test_nothing_checkable_is_unverified():
    verdict = conclude(
        Policy(), [row(abstained("no_claims", "nothing is claimed")), row(passed("there is an output"), 0.0)]
    )
    assert (verdict.outcome, verdict.unverified_because, verdict.confidence) == ("unverified", "no_claims", None)


@pytest.mark.parametrize("wrong", [True, False])
def test_what_is_surely_wrong_never_goes_on_with_a_warning(wrong):
    rows = [row(Result(status="partial", score=0.6, claims=(WRONG,) if wrong else ()))]
    policy = Policy(on_exhausted="warn")
    decision = decide(policy, conclude(policy, rows), rows, attempt=3)
    assert (decision.action, decision.degraded) == (("escalate", False) if wrong else ("warn", True))


def test_the_list_of_what_asserts_nothing_is_short_and_closed():
    assert {"greeting", "question", "about_answer", "heading"} == ASSERTS_NOTHING
    assert all(not Claim(text="x", kind=kind).open for kind in ASSERTS_NOTHING)
    assert Claim(text="x", kind="refusal").open
