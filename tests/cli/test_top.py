"""`main`, as the shell calls it: what is printed where, and the exit code that scripts see."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import typer

from witnessmark.cli import main
from witnessmark.cli.app import COMMANDS, command_line, commands_for

CASE = {
    "id": "c1",
    "subject": {"kind": "task_output", "text": "hello"},
    "criteria": [{"check": "min_length", "value": 3}],
}


@pytest.fixture
def shell(monkeypatch, tmp_path, capsys):
    """Call `main` with these words in a folder of its own; gives exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WITNESSMARK_STORE", f"sqlite:///{tmp_path}/s.db")
    monkeypatch.setattr("threading.enumerate", list)  # checks of other tests may still be at work in this process
    (tmp_path / "case.json").write_text(json.dumps(CASE))

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["witnessmark", *map(str, words)])
        try:
            main()
            code = 0
        except SystemExit as exc:
            code = exc.code or 0
        return code, *capsys.readouterr()

    return call


def test_a_verdict_goes_to_standard_output_and_nothing_to_standard_error(shell):
    code, out, err = shell("verify", "case.json")
    assert (code, err) == (0, "")
    columns = ["case", "checkpoint", "outcome", "action", "score", "confidence", "coverage", "reason"]
    assert out.splitlines()[0].split() == columns


def test_what_is_refused_is_one_line_on_standard_error_and_2(shell):
    code, out, err = shell("verify", "case.json", "--checkpoint", "nowhere")
    assert (code, out) == (2, "")
    assert err.startswith("witnessmark: ")
    assert err.count("\n") == 1


def test_what_the_system_refuses_names_the_file_and_is_2(shell, tmp_path):
    code, out, err = shell("rerun", "--init", "--root", "nowhere")
    assert (code, out, err) == (2, "", "witnessmark: nowhere/done.toml: No such file or directory\n")


def test_an_option_that_is_none_is_2_and_says_where_help_is(shell):
    code, _, err = shell("verify", "case.json", "--jsno")
    assert code == 2
    assert "verify -h' for help." in err
    assert "No such option: --jsno (Possible options: --json" in err


def test_ctrl_c_is_130_and_no_traceback(shell, tmp_path, warm):
    program = "import asyncio, sys\ndef stopped(work):\n    work.close()\n    raise KeyboardInterrupt\n"
    program += (
        "asyncio.run = stopped\nfrom witnessmark.cli import main\nsys.argv[1:] = ['verify', 'case.json']\nmain()\n"
    )
    done = subprocess.run([*warm, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "witnessmark: interrupted\n")


def test_a_check_that_is_still_in_a_model_when_its_time_is_over_does_not_abort_the_program(tmp_path):
    """Python would end its thread inside of C++; here one that lasts past the end of Python stands in for it."""
    program = (
        "import atexit, sys, threading, time\n"
        "atexit.register(print, 'ended by Python')\n"
        "threading.Thread(target=time.sleep, args=[60], name='witnessmark-check', daemon=True).start()\n"
        "from witnessmark.cli import main\nsys.argv[1:] = ['--version']\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.startswith("witnessmark "), done.stderr) == (0, True, "")
    assert "ended by Python" not in done.stdout


def test_ctrl_c_while_it_starts_is_130_and_one_line(tmp_path):
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n")
    command = [sys.executable, "-m", "witnessmark", "check", "-q", "a", "-a", "Fine.", "-t", "All is fine."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "witnessmark: interrupted\n")


@pytest.mark.parametrize(
    ("words", "closed", "code", "said"),
    [
        (
            "check -a - -t Fine.",
            "<&-",
            2,
            "witnessmark: standard input is closed; send the text there, or name a file\n",
        ),
        ("mcp", "<&-", 2, "witnessmark: standard input is closed, and requests come from there; "),
        ("verify -", "<&-", 2, "witnessmark: -: cannot be read: standard input is closed; "),
        ("verify case.json", ">&-", 0, ""),
        ("check -a Fine. -t Fine.", "<&- >&- 2>&-", 0, ""),
    ],
)
def test_a_stream_that_is_closed_is_no_fault_and_no_verdict(shell, tmp_path, words, closed, code, said):
    command = f"exec {sys.executable} -m witnessmark {words} --store memory: {closed}"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == bool(said)


@pytest.mark.parametrize("words", [("-h",), ("--help",), ()], ids=["-h", "--help", "nothing"])
def test_help_lists_every_command_with_a_line_each(shell, words):
    code, out, err = shell(*words)
    assert code == (0 if words else 2)
    listed = (out + err).partition("Commands:")[2].splitlines()
    told = {line.split()[0]: line.split()[1:] for line in listed if line.startswith("  ") and line[2] != " "}
    assert {"verify", "check", "batch", "records", "hook", "rerun", "pull-request", "serve", "import"} <= set(told)
    assert all(told.values())


def test_the_version_is_one_line(shell):
    code, out, err = shell("--version")
    assert (code, err) == (0, "")
    assert out.split()[0] == "witnessmark"
    assert out.split()[1][0].isdigit()


def test_the_hook_has_help_of_its_own_that_lists_agents_and_options(shell):
    code, out, _ = shell("hook", "--help")
    assert code == 0
    for word in (
        "claude-code",
        "codex",
        "gemini",
        "cursor",
        "opencode",
        "copilot",
        "--before",
        "--probes",
        "--seconds",
    ):
        assert word in out


def test_a_hook_called_wrongly_lets_the_agent_through(shell):
    code, out, err = shell("hook", "claude-code", "--bogus")
    assert code == 0
    assert "UNVERIFIED" in json.loads(out)["systemMessage"]
    assert "wrong usage" in err


@pytest.mark.parametrize(
    ("outcome", "code"), [("pass", 0), ("fail", 1), ("partial", 3), ("unverified", 4)], ids=lambda part: str(part)
)
def test_each_outcome_has_its_exit_code(shell, tmp_path, outcome, code):
    criteria = {
        "pass": [{"check": "min_length", "value": 3}],
        "fail": [{"check": "min_length", "value": 300}],
        "partial": [{"check": "min_length", "value": 3}, {"check": "min_length", "value": 300, "must_pass": False}],
        "unverified": ["It is written in a friendly tone."],
    }[outcome]
    (tmp_path / "case.json").write_text(json.dumps(CASE | {"criteria": criteria}))
    found, out, _ = shell("verify", "case.json", "--json")
    assert (found, json.loads(out)["outcome"]) == (code, outcome)


def test_of_several_cases_the_worst_counts_and_a_file_that_is_none_counts_most(shell, tmp_path):
    (tmp_path / "bad.json").write_text(json.dumps(CASE | {"criteria": [{"check": "min_length", "value": 300}]}))
    (tmp_path / "open.json").write_text(json.dumps(CASE | {"criteria": ["It is friendly."]}))
    assert shell("verify", "case.json", "open.json")[0] == 4
    assert shell("verify", "open.json", "bad.json", "case.json")[0] == 1
    code, out, err = shell("verify", "bad.json", "gone.json", "case.json")
    assert code == 2
    assert err == "witnessmark: gone.json: there is no such file; check the path\n"
    assert "2 cases: 1 pass · 1 fail" in out


def test_every_command_stands_in_the_table_and_each_is_put_together_alone():
    for name in COMMANDS:
        assert [*typer.main.get_group(command_line([name])).commands] == [name]
    assert commands_for(["show", "42"]) == ["show"]
    assert commands_for(["--help"]) == commands_for([]) == commands_for(["verfiy"]) == [*COMMANDS]


@pytest.mark.parametrize(
    ("words", "spared"),
    [
        (["--version"], "witnessmark.cli.commands"),
        (["verify", "--help"], "witnessmark.checks.grounding.grounding_check"),
        (["check", "--help"], "witnessmark.actions.report"),
    ],
)
def test_a_command_starts_without_what_only_others_need(words, spared):
    program = f"import sys\nfrom witnessmark.cli import main\nsys.argv[1:] = {words}\ntry:\n    main()\nexcept SystemExit:\n    print({spared!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"
