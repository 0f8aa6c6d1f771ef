"""What an admin has set for one workspace: whether it verifies and asks for corrections, its policy, how long content stays."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from witnessmark.core.errors import InputError, PolicyError
from witnessmark.core.explain import convert
from witnessmark.core.plans.checkpoints import checkpoints
from witnessmark.core.plans.plan_cache import refuse_unknown_checks
from witnessmark.core.policy import layered
from witnessmark.core.values import NotNegative, Value
from witnessmark.stores.sql import Database, SqlStore

SHORTEST_DAYS, LONGEST_DAYS = 0.04, 36_500


class Workspace(Value, frozen=True):
    """The switches of a workspace. Off, nothing is verified and nothing passes; without correction nobody is asked to retry.

    `policy` lies over the one of the settings file, and under what a mission or a case says.
    """

    verification: bool = True
    correction: bool = True
    retention_days: NotNegative | None = None
    policy: dict[str, Any] = {}


async def workspace_settings(store: SqlStore, workspace: str) -> Workspace:
    """What is set for the workspace; the defaults where nothing is."""
    sql = "SELECT name, value FROM workspace_settings WHERE workspace = ?"
    rows = await store.read(lambda db: db.execute(sql, (workspace,)))
    return Workspace(**{name: msgspec.json.decode(value) for name, value in rows})


async def change_workspace(
    store: SqlStore,
    workspace: str,
    changes: Mapping[str, Any],
    who: str,
    *,
    under: Mapping[str, Any] = MappingProxyType({}),
    users: Iterable[Mapping[str, Any]] = (),
) -> Workspace:
    """Set what is named, leave the rest; what cannot be set is an InputError that names it.

    A policy is looked at as it will hold: over the one `under` it, the settings file's, and under that of each of `users`.
    """
    made = convert(dict(changes), Workspace)
    if made.policy:
        _refuse_unusable({**under, **made.policy}, users)
    if made.retention_days is not None and not SHORTEST_DAYS <= made.retention_days <= LONGEST_DAYS:
        raise InputError(
            f"retention_days: from {SHORTEST_DAYS} (an hour) to {LONGEST_DAYS}; null keeps content for good"
        )
    rows = [(workspace, name, msgspec.json.encode(getattr(made, name)).decode(), time.time(), who) for name in changes]

    def work(db: Database) -> None:
        for row in rows:
            db.execute("DELETE FROM workspace_settings WHERE workspace = ? AND name = ?", row[:2])
        db.insert("workspace_settings", ("workspace", "name", "value", "at", "who"), rows)

    await store.transact(work)
    return await workspace_settings(store, workspace)


def _refuse_unusable(policy: Mapping[str, Any], users: Iterable[Mapping[str, Any]]) -> None:
    """Raise InputError for a policy under which the cases of a checkpoint, or of a user, would all be refused."""
    for point, personal in itertools.product(checkpoints.all().values(), [None, *users]):
        try:
            refuse_unknown_checks(layered(point.policy, {"workspace": policy, "user": personal}))
        except PolicyError as exc:
            raise exc.given_as("policy") from None


async def known_workspaces(store: SqlStore) -> list[str]:
    """Every workspace that has a record, a key or a setting."""
    sql = (
        "SELECT workspace FROM records UNION SELECT workspace FROM api_keys UNION "
        "SELECT workspace FROM workspace_settings UNION SELECT workspace FROM jobs"
    )
    return sorted(row[0] for row in await store.read(lambda db: db.execute(sql)))
