"""A done-contract run again: in a copy that is thrown away, with limits, bound to the tree; and refused where nothing contains it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from witnessmark.actions.rerun import contract, sandbox
from witnessmark.actions.rerun.rerun import rerun
from witnessmark.actions.trace.reader import read_trace
from witnessmark.actions.tree.digests import tree_digest
from witnessmark.cli.app import command_line
from witnessmark.core.errors import InputError

RUNNER = CliRunner()


def written(root: Path, text: str) -> Path:
    place = root / "done.toml"
    place.write_text(text)
    return place


def ran(root: Path, text: str) -> list[tuple[bool, str]]:
    found, digest = contract.load(written(root, text))
    return [(item.held, item.there) for item in rerun(root, found, digest, uncontained=True).items]


def test_commands_run_in_a_copy_and_leave_the_tree_as_it_was(tree: Path) -> None:
    before = tree_digest(tree)
    held = ran(
        tree,
        '[[command]]\nrun = "rm a.txt && echo new > b.txt && test ! -e a.txt"\n[[command]]\nrun = "test -e a.txt"\n',
    )
    assert [ok for ok, _ in held] == [True, True], "each command has a copy of its own"
    (tree / "done.toml").unlink()
    assert tree_digest(tree) == before


def test_exit_codes_counts_and_files_are_held(tree: Path) -> None:
    text = """
[[command]]
run = "echo '3 passed in 0.1s'"
at_least = 3
[[command]]
run = "echo '3 passed in 0.1s'"
at_least = 4
[[command]]
run = "exit 3"
[[file]]
path = "a.txt"
contains = "alpha"
[[file]]
path = "a.txt"
without = "alpha"
[[file]]
path = "never.txt"
exists = false
[[file]]
path = "../outside"
"""
    assert [ok for ok, _ in ran(tree, text)] == [True, False, True, False, True, False, False]


def test_a_command_that_takes_too_long_or_too_much_is_ended(tree: Path) -> None:
    text = '[limits]\nseconds = 1\nmemory_mb = 512\n[[command]]\nrun = "sleep 60"\n[[command]]\nrun = "python3 -c \'bytearray(10**10)\'"\n'
    (slow, there), (large, _) = ran(tree, text)
    assert (slow, large) == (False, False)
    assert "too long" in there


def test_no_key_of_ours_reaches_a_command(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    assert ran(tree, '[[command]]\nrun = "test -z \\"$SOME_API_KEY\\""\n') == [(True, "exit code 0")]


def test_where_nothing_contains_it_it_is_refused_with_the_way_to_allow_it(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, **_: None if name == "bwrap" else f"/bin/{name}")
    found, digest = contract.load(written(tree, '[[command]]\nrun = "true"\n'))
    with pytest.raises(InputError, match="--uncontained"):
        rerun(tree, found, digest)


def test_bubblewrap_keeps_a_command_from_the_network_and_from_the_rest_of_the_system(tree: Path) -> None:
    """Where this machine has no working bubblewrap, the same contract is refused: it never runs uncontained by itself."""
    text = '[[command]]\nrun = "test $(ls /sys/class/net 2>/dev/null | grep -vc lo) = 0 || ! ping -c1 192.0.2.1"\n[[command]]\nrun = "! touch /etc/x"\n'
    found, digest = contract.load(written(tree, text))
    if sandbox.bubblewrap() is None:
        with pytest.raises(InputError, match="--uncontained"):
            rerun(tree, found, digest)
        return
    result = rerun(tree, found, digest)
    assert (result.contained, result.held) == ("bubblewrap", True)


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "requires nothing"), ("[[command]]\nruns = 1\n", "runs"), ("{", "done.toml"), ("[limits]\nseconds = 0\n[[command]]\nrun = 'x'\n", "seconds")],
)  # fmt: skip
def test_a_contract_that_is_none_is_refused_with_the_field(tree: Path, text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        contract.load(written(tree, text))


def test_a_contract_that_was_changed_after_it_was_fixed_is_refused(tree: Path) -> None:
    place = written(tree, '[[file]]\npath = "a.txt"\n')
    assert RUNNER.invoke(command_line(), ["rerun", "--root", str(tree), "--fix"]).exit_code == 0
    assert RUNNER.invoke(command_line(), ["rerun", "--root", str(tree)]).exit_code == 0
    place.write_text('[[file]]\npath = "never.txt"\nexists = false\n')
    done = RUNNER.invoke(command_line(), ["rerun", "--root", str(tree)])
    assert "changed after it was fixed" in str(done.exception)


def test_the_result_is_bound_to_the_tree_and_is_a_trace(tree: Path, tmp_path: Path) -> None:
    written(tree, "[[command]]\nrun = \"echo '1 failed in 0.1s'; exit 1\"\n")
    out = tmp_path / "result.json"
    done = RUNNER.invoke(command_line(), ["rerun", "--root", str(tree), "--uncontained", "-o", str(out)])
    assert done.exit_code == 1
    result = json.loads(out.read_text())
    assert result["tree"] == tree_digest(tree)
    trace = read_trace(out.read_bytes()).trace
    assert [(call.exit_code, call.name) for call in trace.calls] == [(1, "bash")]


@pytest.mark.parametrize(
    ("since", "told"),
    [
        ({}, ""),
        ({"report.md": "1 passed."}, ""),
        ({"__pycache__/calc.pyc": "x"}, ""),
        ({"src/calc.py": "changed\n"}, "src/calc.py changed"),
        ({"src/calc.py": "changed\n", "new.py": "x\n"}, "new.py and 1 other file changed"),
    ],
    ids=["the same tree", "only the report", "what tools leave behind", "another tree", "two files"],
)
@pytest.mark.parametrize("command", ["echo '1 passed in 0.1s'", "echo '1 failed in 0.1s'; exit 1"])
def test_of_another_tree_a_rerun_shows_nothing(tree: Path, since: dict[str, str], told: str, command: str) -> None:
    """The result may lie in the tree itself, as the report may: neither is the agent's work."""
    written(tree, f'[[command]]\nrun = "pytest() {{ {command}; }}; pytest -q"\n')
    (tree / "report.md").write_text("All tests pass.\n")
    paths = {name: str(tree / name) for name in ("result.json", "report.md", "s.db")}
    RUNNER.invoke(command_line(), ["rerun", "--root", str(tree), "--uncontained", "-o", paths["result.json"]])
    for name, text in since.items():
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text(text)
    given = ["--report", paths["report.md"], "--trace", paths["result.json"], "--root", str(tree), "--store", "memory:"]
    done = json.loads(RUNNER.invoke(command_line(), ["verify", *given, "--json"]).stdout)
    on_it = "pass" if "passed" in command else "fail"
    assert done["outcome"] == ("unverified" if told else on_it)
    stale = [finding["message"] for finding in done.get("findings", ()) if finding["category"] == "stale_run"]
    assert all(f"the rerun was of another tree: {told}" in message for message in stale)
    assert bool(stale) == bool(told)


def test_a_result_that_lists_no_files_is_of_no_known_tree(tree: Path, tmp_path: Path) -> None:
    found, digest = contract.load(
        written(tree, '[[command]]\nrun = "pytest() { echo 1 passed in 0.1s; }; pytest -q"\n')
    )
    made = msgspec.to_builtins(rerun(tree, found, digest, uncontained=True))
    (tmp_path / "result.json").write_text(json.dumps(made | {"files": None}))
    (tmp_path / "report.md").write_text("All tests pass.\n")
    given = ["--report", str(tmp_path / "report.md"), "--trace", str(tmp_path / "result.json"), "--root", str(tree)]
    done = RUNNER.invoke(command_line(), ["verify", *given, "--store", "memory:", "--json"])
    assert "does not list the files" in done.stdout


def test_a_link_is_copied_as_a_link_and_a_pipe_not_at_all(tree: Path) -> None:
    (tree / "link").symlink_to("a.txt")
    os.mkfifo(tree / "pipe")
    assert [ok for ok, _ in ran(tree, '[[command]]\nrun = "test -L link && test ! -e pipe"\n')] == [True]


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        ("All tests pass (3 passed).", "fail"),
        ("All tests pass.", "pass"),
        ("1 passed.", "pass"),
        ("All tests pass but one.", "unverified"),
        ("jest: 3 passed.", "unverified"),
        ("I changed nothing else.", "unverified"),
    ],
)
def test_what_a_rerun_printed_is_held_against_a_report_and_what_it_lacks_is_not(
    tmp_path: Path, told: str, outcome: str
) -> None:
    call = {"id": "rerun-1", "name": "bash", "input": {"command": "pytest -q"}, "output": "1 passed in 0.1s", "exit_code": 0}  # fmt: skip
    (tmp_path / "trace.json").write_text(json.dumps({"id": "rerun", "whole": False, "calls": [call]}))
    (tmp_path / "report.md").write_text(f"{told}\n")
    given = ["--report", str(tmp_path / "report.md"), "--trace", str(tmp_path / "trace.json")]
    done = RUNNER.invoke(
        command_line(), ["verify", *given, "--root", str(tmp_path), "--json", "--store", str(tmp_path / "s.db")]
    )
    assert f'"outcome":"{outcome}"' in done.stdout.replace(" ", "")


@pytest.mark.parametrize(
    ("told", "outcome"), [("Lint is clean.", "fail"), ("`ruff check src` still finds an unused import.", "unverified")]
)
def test_a_check_that_failed_when_it_was_run_again_is_not_clean(tmp_path: Path, told: str, outcome: str) -> None:
    call = {"id": "rerun-1", "name": "bash", "input": {"command": "ruff check src"}, "output": "Found 1 error.", "exit_code": 1}  # fmt: skip
    (tmp_path / "trace.json").write_text(json.dumps({"id": "rerun", "whole": False, "calls": [call]}))
    (tmp_path / "report.md").write_text(f"{told}\n")
    given = ["--report", str(tmp_path / "report.md"), "--trace", str(tmp_path / "trace.json")]
    done = RUNNER.invoke(
        command_line(), ["verify", *given, "--root", str(tmp_path), "--json", "--store", str(tmp_path / "s.db")]
    )
    assert f'"outcome":"{outcome}"' in done.stdout.replace(" ", "")
