"""The kept verdict: content-addressed, linked to the attempt before it, able to prove itself.

The id is sha256 over workspace, case digest, graph, policy, results, verdict, decision, attempt and parent. Usage,
timings and tracebacks stay outside, so that a replay compares equal. Knows nothing about where records are kept.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec
from msgspec.structs import force_setattr, replace

from witnessmark.core import wrong_words
from witnessmark.core.case import Case, Evidence, EvidenceKind
from witnessmark.core.errors import UsageError
from witnessmark.core.graph import Graph
from witnessmark.core.redact import Redact, kept_graph
from witnessmark.core.run import RunResult
from witnessmark.core.values import Count, Unit, Value, canonical, full, parse
from witnessmark.core.verdict import (
    NO_USAGE,
    Action,
    Cause,
    Claim,
    ConfidenceSource,
    Decision,
    Feedback,
    Finding,
    Independence,
    Outcome,
    Result,
    Status,
    Usage,
    Verdict,
)

UNDONE = "undone"
"""The detail of a person's word that takes the one before it back: it holds the id of that one. Also what stands as its reason."""


class ResultRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What the record keeps of one result; its findings and claims stand beside all others.

    Made from a Result only, which was checked when it was built, so it is not checked again.
    """

    node: str
    check: str
    version: str
    status: Status
    score: Unit | None = None
    reason: str = ""
    cause: Cause | None = None
    confidence: Unit | None = None
    confidence_source: ConfidenceSource = "deterministic"
    independence: Independence = "deterministic"
    judge: str | None = None
    prompt: str | None = None
    details: dict[str, Any] = {}


class RecordSource(Value, frozen=True):
    """What the record keeps of one piece of evidence: enough to recognise it, not its content."""

    id: str
    kind: EvidenceKind
    sha256: str
    origin: str | None = None


class Record(Value, frozen=True, kw_only=True):
    """A verification that was made, with all it rests on by digest."""

    id: str
    case_id: str
    case_digest: str
    checkpoint: str
    workspace: str
    kind: Literal["verification", "override", "outcome", "audit", "ending"] = "verification"
    outcome: Outcome
    unverified_because: Cause | None = None
    action: Action
    because: str = ""
    layer: str = "default"
    degraded: bool = False
    questions: tuple[str, ...] = ()
    score: Unit | None = None
    confidence: Unit | None = None
    confidence_source: ConfidenceSource | None = None
    coverage: Unit | None = None
    independence: Independence = "deterministic"
    findings: tuple[Finding, ...] = ()
    results: tuple[ResultRecord, ...] = ()
    claims: tuple[Claim, ...] = ()
    feedback: Feedback | None = None
    usage: Usage = Usage()
    attempt: Count = 1
    parent: str | None = None
    evidence: tuple[RecordSource, ...] = ()
    graph: msgspec.Raw
    policy: msgspec.Raw

    def identity(self) -> str:
        """The id this record should have, computed anew from its content."""
        return hashlib.sha256(_identity_bytes(self.normal())).hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        # By its JSON: pickled field by field, what was left out as a default would count, and the id prove nothing.
        return parse, (canonical(self), Record)

    def normal(self) -> Record:
        """The same record with graph and policy in canonical JSON again, in case somebody's tool reformatted it."""
        graph, policy = (canonical(msgspec.json.decode(raw)) for raw in (self.graph, self.policy))
        if graph == bytes(self.graph) and policy == bytes(self.policy):
            return self
        return replace(self, graph=msgspec.Raw(graph), policy=msgspec.Raw(policy))

    def holds(self) -> bool:
        """Whether the record is what its id says."""
        return self.id == self.identity()

    @property
    def reason(self) -> str:
        """The first thing to say about it, in one line."""
        failed = next((r.reason for r in self.results if r.status == "fail" and r.reason), None)
        if failed or self.outcome == "pass":
            return failed or self.because
        unsettled = next((r.reason for r in self.results if r.status in ("error", "abstain", "skipped")), None)
        short = next((r.reason for r in self.results if r.status == "partial" and r.reason), None)
        return short or unsettled or self.because

    @property
    def headline(self) -> str:
        """The first thing to say about it, in one line: its wrong words where they are known, otherwise its reason."""
        return wrong_words.worst(() if self.outcome == "pass" else self.findings) or wrong_words.harmless(self.reason)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return wrong_words.as_html(self.outcome, f"next: {self.action} · {self.headline}", self.id, self.findings)

    @classmethod
    def from_json(cls, data: bytes) -> Record:
        """Read a record."""
        return parse(data, cls)

    def json(self) -> bytes:
        """Canonical JSON, as stored."""
        return canonical(self)

    def full_json(self) -> bytes:
        """JSON with every field present: what people and scripts read."""
        return msgspec.json.encode(full(self))


def _identity_bytes(record: Record) -> bytes:
    """Everything the identity covers, as canonical JSON."""
    covered = (
        record.workspace, record.case_digest, record.kind, record.graph, record.policy, record.results, record.findings, record.claims,
        record.outcome, record.unverified_because, record.score, record.confidence, record.confidence_source,
        record.coverage, record.independence, record.action, record.because, record.layer, record.degraded,
        record.questions, record.feedback, record.attempt, record.parent,
    )  # fmt: skip
    return canonical(covered)


def make_record(
    case: Case,
    graph: Graph,
    policy: msgspec.Raw,
    ran: RunResult,
    verdict: Verdict,
    decision: Decision,
    *,
    workspace: str = "default",
    attempt: int = 1,
    parent: str | None = None,
    case_digest: str | None = None,
    redact: Redact | None = None,
) -> Record:
    """Put one verification together under its id. Graph and policy come in encoded, since many cases share them.

    `ran` comes in redacted; `redact` replaces what may not be kept of where the evidence comes from and what was asked.
    """
    case_digest = case_digest or case.digest()
    record = Record(
        id="",
        case_id=case.id or case_digest,
        case_digest=case_digest,
        checkpoint=graph.checkpoint,
        workspace=workspace,
        outcome=verdict.outcome,
        unverified_because=verdict.unverified_because,
        score=verdict.score,
        confidence=verdict.confidence,
        confidence_source=verdict.confidence_source,
        coverage=verdict.coverage,
        independence=verdict.independence,
        action=decision.action,
        because=decision.because,
        layer=decision.layer,
        degraded=decision.degraded,
        questions=decision.questions,
        feedback=decision.feedback,
        findings=tuple([f for r in ran.results if r.findings for f in r.findings]),
        claims=tuple([c for r in ran.results if r.claims for c in r.claims]),
        results=tuple([_said(result) for result in ran.results]),
        usage=ran.usage,
        attempt=attempt,
        parent=parent,
        evidence=tuple([_source(one, redact) for one in case.evidence]),
        graph=kept_graph(graph.kept, redact),
        policy=policy,
    )
    force_setattr(record, "id", hashlib.sha256(_identity_bytes(record)).hexdigest())
    return record


def _source(one: Evidence, redact: Redact | None) -> RecordSource:
    origin = redact(one.origin) if redact and one.origin else one.origin
    return RecordSource(id=one.id, kind=one.kind, sha256=one.digest(), origin=origin)


def _said(result: Result) -> ResultRecord:
    return ResultRecord(
        node=result.node,
        check=result.check,
        version=result.version,
        status=result.status,
        score=result.score,
        reason=result.reason,
        cause=result.cause,
        confidence=result.confidence,
        confidence_source=result.confidence_source,
        independence=result.independence,
        judge=result.judge,
        prompt=result.prompt,
        details=result.details,
    )


# --- what a store keeps and is asked ------------------------------------------------------------------------------


class Run(msgspec.Struct, frozen=True):
    """One verification as it happened: when, how long, at what cost; metrics count these."""

    id: str
    at: float
    seconds: float = 0.0
    usage: Usage = NO_USAGE
    timings: dict[str, float] = {}
    tracebacks: dict[str, str] = {}
    complexity: str = "MEDIUM"
    """Of the work; empty where its record was purged since: when it was and at what cost stays known, and no figure counts it."""
    agent: str = ""
    work_usd: float | None = None
    """What the work itself cost, where its maker says."""


def new_run_id(at: float) -> str:
    """An id for a run that began at this time: sorts by it, and no two are the same."""
    return f"{int(at * 1e6):x}-{_DRAWN.getrandbits(32):08x}"


_DRAWN = random.Random()  # noqa: S311 - an id is no secret; of its own, so that nobody's random.seed() repeats ids
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_DRAWN.seed)


class Entry(msgspec.Struct, frozen=True):
    """A record with its runs and, where content is kept, its case as JSON. A purged one has no record left."""

    id: str
    workspace: str
    record: Record | None
    runs: tuple[Run, ...]
    case: bytes | None = None
    redacted: bool = False
    parent: str | None = None

    @property
    def counted_runs(self) -> tuple[Run, ...]:
        """Those that figures and lists count: not those of before a purge, where it was made anew after it."""
        return tuple([run for run in self.runs if run.complexity])


@dataclass(frozen=True, slots=True)
class Query:
    """Which records to list."""

    workspace: str | None = None
    checkpoint: str | None = None
    outcome: str | None = None
    action: str | None = None
    case_id: str | None = None
    since: float | None = None
    until: float | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Summary:
    """One line about a record."""

    id: str
    workspace: str
    case_id: str
    checkpoint: str
    outcome: str
    action: str
    score: float | None
    coverage: float | None
    reason: str
    at: float
    runs: int


@runtime_checkable
class Store(Protocol):
    """Keeps records. What `append` has returned from is there after a crash of this process.

    Further methods are used where a store has them, and done without where it has not:

    - `async spent_since(at: float) -> Usage`: what was spent since then, by whichever process. Without it, what a day may cost
      is counted for each process alone.
    - `after_commit(call: Callable[[], None]) -> None`: calls this once what was appended is committed. Without it, observers
      are told and second opinions begin as soon as `append` returns.
    - `recall_all`, `run_tallies` and `marks` as `stores.memory.MemoryStore` has them: without them no calibration and no alerts.
    - `async recall(namespace, key)` and `async remember(namespace, key, body)`, see `core.protocols.Notes`: without them judges' answers,
      qualifications and alerts are not remembered between runs.
    - `async amend(namespace, key, change: Callable[[bytes | None], bytes]) -> bytes | None`: keeps what `change` makes of what was
      remembered, and gives what that was, in one transaction. Without it, of two calibrations kept at one moment one may be lost.
    """

    async def append(self, entries: Sequence[Entry]) -> None:
        """Keep these records and their runs, all or none; a record already there is kept once, its run is added."""

    async def get(self, record_id: str, workspace: str | None = None) -> Entry:
        """The record with this id or unique beginning of one, with its runs and case; UnknownNameError where there is none."""

    async def find(self, query: Query) -> Sequence[Summary]:
        """Summaries of what was verified, newest first."""

    def scan(self, workspace: str | None = None) -> AsyncIterator[Entry]:
        """Every record and tombstone, oldest first, without loading all of them."""

    async def purge(self, *, before: float | None = None, workspace: str | None = None) -> int:
        """Remove content of records older than `before` (seconds since 1970), leaving tombstones; says how many."""

    async def children(self, record_id: str) -> Sequence[Record]:
        """The records whose parent this one is, oldest first."""

    async def close(self) -> None:
        """Let go of what is open."""


# --- what people and the world said of it later --------------------------------------------------------------------


async def verification_of(store: Store, record_id: str, workspace: str | None = None) -> Record:
    """The verification this id stands for; an override or an outcome stands for the one it is about.

    Raises UnknownNameError where there is no such record, and UsageError where it was purged.
    """
    entry = await store.get(record_id, workspace)
    record = entry.record
    if record is None:
        raise UsageError(f"record {entry.id[:12]} was purged: there is nothing left to decide on")
    if record.kind == "verification" or record.parent is None:
        return record
    return await verification_of(store, record.parent, record.workspace)


async def standing(store: Store, record_id: str, workspace: str | None = None) -> Record:
    """What holds now: the newest override of this verification, or the verification itself. Raises as above."""
    about = await verification_of(store, record_id, workspace)
    return newest_word(await store.children(about.id), "override") or about


def newest_word(words: Iterable[Record], kind: str) -> Record | None:
    """The word of this kind that holds, of those about one verification, oldest first; None where it was taken back."""
    of_kind = [word for word in words if word.kind == kind]
    last = max(reversed(of_kind), key=word_number, default=None)
    return None if last is None or _takes_back(last) else last


def _takes_back(word: Record) -> bool:
    # By the detail: anybody may give "undone" as a reason. What is told of an outcome may have any names.
    return word.kind == "override" and bool(word.results) and UNDONE in word.results[0].details


def word_number(word: Record) -> int:
    """Which it was of the words of its kind on one verification: a later one has a higher number."""
    return next((told for one in word.results[:1] if isinstance(told := one.details.get("number"), int)), 0)
