"""`witnessmark snapshot` and `witnessmark diff`: a working tree before and after an agent, and what was said about it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

import msgspec
import typer

from witnessmark.actions.claim import ActionClaim, Ruling
from witnessmark.actions.claims import collect, declared_claims, disclosure
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.reader import resolved
from witnessmark.actions.tree import capture, snapshot
from witnessmark.actions.tree.regular_files import read_named
from witnessmark.actions.tree.tree_options import TreeOptions
from witnessmark.actions.tree.view import TreeView
from witnessmark.cli import exits
from witnessmark.cli import options as opt
from witnessmark.cli.output import screen
from witnessmark.cli.world import MAX_REPORT, AfterOption, RootOption, as_case
from witnessmark.core.case import AgentOutput, Case
from witnessmark.core.errors import InputError, UsageError

# --- snapshot ----------------------------------------------------------------------------------------------------


def take_snapshot(
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Where to write it; - is standard output.")
    ],
    root: Annotated[str, typer.Option("--root", metavar="DIR", help="The tree.")] = ".",
    earlier: Annotated[
        str | None,
        typer.Option(
            "--earlier", metavar="SNAPSHOT", help="An earlier snapshot, to reuse its digests of unchanged files."
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar="PATTERN", help="Pattern to ignore, as in .gitignore; may be repeated."),
    ] = None,
) -> None:
    """Take a snapshot of a tree, before an agent works in it."""
    opt.in_a_folder("--output", output)
    old = snapshot.load(earlier) if earlier else None
    if old is not None and ignore:
        raise UsageError(
            "--ignore: the earlier snapshot's patterns apply; take a new one without --earlier to change them"
        )
    made = capture.take(root, earlier=old, leave_out=tuple(ignore or ()), texts=True)
    opt.save(output, made.write())
    if output == "-":
        return
    files = sum(entry.type == "f" for entry in made.entries)
    unread = sum("u" in entry.mark or "h" in entry.mark for entry in made.entries)
    left = f", {unread:,} not read" if unread else ""
    head = f", HEAD {made.git.head[:12]}" if made.git and made.git.head else ""
    typer.echo(f"{output}: {files:,} {'file' if files == 1 else 'files'}{left}{head}, sha256 {made.digest}")


# --- diff --------------------------------------------------------------------------------------------------------


def diff(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The snapshot from before.")],
    claims: Annotated[
        str | None,
        typer.Option(
            "--claims",
            metavar="REPORT",
            help="The agent's report: a case, an output (its words may hold the claims), or a list of claims.",
        ),
    ] = None,
    root: RootOption = None,
    after: AfterOption = None,
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", metavar="PATTERN", help="Changes there need no claim; may be repeated."),
    ] = None,
    json: opt.JsonOption = False,
) -> None:
    """Show what changed since a snapshot and, with a report, which claims have no change and which changes no claim.

    Exit codes: 0, or 1 where a claim does not hold.
    """
    place = root if root is not None or after is not None else "."
    world = TreeOptions(place, before, after, aside=(claims,) if claims else ()).state()
    assert world is not None
    changes = world.changes() or ()
    if claims is None:
        _print_changes(changes, json)
        return
    case, said = _report(claims)
    ref = case.subject.trace_ref if isinstance(case.subject, AgentOutput) else None
    trace, why_not = resolved(case, ref, world.traces)
    said = collect.where_meant(said, world, trace, changes)
    rulings = collect.hold_all(said, world, trace, why_not, Report(case.text))
    unborne = disclosure.unborne(said, rulings)
    with TreeView(world) as view:
        unsaid = disclosure.unsaid(disclosure.undisclosed(changes, said, tuple(allow or ()), view, case.text))
    if json:
        found = {
            "claims_without_change": [asdict(u) for u in unborne],
            "changes_without_claim": [asdict(u) for u in unsaid],
        }
        _echo_json(found | {"claims": len(said), "changes": len(changes)})
    else:
        _print_halves(unborne, unsaid, said, rulings)
    raise typer.Exit(exits.FAIL if any(ruling.wrong for ruling in rulings) else exits.PASS)


def _print_changes(changes: Sequence[Any], json: bool) -> None:
    rows = disclosure.unsaid(changes)
    if json:
        _echo_json({"changes": [{"path": row.path, "what": row.what} for row in rows]})
    elif rows:
        screen.table(("path", "change"), [(row.path, row.what) for row in rows])
    else:
        typer.echo("nothing changed")


def _print_halves(
    unborne: Sequence[disclosure.UnsupportedClaim],
    unsaid: Sequence[disclosure.UndisclosedChange],
    claims: Sequence[ActionClaim],
    rulings: Sequence[Ruling],
) -> None:
    held = sum(ruling.status == "supported" for ruling in rulings)
    typer.echo(f"claims without a change (said, not done): {len(unborne)} of {len(claims)}")
    if unborne:
        rows = [(row.path or "–", row.claimed, row.there, f"{row.status}: {row.why}") for row in unborne]
        screen.table(("path", "claimed", "there", "reason"), rows)
    typer.echo(f"\nchanges without a claim (done, not said): {len(unsaid)}")
    if unsaid:
        screen.table(("path", "there", "reason"), [(row.path, row.what, row.why) for row in unsaid])
    typer.echo(f"\n{held} of {len(claims)} claims hold")


def _echo_json(data: dict[str, Any]) -> None:
    text = msgspec.json.encode(_encodable(data))
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.flush()


def _encodable(value: Any) -> Any:
    """Paths that are no UTF-8 as they are written in a snapshot."""
    if isinstance(value, str):
        return value if value.isascii() else os.fsencode(value).decode("utf-8", "backslashreplace")
    if isinstance(value, dict):
        return {key: _encodable(inner) for key, inner in value.items()}
    return [_encodable(inner) for inner in value] if isinstance(value, list) else value


def _report(file: str) -> tuple[Case, list[ActionClaim]]:
    """The report's case and its claims, listed or in words; a listed claim that cannot be read is bad input here."""
    data = sys.stdin.buffer.read(MAX_REPORT) if file == "-" else read_named(file, MAX_REPORT)
    with opt.naming(file):
        case = _claims_case(data) if data.lstrip()[:1] == b"[" else as_case(data)
    if not isinstance(case.subject, AgentOutput):
        raise InputError(f"{file}: subject.kind: claims come from an agent_output, not {case.kind}")
    _, wrong = declared_claims.look(case.subject)
    unreadable = [finding for finding in wrong if finding.message.startswith("claims")]
    if unreadable:
        raise InputError(f"{file}: {unreadable[0].message}")
    return case, collect.claims_of(case, Report(case.text))


def _claims_case(data: bytes) -> Case:
    try:
        return Case(subject=AgentOutput(summary="claims", claims=msgspec.json.decode(data)))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
        raise InputError(f"not JSON: {exc}") from None
