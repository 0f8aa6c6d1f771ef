"""One orchestrated run: a plan, the agents' outputs, their synthesis and the final response, each behind its checkpoint.

The run remembers what a coordinator would otherwise have to: which attempt this is, what the next one is told, who gets
it instead, what goes on degraded, and how each step ended. It is plain data between two steps (`state`), so a service can
keep it and another process can go on with it. How a case is verified is the business of the verifier that is handed in.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from witnessmark.core.agents import Agent, crew_of
from witnessmark.core.agents import key as agent_key
from witnessmark.core.case import MAX_ID, Case, Complexity, Decomposition, Evidence, Executor
from witnessmark.core.case_verifier import CaseVerifier
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.explain import convert
from witnessmark.core.record import Record
from witnessmark.core.values import Count, Unit, Value
from witnessmark.core.verdict import GOES_ON, Action, Independence, Outcome, grade
from witnessmark.loop import feedback
from witnessmark.loop.attempts import attempted, output_words, same_as
from witnessmark.loop.revise import REVISIONS, rank

Word = Literal["PASS", "RETRY", "FAIL"]
"""What a coordinator acts on: go on, try again as told, stop trying."""
PLAN, SYNTHESIS, RESPONSE = "plan", "synthesis", "response"
SHELF = "orchestrations"
"""Where a store that takes notes keeps the state of runs."""


class StepAttempt(Value, frozen=True):
    """One verified attempt at a step: its record, its output as it was handed in, and what it is compared by."""

    record_id: str
    output: Any
    same_as: str
    rank: tuple[float, float, float]
    agent: str = ""


class StepReport(Value, frozen=True):
    """What became of one attempt, and what to do next.

    `word` is PASS, RETRY or FAIL; `goes_on` says whether the run may use `output`, which is the best attempt as it was
    verified, or the agents' own outputs where a synthesis was given up. `feedback` is for the prompt of the next attempt,
    `switch_to` names the agent that gets it. `grade` says in words how good the score of a plan is.
    """

    step: str
    word: Word
    action: Action
    outcome: Outcome
    because: str
    attempt: Count
    max_attempts: Count
    record_id: str
    independence: Independence
    score: Unit | None = None
    grade: str | None = None
    confidence: Unit | None = None
    coverage: Unit | None = None
    feedback: str | None = None
    switch_to: str | None = None
    degraded: bool = False
    questions: tuple[str, ...] = ()
    output: Any = None

    @property
    def goes_on(self) -> bool:
        """Whether the run may go on with `output`."""
        return self.action in GOES_ON


class StepState(Value, frozen=True):
    """A step so far: its attempts, and its last report."""

    attempts: tuple[StepAttempt, ...] = ()
    report: StepReport | None = None
    tried_agents: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether nothing more is tried at this step."""
        return self.report is not None and self.report.word != "RETRY"


class OrchestrationState(Value, frozen=True):
    """All that a run remembers, as JSON."""

    id: str
    goal: str
    complexity: Complexity = "MEDIUM"
    agents: tuple[dict[str, Any], ...] = ()
    interaction_id: str | None = None
    policy: dict[str, Any] = {}
    plan: Decomposition | None = None
    steps: dict[str, StepState] = {}

    @property
    def ended(self) -> str | None:
        """Why the run is over, or None: the response was decided on, or a step it cannot do without was given up."""
        for name, step in self.steps.items():
            if name == RESPONSE and step.over:
                return "the response was verified"
            if step.over and step.report is not None and not step.report.goes_on and self._needed(name):
                return f"{name}: {step.report.because}"
        return None

    def _needed(self, name: str) -> bool:
        if self.plan is None or name in (PLAN, SYNTHESIS, RESPONSE):
            return True
        return any(goal.id == name and goal.critical for goal in self.plan.subgoals)


class Orchestration:
    """A run under way. Hand in what each step came to; the report says what to do next.

    run = Orchestration(verifier, "Compare the two suppliers", agents=[{"name": "reader", "capabilities": ["read"]}])
    report = await run.plan({"subgoals": [...]}, executor={"model": "gpt-4o"})
    while report.word == "RETRY":
        report = await run.plan(make_plan(report.feedback))
    """

    def __init__(
        self,
        verifier: CaseVerifier,
        goal: str,
        *,
        agents: Sequence[Mapping[str, Any]] = (),
        complexity: Complexity = "MEDIUM",
        interaction_id: str | None = None,
        policy: Mapping[str, Any] | None = None,
    ) -> None:
        if not goal.strip():
            raise InputError("goal: say what the run is for; without it there is nothing to verify against")
        if interaction_id is not None and len(interaction_id) > MAX_ID:
            raise InputError(
                f"interaction_id: {len(interaction_id):,} characters are more than the {MAX_ID} of an id; give the id alone"
            )
        self.verifier = verifier
        self.state = OrchestrationState(
            id=secrets.token_hex(8),
            goal=goal,
            complexity=complexity,
            agents=tuple(dict(agent) for agent in agents),
            interaction_id=interaction_id,
            policy=dict(policy or {}),
        )
        convert([*self.state.agents], tuple[Agent, ...], "agents")
        try:
            verifier.policy_of(self._case({"kind": "decomposition"}, (), None))
        except InputError as exc:  # now, and not at every step of a run that nobody can go on with
            raise InputError(str(exc).removeprefix("context.")) from None

    @classmethod
    def resumed(cls, verifier: CaseVerifier, state: OrchestrationState) -> Orchestration:
        """The run that this state is of."""
        made = cls.__new__(cls)
        made.verifier, made.state = verifier, state
        return made

    # --- the steps -------------------------------------------------------------------------------------------------

    async def plan(
        self, plan: Decomposition | Mapping[str, Any] | str, *, evidence: Sequence[Evidence] = (), executor: Any = None
    ) -> StepReport:
        """The plan, before anything dear is done."""
        if any(name != PLAN for name in self.state.steps):
            raise UsageError("plan: agents are at work already; start another run for another plan")
        blank = self._case({"kind": "decomposition"}, evidence, executor)
        case = attempted(blank, plan)
        report = await self._attempt(PLAN, case, plan)
        if report.goes_on:
            best = attempted(blank, report.output).subject
            self.state = replace(self.state, plan=best if isinstance(best, Decomposition) else None)
        return report

    async def agent_output(
        self, subgoal: str, output: Mapping[str, Any] | str, *, evidence: Sequence[Evidence] = (), executor: Any = None
    ) -> StepReport:
        """What an agent handed back for one subgoal, before it is used. `executor` says which agent it was."""
        if subgoal in (PLAN, SYNTHESIS, RESPONSE):
            raise InputError(f"subgoal: {subgoal!r} is the name of another step; call the subgoal something else")
        told = self._subgoal(subgoal)
        self._upstream_accepted(told)
        by = _executor(executor) or Executor(id=str(told.get("agent") or ""))
        context = {"subgoal": told, "subgoal_id": subgoal}
        case = self._case({"kind": "agent_output"}, evidence, by, goal=str(told.get("description") or ""), **context)
        return await self._attempt(subgoal, attempted(case, output), output, agent=by.id)

    async def synthesis(self, text: str, *, executor: Any = None, checks: Sequence[Any] = ()) -> StepReport:
        """The synthesis of what the agents found; it may rest on outputs that go on, and on nothing else."""
        self._planned(SYNTHESIS)
        outputs = self._outputs()
        if not outputs:
            raise UsageError("synthesis: no agent output goes on yet; hand those in first")
        case = self._case({"kind": "synthesis", "text": text}, outputs, executor)
        return await self._attempt(SYNTHESIS, replace(case, criteria=tuple(checks)), text)

    async def response(self, text: str, *, evidence: Sequence[Evidence] = (), executor: Any = None) -> StepReport:
        """The response to the person, read independently against the goal, once agents were at work.

        It waits for a synthesis that is to be revised.
        """
        plan = self._planned(RESPONSE)
        if not any(goal.id in self.state.steps for goal in plan.subgoals):
            raise UsageError("response: no agent output was handed in yet; do that first")
        made = self.state.steps.get(SYNTHESIS)
        if made is not None and made.report is not None and made.report.word == "RETRY":
            raise UsageError("response: the synthesis was sent back; hand in a revised one first")
        case = self._case({"kind": "answer", "text": text}, [*self._outputs(), *evidence], executor)
        return await self._attempt(RESPONSE, case, text, checkpoint="goal")

    # --- one attempt -----------------------------------------------------------------------------------------------

    async def _attempt(
        self, name: str, case: Case, output: Any, *, checkpoint: str | None = None, agent: str = ""
    ) -> StepReport:
        if self.state.ended is not None:
            raise UsageError(f"{name}: this run is over ({self.state.ended}); start another")
        step = self.state.steps.get(name, StepState())
        if step.over:
            raise UsageError(
                f"{name}: was decided already ({step.report.word if step.report else ''}); go on from there"
            )
        same = same_as(case)
        if any(same == before.same_as for before in step.attempts):
            report = self._unchanged(step)
        else:
            step, report = await self._verified(name, step, case, output, same, checkpoint, agent)
        tried = tuple(dict.fromkeys([*step.tried_agents, *([agent] if agent else [])]))
        made = StepState(step.attempts, report, tried)
        self.state = replace(self.state, steps={**self.state.steps, name: made})
        return report

    async def _verified(
        self, name: str, step: StepState, case: Case, output: Any, same: str, checkpoint: str | None, agent: str
    ) -> tuple[StepState, StepReport]:
        number = len(step.attempts) + 1
        parent = step.attempts[-1].record_id if step.attempts and self.verifier.store is not None else None
        record = await self.verifier.verify(case, checkpoint=checkpoint, attempt=number, parent=parent)
        taken = StepAttempt(record.id, output, same, rank(record), agent)
        step = StepState((*step.attempts, taken), step.report, step.tried_agents)
        return step, self._report(name, step, case, record, agent)

    def _report(self, name: str, step: StepState, case: Case, record: Record, agent: str) -> StepReport:
        again = record.action in REVISIONS
        told = feedback.for_the_next(record, query=case.goal, previous=output_words(case), kind=case.kind)
        report = StepReport(
            step=name,
            word="PASS" if record.action in GOES_ON and not record.degraded else "RETRY" if again else "FAIL",
            action=record.action,
            outcome=record.outcome,
            because=record.because,
            attempt=record.attempt,
            max_attempts=record.feedback.max_attempts if record.feedback is not None else record.attempt,
            record_id=record.id,
            independence=record.independence,
            score=record.score,
            grade=grade(record.score) if name == PLAN else None,
            confidence=record.confidence,
            coverage=record.coverage,
            feedback=told if again else None,
            switch_to=self._other_agent(case, agent, step) if record.action == "switch" else None,
            degraded=record.degraded,
            questions=record.questions,
            output=step.attempts[-1].output,
        )
        return report if again or report.word == "PASS" else self._given_up(name, step, report)

    def _given_up(self, name: str, step: StepState, report: StepReport) -> StepReport:
        """The best attempt is what is left; a synthesis that was given up leaves the agents' own outputs instead."""
        if name == SYNTHESIS and report.action != "abort":
            # Each of them was verified by itself, so they go on, with a warning, where what was made of them does not.
            outputs = {source.id: source.text for source in self._outputs()}
            because = f"{report.because}; the agents' outputs stand for themselves"
            return replace(report, action="warn", output={"agent_outputs": outputs}, because=because, degraded=True)
        best = max(step.attempts, key=lambda one: one.rank)  # max keeps the earlier of equals
        return replace(report, output=best.output, record_id=best.record_id)

    def _unchanged(self, step: StepState) -> StepReport:
        """The same output again: it is not judged twice, and a person looks."""
        last = step.report
        assert last is not None
        because = "the output did not change although something was found; it was not judged again"
        report = replace(last, word="FAIL", action="escalate", because=because, feedback=None, switch_to=None)
        return self._given_up(last.step, step, report)

    # --- what the run knows ----------------------------------------------------------------------------------------

    def _case(self, subject: Any, evidence: Sequence[Evidence], executor: Any, **more: Any) -> Case:
        state = self.state
        goal = more.pop("goal", "") or state.goal
        context = {"agents": [*state.agents], "complexity": state.complexity, **more}
        if state.policy:
            context["policy"] = state.policy
        if state.interaction_id is not None:
            context["interaction_id"] = state.interaction_id
        return Case(subject=subject, goal=goal, evidence=tuple(evidence), executor=_executor(executor), context=context)

    def _planned(self, step: str) -> Decomposition:
        """The plan that was accepted; nothing else is done before there is one."""
        if self.state.plan is None:
            raise UsageError(f"{step}: the plan was not accepted yet; hand it in first")
        return self.state.plan

    def _subgoal(self, name: str) -> dict[str, Any]:
        plan = self._planned("agent_output")
        found = next((goal for goal in plan.subgoals if goal.id == name), None)
        if found is None:
            known = ", ".join(goal.id for goal in plan.subgoals)
            raise InputError(f"subgoal: the plan has no {name!r}; it has {known}")
        told: dict[str, Any] = msgspec.to_builtins(found)
        return told

    def _upstream_accepted(self, subgoal: Mapping[str, Any]) -> None:
        """What failed upstream blocks downstream."""
        for need in subgoal.get("depends_on") or ():
            step = self.state.steps.get(need)
            if step is None or step.report is None or not step.report.goes_on:
                raise UsageError(f"{subgoal.get('id')}: it depends on {need}, which was not accepted")

    def _outputs(self) -> list[Evidence]:
        """The agents' outputs that go on, as evidence for what is made of them."""
        plan = self.state.plan
        made = []
        for goal in plan.subgoals if plan is not None else ():
            step = self.state.steps.get(goal.id)
            if step is None or step.report is None or not step.report.goes_on:
                continue
            output = step.report.output
            agent = next((one.agent for one in reversed(step.attempts) if one.output == output), "") or goal.agent
            text = output if isinstance(output, str) else _summary(output)
            made.append(Evidence(id=goal.id, kind="agent_output", origin=agent or None, text=text))
        return made

    def _other_agent(self, case: Case, agent: str, step: StepState) -> str | None:
        """An able agent that has not tried this subgoal yet."""
        crew = crew_of(case)
        if crew is None:
            return None
        subgoal = case.context.get("subgoal")
        needs = (
            [need for need in subgoal.get("needs") or () if isinstance(need, str)] if isinstance(subgoal, dict) else []
        )
        tried = {agent_key(name) for name in (*step.tried_agents, agent)}
        return next((one.name for one in crew.able_ones(needs) if agent_key(one.name) not in tried), None)


def _summary(output: Any) -> str:
    """What an agent's output says, for others to rest on: its summary, and its data as JSON."""
    if not isinstance(output, Mapping):
        return str(output)
    parts = [str(output.get("summary") or "")]
    if output.get("data"):
        parts.append(msgspec.json.encode(output["data"]).decode())
    return "\n".join(part for part in parts if part)


def _executor(given: Any) -> Executor | None:
    if given is None or isinstance(given, Executor):
        return given
    return convert(given, Executor, "executor")
