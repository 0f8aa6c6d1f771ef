"""The thirteen weaknesses of the predecessor's verifier, each one not here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from witnessmark import Case, Result, Verifier
from witnessmark.actions.tool_schemas import ToolSchemas
from witnessmark.actions.tree import capture
from witnessmark.actions.tree.view import TreeState
from witnessmark.compat.task_verifier import TaskVerifier, execute_with_escalation
from witnessmark.core.record import Record
from witnessmark.core.verdict import CATEGORIES

from .conftest import sha  # type: ignore[import-not-found]

Report = Callable[..., Record]


@pytest.fixture
def world(tree: Path) -> TreeState:
    return TreeState(root=tree, before=capture.take(tree))


def edited(**anchor: Any) -> dict[str, Any]:
    return {"kind": "file-edit", "filePath": "src/calc.py", "anchor": anchor}


def written(path: str, data: bytes) -> dict[str, Any]:
    return {"kind": "file-write", "filePath": path, "contentHash": sha(data)}


def only_category(record: Record) -> str:
    (finding,) = record.findings
    return finding.category


def test_seed3_weakness_01_either_anchor_suffices(report: Report, world: TreeState) -> None:
    """`before` is there without the edit, and an empty text is in every file: neither shows an edit."""
    assert only_category(report(edited(beforeSnippet="a - b", afterSnippet="a + b"), world=world)) == "anchor_mismatch"
    assert only_category(report(edited(beforeSnippet="a - b", afterSnippet=""), world=world)) == "anchor_mismatch"
    assert only_category(report(edited(beforeSnippet="", afterSnippet=""), world=world)) == "anchor_mismatch"


def test_seed3_weakness_02_silence_is_valid(report: Report, world: TreeState, tree: Path) -> None:
    """No claims is unverified, and wrong where something changed; changes are compared with claims."""
    assert report(claims=[]).outcome == "unverified"
    (tree / "quiet.txt").write_bytes(b"1")
    assert report(claims=[], world=world).outcome == "fail"


def test_seed3_weakness_03_trace_ref_is_never_resolved(report: Report) -> None:
    """What rests on a trace that is not there is unverifiable."""
    ran = {"kind": "command-executed", "command": "ls", "exitCode": 0}
    calls = [{"id": "c", "name": "sh", "input": {"command": "ls"}, "exit_code": 0}]
    assert report(ran, trace=calls, traceRef="trace:elsewhere").outcome == "unverified"


def test_seed3_weakness_04_commands_are_trusted(report: Report) -> None:
    """A command is held against the trace, with its exit code."""
    calls = [{"id": "c", "name": "sh", "input": {"command": "pytest"}, "exit_code": 1}]
    ran = {"kind": "command-executed", "command": "pytest", "exitCode": 0}
    assert only_category(report(ran, trace=calls)) == "wrong_exit_code"
    assert report(ran | {"exitCode": 1}, trace=calls).outcome == "pass"


def test_seed3_weakness_05_deletes_of_nothing_and_order(report: Report, world: TreeState, tree: Path) -> None:
    """Deleting what never was is caught; a write followed by an edit that names what it replaced is fine."""
    assert only_category(report({"kind": "file-delete", "filePath": "never"}, world=world)) == "filesystem_mismatch"
    (tree / "n.txt").write_bytes(b"first, then second")
    later = {
        "kind": "file-edit",
        "filePath": "n.txt",
        "anchor": {"beforeSnippet": "first", "afterSnippet": "first, then second"},
    }
    assert report(written("n.txt", b"first"), later, world=world).outcome == "pass"


def test_seed3_weakness_06_path_traversal(report: Report, world: TreeState, tree: Path) -> None:
    """No hash oracle outside of the root: a right guess and a wrong one look the same."""
    (tree.parent / "secret").write_bytes(b"secret")
    (tree / "link").symlink_to(tree.parent / "secret")
    for path in ("../secret", str(tree.parent / "secret"), "src/../../secret", "link"):
        right, wrong = (report(written(path, data), world=world) for data in (b"secret", b"wrong"))
        assert right.outcome != "pass"
        assert [c.reason for c in right.claims] == [c.reason for c in wrong.claims]


def test_seed3_weakness_07_bytes_read_as_text(report: Report, world: TreeState, tree: Path) -> None:
    """The digest is of the bytes, whatever they are."""
    (tree / "raw.bin").write_bytes(b"\xff\xfe\x00\x80")
    assert report(written("raw.bin", b"\xff\xfe\x00\x80"), world=world).outcome == "pass"


def test_seed3_weakness_08_categories_from_the_text_of_a_message(report: Report, world: TreeState) -> None:
    """Categories come from the rule that found the fault: a path that says `type` or `hash` changes nothing."""
    tricky = [written(f"{word}.txt", b"x") for word in ("invalid type", "hash_mismatch", "schema", "anchor missing")]
    record = report(*tricky, {"kind": "file-delete", "filePath": "a.txt"}, world=world)
    found = [finding.category for finding in record.findings]
    assert found == ["file_not_found"] * 4 + ["filesystem_mismatch"], "every error, not only the first"
    assert set(found) <= CATEGORIES


def test_seed3_weakness_09_metrics_count_events(tree: Path) -> None:
    """One verification is one check, with or without a specialist's id."""
    verifier = TaskVerifier()
    verifier.verify_sync({"summary": "s", "traceRef": "trace:t", "claims": [written("ghost", b"")]}, [], tree)
    metrics = verifier.get_metrics()
    assert (metrics["totalChecks"], metrics["passRate"], metrics["byLevel"][1]["passed"]) == (1, 0.0, 1)  # req: C38
    assert metrics["bySpecialist"] == {"unknown": {"total": 1, "passed": 0, "failed": 1}}


def test_seed3_weakness_10_the_schema_loader_fails_open() -> None:
    """A schema that is not found is an error, and finding one runs no code."""
    verifier = TaskVerifier(schemas=ToolSchemas({"q": "./schemas/query.ts#QueryResultSchema"}))
    output = {"summary": "s", "traceRef": "trace:t", "claims": [{"kind": "command", "command": "ls"}]}
    calls = [{"name": "q", "output": {}}, {"name": "sh", "input": {"command": "ls"}, "exit_code": 0}]
    checked = verifier.verify_sync(output, calls)
    assert not checked.valid
    assert checked.record.outcome == "unverified"


def test_seed3_weakness_11_retries_do_not_say_why(tree: Path) -> None:
    """A retry tells the agent exactly what was not true."""
    told: list[str | None] = []

    async def specialist(feedback: str | None) -> tuple[Any, Any]:
        told.append(feedback)
        if feedback is not None:
            (tree / "n.txt").write_bytes(b"n")
        return {"summary": "s", "traceRef": "trace:t", "claims": [written("n.txt", b"n")]}, []

    async def no_wait(seconds: float) -> None:
        return None

    _, checked = asyncio.run(execute_with_escalation(specialist, TaskVerifier(), base_path=tree, sleep=no_wait))
    assert checked.valid
    assert told[0] is None
    assert "n.txt" in (told[1] or "")
    assert "not there" in (told[1] or "")


def test_seed3_weakness_12_three_designs(report: Report, tree: Path) -> None:
    """One shape everywhere: the older one is written from the record, field by field."""
    checked = TaskVerifier().verify_sync(
        {"summary": "s", "traceRef": "trace:t", "claims": [written("ghost", b"")]}, [], tree
    )
    shape = checked.as_dict()
    assert (shape["valid"], shape["level"], shape["failed_level"]) == (
        checked.valid,
        checked.level,
        checked.failed_level,
    )
    assert shape["witnessmark"]["verdict"]["outcome"] == checked.record.outcome


def test_seed3_weakness_13_a_broken_verifier_accepts(
    report: Report, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A verifier that breaks says so; it never gives a number that lies between two thresholds."""
    from witnessmark.actions.claims import collect

    def broken(*given: Any, **more: Any) -> Result:
        raise OSError("the disk is gone")

    monkeypatch.setattr(collect, "hold_all", broken)
    case = Case(
        subject={"kind": "agent_output", "summary": "s", "traceRef": "trace:t", "claims": [written("a.txt", b"")]}
    )
    record = Verifier(services={"world": TreeState(root=tree)}).verify_sync(case)
    assert (record.outcome, record.unverified_because, record.score) == ("unverified", "check_error", None)
    assert record.action == "escalate"
