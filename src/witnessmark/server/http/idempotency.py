"""The same request twice is served once: its answer is kept under the caller's Idempotency-Key, beside what it wrote.

Kept in the store, so it holds across workers and restarts. Knows nothing about what the request does.
"""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from witnessmark.core.values import canonical, parse
from witnessmark.core.verdict import Usage
from witnessmark.server.http.endpoints import Response
from witnessmark.server.http.errors import RefusedError
from witnessmark.server.writer import IdempotencyClaim
from witnessmark.stores.sql import Database, SqlStore

LONGEST = 255
_KEY = re.compile(rb"[!-~]{1,255}")
TABLE = "idempotency"
COLUMNS = ("workspace", "key", "digest", "status", "record_id", "body", "at")


class IdempotentRequest(msgspec.Struct, frozen=True):
    """A request that is to be served once."""

    workspace: str
    key: str
    digest: str

    def claim(self, reply: Response) -> IdempotencyClaim:
        """Takes the key with this answer; gives the earlier answer where the key is taken."""
        # A record is kept anyway, and its id covers all of it but what it cost: only that is kept here.
        record = reply.record
        told = (record.id, canonical(record.usage)) if record is not None else (None, reply.body)
        row = (self.workspace, self.key, self.digest, reply.status, told[0], told[1].decode(), time.time())
        return IdempotencyClaim(
            lambda db: None if db.insert(TABLE, COLUMNS, [row]) else _earlier(db, self), (TABLE, COLUMNS, row)
        )


@dataclass(frozen=True, slots=True)
class EarlierResponse:
    """What was answered before, and to which body."""

    digest: str
    status: int
    record_id: str | None
    body: str

    async def reply(self, once: IdempotentRequest, store: SqlStore) -> Response:
        """The same answer again; 422 where the body is another one."""
        if self.digest != once.digest:
            raise RefusedError(
                422,
                "this key was used with another body or route; take a new key for a new request",
                field="Idempotency-Key",
            )
        body = self.body.encode()
        if self.record_id is not None:
            entry = await store.get(self.record_id, once.workspace)
            if entry.record is None:
                raise RefusedError(
                    410, "this was served, but its record has since been purged", field="Idempotency-Key"
                )
            body = replace(entry.record, usage=parse(body, Usage)).full_json()
        return Response(body, self.status, headers=((b"idempotency-replayed", b"true"),))


def idempotent_request(header: bytes | None, workspace: str, path: str, body: bytes) -> IdempotentRequest | None:
    """The request's Idempotency-Key, where it has one."""
    if header is None:
        return None
    if not _KEY.fullmatch(header):
        raise RefusedError(422, f"1 to {LONGEST} printable ASCII characters without spaces", field="Idempotency-Key")
    return IdempotentRequest(
        workspace, header.decode("ascii"), hashlib.sha256(path.encode() + b"\n" + body).hexdigest()
    )


async def earlier_response(store: SqlStore, once: IdempotentRequest) -> EarlierResponse | None:
    """What was answered to this key before, where anything was."""
    return await store.read(lambda db: _earlier(db, once))


def _earlier(db: Database, once: IdempotentRequest) -> EarlierResponse | None:
    found = db.execute(
        "SELECT digest, status, record_id, body FROM idempotency WHERE workspace = ? AND key = ?",
        (once.workspace, once.key),
    )
    return EarlierResponse(*found[0]) if found else None
