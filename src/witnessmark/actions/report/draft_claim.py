"""A claim while it is being read from a report: what the rules pass to each other before it becomes an ActionClaim."""

from __future__ import annotations

from dataclasses import dataclass

from witnessmark.actions.claims.claim import ActionKind


@dataclass(slots=True)
class DraftClaim:
    """A claim while it is being read. `assumed`: no verb said it, only where it stands."""

    kind: ActionKind
    start: int
    end: int
    path: str | None = None
    to: str | None = None
    command: str | None = None
    exit_code: int | None = None
    passed: int | None = None
    failed: int | None = None
    assumed: bool = False
    good: bool = False
    """Of a command: the words say that it went well."""
