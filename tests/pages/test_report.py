"""`witnessmark report`: one file, for a period of a store or for the output of a batch, that asks nobody for anything."""

from __future__ import annotations

import re

import msgspec
import pytest
from typer.testing import CliRunner

from witnessmark.cli.app import command_line

pytestmark = pytest.mark.usefixtures("filled")


def run(*args):
    return CliRunner().invoke(command_line(), [str(arg) for arg in args])


def test_the_report_of_a_period_holds_the_dashboards_plots(filled, tmp_path):
    done = run("report", "--store", filled, "-o", tmp_path / "r.html")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    for title in (
        "Outcomes over time",
        "Average score by complexity",
        "Retry success by issue",
        "What to look at first",
    ):
        assert title in page
    assert page.count("data-chart=") == 3
    assert "uPlot" in page


def test_nothing_is_asked_of_another_file_or_host(filled, tmp_path):
    run("report", "--store", filled, "-o", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert not re.search(r'(?:src|href)="(?!#)[^"]', page)
    assert "@import" not in page
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert "unsafe" not in policy.group(1)


def test_days_are_told_apart(filled, tmp_path):
    early = run(
        "report", "--store", filled, "--since", "2001-01-01", "--until", "2001-01-31", "-o", tmp_path / "r.html"
    )
    assert early.exit_code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert re.search(r"<dt>Verified</dt><dd class=\"value\">0</dd>", page)


def test_wrong_days_are_told():
    assert "2026-01-31" in str(run("report", "--since", "yesterday").exception)
    assert "before" in str(run("report", "--since", "2026-02-01", "--until", "2026-01-01").exception)


def test_the_report_of_a_batch(root, tmp_path):
    lines = tmp_path / "out.jsonl"
    lines.write_text(
        run("verify", "--json", "--store", "memory:", *sorted((root / "examples/cases").glob("answer-*.json"))).stdout
    )
    with lines.open("a") as more:
        more.write('{"row": 9, "at": "cases.jsonl:9", "error": "no case"}\n')
    assert run("report", lines, "-o", tmp_path / "r.html").exit_code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "out.jsonl, 2 records" in page
    assert "answer-wrong-figure" in page
    by_complexity = re.search(r"Average score by complexity</h2>.*?</ul>", page, re.DOTALL).group()
    assert "medium" not in by_complexity, "records do not say how complex their cases were"

    import pyarrow
    from pyarrow import parquet

    records = [line for line in lines.read_text().splitlines() if "error" not in msgspec.json.decode(line)]
    parquet.write_table(pyarrow.table({"record": [*records, None]}), tmp_path / "out.parquet")
    assert run("report", tmp_path / "out.parquet", "-o", tmp_path / "p.html").exit_code == 0
    assert "answer-wrong-figure" in (tmp_path / "p.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "told"), [("", "no record"), ('{"id": 1}\n', "is not a record"), ("nonsense\n", "is not a record")]
)
def test_a_file_that_holds_none_is_told(tmp_path, text, told):
    (tmp_path / "x.jsonl").write_text(text)
    assert told in str(run("report", tmp_path / "x.jsonl").exception)
