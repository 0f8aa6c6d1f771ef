"""A judge that remembers: the same question to the same judge is answered once. Errors are never remembered.

Goes by the question's key (everything the answer depends on, the fence's nonce left out), how it is asked, the judge, its
model and its endpoint. A hit never reaches the limiter or the budget. What a store keeps is held in this process too, but only for
seconds, so that what is purged there is soon gone from every process. Knows nothing about where notes are kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from witnessmark.core.errors import BudgetError, WitnessmarkError
from witnessmark.core.protocols import Judge, Notes, Question, Reply
from witnessmark.core.values import digest
from witnessmark.core.verdict import Usage
from witnessmark.judges.replies import complaints

NAMESPACE = "answers"
IN_MEMORY = 2048
NEAR_S = 5.0
"""How long an answer that a store keeps is held in this process."""
FROM_MEMORY = Usage(cached=1)


class MemoryNotes:
    """Notes in this process: a bounded number, the ones not used for longest go first; each for so long, or for ever."""

    def __init__(
        self, most: int = IN_MEMORY, fresh_s: float = math.inf, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._fresh_s, self._clock = most, fresh_s, clock
        self._kept: OrderedDict[tuple[str, str], tuple[bytes, float]] = OrderedDict()

    def get(self, namespace: str, key: str) -> bytes | None:
        """What was remembered under the key."""
        kept = self._kept.get((namespace, key))
        if kept is None:
            return None
        body, until = kept
        if until <= self._clock():
            del self._kept[namespace, key]
            return None
        self._kept.move_to_end((namespace, key))
        return body

    def put(self, namespace: str, key: str, body: bytes) -> None:
        """Keep this under the key, in place of what was there."""
        self._kept[namespace, key] = (body, self._clock() + self._fresh_s)
        self._kept.move_to_end((namespace, key))
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    async def recall(self, namespace: str, key: str) -> bytes | None:
        """As `get`, for whoever takes any notes."""
        return self.get(namespace, key)

    async def remember(self, namespace: str, key: str, body: bytes) -> None:
        """As `put`, for whoever takes any notes."""
        self.put(namespace, key, body)


class WorkspaceNotes:
    """Notes with a namespace of answers for one workspace: no other is told what it asked, and it can be emptied alone."""

    def __init__(self, notes: Notes, workspace: str) -> None:
        self._notes, self._workspace = notes, workspace

    def _own(self, namespace: str) -> str:
        return f"{namespace}/{self._workspace}" if namespace == NAMESPACE else namespace

    async def recall(self, namespace: str, key: str) -> bytes | None:
        """What was remembered under the key."""
        return await self._notes.recall(self._own(namespace), key)

    async def remember(self, namespace: str, key: str, body: bytes) -> None:
        """Keep this under the key, in place of what was there."""
        await self._notes.remember(self._own(namespace), key, body)


class CachedJudge:
    """Wraps a judge. Questions asked at the same time are asked once."""

    def __init__(self, judge: Judge, notes: Notes | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.judge, self.id, self.family = judge, judge.id, judge.family
        self.model = str(getattr(judge, "model", ""))
        self.window = int(getattr(judge, "window", 32_000))
        self.fingerprint = str(getattr(judge, "fingerprint", ""))
        self._near = MemoryNotes(fresh_s=math.inf if notes is None else NEAR_S, clock=clock)
        self._far = notes
        self._asking: dict[str, asyncio.Future[Reply | None]] = {}

    async def ask(self, question: Question) -> Reply:
        """The remembered answer, or the judge's."""
        asked = [question.key, question.max_tokens, question.temperature, question.seed]
        told = [self.id, self.model, self.fingerprint, *asked]
        key = repr(told) if self._far is None else digest(told)  # only what is kept elsewhere needs a short name
        while True:
            known = await self._recalled(key, question)
            if known is not None:
                return known
            under_way = self._asking.get(key)
            if under_way is None or under_way.get_loop() is not asyncio.get_running_loop():
                return await self._asked(key, question)
            reply = await asyncio.shield(under_way)
            if reply is not None:
                return msgspec.structs.replace(reply, usage=FROM_MEMORY, cached=True)

    async def _asked(self, key: str, question: Question) -> Reply:
        """Ask, while others who ask the same wait for it; None tells them that this one could not, for a reason of its own."""
        mine: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
        self._asking[key] = mine
        try:
            reply = await self.judge.ask(question)
        except BudgetError:
            raise  # whoever waits has a budget of its own, and asks
        except WitnessmarkError as exc:
            mine.set_exception(exc)
            mine.exception()  # looked at, so that nobody warns that nobody waited
            raise
        else:
            mine.set_result(reply)
        finally:
            self._asking.pop(key, None)
            if not mine.done():
                mine.set_result(None)
        body = msgspec.json.encode({"data": reply.data, "model": reply.model})
        self._near.put(NAMESPACE, key, body)
        if self._far is not None:
            await self._far.remember(NAMESPACE, key, body)
        return reply

    async def _recalled(self, key: str, question: Question) -> Reply | None:
        body = self._near.get(NAMESPACE, key)
        if body is None and self._far is not None:
            body = await self._far.recall(NAMESPACE, key)
            if body is not None:
                self._near.put(NAMESPACE, key, body)
        if body is None:
            return None
        with contextlib.suppress(msgspec.DecodeError):
            kept = msgspec.json.decode(body)
            # What is in a store may have been damaged: it is looked at like any other reply.
            if not complaints(kept["data"], question.reply_schema):
                return Reply(data=kept["data"], judge=self.id, model=kept["model"], usage=FROM_MEMORY, cached=True)
        return None

    async def close(self) -> None:
        """Close the judge within."""
        await close(self.judge)


async def close(judge: object) -> None:
    """Close a judge that has something to close."""
    closing = getattr(judge, "close", None)
    if closing is not None:
        await closing()
