"""What was decided, why, and whether it still holds: records, show, replay."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from witnessmark.actions.tree.tree_options import TreeOptions
from witnessmark.cli import options as opt
from witnessmark.cli import world
from witnessmark.cli.listing import CommandList
from witnessmark.cli.output import origins, screen
from witnessmark.core.errors import UsageError
from witnessmark.core.record import Entry, Query, Record
from witnessmark.core.verdict import ACTIONS, OUTCOMES, amount, is_digest
from witnessmark.core.wrong_words import harmless
from witnessmark.stores.audit import audit as audit_store
from witnessmark.stores.purges import purge_by
from witnessmark.stores.transfer import export as export_lines
from witnessmark.stores.transfer import take_in

records_app = typer.Typer(
    help="List what was verified; audit, export, import or purge it.",
    cls=CommandList,
    invoke_without_command=True,
    rich_markup_mode=None,
)
LATER = {
    "override": "overridden to",
    "outcome": "the actual outcome was",
    "audit": "read again by another judge:",
    "ending": "the loop ended with",
}
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The record's id, or the beginning of it.")]


def _when(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def _minute(at: float) -> str:
    """A time as a list shows it, so that its row has room on a terminal."""
    return f"{_when(at)[:-4]}Z"


def _case_name(case_id: str) -> str:
    """A case's id as lists show it; of one that has only its digest, as much as names it everywhere else."""
    return case_id[:12] if is_digest(case_id) else case_id[:32]


@records_app.callback()
def records(
    context: typer.Context,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    checkpoint: Annotated[str | None, typer.Option(help="Only records of this checkpoint.")] = None,
    outcome: Annotated[str | None, typer.Option(help="pass, partial, fail or unverified.")] = None,
    action: Annotated[str | None, typer.Option(help="Only records with this action.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number to list.")] = 50,
    json: opt.JsonOption = False,
) -> None:
    """List what was verified, newest first."""
    context.obj = {"store": store, "config": config, "workspace": workspace}
    if context.invoked_subcommand is not None:
        return
    for name, word, known in (("outcome", outcome, OUTCOMES), ("action", action, ACTIONS)):
        if word is not None and word not in known:
            raise UsageError(f"{name}: {word!r} is not one of {', '.join(known)}")
    query = Query(workspace=workspace, checkpoint=checkpoint, outcome=outcome, action=action, limit=limit)
    found = opt.with_store(config, store, lambda kept: kept.find(query))
    if json:
        for one in found:
            typer.echo(msgspec.json.encode(one).decode())
        return
    if not found and (workspace or checkpoint or outcome or action):
        typer.echo("no record matches; `witnessmark records` without filters lists all")
        return
    if not found:
        purged = opt.with_store(config, store, _tombstones)
        typer.echo(
            f"every record was purged; {amount(purged, 'tombstone')} left, which `witnessmark records audit` goes through"
            if purged
            else "nothing verified yet; start with `witnessmark verify case.json`, or `witnessmark init` for a first case"
        )
        return
    rows = [
        (
            one.id[:12], _minute(one.at), _case_name(one.case_id), one.checkpoint, one.outcome, one.action,
            screen.number(one.score), one.runs, one.reason,
        )
        for one in found
    ]  # fmt: skip
    screen.table(("record", "when", "case", "checkpoint", "outcome", "action", "score", "runs", "reason"), rows)


async def _tombstones(kept: Any) -> int:
    return sum([1 async for _ in kept.scan()])


@records_app.command()
def audit(
    context: typer.Context,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
) -> None:
    """Recompute every record from its content and follow every link; exit code 1 if something does not match."""
    config, where, space = opt.above(context, store, workspace, config)
    seen = opt.with_store(config, where, lambda kept: audit_store(kept, space))
    for fault in seen.faults:
        typer.echo(f"{fault.record_id[:12]}  {fault.what}")
    kept = f"{amount(seen.records, 'record')} and {amount(seen.tombstones, 'tombstone')}"
    typer.echo(f"{kept}, {amount(len(seen.faults), 'fault')}")
    raise typer.Exit(1 if seen.faults else 0)


@records_app.command("export")
def export_records(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="Where to; - is standard output.")] = "-",
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
) -> None:
    """Write every record with its runs and case as JSON lines."""
    opt.in_a_folder("FILE", file)
    config, where, space = opt.above(context, store, workspace, config)

    async def work(kept: Any) -> int:
        count = 0
        out = sys.stdout.buffer if file == "-" else Path(file).open("wb")  # noqa: SIM115, ASYNC230 - closed below
        try:
            async for line in export_lines(kept, space):
                out.write(line + b"\n")
                count += 1
            out.flush()
        finally:
            if file != "-":
                out.close()
        return count

    with opt.writable(file):
        count = opt.with_store(config, where, work)
    typer.echo(f"{amount(count, 'record')} exported", err=True)


@records_app.command("import")
def import_records(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="A file written by export; - is standard input.")],
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
) -> None:
    """Import exported records; records that already exist are not duplicated."""
    config, where, _ = opt.above(context, store, config=config)

    async def work(kept: Any) -> int:
        try:
            if file == "-":
                return await take_in(kept, sys.stdin.buffer)
            with Path(file).open("rb") as lines:  # noqa: ASYNC230 - nothing else runs beside it
                return await take_in(kept, lines)
        except OSError as exc:
            raise UsageError(f"{file}: cannot be read ({exc.strerror})") from None

    with opt.naming(file):
        count = opt.with_store(config, where, work)
    typer.echo(f"{amount(count, 'record')} read; what was there already is kept once", err=True)


@records_app.command()
def purge(
    context: typer.Context,
    older_than_days: Annotated[
        float | None, typer.Option(min=0, help="Only records last made more than this many days ago.")
    ] = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Remove content by age or workspace, leaving tombstones, so that the audit still holds."""
    config, where, space = opt.above(context, store, workspace, config)
    if older_than_days is None and space is None:
        raise UsageError("say what to purge: --older-than-days N, --workspace NAME, or both")
    if not yes:
        what = " ".join(
            [f"of workspace {space}" if space else "of every workspace"]
            + ([f"older than {older_than_days:g} days"] if older_than_days is not None else [])
        )
        try:
            typer.confirm(f"Remove the content of records {what}?", abort=True)
        except typer.Abort:
            typer.echo(err=True)
            raise UsageError("nothing was purged; answer y, or give --yes where nobody can answer") from None
    before = None if older_than_days is None else time.time() - 86_400 * older_than_days
    purged = opt.with_store(
        config, where, lambda kept: purge_by(kept, "the command line", before=before, workspace=space)
    )
    typer.echo(f"{amount(purged, 'record')} purged, {'tombstone' if purged == 1 else 'tombstones'} left")


def show(
    record_id: IdArgument,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    debug: Annotated[
        bool, typer.Option("--debug", help="Include timings and the tracebacks of checks that failed to run.")
    ] = False,
    json: opt.JsonOption = False,
    who: Annotated[
        str | None, typer.Option("--who", help="Show which agent contributed the sentence with these words.")
    ] = None,
) -> None:
    """Explain a verdict: what each check said, what was found, what decided, what to tell the agent."""
    entry: Entry = opt.with_store(config, store, lambda kept: kept.get(record_id, workspace))
    if json:
        _show_json(entry)
    elif entry.record is None:
        typer.echo(f"{entry.id[:12]} was purged; its place in the chain is kept")
    elif who is not None:
        origins.who(entry, entry.record, who)
    else:
        _show(entry, entry.record, debug)
        _show_said(opt.with_store(config, store, lambda kept: kept.children(entry.id)))


def _show_said(children: Sequence[Record]) -> None:
    """What a person, the world or another judge said about it later, oldest first."""
    for record in children:
        if record.kind == "verification":
            continue
        word = f"{LATER[record.kind]} {record.outcome}"
        why = "" if record.because == word else f": {harmless(record.because)}"
        typer.echo(f"{LATER[record.kind]} {screen.coloured(record.outcome)}{why} · record {record.id[:12]}")


def _show_json(entry: Entry) -> None:
    if entry.record is None:
        typer.echo(msgspec.json.encode({"id": entry.id, "workspace": entry.workspace, "purged": True}).decode())
    else:
        typer.echo(entry.record.full_json().decode())


def _show(entry: Entry, record: Record, debug: bool) -> None:
    typer.echo(
        f"Verdict: {screen.coloured(record.outcome)} · next: {screen.coloured(record.action)} ({record.because})"
    )
    facts = [
        f"score {screen.number(record.score)}", f"confidence {screen.number(record.confidence)}",
        f"coverage {screen.number(record.coverage)}", f"policy layer {record.layer}",
    ]  # fmt: skip
    if record.unverified_because:
        facts.insert(0, f"unverified because {record.unverified_because.replace('_', ' ')}")
    typer.echo(" · ".join(facts))
    typer.echo(f"case {harmless(record.case_id)} · checkpoint {record.checkpoint} · workspace {record.workspace}\n")
    screen.table(
        ("check", "version", "status", "score", "reason"),
        [(said.node, said.version, said.status, screen.number(said.score), said.reason) for said in record.results],
    )
    screen.judge_notes([record])
    origins.show_claims(entry, record)
    origins.show_origins(entry, record)
    for finding in record.findings:
        where = f" at {finding.span[0]}–{finding.span[1]}" if finding.span else ""
        typer.echo(f"\n[{finding.category}] {finding.check}{where}")
        screen.finding(finding)
    for question in record.questions:
        typer.echo(f"\nto the person: {harmless(question)}")
    last = entry.runs[-1] if entry.runs else None
    if last is not None:
        times = len(entry.counted_runs)
        made = "made" if times == 1 else f"made {times} times, last"
        took = f" in {1000 * last.seconds:.1f} ms" if last.seconds else ""  # not measured where it was imported
        typer.echo(
            f"\nrecord {record.id}\n{made} {_when(last.at)}{took} · "
            f"{amount(last.usage.judge_calls, 'judge call')}, {amount(last.usage.tokens, 'token')}"
        )
    if debug and last is not None:
        for node, seconds in last.timings.items():
            typer.echo(f"  {node}: {1e6 * seconds:.0f} µs")
        for node, trace in last.tracebacks.items():
            typer.echo(f"\n{node} broke:\n{trace.rstrip()}")


def replay(
    record_id: IdArgument,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    case: Annotated[
        str | None, typer.Option(metavar="FILE", help="The case file, if its content was not stored.")
    ] = None,
    root: world.RootOption = None,
    before: world.BeforeOption = None,
    after: world.AfterOption = None,
    json: opt.JsonOption = False,
) -> None:
    """Run the deterministic part again and say what, if anything, differs; exit code 1 where something does."""
    from witnessmark.insight.replay import replay as replay_entry
    from witnessmark.verifier import Verifier

    settings = opt.settings(config, store, workspace)
    given = None if case is None else opt.read_case(case)
    services = TreeOptions(root, before, after).services()

    async def work() -> Any:
        async with Verifier.from_settings(settings, services=services) as verifier:
            assert verifier.store is not None
            return await replay_entry(verifier, await verifier.store.get(record_id, workspace), given)

    found = asyncio.run(work())
    if json:
        told = {"same": found.same, "differences": found.differences, "not_replayed": found.not_replayed}
        screen.echo_json({"id": found.record.id} | told)
    else:
        for difference in found.differences:
            typer.echo(harmless(str(difference)))
        for node in found.not_replayed:
            typer.echo(f"{node}: judged, not run again")
        typer.echo("same as recorded" if found.same else amount(len(found.differences), "difference"))
    raise typer.Exit(0 if found.same else 1)
