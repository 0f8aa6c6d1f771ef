"""A small orchestrator with Witnessmark at five points: plan, agent outputs, discussion, synthesis, answer.

    python examples/research_team/run.py                                   offline: agents and judge are scripted
    python examples/research_team/run.py --endpoint http://127.0.0.1:8080/v1#qwen

One agent lies, one breaks, one is honest. What Witnessmark did about it is printed: a line an attempt, and who could be trusted.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import team
from telling import FIGURE, Step, story, table

from witnessmark import Case, Evidence, Finding, Result, Verifier, check
from witnessmark.cli.output.screen import harmless
from witnessmark.core.protocols import Judge
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.loop.revise import RevisionResult
from witnessmark.testing.judges import OneJudge

GOES_ON = ("accept", "warn")


@check("figures_in_sources", version="1", cost="instant")
def figures_in_sources() -> Any:
    """A check of one's own, complete: every figure of the output stands in the sources."""

    def look(case: Case, prior: Any) -> Result:
        known = {figure for source in case.evidence for figure in FIGURE.findall(source.text or "")}
        wrong = [found for found in FIGURE.finditer(case.text) if found.group() not in known]
        findings = tuple(
            Finding(
                message="a figure stands in none of the sources",
                category="unsupported_claim",
                quote=found.group(),
                span=found.span(),
                suggestion="Take figures from the sources only.",
            )
            for found in wrong
        )
        return Result(status="fail" if wrong else "pass", score=0.0 if wrong else 1.0, findings=findings)

    return look


class Run:
    """One run of the team; `steps` is what there is to tell about it."""

    def __init__(self, verifier: Verifier, ask: team.Ask) -> None:
        self.verifier, self.ask = verifier, ask
        self.steps: list[Step] = []

    async def whole(self) -> str:
        """Plan, work, discuss, put together, answer."""
        plan = await self.plan()
        outputs = [await self.work(subgoal) for subgoal in plan.get("subgoals", [])]
        done = [output for output in outputs if output is not None]
        await self.discuss()
        synthesis = await self.synthesis(done)
        return await self.answer(synthesis, done)

    async def plan(self) -> dict[str, Any]:
        """The plan, verified before anybody works."""
        evidence = [
            Evidence(id=name, kind="file", origin=f"{name}.txt", text=text) for name, text in team.DOCUMENTS.items()
        ]
        case = Case(
            subject={"kind": "decomposition"},
            goal=team.QUESTION,
            evidence=tuple(evidence),
            context={"agents": team.AGENTS},
        )
        material = team.told(question=team.QUESTION, agents=team.AGENTS)
        made = await self.revise(
            "planner", lambda feedback: self.ask("planner", team.told(task=material, feedback=feedback)), case
        )
        return made.output or {}

    async def work(self, subgoal: dict[str, Any]) -> Evidence | None:
        """One subgoal: its agent, again with feedback, and then another agent if that one cannot be trusted."""
        for agent, next_one in ((subgoal["agent"], "generalist"), ("generalist", None)):
            source = Evidence(id=f"{agent}-source", text=team.DOCUMENTS[team.DOCUMENT_OF.get(agent, "survey")])
            case = Case(
                subject={"kind": "agent_output"},
                goal=subgoal["description"],
                evidence=(source,),
                criteria=({"check": "figures_in_sources"},),
                executor={"id": agent},
                context={"subgoal": subgoal, "policy": {"max_revisions": 1, "revise_with": "retry"}},
            )
            made = await self.revised(
                lambda feedback, agent=agent: self.ask(agent, team.task_of(subgoal, agent, feedback)), case
            )
            good = made.record is not None and made.record.outcome != "fail" and made.output
            self.steps.append(Step(agent, made, agent=True, replaced_by=None if good else next_one))
            if good:
                return Evidence(id=subgoal["id"], kind="agent_output", origin=agent, text=made.output["summary"])
        return None

    async def discuss(self) -> None:
        """A short debate, and a moderator who must not speak for others."""
        subject = {"kind": "discussion", "messages": team.DISCUSSION}
        case = Case(subject=subject, goal="On how many Sundays should the library open?")
        task = team.told(discussion=team.DISCUSSION)
        await self.revise(
            "moderator", lambda feedback: self.ask("moderator", team.told(task=task, feedback=feedback)), case
        )

    async def synthesis(self, outputs: list[Evidence]) -> str:
        """What the agents found, in one text that rests on it."""
        case = Case(
            subject={"kind": "synthesis", "text": ""},
            goal=team.QUESTION,
            evidence=tuple(outputs),
            criteria=({"check": "figures_in_sources"},),
        )
        task = team.told(question=team.QUESTION, found=[f"{o.origin}: {o.text}" for o in outputs])
        made = await self.revise(
            "writer", lambda feedback: self.ask("writer", team.told(task=task, feedback=feedback)), case
        )
        return made.output or ""

    async def answer(self, synthesis: str, outputs: list[Evidence]) -> str:
        """The answer to the person, read independently."""
        case = Case(subject={"kind": "answer", "text": ""}, goal=team.QUESTION, evidence=tuple(outputs))
        task = team.told(question=team.QUESTION, synthesis=synthesis)
        made = await self.revise(
            "speaker",
            lambda feedback: self.ask("speaker", team.told(task=task, feedback=feedback)),
            case,
            checkpoint="goal",
        )
        return made.output if made.output and made.action in GOES_ON else "no answer that can be trusted"

    async def revise(self, who: str, execute: Any, case: Case, checkpoint: str | None = None) -> RevisionResult:
        """Execute and verify until it is good or a bound is met, and note what happened."""
        made = await self.revised(execute, case, checkpoint)
        self.steps.append(Step(who, made))
        return made

    async def revised(self, execute: Any, case: Case, checkpoint: str | None = None) -> RevisionResult:
        """The loop of the verifier; nobody waits between attempts here."""
        return await self.verifier.revise(execute, case, checkpoint=checkpoint, sleep=_no_wait)


async def _no_wait(seconds: float) -> None:
    return None


def _scripted_judge() -> Judge:
    """Stands in for a reader: finds every piece of work good, so that all you see caught was caught without a judge."""

    def answer(question: Any) -> dict[str, Any]:
        return {name: _fine(name, schema) for name, schema in question.reply_schema["properties"].items()}

    return ScriptedJudge(answer)


def _fine(name: str, schema: dict[str, Any]) -> Any:
    if schema.get("type") == "object":
        return {inner: _fine(inner, told) for inner, told in schema["properties"].items()}
    if schema.get("type") == "array":
        return []
    if schema.get("type") == "boolean":
        return True
    if name in ("score", "confidence"):
        return schema.get("maximum", 5) if name == "score" else 0.9
    return "scripted"


def main() -> int:
    """Run the team once and print what happened."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--endpoint", metavar="URL#MODEL", help="play the agents and the judge by a model")
    options.add_argument("--store", default="memory:", help="where records are kept")
    given = options.parse_args()
    if given.endpoint:
        from llm import EndpointJudge

        judges = OneJudge(EndpointJudge(given.endpoint), "prompt")
    else:
        judges = OneJudge(_scripted_judge(), "family")
    verifier = Verifier(store=given.store, services={"judges": judges})
    run = Run(verifier, team.by_endpoint(given.endpoint) if given.endpoint else team.scripted())
    answer = asyncio.run(_once(run))
    print(f"{team.QUESTION}\n")
    print("\n".join(table(run.steps)))
    print("\nWhat became of the agents:")
    print("\n".join(story(run.steps, answer)))
    if not given.endpoint:
        print("  The judge was scripted to like everything: all of this was caught by rules.")
    print(f"\nThe answer: {harmless(answer)}")
    return 0


async def _once(run: Run) -> str:
    async with run.verifier:
        return await run.whole()


if __name__ == "__main__":
    sys.exit(main())
