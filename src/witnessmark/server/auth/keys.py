"""API keys: made once, shown once, kept as a digest. A key has a workspace, a role and a name; a session stands for a key.

Found ones are remembered for a few seconds, so that a request costs one hash; a revoked key ends within that time.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass

from witnessmark.core.errors import InputError, UsageError
from witnessmark.server.pages.site import Caller, Role
from witnessmark.stores.sql import SqlStore

PREFIX = "wm_"
ROLES: tuple[Role, ...] = ("verify", "review", "admin")
RANK = {role: number for number, role in enumerate(ROLES)}
FRESH_S = 5.0
REMEMBERED = 10_000
_WORKSPACE = re.compile(r"\w[\w.@:-]*")  # it stands in addresses
MOST_PER_MINUTE = 1_000_000_000
_COLUMNS = "id, workspace, role, name, rate_per_minute, created_at, revoked_at"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is known of a key; the key itself is not."""

    id: str
    workspace: str
    role: Role
    name: str
    rate_per_minute: int | None
    created_at: float
    revoked_at: float | None = None

    def caller(self) -> Caller:
        """Who asks with it."""
        return Caller(self.workspace, self.role, self.name)


def digest_of(secret: str | bytes) -> str:
    """What is kept of a secret with 256 bits of chance in it: guessing needs no slow hash to be hopeless."""
    return hashlib.sha256(secret if isinstance(secret, bytes) else secret.encode()).hexdigest()


async def create(
    store: SqlStore, *, workspace: str, role: str, name: str, rate_per_minute: int | None = None
) -> tuple[str, ApiKey]:
    """A new key, in words that are shown this once, and what is kept of it."""
    if role not in ROLES:
        raise InputError(f"role: {role!r} is not one of {', '.join(ROLES)}")
    name = name.strip()  # it says in the audit log who did what: ` ` is nobody, and `ci ` looks like somebody else
    for what, word in (("workspace", workspace), ("name", name)):
        if not word or len(word) > 100 or not word.isprintable():
            raise InputError(f"{what}: 1 to 100 printable characters")
    if not _WORKSPACE.fullmatch(workspace):
        raise InputError("workspace: letters, digits, `.`, `_`, `-`, `@` and `:`, beginning with a letter or a digit")
    if rate_per_minute is not None and not 0 <= rate_per_minute <= MOST_PER_MINUTE:
        raise InputError(f"rate_per_minute: from 0, which is without limit, to {MOST_PER_MINUTE:,} requests a minute")
    secret = PREFIX + secrets.token_urlsafe(32)
    key = ApiKey(secrets.token_hex(6), workspace, role, name, rate_per_minute, time.time())
    row = (key.id, digest_of(secret), workspace, role, name, rate_per_minute, key.created_at)
    columns = ("id", "digest", "workspace", "role", "name", "rate_per_minute", "created_at")
    await store.transact(lambda db: db.insert("api_keys", columns, [row]))
    return secret, key


async def listed(store: SqlStore, workspace: str | None = None) -> Sequence[ApiKey]:
    """All keys, or those of a workspace, oldest first."""
    where, values = (" WHERE workspace = ?", (workspace,)) if workspace is not None else ("", ())
    sql = f"SELECT {_COLUMNS} FROM api_keys{where} ORDER BY created_at, id"
    return [ApiKey(*row) for row in await store.read(lambda db: db.execute(sql, values))]


async def revoke(store: SqlStore, key_id: str, workspace: str | None = None) -> ApiKey:
    """From now on nobody gets in with this key, nor with a session of it."""
    found = [key for key in await listed(store, workspace) if key.id == key_id]
    if not found:
        raise UsageError(f"key {key_id!r}: there is none with this id; `witnessmark keys list` says which there are")
    sql = "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"
    await store.transact(lambda db: db.execute(sql, (time.time(), key_id)))
    return found[0]


async def any_key(store: SqlStore) -> bool:
    """Whether there is a key that lets somebody in."""
    sql = "SELECT 1 FROM api_keys WHERE revoked_at IS NULL LIMIT 1"
    return bool(await store.read(lambda db: db.execute(sql)))


async def start_session(store: SqlStore, key: ApiKey, hours: float) -> str:
    """A secret that stands for the key until it is over, for a browser's cookie."""
    secret = secrets.token_urlsafe(32)
    row = (digest_of(secret), key.id, time.time() + hours * 3600)
    await store.transact(lambda db: db.insert("sessions", ("digest", "key_id", "until"), [row]))
    return secret


async def end_session(store: SqlStore, secret: str) -> None:
    """End the session."""
    await store.transact(lambda db: db.execute("DELETE FROM sessions WHERE digest = ?", (digest_of(secret),)))


class KeyRing:
    """Keys by what is shown of them, remembered for a few seconds."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._known: dict[tuple[str, bytes], tuple[ApiKey, float]] = {}

    def remembered(self, kind: str, secret: bytes) -> ApiKey | None:
        """The key, where it was looked up a moment ago."""
        found = self._known.get((kind, secret))
        return found[0] if found is not None and found[1] > time.monotonic() else None

    async def look_up(self, kind: str, secret: bytes) -> ApiKey | None:
        """The key of a secret, or of a session's; None where it opens nothing."""
        key = self.remembered(kind, secret)
        if key is not None:
            return key
        digest = digest_of(secret)
        if kind == "session":
            where = "id = (SELECT key_id FROM sessions WHERE digest = ? AND until > ?)"
            values: tuple[object, ...] = (digest, time.time())
        else:
            where, values = "digest = ?", (digest,)
        sql = f"SELECT {_COLUMNS} FROM api_keys WHERE {where} AND revoked_at IS NULL"
        rows = await self._store.read(lambda db: db.execute(sql, values))
        if not rows:
            return None
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        found = ApiKey(*rows[0])
        self._known[kind, secret] = (found, time.monotonic() + FRESH_S)
        return found

    def forget(self) -> None:
        """Look everything up anew: a key was revoked, or a session ended."""
        self._known.clear()
