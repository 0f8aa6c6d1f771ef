"""A chunk of rows becomes lines of output: the one thing every engine does, in whatever process.

Knows nothing about files, other processes or the order of chunks.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from witnessmark.batch.groups import RecentRecords, group_case
from witnessmark.batch.values import Chunk, ChunkResult, ChunkWork, Row, Tally, error_line
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.core.record import Entry
from witnessmark.core.verdict import NO_USAGE
from witnessmark.verifier import Verifier

MOST_TOGETHER = 1_000
Made = tuple[Case, Entry]


class Worker:
    """Verifies chunks with one verifier, so that checks are compiled and models loaded once."""

    def __init__(self, work: ChunkWork, services: dict[str, Any] | None = None) -> None:
        self._work = work
        self._verifier = Verifier(work.settings, policy=work.policy, services=services)
        self._recent = RecentRecords(self._verifier.store)
        self._related = self._recent.over(self._verifier)
        self._room = asyncio.Semaphore(work.concurrency)

    async def do(self, chunk: Chunk) -> ChunkResult:
        """Verify every row; keep the records where there is a store; give the lines in the order of the rows."""
        sheet = _Sheet(keeps=self._verifier.store is not None)
        lines: list[bytes] = []
        for key, rows in groupby(chunk.rows, key=lambda row: row.group):
            if key is None:
                lines += await self._rows(list(rows), self._verifier, sheet)
            else:
                lines += await self._group(key, list(rows), sheet)
        await self._keep(sheet.kept)
        return ChunkResult(chunk.number, len(chunk.rows), b"\n".join([*lines, b""]), sheet.tally(), chunk.seen)

    async def _rows(
        self, rows: list[Row], verifier: Verifier, sheet: _Sheet, made: dict[int, Made] | None = None
    ) -> list[bytes]:
        """Lanes take rows as they come free. Checks that wait for nothing all run in the first lane, without a switch."""
        lines = [b""] * len(rows)
        waiting = iter(enumerate(rows))

        async def lane() -> None:
            async with self._room:
                for place, row in waiting:
                    lines[place] = await self._one(row, verifier, sheet, made)

        if verifier.service("judges") is None:
            await lane()
            return lines
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._work.concurrency, len(rows))):
                group.create_task(lane())
        return lines

    async def _one(self, row: Row, verifier: Verifier, sheet: _Sheet, made: dict[int, Made] | None) -> bytes:
        if row.problem:
            return sheet.error(row, row.problem)
        try:
            case = Case.from_json(row.data)
            entry = self._named(await verifier.examine(case, checkpoint=self._work.checkpoint), row.number)
        except UsageError as exc:
            return sheet.error(row, str(exc))
        if made is not None:
            made[row.number] = (case, entry)
        return sheet.line(case, entry)

    async def _group(self, key: str, rows: list[Row], sheet: _Sheet) -> list[bytes]:
        """Related cases with their questions grouped, and then all of them against each other."""
        if len(rows) > MOST_TOGETHER:
            why = f"group {key!r} has more than {MOST_TOGETHER} cases, too many to compare; group by something finer"
            return [*await self._rows(rows, self._verifier, sheet), sheet.error(rows[0], why)]
        made: dict[int, Made] = {}
        lines = await self._rows(rows, self._related, sheet, made)
        if not made:
            return lines
        ordered = [made[number] for number in sorted(made)]
        with self._recent.holding([entry for _, entry in ordered]):
            case = group_case(key, ordered)
            entry = await self._related.examine(case, checkpoint="mission")
        sheet.groups += 1
        return [*lines, sheet.line(case, self._named(entry, rows[0].number, "group-"))]

    def _named(self, entry: Entry, number: int, kind: str = "") -> Entry:
        """The run under a name made from the row's, so that what is done again after a kill is kept once."""
        if self._verifier.store is None:
            return entry
        return replace(entry, runs=(replace(entry.runs[0], id=f"{self._work.key}-{kind}{number}"),))

    async def _keep(self, kept: list[Made]) -> None:
        if self._verifier.store is None or not kept:
            return
        await self._verifier.store.append([entry for _, entry in kept])
        for case, entry in kept:
            self._verifier.audit_later(entry, case)

    async def close(self) -> None:
        """Let go of judges and store."""
        await self._verifier.close()


class _Sheet:
    """What came of a chunk so far. A record is written out at once: a thousand of them would keep the collector busy."""

    def __init__(self, *, keeps: bool) -> None:
        self.kept: list[Made] = []
        self.groups = 0
        self._keeps = keeps
        self._errors = 0
        self._outcomes: Counter[str] = Counter()
        self._causes: Counter[str] = Counter()
        self._usage = NO_USAGE

    def error(self, row: Row, message: str) -> bytes:
        """The line of a row that is no case."""
        self._errors += 1
        return error_line(row, message)

    def line(self, case: Case, entry: Entry) -> bytes:
        """The line of a record."""
        record = entry.record
        assert record is not None
        self._outcomes[record.outcome] += 1
        if record.unverified_because is not None:
            self._causes[record.unverified_because] += 1
        if record.usage is not NO_USAGE:
            self._usage += record.usage
        if self._keeps:
            self.kept.append((case, entry))
        return record.full_json()

    def tally(self) -> Tally:
        """All of it in numbers."""
        cases = self._outcomes.total() - self.groups
        outcomes, causes = dict(self._outcomes), dict(self._causes)
        return Tally(cases, self._errors, self.groups, outcomes, causes, self._usage)


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
