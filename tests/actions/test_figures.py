"""Coverage and benchmark figures of a report against what the runs in its trace printed."""

import pytest

from witnessmark.actions.claims.collect import hold_all, in_words
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.tree.view import TreeState

GO = "ok  \texample.org/a\t0.01s\tcoverage: 92.4% of statements\n"
PYTEST = "Name    Stmts   Miss  Cover\nsrc/a.py   10   1   90%\nTOTAL       25      2    92%\n5 passed in 0.1s\n"
JEST = "----------|---------|\nAll files |   92.41 |    88.2 |\nTests: 5 passed, 5 total\n"
BENCH = "BenchmarkParse-8   1000   812345 ns/op\nlatency p95 79.6 ms\n"


def ruled(report, output, *more, command="make cover", whole=True):
    call = ToolCall("c1", "bash", {"command": command}, output, 0, True)
    claims = [claim for claim in in_words(Report(report)) if claim.role in ("coverage", "bench")]
    rulings = hold_all(claims, TreeState(), Trace("t", (call, *more), whole=whole), "", Report(report))
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
    assert ruled("Latency is 12 ms.", BENCH, command="go test -bench .") == ["unverifiable"]
    assert ruled("The benchmark takes 612345 ns/op.", BENCH, command="go test -bench .") == ["contradicted"]


def test_a_figure_that_nobody_printed_or_may_have_printed_out_of_sight_cannot_be_said():
    assert ruled("Coverage is 97%.", "ok\n") == ["unverifiable"]
    assert ruled("Coverage is 97%.", GO, whole=False) == ["unverifiable"]
    assert ruled("Coverage is 97%.", GO, ToolCall("c2", "Task", {"prompt": "measure"})) == ["unverifiable"]


FILES = (
    "File      | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s\n----------|---------|---------|---|---|---\n"
    "All files |      90 |    85.71 |     100 |      90 |\n tax.ts   |      80 |       75 |     100 |      82 | 9\n"
)


class TestCoverageOfOneFile:
    """A figure that is told of one file is held against the row of that file, and of the column that is named."""

    @pytest.mark.parametrize(
        ("told", "status"),
        [
            ("Coverage of `src/tax.ts` is now 82 % of lines.", "supported"),
            ("Coverage of `src/tax.ts` is now 100 % of lines.", "contradicted"),
            ("Coverage of `src/tax.ts` is now 100 % of functions.", "supported"),
            ("Die Abdeckung von `tax.ts` liegt bei 90 % der Zeilen.", "contradicted"),
            ("La couverture de `tax.ts` est de 100 % des lignes.", "contradicted"),
            ("La couverture de `tax.ts` est de 82 % des lignes.", "supported"),
            ("La cobertura de `tax.ts` es del 100 % de las líneas.", "contradicted"),
            ("Coverage of `other.ts` is 100 % of lines.", "unverifiable"),
        ],
    )
    def test_by_the_table_that_the_run_printed(self, told, status):
        assert ruled(told, FILES) == [status]

    def test_a_table_without_bars(self):
        assert ruled("Coverage of `src/a.py` is 90 %.", PYTEST) == ["supported"]
        assert ruled("Coverage of `src/a.py` is 97 %.", PYTEST) == ["contradicted"]
