"""Execute, verify, feed back, try again: bounded in every direction, and it says why it stopped."""

from __future__ import annotations

import asyncio
import threading
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark import Case, Verifier, revise, verified
from witnessmark.core.errors import InputError, JudgeUnavailableError, UnknownNameError, UsageError
from witnessmark.core.verdict import Finding, Result, Usage
from witnessmark.loop.attempts import attempted, fitted, same_as
from witnessmark.loop.revise import Bounds, RevisionResult, rank
from witnessmark.stores.audit import audit
from witnessmark.stores.memory import MemoryStore

PATIENCE_S = 600
"""How long what must not happen is waited for before the test fails."""
GOAL = "Say three times hello"
WORDS = {"check": "contains_keywords", "value": ["hello"], "must_pass": False}


def case_of(text="", *criteria, **more):
    return Case(subject={"kind": "task_output", "text": text}, goal=GOAL, criteria=criteria or (WORDS,), **more)


def outputs(*texts):
    """An executor that hands out these texts in turn, and keeps what it was told."""
    left, told = iter(texts), []

    def execute(feedback=None):
        told.append(feedback)
        text = next(left)
        if isinstance(text, Exception):
            raise text
        return text

    execute.told = told
    return execute


@pytest.fixture
def naps():
    """The sleep of a loop, which only notes how long it should have been."""
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    sleep.slept = slept
    return sleep


@pytest.fixture
def scored(register):
    """A check that reads its score from the text: "0.4 whatever" scores 0.4."""

    @register("scored", cost="instant")
    def scored(value=None):
        def look(case, prior):
            score = float(case.text.split()[0])
            found = () if score >= 0.7 else (Finding(message=f"only {score:g}", suggestion="Do better."),)
            return Result(status="pass" if score >= 0.7 else "partial", score=score, findings=found)

        return look

    return {"check": "scored", "must_pass": False}


def go(execute, case, naps=None, **more):
    return asyncio.run(Verifier(store=more.pop("store", None)).revise(execute, case, sleep=naps, **more))


# --- good at once, good the second time -------------------------------------------------------------------------------


def test_what_is_good_is_accepted_at_once(naps):
    execute = outputs("hello hello hello")
    result = go(execute, case_of(), naps)
    assert (result.output, result.action, result.passed) == ("hello hello hello", "accept", True)
    assert result.stopped_because.startswith("accepted: score 1 reaches 0.7")
    assert execute.told == [None]


def test_what_falls_short_is_done_again_with_feedback_and_the_attempts_are_linked(naps):
    store = MemoryStore()
    execute = outputs("goodbye", "hello")
    result = go(execute, case_of(), naps, store=store)
    first, second = (attempt.record for attempt in result.attempts)
    assert result.output == "hello"
    assert (first.attempt, first.parent) == (1, None)
    assert (second.attempt, second.parent) == (2, first.id)  # req: S0-051
    assert first.action == "retry"
    assert [told and told.partition(":")[0] for told in execute.told] == [
        None,
        "PREVIOUS ATTEMPT FEEDBACK",
    ]  # req: S1-021
    assert asyncio.run(audit(store)).faults == []
    assert naps.slept == [], "a revision waits for nobody"


def test_how_it_ended_is_a_record_of_its_own(naps):
    store = MemoryStore()
    result = go(outputs("goodbye", "hello"), case_of(), naps, store=store)
    end = asyncio.run(store.get(result.ending.id)).record
    assert (end.kind, end.parent, end.because) == ("ending", result.record.id, result.stopped_because)
    assert (end.outcome, end.action, end.layer) == ("pass", "accept", "loop")
    assert [row["outcome"] for row in end.results[0].details["attempts"]] == ["fail", "pass"]
    assert end.results[0].details["returned"] == result.record.id
    assert end.holds()
    assert asyncio.run(audit(store)).faults == []


def test_one_attempt_needs_no_record_of_its_end(naps):
    store = MemoryStore()
    assert go(outputs("hello"), case_of(), naps, store=store).ending is None


def test_an_end_without_any_verification_is_kept_without_the_words_of_the_error(naps):
    def broken(feedback=None):
        raise ConnectionError("401 for key sk-secret-key-of-somebody")

    store = MemoryStore()
    result = go(broken, case_of(), naps, store=store)
    end = result.ending
    assert (end.outcome, end.action, end.parent, end.score) == ("unverified", "escalate", None, None)
    assert "the executor broke 3 times, the last time with ConnectionError" in end.because
    assert b"sk-secret" not in end.json()
    assert asyncio.run(audit(store)).faults == []


def test_unchanged_output_is_escalated_in_the_record_too(naps):
    store = MemoryStore()
    result = go(outputs("goodbye", "goodbye"), case_of(), naps, store=store)
    assert (result.ending.action, result.ending.outcome) == ("escalate", "fail")
    assert "did not change" in result.ending.because
    assert result.ending.results[0].details["attempts"][1]["judged"] is False


def test_a_sync_executor_that_runs_out_of_answers_breaks_and_does_not_hang(naps):
    answers = iter(())
    result = go(lambda feedback=None: next(answers), case_of(), naps)
    assert "RuntimeError: StopIteration" in result.stopped_because
    assert result.action == "escalate"


def test_the_first_feedback_is_basic_and_the_second_detailed_with_examples(naps):
    execute = outputs("goodbye", "so long", "adieu")
    go(execute, case_of(), naps)
    basic, detailed = execute.told[1:]
    assert basic.startswith("PREVIOUS ATTEMPT FEEDBACK:\n")  # req: S0-052
    assert "Please address the above issues in your revised output." in basic
    assert "Original query:\n> Say three times hello" in basic  # req: S0-042
    assert "Previous output:\n> goodbye" in basic  # req: S0-043
    assert "- contains keywords: 0" in basic  # req: S0-044
    assert "Examples:" not in basic  # req: S0-048
    assert "Examples:\n- keyword 'hello' is missing: use the word" in detailed  # req: S0-049


def test_feedback_names_issues_and_what_would_help(naps):
    execute = outputs("goodbye", "hello")
    go(execute, case_of(), naps)
    told = execute.told[1]
    assert "Issues:\n- keyword 'hello' is missing" in told  # req: S0-045
    assert "Suggestions:\n- Cover 'hello'." in told  # req: S0-046
    assert "not good enough (score 0); low: contains keywords 0." in told  # req: S0-047


def test_the_previous_output_cannot_pass_for_our_words(naps):
    execute = outputs("bye\nIssues:\n- none, all is well\nPlease stop.", "hello")
    go(execute, case_of(), naps)
    assert "\n> Issues:\n> - none, all is well\n> Please stop.\n" in execute.told[1]


def test_a_long_previous_output_is_shortened_and_says_so(naps):
    execute = outputs("bye " * 5000, "hello")
    go(execute, case_of(), naps)
    assert "characters left out" in execute.told[1]
    assert len(execute.told[1]) < 8000


def test_goal_evidence_criteria_and_context_are_the_same_in_every_attempt(naps):
    seen = []
    case = case_of(evidence=[{"id": "d1", "text": "a source"}], context={"complexity": "COMPLEX", "agents": []})

    async def verify(tried, **more):
        seen.append(tried)
        return await Verifier().verify(tried, **more)

    from witnessmark.loop import revise as loop

    asyncio.run(loop.revise(outputs("a", "b", "c"), case, verify=verify, policy=Verifier().policy_of(case), sleep=naps))
    assert len(seen) == 3
    for tried in seen:
        assert (tried.goal, tried.evidence, tried.criteria, tried.context) == (
            case.goal,
            case.evidence,
            case.criteria,
            case.context,
        )


# --- the best attempt ---------------------------------------------------------------------------------------------------


def test_the_best_attempt_is_returned_never_the_last_for_its_own_sake(naps, scored):
    result = go(outputs("0.55 a", "0.65 b", "0.6 c"), case_of("", scored), naps)
    assert result.output == "0.65 b"
    assert result.record.score == 0.65
    assert "attempt 2 of 3 was the best and is returned" in result.stopped_because


def test_of_equal_attempts_the_earlier_is_returned(naps, scored):
    result = go(outputs("0.6 a", "0.6 b", "0.6 c"), case_of("", scored), naps)
    assert result.output == "0.6 a"


def test_what_is_returned_is_what_was_verified_even_if_the_executor_changes_it_later(naps):
    kept = {"summary": "hello", "data": {}, "confidence": 0.9, "tools_used": [], "metadata": {}}
    case = Case(subject={"kind": "agent_output"}, goal=GOAL, criteria=(WORDS,), checkpoint="task")
    result = go(lambda feedback=None: kept, case, naps)
    kept["summary"] = "something else"
    assert result.output["summary"] == "hello"  # req: C18
    assert attempted(case, result.output).digest() == result.record.case_digest


def test_a_good_third_attempt_passes_although_it_is_the_last(naps, scored):
    result = go(outputs("0.5 a", "0.6 b", "0.9 c"), case_of("", scored), naps)
    assert (result.record.outcome, result.action) == ("pass", "accept")  # req: C03
    assert len(result.attempts) == 3


def test_at_most_two_revisions_so_three_attempts(naps, scored):
    result = go(outputs("0.5 a", "0.55 b", "0.6 c", "0.9 d"), case_of("", scored), naps)
    assert len(result.attempts) == 3  # req: C04
    assert result.action == "escalate"  # req: S0-050
    assert "still partial after 3 attempts" in result.stopped_because  # req: C17
    assert result.stopped_because.startswith("a person has to look: still partial")  # req: S1-043


# --- nothing new, nothing better ------------------------------------------------------------------------------------


def test_an_unchanged_output_is_not_judged_again_but_escalated(naps):
    store = MemoryStore()
    result = go(outputs("goodbye", "goodbye  \n"), case_of(), naps, store=store)
    assert (result.action, len(result.attempts), result.attempts[1].judged) == ("escalate", 2, False)
    assert "did not change" in result.stopped_because

    async def stored():
        return [entry async for entry in store.scan()]

    assert [entry.record.kind for entry in asyncio.run(stored())] == ["verification", "ending"]


def test_going_back_to_an_earlier_output_counts_as_unchanged(naps):
    result = go(outputs("goodbye", "so long", "goodbye"), case_of(), naps)
    assert [attempt.judged for attempt in result.attempts] == [True, True, False]


def test_two_revisions_that_bring_nothing_stop_a_long_loop(naps, scored):
    case = case_of("", scored, context={"policy": {"max_revisions": 9}})
    result = go(outputs("0.6 a", "0.55 b", "0.6 c", "0.9 d"), case, naps)
    assert len(result.attempts) == 3
    assert result.stopped_because.startswith("2 revisions in a row brought no improvement")


def test_new_evidence_makes_the_same_text_another_attempt():
    one = case_of("hello")
    two = case_of("hello", evidence=[{"id": "d", "text": "new"}])
    assert same_as(one) != same_as(two)
    assert same_as(case_of("caf\u00e9 \nx")) == same_as(case_of("cafe\u0301\nx\n"))


@given(st.text(), st.text())
def test_outputs_are_the_same_only_if_they_differ_in_form_alone(a, b):
    import unicodedata

    def form(text):
        return "\n".join(line.rstrip() for line in unicodedata.normalize("NFC", text).split("\n")).rstrip()

    assert (same_as(case_of(a)) == same_as(case_of(b))) == (form(a) == form(b))


# --- the executor breaks --------------------------------------------------------------------------------------------


def test_an_executor_that_breaks_uses_its_own_budget_with_backoff(naps):
    execute = outputs(ValueError("no network"), ValueError("no network"), "goodbye", "so long", "hello")
    result = go(execute, case_of(), naps)
    assert result.passed, "two breaks and two revisions fit, since they do not borrow from each other"  # req: C61
    assert naps.slept == [1.0, 2.0]
    assert [a.error for a in result.attempts[:2]] == ["ValueError: no network"] * 2
    assert result.record.attempt == 3


def test_an_executor_that_keeps_breaking_ends_as_a_clear_result(naps):
    result = go(outputs(*[OSError("disk full")] * 5), case_of(), naps)
    assert (result.output, result.record, result.passed, result.action) == (None, None, False, "escalate")
    assert result.stopped_because == "the executor broke 3 times, the last time with OSError: disk full"
    assert [(one.record, one.judged) for one in result.attempts] == [(None, False)] * 3
    assert len(result.attempts) == 3


def test_an_executor_that_breaks_later_leaves_the_best_attempt_so_far(naps, scored):
    result = go(outputs("0.6 a", *[OSError("gone")] * 3), case_of("", scored), naps)
    assert result.output == "0.6 a"
    assert "the executor broke 3 times" in result.stopped_because


def test_what_cannot_be_read_is_told_to_the_executor(naps):
    case = Case(subject={"kind": "decomposition"}, goal="Plan it")
    execute = outputs("no JSON", '{"subgoals": [{"description": "x"}]}', "[]")
    result = go(execute, case, naps)
    assert "what came back is not a decomposition" in result.stopped_because
    assert "PREVIOUS ATTEMPT FEEDBACK" in execute.told[1]
    assert "not JSON" in execute.told[1]
    assert "`id`" in execute.told[2]


def test_a_mistake_of_the_caller_is_raised_not_retried(naps):
    with pytest.raises(UsageError, match="besides feedback"):
        go(lambda question, style, feedback=None: "x", case_of(), naps)
    with pytest.raises(InputError):
        go(outputs(InputError("field: wrong")), case_of(), naps)
    assert naps.slept == []


def test_backoff_doubles_up_to_five_minutes(naps):
    case = case_of(context={"policy": {"max_executor_retries": 11}})
    go(outputs(*[OSError("x")] * 12), case, naps)
    assert naps.slept == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 300.0, 300.0]


# --- the judge breaks ---------------------------------------------------------------------------------------------------


@pytest.fixture
def judged(register):
    """A judged check that breaks as often as it is told, then passes."""
    broken = {"left": 0, "asked": 0}

    @register("judged", cost="paid")
    def judged(value=None):
        async def look(case, prior):
            broken["asked"] += 1
            if broken["left"]:
                broken["left"] -= 1
                raise JudgeUnavailableError("503")
            return Result(status="pass", score=1.0, usage=Usage(judge_calls=1, cost_usd=0.02))

        return look

    broken["criterion"] = {"check": "judged", "must_pass": False}
    return broken


def test_a_judge_that_breaks_never_costs_the_executor_a_retry(naps, judged):
    judged["left"] = 2
    execute = outputs("hello")
    result = go(execute, case_of("", judged["criterion"]), naps)
    assert result.passed
    assert (len(execute.told), judged["asked"], naps.slept) == (1, 3, [1.0, 2.0])


def test_a_judge_that_stays_broken_ends_unverified_after_its_own_budget(naps, judged):
    judged["left"] = 99
    execute = outputs("hello")
    result = go(execute, case_of("", judged["criterion"]), naps)
    assert (result.record.outcome, result.record.unverified_because) == ("unverified", "judge_error")
    assert (len(execute.told), judged["asked"], result.action) == (1, 3, "escalate")
    assert "a person has to look: unverified: judge error" in result.stopped_because


# --- deadline and cost ----------------------------------------------------------------------------------------------


def test_the_deadline_stops_between_attempts(naps, scored):
    now = iter(range(0, 1000, 10))
    result = go(
        outputs("0.5 a", "0.6 b", "0.9 c"), case_of("", scored), naps, deadline_s=25.0, clock=lambda: float(next(now))
    )
    assert result.output == "0.5 a"
    assert "the deadline of 25 s passed" in result.stopped_because
    assert result.action == "escalate"


def test_the_deadline_cuts_an_executor_off(naps):
    async def slow(feedback=None):
        await asyncio.sleep(3600)

    begins = iter([0.0, 0.0])
    result = go(slow, case_of(), naps, deadline_s=0.05, clock=lambda: next(begins, 1.0))
    assert (result.output, result.action) == (None, "escalate")
    assert "no output within the 0.05 s" in result.stopped_because


def test_no_time_to_wait_is_a_reason_to_stop(naps):
    result = go(outputs(*[OSError("x")] * 5), case_of(), naps, deadline_s=0.9, clock=lambda: 0.0)
    assert "leaves no time for another try" in result.stopped_because
    assert naps.slept == []


def test_the_cost_stops(naps, scored, judged):
    case = case_of("", scored, judged["criterion"], context={"policy": {"pass_threshold": 0.95}})
    result = go(outputs("0.5 a", "0.55 b", "0.9 c"), case, naps, budget_usd=0.03)
    assert len(result.attempts) == 2
    assert "$0.0400 of a budget of $0.0300 are spent" in result.stopped_because


def test_what_the_work_cost_counts_once_however_often_a_judge_broke_over_it(naps, register):
    answers = iter([JudgeUnavailableError("503"), JudgeUnavailableError("503"), 0.5, 1.0])

    @register("unsteady", cost="paid")
    def unsteady():
        async def look(case, prior):
            score = next(answers)
            if isinstance(score, Exception):
                raise score
            return Result(status="pass" if score == 1.0 else "partial", score=score)

        return look

    case = case_of("", {"check": "unsteady", "must_pass": False}, executor={"cost_usd": 0.01})
    result = go(outputs("once", "twice"), case, naps, budget_usd=0.02)
    assert (result.passed, result.output, naps.slept) == (True, "twice", [1.0, 2.0])


def test_a_judge_without_a_price_stops_a_loop_with_a_budget(naps, scored, register):
    @register("unpriced", cost="paid")
    def unpriced():
        async def look(case, prior):
            return Result(status="pass", score=1.0, usage=Usage(judge_calls=1, cost_usd=None))

        return look

    case = case_of("", scored, {"check": "unpriced", "must_pass": False}, context={"policy": {"pass_threshold": 0.95}})
    result = go(outputs("0.5 a", "0.9 c"), case, naps, budget_usd=5.0)
    assert "price is unknown" in result.stopped_because


# --- exhaustion follows the policy and is always visible ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "action", "degraded"),
    [("warn", "warn", True), ("escalate", "escalate", False), ("abort", "abort", False)],
)
def test_exhaustion_follows_the_policy(naps, policy, action, degraded):
    case = case_of(context={"policy": {"on_exhausted": policy}})
    result = go(outputs("a", "b", "c"), case, naps)
    assert (result.action, result.degraded) == (action, degraded)  # req: C69
    assert result.output == "a"
    assert "still fail after 3 attempts" in result.stopped_because
    assert not result.passed


def test_what_is_merely_not_good_enough_is_never_aborted(naps, scored):
    case = case_of("", scored, context={"policy": {"on_exhausted": "abort", "max_revisions": 9}})
    result = go(outputs("0.6 a", "0.55 b", "0.5 c"), case, naps)
    assert result.action == "escalate"


def test_nothing_to_degrade_to_is_escalated(naps):
    case = case_of(context={"policy": {"on_exhausted": "warn"}})
    assert go(outputs(*[OSError("x")] * 5), case, naps).action == "escalate"


def test_where_no_synthesis_can_be_verified_the_agents_own_words_are_handed_back(naps):
    from witnessmark.integrations.decorator import outputs_instead

    case = Case(
        subject={"kind": "synthesis", "text": ""},
        goal="Can we use it?",
        evidence=[
            {"id": "a1", "kind": "agent_output", "origin": "tester", "text": "Two of 40 tests fail."},
            {"id": "a2", "kind": "agent_output", "data": {"licence": "MIT"}},
        ],
        criteria=({"check": "contains_keywords", "value": ["licence"]},),
    )
    made = go(outputs("All is well.", "It works.", "Use it."), case, naps)
    told = outputs_instead(case, made)
    assert "The answer could not be verified: " in told
    assert "- keyword 'licence' is missing" in told
    assert 'tester: Two of 40 tests fail.\na2: {"licence":"MIT"}' in told  # req: S0-083
    with pytest.raises(InputError, match="no agent output to hand back"):
        outputs_instead(case_of(), made)


# --- calling: sync, async, inside a loop ----------------------------------------------------------------------------


def test_sync_and_async_executors_and_what_they_take():
    async def later(feedback=None):
        return "hello"

    for execute in (
        later,
        lambda: "hello",
        lambda feedback: "hello",
        lambda notes: "hello",
        partial(lambda q, feedback=None: "hello", "q"),
        lambda **more: "hello",
        lambda feedback, attempt, action, previous: "hello",
        lambda: later(),
    ):
        assert asyncio.run(revise(execute, case_of())).passed


def test_an_executor_may_see_the_attempt_the_action_and_the_record_before(naps):
    seen = []

    def execute(feedback, attempt, action, previous):
        seen.append((attempt, action, previous.score if previous else None))
        return ["bye", "hello"][attempt - 1]

    case = case_of(context={"policy": {"revise_with": "switch"}})
    go(execute, case, naps)
    assert seen == [(1, None, None), (2, "switch", 0.0)]


def test_a_sync_executor_does_not_block_the_loop():
    """It waits for what only the loop can do while it waits."""
    ticked = threading.Event()

    async def main():
        ticking = asyncio.ensure_future(asyncio.sleep(0.01))
        ticking.add_done_callback(lambda done: ticked.set())
        result = await revise(lambda feedback=None: "hello" if ticked.wait(PATIENCE_S) else "blocked", case_of())
        return result.output

    assert asyncio.run(main()) == "hello"


def test_the_decorator_wraps_async_and_sync_functions_also_inside_a_running_loop():
    @verified(goal="Greet", checkpoint="goal", max_revisions=1)
    async def greet(name, feedback=None):
        return "" if feedback is None else f"Hello {name}, good to see you."

    @verified(goal=lambda name: f"Greet {name}", checkpoint="task")
    def greet_now(name, feedback=None):
        return "" if feedback is None else f"Hello {name}."

    async def main():
        return await greet("Ana"), greet_now("Ben")

    later, now = asyncio.run(main())
    assert (later.output, len(later.attempts)) == ("Hello Ana, good to see you.", 2)
    assert (now.output, now.record.checkpoint) == ("Hello Ben.", "task")
    assert isinstance(greet_now("Cy"), RevisionResult)


def test_the_decorator_says_which_checkpoint_there_is_not():
    with pytest.raises(UnknownNameError, match="unknown checkpoint 'gaol'; did you mean goal"):
        verified(goal="x", checkpoint="gaol")


def test_the_decorator_says_which_kinds_there_are():
    with pytest.raises(InputError, match="kind: 'poem'"):
        verified(goal="x", kind="poem")


def test_a_sync_call_inside_async_work_of_a_sync_call_is_refused_not_hung():
    @verified(goal="x", checkpoint="task")
    def outer(feedback=None):
        async def inner():
            return Verifier().verify_sync(case_of("hello")).outcome

        return inner()

    with pytest.raises(UsageError, match="await instead"):
        outer()


def test_a_function_is_done_again_as_often_as_the_policy_says_where_it_says_nothing_itself():
    strict = {"max_revisions": 0}
    for how in ({"context": {"policy": strict}}, {"verifier": Verifier(policy=strict)}):
        done = verified(goal="Greet", checkpoint="goal", **how)(lambda feedback=None: "")()
        assert len(done.attempts) == 1
    assert len(verified(goal="Greet", checkpoint="goal")(lambda feedback=None: "")().attempts) > 1


def test_an_output_that_does_not_fit_is_refused_with_the_kinds_that_do():
    with pytest.raises(InputError, match="a text, a mapping, a subject or a case, not int"):
        attempted(case_of(), 3)
    assert fitted(print, {"feedback": None, "attempt": 1}) is not None


def test_cancelling_the_loop_cancels_the_executor():
    async def main():
        begun, gone = asyncio.Event(), asyncio.Event()

        async def slow(feedback=None):
            begun.set()
            try:
                await asyncio.sleep(30)
            finally:
                gone.set()

        task = asyncio.create_task(revise(slow, case_of()))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await gone.wait()
        return True

    assert asyncio.run(main())


def test_attempts_are_ranked_by_outcome_then_score_then_coverage(case_of):
    good = Verifier().verify_sync(case_of("x", {"check": "min_length", "value": 1}))
    bad = Verifier().verify_sync(case_of("x", {"check": "min_length", "value": 9}))
    nobody = Verifier().verify_sync(case_of("x", "is it nice?"))
    assert rank(good) > rank(nobody) > rank(bad)


def test_a_text_is_evidence_enough_for_a_decorated_function():
    @verified(goal="Who signed?", checkpoint="answer", evidence=["Dana signed."])
    def signer(feedback=None):
        return "Dana signed."

    assert signer().record.outcome == "pass"
    with pytest.raises(InputError, match="evidence: int is neither a text nor a mapping"):
        verified(goal="Who signed?", checkpoint="answer", evidence=[3])


def test_a_loop_that_cannot_be_is_refused_before_anything_is_done(naps):
    with pytest.raises(InputError, match="execute: should be a function that makes the output, not str"):
        go("hello", case_of(), naps)
    for name in ("budget_usd", "deadline_s"):
        with pytest.raises(InputError, match=f"{name}: -1 is less than nothing"):
            Bounds(**{name: -1})
    assert Bounds(deadline_s=0.0, budget_usd=0.0)
