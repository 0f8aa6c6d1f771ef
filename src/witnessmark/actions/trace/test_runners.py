"""What a test runner printed, as counts: pytest, unittest, jest and vitest, go test, cargo test, and others' summary lines; JUnit XML.

Reads output, never runs anything. Text that no runner known here printed gives None, never zero tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from witnessmark.core.values import Count, Value

MAX_OUTPUT = 2_000_000
Runner = Literal["pytest", "unittest", "jest", "vitest", "go", "cargo", "junit", "rspec", "mocha", "other"]


class RunnerCounts(Value, frozen=True):
    """The counts a runner printed; None where it does not print that number."""

    runner: Runner
    passed: Count | None = None
    failed: Count | None = None
    skipped: Count | None = None
    errors: Count | None = None

    @property
    def failed_only(self) -> bool:
        """Whether it speaks of nothing that passed."""
        return self.passed is None and bool(self.failed or self.errors)

    def __str__(self) -> str:
        """As people say it: 11 passed, 1 failed (pytest)."""
        parts = [
            (self.passed, "passed"),
            (self.failed, "failed"),
            (self.errors or None, "errors"),
            (self.skipped or None, "skipped"),
        ]
        told = ", ".join(f"{number} {word}" for number, word in parts if number is not None)
        return f"{told or 'no counts'} ({self.runner})"

    @property
    def bad(self) -> int:
        """Tests that failed or could not run."""
        return (self.failed or 0) + (self.errors or 0)


def counts_of(output: str) -> RunnerCounts | None:
    """The counts in a runner's output: of the last summary where a run printed several of one kind."""
    text = _ANSI.sub("", output[-MAX_OUTPUT:])
    for read in _READERS:
        found = read(text)
        if found is not None:
            return found
    return None


_ANSI = re.compile(r"\x1b\[[0-9;]{0,12}[A-Za-z]")
_PYTEST = re.compile(
    r"^(?:=+ )?((?:\d{1,9} (?:passed|failed|skipped|errors?|xfailed|xpassed|deselected|warnings?|rerun|subtests passed)(?:, )?)+) in [\d.]{1,20} ?s\b.*$|^(?:=+ )?(no tests (?:ran|collected)) in [\d.]{1,20} ?s",
    re.MULTILINE,
)
_PAIR = re.compile(r"(\d{1,9}) (passed|failed|skipped|errors?|xfailed|xpassed)")


def _pytest(text: str) -> RunnerCounts | None:
    last = None
    for last in _PYTEST.finditer(text):  # noqa: B007 - the last one is wanted
        pass
    if last is None:
        return None
    if last.group(2):
        return RunnerCounts("pytest", passed=0, failed=0)
    found = {
        word.removesuffix("s") if word.startswith("error") else word: int(number)
        for number, word in _PAIR.findall(last.group(1))
    }
    return RunnerCounts(
        "pytest",
        passed=found.get("passed", 0) + found.get("xpassed", 0),
        failed=found.get("failed", 0),
        skipped=found.get("skipped", 0) + found.get("xfailed", 0),
        errors=found.get("error", 0),
    )


_UNITTEST = re.compile(
    r"^Ran (\d{1,9}) tests? in [\d.]{1,20}s\s{1,8}^(OK|FAILED|NO TESTS RAN)(?: \(([^)\n]{0,200})\))?", re.MULTILINE
)


def _unittest(text: str) -> RunnerCounts | None:
    matches = list(_UNITTEST.finditer(text))
    if not matches:
        return None
    total, word, notes = matches[-1].groups()
    kinds = {key.strip(): int(value) for key, value in re.findall(r"([a-z ]{1,40})=(\d{1,9})", notes or "")}
    failed = kinds.get("failures", 0) + kinds.get("unexpected successes", 0)
    errors, skipped = kinds.get("errors", 0), kinds.get("skipped", 0) + kinds.get("expected failures", 0)
    if word == "FAILED" and not failed + errors:
        failed = 1  # it says that it failed, and not how often
    return RunnerCounts(
        "unittest", passed=max(int(total) - failed - errors - skipped, 0), failed=failed, skipped=skipped, errors=errors
    )


_JEST = re.compile(
    r"^[ \t]{0,40}Tests:?[ \t]{1,40}((?:\d{1,9} (?:passed|failed|skipped|todo|pending|total)[,| ]{0,4})+)", re.MULTILINE
)


def _jest(text: str) -> RunnerCounts | None:
    """Jest says `Tests:`, vitest says `Tests`; suites and files are other lines."""
    matches = list(_JEST.finditer(text))
    if not matches:
        return None
    found = {word: int(number) for number, word in re.findall(r"(\d{1,9}) (\w+)", matches[-1].group(1))}
    runner: Runner = "jest" if "total" in found else "vitest"
    skipped = found.get("skipped", 0) + found.get("todo", 0) + found.get("pending", 0)
    return RunnerCounts(runner, passed=found.get("passed", 0), failed=found.get("failed", 0), skipped=skipped, errors=0)


_CARGO = re.compile(
    r"^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed;(?: (\d{1,9}) ignored;)?", re.MULTILINE
)


def _cargo(text: str) -> RunnerCounts | None:
    """Every test binary prints its own line; they are added up."""
    rows = [tuple(int(group or 0) for group in match.groups()) for match in _CARGO.finditer(text)]
    if not rows:
        return None
    passed, failed, ignored = (sum(column) for column in zip(*rows, strict=True))
    return RunnerCounts("cargo", passed=passed, failed=failed, skipped=ignored, errors=0)


_GO = re.compile(r"^[ \t]{0,40}--- (PASS|FAIL|SKIP): (\S+) \(", re.MULTILINE)
_GO_PACKAGE = re.compile(
    r"^[ ]{0,8}(ok|FAIL|---)[ \t]{1,8}(\S{1,500})[ \t]{1,8}(?:[\d.]{1,20}s|\(cached\)|\[)", re.MULTILINE
)
_GO_JSON = re.compile(r'^\{[^\n]{0,400}"Action":"(pass|fail|skip)"[^\n]{0,400}"Test":"([^"\n]+)"', re.MULTILINE)


def _go(text: str) -> RunnerCounts | None:
    """Go test counts only with -v or -json; without, it says ok or FAIL for each package, and there are no counts."""
    rows = _GO.findall(text) or _GO_JSON.findall(text)
    if rows:
        said = [word.lower() for word, _ in rows]
        return RunnerCounts(
            "go", passed=said.count("pass"), failed=said.count("fail"), skipped=said.count("skip"), errors=0
        )
    packages = [word for word, name in _GO_PACKAGE.findall(text) if "/" in name or "." in name]
    if not packages:
        return None
    return RunnerCounts("go") if "FAIL" not in packages else RunnerCounts("go", failed=packages.count("FAIL"))


_SUITE = re.compile(r"<testsuites?\b([^<>]{0,2000})>")
_ATTRIBUTE = re.compile(r'\b(tests|failures|errors|skipped|disabled)="(\d{1,9})"')


def _junit(text: str) -> RunnerCounts | None:
    """The root's own sums where it has them, otherwise the sums of its suites; read by pattern, so no entity is resolved."""
    if "<testsuite" not in text:
        return None
    rows = [dict(_ATTRIBUTE.findall(match.group(1))) for match in _SUITE.finditer(text)]
    rows = [row for row in rows if "tests" in row]
    if not rows:
        return None
    rooted = re.search(r"<testsuites\b[^<>]{0,2000}\btests=", text) is not None
    sums = {
        key: sum(int(row.get(key, 0)) for row in (rows[:1] if rooted else rows))
        for key in ("tests", "failures", "errors", "skipped", "disabled")
    }
    skipped = sums["skipped"] + sums["disabled"]
    passed = max(sums["tests"] - sums["failures"] - sums["errors"] - skipped, 0)
    return RunnerCounts("junit", passed=passed, failed=sums["failures"], skipped=skipped, errors=sums["errors"])


_RSPEC = re.compile(
    r"^(\d{1,9}) (?:examples?|runs?|tests?), (?:\d{1,9} assertions, )?(\d{1,9}) failures?(?:, (\d{1,9}) errors?)?(?:, (\d{1,9}) (?:pending|skips))?",
    re.MULTILINE,
)
_MOCHA = re.compile(
    r"^[ \t]{0,40}(\d{1,9}) passing\b[^\n]*$(?:\s{1,8}^[ \t]{0,40}(\d{1,9}) pending\b[^\n]*$)?(?:\s{1,8}^[ \t]{0,40}(\d{1,9}) failing\b)?",
    re.MULTILINE,
)


def _rspec(text: str) -> RunnerCounts | None:
    matches = list(_RSPEC.finditer(text))
    if not matches:
        return None
    total, failed, errors, skipped = (int(group or 0) for group in matches[-1].groups())
    return RunnerCounts(
        "rspec", passed=max(total - failed - errors - skipped, 0), failed=failed, skipped=skipped, errors=errors
    )


def _mocha(text: str) -> RunnerCounts | None:
    matches = list(_MOCHA.finditer(text))
    if not matches:
        return None
    passed, skipped, failed = (int(group or 0) for group in matches[-1].groups())
    return RunnerCounts("mocha", passed=passed, failed=failed, skipped=skipped, errors=0)


_GTEST = re.compile(r"^\[  (PASSED|FAILED)  \] (\d+) tests?\b", re.MULTILINE)


def _gtest(text: str) -> RunnerCounts | None:
    """GoogleTest prints the failed ones only where there are any."""
    found = {word: int(number) for word, number in _GTEST.findall(text)}
    if not found:
        return None
    return RunnerCounts("other", passed=found.get("PASSED", 0), failed=found.get("FAILED", 0), errors=0)


_READERS: tuple[Callable[[str], RunnerCounts | None], ...] = (
    _pytest,
    _unittest,
    _jest,
    _cargo,
    _junit,
    _go,
    _rspec,
    _mocha,
    _gtest,
)


def known_runners() -> Iterator[str]:
    """The runners whose output is understood."""
    return (read.__name__.removeprefix("_") for read in _READERS)
