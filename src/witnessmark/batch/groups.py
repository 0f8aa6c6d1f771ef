"""Cases that belong together, such as those of one mission or conversation: as one mission, with their records at hand.

Knows nothing about rows, chunks or files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from witnessmark.core.case import Case, Mission, MissionTask
from witnessmark.core.errors import UnknownNameError
from witnessmark.core.record import Entry, Record, Store
from witnessmark.judges.grouped_judge import GroupedJudges
from witnessmark.verifier import Verifier


class RecentRecords:
    """Where the check of a mission's verdicts looks records up: those just made, then the store."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._held: dict[str, Entry] = {}

    def over(self, verifier: Verifier) -> Verifier:
        """The verifier for related cases: questions are grouped, records are looked up here."""
        judges = verifier.service("judges")
        asked = {} if judges is None else {"judges": GroupedJudges(judges)}
        return verifier.with_services({"records": self} | asked)

    @contextmanager
    def holding(self, entries: Sequence[Entry]) -> Iterator[None]:
        """Have these at hand for a while."""
        added = {entry.id: entry for entry in entries}
        self._held |= added
        try:
            yield
        finally:
            for key in added:
                self._held.pop(key, None)

    async def get(self, record_id: str, workspace: str | None = None) -> Entry:
        """The record of this id."""
        if record_id in self._held:
            return self._held[record_id]
        if self._store is None:
            raise UnknownNameError("record", record_id, ())
        return await self._store.get(record_id, workspace)

    async def children(self, record_id: str) -> Sequence[Record]:
        """What was said of the record later."""
        return [] if self._store is None else await self._store.children(record_id)


def group_case(key: str, made: Sequence[tuple[Case, Entry]]) -> Case:
    """All of them as one mission: each case a task with its output and the record of its verdict."""
    goals = {case.goal for case, _ in made}
    goal = goals.pop() if len(goals) == 1 else ""
    tasks: dict[str, MissionTask] = {}
    for place, (case, entry) in enumerate(made, 1):
        name = case.id if case.id and case.id not in tasks else f"{case.id or 'case'}#{place}"
        tasks[name] = MissionTask(id=name, description=case.goal, output=case.text, record=entry.id)
    return Case(id=f"group {key}"[:512], subject=Mission(goal=goal, tasks=tuple(tasks.values())), goal=goal)
