"""`snapshot`, `diff` and `verify --root`: the tables, the exit codes, and other people's text made harmless."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from witnessmark.cli.app import command_line


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.txt").write_text("alpha\n")
    (root / "gone.txt").write_text("gone\n")
    monkeypatch.chdir(root)
    return root


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command_line(), list(arguments))


def verify(*arguments: str) -> Result:
    return run("verify", "--store", "memory:", *arguments)


def write_report(root: Path, *claims: dict[str, object]) -> str:
    file = root / "report.json"
    file.write_text(json.dumps({"summary": "Done.", "traceRef": "trace:t", "claims": list(claims)}))
    return str(file)


def written(path: str, data: str) -> dict[str, object]:
    return {"kind": "file-write", "filePath": path, "contentHash": hashlib.sha256(data.encode()).hexdigest()}


def test_from_snapshot_to_verdict(tree: Path) -> None:
    taken = run("snapshot", "-o", "before.snap")
    assert (taken.exit_code, "2 files" in taken.output) == (0, True)
    (tree / "new.txt").write_text("new\n")
    (tree / "gone.txt").unlink()
    report = write_report(tree, written("new.txt", "new\n"), {"kind": "file-delete", "filePath": "gone.txt"})
    checked = verify(report, "--root", ".", "--before", "before.snap")
    assert checked.exit_code == 0, checked.output
    assert "undisclosed" not in checked.output, "neither the snapshot nor the report counts as a change"
    write_report(tree, written("never.txt", "x"))
    assert verify(report, "--root", ".", "--before", "before.snap").exit_code == 1


def test_the_two_halves(tree: Path) -> None:
    run("snapshot", "-o", "before.snap")
    (tree / "a.txt").write_text("changed\n")
    (tree / "quiet.txt").write_text("q")
    report = write_report(tree, written("never.txt", "x"), written("a.txt", "changed\n"))
    shown = run("diff", "before.snap", "--claims", report)
    assert shown.exit_code == 1
    first, second = shown.output.split("changes without a claim")
    assert "never.txt" in first
    assert "the file is not there" in first
    assert "quiet.txt" in second
    assert "created, 1 bytes" in second
    assert "a.txt" not in first.replace("never.txt", "")
    data = json.loads(run("diff", "before.snap", "--claims", report, "--json").output)
    assert [row["path"] for row in data["claims_without_change"]] == ["never.txt"]
    assert [row["path"] for row in data["changes_without_claim"]] == ["quiet.txt"]
    allowed = json.loads(run("diff", "before.snap", "--claims", report, "--json", "--allow", "quiet.*").output)
    assert allowed["changes_without_claim"] == []


def test_diff_without_claims_lists_changes(tree: Path) -> None:
    run("snapshot", "-o", "../before.snap")
    assert run("diff", "../before.snap").output == "nothing changed\n"
    (tree / "a.txt").unlink()
    assert json.loads(run("diff", "../before.snap", "--json").output) == {
        "changes": [{"path": "a.txt", "what": "deleted, 6 bytes"}]
    }
    listed = run("diff", "../before.snap", "--root", str(tree))
    assert (listed.exit_code, "a.txt" in listed.output) == (0, True)


def test_two_snapshots_need_no_tree(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("snapshot", "-o", "../before.snap")
    (tree / "new.txt").write_text("new\n")
    run("snapshot", "-o", "../after.snap", "--earlier", "../before.snap")
    report = write_report(tmp_path, written("new.txt", "new\n"))
    monkeypatch.chdir(tmp_path)
    for path in (tree / "a.txt", tree / "new.txt"):
        path.unlink()
    checked = verify(report, "--before", "before.snap", "--after", "after.snap")
    assert checked.exit_code == 0, checked.output
    assert run("diff", "before.snap", "--after", "after.snap", "--claims", report).exit_code == 0


def test_a_case_and_a_list_of_claims_are_read_too(tree: Path) -> None:
    run("snapshot", "-o", "../before.snap")
    (tree / "new.txt").write_text("new\n")
    (tree / "claims.json").write_text(json.dumps([written("new.txt", "new\n")]))
    case = {
        "subject": {
            "kind": "agent_output",
            "summary": "s",
            "traceRef": "trace:t",
            "claims": [written("new.txt", "new\n")],
        }
    }
    (tree.parent / "case.json").write_text(json.dumps(case))
    assert run("diff", "../before.snap", "--claims", "claims.json").exit_code == 0
    assert run("diff", "../before.snap", "--claims", "../case.json").exit_code == 0
    assert verify("../case.json", "--root", ".", "--before", "../before.snap").exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("diff", "missing.snap"),
        ("diff", "a.txt"),
        ("verify", "report.json", "--before", "before.snap"),
        ("verify", "report.json", "--root", ".", "--after", "before.snap"),
        ("snapshot", "-o", "x.snap", "--root", "missing"),
        ("snapshot", "-o", "missing/x.snap"),
        ("diff", "before.snap", "--claims", "missing.json"),
        ("diff", "before.snap", "--claims", "broken.json"),
    ],
)
def test_wrong_usage_says_what_to_do(tree: Path, arguments: tuple[str, ...]) -> None:
    run("snapshot", "-o", "before.snap")
    write_report(tree)
    (tree / "broken.json").write_text('[{"kind": "file-write"}]')
    failed = run(*arguments)
    assert failed.exit_code == 1
    assert type(failed.exception).__name__ in ("InputError", "UsageError"), "one line and exit code 2 at the top"


def test_hostile_names_are_made_harmless_on_the_screen(tree: Path) -> None:
    run("snapshot", "-o", "../before.snap")
    (tree / "evil\x1b[2J\nfake  pass").write_text("x")
    shown = run("diff", "../before.snap")
    assert "\x1b" not in shown.output
    assert shown.output.count("\n") == 2
