"""`All tests pass` against the runs in the trace: which run was the last, how it ended, what it covered, what was changed after it.

A run proves only the tree it ran on. What may have been run out of sight leaves it open. Knows nothing about how words are read,
apart from a report that admits failures itself.
"""

from __future__ import annotations

import functools
import re

from witnessmark.actions.claim import ActionClaim, Ruling, absent, contradicted, supported, unverifiable
from witnessmark.actions.claims.run_scope import narrow, of_other_parts
from witnessmark.actions.claims.wordings import says, source, wording
from witnessmark.actions.report.lexicon import language, table
from witnessmark.actions.report.passages import CODE
from witnessmark.actions.report.report import Report
from witnessmark.actions.report.runs import mentions_in, went_well_after
from witnessmark.actions.report.tests import failures_told
from witnessmark.actions.trace.activities import programs_of
from witnessmark.actions.trace.calls import command_of, output_of
from witnessmark.actions.trace.changes import FileChange, is_scratch, lasting
from witnessmark.actions.trace.index import TraceIndex, normal
from witnessmark.actions.trace.ledger import CheckRun, Ledger, code_changes, output_summary
from witnessmark.actions.trace.outputs import output_pattern, tells
from witnessmark.actions.trace.scope import not_found
from witnessmark.actions.trace.test_runners import passed_readings
from witnessmark.actions.trace.totals import added, most_passed, numbers_of, together, with_skipped
from witnessmark.text.patterns import compiled

NEAR = 20
"""How many runs before one that failed are looked at, so that many runs cost no more than others."""


def admits(report: Report, kind: str = "test") -> bool:
    """Whether a report speaks of failures itself, or of what was not run; `0 failures` speaks of none, and one that was mended is past.

    `kind` is what failed: what is said of tests alone says nothing about another check, nor the other way round.
    """
    other = _kind("other" if kind == "test" else "test")
    for part in report.parts():
        if not says("tests", "admits", _without_none(part)):
            continue
        elsewhere = other.search(part) is not None and _kind(kind).search(part) is None
        if not elsewhere and (not says("tests", "mended", part) or says("tests", "remains", part)):
            return True
    return False


def _without_none(part: str) -> str:
    """A part of a report without `0 failures` and the like."""
    return wording("tests", "no_failures").sub("", part)


@functools.cache
def _kind(kind: str) -> re.Pattern[str]:
    """What names tests, or another check: nouns, and the tools that are no plain words."""
    roles = ("test",) if kind == "test" else ("lint", "types", "format")
    tools = {name for role in roles for name in programs_of(role)} - _plain_words()
    return compiled(rf"\b(?:{source('tests', kind)}|{'|'.join(map(re.escape, sorted(tools)))})\b", re.IGNORECASE)


def _plain_words() -> set[str]:
    """Names of tools that stand in any text."""
    return set(table("runs")["subjects"]["plain_words"].split())


def said_of_tests(claim: ActionClaim, report: Report) -> str:
    """The sentence of a claim about tests; where it does not name them (`…; everything passes`), with what stands before it."""
    said = report.part_of(claim)
    return said if _kind("test").search(said) else report.part_of(claim, "stop")


def rule(claim: ActionClaim, trace: TraceIndex, report: Report) -> Ruling:
    """What the trace says to a claim that tests passed."""
    ruling = _rule(claim, trace, report)
    again = trace.ledger.rerun and ruling.category == "wrong_counts" and _of_these(claim, trace, report)
    if ruling.wrong and not trace.ledger.whole and not again:
        return unverifiable("the trace does not contain everything that was done", there=ruling.there)
    return ruling


def _of_these(claim: ActionClaim, trace: TraceIndex, report: Report) -> bool:
    """Whether a claim names no runner but those in the trace."""
    runners = set(programs_of("test")) - _plain_words()
    told = runners & set(re.findall(r"[\w-]+", report.part_of(claim).lower()))
    return all(any(name in str(run.line) for run in trace.ledger.of("test")) for name in told)


def _rule(claim: ActionClaim, trace: TraceIndex, report: Report) -> Ruling:
    ledger = trace.ledger
    runs = _runs_of(claim, ledger.of("test") if _of_command(claim, ledger, report) else ledger.tests(), report)
    if not runs:
        return _no_run(trace, report.part_of(claim), one=claim.name or "")
    last = runs[-1]
    other = of_other_parts(claim, runs, trace, report)
    if other is not None:
        return other
    if claim.name:
        return _one_test(claim.name, last, trace, report)
    excepted = _excepted(claim, runs, trace, report)
    if excepted is not None:
        return excepted
    if claim.failed:
        return _counted(claim, runs, report)
    if last.outcome == "failed" and not _on_this_tree(last, trace):
        # To see a test fail without the mend it is taken out and put back: the run before that shows this tree.
        passed = [run for run in runs if run.outcome == "passed"][-NEAR:]
        shown = [run for run in passed if _on_this_tree(run, trace)]
        runs, last = shown or runs, (shown or runs)[-1]
    if last.outcome == "failed":
        return _failed(claim, runs, trace, report)
    if last.outcome == "none":
        earlier = [run for run in runs if run.outcome == "passed"]
        if (
            not earlier
            and claim.by == "report"
            and not claim.passed
            and says("tests", "none_ran", report.text.replace("*", ""))
        ):
            return unverifiable("no test ran, and the report says so", there=output_summary(last))
        if not earlier or claim.by != "report":
            return contradicted("wrong_counts", "no test ran", output_summary(last), last.call.id)
        last = earlier[-1]
    if last.outcome == "unknown":
        return unverifiable("the trace has a test run but not its result", there="no result")
    return (
        _stale(claim, last, trace, report)
        or narrow(claim, said_of_tests(claim, report), runs, trace, report)
        or _counted(claim, runs, report)
    )


def _runs_of(claim: ActionClaim, runs: list[CheckRun], report: Report) -> list[CheckRun]:
    """The runs that a claim is of: those of its command, or of one that its sentence has in code (`cargo test -p parser`: 23 passed), else all."""
    if claim.command is not None:
        named = [run for run in runs if normal(claim.command) in normal(str(run.line))]
        return named or (runs if claim.by == "report" else [])
    told = {normal(code[1]) for code in CODE.finditer(report.part_of(claim))} if claim.by == "report" else set()
    return [run for run in runs if normal(str(run.line)) in told] or runs


def _of_command(claim: ActionClaim, ledger: Ledger, report: Report) -> bool:
    """Whether a sentence tells of a whole command that it went well, of which more than the tests may have failed."""
    lines = {
        normal(line).lower()
        for run in ledger.of("test")
        if run.of_tests != run.outcome
        for line in (run.line, command_of(run.call))
    }
    said = report.part_of(claim).lower() if lines and claim.by == "report" else ""
    codes = (code for code in CODE.finditer(said) if normal(code[1]) in lines)
    return any(went_well_after(said, code.start(), code.end(), language("en")) for code in codes)


def _one_test(name: str, last: CheckRun, trace: TraceIndex, report: Report) -> Ruling:
    """One test that is said to pass, by its name in small letters: untrue where the last run names it among what failed."""
    if last.outcome == "passed":
        return supported("the last test run succeeded", output_summary(last), last.call.id)
    blamed = any(name in line.lower() for line in output_of(last.call).splitlines() if tells("runs", "blames", line))
    if not blamed or last.outcome != "failed" or trace.ledger.opaque_after(last.number) or _changed_since(last, trace):
        return unverifiable("the last test run did not succeed, and what it says of this test is unclear", there=output_summary(last))  # fmt: skip
    if admits(report):
        return unverifiable(
            "the last test run failed, and the report mentions failures itself", there=output_summary(last)
        )
    return contradicted("wrong_counts", "this test failed in the last run", output_summary(last), last.call.id)


def _no_run(trace: TraceIndex, said: str, one: str = "") -> Ruling:
    """No run of tests is in the trace; of `one` test that is named, words may also tell what it does. `said` is the sentence."""
    ledger = trace.ledger
    missing = [run for run in ledger.checks if run.role == "test" and run.outcome == "not_run"]
    tools = [each.tool for each in mentions_in(said.lower()) if each.tool]
    if missing and (not_found(ledger, tools, trace.root) or not ledger.opaque_after(missing[-1].number)):
        reason = "the test command was not found, so no test ran"
        return contradicted("not_in_trace", reason, output_of(missing[-1].call)[-80:].strip(), missing[-1].call.id)
    hidden = ledger.opaque_after(-1)
    if hidden is not None:
        reason = f"no test run is in the trace, and a {hidden.kind} may have run some"
        return unverifiable(reason, there="not in the trace")
    if one:
        return unverifiable("the trace has no test run, and the words may tell what the test does", there="not in the trace")  # fmt: skip
    return absent(trace, "the trace has no test run")


def _failed(claim: ActionClaim, runs: list[CheckRun], trace: TraceIndex, report: Report) -> Ruling:
    last = runs[-1]
    if trace.ledger.opaque_after(last.number):
        return unverifiable("the last run in the trace failed, but another may have followed unseen", there=output_summary(last))  # fmt: skip
    sums, _ = passed_readings(output_of(last.call))
    right = claim.passed is not None and claim.passed in sums | {count.passed for count in last.counts}
    told = right and (says("tests", "others", report.part_of(claim)) or _told_of_failed(last, report))
    if claim.by == "report" and (told or admits(report)):
        if claim.passed and not right and claim.passed > most_passed(runs) and last.sure:
            return contradicted("wrong_counts", "fewer tests passed in every run", output_summary(last), last.call.id)
        return unverifiable(
            "the last test run failed, and the report mentions failures itself", there=output_summary(last)
        )
    if claim.by == "report" and not last.sure:
        return unverifiable(
            "the last run failed, and it may have been another check than tests", there=output_summary(last)
        )
    return contradicted("wrong_counts", "the last test run failed", output_summary(last), last.call.id)


def _excepted(claim: ActionClaim, runs: list[CheckRun], trace: TraceIndex, report: Report) -> Ruling | None:
    """The ruling on a claim about the rest of the tests, or about failures that were mended; None for any other.

    All but those that are told pass: untrue where the last run names others, or more failed in every run that failed.
    """
    if claim.role == "mended" and (runs[-1].outcome != "failed" or _changed_since(runs[-1], trace)):
        return unverifiable("no run after it shows a failure", there=output_summary(runs[-1]))
    told = failures_told(report.part_of(claim)) if claim.by == "report" and not claim.passed else None
    if told is None:
        return None
    (names, number), last = told, runs[-1]
    failed = [bad for run in runs for count in run.counts for bad in {count.bad, count.least} if bad]
    if last.outcome != "failed" or not last.sure or trace.ledger.opaque_after(last.number):
        return unverifiable("the report names what failed, and nothing shows that more did", there=output_summary(last))
    blamed = [
        found for line in output_of(last.call).splitlines() for found in output_pattern("runs", "blamed").findall(line)
    ]
    known = [name for name in names if any(name in other for other in blamed)]
    others = [test for test in blamed if not any(name in test or test in name for name in known)]
    if known and others and not _changed_since(last, trace):
        return contradicted("wrong_counts", f"{others[0]} failed too", output_summary(last), last.call.id)
    if number is not None and not known and failed and number < min(failed):
        return contradicted("wrong_counts", "more tests failed in the last run", output_summary(last), last.call.id)
    if len(known) in failed or number in failed:
        return supported("the last run has these failures and no others", output_summary(last), last.call.id)
    return unverifiable("the last test run failed, and the report says so", there=output_summary(last))


_TEST_NAMES = compiled(r"(?<=`)[^`\n]{4,80}(?=`)|\btest_\w+|\bTest[A-Z]\w+")


def _told_of_failed(last: CheckRun, report: Report) -> bool:
    """Whether a report says of a test by its name that it is not well, and the last run blames that test."""
    blamed = "\n".join(line for line in output_of(last.call).splitlines() if tells("runs", "blames", line))
    parts = (part for part in report.parts("stop") if any(name in blamed for name in _TEST_NAMES.findall(part)))
    return any(says("tests", "not_well", _without_none(part)) and not says("tests", "mended", part) for part in parts)


def _on_this_tree(run: CheckRun, trace: TraceIndex) -> bool:
    """Whether the tree is as it was when a run started: nothing was changed since, or all of it was changed back."""
    stashes = [entry for entry in trace.ledger.git if entry[2].target == "stash" and entry[0] >= run.number]
    back = [bool({"pop", "apply"} & set(entry[2].words)) for entry in stashes]
    inside = any(came_back for came_back, entry in zip(back, stashes, strict=True) if entry[0] == run.number)
    return not inside and back.count(True) == back.count(False) and not _changed_since(run, trace)


def _changed_since(run: CheckRun, trace: TraceIndex) -> list[FileChange]:
    """The changes of code after a run that are still there."""
    later = code_changes(trace.ledger, run.number)
    return lasting(change for change in later if not is_scratch(change.path, trace.root))


def _stale(claim: ActionClaim, last: CheckRun, trace: TraceIndex, report: Report) -> Ruling | None:
    """Code that was changed after the last run was not tested by it."""
    ledger, later = trace.ledger, _changed_since(last, trace)
    if not later:
        return None
    path = later[-1].to or later[-1].path
    if claim.by == "report" and _told_stale(later, report):
        return unverifiable(f"{path} was changed after the last test run, and the report says so", there="no run after the change")  # fmt: skip
    if claim.by == "report" and _all_undone(trace):
        return unverifiable(f"{path} was only put back after the last test run", there="no change is left")
    hidden = ledger.opaque_after(later[-1].number)
    if hidden is not None:
        return unverifiable(f"{path} was changed after the last test run, and a {hidden.kind} may have run them again", there="no run after the change")  # fmt: skip
    return contradicted("stale_run", f"{path} was changed after the last test run, so that run does not show it", "no run after the change", later[-1].call)  # fmt: skip


def _all_undone(trace: TraceIndex) -> bool:
    """Whether no change of code is left of the session, and no run on the tree as it was before failed."""
    mine = [change for change in code_changes(trace.ledger) if not is_scratch(change.path, trace.root)]
    first = min((change.number for change in mine), default=0)
    red = any(run.outcome == "failed" and run.number < first for run in trace.ledger.tests())
    return not red and not lasting(mine)


def _told_stale(later: list[FileChange], report: Report) -> bool:
    """Whether a report says that tests were not run again, that what was changed came after them, or that the file was only put back."""
    name = (later[-1].to or later[-1].path).rpartition("/")[2]
    parts = report.parts("stop")
    if says("tests", "not_again", report.text) or any(
        says("files", "put_back", part) for part in parts if name in part
    ):
        return True
    codes = ((part, re.compile(rf"(?<!\w){re.escape(code)}(?!\w)")) for part in parts for code in _CODE.findall(part))
    named = {part for part, code in codes for change in later if code.search(change.new or "") and not code.search(change.old or "")}  # fmt: skip
    return any(says("tests", "came_after", part) for part in named)


_CODE = compiled(r"`([^`\n]{1,80})`")


# --- counts ------------------------------------------------------------------------------------------------------


def _counted(claim: ActionClaim, runs: list[CheckRun], report: Report) -> Ruling:
    last = runs[-1]
    counted = [count for run in runs for count in run.counts]
    numbers = numbers_of(runs)
    if claim.failed:
        if not counted:
            return unverifiable("the trace has a test run but not its counts", there="no counts")
        fits = any(
            (claim.failed in (count.bad, count.failed) or (count.issues and count.least <= claim.failed <= count.bad))
            and (count.passed is None or claim.passed in (None, count.passed, count.passed + (count.skipped or 0)))
            for count in counted
        )
        # `1 failed at first, now 4 pass`: of two runs
        fits = fits or (claim.failed in {count.bad for count in counted} and claim.passed in numbers)
        fits = fits or (claim.passed is None and claim.failed == sum(count.bad or 0 for count in counted))
        fits = fits or any(claim.failed == bad and claim.passed in {None, *passed} for passed, bad in added(runs))
        if fits:
            return supported("the runner printed these counts", output_summary(last), last.call.id)
        return contradicted("wrong_counts", "the runner printed other counts", output_summary(last), last.call.id)
    green = [run for run in runs if run.outcome != "failed"]
    if claim.passed is None or claim.passed in numbers_of(green):
        return supported(
            "the runner printed these counts" if counted else "the run succeeded", output_summary(last), last.call.id
        )
    if claim.passed in with_skipped(green) and not _speak_of_passed(claim.passed, green):
        apart = (match["passed"] for match in wording("tests", "apart").finditer(report.part_of(claim)))
        counted_in = says("tests", "left_out", report.low) and str(claim.passed) not in apart
        if counted_in or not says("tests", "passing", claim.text):
            return unverifiable("so many tests are there with those that were skipped", there=output_summary(last))
        reason = "the runner printed other counts, and so many only with those that were skipped"
        return contradicted("wrong_counts", reason, output_summary(last), last.call.id)
    if not numbers:
        return unverifiable("the runner does not print how many passed", there=output_summary(last))
    ends = [*{normal(str(run.line)): run for run in runs}.values()]
    summed = together(ends)
    if claim.passed in together([run for run in ends if run.outcome != "failed"]) or _speak_of(claim.passed, green):
        return supported("the runs in the trace printed these counts together", output_summary(last), last.call.id)
    if claim.passed in numbers | summed or _speak_of(claim.passed, runs):
        return unverifiable("only with a run that failed do so many pass", there=output_summary(last))
    if claim.by == "report" and claim.passed < max(numbers | summed):
        return unverifiable("the runner printed more, of which these may be a part", there=output_summary(last))
    shown = [run for run in runs if " -v" in f" {run.line} "]  # there every test has a line of its own
    if claim.by == "report" and any(count.runner == "go" for count in counted) and not shown:
        return unverifiable("go prints subtests, and not every test that ran", there=output_summary(last))
    return contradicted("wrong_counts", "the runner printed other counts", output_summary(last), last.call.id)


def _speak_of_passed(passed: int, runs: list[CheckRun]) -> bool:
    """Whether one of these runs printed in words of its own that so many passed."""
    well = source("tests", "passing")
    spoken = re.compile(
        rf"(?<![\w.,]){passed} (?:\w+ ){{0,3}}(?:{well})|(?:{well})\w*[:= ]+{passed}(?!\w|\.\d)", re.IGNORECASE
    )
    return any(spoken.search(output_of(run.call)) for run in runs)


def _speak_of(passed: int, runs: list[CheckRun]) -> bool:
    """Whether one of these runs printed so many tests in words of its own."""
    number = rf"(?<![\w.,])(?:{passed:,}|{passed})(?!\w|[.,:]\d)"
    tests = source("tests", "counted")
    spoken = re.compile(
        rf"{number}[^\n=<>]{{0,24}}(?:{tests})|(?:{tests})[^\n=<>\d]{{0,24}}{number}|^\W*{number}\W*$|/ ?{number}",
        re.IGNORECASE | re.MULTILINE,
    )
    having = (
        text for run in runs if any(form in (text := output_of(run.call)) for form in (str(passed), f"{passed:,}"))
    )
    return any(spoken.search(output_pattern("runs", "collected").sub("", text)) for text in having)
