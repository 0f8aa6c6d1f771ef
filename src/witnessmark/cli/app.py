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
    "init": "commands.project:init",
    "doctor": "commands.project:doctor",
    "check": "commands.check:check",
    "correct": "commands.correct:correct",
    "verify": "commands.verify:verify",
    "batch": "commands.batch:batch",
    "run": "commands.run:run",
    "compare": "commands.compare:compare",
    "checks": "commands.lists:checks",
    "checkpoints": "commands.lists:checkpoints",
    "schema": "commands.lists:schema",
    "judges": "commands.judges:app",
    "records": "commands.records:records_app",
    "show": "commands.records:show",
    "replay": "commands.records:replay",
    "override": "commands.review:override",
    "outcome": "commands.review:what_happened",
    "reverify": "commands.review:reverify",
    "metrics": "commands.metrics:app",
    "calibrate": "commands.calibrate:app",
    "experiment": "commands.experiment:experiment",
    "snapshot": "commands.tree:take_snapshot",
    "diff": "commands.tree:diff",
    "rerun": "commands.rerun:run_again",
    "pull-request": "commands.pull_request:pull_request",
    "hook": "app:hook",
    "mcp": "commands.mcp:mcp",
    "import": "commands.imports:import_cases",
    "serve": "commands.serve:serve",
    "keys": "commands.serve:keys_app",
    "store": "commands.store:store_app",
    "report": "commands.report:report",
}
"""Command to the module of this package that has it and its name there, in the order of the help."""


def command_line(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The commands of these names put together."""
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
    for name in names:
        module, _, function = COMMANDS[name].partition(":")
        command = getattr(importlib.import_module(f"witnessmark.cli.{module}"), function)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def commands_for(words: Sequence[str]) -> list[str]:
    """The command that the first word names, or all of them where it names none.

    Importing every command, and letting Typer put all of them together, takes longer than most commands do.
    """
    word = words[0] if words else ""
    if word == "--version":
        return []
    return [word] if word in COMMANDS else [*COMMANDS]


def hook(agent: Annotated[str, typer.Argument(help="Whose payload is on standard input.")] = "") -> None:
    """Check a coding agent's report when it stops; `witnessmark hook --help` lists the agents."""
    # For the list of commands; `witnessmark hook` itself never gets as far as this.
    from witnessmark.cli.hook import run as run_hook

    run_hook([agent] if agent else [])


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
        command_line(commands_for(sys.argv[1:]))()
    except WitnessmarkError as exc:
        typer.echo(f"witnessmark: {exc}", err=True)
        sys.exit(USAGE)
    except SystemExit as exc:
        _forget_interrupt()
        # Typer answers a closed pipe with 1, which is our word for fail. Whoever read our output has seen enough.
        if isinstance(exc.__context__, BrokenPipeError):
            _write_no_more()
            sys.exit(PIPE_CLOSED)
        # It answers Ctrl-C with our code and no word; a command that says something of its own raises from None.
        if isinstance(getattr(exc.__context__, "__cause__", None), KeyboardInterrupt):
            typer.echo("witnessmark: interrupted", err=True)
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
