"""What a test runner printed: how many passed, how many failed. pytest, unittest, jest, go test, cargo test, JUnit XML.

Read from the end, since a runner's summary comes last; patterns are linear and the text is bounded. Where a text holds no
summary, nothing is guessed. Knows nothing about claims.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

LAST = 200_000
"""Only the last so many characters of an output are read."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What the runner said. Errors count as failed; skipped tests neither passed nor failed."""

    passed: int
    failed: int
    runner: str


def read(text: str) -> Counts | None:
    """The counts in a runner's output, or None where there is no summary.

    >>> read("== 2 failed, 10 passed, 1 skipped in 0.41s ==")
    Counts(passed=10, failed=2, runner='pytest')
    """
    tail = _COLOUR.sub("", text[-LAST:])
    return next((found for look in _READERS if (found := look(tail)) is not None), None)


_COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}m")
_PYTEST = re.compile(r"^=*[ ]?((?:\d{1,9} [a-z]{4,11}(?:, )?)+) in [\d.:,() hms]{1,40}=*[ ]*$", re.MULTILINE)
_NOTHING_RAN = re.compile(r"^=*[ ]?no tests (?:ran|collected) in ", re.MULTILINE)
_PART = re.compile(r"(\d{1,9}) ([a-z]+)")


def _pytest(text: str) -> Counts | None:
    found = [
        match for match in _PYTEST.finditer(text) if re.search(r"passed|failed|error|skipped|deselected", match[1])
    ]
    if not found:
        return Counts(0, 0, "pytest") if _NOTHING_RAN.search(text) else None
    parts = {word: int(number) for number, word in _PART.findall(found[-1][1])}
    failed = sum(parts.get(word, 0) for word in ("failed", "error", "errors"))
    return Counts(parts.get("passed", 0), failed, "pytest")


_RAN = re.compile(r"^Ran (\d{1,9}) tests? in ", re.MULTILINE)
_UNITTEST_END = re.compile(r"^(OK|FAILED)(?: \(([^)\n]{1,200})\))?[ ]*$", re.MULTILINE)


def _unittest(text: str) -> Counts | None:
    ran = list(_RAN.finditer(text))
    ended = _UNITTEST_END.search(text, ran[-1].end()) if ran else None
    if ended is None:
        return None
    parts = dict(re.findall(r"([a-z ]+)=(\d{1,9})", ended[2] or ""))
    named = {key.strip(): int(value) for key, value in parts.items()}
    failed = named.get("failures", 0) + named.get("errors", 0) + named.get("unexpected successes", 0)
    aside = named.get("skipped", 0) + named.get("expected failures", 0)
    return Counts(max(0, int(ran[-1][1]) - failed - aside), max(failed, int(ended[1] == "FAILED")), "unittest")


_JEST = re.compile(r"^Tests:[ ]+([^\n]{1,200})$", re.MULTILINE)


def _jest(text: str) -> Counts | None:
    found = _JEST.findall(text)
    if not found:
        return None
    parts = {word: int(number) for number, word in _PART.findall(found[-1])}
    return Counts(parts.get("passed", 0), parts.get("failed", 0), "jest")


_GO_TEST = re.compile(r"^[ ]*--- (PASS|FAIL): (\S+)", re.MULTILINE)
_GO_PACKAGE = re.compile(r"^(ok|FAIL)[ ]*\t(\S+)", re.MULTILINE)


def _go(text: str) -> Counts | None:
    """Tests where -v or a failure names them, otherwise packages."""
    packages = _GO_PACKAGE.findall(text)
    tests = _GO_TEST.findall(text)
    if not packages and not tests:
        return None
    failed = sum(word == "FAIL" for word, _ in tests) or sum(word == "FAIL" for word, _ in packages)
    passed = sum(word == "PASS" for word, _ in tests) or sum(word == "ok" for word, _ in packages)
    return Counts(passed, failed, "go test")


_CARGO = re.compile(r"^test result: (ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed;", re.MULTILINE)


def _cargo(text: str) -> Counts | None:
    found = _CARGO.findall(text)
    if not found:
        return None
    return Counts(sum(int(passed) for _, passed, _ in found), sum(int(failed) for *_, failed in found), "cargo test")


_SUITE = re.compile(r"<testsuite\b([^>]{0,2000})>")
_ATTRIBUTE = re.compile(r'\b(tests|failures|errors|skipped|disabled)="(\d{1,9})"')


def _junit(text: str) -> Counts | None:
    """The sums of all suites. By pattern, not by an XML parser: the text is not ours."""
    suites = [dict(_ATTRIBUTE.findall(attributes)) for attributes in _SUITE.findall(text)]
    suites = [suite for suite in suites if "tests" in suite]
    if not suites:
        return None
    sums = {
        name: sum(int(suite.get(name, 0)) for suite in suites)
        for name in ("tests", "failures", "errors", "skipped", "disabled")
    }
    failed = sums["failures"] + sums["errors"]
    return Counts(max(0, sums["tests"] - failed - sums["skipped"] - sums["disabled"]), failed, "JUnit")


_READERS: tuple[Callable[[str], Counts | None], ...] = (_junit, _cargo, _jest, _unittest, _pytest, _go)
