"""How a run of tests, of a linter or of a build ended: by its own exit code, or by what it printed where that is hidden.

An exit code that is not the command's own proves nothing; a printed failure counts wherever it stands. A program that was not there
did not run, which is not the same as one that failed. Knows nothing about claims.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from witnessmark.actions.trace.activities import Activity
from witnessmark.actions.trace.shell import ShellCommand
from witnessmark.actions.trace.test_runners import RunnerCounts, all_counts, plain
from witnessmark.text.patterns import compiled

Outcome = Literal["passed", "failed", "none", "not_run", "unknown"]
MAX_READ = 200_000
_MISSING = compiled(
    r"command not found|: not found$|No such file or directory|is not recognized as|[Mm]issing script|No rule to make target|no such (?:sub)?command|"
    r"executable file not found|[Nn]o tasks? (?:named|found)|Couldn't find (?:a |the )?script|No module named|Unknown (?:command|task)|not installed|"
    r"Cannot find module '[\w@/-]+'\s*$|could not determine executable|[Pp]ermission denied|error: unrecognized subcommand|script not found",
    re.MULTILINE,
)
_FAILED = compiled(
    r"^(?:--- FAIL|FAIL(?:ED)?\b(?!\s*:?\s*0\b)|not ok \d|FAILURES!|Tests? failed|FAILURE:|BUILD FAIL|There (?:was|were) \d+ failure|error: test failed|error: could not compile|"
    r"\s{0,4}(?:✗|✘|×|✖|●) \S|ERROR task failed|npm ERR! Test failed|Error: Process completed with exit code [1-9]|make(?:\[\d+\])?: \*\*\* |ERROR: .*did not complete successfully|"
    r"E {2,}\w*(?:Error|assert)|panic: |Traceback \(most recent call last\)|ERR_PNPM_RECURSIVE|\[ERROR\] (?:Tests run|Failures|There are test failures)|"
    r"\s*\d+\) .*\bfailed\b|(?:error|Error): script \"[^\"]+\" exited with code [1-9]|\[\S+\] ERROR\b|exit status [1-9]|FAIL\t)",
    re.MULTILINE,
)
_PASSED = compiled(
    r"^(?:ok\b|PASS\b|OK\b|All tests passed|all tests passed|BUILD SUCCESS|\s*(?:✓|✔|√) |All checks passed|Success|Result: PASS|Tests passed|All \d+ tests passed)",
    re.MULTILINE,
)
_NONE = compiled(
    r"^(?:=+ )?(?:no tests (?:ran|collected)|collected 0 items|No tests found|no tests? files? (?:found|matched)|No test files found|Ran 0 tests|No tests executed|running 0 tests)|"
    r"testing: warning: no tests to run|\b0 passing\b",
    re.MULTILINE,
)
_ISSUES = compiled(
    r"^(?:Found [1-9]\d* errors?\b(?![^\n]*\b0 remaining)|\d+ files? inspected, [1-9]\d* offenses?|[1-9]\d* (?:issues?|problems?)\b|✖ [1-9]\d* problems?\b(?! \(0 errors)|\S+\.\w{1,4}[:(]\d+[:,]\d+\)?:? (?:error|warning|[A-Z]{1,4}\d{2,5})\b|error(?:\[E\d+\])?: |.*: error(?: TS\d+)?: |.*\bSC\d{4} \((?:error|warning)\): |BUILD FAIL|(?:#\d+ )?(?:[\d.]+ +)?ERROR: |.*did not complete successfully|.*failed to solve)",
    re.MULTILINE,
)

_CLEAN = compiled(
    r"\b0 (?:issues|errors|problems|warnings)\b|\b[Nn]o (?:issues|errors|problems)\b|All checks passed|Success: no issues|BUILD SUCCESS"
)


ENDED = (124, 130, 137, 143)
"""Exit codes of a run that was ended from outside, by a time limit or a person: it has no result."""
COMMITTED = compiled(r"^\[[^\]\n]{1,200} (?:\(root-commit\) )?([0-9a-f]{7,40})\]", re.MULTILINE)
"""The line that git prints for a commit it made."""


_VERDICTS = {
    "ruff": (compiled(r"^All checks passed", re.MULTILINE), compiled(r"^Found [1-9]\d* errors?\b(?! in\b)", re.MULTILINE)),
    "mypy": (compiled(r"^Success: no issues", re.MULTILINE), compiled(r"^Found [1-9]\d* errors? in\b", re.MULTILINE)),
    "pyright": (compiled(r"^0 errors, ", re.MULTILINE), compiled(r"^[1-9]\d* errors?, ", re.MULTILINE)),
    "pylint": (compiled(r"rated at 10\.00/10"), compiled(r"rated at (?!10\.00)")),
    "rubocop": (compiled(r"\bno offenses"), compiled(r"\b[1-9]\d* offenses?")),
}  # fmt: skip
"""The line by which a tool, and no other, says that all is well, and that it is not."""


def outcome_of(
    role: str,
    commands: Sequence[ShellCommand],
    code: int | None,
    output: str,
    counts: Sequence[RunnerCounts] = (),
    tools: Sequence[str] = (),
) -> Outcome:
    """How the commands of one role in a line ended; `code` is the whole line's, `tools` are the programs where others ran beside them.

    What several tools printed is no one's own: there each is held to the line by which it says how it went.
    """
    text = plain(output[-MAX_READ:])
    own = [command.code for command in commands]
    if any(value in (126, 127) for value in (*own, code)) or (_bad(own, code) and _MISSING.search(text) and not counts):
        return "not_run"
    if role == "test":
        return _tests(own, code, text, counts)
    if any(value not in (0, None) for value in own):
        return "failed"
    if all(value == 0 for value in own):
        return "passed"
    bad, clean = _ISSUES.search(text), _CLEAN.search(text)
    if tools and bad and clean:
        told = [_verdict(tool, text) for tool in tools]
        return "failed" if "failed" in told else "unknown" if "unknown" in told else "passed"
    return "failed" if bad else "passed" if clean else "unknown"


def _verdict(tool: str, text: str) -> Outcome:
    well, ill = (pattern.search(text) for pattern in _VERDICTS[tool]) if tool in _VERDICTS else (None, None)
    return "unknown" if bool(well) == bool(ill) else "passed" if well else "failed"


def _bad(own: Sequence[int | None], code: int | None) -> bool:
    return code not in (0, None) or any(value not in (0, None) for value in own)


def _tests(own: Sequence[int | None], code: int | None, text: str, counts: Sequence[RunnerCounts]) -> Outcome:
    passed = any(count.passed or count.passed is None for count in counts)
    bad = any(count.bad for count in counts)
    if all(value == 0 for value in own):
        empty = (bool(counts) and not passed and not bad) or (not counts and _NONE.search(text) is not None)
        empty = empty or _go_had_none(text)
        return "none" if empty else "passed"
    if any(value not in (0, None) for value in own):
        if any(value in ENDED for value in own) and not bad and not _FAILED.search(text):
            return "unknown"
        return "none" if _empty(counts, text) else "failed"
    if bad or _FAILED.search(_OF_MAKE.sub("", text) if passed and counts else text):
        return "failed"
    if _empty(counts, text):
        return "none"
    if passed or _PASSED.search(text):
        return "passed" if code in (0, None) or passed else "unknown"
    return "unknown"


def _go_had_none(text: str) -> bool:
    return "[no tests to run]" in text and _GO_RAN.search(text) is None


_GO_RAN = compiled(r"^ok\s(?!.*\[no tests to run\])|^\s*--- (?:PASS|FAIL)", re.MULTILINE)
"""A package of go whose tests ran: one that has none to run is ok as well."""
_OF_MAKE = compiled(r"^make(?:\[\d+\])?: \*\*\* .*$", re.MULTILINE)
"""Of a line with several targets, make says that one failed: not the tests, where those printed that none of them did."""


def _empty(counts: Sequence[RunnerCounts], text: str) -> bool:
    if _go_had_none(text):
        return True
    if counts:
        return all(not count.passed and count.passed is not None and not count.bad for count in counts)
    return _NONE.search(text) is not None


# --- chains ----------------------------------------------------------------------------------------------------

_PUSHED = compiled(
    r"^\s*! \[(?:remote )?rejected\]|^error: failed to push some refs|^To \S+[:/]\S|^fatal: The current branch \S+ has no upstream",
    re.MULTILINE,
)
"""What only a push prints, whether it went well or not."""
ChainPart = tuple[ShellCommand, Activity]


def went_on(known: Sequence[ChainPart], output: str) -> list[ChainPart]:
    """The commands of a line; those before `&&` ended well where one behind it is seen to have run by what was printed."""
    found, proof = list(known), False
    for number in range(len(found) - 1, -1, -1):
        part, activity = found[number]
        if proof and part.then and part.code is None:
            found[number] = replace(part, code=0), activity
        proof = (proof and part.then) or (number > 0 and found[number - 1][0].then and _is_seen(number, found, output))
    return found


def _is_seen(number: int, known: Sequence[ChainPart], output: str) -> bool:
    """Whether the output has what this command prints and none of the others can: none of its kind, no script that may do the same."""
    activity, others = known[number][1], [other for at, (_, other) in enumerate(known) if at != number]
    if any(not other.roles or (other.target and other.program != "git") for other in others):
        return False
    if activity.program == "git":
        mark = {"push": _PUSHED, "commit": COMMITTED}.get(activity.target)
        alone = all(other.program != "git" or other.target != activity.target for other in others)
        return mark is not None and alone and mark.search(output) is not None
    hooks = any(other.program == "git" or "test" in other.roles for other in others)
    return "test" in activity.roles and not hooks and next(all_counts(output), None) is not None
