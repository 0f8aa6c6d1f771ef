"""How many tests passed in some runs taken together, by every way to add up what their runners printed."""

from __future__ import annotations

from witnessmark.actions.trace.calls import output_of
from witnessmark.actions.trace.index import normal
from witnessmark.actions.trace.ledger import CheckRun
from witnessmark.actions.trace.test_runners import passed_readings


def added(runs: list[CheckRun]) -> list[tuple[set[int], int | None]]:
    """What the summaries of the last run of each command come to, and how many failed in them."""
    last = {normal(str(run.line)): run for run in runs}
    return [passed_readings(output_of(run.call)) for run in last.values()]


def numbers_of(runs: list[CheckRun]) -> set[int]:
    """How many tests passed by each summary of some runs."""
    counted = (count for run in runs for count in run.counts)
    return {number for count in counted for number in (count.passed, count.top) if number is not None}


def together(runs: list[CheckRun]) -> set[int]:
    """How many passed in runs of different commands: in all of them by their first summaries or by all, and in each."""
    first = sum(count.passed or 0 for run in runs for count in (run.counts if run.looped else run.counts[:1]))
    ways = [passed if not bad else set[int]() for passed, bad in added(runs)]
    return {first, sum(max(way, default=0) for way in ways)}.union(*ways)


def with_skipped(runs: list[CheckRun]) -> set[int]:
    """How many tests there are by each summary that has some which were skipped: those, and what passed."""
    counted = (count for run in runs for count in run.counts)
    return {count.passed + count.skipped for count in counted if count.passed is not None and count.skipped}


def most_passed(runs: list[CheckRun]) -> int:
    """The most tests that can be said to have passed, of the last run of each command together; very many where a run has no counts."""
    last = {normal(str(run.line)): run for run in runs}
    return sum(max([*passed_readings(output_of(run.call))[0], *(_MANY if count.passed is None else count.passed for count in run.counts)], default=_MANY) for run in last.values())  # fmt: skip


_MANY = 10**9
