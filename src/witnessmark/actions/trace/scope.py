"""Whether a test run covered everything it could, or only what somebody picked. By the words of its command, and the tests in the tree."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from witnessmark.actions.trace.changes import CODE, TEST_STARTS, is_test
from witnessmark.actions.trace.ledger import CheckRun
from witnessmark.text.patterns import compiled

MAX_ENTRIES = 20_000
MAX_TEXT = 200_000
_NOT_OURS = frozenset({"node_modules", "vendor", "dist", "build", "target", "venv", "__pycache__", "site-packages"})

_PICKS = compiled(
    r"-k|-m|--deselect(?:=.*)?|--ignore(?:-glob)?(?:=.*)?|-run(?:=.*)?|--run(?:=.*)?|-skip(?:=.*)?|-t|--testNamePattern(?:=.*)?|--test-name-pattern(?:=.*)?|--grep(?:=.*)?|-g|--tests(?:=.*)?|"
    r"-Dtest(?:=.*)|--filter(?:=.*)?|--only|--spec(?:=.*)?|--lf|--last-failed|-e|--exact|--name(?:=.*)?|--plain-name|-only-testing.*|--test_filter(?:=.*)?|--focus(?:=.*)?|--example(?:=.*)?|-run=.*"
)
_FILE = compiled(r".*(?:::\w.*|\.(?:py|js|jsx|ts|tsx|mjs|cjs|rb|php|go|rs|java|kt|exs?|dart|swift|bats|lua)(?::\d+)?)$")
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
    return next((path for path in _test_files(root) if path.rpartition("/")[2] not in names), "")


def _test_files(root: str) -> Iterator[str]:
    """The files below a folder that hold tests, by their names and their text."""
    seen = 0
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _NOT_OURS]
        seen += len(files)
        if seen > MAX_ENTRIES:
            return
        for name in files:
            path = Path(folder, name)
            if name.rpartition(".")[2] in CODE and is_test(path.relative_to(root).as_posix()) and _has_tests(path):
                yield path.as_posix()


def _has_tests(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return TEST_STARTS.search(file.read(MAX_TEXT)) is not None
    except (OSError, UnicodeDecodeError):
        return False
