"""Scores for other tools to add up: one flat row a run, without a word of what was judged."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec

from witnessmark.core.errors import ConfigError
from witnessmark.core.record import Entry, Store

COLUMNS = (
    "workspace", "record_id", "run_id", "case_id", "checkpoint", "at", "attempt", "outcome", "action", "verifier_score",
    "confidence", "confidence_source", "coverage", "agent", "complexity", "judges", "findings", "seconds", "judge_calls",
    "tokens", "cost_usd", "work_usd",
)  # fmt: skip
CHUNK = 5_000


async def rows(store: Store, workspace: str | None = None) -> AsyncIterator[dict[str, Any]]:
    """A row for each run of a verification, oldest record first."""
    async for entry in store.scan(workspace):
        for row in of_entry(entry):
            yield row


def of_entry(entry: Entry) -> list[dict[str, Any]]:
    """The rows of one record; a tombstone and a person's word have none."""
    record = entry.record
    if record is None or record.kind != "verification":
        return []
    judges = sorted({said.judge for said in record.results if said.judge is not None})
    return [
        dict(
            zip(
                COLUMNS,
                (
                    record.workspace, record.id, run.id, record.case_id, record.checkpoint, run.at, record.attempt,
                    record.outcome, record.action, record.score, record.confidence, record.confidence_source,
                    record.coverage, run.agent, run.complexity, judges, len(record.findings), run.seconds,
                    run.usage.judge_calls, run.usage.tokens, run.usage.cost_usd, run.work_usd,
                ),
                strict=True,
            )
        )
        for run in entry.counted_runs
    ]  # fmt: skip


async def write_lines(store: Store, out: Any, workspace: str | None = None) -> int:
    """JSON lines; says how many."""
    count = 0
    async for row in rows(store, workspace):
        out.write(msgspec.json.encode(row) + b"\n")
        count += 1
    return count


async def write_parquet(store: Store, file: Path, workspace: str | None = None) -> int:
    """One Parquet file, a piece at a time; says how many rows."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ConfigError("Parquet needs the extra: pip install 'witnessmark[parquet]'") from None
    schema = pa.schema([pa.field(name, _type(pa, name)) for name in COLUMNS])
    count, chunk = 0, list[dict[str, Any]]()
    with pq.ParquetWriter(file, schema) as writer:
        async for row in rows(store, workspace):
            chunk.append(row)
            count += 1
            if len(chunk) == CHUNK:
                writer.write_table(pa.Table.from_pylist(chunk, schema=schema))
                chunk = []
        writer.write_table(pa.Table.from_pylist(chunk, schema=schema))
    return count


def _type(pa: Any, name: str) -> Any:
    if name in ("attempt", "findings", "judge_calls", "tokens"):
        return pa.int64()
    if name == "judges":
        return pa.list_(pa.string())
    if name in ("at", "verifier_score", "confidence", "coverage", "seconds", "cost_usd", "work_usd"):
        return pa.float64()
    return pa.string()
