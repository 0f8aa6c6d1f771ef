"""The command line when the world is against it: full disks, closed pipes, odd files, words that mean nothing."""

from __future__ import annotations

import codecs
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from witnessmark.cli.output import screen

GOOD = {
    "id": "good",
    "subject": {"kind": "task_output", "text": "All is well."},
    "criteria": [{"check": "min_length", "value": 5}],
}


@pytest.fixture
def cli(tmp_path, warm):
    """Run in a process, a folder and with a store of its own; `out` is where standard output goes.

    With a place for standard output that is a real `python`, for what the interpreter does at its end belongs to it.
    """

    def run(*arguments, out=subprocess.PIPE, stdin=""):
        python = warm if out is subprocess.PIPE else [sys.executable]
        return subprocess.run(
            [*python, "-m", "witnessmark", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "WITNESSMARK_STORE": f"sqlite:///{tmp_path}/store.db"},
            input=stdin,
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    return run


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.json"
    path.write_text(json.dumps(GOOD), encoding="utf-8")
    return path


def one_line(done):
    """The complaint, which is one line that begins with our name."""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("witnessmark: ")
    return lines[0]


@pytest.mark.parametrize("command", [("verify", "good.json"), ("verify", "good.json", "--json"), ("schema", "case")])
def test_a_full_disk_under_standard_output_is_one_line(cli, good, command):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = cli(*command, out=full)
    assert done.returncode == 2
    assert "No space left" in one_line(done)


@pytest.mark.parametrize("command", [("verify", "good.json", "--json"), ("schema", "record")])
def test_a_closed_pipe_is_silent_and_says_neither_pass_nor_fail(cli, good, command):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        done = cli(*command, out=closed)
    assert done.returncode == 141
    assert done.stderr == ""


@pytest.mark.parametrize("command", [("records", "export"), ("metrics", "export")])
@pytest.mark.parametrize("place", ["/dev/full", "no-such-folder/x.jsonl"])
def test_an_export_that_cannot_be_written_is_one_line(cli, good, command, place):
    assert cli("verify", good).returncode == 0
    done = cli(*command, place)
    assert done.returncode == 2
    assert place in one_line(done)


def test_more_days_than_there_ever_were_are_all_days(cli, good):
    assert cli("verify", good).returncode == 0
    assert json.loads(cli("metrics", "--days", "1e300", "--json").stdout)["figures"]["pass_rate"]["n"] == 1


@pytest.mark.parametrize(("name", "text"), [("none.json", "[]"), ("none.jsonl", "\n \n"), ("none.jsonl", "")])
def test_a_file_without_a_case_is_named(cli, tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    done = cli("verify", name)
    assert done.returncode == 2
    assert f"{name}: holds no case" in one_line(done)


def test_a_file_without_a_case_counts_beside_one_with(cli, tmp_path, good):
    (tmp_path / "none.json").write_text("[]", encoding="utf-8")
    assert cli("verify", good, "none.json").returncode == 2


@pytest.mark.parametrize("name", ["mark.json", "mark.jsonl"])
def test_a_byte_order_mark_does_no_harm(cli, tmp_path, name):
    (tmp_path / name).write_bytes(codecs.BOM_UTF8 + json.dumps(GOOD).encode())
    assert cli("verify", name).returncode == 0
    assert cli("batch", name, "out.jsonl", "--quiet").returncode == 0


def test_another_encoding_is_named_with_the_fix(cli, tmp_path):
    (tmp_path / "wide.json").write_bytes(json.dumps(GOOD).encode("utf-16"))
    assert "wide.json: not UTF-8: save the file as UTF-8" in one_line(cli("verify", "wide.json"))


def test_a_tree_that_is_not_there_is_refused(cli, good):
    done = cli("verify", good, "--root", "nowhere")
    assert done.returncode == 2
    assert "--root nowhere: there is no such folder" in one_line(done)


@pytest.mark.parametrize(("option", "known"), [("--outcome", "pass, partial, fail"), ("--action", "accept, warn")])
def test_a_filter_that_means_nothing_is_refused(cli, good, option, known):
    done = cli("records", option, "banana")
    assert done.returncode == 2
    assert f"{option[2:]}: 'banana' is not one of {known}" in one_line(done)


def test_records_that_do_not_match_are_not_called_missing(cli, good):
    assert cli("verify", good).returncode == 0
    said = cli("records", "--outcome", "fail").stdout
    assert "no record matches" in said
    assert "nothing verified yet" not in said


def test_an_unknown_checkpoint_says_where_they_are_listed(cli, good):
    assert "`witnessmark checkpoints` lists" in one_line(cli("verify", good, "--checkpoint", "banana"))


@pytest.mark.parametrize(
    ("environment", "colour"), [({"TERM": "xterm"}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colour_is_for_those_who_want_it(monkeypatch, environment, colour):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert ("\x1b[" in screen.coloured("pass")) is colour


def test_an_interrupt_in_the_middle_of_anything_ends_with_our_own_code(tmp_path):
    """Of a module, CPython would end by the signal where the interrupt left code that was run from a string, as dataclasses are made."""
    program = "from witnessmark.cli import app\napp.command_line = lambda modules: lambda: exec('raise KeyboardInterrupt')\napp.run()\n"
    (tmp_path / "stopped.py").write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "stopped"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "witnessmark: interrupted\n")
