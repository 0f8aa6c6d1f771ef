"""What an admin may: settings of the workspace, its keys, its audit log, and the deletion of what it holds."""

from __future__ import annotations

from typing import Any, Literal

from witnessmark.core.errors import UsageError
from witnessmark.core.values import Count, Value, plain
from witnessmark.server.auth import keys
from witnessmark.server.auth.keys import ApiKey
from witnessmark.server.http.endpoints import ApiRequest, Endpoint, Response, json_reply, read_object
from witnessmark.server.http.errors import RefusedError
from witnessmark.server.routes.records import MOST, limit_of
from witnessmark.server.workspace_in_force import WorkspaceInForce, in_force
from witnessmark.stores import browse
from witnessmark.stores.purges import purge_by
from witnessmark.stores.sql import Database
from witnessmark.stores.workspaces import Workspace, change_workspace


class NewKey(Value, frozen=True):
    """A key to be made in the caller's own workspace."""

    name: str
    role: Literal["verify", "review", "admin"] = "verify"
    rate_per_minute: Count | None = None


class KeyList(Value, frozen=True):
    """The keys of the workspace."""

    keys: tuple[ApiKey, ...]


class KeyWithSecret(Value, frozen=True):
    """A new key; `key` is shown this once."""

    key: str
    id: str
    workspace: str
    role: str
    name: str


class AuditLine(Value, frozen=True):
    """Who did what to what."""

    at: float
    who: str
    what: str
    target: str


class AuditPage(Value, frozen=True):
    """The newest lines of the audit log; `next` goes into `before`."""

    lines: tuple[AuditLine, ...]
    next: str | None


class PurgeResult(Value, frozen=True):
    """How many records lost their content."""

    purged: int


async def settings(ask: ApiRequest) -> Response:
    """What is set for the workspace, and what holds there."""
    made = await ask.state.switches(ask.caller.workspace)
    return json_reply(plain(in_force(ask.state.settings, ask.caller.workspace, made)))


async def change_settings(ask: ApiRequest) -> Response:
    """Set what is named, leave the rest."""
    changes = await ask.state.parsed(ask.caller.workspace, ask.body, read_object)
    workspace, held = ask.caller.workspace, ask.state.settings
    under = held.for_workspace(workspace).policy
    made = await change_workspace(
        ask.state.store, workspace, changes, ask.caller.name, under=under, users=held.users.values()
    )
    ask.state.settings_changed(workspace)
    told = ", ".join(f"{name}={getattr(made, name)}" for name in changes)
    return json_reply(plain(in_force(held, workspace, made)), audit=("settings", told))


async def all_keys(ask: ApiRequest) -> Response:
    """The keys of the workspace, without what opens anything."""
    return json_reply({"keys": await keys.listed(ask.state.store, ask.caller.workspace)})


async def make_key(ask: ApiRequest) -> Response:
    """A new key for the workspace."""
    said = await ask.read(NewKey)
    secret, key = await keys.create(
        ask.state.store,
        workspace=ask.caller.workspace,
        role=said.role,
        name=said.name,
        rate_per_minute=said.rate_per_minute,
    )
    made = KeyWithSecret(secret, key.id, key.workspace, key.role, key.name)
    return json_reply(made, 201, audit=("make key", f"{key.id} {key.role} {key.name}"))


async def revoke_key(ask: ApiRequest) -> Response:
    """Nobody gets in with it any more."""
    try:
        key = await keys.revoke(ask.state.store, ask.path["id"].replace("\x00", ""), ask.caller.workspace)
    except UsageError:
        raise RefusedError(404, "there is no such key in this workspace", field="id") from None
    ask.state.ring.forget()
    return Response(status=204, audit=("revoke key", f"{key.id} {key.name}"))


async def audit(ask: ApiRequest) -> Response:
    """The audit log, newest first."""
    query = ask.query("limit", "before")
    most = limit_of(query)
    rows = await browse.audit_lines(ask.state.store, ask.caller.workspace, query.get("before"), most)
    lines = [dict(zip(("at", "who", "what", "target"), row[1:], strict=True)) for row in rows]
    return json_reply({"lines": lines, "next": rows[-1][0] if len(rows) == most else None})


async def delete_records(ask: ApiRequest) -> Response:
    """Remove the content of every record of the workspace, and of its jobs and kept answers; tombstones stay."""
    workspace = ask.caller.workspace
    if ask.path["name"] != workspace:
        raise RefusedError(404, "there is no such workspace for this key", field="name")
    count = await purge_by(ask.state.store, ask.caller.name, workspace=workspace)
    await ask.state.store.transact(lambda db: forget_workspace(db, workspace))
    return json_reply({"purged": count}, audit=("delete records", f"{count} records"))


def forget_workspace(db: Database, workspace: str) -> None:
    """What the service itself keeps of the content of a workspace."""
    db.execute("DELETE FROM idempotency WHERE workspace = ?", (workspace,))
    db.execute("DELETE FROM job_cases WHERE job_id IN (SELECT id FROM jobs WHERE workspace = ?)", (workspace,))
    db.execute("DELETE FROM jobs WHERE workspace = ?", (workspace,))


_LIMIT: dict[str, tuple[Any, str]] = {
    "limit": ({"type": "integer", "minimum": 1, "maximum": MOST, "default": 50}, "Maximum number to return."),
    "before": ({"type": "string"}, "The `next` of the previous page."),
}
ENDPOINTS = (
    Endpoint(
        "GET",
        "/settings/workspace",
        settings,
        "The workspace's settings.",
        answers={200: ("The settings.", WorkspaceInForce)},
    ),
    Endpoint(
        "PATCH",
        "/settings/workspace",
        change_settings,
        "Switch verification or correction, or set how long content stays.",
        "admin",
        Workspace,
        {200: ("What is set now.", WorkspaceInForce)},
    ),
    Endpoint("GET", "/keys", all_keys, "The keys of the workspace.", "admin", answers={200: ("Keys.", KeyList)}),
    Endpoint(
        "POST",
        "/keys",
        make_key,
        "Create a key.",
        "admin",
        NewKey,
        {201: ("The key, shown this once.", KeyWithSecret)},
        once=False,
    ),
    Endpoint(
        "DELETE",
        "/keys/{id}",
        revoke_key,
        "Revoke a key.",
        "admin",
        answers={204: ("Revoked.", None), 404: ("There is no such key in this workspace.", None)},
    ),
    Endpoint(
        "GET",
        "/audit",
        audit,
        "The audit log, newest first.",
        "admin",
        answers={200: ("A page of the log.", AuditPage)},
        query=_LIMIT,
    ),
    Endpoint(
        "DELETE",
        "/workspaces/{name}/records",
        delete_records,
        "Remove the content of every record of the caller's workspace.",
        "admin",
        answers={200: ("How many records were emptied.", PurgeResult), 404: ("Not this key's workspace.", None)},
    ),
)
