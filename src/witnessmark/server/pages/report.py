"""One HTML file with the dashboard's drawings in it, for a period of a store or for the output of a batch.

It needs no server and no other file: styles and scripts stand in it, and its own policy lets nothing else run.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

import msgspec
from msgspec.structs import replace

from witnessmark.core.errors import InputError
from witnessmark.core.record import Entry, Record, Run
from witnessmark.core.verdict import amount
from witnessmark.insight.overview import Overview, overview
from witnessmark.server.pages import render
from witnessmark.server.pages.overview import context
from witnessmark.stores.memory import MemoryStore

WORST = 25
_RANK = {"fail": 0, "unverified": 1, "partial": 2, "pass": 3}


def page(seen: Overview, period: str, worst: Sequence[Record] = ()) -> bytes:
    """The file."""
    style, style_hash = render.inline("style", "vendor/uPlot.min.css", "witnessmark.css")
    script, script_hash = render.inline("script", "theme.js", "vendor/uPlot.iife.min.js", "charts.js")
    return render.text_of(
        "report.html",
        policy=render.alone(style_hash, script_hash),
        style=style,
        script=script,
        period=period,
        worst=worst,
        made_at=time.time(),
        **context(seen),
    ).encode()


async def of_batch(file: str) -> bytes:
    """The report of a file of records: what `witnessmark batch` or `witnessmark verify --json` wrote."""
    records, at = list(records_in(file)), _changed(file)
    if not records:
        raise InputError(
            f"{file}: holds no record; name the output of `witnessmark batch` or `witnessmark verify --json`"
        )
    store = MemoryStore()
    await store.append([_entry(record, number, at) for number, record in enumerate(records)])
    spaces = sorted({record.workspace for record in records})
    if len(spaces) > 1:
        raise InputError(f"{file}: holds records of several workspaces ({', '.join(spaces)}); report one at a time")
    # A record does not say how complex its case was, and the complexity of a run that is not told is a default.
    seen = replace(await overview(store, spaces[0]), by_complexity=())
    return page(seen, f"{Path(file).name}, {amount(len(records), 'record')}", worst_of(records))


def _changed(file: str) -> float:
    """When the file was written: the nearest to a time that a record without its runs has."""
    return Path(file).stat().st_mtime


def worst_of(records: Sequence[Record]) -> list[Record]:
    """What to look at first: failures, then what nobody could settle; of equals the lower score; every case once."""
    wanting = [record for record in records if record.kind == "verification" and record.outcome != "pass"]
    ranked = sorted(wanting, key=lambda r: (_RANK[r.outcome], r.score if r.score is not None else 0.5, r.case_id))
    once = {(record.checkpoint, record.case_id): record for record in reversed(ranked)}
    return [record for record in ranked if once[record.checkpoint, record.case_id] is record][:WORST]


def records_in(file: str) -> Iterator[Record]:
    """The records of a JSONL or Parquet file; rows that were no case are passed over."""
    for number, line in enumerate(_lines(file), 1):
        try:
            if b'"error"' in line and "error" in msgspec.json.decode(line):
                continue
            yield Record.from_json(line)
        except (msgspec.DecodeError, InputError) as exc:
            raise InputError(f"{file}:{number}: is not a record: {exc}") from None


def _lines(file: str) -> Iterator[bytes]:
    if not Path(file).is_file():
        raise InputError(f"{file}: there is no such file; name the output of `witnessmark batch`")
    if file.endswith(".parquet"):
        yield from _parquet(file)
        return
    with Path(file).open("rb") as lines:
        yield from (line for line in lines if line.strip())


def _parquet(file: str) -> Iterator[bytes]:
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise InputError("a Parquet file needs the extra: pip install 'witnessmark[parquet]'") from None
    with parquet.ParquetFile(file) as opened:
        if "record" not in opened.schema_arrow.names:
            raise InputError(f"{file}: has no column `record`; name the output of `witnessmark batch`")
        for batch in opened.iter_batches(columns=["record"]):
            yield from (str(row).encode() for row in batch.column(0).to_pylist() if row is not None)


def _entry(record: Record, number: int, at: float) -> Entry:
    run = Run(id=f"report-{number}", at=at, usage=record.usage)
    return Entry(record.id, record.workspace, record, (run,), None, False, record.parent)
