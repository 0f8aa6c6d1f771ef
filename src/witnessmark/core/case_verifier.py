"""Whoever verifies cases as the rooms see it, so that none of them has to know the wiring above."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.core.graph import Graph
from witnessmark.core.record import Entry, Record, Store
from witnessmark.core.run import Limits

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class VerifyResult(Generic[T]):
    """What came of one item of `verify_many`: the case with its entry, or the error that says why there is none."""

    item: T
    case: Case | None = None
    entry: Entry | None = None
    error: UsageError | None = None

    @property
    def record(self) -> Record:
        """The record; raises the error where there is none."""
        if self.entry is None or self.entry.record is None:
            raise self.error or UsageError("there is no record")
        return self.entry.record


class VerifierSettings(Protocol):
    """What the rooms may know of the settings behind the door."""

    @property
    def limits(self) -> Limits:
        """Deadlines and budgets of a run."""
        ...


class CaseVerifier(Protocol):
    """Verifies cases; `witnessmark.verifier.Verifier` is one. Rooms are handed it and never import it."""

    store: Store | None

    @property
    def settings(self) -> VerifierSettings:
        """The settings in force."""
        ...

    async def verify(
        self, case: Case, *, checkpoint: str | None = None, attempt: int = 1, parent: str | None = None
    ) -> Record:
        """Verify a case; where a store is set, its record is kept before this returns."""
        ...

    def with_services(self, replaced: Mapping[str, Any]) -> CaseVerifier:
        """The same door with some services replaced."""
        ...

    def graph_of(self, case: Case, checkpoint: str | None = None) -> Graph:
        """The graph a case would go through, without running it."""
        ...

    def service(self, name: str) -> Any:
        """A service that checks are handed, or None."""
        ...
