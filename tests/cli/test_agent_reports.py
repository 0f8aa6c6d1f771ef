"""A report in hand with its transcript, and a pull request with its diff: through the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from witnessmark.cli.app import command_line

RUNNER = CliRunner()
RED = {"id": "1", "name": "bash", "input": {"command": "pytest -q"}, "output": "1 failed in 0.1s", "exit_code": 1}


def verify(
    tmp_path: Path, report: str, *calls: dict[str, object], more: tuple[str, ...] = ()
) -> tuple[int, dict[str, object]]:
    (tmp_path / "report.md").write_text(report)
    (tmp_path / "trace.jsonl").write_text("\n".join(map(json.dumps, calls)))
    (tmp_path / "tree").mkdir(exist_ok=True)
    done = RUNNER.invoke(
        command_line(),
        ["verify", "--report", f"{tmp_path}/report.md", "--trace", f"{tmp_path}/trace.jsonl", "--root", f"{tmp_path}/tree",
         "--store", "memory:", "--json", *more],
    )  # fmt: skip
    return done.exit_code, json.loads(done.stdout.splitlines()[-1])


def test_a_person_with_a_transcript_in_hand_needs_no_case(tmp_path: Path) -> None:
    code, record = verify(tmp_path, "All tests pass.", RED)
    assert (code, record["outcome"]) == (1, "fail")
    green = RED | {"output": "3 passed in 0.1s", "exit_code": 0}
    assert verify(tmp_path, "All tests pass.", green)[0] == 0
    assert verify(tmp_path, "Have a nice day.", green)[0] == 4


def test_a_trace_that_cannot_be_read_is_bad_input_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("All tests pass.")
    (tmp_path / "trace.jsonl").write_text("not a trace")
    done = RUNNER.invoke(
        command_line(), ["verify", "--report", f"{tmp_path}/report.md", "--trace", f"{tmp_path}/trace.jsonl"]
    )
    assert "line 1" in str(done.exception)
    assert "give case files" in str(RUNNER.invoke(command_line(), ["verify"]).exception)


def test_a_line_of_a_trace_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("All tests pass.")
    (tmp_path / "trace.jsonl").write_text(
        json.dumps(RED | {"output": "3 passed", "exit_code": 0}) + '\n{"id": "c2", "na'
    )
    given = ["verify", "--report", f"{tmp_path}/report.md", "--trace", f"{tmp_path}/trace.jsonl", "--store", "memory:"]
    assert "trace.jsonl: line 2 cannot be read (not JSON" in RUNNER.invoke(command_line(), given).stderr


def test_one_report_at_a_time(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("All tests pass.")
    done = RUNNER.invoke(command_line(), ["verify", "--report", f"{tmp_path}/a.md", "--report", f"{tmp_path}/a.md"])
    assert "--report: one report at a time" in str(done.exception)


@pytest.fixture
def worked(tmp_path: Path) -> Path:
    """A tree in which three files changed since a snapshot, one of them by a call that the trace shows."""
    root = tmp_path / "tree"
    root.mkdir()
    (root / "app.py").write_text("TIMEOUT = 30\n")
    (root / "test_app.py").write_text("def test_a():\n    assert True\n")
    assert (
        RUNNER.invoke(command_line(), ["snapshot", "--root", str(root), "-o", f"{tmp_path}/before.snap"]).exit_code == 0
    )
    (root / "app.py").write_text("TIMEOUT = 45\n")
    (root / "test_app.py").write_text("import pytest\n\n@pytest.mark.skip\ndef test_a():\n    assert True\n")
    (root / ".env.local").write_text("AWS_SECRET=AKIAIOSFODNN7Q3WZ8TR\n")
    return tmp_path


EDIT = {"file_path": "app.py", "old_string": "TIMEOUT = 30", "new_string": "TIMEOUT = 45"}
EDITED = {"id": "1", "name": "Edit", "input": EDIT, "ok": True}


def found_in(worked: Path, report: str) -> tuple[int, list[str]]:
    code, record = verify(worked, report, EDITED, more=("--before", f"{worked}/before.snap"))
    return code, [finding["message"] for finding in record["findings"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "report", ["Only app.py was changed.", "I changed TIMEOUT in app.py from 30 to 45. No other file was changed."]
)
def test_only_one_file_was_changed_is_untrue_where_the_tree_shows_more(worked: Path, report: str) -> None:
    code, messages = found_in(worked, report)
    assert code == 1
    assert "claim 2: test_app.py was changed" in messages
    (worked / "tree" / "test_app.py").write_text("def test_a():\n    assert True\n")
    assert "claim 2: .env.local was changed" in found_in(worked, report)[1]
    (worked / "tree" / ".env.local").unlink()
    assert found_in(worked, report) == (0, [])


@pytest.mark.parametrize("report", ["I changed TIMEOUT in app.py from 30 to 45.", "Have a nice day."])
def test_what_the_hook_blocks_is_named_even_where_only_the_tree_shows_it(worked: Path, report: str) -> None:
    code, messages = found_in(worked, report)
    assert code == 1
    assert "done but not reported: test_app.py: a test was skipped: @pytest.mark.skip" in messages
    assert ".env.local: a secret was written (AKIAIOSF…)" in messages


def test_a_change_that_the_report_names_was_mentioned(worked: Path) -> None:
    (worked / "tree" / ".env.local").write_text("LEVEL=debug\n")
    told = "I changed TIMEOUT in app.py from 30 to 45 and skipped test_a in test_app.py. I wrote .env.local."
    assert found_in(worked, told) == (0, [])
    messages = found_in(worked, "I changed TIMEOUT in app.py from 30 to 45 and left test_app.py alone.")[1]
    assert "a change nobody mentioned: modified, 30 → 63 bytes" in messages


@pytest.fixture
def branch(tmp_path: Path) -> Path:
    """A repository with a branch that mends a function, weakens a test and says nothing of it."""

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.email=a@example.org", "-c", "user.name=a", *words],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )

    git("init", "-q", "-b", "main", ".")
    (tmp_path / "calc.py").write_text("def add(a, b):\n    return a - b\n")
    (tmp_path / "test_calc.py").write_text("def test_add():\n    assert add(1, 2) == 3\n")
    git("add", "-A")
    git("commit", "-qm", "first")
    git("checkout", "-qb", "fix")
    (tmp_path / "calc.py").write_text("def add(a, b):\n    return a + b\n")
    git("commit", "-qam", "mend")
    return tmp_path


def held(root: Path, text: str, *more: str) -> tuple[int, list[dict[str, str]]]:
    done = RUNNER.invoke(
        command_line(), ["pull-request", "-", "--base", "main", "--root", str(root), "--json", *more], input=text
    )
    return done.exit_code, json.loads(done.stdout)["statements"]


def test_the_text_of_a_pull_request_is_held_against_its_diff_and_its_ci(branch: Path) -> None:
    code, rows = held(branch, "Fixed the sign in `calc.py`. All tests pass.", "--ci", "success")
    assert (code, [row["status"] for row in rows]) == (0, ["supported", "supported"])
    assert held(branch, "Created `never.py`.")[0] == 1
    assert held(branch, "Thanks!")[0] == 4


@pytest.mark.parametrize(
    ("text", "log", "status"),
    [
        ("All tests pass.", None, "contradicted"),
        ("All tests pass.", "1 failed, 2 passed in 0.1s", "contradicted"),
        ("All tests pass.", "3 passed in 0.1s\nruff: 2 errors", "supported"),
        ("All tests pass, apart from one that still fails on main.", None, "unverifiable"),
    ],
)
def test_a_red_ci_run_is_held_against_tests_that_are_said_to_pass(
    branch: Path, text: str, log: str | None, status: str
) -> None:
    (branch / "ci.log").write_text(log or "")
    more = ["--ci-log", str(branch / "ci.log")] if log else []
    code, rows = held(branch, text, "--ci", "failure", *more)
    assert [row["status"] for row in rows] == [status]
    assert code == {"contradicted": 1, "supported": 0, "unverifiable": 4}[status]


@pytest.mark.parametrize("option", ["--trace", "--report"])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, option: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "report.md").write_text("All tests pass.")
    more = [] if option == "--report" else ["--report", f"{tmp_path}/report.md"]
    done = RUNNER.invoke(command_line(), ["verify", option, f"{tmp_path}/pipe", *more])
    assert "is not a regular file" in str(done.exception)


def test_a_pull_request_that_leaves_out_a_weaker_test_is_told(branch: Path) -> None:
    (branch / "test_calc.py").write_text("def test_add():\n    assert add(1, 2)\n")
    subprocess.run(
        ["git", "-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-qam", "x"],
        cwd=branch,
        check=True,
        capture_output=True,
    )
    code, rows = held(branch, "Fixed the sign in `calc.py`.")
    assert (code, rows[-1]["status"], rows[-1]["what"]) == (1, "not said", "test_calc.py")
    assert "--base none: git knows no such branch or commit" in str(
        RUNNER.invoke(
            command_line(), ["pull-request", "-", "--base", "none", "--root", str(branch)], input="x"
        ).exception
    )


def test_the_plugin_and_the_printed_settings_hook_the_same_events() -> None:
    root = Path(__file__).resolve().parents[2]
    plugin = json.loads((root / "claude-code-plugin" / "hooks" / "hooks.json").read_text())
    assert (
        json.loads((root / "claude-code-plugin" / ".claude-plugin" / "plugin.json").read_text())["name"]
        == "witnessmark"
    )
    printed = subprocess.run(
        [sys.executable, "-m", "witnessmark", "hook", "claude-code", "--print-settings"],
        capture_output=True,
        check=True,
    )
    assert set(plugin["hooks"]) == set(json.loads(printed.stdout)["hooks"])


@pytest.mark.parametrize("named", [{"traceRef": "trace:x"}, {"traceRef": "trace:trace"}, {}])
def test_the_trace_of_the_option_is_the_one_that_a_listed_claim_rests_on(tmp_path: Path, named: dict[str, str]) -> None:
    report = {"summary": "Tested.", "claims": [{"kind": "tests-passed", "passed": 3, "failed": 0}]} | named
    green = RED | {"output": "3 passed in 0.1s", "exit_code": 0}
    assert verify(tmp_path, json.dumps(report), green)[0] == 0
    assert verify(tmp_path, json.dumps(report), RED)[0] == 1


def test_what_the_words_name_is_said_for_diff_as_for_verify(tmp_path: Path) -> None:
    root, report = tmp_path / "tree", tmp_path / "report.json"
    root.mkdir()
    (root / "a b.txt").write_text("a\n")
    assert (
        RUNNER.invoke(command_line(), ["snapshot", "--root", str(root), "-o", f"{tmp_path}/before.snap"]).exit_code == 0
    )
    (root / "a b.txt").write_text("b\n")
    (root / "c.txt").write_text("c\n")
    report.write_text(json.dumps({"summary": "I changed `a b.txt`."}))
    shown = RUNNER.invoke(
        command_line(), ["diff", f"{tmp_path}/before.snap", "--root", str(root), "--claims", str(report)]
    ).output
    assert "(done, not said): 1" in shown
    held, unsaid = shown.split("changes without a claim", 1)
    assert "c.txt" in unsaid
    assert "a b.txt" not in unsaid
    assert "unverifiable" not in held, "a name with a space is that of a file which changed"
