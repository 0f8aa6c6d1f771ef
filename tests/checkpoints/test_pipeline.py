"""Where the checkpoints stand in a pipeline: each before the dear step it guards; and who may judge what one model planned."""

from __future__ import annotations

import asyncio

import pytest

from witnessmark import Case, Settings, Verifier
from witnessmark.core.errors import ConfigError
from witnessmark.judges.pool import JudgePool
from witnessmark.testing import OneJudge, ScriptedJudge

AGENTS = [{"name": "reader", "capabilities": ["read"]}, {"name": "writer", "capabilities": ["write"]}]
PLAN = {
    "goal": "Say what the report found",
    "subgoals": [
        {"id": "sg1", "description": "Read the report", "agent": "reader", "needs": ["read"]},
        {"id": "sg2", "description": "Write down its finding", "agent": "writer", "needs": ["write"], "depends_on": ["sg1"]},
    ],
    "execution_order": [{"phase": "sequential", "subgoals": ["sg1"]}, {"phase": "sequential", "subgoals": ["sg2"]}],
}  # fmt: skip
FOUND = "The load test held 5 kN per square metre for 24 hours."


def review(**scores):
    said = {
        name: {"reasoning": "read", "score": 0.9, "confidence": 0.9}
        for name in ("completeness", "consistency", "groundedness")
    }
    return said | {"issues": []} | scores


class Pipeline:
    """The phases of an orchestrated run, in their order, each dear one behind its checkpoint."""

    def __init__(self, plan=PLAN, output=FOUND, answer=FOUND):
        self.plan, self.output, self.answer, self.done = plan, output, answer, []

    async def run(self):
        verifier = Verifier(services={"judges": OneJudge(ScriptedJudge(lambda q: review()))})
        self.done.append("3 decompose")
        if not await self._goes_on(
            verifier,
            "4 verify",
            Case(subject={"kind": "decomposition", **self.plan}, context={"agents": AGENTS}, goal=PLAN["goal"]),
        ):
            return self.done
        self.done += ["5 route", "6 collect"]
        made = {
            "kind": "agent_output",
            "summary": self.output,
            "data": {},
            "confidence": 0.9,
            "tools_used": [],
            "metadata": {},
        }
        if not await self._goes_on(Verifier(), "6 verified", Case(subject=made)):
            return self.done
        self.done.append("7 synthesize")
        outputs = [{"id": "a1", "kind": "agent_output", "origin": "reader", "text": self.output}]
        if await self._goes_on(
            Verifier(), "7 verified", Case(subject={"kind": "synthesis", "text": self.answer}, evidence=outputs)
        ):
            self.done.append("answer")
        return self.done

    async def _goes_on(self, verifier, phase, case):
        record = await verifier.verify(case)
        self.done.append(f"{phase}: {record.action}")
        return record.action in ("accept", "warn")


def ran(**broken):
    return asyncio.run(Pipeline(**broken).run())


def test_the_checkpoints_sit_around_the_phases_each_before_the_step_it_guards():
    assert ran() == [
        "3 decompose", "4 verify: accept", "5 route", "6 collect", "6 verified: accept", "7 synthesize", "7 verified: accept",
        "answer",
    ]  # req: S0-001  # fmt: skip


@pytest.mark.parametrize(
    ("broken", "never"),
    [
        ({"plan": PLAN | {"subgoals": []}}, "6 collect"),
        ({"output": ""}, "7 synthesize"),
        ({"answer": "The mayor Velasquez approved 914,000 kroner on 3 May 2031."}, "answer"),
    ],
)
def test_what_is_broken_stops_before_the_next_dear_step(broken, never):
    assert never not in ran(**broken)  # req: S0-001


# --- one model that plans and judges ---------------------------------------------------------------------------------


def judged_by_its_maker(complexity, *, allowed=True, **policy):
    judge = ScriptedJudge(lambda q: review(), id="gpt-4o", family="openai")
    judge.model = "gpt-4o"
    bench = JudgePool([judge], named=True, allow_same_family=allowed)
    case = Case(
        goal=PLAN["goal"],
        subject={"kind": "decomposition", **PLAN},
        executor={"model": "gpt-4o"},
        context={"agents": AGENTS, "complexity": complexity},
    )
    record = Verifier(Settings(policy=policy), services={"judges": bench}).verify_sync(case)
    return record, next(said for said in record.results if said.check == "plan_review")


def test_the_same_model_reviews_a_medium_plan_as_option_a_and_the_record_says_so():
    record, said = judged_by_its_maker("MEDIUM")
    assert (said.details["option"], said.independence) == ("A", "prompt")  # req: S0-106
    assert record.independence == "prompt"  # req: C13


@pytest.mark.parametrize("level", ["model", "family"])
def test_what_the_policy_asks_for_decides_who_counts(level):
    record, said = judged_by_its_maker("COMPLEX", independence=level)
    assert said.details["option"] == "B"
    completeness = next(one for one in record.results if one.check == "plan_completeness")
    assert completeness.judge == "gpt-4o"
    assert record.outcome != "pass"  # req: C13
    assert record.score is None or completeness.score != record.score  # its word is told and settles nothing
    fine, _ = judged_by_its_maker("COMPLEX", independence="prompt")
    assert fine.outcome == "pass"  # req: S0-106


def test_without_leave_the_maker_does_not_judge_and_that_is_no_fault_of_the_check():
    record, said = judged_by_its_maker("MEDIUM", allowed=False)
    assert (said.status, said.cause, said.score) == ("error", "no_judge", None)  # req: C13
    assert "allow_same_family" in said.reason
    assert record.outcome != "pass"


class Nobody:
    """Judges of which none may judge."""

    def pick(self, executor_model, *, stakes="normal"):
        raise ConfigError("no judge may judge this; configure another")

    def independence(self, judge, executor_model):
        raise AssertionError("nobody was picked")


TALK = {"kind": "discussion", "messages": [{"id": "1", "speaker": "Ana", "text": "We ship on Monday."}], "conclusion": "We ship on Monday."}  # fmt: skip


@pytest.mark.parametrize(
    ("subject", "checkpoint"),
    [
        (TALK, None),
        ({"kind": "answer", "text": "It opens at nine."}, "goal"),
        ({"kind": "decomposition", **PLAN}, None),
        ({"kind": "synthesis", "text": FOUND}, None),
    ],
)
def test_where_nobody_may_judge_every_check_says_so_the_same_way(subject, checkpoint):
    outputs = [{"id": "a1", "kind": "agent_output", "origin": "reader", "text": FOUND}]
    case = Case(goal="Say when it opens", subject=subject, evidence=outputs, context={"agents": AGENTS})
    record = Verifier(services={"judges": Nobody()}).verify_sync(case, checkpoint=checkpoint)
    said = [one for one in record.results if one.cause == "no_judge" and one.status == "error"]
    assert said, [(one.check, one.status, one.cause) for one in record.results]
    assert all(one.cause != "check_error" for one in record.results)
