"""`witnessmark hook claude-code`: a coding agent that is about to stop is held to its own report, once for the same thing.

Reads the Stop or SubagentStop payload from standard input. Exit code 0 always: a block is said in JSON, as Claude Code documents
it; whatever goes wrong in here lets the agent stop and says that its report is unverified.
"""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from witnessmark.core.errors import InputError

if TYPE_CHECKING:
    from witnessmark.cli.hook.reply import HookReply

COMMAND = "witnessmark hook claude-code"
WRONG_USAGE: type[Exception] = typer.BadParameter.__mro__[1]
"""What the command line raises for any wrong usage; typer gives only its heirs a public name."""


def add_to(app: typer.Typer) -> None:
    """Put the commands into the application."""
    hooks = typer.Typer(help="Hooks for coding agents.", cls=_Hooks, rich_markup_mode=None)
    hooks.command("claude-code")(claude_code)
    app.add_typer(hooks, name="hook")


class _Hooks(TyperGroup):
    """Commands whose wrong usage lets through: exit code 2, which the command line has for it, means "block" to Claude Code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the command's name; where they are wrong, say so and end with 0."""
        try:
            return super().parse_args(ctx, args)
        except WRONG_USAGE as exc:
            raise _misused(exc) from None

    def invoke(self, ctx: Any) -> Any:
        """Find the command, read its options and run it; where it cannot be, say so and end with 0."""
        try:
            return super().invoke(ctx)
        except WRONG_USAGE as exc:
            raise _misused(exc) from None


def _misused(exc: Exception) -> typer.Exit:
    from witnessmark.cli.hook.reply import broken

    say(broken(InputError(f"wrong usage: {getattr(exc, 'message', exc)}")))
    return typer.Exit(0)


def claude_code(
    print_settings: Annotated[
        bool, typer.Option("--print-settings", help="Print what belongs into settings.json.")
    ] = False,
    state: Annotated[str | None, typer.Option(metavar="FOLDER", help="Where it remembers what it has said.")] = None,
    max_blocks: Annotated[str, typer.Option(metavar="N", help="Most times it blocks one session.")] = "3",
    before: Annotated[
        str | None,
        typer.Option(metavar="SNAPSHOT", help="How the tree was before the session; `witnessmark snapshot` takes it."),
    ] = None,
    seconds: Annotated[
        str, typer.Option(metavar="S", help="Most seconds it takes; then it lets through, unverified.")
    ] = "20",
) -> None:
    """Hold a coding agent that stops to its report: Claude Code's Stop and SubagentStop hook, on standard input.

    A report that says untrue things is blocked once, with the list of what is missing. Exit code 0, whatever happens.
    """
    if print_settings:
        typer.echo(json.dumps(settings(), indent=2))
        return
    say(_answer(state, max_blocks, seconds, before))
    # A thread that hangs must not keep the agent waiting for the interpreter to end.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _answer(state: str | None, max_blocks: str, seconds: str, before: str | None) -> HookReply:
    """The reply, whatever happens: beside the clock, in a thread whose fault is looked at and not raised.

    Numbers are read here and not by the command line, so that a wrong one is told in the same words as any other fault.
    """
    from witnessmark.cli.hook.memory import HookMemory
    from witnessmark.cli.hook.reply import broken, reply_to

    if not max_blocks.isdigit() or not seconds.isdigit():
        return broken(InputError("--max-blocks and --seconds: expected whole numbers"))
    project = os.environ.get("CLAUDE_PROJECT_DIR", "")
    memory = HookMemory(Path(state) if state else default_state())
    work = ThreadPoolExecutor(max_workers=1).submit(
        lambda: reply_to(sys.stdin.buffer.read(), memory, int(max_blocks), before, project)
    )
    try:
        fault = work.exception(timeout=int(seconds))
    except TimeoutError:
        return broken(TimeoutError(f"no answer within {seconds} s"))
    return broken(fault) if fault is not None else work.result()


def say(answer: HookReply) -> None:
    """JSON on standard output for Claude Code, one line on standard error for a person."""
    if answer.body is not None:
        typer.echo(json.dumps(answer.body, ensure_ascii=True))
    if answer.warning is not None:
        typer.echo(f"witnessmark: {answer.warning}", err=True)


def settings() -> dict[str, Any]:
    """The hooks of a Claude Code settings.json."""
    entry = [{"hooks": [{"type": "command", "command": COMMAND, "timeout": 30}]}]
    return {"hooks": {"Stop": entry, "SubagentStop": entry}}


def default_state() -> Path:
    """The user's state folder."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "witnessmark" / "hook"
