"""`witnessmark batch`: many cases from files to a file, with progress, resumable, on one machine or a cluster."""

from __future__ import annotations

import re
import sys
import time
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec.structs import replace

from witnessmark import config
from witnessmark.actions.tree.tree_options import TreeOptions
from witnessmark.batch import job as running
from witnessmark.batch.job import BatchJob, BatchReport, BatchStep, Engine
from witnessmark.batch.journal import kept_rows
from witnessmark.batch.sources import STDIN
from witnessmark.batch.values import Tally
from witnessmark.cli import INTERRUPTED, exits, world
from witnessmark.cli import options as opt
from witnessmark.cli.output import screen
from witnessmark.core.errors import InputError
from witnessmark.core.verdict import amount
from witnessmark.core.wrong_words import harmless

EVERY_S = 0.25
EVERY_S_IN_PIPES = 10.0


class ProgressLine:
    """Shows steps; silent where it was asked to be."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet, self._drawn = quiet, False
        self._moves = sys.stderr.isatty()
        self._last = time.monotonic()

    def show(self, step: BatchStep) -> None:
        """Say how far it is, where that was not said just now."""
        now = time.monotonic()
        if self._quiet or now - self._last < (EVERY_S if self._moves else EVERY_S_IN_PIPES):
            return
        self._last = now
        self._drawn = self._moves
        sys.stderr.write(f"\r\x1b[K{progress_line(step)}" if self._moves else f"witnessmark: {progress_line(step)}\n")
        sys.stderr.flush()

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def progress_line(step: BatchStep) -> str:
    """Rows, rate, cost and time left."""
    made = step.rows - step.resumed_rows
    parts = [amount(step.rows, "row"), screen.rate(made, step.seconds)]
    cost = step.tally.usage.cost_usd
    parts.append("price unknown" if cost is None else f"${cost:.2f}")
    left = _left(step, made)
    if left is not None:
        parts.append(f"{_span(left)} left")
    return ", ".join(parts)


def _left(step: BatchStep, made: int) -> float | None:
    """Seconds to go, as far as the size of the input tells; no more rows than the limit are still to come."""
    if not step.share or not made or not step.rows:
        return None
    whole = step.rows / min(1.0, step.share)
    if step.limit is not None:
        whole = min(whole, max(step.limit, step.rows))
    return (whole - step.rows) * step.seconds / made


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class EngineName(StrEnum):
    """Who verifies."""

    local = "local"
    ray = "ray"


class FailureLevel(StrEnum):
    """From which outcome on the exit code says so."""

    fail = "fail"
    unverified = "unverified"
    partial = "partial"
    never = "never"


COUNTS = {
    FailureLevel.fail: {exits.FAIL},
    FailureLevel.unverified: {exits.FAIL, exits.UNVERIFIED},
    FailureLevel.partial: {exits.FAIL, exits.UNVERIFIED, exits.PARTIAL},
    FailureLevel.never: set[int](),
}


FilesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="IN… OUT",
        help="Case files (.jsonl, .json, .yaml, .parquet), patterns, folders, or - for JSON Lines; then the file to write "
        "(.jsonl or .parquet).",
    ),
]
GroupByOption = Annotated[
    str | None,
    typer.Option(metavar="PATH", help="Verify cases together that share this field, such as context.mission."),
]
LimitOption = Annotated[int | None, typer.Option(min=1, help="Verify at most this many cases.")]
ShardOption = Annotated[str | None, typer.Option(metavar="I/N", help="Verify the I-th of N shares of the cases.")]
WorkersOption = Annotated[int, typer.Option(min=1, help="Number of worker processes.")]
ConcurrencyOption = Annotated[int, typer.Option(min=1, help="How many cases may wait for a judge at the same time.")]
EngineOption = Annotated[EngineName, typer.Option(help="Where to verify: on this machine or on a Ray cluster.")]
AddressOption = Annotated[
    str | None, typer.Option(help="A running Ray cluster, such as auto or host:6379; without it one is started.")
]
FailOnOption = Annotated[FailureLevel, typer.Option(help="Report this outcome, and worse ones, through the exit code.")]
FreshOption = Annotated[bool, typer.Option("--fresh", help="Start over, ignoring what an earlier run left.")]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Print what would be verified and what it would cost; verify nothing.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")]
SummaryOption = Annotated[bool, typer.Option("--json", help="The summary as one JSON object.")]


def batch(
    files: FilesArgument,
    checkpoint: opt.CheckpointOption = None,
    group_by: GroupByOption = None,
    limit: LimitOption = None,
    shard: ShardOption = None,
    workers: WorkersOption = 1,
    concurrency: ConcurrencyOption = 8,
    engine: EngineOption = EngineName.local,
    address: AddressOption = None,
    store: opt.StoreOption = None,
    config_file: opt.ConfigOption = None,
    workspace: opt.WorkspaceOption = None,
    policy: opt.PolicyOption = None,
    judge: opt.JudgeOption = None,
    allow_same_family: opt.AllowSameFamilyOption = False,
    deadline: opt.DeadlineOption = None,
    budget_usd: opt.BudgetUsdOption = None,
    budget_tokens: opt.BudgetTokensOption = None,
    root: world.RootOption = None,
    before: world.BeforeOption = None,
    after: world.AfterOption = None,
    fail_on: FailOnOption = FailureLevel.partial,
    fresh: FreshOption = False,
    dry_run: DryRunOption = False,
    quiet: QuietOption = False,
    json: SummaryOption = False,
) -> None:
    """Verify many cases: IN… to OUT, one record per row in input order. Run it again to resume where it stopped.

    A row that is not a case becomes a row with an error. Records go to OUT, and
    also to the store that --store, WITNESSMARK_STORE or the settings name; without one, to OUT only. Exit codes as of
    `verify`: 0 pass, 1 fail, 2 wrong usage or a row that is not a case, 3 partial, 4 unverified; the worst counts.
    """
    limits = opt.limits(deadline, budget_usd, budget_tokens)
    found = opt.settings(config_file, store, workspace, **limits, judges=judge, allow_same_family=allow_same_family)
    *inputs, out = files
    # Only where somebody asked for a store: a million records are nothing that the user's data folder should hold unasked.
    configured = config.load(config_file)[0].store if engine is EngineName.local else None
    job = BatchJob(
        inputs=tuple(inputs),
        out=out,
        settings=replace(found, store=store or configured),
        policy=config.read_mapping(Path(policy)) if policy else {},
        checkpoint=checkpoint,
        group_by=group_by,
        limit=limit,
        shard=_shard(shard),
        workers=workers,
        concurrency=concurrency,
        fresh=fresh,
        tree=TreeOptions(root, before, after, aside=(*files, f"{out}.batch")),
    )
    if dry_run:
        raise typer.Exit(_dry_run(job, json=json))
    report = _run(job, _engine(engine, address, workers), quiet=quiet)
    if not quiet:
        typer.echo(_as_json(report) if json else _told(report, group_by))
    raise typer.Exit(exit_code(report.tally, fail_on))


def _run(job: BatchJob, engine: Engine | None, *, quiet: bool) -> BatchReport:
    with ProgressLine(quiet=quiet) as line:
        try:
            return running.run(job, engine=engine, tell=line.show)
        except KeyboardInterrupt:
            typer.echo(f"witnessmark: interrupted{_how_to_go_on(job)}", err=True)
            raise typer.Exit(INTERRUPTED) from None


def _how_to_go_on(job: BatchJob) -> str:
    if STDIN in job.inputs:
        return "; standard input cannot be read again from where it was: name a file to be able to go on"
    kept = amount(kept_rows(Path(job.out)), "row is", "rows are")
    again = "run the same command again without --fresh" if job.fresh else "run the same command again"
    return f", {kept} kept; {again} to go on"


def _shard(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    parts = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    which, count = (int(parts[1]), int(parts[2])) if parts else (0, 0)
    if not 1 <= which <= count:
        raise InputError(f"--shard {text!r}: write which of how many, such as 1/4 to 4/4")
    return which, count


def _engine(where: EngineName, address: str | None, workers: int) -> Engine | None:
    if where is EngineName.ray:
        from witnessmark.integrations.ray_engine import on_ray

        return on_ray(workers, address)
    if address is not None:
        raise InputError("--address: names a Ray cluster; it goes with --engine ray")
    return None


def _dry_run(job: BatchJob, *, json: bool) -> int:
    """Count and price, and verify nothing."""
    from witnessmark.batch.dry_run import batch_price

    told = batch_price(job)
    if json:
        screen.echo_json(asdict(told))
    else:
        typer.echo(str(told))
    return exits.USAGE if told.errors or not told.cases else exits.PASS


def exit_code(tally: Tally, fail_on: FailureLevel) -> int:
    """The exit code of what came out: the worst outcome that counts, and 2 where a row is no case."""
    if fail_on is FailureLevel.never:
        return exits.PASS
    codes = {exits.OF_OUTCOME[outcome] for outcome, count in tally.outcomes.items() if count}
    told = {exits.PASS} | (codes & COUNTS[fail_on])
    return exits.worst(told | ({exits.USAGE} if tally.errors else set()))


def _as_json(report: BatchReport) -> str:
    told = {"out": report.out, "rows": report.rows, "resumed_rows": report.resumed_rows, "seconds": report.seconds}
    return msgspec.json.encode(told | report.tally.plain()).decode()


def _told(report: BatchReport, group_by: str | None = None) -> str:
    tally = report.tally
    outcomes = ", ".join(f"{count:,} {outcome}" for outcome, count in tally.plain()["outcomes"].items() if count)
    beside = f" and {amount(tally.groups, 'group')}" if tally.groups else ""  # each has a record of its own
    lines = [f"{amount(tally.cases, 'case')}{beside}: {outcomes or 'no verdict'}"]
    together = tally.groups - tally.lone_groups
    if together:
        alone = f"; {tally.lone_groups:,} more of one case each" if tally.lone_groups else ""
        lines.append(f"{amount(together, 'group was', 'groups were')} checked for consistency{alone}")
    elif group_by:
        lines.append(f"no two cases share {group_by}, so none were checked together; is the path right?")
    if tally.causes:
        causes = ", ".join(f"{cause} {count:,}" for cause, count in sorted(tally.causes.items()))
        lines.append(f"unverified because: {causes}")
    if tally.errors:
        rows = amount(tally.errors, "row is not a case", "rows are not cases")
        first = f"; first: row {tally.first_error[0]:,}: {harmless(tally.first_error[1])}" if tally.first_error else ""
        lines.append(f"{rows}{first}")
    lines += [cost(tally), f"written to {report.out}"]
    if report.resumed_rows:
        lines.append(f"{report.resumed_rows:,} of {report.rows:,} rows by the run that was interrupted")
    return "\n".join(lines)


def cost(tally: Tally) -> str:
    """What judges were asked and what it cost, in words."""
    usage = tally.usage
    if not usage.judge_calls and not usage.cached:
        return "no judge was asked, $0"
    cost = "price unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    return (
        f"{amount(usage.judge_calls, 'judge call')}, {amount(usage.tokens, 'token')}, {cost}; "
        f"{amount(usage.cached, 'answer')} from the cache"
    )
