"""What `verify` writes for other tools: JUnit, SARIF, HTML, a summary for a job, annotations; and `-` for standard output."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest


def case(name, text, *criteria):
    return {"id": name, "subject": {"kind": "task_output", "text": text}, "criteria": list(criteria)}


LONG, SHORT = {"check": "min_length", "value": 5}, {"check": "min_length", "value": 500, "must_pass": False}
CASES = [
    case("fine", "long enough", LONG),
    case("wrong", "no", LONG),
    case("half", "long enough", LONG, SHORT),
    case("open", "long enough", "It is written in a friendly tone."),
]


@pytest.fixture
def written(cli, tmp_path):
    """Verify one case of each outcome and a file that is no case, and give what was written to a file of this name."""
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, CASES)))
    (tmp_path / "bad.json").write_text("oops")

    def run(option, name, *more):
        done = cli("verify", "cases.jsonl", "bad.json", option, name, *more)
        assert done.exit_code == 2, "the file that is no case counts most"
        return done.stdout if name == "-" else (tmp_path / name).read_text(encoding="utf-8")

    return run


class TestJunit:
    def test_fail_and_partial_are_failures_unverified_and_bad_input_are_errors(self, written):
        suite = ElementTree.fromstring(written("--junit", "out.xml"))
        told = {test.get("name"): [child.tag for child in test] for test in suite}
        assert told == {"fine": [], "wrong": ["failure"], "half": ["failure"], "open": ["error"], "bad.json": ["error"]}
        assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "2", "2")

    def test_each_says_where_its_case_stands_and_why(self, written):
        suite = ElementTree.fromstring(written("--junit", "out.xml"))
        wrong = suite.find("testcase[@name='wrong']")
        assert wrong.get("file") == "cases.jsonl:2"
        assert wrong.get("classname") == "task"
        assert "at least 5 are asked for" in wrong.find("failure").get("message")
        assert wrong.find("failure").text.strip()
        assert "not JSON" in suite.find("testcase[@name='bad.json']/error").get("message")

    def test_a_dash_is_standard_output(self, written):
        told = written("--junit", "-", "--json")
        assert ElementTree.fromstring(told[told.index("<?xml") :]).get("tests") == "5"


class TestSarif:
    @pytest.fixture
    def run(self, written):
        (made,) = json.loads(written("--sarif", "out.sarif"))["runs"]
        return made

    def test_every_finding_is_a_result_with_line_level_and_record(self, run):
        places = {
            (
                result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
                result["locations"][0]["physicalLocation"]["region"]["startLine"],
            ): result
            for result in run["results"]
        }
        assert set(places) == {("cases.jsonl", 2), ("cases.jsonl", 3), ("cases.jsonl", 4), ("bad.json", 1)}
        assert places["cases.jsonl", 2]["level"] == "error"
        assert len(places["cases.jsonl", 2]["partialFingerprints"]["witnessmarkRecord"]) == 64
        assert "partialFingerprints" not in places["bad.json", 1], "no record was made of it"

    def test_what_could_not_be_verified_is_a_warning_that_says_so(self, run):
        lines = {one["locations"][0]["physicalLocation"]["region"]["startLine"]: one for one in run["results"]}
        assert lines[4]["level"] == "warning"
        assert "needs a judge, and none is configured" in lines[4]["message"]["text"]

    def test_every_rule_that_a_result_names_is_listed_once(self, run):
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert rules == sorted({result["ruleId"] for result in run["results"]})

    def test_the_place_in_a_list_is_left_out_of_the_name(self, cli, tmp_path):
        (tmp_path / "list.json").write_text(json.dumps(CASES[:2]))
        cli("verify", "list.json", "--sarif", "out.sarif")
        (result,) = json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "list.json"


class TestSummary:
    def test_the_worst_stands_first_and_all_are_counted(self, written):
        told = written("--summary", "out.md")
        rows = [line.split(" | ") for line in told.splitlines() if line.startswith("| ")]
        assert told.startswith("### Witnessmark: 1 pass · 1 fail · 1 partial · 1 unverified · 1 unreadable\n")
        assert [row[0] for row in rows[1:]] == ["| wrong", "| open", "| half", "| fine"]
        assert "- **unreadable** bad\\.json: not JSON" in told

    def test_steps_of_one_job_write_one_after_the_other(self, written):
        assert written("--summary", "out.md").count("### Witnessmark") == 1
        assert written("--summary", "out.md").count("### Witnessmark") == 2

    def test_text_that_was_judged_cannot_draw_a_table_or_a_link_of_its_own(self, cli, tmp_path):
        evil = "a|b [x](http://evil.example) <img src=x> `c` **d**"
        (tmp_path / "evil.json").write_text(json.dumps(case(evil, "no", LONG)))
        cli("verify", "evil.json", "--summary", "out.md")
        told = (tmp_path / "out.md").read_text()
        (row,) = (line for line in told.splitlines() if line.startswith("| a"))
        assert not re.search(r"(?<!\\)(\[|`|<(?!br>))", told)
        assert "a\\|b" in row

    def test_a_place_that_cannot_be_written_is_named(self, cli, tmp_path):
        (tmp_path / "ok.json").write_text(json.dumps(CASES[0]))
        (tmp_path / "folder").mkdir()
        done = cli("verify", "ok.json", "--summary", "folder")
        assert done.complaint.startswith("folder: the summary cannot be written (Is a directory)")


class TestAnnotations:
    def test_one_workflow_command_for_each_finding_with_its_place(self, written):
        lines = written("--annotations", "out.txt").splitlines()
        assert len(lines) == 4
        assert lines[0].startswith("::error file=cases.jsonl,line=2,title=Witnessmark%3A wrong_length::")
        assert any(line.startswith("::warning file=cases.jsonl,line=4") for line in lines)

    def test_a_finding_cannot_end_its_command_and_begin_another(self, cli, tmp_path):
        text = "Call [insert name\r\n::error file=x::hacked 100%] today."
        (tmp_path / "evil.json").write_text(json.dumps(case("evil", text, {"check": "no_placeholders"})))
        assert cli("verify", "evil.json", "--annotations", "out.txt").exit_code == 1
        lines = (tmp_path / "out.txt").read_text().splitlines()
        assert all(line.startswith("::error file=evil.json,line=1,") for line in lines)


class TestHtml:
    def test_each_case_stands_there_with_its_outcome_and_reason(self, written):
        page = written("--html", "out.html")
        for words in ("wrong", "at least 5 are asked for", "unverified", "bad.json", "not JSON"):
            assert words in page
        assert "<script" not in page
        assert 'http-equiv="Content-Security-Policy"' in page

    def test_an_answer_is_shown_with_its_claims_marked(self, cli, tmp_path):
        (tmp_path / "witnessmark.toml").write_text('[verification]\nmodel = "rules"\n')
        answer = {"question": "Sales?", "answer": "Sales grew by 40 %.", "sources": ["Sales grew by 14 %."]}
        (tmp_path / "answer.json").write_text(json.dumps(answer))
        cli("verify", "answer.json", "--html", "out.html")
        page = (tmp_path / "out.html").read_text()
        assert 'data-claims="1"' in page
        assert "14 %" in page

    def test_an_answer_that_is_not_kept_is_not_in_the_page_either(self, cli, tmp_path):
        (tmp_path / "witnessmark.toml").write_text('[content]\nkeep = "digest"\n[verification]\nmodel = "rules"\n')
        answer = {"question": "Sales?", "answer": "Sales of zanzibar grew by 40 %.", "sources": ["Sales grew by 14 %."]}
        (tmp_path / "answer.json").write_text(json.dumps(answer))
        done = cli("verify", "answer.json", "--html", "out.html")
        assert done.exit_code == 1
        assert "data-claims" not in (tmp_path / "out.html").read_text()


@pytest.mark.parametrize("option", ["--junit", "--sarif", "--html", "--annotations", "--summary", "--store"])
def test_a_folder_that_is_not_there_is_named_before_anything_is_verified_and_is_not_made(cli, tmp_path, option):
    (tmp_path / "ok.json").write_text(json.dumps(CASES[0]))
    done = cli("verify", "ok.json", option, "no/such/file")
    assert done.complaint == f"{option} no/such/file: there is no folder no/such; make it first, or choose another path"
    assert "pass" not in done.output
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "a.jsonl", "b.jsonl", "--html"],
        ["run", "suite.yaml", "--html"],
        ["report", "--output"],
        ["snapshot", "--output"],
        ["import", "promptfoo", "a.yaml", "--output"],
        ["rerun", "--output"],
    ],
    ids=lambda words: words[0],
)
def test_so_it_is_with_every_file_that_is_written(cli, words):
    done = cli(*words, "no/such/file")
    told = f"{words[-1]} no/such/file: there is no folder no/such; make it first, or choose another path"
    assert done.complaint == told


@pytest.mark.parametrize("option", ["--junit", "--sarif", "--html", "--annotations"])
def test_a_place_that_cannot_be_written_is_named_with_the_fix(cli, tmp_path, option):
    (tmp_path / "ok.json").write_text(json.dumps(CASES[0]))
    (tmp_path / "folder").mkdir()
    done = cli("verify", "ok.json", option, "folder")
    assert done.complaint == "folder: the report cannot be written (Is a directory); choose another path"


WITHOUT_SERVICE = """
import sys
sys.modules |= dict.fromkeys(("starlette", "fastapi", "uvicorn", "python_multipart"))
from witnessmark.cli import main
main()
"""


@pytest.mark.parametrize("arguments", [("verify", "case.json", "--html", "out.html"), ("report", "-o", "out.html")])
def test_a_page_is_written_where_the_service_is_not_installed(tmp_path, store, arguments):
    """`make demo` installs none of what serves pages; a process of its own, since this one has loaded it."""
    (tmp_path / "case.json").write_text(json.dumps(CASES[0]))
    command = [sys.executable, "-c", WITHOUT_SERVICE, *arguments, "--store", store]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert "</html>" in (tmp_path / "out.html").read_text(encoding="utf-8")
