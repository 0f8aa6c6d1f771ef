"""Who watches, and what they are told: one server-sent event for each time a record is kept, whichever process keeps it.

One rule: each listener is told what was committed after the moment it came, in the order of commits. It reads up to a moment
and goes on from there the next time, so that nothing is told twice and nothing is lost, however much comes at once. Whoever
may not come in any more is told nothing more.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

from witnessmark.core.errors import StoreError
from witnessmark.stores import commits
from witnessmark.stores.commits import CommitWindow, RunCommit
from witnessmark.stores.sql import SqlStore

LOOK_S = 1.0
"""How long what another process kept may stay unseen."""
PAUSE_S = 0.2
"""How long a listener waits at least between two looks, however much is kept."""
BEAT_S = 15.0


class RecordEvents:
    """Tells listeners of a workspace about its records."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._listeners = 0
        self._kept = asyncio.Event()
        self._over = False

    @property
    def listened(self) -> bool:
        """Whether anybody listens."""
        return self._listeners > 0

    def look(self) -> None:
        """Something was kept here: whoever listens looks at once."""
        self._kept.set()
        self._kept = asyncio.Event()

    async def listen(self, workspace: str, still: Callable[[], Awaitable[bool]]) -> AsyncIterator[bytes]:
        """Events of a workspace from now on, and a comment now and then that keeps the line open.

        `still`: whether the listener may still be told; asked before anything is, and where it says no the stream ends.
        """
        if self._over:
            return
        kept, since = self._kept, await commits.now(self._store)
        left: CommitWindow | None = None
        self._listeners += 1
        try:
            yield b"retry: 2000\n: listening\n\n"
            told = time.monotonic()
            while not self._over:
                if left is None:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(kept.wait(), LOOK_S)
                    kept = self._kept
                with contextlib.suppress(StoreError):  # what it has is read at the next look
                    window = left or CommitWindow(since, await commits.now(self._store))
                    runs, more = await commits.page(self._store, workspace, window)
                    if (runs or time.monotonic() - told > BEAT_S) and not await still():
                        return
                    left, since = more, window.until
                    for run in runs:
                        yield _event(run)
                    told = time.monotonic() if runs else told
                if time.monotonic() - told > BEAT_S:
                    told = time.monotonic()
                    yield b": still here\n\n"
                await asyncio.sleep(PAUSE_S)
        finally:
            self._listeners -= 1

    def close(self) -> None:
        """Everybody may go home."""
        self._over = True
        self.look()


def _event(run: RunCommit) -> bytes:
    mark = f"{run.id} {run.at!r}"
    return b"event: record\nid: " + mark.encode() + b"\ndata: " + msgspec.json.encode(run._asdict()) + b"\n\n"
