"""What every adapter shares: an output and its sources become a case, a record becomes words for whoever made the output.

Knows no framework: each adapter says where the goal, the output and the evidence are. What follows from a verdict is the
policy's word alone; an adapter only does it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from witnessmark.actions.trace.calls import ToolCall
from witnessmark.core.aliases import with_ids
from witnessmark.core.case import Case, Evidence, Executor
from witnessmark.core.errors import InputError, NotAcceptedError
from witnessmark.core.plans.checkpoints import checkpoints
from witnessmark.core.plans.criteria import Criterion
from witnessmark.core.record import Record
from witnessmark.core.values import canonical
from witnessmark.core.verdict import GOES_ON
from witnessmark.integrations.plain_cases import criteria
from witnessmark.loop.attempts import output_words
from witnessmark.loop.feedback import for_the_next
from witnessmark.loop.revise import REVISIONS
from witnessmark.retrieval.protocols import as_evidence, listed
from witnessmark.verifier import Verifier

_TEXTS = ("answer", "task_output", "synthesis")
OnRecord = Callable[[Record], None]


@dataclasses.dataclass(frozen=True, slots=True)
class VerificationGate:
    """A checkpoint that the outputs of a framework go through, with what holds for all of them.

    `text` says which part of a structured output is judged; without it a text is judged as it is and anything else as JSON.
    """

    checkpoint: str = "answer"
    verifier: Verifier = dataclasses.field(default_factory=Verifier)
    criteria: tuple[Criterion | str | Mapping[str, Any], ...] = ()
    context: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    text: Callable[[Any], str] | None = None
    on_record: OnRecord | None = None

    def case(
        self, output: Any, goal: str, evidence: Iterable[Any] = (), *, by: str = "", model: str | None = None
    ) -> Case:
        """The case of one output; `by` and `model` say who made it, so that no judge is asked about its own work."""
        made = {
            "subject": self._subject(output),
            "goal": goal,
            "criteria": criteria(self.criteria),
            "context": dict(self.context),
        }
        return replace(Case.from_dict(made), evidence=sources(evidence), executor=Executor(id=by, model=model))

    def _subject(self, output: Any) -> dict[str, Any]:
        kind = checkpoints.get(self.checkpoint).kinds[0]
        held = plain(output if self.text is None else self.text(output))
        if kind in _TEXTS:
            return {"kind": kind, "text": held if isinstance(held, str) else _json(held)}
        if isinstance(held, Mapping):
            return {**held, "kind": kind}
        if isinstance(held, str) and kind == "agent_output":
            return {"kind": kind, "summary": held}
        raise InputError(
            f"output: checkpoint {self.checkpoint!r} takes the fields of a {kind}, not {type(held).__name__}"
        )

    async def verify(self, case: Case, *, attempt: int = 1, parent: str | None = None) -> Record:
        """The record of a case; `on_record` sees every one of them."""
        record = await self.verifier.verify(case, checkpoint=self.checkpoint, attempt=attempt, parent=parent)
        if self.on_record is not None:
            self.on_record(record)
        return record


def feedback(case: Case, record: Record) -> str | None:
    """What to tell whoever made the output, where the policy wants another attempt; None where it does not."""
    if record.action not in REVISIONS:
        return None
    return for_the_next(record, query=case.goal, previous=output_words(case), kind=case.kind)


def accepted(record: Record) -> Record:
    """The record itself, where the output may be used; otherwise a NotAcceptedError that carries it."""
    if record.action in GOES_ON:
        return record
    raise NotAcceptedError(f"{record.outcome}, {record.action}: {record.headline} ({record.because})", record)


def sources(found: Iterable[Any]) -> tuple[Evidence, ...]:
    """Texts, mappings with a text and Evidence, or one of them, as evidence; no id twice, and what has none is d1, d2, …"""
    taken: dict[str, Evidence] = {}
    for number, made in enumerate(map(as_evidence, with_ids(listed(found))), 1):
        key = made.id if made.id not in taken else f"{made.id}#{number}"
        taken[key] = made if key == made.id else replace(made, id=key)
    return tuple(taken.values())


def tool_evidence(calls: Iterable[ToolCall]) -> tuple[Evidence, ...]:
    """What tools returned as evidence: an answer may rest on it, and reports of actions are held against it."""
    made = [
        Evidence(id=c.id, kind="tool_call", name=c.name, input=c.input, output=c.output, exit_code=c.exit_code)
        for c in calls
    ]
    return sources(made)


def _json(held: Any) -> str:
    try:
        return canonical(held).decode()
    except TypeError as exc:
        raise InputError(f"output: {exc}; say with `text` which part of it is judged") from None


def plain(value: Any) -> Any:
    """A structured output as JSON builtins, whichever library its class is from."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain({field.name: getattr(value, field.name) for field in dataclasses.fields(value)})
    if hasattr(value, "__struct_fields__"):
        return msgspec.to_builtins(value)
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value
