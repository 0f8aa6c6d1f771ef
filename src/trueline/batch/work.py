"""A chunk of rows becomes lines of output: the one thing every engine does, in whatever process.

Knows nothing about files, other processes or the order of chunks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from trueline.api import Verifier
from trueline.batch.related import Recent, group_case
from trueline.batch.words import Chunk, Done, Row, Work, error_line, tally
from trueline.case import Case
from trueline.errors import UsageError
from trueline.record import Entry

MOST_TOGETHER = 1_000
Made = tuple[Case, Entry] | bytes
"""A case with its record, or the line that says why a row is no case."""


class Worker:
    """Verifies chunks with one verifier, so that checks are compiled and models loaded once."""

    def __init__(self, work: Work, services: dict[str, Any] | None = None) -> None:
        self._work = work
        self._verifier = Verifier(work.settings, policy=work.policy, services=services)
        self._recent = Recent(self._verifier.store)
        self._related = self._recent.over(self._verifier)
        self._room = asyncio.Semaphore(work.concurrency)

    async def do(self, chunk: Chunk) -> Done:
        """Verify every row; keep the records where there is a store; give the lines in the order of the rows."""
        made: list[Made] = []
        groups = 0
        for key, rows in groupby(chunk.rows, key=lambda row: row.group):
            if key is None:
                made += await self._rows(list(rows), self._verifier)
            else:
                made += await self._group(key, list(rows))
                groups += isinstance(made[-1], tuple)
        done = [item for item in made if isinstance(item, tuple)]
        await self._keep(done)
        lines = [item if isinstance(item, bytes) else _record(item).full_json() for item in made]
        told = tally([_record(item) for item in done], errors=len(made) - len(done), groups=groups)
        return Done(chunk.number, len(chunk.rows), b"\n".join([*lines, b""]), told, chunk.seen)

    async def _rows(self, rows: list[Row], verifier: Verifier) -> list[Made]:
        """Lanes take rows as they come free. Checks that wait for nothing all run in the first lane, without a switch."""
        made: list[Made] = [b""] * len(rows)
        waiting = iter(enumerate(rows))

        async def lane() -> None:
            async with self._room:
                for place, row in waiting:
                    made[place] = await self._one(row, verifier)

        if not verifier.service("judges"):
            await lane()
            return made
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._work.concurrency, len(rows))):
                group.create_task(lane())
        return made

    async def _one(self, row: Row, verifier: Verifier) -> Made:
        if row.problem:
            return error_line(row, row.problem)
        try:
            case = Case.from_json(row.data)
            return case, self._named(await verifier.examine(case, checkpoint=self._work.checkpoint), row.number)
        except UsageError as exc:
            return error_line(row, str(exc))

    async def _group(self, key: str, rows: list[Row]) -> list[Made]:
        """Related cases with their questions grouped, and then all of them against each other."""
        if len(rows) > MOST_TOGETHER:
            why = f"group {key!r} has more than {MOST_TOGETHER} cases, too many to compare; group by something finer"
            return [*await self._rows(rows, self._verifier), error_line(rows[0], why)]
        made = await self._rows(rows, self._related)
        cases = [item for item in made if isinstance(item, tuple)]
        if not cases:
            return made
        with self._recent.holding([entry for _, entry in cases]):
            case = group_case(key, cases)
            entry = await self._related.examine(case, checkpoint="mission")
        return [*made, (case, self._named(entry, rows[0].number, "group-"))]

    def _named(self, entry: Entry, number: int, kind: str = "") -> Entry:
        """The run under a name made from the row's, so that what is done again after a kill is kept once."""
        if self._verifier.store is None:
            return entry
        return replace(entry, runs=(replace(entry.runs[0], id=f"{self._work.key}-{kind}{number}"),))

    async def _keep(self, done: list[tuple[Case, Entry]]) -> None:
        if self._verifier.store is None or not done:
            return
        await self._verifier.store.append([entry for _, entry in done])
        for case, entry in done:
            self._verifier.audit_later(entry, case)

    async def close(self) -> None:
        """Let go of judges and store."""
        await self._verifier.close()


def _record(item: tuple[Case, Entry]) -> Any:
    return item[1].record


def in_turn(worker: Worker, chunks: Iterator[Chunk]) -> Iterator[Done]:
    """The engine without further processes: two chunks under way, so that the next begins where the last one waits."""
    from collections import deque

    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        under_way: deque[asyncio.Task[Done]] = deque()
        try:
            for chunk in chunks:
                under_way.append(loop.create_task(worker.do(chunk)))
                if len(under_way) > 1:
                    yield runner.run(_result(under_way.popleft()))
            while under_way:
                yield runner.run(_result(under_way.popleft()))
        finally:
            runner.run(_stopped(worker, under_way))


async def _result(task: asyncio.Task[Done]) -> Done:
    return await task


async def _stopped(worker: Worker, under_way: Any) -> None:
    for task in under_way:
        task.cancel()
    await asyncio.gather(*under_way, return_exceptions=True)
    await worker.close()
