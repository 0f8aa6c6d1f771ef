"""Whether the person's goal was achieved: plain signs first, then an independent reader with a prompt of its own.

`goal_signs` needs no judge and only ever says no; `goal_achieved` is the reader, and abstains where there is none. The
reader sees the request, the actions taken and the response, each fenced; its yes or no is a word, its number only says
how sure it is. A no is acted on however sure it is.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.goal import shortfalls
from witnessmark.checks.judged import result_kinds
from witnessmark.checks.judged.case_parts import evidence_texts, listed, output_text
from witnessmark.checks.judged.judge_reading import LISTED, by_judge, texts
from witnessmark.checks.judged.scales import read_confidence
from witnessmark.core.case import AgentOutput, Case
from witnessmark.core.errors import JudgeReplyError
from witnessmark.core.protocols import Judge, Judges, Reply
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, abstained, failed, passed
from witnessmark.judges import windows
from witnessmark.judges.ask import ask_about, phrase, seed_of

LAYER = {"agent_output": "agent", "task_output": "tool"}
"""Which layer of the work is looked at; everything else is the orchestrator's response."""


NO_SIGN = "no clear sign that it was missed; rules find about one missed goal in three, the rest takes a judge"
"""What rules alone are worth here: 4 of 12 missed goals written by somebody who had not seen them."""


@check("goal_signs", version="4", cost="instant")
def goal_signs() -> Look:
    """No clear sign that the request was not met: empty, refused, cut off, a figure asked for and not given."""

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        asked = shortfalls.asks_back(case)
        if asked:
            finding = Finding(
                message="the response asks the person instead of answering",
                category="non_answer",
                suggestion="Have the person answer, then go on.",
            )
            return failed("asks back", finding, details={"questions": asked[:LISTED]})
        found = shortfalls.shortfall_findings(case)
        wrong = [finding for finding in found if finding.severity == "error"]
        if wrong:
            return failed(wrong[0].message, *found)
        return passed(NO_SIGN, **({"findings": tuple(found)} if found else {}))

    return look


@check("goal_achieved", version="1", cost="paid", services=("judges",))
def goal_achieved(*, judges: Judges | None = None) -> Look:
    """Whether the goal was achieved, as a reader sees it who had no part in the work."""

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        if not case.goal.strip():
            return abstained("no_criteria", "the case has no goal to check the output against; set `goal`")
        unread = "no judge is configured to read whether the goal was achieved"
        return await by_judge(case, judges, "goal", unread, functools.partial(_read, case))

    return look


async def _read(case: Case, judge: Judge) -> Result:
    layer = LAYER.get(case.kind, "orchestrator")
    material, seen = _material(case, layer, judge)
    prompt = "goal_response" if layer == "orchestrator" else "goal_agent"
    question = ask_about(
        prompt, ours=_ours(case, prompt, seen), material=material, reply_schema=REPLY, seed=seed_of(case)
    )
    result = settle(await judge.ask(question), seen)
    told = {"layer": layer, "result_type": result_kinds.kind_of(case), **result.details}
    return replace(result, details=told, prompt=question.prompt)


def _ours(case: Case, prompt: str, seen: float) -> str:
    kind = result_kinds.questions(result_kinds.kind_of(case))
    return "\n".join(filter(None, [kind, windows.coverage_note(seen), phrase(prompt, "unclear")]))


def _material(case: Case, layer: str, judge: Judge) -> tuple[dict[str, str], float]:
    """The request, what was done, and the response; with the least share of any that is shown."""
    room = windows.room(judge) // 3
    calls = tuple(source for source in case.evidence if source.kind == "tool_call")
    rest = tuple(source for source in case.evidence if source.kind != "tool_call")
    output = output_text(case) if isinstance(case.subject, AgentOutput) else case.text
    name = "response" if layer == "orchestrator" else "output"
    shown = [windows.fit({name: output}, case.goal, room)]
    parts = {"request" if layer == "orchestrator" else "goal": case.goal}
    for label, sources in (("actions", calls), ("evidence", rest)):
        if sources:
            shown.append(windows.fit(evidence_texts(sources), output, room))
            parts[label] = listed(shown[-1].material)
    return parts | {name: shown[0].material.get(name, "")}, min(one.coverage for one in shown)


_TEXTS = {"type": "array", "items": {"type": "string"}}
REPLY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reasoning", "goalAchieved", "confidence", "issues", "suggestions", "questions"],
    "properties": {
        "reasoning": {"type": "string"},
        "goalAchieved": {"type": "boolean"},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "issues": _TEXTS,
        "suggestions": _TEXTS,
        "questions": _TEXTS,
    },
}


def settle(reply: Reply, seen: float = 1.0) -> Result:
    """The reader's answer as a result. What is not clearly yes or no is an error of the judge, never a no."""
    data = reply.data
    achieved = data.get("goalAchieved")
    if not isinstance(achieved, bool):
        raise JudgeReplyError("goalAchieved is neither true nor false")
    confidence = read_confidence(data.get("confidence"))
    issues, suggestions = texts(data.get("issues")), texts(data.get("suggestions"))
    asked = texts(data.get("questions"))
    severity: Any = "warning" if achieved else "error"
    if not achieved and not issues:
        issues = ["the reader says that the goal was not achieved and does not say why"]
    return Result(
        status="pass" if achieved else "fail",
        score=1.0 if achieved else 0.0,
        reason=str(data.get("reasoning") or "")[:2000],
        confidence=windows.capped(confidence, seen),
        confidence_source="reported",
        judge=reply.judge,
        usage=reply.usage,
        findings=tuple(findings(issues, suggestions, severity)),
        details={} if achieved or not asked else {"questions": asked},
    )


def findings(issues: list[str], suggestions: list[str], severity: Any) -> list[Finding]:
    """Each issue with the suggestion at its place; suggestions left over go to the last one."""
    made = []
    for number, issue in enumerate(issues):
        last = number == len(issues) - 1
        advice = suggestions[number:] if last else suggestions[number : number + 1]
        made.append(
            Finding(message=issue, category="criterion_unmet", severity=severity, suggestion="; ".join(advice) or None)
        )
    return made
