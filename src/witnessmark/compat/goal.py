"""Goal verification under the names an orchestrator knows: execute, verify, retry with feedback, one envelope for all.

    {"result": …, "verification": {"goalAchieved", "passed", "confidence", "attempts", "issues", "suggestions", …}}

Every result that is returned was verified, in the first try as in the last; a no is acted on however confident it is. The
work is done by the same loop and checkpoint as everywhere else; here are only names and shapes.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from witnessmark.compat.vocabulary import KEY, older_verdict, write_goal
from witnessmark.core.case import Answer, Case, Evidence, Executor, TaskOutput
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.record import Record
from witnessmark.loop.feedback import HEADING
from witnessmark.loop.revise import RevisionResult
from witnessmark.settings import Settings
from witnessmark.verifier import Verifier

Envelope = dict[str, Any]
_TEXT_KEYS = ("response", "content", "text", "message", "output", "answer")
_INPUT_KEYS, _OUTPUT_KEYS = ("input", "arguments", "args", "kwargs"), ("output", "result", "content")


async def execute_with_verification(
    tool: Any,
    input: Any,
    goal: str,
    *,
    verifier: Verifier | None = None,
    max_retries: int = 2,
    context: Mapping[str, Any] | None = None,
    interaction_id: str | None = None,
    executor: Executor | None = None,
    **bounds: Any,
) -> Envelope:
    """Run the tool, verify what it returns against the person's goal, and try again with feedback within the bounds.

    `interaction_id` ties the records to the application's interaction, `executor` says which agent and model did the work:
    without it nobody can say how independent the judge is. `tool` is a callable of the input, or has `execute`. Where it takes `feedback`, it gets it there; otherwise the feedback
    is put into the input: under the key `feedback` of a mapping, below the text of a string.
    """
    told = _told(_limited(context, max_retries), interaction_id, "agent")
    case = _case(TaskOutput(text=""), goal, context=told, executor=executor)
    run = _callable(tool)

    made: dict[int, Any] = {}

    def kept(came: Any, attempt: int) -> str:
        made[attempt] = came
        return as_text(came)

    async def later(coming: Awaitable[Any], attempt: int) -> str:
        return kept(await coming, attempt)

    def execute(feedback: str | None, attempt: int) -> str | Awaitable[str]:
        came = _run(run, input, feedback)
        return later(came, attempt) if inspect.isawaitable(came) else kept(came, attempt)

    revised = await (verifier or Verifier.from_settings(Settings())).revise(execute, case, checkpoint="goal", **bounds)
    return _envelope(revised, made, goal)


async def retry_with_feedback(
    tool: Any,
    input: Any,
    verification: Mapping[str, Any],
    *,
    goal: str | None = None,
    verifier: Verifier | None = None,
    interaction_id: str | None = None,
    executor: Executor | None = None,
) -> Envelope:
    """One more try with what the verification found; its result is verified too and comes in the same envelope."""
    asked = goal if goal is not None else verification.get("goal")
    if not isinstance(asked, str) or not asked:
        raise InputError("goal: give it, or a verification made by these functions, which carries it")
    came = _run(_callable(tool), input, feedback_of(verification))
    result = await came if inspect.isawaitable(came) else came
    before = verification.get("attempts")
    attempts = (before if isinstance(before, int) and not isinstance(before, bool) else 1) + 1
    parent = (verification.get(KEY) or {}).get("record_id")
    checked = await verify_result(
        result,
        asked,
        verifier=verifier,
        attempt=attempts,
        parent=parent,
        interaction_id=interaction_id,
        executor=executor,
    )
    return {"result": result, "verification": checked}


async def verify_result(
    result: Any,
    goal: str,
    *,
    verifier: Verifier | None = None,
    context: Mapping[str, Any] | None = None,
    attempt: int = 1,
    parent: str | None = None,
    interaction_id: str | None = None,
    executor: Executor | None = None,
) -> dict[str, Any]:
    """Whether one result of an agent or a tool meets one goal."""
    told = _told(context, interaction_id, "agent")
    case = _case(TaskOutput(text=as_text(result)), goal, context=told, executor=executor)
    judged = verifier or Verifier.from_settings(Settings())
    record = await judged.verify(case, checkpoint="goal", attempt=attempt, parent=parent if judged.store else None)
    return verification_of(record, goal, attempts=attempt)


async def verify_orchestrator_response(
    input: str,
    tool_calls: Iterable[Mapping[str, Any]],
    response: Any,
    *,
    verifier: Verifier | None = None,
    context: Mapping[str, Any] | None = None,
    attempts: int = 1,
    interaction_id: str | None = None,
    executor: Executor | None = None,
) -> dict[str, Any]:
    """Whether the final response meets the person's request, read independently with the tool calls that led to it."""
    evidence = tuple(_tool_call(number, call) for number, call in enumerate(tool_calls, 1))
    told = _told(context, interaction_id, "orchestrator")
    case = _case(Answer(text=as_text(response)), input, evidence=evidence, context=told, executor=executor)
    record = await (verifier or Verifier.from_settings(Settings())).verify(case, checkpoint="goal", attempt=attempts)
    return verification_of(record, input, attempts=attempts)


def with_metadata(response: Mapping[str, Any], verification: Mapping[str, Any]) -> dict[str, Any]:
    """The response with {passed, confidence, attempts} merged into the metadata that is there."""
    metadata = response.get("metadata")
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InputError(f"metadata: should be a mapping, not {type(metadata).__name__}")
    block = {name: verification[name] for name in ("passed", "confidence", "attempts")}
    return {**response, "metadata": {**(metadata or {}), "verification": block}}


def verification_of(record: Record | None, goal: str, *, attempts: int) -> dict[str, Any]:
    """A record in these words; without a record nothing was verified, and so nothing was achieved."""
    if record is None:
        blank = {"goalAchieved": False, "passed": False, "confidence": None, "issues": ["no result came"]}
        return {**blank, "suggestions": [], "questions": [], "action": "escalate", "attempts": attempts, "goal": goal}
    said = write_goal(older_verdict(record))
    said[KEY] |= {"record_id": record.id, "outcome": record.outcome, "coverage": record.coverage}
    questions = list(record.questions)
    return {**said, "questions": questions, "action": record.action, "attempts": attempts, "goal": goal}


def feedback_of(verification: Mapping[str, Any]) -> str:
    """What a verification found, in words for the next try."""
    lines = [f"{HEADING}:"]
    for title, key in (("Issues:", "issues"), ("Suggestions:", "suggestions")):
        given = verification.get(key)
        items = [given] if isinstance(given, str) else list(given or ())
        lines += ["", title, *(f"- {' '.join(str(item).split())}" for item in items)] if items else []
    return "\n".join([*lines, "", "Please address the above issues in your revised result."])


def as_text(result: Any) -> str:
    """What a result says: a text as it is, the text of a response, anything else as JSON."""
    if isinstance(result, str):
        return result
    if result is None:
        return ""
    if isinstance(result, Mapping):
        found = next((result[key] for key in _TEXT_KEYS if isinstance(result.get(key), str)), None)
        if found is not None:
            return str(found)
    return json.dumps(result, ensure_ascii=False, default=str)


# --- putting things together ---------------------------------------------------------------------------------------


def _case(subject: Any, goal: str, **more: Any) -> Case:
    if not goal.strip():
        raise InputError("goal: say what the person wants; without it there is nothing to verify against")
    context = dict(more.pop("context", None) or {})
    return Case(subject=subject, goal=goal, context=context, **more)


def _told(context: Mapping[str, Any] | None, interaction_id: str | None, verification_type: str) -> dict[str, Any]:
    """The context with what the log goes by; what the caller says himself stays."""
    given = dict(context or {})
    given.setdefault("verification_type", verification_type)
    if interaction_id is not None:
        given["interaction_id"] = interaction_id
    return given


def _limited(context: Mapping[str, Any] | None, max_retries: int) -> dict[str, Any]:
    given = dict(context or {})
    return given | {"policy": {**(given.get("policy") or {}), "max_revisions": max_retries}}


def _envelope(revised: RevisionResult, made: Mapping[int, Any], goal: str) -> Envelope:
    """The best attempt as the tool returned it under its number, not as the text it was read as."""
    numbers = [a.number for a in revised.attempts if a.judged and a.record is not None and a.record is revised.record]
    checked = verification_of(revised.record, goal, attempts=len(revised.attempts))
    checked |= {"action": revised.action, "degraded": revised.degraded, "stopped_because": revised.stopped_because}
    return {"result": made[numbers[0]] if numbers else None, "verification": checked}


def _callable(tool: Any) -> Callable[..., Any]:
    run = getattr(tool, "execute", tool)
    if not callable(run):
        raise UsageError("tool: neither a callable nor something with `execute`")
    return run  # type: ignore[no-any-return]


def _run(run: Callable[..., Any], given: Any, feedback: str | None) -> Any:
    if feedback is None:
        return run(given)
    try:
        takes = "feedback" in inspect.signature(run).parameters
    except (TypeError, ValueError):
        takes = False
    if takes:
        return run(given, feedback=feedback)
    if isinstance(given, Mapping):
        return run({**given, "feedback": feedback})
    return run(f"{given}\n\n{feedback}" if isinstance(given, str) else given)


def _tool_call(number: int, call: Mapping[str, Any]) -> Evidence:
    name = call.get("name") or call.get("tool")
    if not isinstance(name, str):
        raise InputError(f"tool_calls[{number - 1}].name: every call needs the name of its tool")
    taken, came = (next((call[k] for k in keys if k in call), None) for keys in (_INPUT_KEYS, _OUTPUT_KEYS))
    return Evidence(
        id=f"call-{number}", kind="tool_call", name=name, input=taken, output=came, exit_code=call.get("exit_code")
    )
