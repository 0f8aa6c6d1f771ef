"""One self-contained HTML file about a period of the store, or about the output of a batch."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from witnessmark.cli import options as opt
from witnessmark.cli.output.reports import save
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.record import Query, Record
from witnessmark.core.tallies import DAY_S

DAYS = 30
LOOKED = 200


def report(
    batch: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Records of a batch (JSONL or Parquet) instead of the store.")
    ] = None,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Where to write it; - is standard output.")
    ] = "report.html",
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="DAY", help="First day, such as 2026-01-31; 30 days back if left out."),
    ] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DAY", help="Last day; today if left out.")] = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
) -> None:
    """Write one HTML file with the dashboard's plots: what was verified, what it caught, what it cost, where it is wrong."""
    opt.in_a_folder("--output", output)
    if batch is not None:
        from witnessmark.server.pages.report import of_batch

        if since or until or store:
            raise UsageError("a batch file is reported whole: leave --since, --until and --store out")
        save(output, asyncio.run(of_batch(batch)))
    else:
        first = _day(since, "--since") or _today() - timedelta(days=DAYS - 1)
        last = _day(until, "--until") or _today()
        if last < first:
            raise UsageError(f"--until: {last:%Y-%m-%d} lies before --since {first:%Y-%m-%d}")
        space = opt.settings(config, store, workspace).workspace
        save(output, opt.with_store(config, store, lambda kept: _of_store(kept, space, first, last)))
    if output != "-":
        typer.echo(f"report in {output}", err=True)


async def _of_store(kept: Any, workspace: str, first: datetime, last: datetime) -> bytes:
    from witnessmark.insight.overview import overview
    from witnessmark.server.pages.report import page, worst_of

    begin, end = first.timestamp(), last.timestamp() + DAY_S
    seen = await overview(kept, workspace, begin, end)
    worst = worst_of(await _wanting(kept, workspace, begin, end))
    return page(seen, f"{first:%d %b %Y} to {last:%d %b %Y}", worst)


async def _wanting(kept: Any, workspace: str, begin: float, end: float) -> list[Record]:
    """The newest records that failed or were left open, read whole."""
    found = []
    for outcome in ("fail", "unverified"):
        query = Query(workspace=workspace, outcome=outcome, since=begin, until=end, limit=LOOKED)
        found += [(await kept.get(line.id, workspace)).record for line in await kept.find(query)]
    return [record for record in found if record is not None]


def _today() -> datetime:
    return datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _day(text: str | None, option: str) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise InputError(f"{option}: {text!r} is not a day; write it as 2026-01-31") from None
