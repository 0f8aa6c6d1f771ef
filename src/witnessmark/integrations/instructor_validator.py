"""instructor: fields of a response model are verified, and what was found goes back to the model, which is asked again.

    class Reply(BaseModel):
        text: Annotated[str, verified("answer")]

    request = Request("How did sales do?", documents)
    client.chat.completions.create(response_model=Reply, context=request.context, max_retries=2, …)

Works with whatever validates a Pydantic model with a context and asks again on a ValidationError. Asking again is bounded by
the policy's `max_revisions` and by the caller's own retries, for each field by itself: in a list of models the first element's,
the second's and so on. Needs the extra `instructor`.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterable, Mapping
from types import FrameType
from typing import Any

from pydantic import AfterValidator, ValidationInfo

from witnessmark.core.concurrency.background_loop import run_sync
from witnessmark.core.errors import UsageError
from witnessmark.core.record import Record
from witnessmark.integrations.adapter import VerificationGate, accepted, feedback
from witnessmark.retrieval.protocols import listed
from witnessmark.settings import Settings
from witnessmark.verifier import Verifier

KEY = "witnessmark"
FieldPlace = tuple[str, int]
"""A field's name, and which of those of that name it is in a reply."""


class Request:
    """One question to a model: what was asked, what the reply may rest on, and the records of all attempts so far."""

    def __init__(
        self, goal: str, evidence: Iterable[Any] = (), *, verifier: Verifier | None = None, model: str | None = None
    ) -> None:
        self.goal, self.evidence, self.model = goal, tuple(listed(evidence)), model
        self.verifier = verifier or Verifier.from_settings(Settings())
        self.records: list[Record] = []
        self._last: dict[FieldPlace, Record] = {}
        self._reply: FrameType | None = None
        self._seen = Counter[str]()

    @property
    def context(self) -> dict[str, Any]:
        """What to hand in as `context`."""
        return {KEY: self}

    def place(self, field: str, reply: FrameType | None) -> FieldPlace:
        """Which of the fields of this name it is in the reply that is being validated."""
        if reply is None or reply is not self._reply:
            self._reply, self._seen = reply, Counter()
        self._seen[field] += 1
        return field, self._seen[field]

    async def check(self, place: FieldPlace, value: Any, checkpoint: str, more: Mapping[str, Any]) -> Any:
        """The value where it is accepted; ValueError with feedback where the model should be asked again."""
        gate = VerificationGate(checkpoint, self.verifier, on_record=self.records.append, **more)
        case = gate.case(value, self.goal, self.evidence, model=self.model)
        before = self._last.get(place)
        attempt, parent = (1, None) if before is None else (before.attempt + 1, before.id)
        record = self._last[place] = await gate.verify(case, attempt=attempt, parent=parent)
        told = feedback(case, record)
        if told is not None:
            raise ValueError(told)
        accepted(record)
        return value


def verified(checkpoint: str = "answer", **more: Any) -> AfterValidator:
    """A validator that stands beside the type of a field, as in the example above.

    `criteria`, `context` and `text` are as in `seam.Gate`. Pydantic validates in sync code: under an async client the
    event loop waits while a field is verified, which matters where a judge is asked.
    """

    def look(value: Any, info: ValidationInfo) -> Any:
        request = _request(info.context)
        place = request.place(info.field_name or "", _validation())
        return run_sync(request.check(place, value, checkpoint, more))

    return AfterValidator(look)


def _validation() -> FrameType | None:
    """The call of Pydantic that validates this reply, of which nothing else tells: the context is the same for every attempt.

    The frame itself and not its id, which the next call may have again.
    """
    frame = inspect.currentframe()
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] != "pydantic":
        frame = frame.f_back
    return frame


def _request(context: Any) -> Request:
    found = context.get(KEY) if isinstance(context, Mapping) else None
    if not isinstance(found, Request):
        raise UsageError(
            "context: a verified field needs to know what was asked; pass context=Request(goal, evidence).context"
        )
    return found
