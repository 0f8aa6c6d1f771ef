"""`witnessmark rerun`: the done-contract of a task run again in a throw-away copy of the tree."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from witnessmark.actions.rerun import contract, rerun
from witnessmark.cli import exits
from witnessmark.cli import options as opt
from witnessmark.cli.output import screen
from witnessmark.core.errors import UsageError

LOCK = ".lock"


def run_again(
    file: Annotated[
        str, typer.Argument(metavar="CONTRACT", help="What must hold when the task is done.")
    ] = contract.NAME,
    root: Annotated[str, typer.Option("--root", metavar="DIR", help="The tree.")] = ".",
    init: Annotated[bool, typer.Option("--init", help="Write a first contract.")] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Freeze the contract before the work starts, by keeping its digest.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="With --fix: replace the digest that was kept of another contract.")
    ] = False,
    uncontained: Annotated[
        bool,
        typer.Option(
            "--uncontained", help="Run the commands as yourself, with limits only, where no sandbox is available."
        ),
    ] = False,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write the result; `verify --trace` reads it.")
    ] = None,
    json: opt.JsonOption = False,
) -> None:
    """Run a done-contract again in a throwaway copy of the tree: without network, with limits.

    Exit codes: 0 where everything holds, 1 where something does not, 2 for wrong usage.
    """
    opt.in_a_folder("--output", output)
    place = Path(file) if Path(file).is_absolute() else Path(root) / file
    if init:
        _write_first(place)
        return
    found, digest = contract.load(place)
    lock = place.with_name(place.name + LOCK)
    changed = lock.is_file() and lock.read_bytes().strip() != digest.encode()
    if fix:
        if changed and not replace:
            raise UsageError(f"{lock}: keeps the digest of another contract; --fix --replace replaces it")
        lock.write_text(digest + "\n", encoding="utf-8")
        typer.echo(f"{lock}: fixed, sha256 {digest}")
        return
    if changed:
        raise UsageError(f"{place}: was changed after it was fixed; restore it, or fix it again with --fix --replace")
    result = rerun.rerun(Path(root), found, digest, uncontained=uncontained)
    data = msgspec.json.encode(result)
    if output:
        Path(output).write_bytes(data + b"\n")
    if json:
        sys.stdout.buffer.write(data + b"\n")
    else:
        screen.table(
            ("holds", "what", "there"), [("yes" if item.held else "NO", item.what, item.there) for item in result.items]
        )
        fixed = "fixed before" if lock.is_file() else "not fixed before: `witnessmark rerun --fix` does"
        how = f"contained by {result.contained}" if found.command else result.contained
        typer.echo(f"\ntree sha256 {result.tree[:16]}…, contract {fixed}, {how}")
        if not result.held and found.command and not output:
            typer.echo("all that the commands printed: -o FILE, or --json")
    raise typer.Exit(exits.PASS if result.held else exits.FAIL)


def _write_first(place: Path) -> None:
    try:
        with place.open("x", encoding="utf-8") as file:
            file.write(contract.TEMPLATE)
    except FileExistsError:
        raise UsageError(f"{place}: already exists; it was not overwritten") from None
    typer.echo(f"{place}: written; change it, then fix it with `witnessmark rerun --fix`")
