"""A chunk of rows becomes lines of output: the one thing every engine does, in whatever process."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from witnessmark.batch.values import Chunk, ChunkResult, ChunkWork, Row, Tally, error_line
from witnessmark.core.case import Case, Mission, MissionTask
from witnessmark.core.errors import UnknownNameError, UsageError
from witnessmark.core.record import Entry, Record, Store
from witnessmark.core.verdict import NO_USAGE
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


MOST_TOGETHER = 1_000
CaseEntry = tuple[Case, Entry]


class Worker:
    """Verifies chunks with one verifier, so that checks are compiled and models loaded once."""

    def __init__(self, work: ChunkWork, services: dict[str, Any] | None = None) -> None:
        self._work = work
        self._verifier = Verifier.from_settings(
            work.settings, policy=work.policy, services=work.tree.services(work.settings.probes) | (services or {})
        )
        self._recent = RecentRecords(self._verifier.store)
        self._related = self._recent.over(self._verifier)
        self._room = asyncio.Semaphore(work.concurrency)

    async def do(self, chunk: Chunk) -> ChunkResult:
        """Verify every row; keep the records where there is a store; give the lines in the order of the rows."""
        lines = _ChunkLines()
        for key, rows in groupby(chunk.rows, key=lambda row: row.group):
            if key is None:
                await self._rows(list(rows), self._verifier, lines)
            else:
                await self._group(key, list(rows), lines)
        return ChunkResult(chunk.number, len(chunk.rows), b"\n".join([*lines.all, b""]), lines.tally(), chunk.seen)

    async def _rows(self, rows: list[Row], verifier: Verifier, lines: _ChunkLines) -> list[CaseEntry]:
        """The lines of these rows; gives the cases among them with their entries."""
        made: list[CaseEntry] = []
        results = verifier.verify_many(
            rows,
            load=_case,
            checkpoint=self._work.checkpoint,
            concurrency=min(self._work.concurrency, len(rows)) if verifier.service("judges") is not None else 1,
            keep_every=len(rows),
            run_id=lambda row: f"{self._work.key}-{row.number}",
            room=self._room,
        )
        async for result in results:
            if result.entry is None or result.case is None:
                lines.error(result.item, str(result.error))
                continue
            lines.record(result.record)
            if result.item.group is not None:
                made.append((result.case, result.entry))
        return made

    async def _group(self, key: str, rows: list[Row], lines: _ChunkLines) -> None:
        """Related cases with their questions grouped, and then all of them against each other."""
        if len(rows) > MOST_TOGETHER:
            await self._rows(rows, self._verifier, lines)
            why = f"group {key!r} has more than {MOST_TOGETHER} cases, too many to compare; group by something finer"
            lines.error(rows[0], why)
            return
        made = await self._rows(rows, self._related, lines)
        if not made:
            return
        with self._recent.holding([entry for _, entry in made]):
            name = f"{self._work.key}-group-{rows[0].number}"
            together = self._related.verify_many(
                [group_case(key, made)], checkpoint="mission", run_id=lambda _: name, concurrency=1
            )
            async for result in together:
                lines.groups += 1
                lines.lone_groups += len(made) == 1
                lines.record(result.record)

    async def close(self) -> None:
        """Let go of judges and store."""
        await self._verifier.close()


def _case(row: Row) -> Case:
    if row.problem:
        raise UsageError(row.problem)
    return Case.from_json(row.data)


class _ChunkLines:
    """What came of a chunk so far. A record is written out at once: a thousand of them would keep the collector busy."""

    def __init__(self) -> None:
        self.all: list[bytes] = []
        self.groups = self.lone_groups = 0
        self._errors = 0
        self._first_error: tuple[int, str] | None = None
        self._outcomes: Counter[str] = Counter()
        self._causes: Counter[str] = Counter()
        self._usage = NO_USAGE

    def error(self, row: Row, message: str) -> None:
        """The line of a row that is not a case."""
        self._errors += 1
        if self._first_error is None or row.number < self._first_error[0]:
            self._first_error = (row.number, f"{row.where}: {message}")
        self.all.append(error_line(row, message))

    def record(self, record: Record) -> None:
        """The line of a record."""
        self._outcomes[record.outcome] += 1
        if record.unverified_because is not None:
            self._causes[record.unverified_because] += 1
        if record.usage is not NO_USAGE:
            self._usage += record.usage
        self.all.append(record.full_json())

    def tally(self) -> Tally:
        """All of it in numbers."""
        cases = self._outcomes.total() - self.groups
        outcomes, causes = dict(self._outcomes), dict(self._causes)
        return Tally(
            cases, self._errors, self.groups, outcomes, causes, self._usage, self.lone_groups, self._first_error
        )


def in_turn(worker: Worker, chunks: Iterator[Chunk]) -> Iterator[ChunkResult]:
    """The engine without further processes: two chunks under way, so that the next begins where the last one waits."""
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        under_way: deque[asyncio.Task[ChunkResult]] = deque()
        try:
            for chunk in chunks:
                under_way.append(loop.create_task(worker.do(chunk)))
                if len(under_way) > 1:
                    runner.run(_ended(under_way[0]))
                    yield under_way.popleft().result()
            while under_way:
                runner.run(_ended(under_way[0]))
                yield under_way.popleft().result()
        finally:
            runner.run(_stopped(worker, under_way))


async def _ended(task: asyncio.Task[ChunkResult]) -> None:
    """Gives nothing back: asyncio writes out what it runs, result and all, when it restores the handler of Ctrl-C."""
    await task


async def _stopped(worker: Worker, under_way: Iterable[asyncio.Task[ChunkResult]]) -> None:
    for task in under_way:
        task.cancel()
    await asyncio.gather(*under_way, return_exceptions=True)
    await worker.close()
