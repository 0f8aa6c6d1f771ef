"""`witnessmark pull-request`: the text of a pull request against its diff and its CI run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer

from witnessmark.actions.claim import ActionClaim, words
from witnessmark.actions.claims import collect
from witnessmark.actions.pull_request import trace_of_pull_request
from witnessmark.actions.report.claims import unread_in
from witnessmark.actions.report.report import Report
from witnessmark.actions.report.runs import OBSERVED
from witnessmark.actions.report.tense import PastTenseReport, in_past_tense
from witnessmark.actions.tree.regular_files import read_named
from witnessmark.actions.tree.view import TreeState
from witnessmark.cli import exits
from witnessmark.cli import options as opt
from witnessmark.cli.output import screen

MAX_TEXT = 4_000_000


def pull_request(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text of the pull request; - is standard input.")],
    base: Annotated[str, typer.Option("--base", metavar="REF", help="The branch it targets, such as origin/main.")],
    head: Annotated[str, typer.Option("--head", metavar="REF", help="The commit it proposes.")] = "HEAD",
    root: Annotated[str, typer.Option("--root", metavar="DIR", help="The repository.")] = ".",
    ci_log: Annotated[str | None, typer.Option("--ci-log", metavar="FILE", help="The log of its CI run.")] = None,
    ci: Annotated[
        Literal["success", "failure", "unknown"], typer.Option("--ci", help="How its CI run ended.")
    ] = "unknown",
    json: opt.JsonOption = False,
) -> None:
    """Check the text of a pull request against its diff and its CI run.

    A statement that something was done and that cannot be checked is listed as not looked at. Exit codes: 0, or 1 if a statement is untrue or something that must be mentioned is left out; 4 if nothing could be checked.
    """
    written = sys.stdin.buffer.read(MAX_TEXT).decode("utf-8", "replace") if text == "-" else _read(text)
    told = in_past_tense(Report(written), everywhere=True)
    report = told.report
    passed = {"success": True, "failure": False, "unknown": None}[ci]
    log = _read(ci_log) if ci_log else None
    trace = collect.trace_index(trace_of_pull_request(Path(root), base, head, log, passed))
    world = TreeState(root=root)
    read = collect.where_meant(collect.in_words(report), world, trace)
    claims = [claim for claim in read if claim.kind not in ("git", "command") and claim.role not in OBSERVED]
    rulings = collect.hold_all(claims, world, trace, "there is no CI run", report)
    dangers = collect.left_out(world, trace, report.text)
    rows: list[tuple[str, str, str]] = [
        (ruling.status, _words(claim, told, written), ruling.reason)
        for claim, ruling in zip(claims, rulings, strict=True)
    ]
    rows += [("not said", danger.path, danger.what) for danger in dangers]
    unread = unread_in(report, read)
    rows += [("not looked at", written[slice(*told.before(one.span))].strip()[:80], one.why) for one in unread]
    if json:
        found = [{"status": status, "what": what, "why": why} for status, what, why in rows]
        sys.stdout.buffer.write(msgspec.json.encode({"statements": found}) + b"\n")
    elif rows:
        screen.table(("status", "statement", "reason"), rows)
    else:
        typer.echo("the text makes no statement that can be checked against the diff")
    wrong = bool(dangers) or any(ruling.wrong for ruling in rulings)
    held = any(ruling.status == "supported" for ruling in rulings)
    raise typer.Exit(exits.FAIL if wrong else exits.PASS if held else exits.UNVERIFIED)


def _words(claim: ActionClaim, told: PastTenseReport, written: str) -> str:
    """The words of a claim as they stand in the text."""
    span = told.before(claim.span) if claim.span is not None else None
    return (written[slice(*span)] if span is not None and told.places else words(claim))[:80]


def _read(file: str) -> str:
    return read_named(file, MAX_TEXT).decode("utf-8", "replace")
