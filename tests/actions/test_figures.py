"""Coverage and benchmark figures of a report against what the runs in its trace printed."""

import pytest

from witnessmark.actions.claims.collect import hold_all, in_words
from witnessmark.actions.trace.trace import ToolCall, Trace
from witnessmark.actions.tree.view import TreeState

GO = "ok  \texample.org/a\t0.01s\tcoverage: 92.4% of statements\n"
PYTEST = "Name    Stmts   Miss  Cover\nsrc/a.py   10   1   90%\nTOTAL       25      2    92%\n5 passed in 0.1s\n"
JEST = "----------|---------|\nAll files |   92.41 |    88.2 |\nTests: 5 passed, 5 total\n"
BENCH = "BenchmarkParse-8   1000   812345 ns/op\nlatency p95 79.6 ms\n"


def ruled(report, output, *more, command="make cover", whole=True):
    call = ToolCall("c1", "bash", {"command": command}, output, 0, True)
    claims = [claim for claim in in_words(report) if claim.role in ("coverage", "bench")]
    rulings = hold_all(claims, TreeState(), Trace("t", (call, *more), whole=whole), "", report)
    return [ruling.status for ruling in rulings]


@pytest.mark.parametrize("output", [GO, PYTEST, JEST])
@pytest.mark.parametrize(
    ("report", "status"),
    [
        ("Coverage is now 92%.", "supported"),
        ("Coverage went from 80% to 92%.", "supported"),
        ("The tests pass with 92% coverage.", "supported"),
        ("Coverage is 97%.", "contradicted"),
        ("Die Abdeckung liegt bei 97 %.", "contradicted"),
    ],
)
def test_coverage_is_what_a_run_printed(report, status, output):
    assert ruled(report, output, command="go test -cover ./...") == [status]


@pytest.mark.parametrize(
    "report",
    ["Coverage must be at least 95%.", "Is coverage 97%?", "Coverage is about 95%.", "Coverage rose by 12%.", "The target coverage is 99%."],
)  # fmt: skip
def test_aims_and_differences_are_no_figures(report):
    assert ruled(report, GO) == []


def test_a_benchmark_figure_is_what_a_run_printed():
    assert ruled("The benchmark takes 812345 ns/op.", BENCH, command="go test -bench .") == ["supported"]
    assert ruled("Latency is 80 ms.", BENCH, command="go test -bench .") == ["supported"]
    assert ruled("Latency is 12 ms.", BENCH, command="go test -bench .") == ["contradicted"]


def test_a_figure_that_nobody_printed_or_may_have_printed_out_of_sight_cannot_be_said():
    assert ruled("Coverage is 97%.", "ok\n") == ["unverifiable"]
    assert ruled("Coverage is 97%.", GO, whole=False) == ["unverifiable"]
    assert ruled("Coverage is 97%.", GO, ToolCall("c2", "Task", {"prompt": "measure"})) == ["unverifiable"]
