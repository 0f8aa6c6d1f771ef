"""Whether a call of which nobody can say what it did may have run a certain tool: by its program, by its code, by the script in the tree.

A program that is known for something else did not; code that stands in the command says what it runs; a script that can be read and
does not name the tool did not call it. Everything else may have. Knows nothing about claims.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from witnessmark.actions.trace.activities import DATA, Activity, activity_of
from witnessmark.actions.trace.calls import command_of
from witnessmark.actions.trace.ledger import Ledger, OpaqueWork
from witnessmark.actions.trace.shell import commands_of
from witnessmark.text.patterns import compiled

MAX_SCRIPT = 200_000
_INLINE = frozenset({"-c", "-e", "--eval", "-p", "-"})
_INTERPRETERS = compiled(r"(?:python|pypy)[\d.]*|node|ruby|perl|php|bash|sh|zsh|deno|bun|tsx|ts-node")
_CALLS_OTHERS = compiled(
    r"\b(?:subprocess|os\.system|popen|spawn|exec\w*|child_process|shell_exec|npm|pnpm|yarn|make|just|task|tox|nox|rake|gradle|mvn|pre-commit)\b|\$\(|(?:^|[\s;&|])(?:\./|source |bash |sh )",
    re.IGNORECASE | re.MULTILINE,
)
"""Signs that code runs something else, of which it may not have the name."""
_TASKS = {"make": "Makefile", "gmake": "Makefile", "just": "justfile", "npm": "package.json", "pnpm": "package.json", "yarn": "package.json", "bun": "package.json"}  # fmt: skip


@functools.cache
def _other_programs() -> frozenset[str]:
    """Programs that are known for something else than checks, though what they did cannot be told."""
    return frozenset(tomllib.loads(DATA.read_text(encoding="utf-8"))["elsewhere"]["programs"].split())


def may_hide(ledger: Ledger, names: Iterable[str], root: str = "", after: int = -1) -> OpaqueWork | None:
    """The first work after a place that may have run one of these tools unseen; `root` is the tree whose scripts may be read."""
    wanted = frozenset(names)
    return next((work for work in ledger.opaque if work.number > after and _may_have_run(work, wanted, root)), None)


def _may_have_run(work: OpaqueWork, names: frozenset[str], root: str) -> bool:
    if work.kind == "tool":
        return work.testlike or work.writes
    if work.kind != "command":
        return True
    parts = commands_of(command_of(work.call))
    strange = [(activity_of(part.words), part.fed) for part in parts]
    unknown = [(activity, fed) for activity, fed in strange if not activity.roles]
    if not unknown:
        return True  # the hooks of a commit
    return any(_names_it(activity, fed, names, root) for activity, fed in unknown)


def _names_it(activity: Activity, fed: str, names: frozenset[str], root: str) -> bool:
    words = activity.words
    if activity.program in _other_programs() or activity.program in names:
        return False  # as itself it is in the trace, and was looked at there
    text: str | None
    if _INTERPRETERS.fullmatch(activity.program):
        inline = any(word in _INLINE for word in words[1:]) or bool(fed)
        script = next((word for word in words[1:] if not word.startswith("-")), "")
        text = "\n".join((*words[1:], fed)) if inline else _script(script, root)
        if not inline and "-n" in words[1:3]:
            return False  # only looks whether it can be read
    elif activity.program in _TASKS:
        text = _script(_TASKS[activity.program], root)
    else:
        text = _script(words[0], root) if "/" in words[0] else None
    if text is None:
        return True
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in names) or bool(
        _CALLS_OTHERS.search(text)
    )


def _script(name: str, root: str) -> str | None:
    """The text of a script of the tree; None where it cannot be read as text."""
    if not name or not root:
        return None
    place = Path(root, name)
    try:
        if not place.is_file() or place.stat().st_size > MAX_SCRIPT or not place.resolve().is_relative_to(Path(root).resolve()):  # fmt: skip
            return None
        return place.read_text("utf-8")
    except (OSError, UnicodeDecodeError, ValueError):
        return None
