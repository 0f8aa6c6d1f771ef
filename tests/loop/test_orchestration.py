"""One object owns a run: attempts, feedback, the agent to switch to, what goes on degraded, and how it ended."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from witnessmark import Orchestration, Verifier
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.values import parse
from witnessmark.judges.pool import JudgePool
from witnessmark.judges.qualification import Qualification
from witnessmark.loop.orchestration import OrchestrationState
from witnessmark.stores import open_store
from witnessmark.testing import OneJudge, ScriptedJudge

AGENTS = [
    {"name": "reader", "capabilities": ["read"]},
    {"name": "second-reader", "capabilities": ["read"]},
    {"name": "writer", "capabilities": ["write"]},
]
PLAN = {
    "goal": "Say what the load test found",
    "subgoals": [
        {"id": "sg1", "description": "Read the load test report", "agent": "reader", "needs": ["read"], "critical": True},
        {"id": "sg2", "description": "Write down its finding", "agent": "writer", "needs": ["write"], "depends_on": ["sg1"]},
    ],
    "execution_order": [{"phase": "sequential", "subgoals": ["sg1"]}, {"phase": "sequential", "subgoals": ["sg2"]}],
}  # fmt: skip
FOUND = "The load test held 5 kN per square metre for 24 hours."
CALL = {
    "id": "c1",
    "kind": "tool_call",
    "name": "read",
    "input": {"file": "report.txt"},
    "output": FOUND,
    "exit_code": 0,
}


def output(summary=FOUND):
    return {"summary": summary, "data": {"load_kn": 5, "hours": 24}, "confidence": 0.9, "tools_used": ["read"], "metadata": {}}  # fmt: skip


def liking(question):
    """A reader that finds everything good, in whatever form it is asked."""

    def fine(name, schema):
        if schema.get("type") == "object":
            return {inner: fine(inner, told) for inner, told in schema["properties"].items()}
        if schema.get("type") == "array":
            return []
        if schema.get("type") == "boolean":
            return True
        if name in ("score", "confidence"):
            return schema.get("maximum", 5) if name == "score" else 0.9
        return schema["enum"][0] if schema.get("enum") else "fine"

    return {name: fine(name, schema) for name, schema in question.reply_schema["properties"].items()}


def started(**given):
    verifier = Verifier(store="memory:", services={"judges": OneJudge(ScriptedJudge(liking), "family")})
    return Orchestration(verifier, PLAN["goal"], agents=AGENTS, **given)


def begun_with(judge):
    verifier = Verifier(store="memory:", services={"judges": OneJudge(judge, "family")})
    return Orchestration(verifier, PLAN["goal"], agents=AGENTS, complexity="MEDIUM")


def evidence():
    from witnessmark import Evidence

    return [Evidence(**CALL)]


async def planned(**given):
    run = started(**given)
    report = await run.plan(PLAN)
    assert report.goes_on, report.because
    return run


def test_the_checkpoints_stand_around_the_phases_of_a_run():
    async def whole():
        run = started()
        words = [(await run.plan(PLAN)).word]
        words.append((await run.agent_output("sg1", output(), evidence=evidence())).word)
        words.append((await run.agent_output("sg2", output(), evidence=evidence())).word)
        words.append((await run.synthesis(FOUND)).word)
        last = await run.response(FOUND)
        return words, last, run.state

    words, last, state = asyncio.run(whole())
    assert words == ["PASS", "PASS", "PASS", "PASS"]  # req: S0-001
    assert (last.word, last.output, last.goes_on) == ("PASS", FOUND, True)
    assert list(state.steps) == ["plan", "sg1", "sg2", "synthesis", "response"]
    assert state.ended == "the response was verified"


def reading(score):
    """A judge of plans that gives this score for everything and names no fault."""
    part = {"reasoning": "as scripted", "score": score, "confidence": 0.9}
    return ScriptedJudge(
        lambda _: {"completeness": part, "consistency": part, "groundedness": part, "issues": []}, family="other"
    )


@pytest.mark.parametrize(
    ("score", "word", "label"),
    [
        (1.0, "PASS", "excellent"),
        (0.7, "PASS", "good, minor improvements possible"),
        (0.5, "RETRY", "needs improvement, likely fixable"),
        (0.2, "RETRY", "major issues, salvageable by a person"),
    ],
)
def test_every_decision_on_a_plan_says_its_grade(score, word, label):
    report = asyncio.run(begun_with(reading(score)).plan(PLAN))
    assert (report.word, report.grade) == (word, label)  # req: S0-041


def test_where_a_plan_is_weak_and_no_fault_was_named_the_second_feedback_shows_what_better_looks_like():
    run = begun_with(reading(0.55))
    basic, detailed = (asyncio.run(run.plan(PLAN | {"goal": goal})).feedback for goal in ("once", "twice"))
    assert "Examples:" not in basic
    assert (
        "Examples:\n- completeness: beside “Add the endpoint”: “Test its errors and limits”" in detailed
    )  # req: S0-049


def test_nothing_dear_runs_behind_a_plan_that_does_not_hold():
    run = started()
    report = asyncio.run(run.plan(PLAN | {"subgoals": []}))
    assert (report.word, report.goes_on) == ("RETRY", False)  # req: S0-001
    assert "subgoals" in report.feedback
    with pytest.raises(UsageError, match="plan was not accepted"):
        asyncio.run(run.agent_output("sg1", output()))


@pytest.mark.parametrize("complexity", ["SIMPLE", "MEDIUM"])
@pytest.mark.parametrize(
    ("subgoals", "told"),
    [
        ([{"id": "a", "description": " "}], "a subgoal does not say what is to be done"),
        ([{"id": name, "description": "Read it"} for name in "ab"], "two subgoals ask for the same thing"),
        ([{"id": f"s{n}", "description": f"Read page {n}"} for n in range(40)], "40 subgoals, and a plan of this"),
    ],
    ids=["empty", "repeated", "too many"],
)
def test_a_lesser_fault_of_a_plan_is_fed_back_though_nobody_reads_the_rest(complexity, subgoals, told):
    run = Orchestration(Verifier(), PLAN["goal"], agents=AGENTS, complexity=complexity)
    report = asyncio.run(run.plan({"subgoals": [one | {"agent": "reader"} for one in subgoals]}))
    assert (report.word, report.outcome, report.goes_on, report.score) == ("RETRY", "partial", False, None)
    assert told in report.feedback


def test_a_simple_plan_without_a_fault_goes_on_unread():
    run = Orchestration(Verifier(), PLAN["goal"], agents=AGENTS, complexity="SIMPLE")
    report = asyncio.run(run.plan(PLAN))
    assert (report.word, report.outcome, report.goes_on) == ("PASS", "unverified", True)


def test_a_response_waits_for_a_plan_and_for_what_the_agents_made_of_it():
    async def in_order():
        run = started()
        with pytest.raises(UsageError, match="response: the plan was not accepted yet"):
            await run.response(FOUND)
        await run.plan(PLAN)
        with pytest.raises(UsageError, match="response: no agent output was handed in yet"):
            await run.response(FOUND)
        await run.agent_output("sg1", output(), evidence=evidence())
        return await run.response(FOUND)

    assert asyncio.run(in_order()).word == "PASS"


def test_four_failures_in_a_row_do_not_all_say_retry():
    async def failing():
        run = started()
        said = []
        while not said or said[-1].word == "RETRY":
            said.append(await run.plan({**PLAN, "subgoals": [], "goal": f"try {len(said)}"}))
        return said, run.state

    said, state = asyncio.run(failing())
    assert [report.attempt for report in said] == [1, 2, 3]
    assert [report.word for report in said] == ["RETRY", "RETRY", "FAIL"]  # req: S0-040
    assert said[0].feedback != said[1].feedback
    assert "Attempt 2 of 3" in said[1].feedback
    assert said[-1].feedback is None
    assert state.ended.startswith("plan: ")


def test_a_switch_names_an_able_agent_that_has_not_tried_yet():
    async def switching():
        run = await planned()
        first = await run.agent_output("sg1", output(summary=""), executor={"id": "reader"})
        second = await run.agent_output("sg1", output(summary=" "), executor={"id": "second-reader"})
        return first, second

    first, second = asyncio.run(switching())
    assert (first.action, first.switch_to) == ("switch", "second-reader")  # req: S0-073
    assert second.switch_to is None  # both readers had their try


def test_a_task_whose_upstream_was_not_accepted_does_not_start():
    async def early():
        run = await planned()
        await run.agent_output("sg2", output())

    with pytest.raises(UsageError, match="depends on sg1"):
        asyncio.run(early())


def test_a_synthesis_that_was_given_up_leaves_the_agents_outputs_with_a_warning():
    async def inventing():
        run = await planned()
        await run.agent_output("sg1", output(), evidence=evidence())
        await run.agent_output("sg2", output(), evidence=evidence())
        for number in range(3):
            report = await run.synthesis(f"The mayor Velasquez approved 914,00{number} kroner on 3 May 2031.")
        return report

    report = asyncio.run(inventing())
    assert (report.word, report.action, report.degraded) == ("FAIL", "warn", True)
    assert set(report.output["agent_outputs"]) == {"sg1", "sg2"}  # req: S0-083
    assert "the agents' outputs stand for themselves" in report.because


def test_a_response_waits_for_a_synthesis_that_was_sent_back():
    async def hasty():
        run = await planned()
        await run.agent_output("sg1", output(), evidence=evidence())
        await run.agent_output("sg2", output(), evidence=evidence())
        sent_back = await run.synthesis("The mayor Velasquez approved 914,000 kroner on 3 May 2031.")
        with pytest.raises(UsageError, match="response: the synthesis was sent back"):
            await run.response("The mayor Velasquez approved it.")
        return sent_back, await run.synthesis(FOUND), await run.response(FOUND)

    sent_back, mended, last = asyncio.run(hasty())
    assert (sent_back.word, mended.word, last.word) == ("RETRY", "PASS", "PASS")


def test_the_same_output_again_is_not_judged_twice_and_goes_to_a_person():
    async def twice():
        run = started()
        await run.plan(PLAN | {"subgoals": []})
        return await run.plan(PLAN | {"subgoals": []}), run

    report, run = asyncio.run(twice())
    assert (report.word, report.action) == ("FAIL", "escalate")
    assert len(run.state.steps["plan"].attempts) == 1


def test_every_attempt_carries_the_runs_interaction_and_points_to_the_one_before():
    async def linked():
        run = started(interaction_id="i-7")
        await run.plan(PLAN | {"subgoals": []})
        report = await run.plan(PLAN)
        verifier = run.verifier
        return await verifier.store.get(report.record_id, "default")

    entry = asyncio.run(linked())
    assert entry.record.attempt == 2
    assert entry.record.parent is not None
    assert msgspec.json.decode(entry.case)["context"]["interaction_id"] == "i-7"


def test_another_process_goes_on_where_the_run_was_left():
    async def handed_over():
        run = await planned()
        body = msgspec.json.encode(run.state)
        other = Orchestration.resumed(run.verifier, parse(body, OrchestrationState))
        return await other.agent_output("sg1", output(), evidence=evidence())

    assert asyncio.run(handed_over()).word == "PASS"


def test_a_decided_step_and_an_unknown_subgoal_are_refused_in_words():
    async def wrong():
        run = await planned()
        with pytest.raises(UsageError, match="decided already"):
            await run.plan(PLAN)
        with pytest.raises(InputError, match="the plan has no 'sg9'; it has sg1, sg2"):
            await run.agent_output("sg9", output())
        with pytest.raises(InputError, match="another step"):
            await run.agent_output("plan", output())

    asyncio.run(wrong())
    with pytest.raises(InputError, match="goal: say what the run is for"):
        Orchestration(Verifier(), " ")


THREE = {
    "goal": "Say what the load test found",
    "subgoals": [
        {"id": "load", "description": "Read the load test report", "agent": "reader", "needs": ["read"]},
        {"id": "hangers", "description": "Read the report on the hangers", "agent": "reader", "needs": ["read"]},
    ],
    "execution_order": [{"phase": "parallel", "subgoals": ["load", "hangers"]}],
}
HANGERS = "Two of the 24 hangers show corrosion at the lower anchor."


def doubting(question):
    """As `liking`, but it finds that cake does not address any subgoal."""
    reply = liking(question)
    for part in reply.values() if "cake" in question.user else ():
        if isinstance(part, dict) and "score" in part:
            part["score"] = 1
    return reply


@pytest.mark.parametrize(
    ("wrong", "category"),
    [
        ({"summary": "Two of the 24 hangers show corrosion at the"}, "truncated"),
        ({"summary": "A recipe for cake."}, "criterion_unmet"),
        ({"summary": HANGERS, "tools_used": "read"}, "invalid_type"),
    ],
    ids=["not complete", "not correct", "not usable"],
)
def test_every_agents_output_is_looked_at_before_anything_is_made_of_it(wrong, category):
    async def collected():
        verifier = Verifier(store="memory:", services={"judges": OneJudge(ScriptedJudge(doubting), "family")})
        run = Orchestration(verifier, THREE["goal"], agents=AGENTS)
        await run.plan(THREE)
        good = await run.agent_output("load", output(), evidence=evidence())
        bad = await run.agent_output("hangers", output() | wrong)
        found = (await verifier.store.get(bad.record_id)).record.findings
        told = await run.synthesis(f"{FOUND} {wrong['summary']}")
        return good, bad, {finding.category for finding in found}, told

    good, bad, found, told = asyncio.run(collected())
    assert (good.word, good.goes_on) == ("PASS", True)
    assert (bad.word, bad.goes_on) == ("RETRY", False)  # req: S0-003
    assert category in found  # req: S0-003
    assert (told.word, told.goes_on) == ("RETRY", False), "nothing may rest on an output that was not accepted"


def test_every_interaction_of_a_run_is_verified_for_its_goal_and_a_judges_own_is_only_sampled():
    """Plan, agents, synthesis and response each have a record; what a judge said is read again as a sample, and no more."""
    first, second = (ScriptedJudge(liking, id=name, family=name) for name in ("one", "two"))
    pool = JudgePool([first, second], named=False)
    pool.qualified = {
        judge.id: Qualification(
            judge=judge.id, model="m", set="s", items=1, answered=1, compliance=1.0, kappa=1.0, accuracy=1.0
        )
        for judge in (first, second)
    }

    async def whole(share):
        store = open_store("memory:")
        policy = {"meta_audit_share": share}
        async with Verifier(store=store, policy=policy, services={"judges": pool}) as verifier:
            run = Orchestration(verifier, PLAN["goal"], agents=AGENTS, interaction_id="i-7")
            reports = [await run.plan(PLAN)]
            reports += [await run.agent_output(name, output(), evidence=evidence()) for name in ("sg1", "sg2")]
            reports += [await run.synthesis(FOUND), await run.response(FOUND)]
        kept = [entry async for entry in store.scan()]
        return reports, kept

    reports, kept = asyncio.run(whole(1.0))
    verified = {entry.id: entry for entry in kept if entry.record.kind == "verification"}
    assert [report.record_id for report in reports] == list(verified)  # req: S1-001
    goals = [msgspec.json.decode(entry.case)["goal"] for entry in verified.values()]
    subgoals = [goal["description"] for goal in PLAN["subgoals"]]
    assert goals == [PLAN["goal"], *subgoals, PLAN["goal"], PLAN["goal"]]  # req: S1-001
    audits = {entry.record.parent for entry in kept if entry.record.kind == "audit"}
    judged = {key for key, entry in verified.items() if any(said.judge for said in entry.record.results)}
    assert judged
    assert audits == judged  # req: S1-001
    assert len(kept) == len(verified) + len(audits), "a second reading is not verified again"
    _, unsampled = asyncio.run(whole(0.0))
    assert {entry.record.kind for entry in unsampled} == {"verification"}
