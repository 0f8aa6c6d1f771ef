"""What the pages need of whoever serves them. Knows no route and no template.

The service builds one Site, hands it to `witnessmark.server.pages.routes.mount(app, site)`, and is not known to the pages otherwise.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import msgspec

if TYPE_CHECKING:
    from starlette.requests import Request

    from witnessmark.settings import Settings
    from witnessmark.stores.sql import SqlStore
    from witnessmark.verifier import Verifier

T = TypeVar("T")
Role = Literal["verify", "review", "admin"]
"""verify: send cases and read · review: also overrides and outcomes · admin: also settings, calibrations, keys, deletion."""


class Caller(msgspec.Struct, frozen=True):
    """Who is asking: the workspace all they see lies in, what they may, and the name their key has (`local` without keys)."""

    workspace: str
    role: Role
    name: str
    keyless: bool = False
    """Whether they needed no key, being on the machine that the service runs on."""


class Site(Protocol):
    """The service, as the pages see it."""

    settings: Settings
    store: SqlStore

    async def verifier_in_force(self, workspace: str) -> Verifier:
        """The workspace's verifier as its switches and its policy have it: what new cases go through."""
        ...

    async def parsed(self, workspace: str, body: bytes, read: Callable[..., T], *more: Any) -> T:
        """What `read` makes of a body, in a worker process where reading takes a while."""
        ...

    def settings_changed(self, workspace: str) -> None:
        """Look the workspace's switches up anew."""
        ...

    def keys_changed(self) -> None:
        """Look keys up anew: one was revoked."""
        ...

    async def caller(self, request: Request, need: Role = "verify") -> Caller:
        """Who is asking; raises where nobody is, or where they may not."""
        ...

    async def note(self, caller: Caller, what: str, *targets: str) -> None:
        """One line in the audit log for each target."""
        ...

    def changes(self, caller: Caller, headers: Mapping[bytes, bytes]) -> AsyncIterator[bytes]:
        """One server-sent event for every record kept in the caller's workspace from now on, until these headers let nobody in."""
        ...
