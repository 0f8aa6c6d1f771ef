"""The loop with a verifier behind it: `revise` for one piece of work, `@verified` for a function.

Knows how the loop and the Verifier fit together; the rules of the loop are in `loop`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from witnessmark.core.case import (
    AgentOutput,
    Answer,
    Case,
    Decomposition,
    Discussion,
    Subject,
    Synthesis,
    TaskOutput,
)
from witnessmark.core.concurrency.background_loop import run_sync
from witnessmark.core.errors import InputError
from witnessmark.core.plans.checkpoints import checkpoints
from witnessmark.core.values import canonical
from witnessmark.integrations.plain_cases import SourceLike, sources
from witnessmark.loop.attempts import Execute
from witnessmark.loop.revise import RevisionResult
from witnessmark.settings import Settings
from witnessmark.verifier import Verifier

F = TypeVar("F", bound=Callable[..., Any])
_BLANK: Mapping[str, Subject] = {
    "answer": Answer(text=""),
    "task_output": TaskOutput(text=""),
    "synthesis": Synthesis(text=""),
    "agent_output": AgentOutput(),
    "decomposition": Decomposition(),
    "discussion": Discussion(),
}
_KIND_AT = {"task": "task_output", "actions": "agent_output", "goal": "answer"}


async def revise(
    execute: Execute,
    case: Case,
    *,
    checkpoint: str | None = None,
    verifier: Verifier | None = None,
    max_revisions: int | None = None,
    **bounds: Any,
) -> RevisionResult:
    """Execute, verify, feed back, try again within bounds; the best attempt comes back, as it was verified.

    `execute` is a sync or async callable. It is given `feedback` (None the first time) and, where it takes them by name,
    `attempt`, `action` and `previous`; it returns a text, a mapping, a subject, or a whole case with its own evidence.

    Args:
        execute: makes the output, as above.
        case: what was asked and what must hold; its subject is replaced by each output.
        checkpoint: the checkpoint that outputs go through; the case's own where left out.
        verifier: who verifies; one without settings where left out.
        max_revisions: how often it may be tried again; the policy's number where left out.
        bounds: `deadline_s` and `budget_usd` for all attempts together.

    Raises:
        InputError: where the case is none, or no checkpoint of that name takes such a subject.
        ConfigError: where the policy is wrong.

    """
    if max_revisions is not None:
        case = _limited(case, max_revisions)
    return await (verifier or Verifier.from_settings(Settings())).revise(execute, case, checkpoint=checkpoint, **bounds)


def _limited(case: Case, max_revisions: int) -> Case:
    policy = {**(case.context.get("policy") or {}), "max_revisions": max_revisions}
    return replace(case, context={**case.context, "policy": policy})


def verified(
    *,
    goal: str | Callable[..., str],
    checkpoint: str = "goal",
    max_revisions: int | None = None,
    kind: str | None = None,
    evidence: SourceLike | Sequence[SourceLike] = (),
    context: Mapping[str, Any] | None = None,
    verifier: Verifier | None = None,
    **bounds: Any,
) -> Callable[[F], Callable[..., Any]]:
    """Wrap a function so that what it returns is verified, and done again with `feedback` where it falls short.

    The wrapped function returns a result with `output`, `record`, `attempts` and `stopped_because`; it is async where the
    function is. `goal` may be a function of the same arguments; `evidence` is texts, mappings or `Evidence`.

    Args:
        goal: what is asked.
        checkpoint: the checkpoint that outputs go through.
        max_revisions: how often it may be tried again; the policy's number where left out.
        kind: the kind of subject that is returned; the one that the checkpoint takes where left out.
        evidence: what the output may rest on.
        context: the context of the case, such as `policy` or `stakes`.
        verifier: who verifies; one without settings where left out.
        bounds: `deadline_s` and `budget_usd` for all attempts together.

    Raises:
        InputError: where no subject is of that kind, or the evidence cannot be read.
        UnknownNameError: where there is no such checkpoint.

    """
    subject = _blank(kind, checkpoint)
    how: dict[str, Any] = {"checkpoint": checkpoint, "verifier": verifier, "max_revisions": max_revisions, **bounds}
    held = Case.from_dict({"subject": {"kind": "task_output", "text": ""}, "evidence": sources(evidence)}).evidence

    def decorate(function: F) -> Callable[..., Any]:
        takes_feedback = _takes_feedback(function)

        def work(args: tuple[Any, ...], given: dict[str, Any]) -> Any:
            asked = goal if isinstance(goal, str) else goal(*args, **given)
            case = Case(subject=subject, goal=asked, evidence=held, context=dict(context or {}))
            return revise(_bound(function, args, given, takes_feedback=takes_feedback), case, **how)

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def later(*args: Any, **given: Any) -> RevisionResult:
                came: RevisionResult = await work(args, given)
                return came

            return later

        @functools.wraps(function)
        def now(*args: Any, **given: Any) -> RevisionResult:
            came: RevisionResult = run_sync(work(args, given))
            return came

        return now

    return decorate


def outputs_instead(case: Case, made: RevisionResult) -> str:
    """What a person gets where no synthesis could be verified: why not, and what each agent said, in its own words."""
    sources = [source for source in case.evidence if source.kind == "agent_output"]
    if not sources:
        raise InputError("evidence: there is no agent output to hand back; put them in with kind 'agent_output'")
    open_issues = [finding.message for finding in made.record.findings] if made.record is not None else []
    why = [f"The answer could not be verified: {made.stopped_because}.", *(f"- {issue}" for issue in open_issues[:10])]
    said = [f"{source.origin or source.id}: {source.text or canonical(source.data).decode()}" for source in sources]
    return "\n".join([*why, "", "What the agents said, as they said it:", *said])


def _blank(kind: str | None, checkpoint: str) -> Subject:
    """The subject that is filled with what comes back: of this kind, or of the one that the checkpoint takes."""
    wanted = kind or _KIND_AT.get(checkpoint, checkpoint)
    if kind is None and wanted not in _BLANK:
        takes = checkpoints.get(checkpoint).kinds
        wanted = next((one for one in takes if one in _BLANK), takes[0])
    if wanted not in _BLANK:
        raise InputError(f"kind: {wanted!r} is not one of {', '.join(_BLANK)}")
    return _BLANK[wanted]


def _takes_feedback(function: Callable[..., Any]) -> bool:
    parameters = inspect.signature(function).parameters
    return "feedback" in parameters or any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())


def _bound(
    function: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any], *, takes_feedback: bool
) -> Execute:
    def told(feedback: str | None) -> dict[str, Any]:
        return given | {"feedback": feedback} if takes_feedback and feedback is not None else given

    if inspect.iscoroutinefunction(function):

        async def later(feedback: str | None) -> Any:
            return await function(*args, **told(feedback))

        return later
    return lambda feedback: function(*args, **told(feedback))
