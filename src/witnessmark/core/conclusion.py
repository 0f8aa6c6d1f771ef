"""From the results of a run to what is kept: redacted, concluded, decided, and put under its id. Pure, and long for a long case."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass

import msgspec

from witnessmark.core import redact
from witnessmark.core.case import Case
from witnessmark.core.graph import Graph
from witnessmark.core.policy import Policy, conclude, decide
from witnessmark.core.record import Entry, Run, make_record, new_run_id
from witnessmark.core.redact import Content, Redact
from witnessmark.core.run import RunResult


@dataclass(frozen=True, slots=True)
class Attempt:
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
    attempt: Attempt,
    content: Content,
    clean: Redact | None,
) -> Entry:
    """The record of a run with the run itself and, where it is to be kept, the case as it may be.

    `known` is the policy, and as a record holds it; `clean` replaces what `content` says is never kept.
    """
    policy, policy_kept = known
    ran = redact.redacted(ran, content, clean)
    rows = tuple(zip(graph.nodes, ran.results, strict=True))
    verdict = conclude(policy, rows)
    executor = case.executor
    cost_usd = executor.cost_usd if executor else None
    decision = decide(policy, verdict, rows, attempt.number, cost_usd=cost_usd)
    written = case.json() if attempt.kept else b""
    record = make_record(
        case, graph, policy_kept, ran, verdict, decision, workspace=attempt.workspace, attempt=attempt.number,
        parent=attempt.parent, case_digest=hashlib.sha256(written).hexdigest() if written else None,
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
