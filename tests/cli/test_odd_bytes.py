"""Bytes that are no text, names that are no UTF-8, days at the end of time: one line that names the file, never a traceback."""

from __future__ import annotations

import json
import os
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import pytest

LATIN = "Das Café öffnet um neun.".encode("latin-1")
SHORT = {"subject": {"kind": "task_output", "text": "no"}, "criteria": [{"check": "min_length", "value": 30}]}
ODD_NAMES = [b"caf\xe9.json", b"clear\x1b[2Jscreen.json", b"two words, 100 %.json"]


@pytest.fixture
def odd(tmp_path):
    """Write a case that fails into a file of this name, and give the name as Python spells it."""

    def write(name):
        (tmp_path / os.fsdecode(name)).write_text(json.dumps(SHORT))
        return os.fsdecode(name)

    return write


@pytest.mark.parametrize("name", ODD_NAMES, ids=["no UTF-8", "control characters", "marks"])
class TestNames:
    def test_junit_stays_xml(self, cli, odd, tmp_path, name):
        assert cli("verify", odd(name), "--junit", "out.xml").exit_code == 1
        (test,) = ElementTree.parse(tmp_path / "out.xml").getroot().findall("testcase")
        assert test.get("file").endswith(".json")
        assert test.get("file").isprintable()

    def test_sarif_gives_the_very_bytes_as_a_uri(self, cli, odd, tmp_path, name):
        assert cli("verify", odd(name), "--sarif", "out.sarif").exit_code == 1
        (result,) = json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"]
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.isascii()
        assert " " not in uri
        assert unquote_to_bytes(uri) == name

    def test_an_annotation_is_one_workflow_command(self, cli, odd, tmp_path, name):
        assert cli("verify", odd(name), "--annotations", "out.txt").exit_code == 1
        (line,) = (tmp_path / "out.txt").read_text().splitlines()
        assert line.startswith("::error file=")
        assert line.isprintable()
        assert line.partition("::error ")[2].partition("::")[0].count(",") == 2, "file, line and title, no more"

    def test_a_batch_reads_it_as_any_other(self, cli, odd, tmp_path, name):
        assert cli("batch", odd(name), "out.jsonl", "--quiet", "--fail-on", "never").exit_code == 0
        assert json.loads((tmp_path / "out.jsonl").read_text())["outcome"] == "fail"


def test_a_row_of_such_a_file_that_is_no_case_says_where_it_stands(cli, tmp_path):
    (tmp_path / os.fsdecode(b"caf\xe9.jsonl")).write_text("oops\n")
    assert cli("batch", os.fsdecode(b"caf\xe9.jsonl"), "out.jsonl", "--quiet").exit_code == 2
    assert json.loads((tmp_path / "out.jsonl").read_text())["at"] == "caf\\xe9.jsonl:1"


def test_the_page_and_the_summary_hold_a_name_that_is_no_utf8(cli, odd, tmp_path):
    cli("verify", odd(ODD_NAMES[0]), "--html", "out.html", "--summary", "out.md")
    assert "caf�.json" in (tmp_path / "out.md").read_text(encoding="utf-8").replace("\\", "")
    assert "at least 30 are asked for" in (tmp_path / "out.html").read_text(encoding="utf-8")


class TestStandardInput:
    @pytest.mark.parametrize("command", ["check", "correct"])
    def test_an_answer_in_another_encoding_is_refused_with_the_fix(self, cli, command):
        done = cli(command, "--answer", "-", "--text", "The café opens at nine.", stdin=LATIN)
        assert done.complaint.startswith("--answer -: standard input is not UTF-8")
        assert done.complaint.endswith("send it as UTF-8")

    def test_an_answer_with_a_mark_and_line_ends_of_windows_is_the_same_answer(self, cli, rules):
        plain = cli("check", "-a", "-", "-t", "It opens at nine.", "--json", stdin=b"It opens at nine.\n")
        marked = cli(
            "check", "-a", "-", "-t", "It opens at nine.", "--json", stdin=b"\xef\xbb\xbfIt opens at nine.\r\n"
        )
        assert json.loads(plain.stdout)["case_digest"] == json.loads(marked.stdout)["case_digest"]

    def test_the_text_of_a_pull_request_is_read_as_far_as_it_goes(self, cli):
        assert "git" in cli("pull-request", "-", "--base", "main", stdin=LATIN).complaint, "it got as far as git"

    def test_a_report_is_read_as_far_as_it_goes(self, cli):
        assert cli("verify", "--report", "-", stdin=LATIN).exit_code == 4


@pytest.fixture
def rules(tmp_path):
    """Answers read by rules alone: no model is loaded."""
    (tmp_path / "witnessmark.toml").write_text('[verification]\nmodel = "rules"\n')


BAD_FILES = {
    "latin.jsonl": b'{"case": "caf\xe9", "outcome": "pass"}\n',
    "binary.jsonl": b"\xff\xfe\x00\n",
    "list.jsonl": b"[1]\n",
    "half.json": b'{"summary": ',
    "broken.toml": b"= nothing",
    "done.toml": b'[[file]]\npath = "a.txt"\n',
    "done.toml.lock": b"\xff\xfe",
}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("records", "import", "latin.jsonl"), "latin.jsonl: line 1: "),
        (("records", "import", "binary.jsonl"), "binary.jsonl: line 1: not a line of `witnessmark records export`"),
        (("records", "import", "list.jsonl"), "list.jsonl: line 1: the value: must be an object"),
        (("calibrate", "fit", "--data", "binary.jsonl"), "binary.jsonl: line 1: not JSON"),
        (("calibrate", "fit", "--data", "latin.jsonl"), "latin.jsonl: line 1: case: unknown field"),
        (("experiment", "latin.jsonl", "latin.jsonl"), "latin.jsonl: line 1 is not a record"),
        (("experiment", "task", "task", "ok.json", "--labels", "latin.jsonl"), "latin.jsonl: a line reads"),
        (("experiment", "kind.jsonl", "kind.jsonl"), "kind.jsonl: line 1 is not a record (action: must be a text"),
        (("judges", "lint-examples", "broken.toml"), "broken.toml: examples: "),
        (("judges", "lint-examples", "binary.jsonl"), "binary.jsonl: cannot be read"),
        (("compare", "latin.jsonl", "binary.jsonl"), "latin.jsonl:1: is not a record"),
        (("report", "binary.jsonl"), "binary.jsonl:1: is not a record: not UTF-8: save the file as UTF-8"),
        (("verify", "--report", "half.json"), "half.json: not JSON: it ends before it is complete"),
        (("diff", "before.snap", "--claims", "half.json"), "half.json: not JSON"),
        (("diff", "before.snap", "--claims", "binary.jsonl"), "binary.jsonl: not UTF-8"),
        (("rerun",), "done.toml: was changed after it was fixed"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else "",
)
def test_a_file_of_the_wrong_kind_is_named_with_what_is_wrong(cli, tmp_path, arguments, said):
    for name, content in BAD_FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "ok.json").write_text(json.dumps(SHORT))
    (tmp_path / "kind.jsonl").write_text('{"case_id": "c1", "outcome": "pass", "action": 7}\n')
    cli("snapshot", "-o", "before.snap")
    assert said in cli(*arguments).complaint


@pytest.mark.parametrize("command", ["replay", "reverify"])
def test_a_case_given_beside_a_record_is_named_where_it_is_none(cli, verified, tmp_path, command):
    (tmp_path / "not.json").write_text("{oops")
    assert cli(command, verified()["id"], "--case", "not.json").complaint.startswith("not.json: not JSON")


def test_a_label_that_is_neither_pass_nor_fail_is_refused_with_its_case(cli, tmp_path):
    (tmp_path / "case.json").write_text(json.dumps(SHORT | {"id": "c1"}))
    (tmp_path / "labels.jsonl").write_text('{"case": "c1", "outcome": "perhaps"}\n')
    done = cli("experiment", "task", "task", "case.json", "--labels", "labels.jsonl")
    assert done.complaint == "labels.jsonl: outcome: 'perhaps' of case 'c1' is neither pass nor fail"


@pytest.mark.parametrize("period", [("--until", "9999-12-31"), ("--since", "0001-01-01")], ids=" ".join)
def test_a_report_reaches_to_either_end_of_the_calendar(cli, verified, tmp_path, period):
    verified()
    assert cli("report", "-o", "out.html", *period).exit_code == 0
    assert (tmp_path / "out.html").read_text().lower().startswith("<!doctype html>")


def test_asking_for_the_state_of_a_store_does_not_make_one(cli, tmp_path):
    done = cli("store", "status", "--store", f"sqlite:///{tmp_path}/s.db")
    assert done.exit_code == 1
    assert ": 0 schema steps done, " in done.stdout
    assert not (tmp_path / "s.db").exists()


def test_nor_the_folder_of_one(cli, tmp_path):
    done = cli("store", "status", "--store", f"sqlite:///{tmp_path}/new/s.db")
    assert f"there is no folder {tmp_path}/new" in done.complaint
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:hunter2@127.0.0.1:1/db", "postgresql://me:***@127.0.0.1:1/db"),
        ("postgresql://127.0.0.1:1/db?user=me&password=hunter2", "password=***"),
        ("postgresql://127.0.0.1:1/db?sslpassword=hunter2&connect_timeout=1", "sslpassword=***&connect_timeout=1"),
    ],
)
def test_a_password_is_shown_to_nobody_wherever_it_stands_in_the_url(cli, url, shown):
    told = cli("store", "status", "--store", url).complaint
    assert shown in told
    assert "hunter2" not in told


def test_a_list_that_is_nested_too_deeply_or_cut_is_told_as_a_case_is(cli, tmp_path):
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "cut.json").write_text('[{"goal": "g"}')
    assert cli("verify", "deep.json").stderr.startswith(
        "witnessmark: deep.json: JSON nested too deeply: flatten the data"
    )
    assert cli("verify", "cut.json").stderr.startswith("witnessmark: cut.json: not JSON: it ends before it is complete")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "odd.toml: cannot be read (No such file or directory); check the path"),
        (LATIN, "odd.toml: not UTF-8: save"),
    ],
)
def test_a_policy_that_cannot_be_read_says_why_in_words(cli, odd, tmp_path, content, said):
    if content is not None:
        (tmp_path / "odd.toml").write_bytes(content)
    assert cli("verify", odd("case.json"), "--policy", "odd.toml").complaint.startswith(said)
