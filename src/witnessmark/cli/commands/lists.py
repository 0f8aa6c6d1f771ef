"""What is there: checks, checkpoints, schemas. Third-party ones included, and those that do not load, with why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
import typer

import witnessmark.verifier  # noqa: F401 - says where what is built in is found
from witnessmark.cli.options import JsonOption
from witnessmark.cli.output import screen
from witnessmark.core import aliases, registry
from witnessmark.core.case import Case
from witnessmark.core.plans import checkpoints as ready_made
from witnessmark.core.record import Record
from witnessmark.core.registry import Registry


def _say_broken(known: Registry[Any]) -> None:
    for name, why in known.broken.items():
        typer.echo(f"witnessmark: {known.what} {name} is installed but does not load: {why}", err=True)


def _print(columns: tuple[str, ...], rows: Sequence[Sequence[str]], as_json: bool) -> None:
    if as_json:
        for row in rows:
            typer.echo(msgspec.json.encode(dict(zip(columns, row, strict=True))).decode())
    else:
        screen.table(columns, rows)


def checks(json: JsonOption = False) -> None:
    """List the checks, with their versions, costs and where they come from."""
    rows = [
        (name, made.version, made.cost, registry.checks.origin(name), made.summary)
        for name, made in registry.checks.all().items()
    ]
    _print(("check", "version", "cost", "from", "summary"), rows, json)
    _say_broken(registry.checks)


def checkpoints(json: JsonOption = False) -> None:
    """List the checkpoints, with the subjects they take."""
    rows = [
        (name, ", ".join(point.kinds), ready_made.checkpoints.origin(name), point.summary)
        for name, point in ready_made.checkpoints.all().items()
    ]
    _print(("checkpoint", "takes", "from", "summary"), rows, json)
    _say_broken(ready_made.checkpoints)


def schema(of: Annotated[Literal["case", "record"], typer.Argument(metavar="case|record", help="Of what.")]) -> None:
    """Print the JSON Schema of a case or a record."""
    typer.echo(msgspec.json.format(msgspec.json.encode(json_schema(of)), indent=2).decode())


def json_schema(of: str) -> dict[str, Any]:
    """The published JSON Schema."""
    made = msgspec.json.schema(Case if of == "case" else Record)
    if of == "case":
        aliases.add_to_schema(made["$defs"]["Case"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Witnessmark {of}", **made}
