"""What a step of the migrations is, and the list they are put on. Knows no table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Connection(Protocol):
    """What a migration needs of a connection."""

    def execute(self, sql: str, parameters: tuple[object, ...] = (), /) -> list[tuple[object, ...]]:
        """Run one statement and return its rows."""
        ...


Migration = Callable[[Connection], None]
STEPS: list[Migration] = []
"""Every step of every file that was imported."""


def migration(step: Migration) -> Migration:
    """Add a step to the list."""
    STEPS.append(step)
    return step
