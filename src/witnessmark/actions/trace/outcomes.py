"""How a run of tests, of a linter or of a build ended: by its own exit code, or by what it printed where that is hidden.

An exit code that is not the command's own proves nothing; a printed failure counts wherever it stands. A program that was not there
did not run, which is not the same as one that failed. Knows nothing about claims.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

from witnessmark.actions.trace.activities import Activity, activity_of, called, listed, unwrapped
from witnessmark.actions.trace.outputs import output_pattern, tells, without_findings
from witnessmark.actions.trace.shell import ShellCommand
from witnessmark.actions.trace.test_runners import RunnerCounts, all_counts, plain

Outcome = Literal["passed", "failed", "none", "not_run", "unknown"]
MAX_READ = 200_000
ENDED = (124, 130, 137, 143)
"""Exit codes of a run that was ended from outside, by a time limit or a person: it has no result."""


def outcome_of(
    role: str,
    commands: Sequence[ShellCommand],
    code: int | None,
    output: str,
    counts: Sequence[RunnerCounts] = (),
    tools: Sequence[str] = (),
    alone: bool = False,
) -> Outcome:
    """How the commands of one role in a line ended; `code` is the whole line's, `tools` are the programs where others ran beside them.

    What several tools printed is no one's own: there each is held to the line by which it says how it went. `alone`: whether nothing else in
    the line prints names of files, so that those are what a formatter lists.
    """
    text = plain(output[-MAX_READ:])
    own = [command.code for command in commands]
    if any(value in (126, 127) for value in (*own, code)) or (
        _bad(own, code) and tells("runs", "missing", text) and not counts
    ):
        return "not_run"
    if role == "test":
        return _tests(own, code, text, counts)
    listed_files = alone and role == "lint" and all(map(_lists_files, commands))
    if any(value not in (0, None) for value in own) or (listed_files and tells("runs", "file_line", text)):
        return "failed"
    if all(value == 0 for value in own) or (listed_files and not text.strip() and code in (0, None)):
        return "passed"
    bad = any(tells("runs", name, text) for name in ("issues", f"issues_{role}", "stopped"))
    clean = any(tells("runs", name, text) for name in ("clean", f"clean_{role}"))
    if tools and bad and clean:
        told = [_verdict(tool, text) for tool in tools]
        return "failed" if "failed" in told else "unknown" if "unknown" in told else "passed"
    return "failed" if bad else "passed" if clean else "unknown"


def lines_of(role: str, output: str, others: Collection[str], *, shared: bool) -> str:
    """What a check of one role may have printed: not what names the programs beside it, or another task, as what failed.

    `others` are the programs of other checks in the line; `shared`: whether such checks ran in it, be it by the same task.
    """
    text = without_findings(others, plain(output[-MAX_READ:]))
    named = role == "build" and tells("runs", "gate", text)
    if named:
        text = output_pattern("runs", "gate").sub("", text)
    return output_pattern("runs", "stopped").sub("", text) if named or shared else text


def _lists_files(command: ShellCommand) -> bool:
    """Whether a formatter was asked to list the files that it would change."""
    words = unwrapped(command.words)
    return bool(words) and words[0] in listed("lists_files") and bool(listed("as_list") & set(words))


def _verdict(tool: str, text: str) -> Outcome:
    well, ill = tells("well", tool, text), tells("ill", tool, text)
    return "unknown" if well == ill else "passed" if well else "failed"


def _bad(own: Sequence[int | None], code: int | None) -> bool:
    return code not in (0, None) or any(value not in (0, None) for value in own)


def _tests(own: Sequence[int | None], code: int | None, text: str, counts: Sequence[RunnerCounts]) -> Outcome:
    passed = any(count.passed or count.passed is None for count in counts)
    bad = any(count.bad for count in counts)
    if all(value == 0 for value in own):
        empty = (bool(counts) and not passed and not bad) or (not counts and tells("runs", "none", text))
        empty = empty or _go_had_none(text)
        return "none" if empty else "passed"
    if any(value not in (0, None) for value in own):
        if any(value in ENDED for value in own) and not bad and not tells("runs", "failed", text):
            return "unknown"
        return "none" if _empty(counts, text) else "failed"
    if bad or tells("runs", "failed", text):
        return "failed"
    if _empty(counts, text):
        return "none"
    if passed or tells("runs", "passed", text):
        return "passed" if code in (0, None) or passed else "unknown"
    return "unknown"


def outcome_of_tests(chain: Sequence[ChainPart], output: str, *, beside: bool) -> Outcome:
    """How the tests of a line went that failed: another part may have, as the coverage, or a linter of the same line or task.

    `chain` are the commands that ran the tests; `beside`: whether the line ran checks of another role, too.
    """
    text = plain(output[-MAX_READ:])
    counts = [*all_counts(output, each=True)]
    own = {part.code for part, _ in chain}
    task = any(_may_do_more(activity) for _, activity in chain)
    named = tells("runs", "gate", text)
    rest = output_pattern("runs", "gate").sub("", text)
    if named or beside or task:
        rest = output_pattern("runs", "stopped").sub("", output_pattern("runs", "beside").sub("", rest))
    if any(count.bad for count in counts) or tells("runs", "failed", rest) or not own.isdisjoint(ENDED):
        return "failed"
    unsure = task and (
        not all(one.sure for _, one in chain) or any(tells("runs", name, text) for name in ("issues", "issues_lint"))
    )
    if not (named or unsure or own <= {0, None}):
        return "failed"
    if any(count.passed or count.passed is None for count in counts):
        return "passed"
    return "unknown" if named or beside or any(one.roles != {"test"} for _, one in chain) else "failed"


def _may_do_more(activity: Activity) -> bool:
    """Whether it is a task or a script of the project, which may do more than to run tests."""
    return bool(activity.target) or activity.roles != {"test"} or activity.program in listed("runs_tasks")


def _go_had_none(text: str) -> bool:
    return "[no tests to run]" in text and not tells("runs", "go_ran", text)


def _empty(counts: Sequence[RunnerCounts], text: str) -> bool:
    if _go_had_none(text):
        return True
    if counts:
        return all(not count.passed and count.passed is not None and not count.bad for count in counts)
    return tells("runs", "none", text)


# --- commands that nobody reads the end of ---------------------------------------------------------------------

MAX_CRASH = 4_000
"""An exception that ended a program stands within the last so many characters of what was printed."""


def with_crash(commands: Sequence[ShellCommand], output: str) -> Sequence[ShellCommand]:
    """The commands of a line; the only one that ends by its exceptions has failed where one is printed, though a pipe or a later command hides its exit code."""
    mine = [number for number, command in enumerate(commands) if command.code is None and _shows_its_crash(command)]
    if len(mine) != 1 or not tells("runs", "crashed", plain(output[-MAX_CRASH:])):
        return commands
    others = {activity_of(command.words).program for number, command in enumerate(commands) if number not in mine}
    if not others <= listed("passes_on") | listed("searches"):
        return commands
    return [*commands[: mine[0]], replace(commands[mine[0]], code=1), *commands[mine[0] + 1 :]]


def _shows_its_crash(command: ShellCommand) -> bool:
    known = called("shows_its_crash").search(" ".join(command.words)) is not None
    return known and not command.background and "test" not in activity_of(command.words).roles


# --- chains ----------------------------------------------------------------------------------------------------

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
        own = activity.target in ("push", "commit") and tells("git", activity.target, output)
        alone = all(other.program != "git" or other.target != activity.target for other in others)
        return own and alone
    hooks = any(other.program == "git" or "test" in other.roles for other in others)
    return "test" in activity.roles and not hooks and next(all_counts(output), None) is not None
