"""Chunks verified by several processes: each loads checks and models once, and one that dies is replaced.

The processes are ours from end to end, with a pipe in and a pipe out: a killed one shows as the end of its pipe, its
chunk is done again by another, and a row that kills whoever looks at it becomes an error row. Nothing here waits on a
pool that may be broken. Knows nothing about files.
"""

from __future__ import annotations

import asyncio
import os
import selectors
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

from witnessmark.batch.values import Chunk, ChunkResult, ChunkWork, Row, Tally, error_line
from witnessmark.batch.worker import Worker
from witnessmark.core.errors import StoreError, UsageError, WitnessmarkError
from witnessmark.core.work import pipes
from witnessmark.core.work.pipes import receive, send

PATIENCE = 3
AHEAD = 4
SERVE = "from witnessmark.batch.pool import serve; serve()"


class WorkerFailure(str):
    """Why a worker cannot go on: something the user can fix."""


# --- in the worker -------------------------------------------------------------------------------------------------


def serve() -> None:
    """What a worker process does: take chunks from its standard input until that ends."""
    inward, outward = pipes.worker_ends()
    work = receive(inward)
    try:
        _work(work, inward, outward)
    except BrokenPipeError:
        os._exit(0)  # nobody reads any more


def _work(work: ChunkWork, inward: IO[bytes], outward: IO[bytes]) -> None:
    with asyncio.Runner() as runner:
        try:
            worker = Worker(work)
            send(outward, "ready")
            while (chunk := receive(inward)) is not None:
                send(outward, runner.run(worker.do(chunk)))
            runner.run(worker.close())
        except WitnessmarkError as exc:
            send(outward, WorkerFailure(exc))


# --- in the process that hands out work ------------------------------------------------------------------------------


class WorkerProcess:
    """One worker process and the chunk it has."""

    def __init__(self, work: ChunkWork) -> None:
        self.process = pipes.start(SERVE)
        self.chunk: Chunk | None = None
        self.ready = False
        self.say(work)

    @property
    def voice(self) -> IO[bytes]:
        """Where it answers."""
        assert self.process.stdout is not None
        return self.process.stdout

    def say(self, message: Any) -> None:
        """Hand it something. One that is dead shows when it is listened to."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            send(self.process.stdin, message)

    def take(self, chunk: Chunk) -> None:
        """Give it a chunk."""
        self.chunk = chunk
        self.say(chunk)

    def end(self, *, now: bool) -> None:
        """Let it go home, or stop it where it is."""
        pipes.end(self.process, now=now)


class WorkerPool:
    """Hands out chunks and gives what came of them in the order of the chunks."""

    def __init__(self, work: ChunkWork, count: int) -> None:
        self._work, self._count = work, count
        self.workers: list[WorkerProcess] = []
        self._listening = selectors.DefaultSelector()
        self._again: deque[Chunk] = deque()
        self._deaths: dict[tuple[int, ...], int] = {}
        self._parts: dict[int, _Parts] = {}
        self._stillborn = 0

    def results(self, chunks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        """What came of every chunk."""
        under_way: deque[int] = deque()
        finished: dict[int, ChunkResult] = {}
        whole = False
        try:
            for _ in range(self._count):
                self._hire()
            while True:
                while not whole and len(under_way) < self._count * AHEAD and self._idle() and not self._again:
                    chunk = next(chunks, None)
                    whole = chunk is None
                    if chunk is not None:
                        under_way.append(chunk.number)
                        self._give(chunk)
                self._redo()
                if whole and not under_way:
                    break
                for done in self._heard():
                    finished[done.number] = done
                while under_way and under_way[0] in finished:
                    yield finished.pop(under_way.popleft())
            self._leave(now=False)
        finally:
            self._leave(now=True)

    def _hire(self) -> WorkerProcess:
        hand = WorkerProcess(self._work)
        self.workers.append(hand)
        self._listening.register(hand.voice, selectors.EVENT_READ, hand)
        return hand

    def _idle(self) -> WorkerProcess | None:
        return next((hand for hand in self.workers if hand.ready and hand.chunk is None), None)

    def _give(self, chunk: Chunk) -> None:
        hand = self._idle()
        if hand is None:
            self._again.append(chunk)
        else:
            hand.take(chunk)

    def _redo(self) -> None:
        while self._again and self._idle() is not None:
            self._give(self._again.popleft())

    def _heard(self) -> Iterator[ChunkResult]:
        """Wait until somebody says something, and take it."""
        for key, _ in self._listening.select():
            hand: WorkerProcess = key.data
            said = receive(hand.voice)
            if isinstance(said, WorkerFailure):
                raise UsageError(str(said))
            if isinstance(said, ChunkResult):
                chunk, hand.chunk = hand.chunk, None
                yield from self._joined(said, chunk)
            elif said is None:
                yield from self._died(hand)
            else:
                hand.ready = True

    def _died(self, hand: WorkerProcess) -> Iterator[ChunkResult]:
        """Replace it, and have its chunk done again: whole once, then in halves, until the row that kills stands alone."""
        self._listening.unregister(hand.voice)
        self.workers.remove(hand)
        hand.end(now=True)
        if not hand.ready:
            self._stillborn += 1
            if self._stillborn >= PATIENCE:
                raise StoreError("worker processes exit before they start; their output is above")
        self._hire()
        chunk = hand.chunk
        if chunk is None:
            return
        key = tuple(row.number for row in chunk.rows)
        self._deaths[key] = self._deaths.get(key, 0) + 1
        if self._deaths[key] < 2:
            self._again.append(chunk)
        elif len({row.group or row.number for row in chunk.rows}) == 1:
            yield from self._joined(_given_up(chunk), chunk)
        else:
            self._halve(chunk)

    def _halve(self, chunk: Chunk) -> None:
        parts = self._parts.setdefault(chunk.number, _Parts(chunk))
        middle = _middle(chunk.rows)
        for rows in (chunk.rows[:middle], chunk.rows[middle:]):
            parts.missing += 1
            self._again.append(chunk._replace(rows=rows))
        parts.missing -= chunk is not parts.chunk

    def _joined(self, done: ChunkResult, chunk: Chunk | None) -> Iterator[ChunkResult]:
        """A chunk that was done in parts is whole when all of them are there."""
        parts = self._parts.get(done.number)
        if parts is None or chunk is None:
            yield done
            return
        parts.missing -= 1
        parts.made[chunk.rows[0].number] = done
        if not parts.missing:
            del self._parts[done.number]
            yield parts.whole()

    def _leave(self, *, now: bool) -> None:
        for hand in self.workers:
            hand.end(now=now)
        self.workers.clear()
        if now:
            self._listening.close()


class _Parts:
    """A chunk that is done in parts, and what is there of it."""

    def __init__(self, chunk: Chunk) -> None:
        self.chunk, self.missing = chunk, 0
        self.made: dict[int, ChunkResult] = {}

    def whole(self) -> ChunkResult:
        """All parts, in the order of the rows."""
        places = {row.number: place for place, row in enumerate(self.chunk.rows)}
        ordered = [self.made[first] for first in sorted(self.made, key=lambda number: places[number])]
        total = sum((done.tally for done in ordered), Tally())
        return ChunkResult(
            self.chunk.number, len(self.chunk.rows), b"".join(d.lines for d in ordered), total, self.chunk.seen
        )


def _middle(rows: tuple[Row, ...]) -> int:
    """Where to part rows, never inside a group."""
    fits = [n for n in range(1, len(rows)) if rows[n].group is None or rows[n].group != rows[n - 1].group]
    return min(fits, key=lambda n: abs(n - len(rows) // 2))


def _given_up(chunk: Chunk) -> ChunkResult:
    why = "the process that verified it died twice; it may need more memory than is available"
    lines = b"".join(error_line(row, why) + b"\n" for row in chunk.rows)
    return ChunkResult(chunk.number, len(chunk.rows), lines, Tally(errors=len(chunk.rows)), chunk.seen)
