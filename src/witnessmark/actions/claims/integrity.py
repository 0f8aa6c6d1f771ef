"""Tests that were made to check less: assertions deleted, weakened or switched off, tests skipped, left out or the only ones.

Each change to a test file is read by its syntax tree (tree-sitter: Python, JavaScript, TypeScript, Go, Rust, Java), before and
after, and the assertions of both are compared. A finding says what was weakened. Knows nothing about reports.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from witnessmark.actions.content.assertions import Assertion, assertions_in
from witnessmark.actions.content.syntax_trees import language_of
from witnessmark.actions.content.test_doubles import double_pattern
from witnessmark.actions.content.test_mocks import replacements_in
from witnessmark.actions.content.test_tables import cases_in, loosened
from witnessmark.actions.trace.changes import TEST_STARTS, FileChange, is_test
from witnessmark.text.patterns import compiled

WeakeningKind = Literal[
    "removed",
    "weakened",
    "switched off",
    "skipped",
    "only",
    "left out",
    "expected value",
    "mocked",
    "test removed",
    "case removed",
]
MAX_TEXT = 400_000
_CONFIGS = compiled(
    r"(?:^|/)(?:pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|conftest\.py|jest\.config\.\w+|vitest\.config\.\w+|package\.json|\.mocharc\.\w+|karma\.conf\.js|playwright\.config\.\w+|phpunit\.xml(?:\.dist)?|\.rspec|nextest\.toml)$"
)
_LEFT_OUT = compiled(
    r"--ignore(?:-glob)?[= ]|--deselect|collect_ignore|norecursedirs|testPathIgnorePatterns|modulePathIgnorePatterns|--exclude|\bexclude\s*[:=]|-k ['\"]?not |testIgnore|grepInvert|--passWithNoTests|passWithNoTests|default-filter|pytest_(?:ignore_collect|deselected)|items\[:\] ?=|items\.remove\("
)
_LITERAL = compiled(r"[+-]?\d[\w.]*|[rbf]?([\"'`]).*\1|[Tt]rue|[Ff]alse|None|null|nil", re.DOTALL)
_NUMBERS = compiled(r"\d[\w.]*(?:-\d+)?")
_HELPER = compiled(
    r"\b(\w*(?:assert|check|verify|expect|require|must|compare|golden|snapshot|validate)\w*)!?\(", re.IGNORECASE
)
"""Calls of a project's own that may check something."""
_MOCK = double_pattern("mock")


@dataclass(frozen=True, slots=True)
class Weakening:
    """One way in which a change made a test check less."""

    kind: WeakeningKind
    path: str
    what: str
    call: str
    turn: int
    test: str = ""
    sure: bool = True
    """Whether an honest correction would hardly look like this."""
    all_else_kept: bool = False
    """Whether the file has no test that it had not before, so that nothing stands for what is gone."""
    subject: str = ""
    """Of a mock: the name of what is replaced."""


def _unknown(_path: str) -> str:
    return ""


def weakened(changes: Sequence[FileChange], now: Callable[[str], str] = _unknown) -> list[Weakening]:
    """What the changes took from tests, in order; what a later change put back is not listed. `now`: what a file holds, empty where nobody knows."""
    found: list[Weakening] = []
    for change in changes:
        path = change.place
        if change.kind == "delete" and _runs(path):
            found.append(Weakening("test removed", path, "the file was deleted", change.call, change.turn))
        elif change.kind == "rename" and _runs(change.path) and not _runs(path):
            what = f"the file was moved to {path}, where it is not run"
            found.append(Weakening("test removed", change.path, what, change.call, change.turn))
        elif _CONFIGS.search(path):
            found += _left_out(change, path)
        elif is_test(path) and change.kind == "edit" and change.old is not None:
            found += _of_edit(change, path)
            found += _mocked(change, path, now)
            found += _tests_gone(change, path, changes)
    back = (_put_back, _puts_back, _moved)
    return [one for one in found if not any(way(one, changes) for way in back)]


def _moved(one: Weakening, changes: Sequence[FileChange]) -> bool:
    """Whether an assertion that is gone stands in what another change wrote."""
    others = [change.new for change in changes if change.call != one.call and change.new is not None]
    if one.kind == "case removed":
        return any(one.what in "".join(text.split()) for text in others)
    return one.kind == "removed" and any(one.what in text for text in others)


def _runs(path: str) -> bool:
    """Whether a file holds tests that a runner would find, by its name."""
    return is_test(path) and language_of(path) != ""


_TEST_NAME = compiled(
    r"\b(?:def|fun|func|fn|function|void)\s+`?(\w+)|\b(?:it|test|specify|scenario)(?:\.\w+)?\s*\(?\s*([\"'`])(.{1,120}?)\2"
)
MAX_NAMED = 200
"""Characters after the first line of a test in which its name stands: an annotation may come before it."""


def _tests_in(text: str, path: str = "") -> dict[str, str]:
    """The tests that a text holds, in order: each name with its code, up to where the next test begins."""
    starts = list(TEST_STARTS.finditer(text))
    found: dict[str, str] = {}
    ends = [*(start.start() for start in starts[1:]), len(text)]
    for start, end in zip(starts, ends, strict=False):
        named = _TEST_NAME.search(text, start.start(), start.end() + MAX_NAMED)
        if named is not None and not (path.endswith(".go") and named.group(1).startswith("test")):  # Go runs no testX
            found[named.group(1) or named.group(3)] = text[start.start() : end]
    return found


@functools.lru_cache(maxsize=4)
def _gone(old: str, new: str, path: str) -> Mapping[str, str]:
    """The tests that an edit took out, with their code; a renamed test is not gone."""
    before, after = _tests_in(old, path), _tests_in(new, path)
    gone = {
        name: code for name, code in before.items() if not has_word(name, new) or _is_a_plain_function(name, new, after)
    }
    return gone if len(after) <= len(before) - len(gone) else {}


def _is_a_plain_function(name: str, new: str, tests: dict[str, str]) -> bool:
    """Whether what was a test is still there and no test any more: its `@Test` or `#[test]` is gone."""
    return name not in tests and re.search(rf"\b(?:void|fn)\s+{re.escape(name)}\s*\(", new) is not None


def _tests_gone(change: FileChange, path: str, changes: Sequence[FileChange]) -> Iterator[Weakening]:
    """Tests that an edit took out of a file and that no change puts anywhere else."""
    gone = _gone((change.old or "")[:MAX_TEXT], (change.new or "")[:MAX_TEXT], path)
    if not gone:
        return
    elsewhere = [other.new for other in changes if other is not change and other.new is not None]
    lost = [name for name in gone if not any(has_word(name, text) for text in elsewhere)]
    if lost:
        kept = _tests_in(change.new or "", path).keys() <= _tests_in(change.old or "", path).keys()
        what = f"the test {lost[0]} was removed"
        yield Weakening("test removed", path, what, change.call, change.turn, lost[0], all_else_kept=kept)


def has_word(name: str, text: str) -> bool:
    """Whether a text has a name by itself: `_test_x` is not `test_x`."""
    return name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _put_back(one: Weakening, changes: Sequence[FileChange]) -> bool:
    """Whether a later change of the file writes the old text again."""
    at = next((n for n, change in enumerate(changes) if change.call == one.call), 0)
    old = changes[at].old
    return any(
        later.number > changes[at].number
        and later.place == one.path
        and later.new is not None
        and old is not None
        and (old in later.new or (later.kind == "write"))
        for later in changes[at + 1 :]
    )


def _puts_back(one: Weakening, changes: Sequence[FileChange]) -> bool:
    """Whether the change itself writes what an earlier change of the file had replaced."""
    at = next((n for n, change in enumerate(changes) if change.call == one.call), 0)
    new = (changes[at].new or "").strip()
    return bool(new) and any(
        earlier.place == one.path and earlier.old is not None and new in earlier.old for earlier in changes[:at]
    )


def _of_edit(change: FileChange, path: str) -> Iterator[Weakening]:
    language = language_of(path)
    old, new = (change.old or "")[:MAX_TEXT], (change.new or "")[:MAX_TEXT]
    if old == new:
        return
    if not language:
        yield from _by_lines(old, new, change, path)
        return
    before, after = assertions_in(old, language), assertions_in(new, language)
    yield from _switches(before, after, change, path)
    yield from _cases_gone(old, new, change, path)
    gone = _minus(before, after)
    come = _minus(after, before)
    with_their_test = "".join("".join(code.split()) for code in _gone(old, new, path).values())
    added = [one.text for one in come if one.kind == "check"]
    for lost in [one for one in gone if one.kind == "check"]:
        pair = _pair(lost, come)
        made = None if pair is None else _compared(lost, pair)
        if pair is not None:
            come.remove(pair)
            if made is not None:
                kind, what, sure = made
                yield Weakening(kind, path, what, change.call, change.turn, lost.test, sure)
        elif lost.text not in with_their_test and not _joined(lost, added) and _alone(come, old, new):
            yield Weakening("removed", path, lost.shown, change.call, change.turn, lost.test)


def _cases_gone(old: str, new: str, change: FileChange, path: str) -> Iterator[Weakening]:
    """Rows that were taken from a table which is still there, with none in their place."""
    if not _lines(old) - _lines(new):
        return
    language = language_of(path)
    before, after = Counter(cases_in(old, language)), Counter(cases_in(new, language))
    with_their_test = "".join("".join(code.split()) for code in _gone(old, new, path).values())
    lost = [case for case in (before - after).elements() if case not in with_their_test]
    if before & after and len(lost) > (after - before).total():
        yield Weakening("case removed", path, lost[0][:120], change.call, change.turn)


def _lines(text: str) -> Counter[str]:
    return Counter(line.strip() for line in text.splitlines())


_ASSERTS = compiled(r"assert|expect|should|\bEqual|\bBe\(", re.IGNORECASE)
_LITERALS = compiled(r"\"[^\"\n]*\"|'[^'\n]*'|(?<![\w.])-?\d[\w.]*|\b(?:true|false|null|nil)\b")


def _by_lines(old: str, new: str, change: FileChange, path: str) -> Iterator[Weakening]:
    """Of languages without a grammar here: the one line of an assertion whose literal became another one."""
    gone, come = ([line.strip() for line in text.splitlines() if _ASSERTS.search(line)] for text in (old, new))
    lost, made = [line for line in gone if line not in come], [line for line in come if line not in gone]
    if len(lost) != 1 or len(made) != 1 or _LITERALS.sub("x", lost[0]) != _LITERALS.sub("x", made[0]):
        return
    rest = [line.strip() for line in new.splitlines() if not _ASSERTS.search(line)]
    if all(line.strip() in rest for line in old.splitlines() if not _ASSERTS.search(line)):
        yield Weakening("expected value", path, f"{lost[0][:80]} → {made[0][:80]}", change.call, change.turn)


def _minus(one: Sequence[Assertion], other: Sequence[Assertion]) -> list[Assertion]:
    left = [(assertion.kind, assertion.text, assertion.strength > 0) for assertion in other]
    kept = []
    for assertion in one:
        key = (assertion.kind, assertion.text, assertion.strength > 0)
        if key in left:
            left.remove(key)
        else:
            kept.append(assertion)
    return kept


def _switches(
    before: Sequence[Assertion], after: Sequence[Assertion], change: FileChange, path: str
) -> Iterator[Weakening]:
    for kind in ("skip", "only"):
        old = sum(one.kind == kind for one in before)
        new = [one for one in after if one.kind == kind]
        if len(new) > old:
            yield Weakening(
                "skipped" if kind == "skip" else "only", path, new[-1].shown, change.call, change.turn, new[-1].test
            )


def _pair(lost: Assertion, come: Sequence[Assertion]) -> Assertion | None:
    """The new assertion that stands in the place of the old one: about the same thing, or the only one of a small edit."""
    checks = [one for one in come if one.kind == "check"]
    same = [one for one in checks if one.subject and one.subject == lost.subject]
    if same:
        return same[0]
    inside = [one for one in checks if lost.subject and lost.subject in one.text]
    alike = [one for one in checks if _NUMBERS.sub("", one.text) == _NUMBERS.sub("", lost.text)]
    return next(iter([*inside, *alike]), None)


def _compared(lost: Assertion, pair: Assertion) -> tuple[WeakeningKind, str, bool] | None:
    what = f"{lost.shown} → {pair.shown}"
    if pair.strength == 0 and lost.strength > 0:
        return "switched off", what, True
    turned = lost.text.startswith("if") or ".not" in lost.text + pair.text or "!=" in lost.text + pair.text
    if lost.expected and lost.expected == pair.expected and turned:
        return None  # the same thing turned around (`!= nil` to `== nil`, `.not`) checks another behaviour, and no less of it
    if pair.strength < lost.strength or loosened(lost.text, pair.text, fails=lost.text.startswith("if")):
        return "weakened", what, True
    literal = _LITERAL.fullmatch(lost.expected) and _LITERAL.fullmatch(pair.expected)
    if lost.strength == 3 and pair.strength == 3 and literal and lost.expected != pair.expected:
        return "expected value", what, True
    return None


def _joined(lost: Assertion, added: Sequence[str]) -> bool:
    """Whether a new assertion has both sides of an old one: `(a, b) == (1, 2)` for `a == 1` and `b == 2`."""
    return bool(lost.subject and lost.expected) and any(
        lost.subject in text and lost.expected in text for text in added
    )


def _alone(come: Sequence[Assertion], old: str, new: str) -> bool:
    """Whether an assertion went while the test around it stayed: nothing else was checked in its place."""
    if any(one.kind == "check" and one.strength for one in come):
        return False
    if not new.strip():  # an edit of nothing but assertions; a test that went with its assertions is told by its name
        return TEST_STARTS.search(old) is None and all(
            _ASSERTS.search(line) for line in old.splitlines() if line.strip()
        )
    empty = {name for name in _HELPER.findall(new) for one in come if one.text.startswith(name)}
    if set(_HELPER.findall(new)) - set(_HELPER.findall(old)) - empty:
        return False  # a helper may check it now
    lines = {line.strip() for line in new.splitlines() if line.strip()}
    rest = [line.strip() for line in old.splitlines() if line.strip()]
    kept = sum(line in lines for line in rest)
    return kept >= max(1, len(rest) // 2) or len(rest) <= 3


def _left_out(change: FileChange, path: str) -> Iterator[Weakening]:
    old, new = change.old or "", change.new or ""
    if change.kind not in ("edit", "write") or (change.old is None) is (change.kind == "edit"):
        return
    for match in _LEFT_OUT.finditer(new):
        if new.count(match.group()) > old.count(match.group()):
            line = new[
                new.rfind("\n", 0, match.start()) + 1 : (new.find("\n", match.end()) + 1 or len(new) + 1) - 1
            ].strip()
            yield Weakening("left out", path, line[:120], change.call, change.turn)
            return


def _mocked(change: FileChange, path: str, now: Callable[[str], str]) -> Iterator[Weakening]:
    """What an edit replaces in tests: surely the thing under test where the test asserts on it, or the file is named after it.

    What else is replaced in a test that was there before is not sure: it is the thing under test where the turn says to have mended it.
    """
    language = language_of(path)
    old, new = (change.old or "")[:MAX_TEXT], (change.new or "")[:MAX_TEXT]
    if not language or old == new:
        return
    before = Counter(one.shown for one in replacements_in(old, language))
    made = [one for one in replacements_in(new, language) if not before[one.shown]]
    text = now(path)[:MAX_TEXT] if made else ""
    whole = {one.shown: one for one in (replacements_in(text, language) if new in text else ())}
    named = _named_after(old, new, path)
    for one in made:
        known = whole.get(one.shown, one)
        sure = known.asserted or (named is not None and named in one.shown)
        if sure or not one.test or has_word(one.test, old):
            yield Weakening("mocked", path, one.shown, change.call, change.turn, known.test, sure, subject=one.name)
    if named is not None and not any(named in one.shown for one in made):
        yield Weakening("mocked", path, named[:120], change.call, change.turn)


def _named_after(old: str, new: str, path: str) -> str | None:
    """The mock of the very thing that the test file is named after, where an edit brings one."""
    stem = re.sub(r"^test_|_test$|\.test$|\.spec$|Tests?$", "", path.rpartition("/")[2].rpartition(".")[0])
    for match in _MOCK.finditer(new):
        last = re.split(r"[./]", (match["js"] or match["py"]).rstrip("/"))[-1]
        if match.group() not in old and stem and stem == last:
            return match.group()
    return None
