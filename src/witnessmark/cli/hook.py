"""`witnessmark hook AGENT`: a coding agent that is about to stop is held to its own report, once for the same thing.

Reads the agent's payload from standard input. Exit code 0 always: a block is said in JSON, as the agents document it; whatever
goes wrong in here lets the agent stop and says that its report is unverified. Needs nothing of the other commands, so that a stop
costs as little as it can.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from witnessmark.core.errors import InputError

if TYPE_CHECKING:
    from witnessmark.integrations.hook.agents import CodingAgent, HookReply

AGENT_NAMES = ("claude-code", "codex", "gemini", "cursor", "opencode", "copilot")


class _Parser(argparse.ArgumentParser):
    """Wrong usage lets through: exit code 2, which a command line has for it, means "block" to coding agents."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"wrong usage: {message}")


def _parser() -> _Parser:
    parser = _Parser(prog="witnessmark hook", description="Check a coding agent's report when it stops.")
    parser.add_argument("agent", choices=AGENT_NAMES, help="whose payload is on standard input")
    parser.add_argument("--print-settings", action="store_true", help="print what belongs in the agent's settings")
    parser.add_argument("--install", action="store_true", help="write the settings into this project")
    parser.add_argument("--state", metavar="FOLDER", help="where it remembers what it reported, and keeps snapshots")
    parser.add_argument("--max-blocks", metavar="N", default="3", help="maximum number of blocks in one session")
    parser.add_argument("--before", metavar="SNAPSHOT", help="snapshot of the tree from before the session")
    parser.add_argument(
        "--probes",
        metavar="FILE",
        help="settings file whose probes look at effects elsewhere; one that the agent cannot write",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        default="20",
        help="maximum seconds to take; after that the agent is let through, unverified",
    )
    parser.add_argument("payload", nargs="?", help=argparse.SUPPRESS)
    return parser


def run(arguments: Sequence[str]) -> None:
    """Answer one payload and end the process with exit code 0."""
    if any(word in ("-h", "--help") for word in arguments):
        sys.stdout.write(_parser().format_help())
        return
    from witnessmark.integrations.hook.agents import broken

    try:
        options = _parser().parse_args(list(arguments))
    except InputError as exc:
        say(broken(exc))
        return
    if options.print_settings or options.install:
        _settings(options)
        return
    try:
        answer = _answer(options)
    except ImportError as exc:  # a Python that lacks what this package needs
        answer = broken(exc)
    say(answer, options.agent)
    _keep_compiled(first=answer.begins)
    # A thread that hangs must not keep the agent waiting for the interpreter to end.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _keep_compiled(*, first: bool = False) -> None:
    """Leave the expressions that this stop compiled for the next one, once the agent has its answer.

    `first`: before any stop, what one compiles is compiled now, unless an earlier process has left it.
    """
    from witnessmark.text.patterns import keep_compiled

    sys.stdout.flush()
    if first:
        from witnessmark.integrations.hook.rehearsal import rehearse

        with contextlib.suppress(ImportError, OSError):
            rehearse()
    keep_compiled()


def _settings(options: argparse.Namespace) -> None:
    """Print what belongs into the agent's settings, or write it into the project."""
    from witnessmark.integrations.hook.agents import AGENTS, executable

    agent = AGENTS[options.agent]
    text = agent.settings(f"{executable()} hook {agent.name}")
    if not agent.tried:
        sys.stderr.write(f"witnessmark: written from {agent.name}'s documentation; not tried on a real session\n")
    if options.install:
        try:
            sys.stdout.write(f"{installed(agent, text, Path.cwd())}\n")
            _keep_compiled(first=True)
        except (InputError, OSError) as exc:
            sys.stderr.write(f"witnessmark: {exc}\n")
            raise SystemExit(1) from None
    else:
        sys.stdout.write(text + "\n")


def _answer(options: argparse.Namespace) -> HookReply:
    """The reply, whatever happens: beside the clock, in a thread whose fault is looked at and not raised."""
    from concurrent.futures import ThreadPoolExecutor

    from witnessmark.integrations.hook.agents import broken
    from witnessmark.integrations.hook.memory import HookMemory, default_state
    from witnessmark.integrations.hook.reply import reply_to

    if not options.max_blocks.isdigit() or not options.seconds.isdigit():
        return broken(InputError("--max-blocks and --seconds: expected whole numbers"))
    project = os.environ.get("CLAUDE_PROJECT_DIR", "") or os.environ.get("GEMINI_PROJECT_DIR", "")
    memory = HookMemory(Path(options.state) if options.state else default_state())

    def work() -> HookReply:
        given = options.payload.encode() if options.payload else sys.stdin.buffer.read(MAX_PAYLOAD)
        return reply_to(given, memory, int(options.max_blocks), options.before, project, probes=options.probes)

    reply = ThreadPoolExecutor(max_workers=1).submit(work)
    try:
        fault = reply.exception(timeout=int(options.seconds))
    except TimeoutError:
        return broken(TimeoutError(f"no answer within {options.seconds} s"))
    return broken(fault) if fault is not None else reply.result()


MAX_PAYLOAD = 16_000_000


def say(answer: HookReply, agent: str = "claude-code") -> None:
    """JSON on standard output in the agent's own words, one line on standard error for a person."""
    body = answer.body
    if body is not None and agent != "claude-code":
        from witnessmark.integrations.hook.agents import AGENTS

        told = AGENTS[agent]
        body = (
            told.block(body["reason"]) if body.get("decision") == "block" else told.note(body.get("systemMessage", ""))
        )
    if body is not None:
        sys.stdout.write(json.dumps(body, ensure_ascii=True) + "\n")
    if answer.warning is not None:
        sys.stderr.write(f"witnessmark: {answer.warning}\n")


def installed(agent: CodingAgent, text: str, root: Path) -> str:
    """Write the settings of an agent under a project and say where; what the file already holds is kept.

    Raises InputError where the file is there and cannot be read as JSON.
    """
    place = Path(agent.place).expanduser() if agent.place.startswith("~") else root / agent.place
    if place.suffix != ".json":
        made = text
    else:
        known = _known(place)
        try:
            merged = _merged(known, json.loads(text))
        except InputError as exc:
            raise InputError(f"{place}: {exc}") from None
        if merged == known:
            return f"{place}: already has it"
        made = json.dumps(merged, indent=2) + "\n"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(made, encoding="utf-8")
    return f"{place}: written"


def _known(place: Path) -> dict[str, Any]:
    if not place.exists():
        return {}
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise InputError(f"{place}: is not JSON ({exc}); fix it, or print the settings and add them yourself") from None
    if not isinstance(found, dict):
        raise InputError(f"{place}: should be a JSON object; print the settings and add them yourself")
    return found


def _merged(known: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Both, with lists put together; an entry that stands there already, with whatever path of the command, is not repeated.

    Raises InputError where something of another shape stands in the way.
    """
    made = dict(known)
    for key, value in more.items():
        old = made.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            made[key] = _merged(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            made[key] = old if any("witnessmark" in json.dumps(entry) for entry in old) else [*old, *value]
        elif old is None:
            made[key] = value
        elif isinstance(value, (dict, list)):
            raise InputError(f"{key}: holds something else than hooks; print the settings and add them yourself")
    return made
