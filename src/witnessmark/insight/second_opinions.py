"""The judges judged: a share of what judges said is read again by another judge, beside the work and never in its way.

A second reading is a record of its own, kind `audit`, whose parent is the verification it is about. It changes no verdict:
it says where the two judges differ. Judges that read again are not themselves read again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from msgspec.structs import force_setattr, replace

from witnessmark.core.case import Case
from witnessmark.core.policy import Policy
from witnessmark.core.protocols import Judges, JudgeSelection
from witnessmark.core.record import Entry, Record, ResultRecord, Store
from witnessmark.core.values import text_digest

_log = logging.getLogger("witnessmark")


class SecondReader(Protocol):
    """What a second reading needs of whoever made the first: a `Verifier` is one."""

    @property
    def store(self) -> Store | None:
        """Where the second reading is kept."""
        ...

    def with_services(self, replaced: Mapping[str, Any], /) -> SecondReader:
        """The same with other judges."""
        ...

    async def evaluate(
        self, case: Case, *, checkpoint: str | None = None, attempt: int = 1, parent: str | None = None
    ) -> Entry:
        """Verify without keeping."""
        ...


@dataclass(frozen=True, slots=True)
class Audit:
    """One judged verification read again by another judge: both records, and where the two differ."""

    record: Record
    again: Record
    differences: tuple[str, ...]

    @property
    def agree(self) -> bool:
        """Whether the other judge looked, and said the same wherever it did."""
        return not self.differences and bool(_shared(self.record, self.again))


def judges_of(record: Record) -> tuple[str, ...]:
    """Who judged, each once; a judge that gave no answer has not judged."""
    return tuple(dict.fromkeys(said.judge for said in record.results if said.judge is not None and _settled(said)))


def is_sampled(policy: Policy, case: Case, record: Record) -> bool:
    """Whether this verification is among the share that another judge reads again; the case decides, not chance."""
    if not policy.meta_audit_share or record.kind != "verification" or not judges_of(record):
        return False
    return int(text_digest(f"meta-audit {case.digest()}")[:12], 16) / 16**12 < policy.meta_audit_share


def others(judges: object, case: Case, record: Record) -> Judges | None:
    """Judges at hand that may read this work and have not; None where there are none, or nobody can say."""
    if not isinstance(judges, JudgeSelection):
        return None
    return judges.others(judges_of(record), case.executor.model if case.executor else None)


async def meta_audit(verifier: SecondReader, case: Case, record: Record, other: Judges) -> Audit:
    """Have another judge read the same case and compare, check by check; where there is a store, that is kept."""
    second = verifier.with_services({"judges": other})
    entry = await second.evaluate(case, checkpoint=record.checkpoint, attempt=record.attempt, parent=record.id)
    assert entry.record is not None
    found = _differences(record, entry.record)
    again = _as_audit(entry.record, _told(_shared(record, entry.record), found))
    if verifier.store is not None:
        await verifier.store.append([Entry(again.id, entry.workspace, again, entry.runs, None, False, record.id)])
    return Audit(record, again, found)


def _as_audit(record: Record, because: str) -> Record:
    made = replace(record, id="", kind="audit", because=because)
    force_setattr(made, "id", made.identity())
    return made


def _settled(said: ResultRecord) -> bool:
    return said.status in ("pass", "partial", "fail")


def _shared(record: Record, again: Record) -> list[tuple[ResultRecord, ResultRecord]]:
    """What both judges settled, check by check."""
    before = {said.node: said for said in record.results if said.judge is not None and _settled(said)}
    read = [said for said in again.results if said.judge is not None and _settled(said)]
    return [(before[said.node], said) for said in read if said.node in before]


def _differences(record: Record, again: Record) -> tuple[str, ...]:
    return tuple(
        f"{said.node}: {was.status} by {was.judge}, {said.status} by {said.judge}"
        for was, said in _shared(record, again)
        if said.status != was.status
    )


def _told(shared: Sequence[tuple[ResultRecord, ResultRecord]], differences: Sequence[str]) -> str:
    if not shared:
        return "the other judge could not say"
    return "; ".join(differences) or f"{shared[0][1].judge} says the same as {shared[0][0].judge}"


class BackgroundAudits:
    """Second readings under way. Whoever verifies does not wait for them; `finish` does."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Audit]] = set()

    def start(self, verifier: SecondReader, case: Case, record: Record, other: Judges) -> None:
        """Read again in the background; what goes wrong there is logged and costs the verification nothing."""
        task = asyncio.get_running_loop().create_task(meta_audit(verifier, case, record, other))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def finish(self) -> None:
        """Wait for those that this loop runs."""
        here = asyncio.get_running_loop()
        await asyncio.gather(*(task for task in self._tasks if task.get_loop() is here), return_exceptions=True)

    def _done(self, task: asyncio.Task[Audit]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (exc := task.exception()) is not None:
            _log.warning("a second reading by another judge was not kept: %s: %s", type(exc).__name__, exc)
