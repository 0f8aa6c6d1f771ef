"""Which tests a run left out, and which calls may have run something out of sight."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from witnessmark.actions.trace.activities import Activity, activity_of, called, listed
from witnessmark.actions.trace.calls import ToolCall, command_of, is_command, output_of, tool
from witnessmark.actions.trace.changes import TEST_STARTS, is_test
from witnessmark.actions.trace.ledger import CheckRun, Ledger, OpaqueWork
from witnessmark.actions.trace.parts import before_parts
from witnessmark.actions.trace.shell import commands_of
from witnessmark.text.files import CODE
from witnessmark.text.patterns import compiled

MAX_ENTRIES = 20_000
MAX_TEXT = 200_000
_NOT_OURS = frozenset({"node_modules", "vendor", "dist", "build", "target", "venv", "__pycache__", "site-packages"})

_PICKS = compiled(
    r"-k|-m|--deselect(?:=.*)?|--ignore(?:-glob)?(?:=.*)?|-run(?:=.*)?|--run(?:=.*)?|-skip(?:=.*)?|-t|--testNamePattern(?:=.*)?|--test-name-pattern(?:=.*)?|--grep(?:=.*)?|-g|--tests(?:=.*)?|"
    r"-Dtest(?:=.*)|--filter(?:=.*)?|--only|--spec(?:=.*)?|--lf|--last-failed|-e|--exact|--name(?:=.*)?|--plain-name|-only-testing.*|--test_filter(?:=.*)?|--focus(?:=.*)?|--example(?:=.*)?|-run=.*"
)
_FILE = compiled(
    r"(?=.*\Z).*(?:::\w.*|\.(?:py|js|jsx|ts|tsx|mjs|cjs|rb|php|go|rs|java|kt|exs?|dart|swift|bats|lua)(?::\d+)?)"
)
"""A word of one line that names a file of tests, or a test in one. That it is one line is asked first, and not again at each `::`."""
_DOTTED = compiled(r"(?:[a-z_]\w*\.)+[A-Z]\w*(?:\.\w+)?")
"""`tests.test_a.SignTest.test_zero`: a class of tests, or one of its tests."""
_OPTIONS_WITH_VALUE = frozenset(
    {"-p", "-c", "-n", "-o", "--config", "-r", "--require", "--preload", "--tags", "-tags", "-coverprofile", "-timeout"}
)


def narrowed(run: CheckRun) -> str:
    """The words that picked tests in a run; empty where it ran what there was."""
    found = [_picked(activity.words) for activity in run.activities if "test" in activity.roles or not activity.roles]
    return found[0] if found and all(found) else ""


def _picked(words: tuple[str, ...]) -> str:
    program = words[0] if words else ""
    for number, word in enumerate(words[1:], 1):
        if word.partition("=")[0] in before_parts(words):
            continue
        if _PICKS.fullmatch(word) and not (program in ("node", "npm") and word == "-e"):
            value = words[number + 1] if number + 1 < len(words) and "=" not in word else ""
            return f"{word} {value}".strip()
        if _DOTTED.fullmatch(word) and words[number - 1] not in _OPTIONS_WITH_VALUE:
            return f"- {word}"
        if _FILE.fullmatch(word) and words[number - 1] not in _OPTIONS_WITH_VALUE and number > 1 - (program != "go"):
            return word
    return ""


def left_out(runs: Iterable[CheckRun], root: str) -> str:
    """A file of tests in the tree that none of these runs picked; empty where there is none, or the runs may have gone over folders."""
    named = [word for run in runs for activity in run.activities for word in activity.words[1:]]
    names = {re.sub(r":.*", "", word).rpartition("/")[2] for word in named if _FILE.fullmatch(word)}
    if not names or not root:
        return ""
    return next((path for path in test_files(root) if path.rpartition("/")[2] not in names), "")


def left_unpicked(runs: Iterable[CheckRun], ledger: Ledger) -> str:
    """A file of tests that a listing of the session has, that is still there, and that none of these runs picked."""
    named = [word for run in runs for activity in run.activities for word in activity.words[1:]]
    names = {re.sub(r":.*", "", word).rpartition("/")[2] for word in named if _FILE.fullmatch(word)}
    gone = {change.path for change in ledger.changes if change.kind in ("delete", "rename")}
    shown = (path for call in ledger.calls if _lists(call) for path in output_of(call).split())
    tests = (path for path in shown if path.rpartition(".")[2] in CODE and is_test(path) and path not in gone)
    return next((path for path in tests if names and path.rpartition("/")[2] not in names and _NOT_OURS.isdisjoint(path.split("/"))), "")  # fmt: skip


def _lists(call: ToolCall) -> bool:
    """Whether a call prints the names of files that are there, and nothing else."""
    lines = commands_of(command_of(call)) if is_command(call) else ()
    return tool(call) == "glob" or (bool(lines) and all(_names_files(line.words) for line in lines))


def _names_files(words: tuple[str, ...]) -> bool:
    return words[:1] in (("ls",), ("find",), ("fd",), ("cd",)) or words[:2] == ("git", "ls-files")


def test_files(root: str) -> Iterator[str]:
    """The files below a folder, named from there, that hold tests, by their names and their text; none where no folder is known."""
    seen = 0
    for folder, folders, files in os.walk(root) if root else ():
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _NOT_OURS]
        seen += len(files)
        if seen > MAX_ENTRIES:
            return
        for name in files:
            path = Path(folder, name)
            inner = path.relative_to(root).as_posix()
            if name.rpartition(".")[2] in CODE and is_test(inner) and _has_tests(path):
                yield inner


def _has_tests(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return TEST_STARTS.search(file.read(MAX_TEXT)) is not None
    except (OSError, UnicodeDecodeError):
        return False


MAX_SCRIPT = 200_000
_INLINE = frozenset({"-c", "-e", "--eval", "-p", "-"})
_INTERPRETERS = compiled(r"(?:python|pypy)[\d.]*|node|ruby|perl|php|bash|sh|zsh|deno|bun|tsx|ts-node")
_TASKS = {"make": "Makefile", "gmake": "Makefile", "just": "justfile", "npm": "package.json", "pnpm": "package.json", "yarn": "package.json", "bun": "package.json"}  # fmt: skip


def may_hide(ledger: Ledger, names: Iterable[str], root: str = "", after: int = -1, *, bare: bool = True) -> OpaqueWork | None:  # fmt: skip
    """The first work after a place that may have run one of these tools unseen; `root` is the tree whose scripts may be read.

    `bare`: whether a program that nobody here knows may have, too. Where a tool was not found, only what names it or is a script may.
    """
    wanted = frozenset(names)
    return next((work for work in ledger.opaque if work.number > after and _may_have_run(work, wanted, root, bare)), None)  # fmt: skip


def not_found(ledger: Ledger, tools: Collection[str], root: str = "") -> bool:
    """Whether each call of one of these tools found it missing, and nothing since may have run it in another way."""
    mine = [run for run in ledger.checks if any(one.program in tools for one in run.activities)]
    missing = bool(mine) and all(run.outcome == "not_run" for run in mine)
    return missing and may_hide(ledger, tools, root, mine[-1].number, bare=False) is None


def tasks_name(ledger: Ledger, names: Collection[str], root: str) -> bool:
    """Whether a task or script of the project that was run may have run one of these tools: it has the name, or cannot be read."""
    for run in ledger.checks:
        for activity in run.activities:
            if activity.program in listed("gatherers"):
                return True
            if not activity.target or activity.program == "git":
                continue
            text = _script(_TASKS.get(activity.program, activity.target), root)
            if text is None or any(_has(name, text) for name in names):
                return True
    return False


def _has(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def _may_have_run(work: OpaqueWork, names: frozenset[str], root: str, bare: bool) -> bool:
    if work.kind == "tool":
        return work.testlike or work.writes
    if work.kind != "command":
        return True
    parts = commands_of(command_of(work.call))
    strange = [(activity_of(part.words), part.fed) for part in parts]
    unknown = [(activity, fed) for activity, fed in strange if not activity.roles]
    if not unknown:
        return True  # the hooks of a commit
    return any(_names_it(activity, fed, names, root, bare) for activity, fed in unknown)


def _names_it(activity: Activity, fed: str, names: frozenset[str], root: str, bare: bool) -> bool:
    words = activity.words
    if not bare and not names.isdisjoint(words[1:]):
        return True
    if activity.program in listed("elsewhere") or activity.program in names:
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
    elif "/" not in words[0] and not bare:
        text = " ".join(words)
    else:
        text = _script(words[0], root) if "/" in words[0] else None
    if text is None:
        return True
    return any(_has(name, text) for name in names) or bool(called("calls_others").search(text))


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
