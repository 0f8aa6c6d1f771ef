"""Entries as rows and back: the one place that knows both shapes. Knows no SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from witnessmark.core.record import Entry, Query, Record, Run, Summary
from witnessmark.core.values import canonical
from witnessmark.core.verdict import Usage

RECORD_COLUMNS = (
    "workspace", "id", "case_id", "case_digest", "checkpoint", "kind", "outcome", "action", "score", "confidence",
    "coverage", "attempt", "parent", "reason", "body", "first_at",
)  # fmt: skip
RUN_COLUMNS = (
    "id", "workspace", "record_id", "at", "seconds", "judge_calls", "tokens", "cost_usd", "cached", "detail", "complexity",
    "agent", "work_usd",
)  # fmt: skip
RUN_READ = "id, at, seconds, judge_calls, tokens, cost_usd, cached, detail, complexity, agent, work_usd"
CASE_COLUMNS = ("workspace", "digest", "body", "redacted")
COUNTED_RUN = "coalesce({}.complexity, 'MEDIUM') <> ''"
"""SQL that a run, by its name there, is one that figures and lists count: see `Run.complexity`."""
Row = tuple[Any, ...]
REASON_LENGTH = 300


def first_at(entry: Entry) -> float:
    """When the record was first made; of one that was made anew after a purge, when it was first made since."""
    if len(entry.runs) == 1:
        return entry.runs[0].at
    return min((run.at for run in entry.counted_runs or entry.runs), default=0.0)


def record_row(entry: Entry) -> Row:
    """The row of a record, or of a tombstone."""
    record = entry.record
    if record is None:
        nothing = (None,) * (len(RECORD_COLUMNS) - 5)
        return (entry.workspace, entry.id, *nothing[:10], entry.parent, nothing[0], None, first_at(entry))
    return (
        record.workspace, record.id, record.case_id, record.case_digest, record.checkpoint, record.kind, record.outcome,
        record.action, record.score, record.confidence, record.coverage, record.attempt, record.parent,
        listed_reason(record), record.json().decode(), first_at(entry),
    )  # fmt: skip


def listed_reason(record: Record) -> str:
    """Why, as lists of records tell it: the wrong words beside the source's where they are known."""
    return clean(record.headline[:REASON_LENGTH])


def clean(text: str) -> str:
    """A text that every database takes: PostgreSQL refuses NUL."""
    return text.replace("\x00", "\ufffd")


def entombed(runs: Sequence[Run]) -> tuple[Run, ...]:
    """What is left of runs once their record is purged: when they were, and at what cost."""
    return tuple([Run(run.id, run.at, run.seconds, run.usage, complexity="") for run in runs])


def run_rows(entry: Entry) -> list[Row]:
    """One row for each run."""
    return [
        (
            run.id, entry.workspace, entry.id, run.at, run.seconds, run.usage.judge_calls, run.usage.tokens,
            run.usage.cost_usd, run.usage.cached, _detail(run), *_work(entry, run),
        )
        for run in entry.runs
    ]  # fmt: skip


def _work(entry: Entry, run: Run) -> Row:
    """What is known about the work; a tombstone knows nothing."""
    if entry.record is None:
        return ("", None, None)
    return (run.complexity, clean(run.agent) or None, run.work_usd)


def _detail(run: Run) -> str | None:
    if not run.timings and not run.tracebacks:
        return None
    return canonical({"timings": run.timings, "tracebacks": run.tracebacks}).decode()


def case_row(entry: Entry) -> Row | None:
    """The row of the case's content, where it is kept."""
    if entry.case is None or entry.record is None:
        return None
    return (entry.workspace, entry.record.case_digest, entry.case.decode(), int(entry.redacted))


def run_from(row: Sequence[Any]) -> Run:
    """A run from the columns after workspace and record."""
    run_id, at, seconds, calls, tokens, cost, cached, detail, complexity, agent, work_usd = row
    told = msgspec.json.decode(detail) if detail else {}
    usage = Usage(judge_calls=calls, tokens=tokens, cost_usd=cost, cached=cached)
    timings, tracebacks = told.get("timings", {}), told.get("tracebacks", {})
    return Run(
        run_id,
        at,
        seconds,
        usage,
        timings,
        tracebacks,
        "MEDIUM" if complexity is None else complexity,
        agent or "",
        work_usd,
    )


def record_from(body: str | None) -> Record | None:
    """The record of a body; a tombstone has none."""
    return None if body is None else Record.from_json(body.encode())


def summary(entry: Entry) -> Summary:
    """One line about an entry that still has its record."""
    record, runs = entry.record, entry.counted_runs
    assert record is not None
    return Summary(
        record.id, record.workspace, record.case_id, record.checkpoint, record.outcome, record.action, record.score,
        record.coverage, listed_reason(record), max(run.at for run in runs), len(runs),
    )  # fmt: skip


def matches(entry: Entry, query: Query) -> bool:
    """Whether an entry is what the query asks for."""
    record, runs = entry.record, entry.counted_runs
    if record is None or not runs:
        return False
    at = max(run.at for run in runs)
    asked = {name: getattr(query, name) for name in ("workspace", "checkpoint", "outcome", "action", "case_id")}
    return (
        all(value is None or getattr(record, name) == value for name, value in asked.items())
        and (query.since is None or at >= query.since)
        and (query.until is None or at < query.until)
    )
