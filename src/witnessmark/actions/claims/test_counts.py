"""How many tests a report says passed or failed, against the counts that the runs in the trace printed, alone and together."""

from __future__ import annotations

import re

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, supported, unverifiable
from witnessmark.actions.claims.wordings import source
from witnessmark.actions.trace.calls import output_of
from witnessmark.actions.trace.index import normal
from witnessmark.actions.trace.ledger import CheckRun, output_summary
from witnessmark.actions.trace.outputs import output_pattern
from witnessmark.actions.trace.test_runners import passed_readings


def _added(runs: list[CheckRun]) -> list[tuple[set[int], int | None]]:
    """What the summaries of the last run of each command come to, and how many failed in them."""
    last = {normal(str(run.line)): run for run in runs}
    return [passed_readings(output_of(run.call)) for run in last.values()]


def rule_counts(claim: ActionClaim, runs: list[CheckRun]) -> Ruling:
    """One claim of how many tests passed or failed, of which the last run that counts went well, or which tells of failures."""
    last = runs[-1]
    counted = [count for run in runs for count in run.counts]
    numbers = _numbers(runs)
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
        fits = fits or any(claim.failed == bad and claim.passed in {None, *passed} for passed, bad in _added(runs))
        if fits:
            return supported("the runner printed these counts", output_summary(last), last.call.id)
        return contradicted("wrong_counts", "the runner printed other counts", output_summary(last), last.call.id)
    green = [run for run in runs if run.outcome != "failed"]
    if claim.passed is None or claim.passed in _numbers(green):
        return supported(
            "the runner printed these counts" if counted else "the run succeeded", output_summary(last), last.call.id
        )
    if not numbers:
        return unverifiable("the runner does not print how many passed", there=output_summary(last))
    ends = [*{normal(str(run.line)): run for run in runs}.values()]
    together = _together(ends)
    if claim.passed in _together([run for run in ends if run.outcome != "failed"]) or _speak_of(claim.passed, green):
        return supported("the runs in the trace printed these counts together", output_summary(last), last.call.id)
    if claim.passed in numbers | together or _speak_of(claim.passed, runs):
        return unverifiable("only with a run that failed do so many pass", there=output_summary(last))
    if claim.by == "report" and claim.passed < max(numbers | together):
        return unverifiable("the runner printed more, of which these may be a part", there=output_summary(last))
    shown = [run for run in runs if " -v" in f" {run.line} "]  # there every test has a line of its own
    if claim.by == "report" and any(count.runner == "go" for count in counted) and not shown:
        return unverifiable("go prints subtests, and not every test that ran", there=output_summary(last))
    return contradicted("wrong_counts", "the runner printed other counts", output_summary(last), last.call.id)


def _numbers(runs: list[CheckRun]) -> set[int]:
    """How many tests passed by each summary of some runs."""
    counted = (count for run in runs for count in run.counts)
    return {number for count in counted for number in (count.passed, count.top) if number is not None}


def _together(runs: list[CheckRun]) -> set[int]:
    """How many passed in runs of different commands: in all of them by their first summaries or by all, and in each."""
    first = sum(count.passed or 0 for run in runs for count in (run.counts if run.looped else run.counts[:1]))
    ways = [passed if not bad else set[int]() for passed, bad in _added(runs)]
    return {first, sum(max(way, default=0) for way in ways)}.union(*ways)


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


def most_passed(runs: list[CheckRun]) -> int:
    """The most tests that can be said to have passed, of the last run of each command together; very many where a run has no counts."""
    last = {normal(str(run.line)): run for run in runs}
    return sum(max([*passed_readings(output_of(run.call))[0], *(_MANY if count.passed is None else count.passed for count in run.counts)], default=_MANY) for run in last.values())  # fmt: skip


_MANY = 10**9
