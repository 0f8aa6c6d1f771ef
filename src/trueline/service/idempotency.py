"""The same request twice is served once: its answer is kept under the caller's Idempotency-Key, beside what it wrote.

Kept in the store, so it holds across workers and restarts. Knows nothing about what the request does.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass

from trueline.service.exchange import Reply
from trueline.service.problems import RefusedError
from trueline.stores.sql import Database, SqlStore

LONGEST = 255
COLUMNS = ("workspace", "key", "digest", "status", "body", "at")


@dataclass(frozen=True, slots=True)
class Once:
    """A request that is to be served once."""

    workspace: str
    key: str
    digest: str

    def claim(self, reply: Reply) -> Callable[[Database], Earlier | None]:
        """Takes the key with this answer; gives the earlier answer where the key is taken."""

        def take(db: Database) -> Earlier | None:
            marks = ", ".join("?" * len(COLUMNS))
            made = db.execute(
                f"INSERT INTO idempotency ({', '.join(COLUMNS)}) VALUES ({marks}) ON CONFLICT DO NOTHING RETURNING key",
                (self.workspace, self.key, self.digest, reply.status, reply.body.decode(), time.time()),
            )
            return None if made else _earlier(db, self)

        return take


@dataclass(frozen=True, slots=True)
class Earlier:
    """What was answered before, and to which body."""

    digest: str
    status: int
    body: str

    def reply(self, once: Once) -> Reply:
        """The same answer again; 422 where the body is another one."""
        if self.digest != once.digest:
            raise RefusedError(
                422, "this key was used with another body; take a new key for a new request", field="Idempotency-Key"
            )
        return Reply(self.body.encode(), self.status, headers=((b"idempotency-replayed", b"true"),))


def once_of(header: bytes | None, workspace: str, path: str, body: bytes) -> Once | None:
    """The request's Idempotency-Key, where it has one."""
    if header is None:
        return None
    if not 0 < len(header) <= LONGEST or any(not 0x21 <= byte <= 0x7E for byte in header):
        raise RefusedError(422, f"1 to {LONGEST} printable ASCII characters without spaces", field="Idempotency-Key")
    return Once(workspace, header.decode("ascii"), hashlib.sha256(path.encode() + b"\n" + body).hexdigest())


async def earlier(store: SqlStore, once: Once) -> Earlier | None:
    """What was answered to this key before, where anything was."""
    return await store.read(lambda db: _earlier(db, once))


def _earlier(db: Database, once: Once) -> Earlier | None:
    found = db.execute(
        "SELECT digest, status, body FROM idempotency WHERE workspace = ? AND key = ?", (once.workspace, once.key)
    )
    return Earlier(*found[0]) if found else None
