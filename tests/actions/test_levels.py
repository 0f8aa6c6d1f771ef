"""The checkpoint `actions`, level by level: shape, tool outputs, the world; what nobody said; and the policy over them."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from witnessmark import Case, Verifier
from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.claims import declared_claims as declared
from witnessmark.actions.claims import manifest
from witnessmark.actions.report import report as words
from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.tree import capture
from witnessmark.actions.tree.view import TreeState
from witnessmark.core.record import Record, ResultRecord

from .conftest import sha  # type: ignore[import-not-found]

Report = Callable[..., Record]


def said(record: Record, node: str) -> ResultRecord:
    return next(result for result in record.results if result.node == node)


def categories(record: Record) -> list[str]:
    return [finding.category for finding in record.findings]


# --- level 1 -----------------------------------------------------------------------------------------------------


def test_summary_and_trace_ref_are_required(report: Report) -> None:
    no_summary = report(summary=None)
    assert categories(no_summary) == ["missing_field"]  # req: S3-001
    assert no_summary.findings[0].message.startswith("summary")
    no_ref = report(traceRef=None)
    assert (no_ref.outcome, categories(no_ref)) == ("fail", ["missing_field"])  # req: S3-005
    assert categories(report(traceRef="t1")) == ["wrong_format"]  # req: S3-002
    assert categories(report(traceRef="trace:")) == ["wrong_format"]  # req: S3-007
    assert categories(report(summary=None, traceRef=None)) == ["missing_field", "missing_field"]  # req: S3-029


def test_types_are_looked_at(report: Report) -> None:
    assert categories(report(summary=7)) == ["invalid_type"]  # req: S3-006
    assert categories(report(traceRef=["trace:t1"])) == ["invalid_type"]
    assert categories(report(claims="wrote a file")) == ["invalid_type"]  # req: S3-003
    assert categories(report({"kind": "file-write", "filePath": 7})) == ["invalid_type"]  # req: S3-030
    assert categories(report({"kind": "miracle"})) == ["unknown"]  # req: S3-036
    assert categories(report({"kind": "file-write"})) == ["missing_field"]
    assert categories(report({"kind": "file-write", "filePath": "a", "contentHash": "abc"})) == ["wrong_format"]


def test_artifacts_are_small_metadata_with_a_digest(report: Report) -> None:
    fine = {"name": "log", "contentHash": sha(b"large thing")}
    assert said(report(artifacts=[fine]), "output_structure").status == "pass"
    heavy = fine | {"note": "é" * 600}
    assert len(heavy["note"]) < 1024 < len(heavy["note"].encode())
    light = fine | {"note": "é" * 400}
    assert [categories(report(artifacts=[one])) for one in (light, heavy)] == [[], ["wrong_length"]]  # req: C39
    assert categories(report(artifacts=[heavy])) == ["wrong_length"], "bytes, not characters"  # req: S3-004
    assert categories(report(artifacts=[{"name": "log"}])) == ["missing_field"]  # req: C39
    assert categories(report(artifacts={})) == ["invalid_type"]


def test_the_form_of_an_agent_output_is_held_too() -> None:
    def verify(**subject: Any) -> Record:
        return Verifier().verify_sync(Case(subject={"kind": "agent_output", **subject}, checkpoint="actions"))

    whole = verify(summary="ok", data={}, confidence=0.9, tools_used=["a"], metadata={})
    assert said(whole, "output_structure").status == "pass"
    assert whole.outcome == "unverified", "well formed, and nothing was claimed"
    broken = verify(summary=" ", data={}, confidence=1.5, tools_used="a")
    assert categories(broken) == ["missing_field", "invalid_type", "invalid_type", "missing_field"]


def test_fail_fast_from_level_to_level(report: Report, tree: Path) -> None:
    record = report({"kind": "file-write", "filePath": "ghost"}, summary=None, world=TreeState(root=tree))
    assert said(record, "output_structure").details == {"levels_run": [1], "failed_level": 1}
    assert said(record, "claimed_actions").status == "skipped"  # req: S3-041
    record = report({"kind": "file-write", "filePath": "ghost", "contentHash": sha(b"")}, world=TreeState(root=tree))
    details = said(record, "claimed_actions").details
    assert (details["levels_run"], details["failed_level"]) == ([1, 3], 3)  # req: C43


def test_a_claim_is_read_however_it_is_spelled() -> None:
    forms: list[dict[str, Any]] = [
        {"kind": "file-write", "filePath": "a.txt", "contentHash": "SHA256:" + sha(b"x").upper()},
        {"kind": "file_write", "file_path": "a.txt", "content_hash": sha(b"x")},
        {"kind": "fileWrite", "path": "a.txt", "sha256": sha(b"x"), "note": "beside it"},
    ]
    assert {declared.one(form) for form in forms} == {ActionClaim(kind="file_write", path="a.txt", sha256=sha(b"x"))}
    code = declared.one(
        {
            "kind": "code-inserted",
            "filePath": "a",
            "anchor": {"beforeSnippet": "b", "afterSnippet": "c", "replace": True},
        }
    )
    assert (code.kind, code.anchor.before, code.anchor.after, code.anchor.replaces) == ("code_insert", "b", "c", True)
    assert declared.one({"kind": "command-executed", "command": "ls", "exitCode": 0}).exit_code == 0


# --- level 2 -----------------------------------------------------------------------------------------------------

SCHEMA = {"type": "object", "required": ["documents"], "properties": {"documents": {"type": "array"}}}


def searched(output: Any) -> list[dict[str, Any]]:
    return [{"id": "c1", "name": "mind:rag-query", "input": {"q": "x"}, "output": output}]


def test_tool_outputs_in_the_trace_against_declared_schemas(report: Report) -> None:
    claim = {"kind": "command", "command": "ls"}

    def level2(output: Any, schema: Any = SCHEMA) -> Record:
        case = Case(
            subject={"kind": "agent_output", "summary": "s", "traceRef": "trace:t1", "claims": [claim]},
            evidence=[{"id": "t1", "kind": "trace", "data": searched(output)}],
            context={"tool_schemas": {"mind:rag-query": schema}},
        )
        return Verifier().verify_sync(case)

    wrong = level2({"docs": []})
    assert (wrong.outcome, categories(wrong)) == ("fail", ["schema_mismatch"])  # req: S3-031
    assert said(wrong, "tool_outputs").details == {"levels_run": [1, 2], "failed_level": 2}  # req: C43
    assert said(wrong, "claimed_actions").status == "skipped"
    assert said(level2({"documents": []}), "tool_outputs").status == "pass"
    assert said(level2('{"documents": []}'), "tool_outputs").status == "pass", "JSON as text"
    broken = level2({"documents": []}, "no-such-package/schema#QueryResult")
    assert said(broken, "tool_outputs").status == "error", "a schema that cannot be loaded is never a pass"
    assert broken.outcome == "unverified"


# --- level 3 -----------------------------------------------------------------------------------------------------


def test_claims_of_work_not_done_are_caught(report: Report, tree: Path) -> None:
    world = TreeState(root=tree, before=capture.take(tree))
    record = report({"kind": "file-write", "filePath": "never.txt", "contentHash": sha(b"x")}, world=world)
    assert (record.outcome, record.action, categories(record)) == ("fail", "retry", ["file_not_found"])  # req: S3-040
    assert record.claims[0].status == "unsupported"
    assert record.claims[0].kind == "file_write"
    assert "never.txt" in record.feedback.issues[0], "the retry says exactly what was not true"
    assert record.feedback.suggestions


def test_what_cannot_be_looked_at_is_never_a_pass(report: Report, tree: Path) -> None:
    (tree / "n.txt").write_bytes(b"n")
    written = {"kind": "file-write", "filePath": "n.txt", "contentHash": sha(b"n")}
    ran = {"kind": "command-executed", "command": "pytest", "exitCode": 0}
    assert report(written).outcome == "unverified", "no root"
    assert report(ran).unverified_because == "no_evidence"
    mixed = report(written, ran, world=TreeState(root=tree))
    assert (mixed.outcome, mixed.action) == ("partial", "warn")
    assert [claim.status for claim in mixed.claims] == ["supported", "unverifiable"]


def test_trace_ref_has_to_resolve(report: Report, tree: Path) -> None:
    ran = {"kind": "command-executed", "command": "ls", "exitCode": 0}
    calls = [{"id": "c", "name": "bash", "input": {"command": "ls"}, "exit_code": 0}]
    assert report(ran, trace=calls).outcome == "pass"  # req: S3-043
    other = report(ran, trace=calls, traceRef="trace:other")
    assert (other.outcome, other.claims[0].status) == ("unverified", "unverifiable")
    kept = TreeState(
        root=tree, traces={"kept": Trace(id="kept", calls=(ToolCall(id="c", name="sh", input="ls", exit_code=0),))}
    )
    assert report(ran, world=kept, traceRef="trace:kept").outcome == "pass", "a trace that was stored"
    assert report(ran, trace=["not a call"]).claims[0].status == "unverifiable"


def test_require_claims(report: Report, tree: Path) -> None:
    def outcome(required: str | None, world: TreeState | None = None, **more: Any) -> tuple[str, list[str]]:
        record = report(world=world, policy={"require_claims": required} if required else None, claims=None, **more)
        return record.outcome, categories(record)

    still = TreeState(root=tree, before=capture.take(tree))
    assert outcome("never") == ("unverified", [])  # req: C44
    assert outcome("if_changed") == ("unverified", []), "nobody can say"
    assert outcome("always") == ("fail", ["no_claims"])  # req: C44
    assert outcome(None, still) == ("unverified", []), "nothing that could be held was said, which is never a pass"
    wrote = [{"id": "c", "name": "write_file", "input": {"path": "x"}, "output": "ok"}]
    assert outcome(None, trace=wrote) == ("fail", ["no_claims"]), "the trace shows a write"  # req: C44
    (tree / "n.txt").write_bytes(b"n")
    assert outcome(None, still) == ("fail", ["no_claims", "undisclosed_change"])
    assert outcome("never", still) == ("unverified", ["undisclosed_change"])


def test_undisclosed_changes_warn_and_fail_by_policy(report: Report, tree: Path) -> None:
    world = TreeState(root=tree, before=capture.take(tree))
    (tree / "said.txt").write_bytes(b"s")
    (tree / "src" / "calc.py").write_bytes(b"quietly changed")
    (tree / "src" / "__pycache__").mkdir()
    (tree / "src" / "__pycache__" / "calc.pyc").write_bytes(b"left behind")
    claim = {"kind": "file-create", "filePath": "said.txt"}
    warned = report(claim, world=world)
    assert (warned.outcome, warned.action, categories(warned)) == ("pass", "warn", ["undisclosed_change"])
    assert warned.findings[0].quote == "src/calc.py"
    assert warned.findings[0].severity == "warning"
    strict = {"must_pass": ["undisclosed_changes"]}
    assert report(claim, world=world, policy=strict).outcome == "fail"
    assert report(claim, world=world, policy=strict | {"allowed_paths": ["src/"]}).outcome == "pass"
    assert report(claim, world=TreeState(root=tree), policy=strict).outcome == "unverified", "what changed is unknown"


def test_an_agent_cannot_hide_behind_git(report: Report, repository: Path) -> None:
    world = TreeState(root=repository, before=capture.take(repository))
    (repository / ".git" / "info" / "exclude").write_text("sneaky\n")
    (repository / "sneaky").write_bytes(b"1")
    (repository / ".git" / "hooks" / "post-commit").write_text("#!/bin/sh\n")
    quotes = [finding.quote for finding in report(world=world, claims=[]).findings]
    assert ".git/info/exclude" in quotes
    assert "sneaky" in quotes, "ignored by a rule that came along with it"
    assert ".git/hooks/post-commit" in quotes


def test_a_reader_finds_claims_in_plain_words(tree: Path) -> None:
    def reader(report: words.Report) -> list[ActionClaim]:
        return [
            ActionClaim(kind="file_create", path="n.txt", by="report", text=report.text, span=(0, len(report.text)))
        ]

    world = TreeState(root=tree, before=capture.take(tree))
    case = Case(subject={"kind": "agent_output", "summary": "I created n.txt."}, checkpoint="actions")
    record = Verifier(services={"world": world, "reader": reader}).verify_sync(case)
    assert (record.outcome, record.claims[0].text, record.claims[0].span) == ("fail", "I created n.txt.", (0, 16))
    (tree / "n.txt").write_bytes(b"n")
    assert Verifier(services={"world": world, "reader": reader}).verify_sync(case).outcome == "pass"


def test_words_name_paths_loosely_and_lists_do_not(tree: Path) -> None:
    def reader(report: words.Report) -> list[ActionClaim]:
        loose = ActionClaim(kind="file_edit", path="calc.py", by="report", text=report.text)
        return [loose, ActionClaim(kind="file_edit", by="report", text="some files")]

    world = TreeState(root=tree, before=capture.take(tree))
    case = Case(subject={"kind": "agent_output", "summary": "I mended calc.py."}, checkpoint="actions")
    verifier = Verifier(services={"world": world, "reader": reader})
    unchanged = verifier.verify_sync(case)
    assert [claim.status for claim in unchanged.claims] == ["contradicted", "unverifiable"]
    (tree / "src" / "calc.py").write_bytes(b"mended\n")
    mended = verifier.verify_sync(case)
    assert [claim.status for claim in mended.claims] == ["supported", "unverifiable"]
    assert not any(finding.category == "undisclosed_change" for finding in mended.findings)
    declared_one = {"kind": "file-write", "filePath": "calc.py"}
    exact = Case(subject={"kind": "agent_output", "summary": "s", "traceRef": "trace:t", "claims": [declared_one]})
    assert categories(verifier.verify_sync(exact))[0] == "file_not_found"


# --- many claims -------------------------------------------------------------------------------------------------


def test_many_claims_travel_as_one_manifest(report: Report, tree: Path) -> None:
    claims = []
    for number in range(500):
        (tree / f"f{number}").write_bytes(b"%d" % number)
        claims.append({"kind": "file-write", "filePath": f"f{number}", "contentHash": sha(b"%d" % number)})
    packed = manifest.pack(claims)
    assert len(packed["packed"]) < len(str(claims)) * 0.6  # req: S3-048
    assert packed["digest"] == manifest.pack(list(claims))["digest"]
    record = report(world=TreeState(root=tree), claims=packed)
    assert (record.outcome, len(record.claims)) == ("pass", 500)
    assert categories(report(claims=packed | {"digest": sha(b"")})) == ["wrong_format"]


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"packed": "!"},
        {"packed": base64.b64encode(b"no zlib").decode()},
        {"packed": base64.b64encode(zlib.compress(b"[" * 10)).decode(), "digest": sha(b"[" * 10)},
        {"count": 7},
        {"version": 2},
    ],
)
def test_a_broken_manifest_is_refused(report: Report, wrong: dict[str, Any]) -> None:
    packed = {"format": "other"} if not wrong else manifest.pack([{"kind": "command", "command": "ls"}]) | wrong
    assert categories(report(claims=packed)) == ["wrong_format"]


def test_a_manifest_that_would_grow_without_end_is_cut(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest, "MAX_BYTES", 1000)
    assert categories(report(claims=manifest.pack(["x" * 100_000]))) == ["wrong_format"]


def test_hostile_report_of_many_lines(report: Report, tree: Path) -> None:
    (tree / "n.txt").write_bytes(b"n")
    claim = {"kind": "file-write", "filePath": "n.txt", "contentHash": sha(b"n")}
    assert report(claim, world=TreeState(root=tree), summary="line\n" * 150_000).outcome == "pass"


def test_hostile_thousands_of_wrong_claims_give_a_bounded_report(report: Report, tree: Path) -> None:
    claims = [{"kind": "file-write", "filePath": f"g{n % 50}/{n}", "contentHash": sha(b"x")} for n in range(4_900)]
    record = report(world=TreeState(root=tree), claims=claims)
    assert record.outcome == "fail"
    assert len(record.findings) == 201
    assert "4,700 more" in record.findings[-1].message
    assert len(record.claims) == 4_900, "and no claim is dropped"


def test_a_replayed_verification_gives_the_same_record(report: Report, tree: Path) -> None:
    world = TreeState(root=tree, before=capture.take(tree))
    claim = {"kind": "file-write", "filePath": "ghost", "contentHash": sha(b"x")}
    first, second = report(claim, world=world), report(claim, world=world)
    assert first.id == second.id


def test_the_page_for_coding_agents_leads_to_the_trace_the_decision_and_the_metrics() -> None:
    docs = Path(__file__).resolve().parents[2] / "docs"
    after = (docs / "coding-agents.md").read_text(encoding="utf-8").partition("See also:")[2]
    links = dict(re.findall(r"\[([^\]]+)\]\((\w+\.md)", after))
    decision = (docs / links["why three levels"]).read_text(encoding="utf-8")
    assert "**Three levels for a specialist's output" in decision  # req: S3-049
    trace = resolve_name(next(re.finditer(r"witnessmark\.actions[\w.]+", after)).group())
    assert trace.Trace(id="t1").calls == ()
    verifier, _, method = next(re.finditer(r"`(TaskVerifier\.\w+)`", after)).group(1).partition(".")
    counted = getattr(resolve_name(f"witnessmark.compat.task_verifier:{verifier}")(), method)()
    assert counted["totalChecks"] == 0  # req: S3-049
