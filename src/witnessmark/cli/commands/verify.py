"""`witnessmark verify`: cases in, verdicts out, records kept, an exit code that scripts can trust."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import Annotated, Any, TypeVar

import typer

from witnessmark.actions.tree.tree_options import TreeOptions
from witnessmark.actions.tree.view import TreeState
from witnessmark.checks.plain.vague import lint_case
from witnessmark.cli import exits, files, world
from witnessmark.cli import options as opt
from witnessmark.cli.output import github, reports, screen
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.core.graph import Graph
from witnessmark.core.record import Record
from witnessmark.core.verdict import amount
from witnessmark.core.wrong_words import harmless
from witnessmark.verifier import Verifier

AT_ONCE = 8
"""Cases under way at a time: a check that waits for something does not hold up the others."""

T = TypeVar("T")
COLUMNS = ("case", "checkpoint", "outcome", "action", "score", "confidence", "coverage", "reason")


@dataclass(slots=True)
class VerifyRun:
    """What a run of `verify` saw: verdicts with where their case came from, and inputs that are no case."""

    verdicts: list[tuple[str, Record]] = field(default_factory=list)
    problems: list[files.FileProblem] = field(default_factory=list)
    cases: dict[str, bytes] = field(default_factory=dict)

    def exit_code(self) -> int:
        """The worst of all."""
        codes = {exits.OF_OUTCOME[record.outcome] for _, record in self.verdicts}
        return exits.worst(codes | ({exits.USAGE} if self.problems else set()))


def verify(
    case: Annotated[
        list[str] | None,
        typer.Argument(metavar="CASE…", help="Case files (JSON, JSON Lines, YAML); - reads standard input."),
    ] = None,
    checkpoint: opt.CheckpointOption = None,
    store: opt.StoreOption = None,
    config: opt.ConfigOption = None,
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
    trace: world.TraceOption = None,
    report: world.ReportOption = None,
    json: opt.JsonOption = False,
    junit: Annotated[str | None, typer.Option(metavar="FILE", help="Write JUnit XML.")] = None,
    sarif: Annotated[str | None, typer.Option(metavar="FILE", help="Write SARIF 2.1.0.")] = None,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write one self-contained HTML page.")] = None,
    summary: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Add a Markdown table of the verdicts, as for $GITHUB_STEP_SUMMARY."),
    ] = None,
    annotations: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write GitHub workflow commands, one for each finding.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print which checks and paid calls it would make; run nothing.")
    ] = False,
) -> None:
    """Verify cases: print a verdict with reasons for each, keep a record, and set the exit code.

    Exit codes: 0 pass, 1 fail, 2 wrong usage or bad input, 3 partial, 4 unverified; with several cases the worst, in the
    order 2, 1, 4, 3, 0.
    """
    written = {"--junit": junit, "--sarif": sarif, "--summary": summary, "--annotations": annotations, "--html": html}
    opt.in_folders(written)
    limits = opt.limits(deadline, budget_usd, budget_tokens)
    found = opt.settings(config, store, workspace, **limits, judges=judge, allow_same_family=allow_same_family)
    names = [*(case or ()), *filter(None, (trace, *(report or ())))]
    seen_world = world.with_trace(TreeOptions(root, before, after, aside=tuple(names)).state(found.probes), trace)
    verifier = opt.verifier(found, policy, {"world": seen_world} if seen_world else None)
    given = _given(case or [], report or [], found.max_case_bytes, seen_world)
    if dry_run:
        raise typer.Exit(_dry_run(verifier, given, checkpoint, echo_json=json))
    seen = asyncio.run(_verify_all(verifier, given, checkpoint, echo_json=json))
    if not json:
        _print(seen, kept=opt.keeps(found))
    _write(seen, {option: file for option, file in written.items() if file})
    raise typer.Exit(seen.exit_code())


def _write(seen: VerifyRun, written: Mapping[str, str]) -> None:
    """The files that were asked for, each by its option."""
    for option, file in written.items():
        if option == "--summary":
            github.append(file, github.summary(seen.verdicts, seen.problems))
        elif option == "--html":
            reports.save(file, reports.html(seen.verdicts, seen.problems, seen.cases))
        elif option == "--annotations":
            reports.save(file, github.workflow_commands(reports.sarif(seen.verdicts, seen.problems)))
        else:
            write = reports.junit if option == "--junit" else reports.sarif
            reports.save(file, write(seen.verdicts, seen.problems))


def _given(
    case: list[str], report: list[str], limit: int, seen_world: TreeState | None
) -> Iterator[files.CaseFile | files.FileProblem]:
    """The cases of the files, after that of a report in plain words; with a world, reports may stand alone, and rest on its trace."""
    if not case and not report:
        raise UsageError("give case files, or --report FILE (with --trace FILE and --root DIR) for an agent's report")
    if len(report) > 1:
        raise UsageError("--report: one report at a time; each has a trace and a tree of its own")
    first = [world.report_case(one) for one in report]
    given = chain(first, files.cases(case, limit, world.as_case if seen_world else Case.from_json))
    return world.on_trace(given) if seen_world and seen_world.traces else given


async def _verify_all(
    verifier: Verifier, inputs: Iterator[files.CaseFile | files.FileProblem], checkpoint: str | None, *, echo_json: bool
) -> VerifyRun:
    seen = VerifyRun()
    async with verifier:
        with _progress(quiet=echo_json) as step:
            async for result in verifier.verify_many(
                _counted(inputs, step), load=_case, checkpoint=checkpoint, concurrency=AT_ONCE
            ):
                if result.entry is None:
                    problem = files.FileProblem(result.item.where, str(result.error))
                    seen.problems.append(problem)
                    step.clear()
                    typer.echo(f"witnessmark: {problem}", err=True)
                    continue
                record, entry = result.record, result.entry
                seen.verdicts.append((result.item.where, record))
                if entry.case is not None and not entry.redacted:
                    seen.cases[record.id] = entry.case
                if echo_json:
                    sys.stdout.buffer.write(record.full_json() + b"\n")
    sys.stdout.flush()
    return seen


def _counted(inputs: Iterator[T], step: Callable[[], None]) -> Iterator[T]:
    for item in inputs:
        step()
        yield item


def _case(item: files.CaseFile | files.FileProblem) -> Case:
    if isinstance(item, files.FileProblem):
        raise UsageError(item.message)
    return item.case


class _progress:  # noqa: N801 - reads as a statement: with _progress() as step
    """What is being done, on a terminal, and a count once it takes longer than a second; silent in pipes."""

    def __init__(self, *, quiet: bool) -> None:
        self.count, self.started, self.shown = 0, time.monotonic(), 0.0
        self.moves = sys.stderr.isatty()
        self.quiet = quiet

    def __enter__(self) -> _progress:
        if not self.quiet:
            self._write("verifying …")
        return self

    def __call__(self) -> None:
        self.count += 1
        now = time.monotonic()
        if now - self.started > 1.0 and now - self.shown > 0.2:
            self.shown = now
            self._write(f"{amount(self.count, 'case')}, {screen.rate(self.count, now - self.started)} ")

    def __exit__(self, *exc: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Make room for a line that stays."""
        if self.shown or not self.quiet:
            self._write(screen.NOTHING)

    def _write(self, line: str) -> None:
        if self.moves:
            sys.stderr.write(f"\r{line}")
            sys.stderr.flush()


def _print(seen: VerifyRun, *, kept: bool) -> None:
    rows = [
        (
            where if record.case_id == record.case_digest else record.case_id, record.checkpoint, record.outcome, record.action,
            screen.number(record.score), screen.number(record.confidence), screen.number(record.coverage), record.headline,
        )
        for where, record in seen.verdicts
    ]  # fmt: skip
    if rows:
        screen.table(COLUMNS, rows)
    screen.judge_notes(record for _, record in seen.verdicts)
    if len(seen.verdicts) == 1:
        _print_one(seen.verdicts[0][1])
    elif rows:
        counts = {o: sum(r.outcome == o for _, r in seen.verdicts) for o in exits.OF_OUTCOME}
        said = " · ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
        typer.echo(f"\n{amount(len(rows), 'case')}: {said}")
        if kept:
            typer.echo("`witnessmark show ID` explains one, `witnessmark records` lists them")


def _print_one(record: Record) -> None:
    for finding in record.findings:
        screen.finding(finding)
    typer.echo(f"{screen.coloured(record.action)}: {record.because} · record {record.id[:12]}")


def _dry_run(
    verifier: Verifier, given: Iterator[files.CaseFile | files.FileProblem], checkpoint: str | None, *, echo_json: bool
) -> int:
    """What would be done, how many paid calls that would be, and which criteria are too vague; nothing is run or kept."""
    from witnessmark.batch.estimate import Estimate, QuestionKey, estimate  # it needs every check that may ask a judge

    paid = problems = count = 0
    total, before = Estimate(), set[QuestionKey]()
    for item in given:
        try:
            if isinstance(item, files.FileProblem):
                raise UsageError(item.message)
            graph = verifier.graph_of(item.case, checkpoint)
            asked = estimate(verifier, item.case, checkpoint, verifier.service("price"), before)
        except UsageError as exc:
            problems += 1
            typer.echo(f"witnessmark: {item.where}: {exc}", err=True)
            continue
        total += asked
        count += 1
        paid += sum(node.check.cost == "paid" for node in graph.nodes)
        if echo_json:
            screen.echo_json(_plan_json(item, graph) | {"asked": asdict(asked)})
        else:
            _print_plan(item, graph)
    if not echo_json:
        judged = str(total) if verifier.service("judges") is not None else "no judge is configured: no paid calls"
        typer.echo(
            f"{amount(count, 'case')}, {amount(paid, 'check that asks', 'checks that ask')} a judge (*); {judged}"
        )
    return exits.USAGE if problems or not count else exits.PASS


def _plan_json(item: files.CaseFile, graph: Graph) -> dict[str, Any]:
    """What would be done with a case, in one object: its checks, and criteria that are too vague."""
    return {
        "at": item.where,
        "case_id": item.case.id or item.case.digest(),
        "checkpoint": graph.checkpoint,
        "checks": [{"check": node.name, "cost": node.check.cost} for node in graph.nodes],
        "vague": [
            {"criterion": text, "message": finding.message, "suggestion": finding.suggestion}
            for text, finding in lint_case(item.case)
        ],
    }


def _print_plan(item: files.CaseFile, graph: Graph) -> None:
    """The same for a person."""
    checks = ", ".join(node.name + ("*" if node.check.cost == "paid" else "") for node in graph.nodes)
    typer.echo(f"{item.where}: {graph.checkpoint}: {checks or 'no checks'}")
    for text, finding in lint_case(item.case):
        typer.echo(f"  vague  {harmless(text)}: {finding.message}\n         → {finding.suggestion}")
