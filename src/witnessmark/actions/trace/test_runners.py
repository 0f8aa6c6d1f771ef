"""What a test runner printed, as counts. The runners' summaries are data (`runners.toml`); go, JUnit XML and TAP are read here.

Reads output, never runs anything. Text that no runner known here printed gives None, never zero tests.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from witnessmark.core.patterns import word_finder
from witnessmark.core.values import Count, Value
from witnessmark.text.patterns import compiled, table_in

MAX_OUTPUT = 2_000_000
DATA = Path(__file__).with_name("runners.toml")


class RunnerCounts(Value, frozen=True):
    """The counts a runner printed; None where it does not print that number."""

    runner: str
    passed: Count | None = None
    failed: Count | None = None
    skipped: Count | None = None
    errors: Count | None = None
    top: Count | None = None
    """Of go: how many passed that are no subtests, which people count as well as all of them."""
    issues: bool = False
    """Whether what is counted as failed are issues, of which one test may have several: then it is the most that failed."""

    @property
    def least(self) -> int:
        """How many tests failed at least."""
        return min(self.bad, 1) if self.issues else self.bad

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
    return next(all_counts(output), None)


def all_counts(output: str, *, each: bool = False) -> Iterator[RunnerCounts]:
    """The counts of every runner whose summary is in an output, in the order of the table; `each`: of every summary that it printed."""
    text = plain(output)
    if not _DIGIT_OR_GO.search(text) or not _SPEAKS.search(text):
        return
    for runner in _mentioned(text):
        rows = [found for found in (runner.read(text),) if found is not None]
        if rows:
            yield from runner.each(text) if each and not runner.sums else rows
            if not runner.beside:
                break
    for read in (_junit, _go, _tap):
        found = read(text)
        if found is not None:
            yield found


def passed_readings(output: str) -> tuple[set[int], int | None]:
    """The ways to add up how many passed over the summaries in an output (of packages, workspaces, one runner after another), and how many failed.

    All of them, all of one runner, and the last of each runner; nothing where a summary leaves one of the numbers out.
    """
    text, taken = plain(output), list[tuple[int, int]]()
    runners: list[list[RunnerCounts]] = []
    for runner in _mentioned(text):
        matches = runner.matches(text)
        mine = [match for match in matches if all(match.end() <= start or match.start() >= end for start, end in taken)]
        taken += [match.span() for match in mine]
        runners.append([runner.counts([match]) for match in mine])
    runners = [found for found in (*runners, [counts for counts in (_go(text),) if counts]) if found]
    every = [counts for found in runners for counts in found]
    if any(counts.passed is None for counts in every):
        return set(), None
    ways = [every, [found[-1] for found in runners], *runners]
    return {sum(counts.passed or 0 for counts in way) for way in ways}, sum(counts.bad for counts in every)


def plain(output: str) -> str:
    """An output's end without colours and without the name of the package that a monorepo tool puts before each line."""
    text = output[-MAX_OUTPUT:]
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    return _PREFIX.sub("", text) if ":test" in text or "test:" in text else text


_ANSI = compiled(r"\x1b\[[0-9;]{0,12}[A-Za-z]")
_PREFIX = compiled(r"^(?:@?[\w./-]{1,60}:test[\w:-]{0,20}|[\w./-]{1,60} test):[ ]", re.MULTILINE)
_SPEAKS = compiled(
    r"[Pp]ass|[Ff]ail|ok|[Tt]est|[Ss]pec|example|[Ss]ucce|error|assert|scenario|skipped|deselected|PASS|FAIL|OK|SUCCE|[✓✔√✗✘]"
)
"""Every summary has one of these."""
_DIGIT_OR_GO = compiled(r"\d|\bok\b|FAIL")
_WORDS = {
    "passed": "passed", "xpassed": "passed", "succeeded": "passed", "failed": "failed", "failures": "failed", "failure": "failed",
    "unexpected successes": "failed", "timed out": "failed", "skipped": "skipped", "xfailed": "skipped", "todo": "skipped",
    "pending": "skipped", "expected failures": "skipped", "incomplete": "skipped", "risky": "", "errors": "errors", "error": "errors",
    "test": "total", "tests": "total", "doctest": "total", "doctests": "total", "property": "total", "properties": "total",
}  # fmt: skip
_PAIR = compiled(r"(\d{1,9}) (timed out|[a-z]+)|([A-Za-z][A-Za-z ]{2,30}?)(?:=|: )(\d{1,9})")
_FIELDS = ("passed", "failed", "errors", "skipped", "total")


class _Runner:
    """One runner of the table."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.name: str = row["name"]
        self.has: tuple[str, ...] = tuple(row["has"])
        self.row = row
        self.sums = row.get("each") == "sum"
        self.beside = row.get("beside", False)
        self.silent = row.get("silent", [])

    @functools.cached_property
    def pattern(self) -> re.Pattern[str]:
        """Its summary."""
        return compiled(self.row["pattern"], re.MULTILINE)

    @functools.cached_property
    def none(self) -> re.Pattern[str] | None:
        """How it says that there was no test at all."""
        return compiled(self.row["none"], re.MULTILINE) if "none" in self.row else None

    def matches(self, text: str) -> list[re.Match[str]]:
        """Its summaries in a text, in order."""
        return list(self.pattern.finditer(text))

    def each(self, text: str) -> Iterator[RunnerCounts]:
        """The counts of each of its summaries in a text, in order."""
        return (self.counts([match]) for match in self.matches(text))

    def read(self, text: str) -> RunnerCounts | None:
        """The counts in a text: of the last summary, or of all of them where each package prints its own."""
        matches = self.matches(text)
        if matches:
            return self.counts(matches if self.sums else matches[-1:])
        empty = self.none is not None and self.none.search(text)
        return RunnerCounts(self.name, passed=0, failed=0) if empty else None

    def counts(self, matches: list[re.Match[str]]) -> RunnerCounts:
        """The counts of summaries that belong together."""
        rows = [_numbers(match) for match in matches]
        names = {name for row in rows for name in row} | set(self.silent)
        counts = {name: sum(row.get(name, 0) for row in rows) for name in _FIELDS if name in names}
        bad = any(match.groupdict().get("bad") for match in matches)
        issues = sum(int(match.groupdict().get("issues") or 0) for match in matches)
        if bad and not counts.get("failed") and not counts.get("errors"):
            counts["failed"] = max(issues, 1)  # it says that it failed, and not how often
        total = counts.pop("total", None)
        if total is not None and not issues and not any("passed" in row for row in rows):
            counts["passed"] = max(total - sum(counts.get(name, 0) for name in ("failed", "errors", "skipped")), 0)
        return RunnerCounts(self.name, **{name: counts.get(name) for name in _FIELDS[:4]}, issues=issues > 0)


def _numbers(match: re.Match[str]) -> dict[str, int]:
    """The numbers of one summary, by what they count; a group's name may end in a digit where it stands in two branches."""
    found: dict[str, int] = {}
    for name, told in match.groupdict().items():
        if name == "list" and told:
            for number, word, label, value in _PAIR.findall(told):
                kind = "total" if word == "total" else _WORDS.get((word or label).strip().lower(), "")
                if kind:
                    found[kind] = found.get(kind, 0) + int(number or value)
        elif told is not None and name.rstrip("2") in _FIELDS:
            found[name.rstrip("2")] = int(told) if told.isdigit() else 0
    return found


@functools.cache
def _runners() -> tuple[_Runner, ...]:
    return tuple(_Runner(row) for row in table_in(DATA)["runner"])


@functools.cache
def _words() -> Callable[[str], frozenset[str]]:
    return word_finder(word for runner in _runners() for word in runner.has)


def _mentioned(text: str) -> list[_Runner]:
    """The runners of which a text may hold a summary, in the order of the table."""
    words = _words()(text)
    return [runner for runner in _runners() if not words.isdisjoint(runner.has)]


# --- runners that print no summary -------------------------------------------------------------------------------

_GO = compiled(r"^([ \t]{0,40})--- (PASS|FAIL|SKIP): (\S+) \(", re.MULTILINE)
_GO_PACKAGE = compiled(
    r"^[ ]{0,8}(ok|FAIL|---)[ \t]{1,8}(\S{1,500})[ \t]{1,8}(?:[\d.]{1,20}s|\(cached\)|\[)", re.MULTILINE
)
_GO_JSON = compiled(r'^\{[^\n]{0,400}"Action":"(pass|fail|skip)"[^\n]{0,400}"Test":"([^"\n]+)"', re.MULTILINE)


def _go(text: str) -> RunnerCounts | None:
    """Go test counts only with -v or -json; without, it says ok or FAIL for each package, and there are no counts."""
    packages = [word for word, name in _GO_PACKAGE.findall(text) if "/" in name or "." in name]
    rows = [(word.lower(), bool(indent) or "/" in name) for indent, word, name in _GO.findall(text)]
    rows = rows or [(word, "/" in name) for word, name in _GO_JSON.findall(text)]
    said = [word for word, _ in rows]
    failed = max(said.count("fail"), packages.count("FAIL"))
    if "pass" in said:
        top = sum(word == "pass" and not inner for word, inner in rows)
        return RunnerCounts("go", said.count("pass"), failed, said.count("skip"), 0, top)
    if rows:
        every = "=== RUN" in text  # without -v only what failed is printed, and how many passed is not known
        return RunnerCounts("go", passed=0 if every and "ok" not in packages else None, failed=failed, skipped=said.count("skip"), errors=0)  # fmt: skip
    if not packages:
        return None
    return RunnerCounts("go") if not failed else RunnerCounts("go", failed=failed)


_SUITE = compiled(r"<testsuites?\b([^<>]{0,2000})>")
_ATTRIBUTE = compiled(r'\b(tests|failures|errors|skipped|disabled)="(\d{1,9})"')


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


_TAP = compiled(r"^(not )?ok \d{1,9}\b(?!\s*\|)[^\n]{0,300}", re.MULTILINE)


def _tap(text: str) -> RunnerCounts | None:
    """Lines of the Test Anything Protocol, where a plan says that they are: `1..12`."""
    if not re.search(r"^1\.\.\d{1,9}\s*$", text, re.MULTILINE):
        return None
    rows = [(match.group(1), match.group()) for match in _TAP.finditer(text)]
    if not rows:
        return None
    skipped = sum("# SKIP" in line or "# skip" in line or "# TODO" in line for _, line in rows)
    failed = sum(bool(bad) and "# TODO" not in line for bad, line in rows)
    return RunnerCounts("tap", passed=len(rows) - failed - skipped, failed=failed, skipped=skipped, errors=0)
