"""Whoever verifies cases as the rooms see it, so that none of them has to know the wiring above; and what a verification ends in."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from witnessmark.core import redact
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.core.graph import Graph
from witnessmark.core.policy import Policy, conclude, decide
from witnessmark.core.record import Entry, Record, Run, Store, make_record, new_run_id
from witnessmark.core.redact import Content, Redact
from witnessmark.core.run import Limits, RunResult

T = TypeVar("T")


class VerifyResult(msgspec.Struct, Generic[T], frozen=True):
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

    @property
    def content(self) -> Content:
        """What of the judged text is kept."""
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

    def policy_of(self, case: Case, checkpoint: str | None = None) -> Policy:
        """The policy a case would be held against."""
        ...

    def service(self, name: str) -> Any:
        """A service that checks are handed, or None."""
        ...


class RunAttempt(msgspec.Struct, frozen=True):
    """One verification under way: of which workspace, whether it is kept, the how many-th after which record, since when."""

    workspace: str
    kept: bool = True
    number: int = 1
    parent: str | None = None
    at: float = 0.0
    started: float = 0.0


def concluded(
    case: Case,
    graph: Graph,
    known: tuple[Policy, msgspec.Raw],
    ran: RunResult,
    attempt: RunAttempt,
    content: Content,
    clean: Redact | None,
) -> Entry:
    """From the results of a run to what is kept: redacted, concluded, decided, under its id; the case too where it is to be kept.

    Pure, and long for a long case.

    `known` is the policy, and as a record holds it; `clean` replaces what `content` says is never kept.
    """
    policy, policy_kept = known
    ran = redact.redacted(ran, content, clean, graph)
    rows = tuple(zip(graph.nodes, ran.results, strict=True))
    verdict = conclude(policy, rows)
    executor = case.executor
    cost_usd = executor.cost_usd if executor else None
    decision = decide(policy, verdict, rows, attempt.number, cost_usd=cost_usd)
    written = case.json() if attempt.kept else b""
    record = make_record(
        case, graph, policy_kept, ran, verdict, decision, workspace=attempt.workspace, attempt=attempt.number,
        parent=attempt.parent, case_digest=hashlib.sha256(written).hexdigest() if written else None, redact=clean,
    )  # fmt: skip
    run = Run(
        id=new_run_id(attempt.at),
        at=attempt.at,
        seconds=time.perf_counter() - attempt.started,
        usage=ran.usage,
        timings=ran.seconds,
        tracebacks=ran.tracebacks,
        complexity=case.complexity,
        agent=executor.id if executor else "",
        work_usd=cost_usd,
    )
    body, redacted = redact.kept_case(written, content, clean) if written else (None, False)
    return Entry(record.id, attempt.workspace, record, (run,), body, redacted, attempt.parent)
