"""`witnessmark verify` as a person and a script use it, in a process of its own."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from xml.etree import ElementTree

import pytest

PASS = {
    "id": "good",
    "subject": {"kind": "task_output", "text": "All is well."},
    "criteria": [{"check": "min_length", "value": 5}],
}
FAIL = {
    "id": "bad",
    "subject": {"kind": "task_output", "text": "No"},
    "criteria": [{"check": "min_length", "value": 5}],
}
PARTIAL = {
    "id": "half",
    "subject": {"kind": "task_output", "text": "All is well."},
    "criteria": [{"check": "min_length", "value": 5}, "Is kind."],
}
UNVERIFIED = {"id": "open", "subject": {"kind": "task_output", "text": "All is well."}, "criteria": ["Is kind."]}


@pytest.fixture
def cli(tmp_path, warm):
    """Run the command line in a folder of its own, with a store of its own."""

    def run(*arguments, stdin=None, text=True):
        environment = {**os.environ, "WITNESSMARK_STORE": f"sqlite:///{tmp_path}/store.db", "COLUMNS": "200"}
        return subprocess.run(
            [*warm, "-m", "witnessmark", *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            input=stdin,
            capture_output=True,
            text=text,
            check=False,
        )

    return run


@pytest.fixture
def write(tmp_path):
    def save(name, *cases):
        path = tmp_path / name
        path.write_text("\n".join(json.dumps(case) for case in cases), encoding="utf-8")
        return path

    return save


@pytest.mark.parametrize(("case", "code"), [(PASS, 0), (FAIL, 1), (PARTIAL, 3), (UNVERIFIED, 4)])
def test_the_exit_code_says_how_it_went(cli, write, case, code):
    assert cli("verify", write("case.json", case)).returncode == code


@pytest.mark.parametrize(
    ("cases", "code"),
    [
        ([PASS, PARTIAL], 3),
        ([PASS, PARTIAL, UNVERIFIED], 4),
        ([PASS, PARTIAL, UNVERIFIED, FAIL], 1),
        ([PASS, FAIL, {"no": "case"}], 2),
        ([PASS, PASS], 0),
    ],
)
def test_with_several_cases_the_worst_counts(cli, write, cases, code):
    assert cli("verify", write("cases.jsonl", *cases)).returncode == code


def test_a_table_with_the_first_reason(cli, write):
    done = cli("verify", write("cases.jsonl", PASS, FAIL))
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["case", "checkpoint", "outcome", "action", "score", "confidence", "coverage", "reason"]
    assert lines[1].split(None, 7) == ["good", "task", "pass", "accept", "1.00", "1.00", "1.00", "score 1 reaches 0.7"]
    assert lines[2].split(None, 7) == [
        "bad",
        "task",
        "fail",
        "retry",
        "0.00",
        "1.00",
        "1.00",
        "2 characters, at least 5 are asked for",
    ]
    assert "\x1b[" not in done.stdout


def test_one_case_shows_its_findings_and_what_to_do(cli, write):
    out = cli("verify", write("case.json", FAIL)).stdout
    assert "the text has 2 characters; at least 5 are asked for" in out
    assert "→ Add at least 3 characters." in out
    assert "retry: min_length; attempt 1 of 3 · record " in out


def test_json_is_one_record_a_line_and_nothing_else(cli, write):
    done = cli("verify", write("cases.jsonl", PASS, FAIL), "--json")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(r["case_id"], r["outcome"]) for r in records] == [("good", "pass"), ("bad", "fail")]
    assert done.stderr == ""


def test_standard_input_and_arrays_and_lines(cli):
    assert cli("verify", "-", stdin=json.dumps(PASS, indent=2)).returncode == 0
    assert cli("verify", "-", stdin=json.dumps(PASS) + "\n" + json.dumps(FAIL)).returncode == 1
    assert len(cli("verify", "-", "--json", stdin=json.dumps([PASS, FAIL])).stdout.splitlines()) == 2


class TestBadInput:
    """One clear line with what to do, exit 2, and the other cases still verified."""

    @pytest.mark.parametrize(
        ("content", "complaint"),
        [
            (b"not json at all", "not JSON"),
            (b'{"subject": {"kind": "answer", "text": "\xff"}}', "not UTF-8"),
            (b"", "not JSON: the input is empty"),
            (b"[1, 2", "not JSON"),
            (b'{"subject": {"kind": "answer", "text": "x"}, "extra": 1}', "extra: unknown field"),
            (
                b'{"subject": {"kind": "answer", "text": "x"}, "checkpoint": "anwser"}',
                "unknown checkpoint 'anwser'; did you mean answer?",
            ),
            (
                b'{"subject": {"kind": "answer", "text": "x"}, "checkpoint": "task"}',
                "checkpoint 'task' takes task_output or agent_output, not answer",
            ),
            (
                b'{"subject": {"kind": "answer", "text": "x"}, "context": {"policy": {"pass_treshold": 1}}}',
                "unknown field 'pass_treshold'",
            ),
            (b'"just a string"', "the value: must be an object, not a text"),
        ],
    )
    def test_of_a_file(self, cli, write, tmp_path, content, complaint):
        (tmp_path / "bad.json").write_bytes(content)
        done = cli("verify", "bad.json", write("good.json", PASS))
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert line.startswith("witnessmark: bad.json")
        assert complaint in line
        assert "good" in done.stdout
        assert "pass" in done.stdout

    def test_a_directory_a_missing_file_and_nothing_at_all(self, cli, tmp_path):
        (tmp_path / "folder").mkdir()
        done = cli("verify", "folder", "missing.json")
        assert done.returncode == 2
        assert "folder: is a folder without a case file" in done.stderr
        assert "missing.json: there is no such file" in done.stderr
        assert cli("verify").returncode == 2
        assert cli("verify", "-", stdin="").returncode == 2

    def test_a_folder_is_the_case_files_in_it(self, cli, write, tmp_path):
        (tmp_path / "folder" / "below").mkdir(parents=True)
        write("folder/b.json", PASS)
        write("folder/below/a.json", FAIL)
        (tmp_path / "folder" / "notes.md").write_text("no case")
        done = cli("verify", "folder")
        assert done.returncode == 1
        assert "2 cases: 1 pass · 1 fail" in done.stdout

    def test_fifty_megabytes(self, cli, tmp_path):
        (tmp_path / "big.json").write_bytes(b'{"subject": {"kind": "answer", "text": "' + b"x" * 50_000_000 + b'"}}')
        done = cli("verify", "big.json")
        assert done.returncode == 2
        assert "50 MB are more than a case may have (34 MB)" in done.stderr

    def test_a_bad_line_of_many_names_its_number(self, cli, tmp_path):
        (tmp_path / "cases.jsonl").write_text(json.dumps(PASS) + "\n{oops\n" + json.dumps(PASS))
        done = cli("verify", "cases.jsonl", "--json")
        assert done.returncode == 2
        assert "cases.jsonl:2: not JSON" in done.stderr
        assert len(done.stdout.splitlines()) == 2

    def test_wrong_options(self, cli, write):
        case = write("case.json", PASS)
        for arguments, complaint in [
            (["verify", case, "--config", "nope.toml"], "there is no such file"),
            (["verify", case, "--checkpoint", "nope"], "unknown checkpoint 'nope'"),
            (["verify", case, "--store", "nope://x"], "write sqlite:///path"),
            (["verify", case, "--policy", "nope.toml"], "cannot be read"),
            (["nope"], "No such command"),
        ]:
            done = cli(*arguments)
            assert done.returncode == 2, arguments
            assert complaint in done.stderr

    def test_a_report_that_cannot_be_written(self, cli, write):
        done = cli("verify", write("case.json", PASS), "--junit", "no/such/folder/x.xml")
        assert (done.returncode, "there is no folder no/such/folder" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("pass_treshold = 0.5", "mine.toml: pass_treshold: unknown field 'pass_treshold'; did you mean pass_threshold"),
        ('profile = "original', "mine.toml: not TOML: "),
        ("pass_threshold = 5", "mine.toml: pass_threshold: must be a number of at most 1"),
        ("pass_threshold = 0.1", "mine.toml: retry_threshold: 0.5 lies above pass_threshold 0.1; set both"),
    ],
    ids=["unknown field", "no TOML", "wrong value", "one above the other"],
)
def test_what_is_wrong_with_a_policy_file_is_told_by_its_name(cli, write, tmp_path, content, said):
    (tmp_path / "mine.toml").write_text(content)
    case = write("case.json", {"subject": {"kind": "task_output", "text": "x"}, "criteria": [{"check": "not_empty"}]})
    done = cli("verify", case, "--policy", "mine.toml")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith(f"witnessmark: {said}")


def test_what_is_wrong_with_the_settings_is_not_told_of_the_policy_file(cli, write, tmp_path):
    (tmp_path / "witnessmark.toml").write_text("[policy]\npass_treshold = 0.5\n")
    (tmp_path / "mine.toml").write_text("pass_threshold = 0.9\n")
    case = write("case.json", {"subject": {"kind": "task_output", "text": "x"}})
    assert cli("verify", case, "--policy", "mine.toml").stderr.startswith(
        "witnessmark: witnessmark.toml: policy.pass_treshold: unknown field"
    )


def test_a_policy_file_is_the_mission_layer(cli, write, tmp_path):
    (tmp_path / "witnessmark.toml").write_text("[policy]\npass_threshold = 0.6\nmax_revisions = 7\n")
    (tmp_path / "mission.yaml").write_text("pass_threshold: 0.95\n")
    case = PASS | {
        "criteria": [
            {"check": "min_length", "value": 5, "weight": 9},
            {"check": "min_length", "value": 500, "must_pass": False},
        ]
    }
    assert cli("verify", write("case.json", case)).returncode == 0
    done = cli("verify", write("case.json", case), "--policy", "mission.yaml", "--json")
    record = json.loads(done.stdout)
    assert (done.returncode, record["outcome"]) == (3, "partial")
    assert record["policy"]["layers"] == {"pass_threshold": "mission", "max_revisions": "workspace"}


def test_a_wrong_settings_file_is_named_with_the_field(cli, write, tmp_path):
    (tmp_path / "witnessmark.toml").write_text("[limits]\ncase_seconds = 3\n")
    done = cli("verify", write("case.json", PASS))
    assert done.returncode == 2
    assert "witnessmark.toml: limits.case_seconds: unknown field" in done.stderr
    (tmp_path / "witnessmark.toml").write_text("[limits\n")
    assert cli("verify", write("case.json", PASS)).returncode == 2


def test_a_dry_run_says_what_it_would_do_and_keeps_nothing(cli, write):
    done = cli("verify", write("cases.jsonl", PASS, PARTIAL), "--dry-run")
    assert done.returncode == 0
    assert "cases.jsonl:1: task: not_empty, min_length" in done.stdout
    assert "rubric*" in done.stdout
    assert "2 cases, 3 checks that ask a judge (*)" in done.stdout
    assert "nothing verified yet" in cli("records").stdout


def test_a_dry_run_for_scripts_is_one_object_a_case(cli, write):
    done = cli("verify", write("cases.jsonl", PASS, PARTIAL), "--dry-run", "--json")
    assert done.returncode == 0
    first, second = [json.loads(line) for line in done.stdout.splitlines()]
    assert first["at"].endswith("cases.jsonl:1")
    assert (first["case_id"], first["checkpoint"]) == (PASS["id"], "task")
    assert {"check": "min_length", "cost": "instant"} in first["checks"]
    assert {"check": "rubric", "cost": "paid"} in second["checks"]
    assert second["asked"]["most_calls"] == 0, "no judge is configured"


def test_junit_counts_failures_and_errors(cli, write, tmp_path):
    (tmp_path / "bad.json").write_text("oops")
    cli("verify", write("cases.jsonl", PASS, FAIL, PARTIAL, UNVERIFIED), "bad.json", "--junit", "report.xml")
    suite = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "2", "2")
    failure = suite.find("testcase[@name='bad']/failure")
    assert failure.get("message") == "2 characters, at least 5 are asked for"


def test_sarif_fits_its_shape(cli, write, tmp_path):
    cli("verify", write("cases.jsonl", PASS, FAIL), "--sarif", "report.sarif")
    log = json.loads((tmp_path / "report.sarif").read_text())
    (result,) = log["runs"][0]["results"]
    assert log["version"] == "2.1.0"
    assert (result["ruleId"], result["level"]) == ("wrong_length", "error")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("cases.jsonl")
    assert place["region"]["startLine"] == 2
    assert [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]] == ["wrong_length"]


HOSTILE = "<script>alert(1)</script> \x1b[31mred\x1b[0m \u202eevil\r\nfake: line"


def test_hostile_text_cannot_forge_output(cli, write, tmp_path):
    case = {
        "id": "x",
        "subject": {"kind": "task_output", "text": f"[insert {HOSTILE} here]"},
        "criteria": [{"check": "no_placeholders"}, {"check": "url_valid", "value": {"min": 0}}],
    }
    case["subject"]["text"] = "Visit http://" + "\x1b[31m" + "<script>alert(1)</script> now"
    done = cli("verify", write("case.json", case), "--html", "page.html", "--junit", "r.xml")
    assert "\x1b" not in done.stdout
    page = (tmp_path / "page.html").read_text()
    assert "<script>" not in page
    ElementTree.parse(tmp_path / "r.xml")


def test_html_is_one_file_that_asks_nobody(cli, write, tmp_path):
    cli("verify", write("cases.jsonl", PASS, FAIL), "--html", "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "2 characters, at least 5 are asked for" in page
    for outside in ("http://", "https://", "<script", "<link", "@import"):
        assert outside not in page


def test_on_a_terminal_it_is_drawn_in_colour(cli, write, tmp_path):
    main, other = pty.openpty()
    environment = {**os.environ, "WITNESSMARK_STORE": "memory:", "TERM": "xterm-256color", "COLUMNS": "120"}
    process = subprocess.Popen(
        [sys.executable, "-m", "witnessmark", "verify", str(write("c.jsonl", PASS, FAIL))],
        stdout=other,
        stderr=other,
        env=environment,
    )
    os.close(other)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    process.wait()
    os.close(main)
    assert b"\x1b[32m" in shown
    assert b"\x1b[31m" in shown


def test_help_for_every_command(cli):
    top = cli("--help").stdout
    for command in ("init", "verify", "checks", "checkpoints", "schema", "records", "show", "replay", "doctor"):
        assert command in top
        assert "Usage:" in cli(command, "--help").stdout
    assert "--show-completion" in top


def test_yaml_cases_with_the_names_people_use(cli, tmp_path):
    (tmp_path / "cases.yaml").write_text(
        "id: right\nquestion: When does the library open?\nanswer: The library opens at 9.\n"
        "sources: [The library opens at 9.]\ncriteria: [{check: min_length, value: 5}]\n"
        "---\n"
        "id: short\ninput: When?\noutput: At 9\ndocuments: [The library opens at 9.]\n"
        "criteria: [{check: min_length, value: 50}]\n",
        encoding="utf-8",
    )
    done = cli("verify", "cases.yaml", "--json")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["case_id"], one["outcome"]) for one in told] == [("right", "pass"), ("short", "fail")]
    assert done.returncode == 1
    assert cli("batch", "cases.yaml", "out.jsonl", "--quiet").returncode == 1
    written = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in written] == [one["id"] for one in told]


def test_a_yaml_file_that_is_none_says_so(cli, tmp_path):
    (tmp_path / "bad.yaml").write_text("answer: [", encoding="utf-8")
    done = cli("verify", "bad.yaml")
    assert done.returncode == 2
    assert "bad.yaml: not YAML" in done.stderr
