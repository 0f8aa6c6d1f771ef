"""Whether a report tells of what was done to a test: it names the test, its file, or the assertion, or speaks of such a change.

The name of what is tested, and of its file, says nothing of the test.
"""

from __future__ import annotations

import re

from witnessmark.actions.claims.integrity import Weakening
from witnessmark.actions.claims.wordings import says, source
from witnessmark.actions.report.layout import parts
from witnessmark.actions.report.lexicon import in_any_language
from witnessmark.actions.trace.changes import is_test
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

MAX_SCANNED = 400_000
SHORTEST = 4
"""So many letters a name has at least that cannot stand in a text by chance."""
FAR = 80
"""Characters before a word among which stands what denies it."""
_TEST_NAMES = compiled(r"\b(?:test_\w+|Test[A-Z]\w+|test[A-Z]\w+|\w+_test)\b")
_QUOTED_CHECK = compiled(r"`([^`\n]*(?:[=!<>]=|[<>]|\b(?:assert|expect|is\b|in\b))[^`\n]*)`")
"""An assertion in code, or what it compares."""
_NAME = compiled(r"`([\w.]{3,80})(?:\(\))?`")
_CALLED = compiled(r"(\w+)\s*\(")


def names_weakened(one: Weakening, report: str, view: TreeView | None) -> bool:
    """Whether a report names the file, the test or the assertion that was made weaker."""
    if one.kind == "removed" and any(quoted in one.what for quoted in (*_QUOTED_CHECK.findall(report), *_gone(report))):
        return True
    called = _CALLED.findall(one.what)
    tests = [one.test] if one.test else _tests_of(one.path, view)
    names = [test.lower() for test in tests if len(test) >= SHORTEST and test not in called]
    told = [part.lower() for part in parts(report) if not _only_ran(part)]
    return any(_names_file(part, one.path) or any(name in part for name in names) for part in told)


def _only_ran(part: str) -> bool:
    """Whether a sentence says how tests ran, and nothing of what was done to them."""
    return says("tests", "ended", part) and not says("tests", "edited", part)


def mended(one: Weakening, told: str) -> bool:
    """Whether a report says that what a test now replaces was mended."""
    name = re.compile(rf"`(?:[\w.]+\.)?{re.escape(one.subject)}(?:\([^`\n]*\))?`")
    lines = (line for line in parts(told) if name.search(line)) if one.kind == "mocked" and one.subject else ()
    return any(in_any_language("unsaid", "mended").search(line) for line in lines)


def _gone(report: str) -> list[str]:
    """The names in code that a report says are gone: nothing can be asserted of them any more."""
    told = (line for line in parts(report) if in_any_language("unsaid", "gone").search(line))
    return [name for line in told for name in _NAME.findall(line)]


def _names_file(told: str, path: str) -> bool:
    """Whether a text in small letters names a test file: `src/cart.js` names neither cart.test.js nor tests/cart.js, and `the cart tests` does."""
    own = is_test(path.rpartition("/")[2])
    above, _, name = path.lower().rpartition("/")
    stem, bare = name.rpartition(".")[0], re.escape(name.partition(".")[0])
    full = name if own else f"{above.rpartition('/')[2]}/{name}"
    if full in told or (own and len(stem) >= SHORTEST and re.search(rf"(?<![\w-]){re.escape(stem)}(?![\w-])", told)):
        return True
    if own and "." not in stem:
        return False
    by_words = rf"(?<![\w-]){bare}(?:\.\w+)?`? {source('tests', 'of_file')}"
    return re.search(by_words, told) is not None


def _tests_of(path: str, view: TreeView | None) -> list[str]:
    """The names of tests that a file has now: an edit of one line does not say in which it stands."""
    if view is None:
        return []
    return _TEST_NAMES.findall(view.content(path).content[:MAX_SCANNED].decode("utf-8", "replace"))


def speaks_of(one: Weakening, report: str) -> bool:
    """Whether a report admits such a thing without naming the file."""
    ways = (one.kind.replace(" ", "_"), "weakened", *(("wider",) if one.kind == "weakened" else ()))
    found = (match for way in ways for match in in_any_language("unsaid", way).finditer(report))
    return any(not _is_denied(report[: match.start()]) for match in found)


def _is_denied(before: str) -> bool:
    """Whether the words before one take it away: nothing was skipped."""
    return in_any_language("unsaid", "denied").search(before[-FAR:]) is not None
