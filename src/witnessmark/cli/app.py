"""The commands put together, and what happens to an error that reaches the top."""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from witnessmark._version import __version__
from witnessmark.cli import INTERRUPTED
from witnessmark.cli.commands import (
    batch,
    calibrate,
    check,
    compare,
    correct,
    experiment,
    imports,
    judges,
    lists,
    mcp,
    metrics,
    project,
    records,
    report,
    rerun,
    review,
    serve,
    store,
    tree,
    verify,
)
from witnessmark.cli.commands import (
    run as run_suite,
)
from witnessmark.cli.exits import PIPE_CLOSED, USAGE
from witnessmark.cli.hook import command, pull_request
from witnessmark.cli.listing import CommandList
from witnessmark.core.errors import WitnessmarkError

app = typer.Typer(
    name="witnessmark",
    help="Checks whether an answer, a report, a plan or another output can be trusted, says why, and what to do next.",
    cls=CommandList,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"witnessmark {__version__}")
        raise typer.Exit


@app.callback()
def top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Check whether work can be trusted."""


project.add_to(app)
check.add_to(app)
correct.add_to(app)
verify.add_to(app)
batch.add_to(app)
run_suite.add_to(app)
compare.add_to(app)
lists.add_to(app)
judges.add_to(app)
records.add_to(app)
review.add_to(app)
metrics.add_to(app)
calibrate.add_to(app)
experiment.add_to(app)
tree.add_to(app)
rerun.add_to(app)
pull_request.add_to(app)
command.add_to(app)
mcp.add_to(app)
imports.add_to(app)
serve.add_to(app)
store.add_to(app)
report.add_to(app)


def run() -> None:
    """Run the command line. What Witnessmark or the system refuses is one line and exit code 2; anything else is a fault."""
    try:
        asked_for(sys.argv[1:])()
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


def asked_for(words: Sequence[str]) -> typer.Typer:
    """The command line with the command that the first word names, or with all of them where it names none.

    Typer puts together whatever is there before it looks at the words, and all of it takes longer than many a command.
    """
    word = words[0] if words else ""
    commands = [one for one in app.registered_commands if word == (one.name or getattr(one.callback, "__name__", ""))]
    groups = [one for one in app.registered_groups if word == one.name]
    if not commands and not groups:
        return app
    made = copy.copy(app)
    made.registered_commands, made.registered_groups = commands, groups
    return made


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
