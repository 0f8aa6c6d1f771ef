"""The command line: which module has which command, and what happens to an error that reaches the top."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

from witnessmark._version import __version__
from witnessmark.cli import INTERRUPTED
from witnessmark.cli.exits import PIPE_CLOSED, USAGE
from witnessmark.cli.listing import CommandList
from witnessmark.core.errors import WitnessmarkError

COMMANDS = {
    "commands.project": ("init", "doctor"),
    "commands.check": ("check",),
    "commands.correct": ("correct",),
    "commands.verify": ("verify",),
    "commands.batch": ("batch",),
    "commands.run": ("run",),
    "commands.compare": ("compare",),
    "commands.lists": ("checks", "checkpoints", "schema"),
    "commands.judges": ("judges",),
    "commands.records": ("records", "show", "replay"),
    "commands.review": ("override", "outcome", "reverify"),
    "commands.metrics": ("metrics",),
    "commands.calibrate": ("calibrate",),
    "commands.experiment": ("experiment",),
    "commands.tree": ("snapshot", "diff"),
    "commands.rerun": ("rerun",),
    "commands.pull_request": ("pull-request",),
    "hook": ("hook",),
    "commands.mcp": ("mcp",),
    "commands.imports": ("import",),
    "commands.serve": ("serve", "keys"),
    "commands.store": ("store",),
    "commands.report": ("report",),
}
"""Module of this package to its commands, in the order of the help. A command is added here and in its module's `add_to`."""


def command_line(modules: Iterable[str] = COMMANDS) -> typer.Typer:
    """The commands of these modules put together."""
    app = typer.Typer(
        name="witnessmark",
        help="Checks whether an answer, a report, a plan or another output can be trusted, says why, and what to do next.",
        cls=CommandList,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_top)
    for module in modules:
        importlib.import_module(f"witnessmark.cli.{module}").add_to(app)
    return app


def modules_for(words: Sequence[str]) -> list[str]:
    """The module of the command that the first word names, or all of them where it names none.

    Importing every command, and letting Typer put all of them together, takes longer than most commands do.
    """
    word = words[0] if words else ""
    if word == "--version":
        return []
    return [module for module, names in COMMANDS.items() if word in names] or [*COMMANDS]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"witnessmark {__version__}")
        raise typer.Exit


def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Check whether work can be trusted."""


def run() -> None:
    """Run the command line. What Witnessmark or the system refuses is one line and exit code 2; anything else is a fault."""
    try:
        command_line(modules_for(sys.argv[1:]))()
    except WitnessmarkError as exc:
        typer.echo(f"witnessmark: {exc}", err=True)
        sys.exit(USAGE)
    except SystemExit as exc:
        _forget_interrupt()
        # Typer answers a closed pipe with 1, which is our word for fail. Whoever read our output has seen enough.
        if isinstance(exc.__context__, BrokenPipeError):
            _write_no_more()
            sys.exit(PIPE_CLOSED)
        raise
    except OSError as exc:
        _write_no_more()
        where = f"{exc.filename}: " if exc.filename else ""
        typer.echo(f"witnessmark: {where}{exc.strerror or exc}", err=True)
        sys.exit(USAGE)
    except KeyboardInterrupt:
        _forget_interrupt()
        typer.echo("witnessmark: interrupted", err=True)
        sys.exit(INTERRUPTED)


def _forget_interrupt() -> None:
    """Let `python -m witnessmark` end with our own code after Ctrl-C.

    CPython remembers an interrupt that left code run from a string, such as that of a dataclass, though it was caught since, and ends by
    the signal; running any such code makes it forget.
    """
    exec("")  # noqa: S102 - of nothing


def _write_no_more() -> None:
    """Let what is still buffered for standard output go nowhere: it could not be written, and must not complain twice."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
