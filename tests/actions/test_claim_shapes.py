"""Level 1, row by row: how a claim, an artifact, a manifest and an output may be written, and the fault that is named where they may not."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from witnessmark import Case, Verifier
from witnessmark.actions.claims import declared_claims, manifest
from witnessmark.core.record import Record
from witnessmark.core.values import canonical

from .conftest import sha  # type: ignore[import-not-found]

Report = Callable[..., Record]


def faults(record: Record) -> list[tuple[str, str]]:
    """The faults of a report's shape: where, and of which category."""
    structure = next(result for result in record.results if result.node == "output_structure")
    if structure.status == "pass":
        return []
    return [(finding.message.partition(": ")[0], finding.category) for finding in record.findings]


DIGEST = sha(b"x")


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "file_write", "path": "a"},
        {"type": "file-write", "filePath": "a"},
        {"kind": "file-write", "filePath": "src/a", "path": "./src/a"},
        {"kind": "File Written", "file": "a"},
        {"kind": "fileModified", "file_path": "a", "size": 0},
        {"kind": "create", "path": "a", "sha256": f"SHA256-{DIGEST.upper()}"},
        {"kind": "file-rename", "oldPath": "a", "newPath": "b"},
        {"kind": "file_move", "from": "a", "toPath": "b"},
        {"kind": "command_run", "cmd": "make", "exit-code": -9},
        {"kind": "tests-run", "passed": 3, "failed": 0},
        {"kind": "http-request", "url": "https://example.org", "statusCode": 201},
        {"kind": "check-passed", "check": "lint"},
        {"kind": "git", "role": "commit", "commit": "1a2b3c4"},
        {"kind": "effect", "effect": "deployed", "name": "1.4"},
        {"kind": "untouched"},
        {"kind": "work", "text": "Cleaned up."},
        {"kind": "code-inserted", "filePath": "a", "anchor": {"after": "x", "lineHint": 3}, "replace": True},
        {"kind": "file_write", "path": "a", "sha256": None, "note": {"anything": [1]}, 7: "not a name"},
    ],
    ids=lambda claim: str(claim.get("kind", claim.get("type"))),
)
def test_a_claim_may_be_written_so(report: Report, claim: dict[str, Any]) -> None:
    assert declared_claims.read([claim])[1] == []
    if all(isinstance(key, str) for key in claim):
        assert faults(report(claim)) == []


@pytest.mark.parametrize(
    ("claim", "category", "names"),
    [
        ("wrote a.txt", "invalid_type", "should be an object"),
        (["file_write", "a.txt"], "invalid_type", "should be an object"),
        ({}, "missing_field", "kind: is missing"),
        ({"kind": 7}, "invalid_type", "kind: should be text"),
        ({"kind": "teleport"}, "unknown", "kind: is not one of"),
        ({"kind": "file_write"}, "missing_field", "path: is missing"),
        ({"kind": "file_write", "path": ""}, "missing_field", "path: is missing"),
        ({"kind": "file_rename", "path": "a"}, "missing_field", "to: is missing"),
        ({"kind": "command"}, "missing_field", "command: is missing"),
        ({"kind": "http"}, "missing_field", "url: is missing"),
        ({"kind": "check_passed"}, "missing_field", "role: is missing"),
        ({"kind": "reverted"}, "missing_field", "path: is missing"),
        ({"kind": "file_write", "path": ["a"]}, "invalid_type", "path: should be text"),
        ({"kind": "file_write", "path": "a", "size": "3"}, "invalid_type", "size: should be a whole number"),
        ({"kind": "file_write", "path": "a", "size": True}, "invalid_type", "size: should be a whole number"),
        ({"kind": "file_write", "path": "a", "size": -1}, "invalid_type", "size: cannot be negative"),
        ({"kind": "tests_passed", "passed": 2.5}, "invalid_type", "passed: should be a whole number"),
        ({"kind": "file_write", "path": "a", "sha256": "abc"}, "wrong_format", "sha256: is not a sha256"),
        ({"kind": "file_write", "path": "a", "sha256": "g" * 64}, "wrong_format", "sha256: is not a sha256"),
        ({"kind": "file_write", "filePath": "a.txt", "path": "b.txt"}, "wrong_format", "path: is given twice and differs, here as 'path'"),
        ({"kind": "command", "cmd": "make", "command": "make test"}, "wrong_format", "command: is given twice"),
        ({"kind": "file_edit", "path": "a", "anchor": "x"}, "invalid_type", "anchor: should be an object"),
        ({"kind": "file_edit", "path": "a", "anchor": {"after": 7}}, "invalid_type", "anchor.after: should be text"),
        ({"kind": "file_edit", "path": "a", "anchor": {"replaces": "yes"}}, "invalid_type", "anchor.replaces: should be true or false"),
    ],
)  # fmt: skip
def test_a_claim_that_cannot_be_read_is_named_with_its_place_and_never_dropped(
    report: Report, claim: Any, category: str, names: str
) -> None:
    record = report({"kind": "command", "command": "ls"}, claim)
    (finding,) = record.findings
    assert finding.category == category
    assert finding.message.startswith(f"claims[1]: {names}")
    assert finding.suggestion
    assert record.outcome == "fail"


@pytest.mark.parametrize(
    ("claims", "category"),
    [("a list in words", "invalid_type"), (7, "invalid_type"), ({"claims": []}, "wrong_format")],
)
def test_what_is_no_list_is_named(report: Report, claims: Any, category: str) -> None:
    assert faults(report(claims=claims)) == [("claims", category)]


def test_more_claims_than_are_read_at_once_are_refused_and_not_cut(
    report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(declared_claims, "MAX_CLAIMS", 2)
    two = [{"kind": "command", "command": "ls"}] * 2
    assert faults(report(*two)) == []
    assert faults(report(*two, two[0])) == [("claims", "wrong_length")]


class TestArtifacts:
    @pytest.mark.parametrize(
        ("artifact", "expected"),
        [
            ({"name": "log", "contentHash": DIGEST}, []),
            ({"name": "log", "content_hash": f"sha256:{DIGEST}"}, []),
            ({"name": "log", "sha256": DIGEST.upper()}, []),
            ({"name": "log"}, [("artifacts[0].contentHash", "missing_field")]),
            ({"name": "log", "contentHash": 7}, [("artifacts[0].contentHash", "invalid_type")]),
            ({"name": "log", "contentHash": "abc"}, [("artifacts[0].contentHash", "wrong_format")]),
            ("log", [("artifacts[0]", "invalid_type")]),
            ({"text": "x" * 2000, "contentHash": DIGEST}, [("artifacts[0]", "wrong_length")]),
            ({"text": "x" * 2000}, [("artifacts[0]", "wrong_length"), ("artifacts[0].contentHash", "missing_field")]),
        ],
        ids=[
            "by digest",
            "snake case",
            "capitals",
            "no digest",
            "a number",
            "no sha256",
            "no object",
            "too large",
            "both",
        ],
    )
    def test_one(self, report: Report, artifact: Any, expected: list[tuple[str, str]]) -> None:
        assert faults(report(artifacts=[artifact])) == expected

    def test_each_is_looked_at_and_none_is_no_fault(self, report: Report) -> None:
        fine, broken = {"contentHash": DIGEST}, {"contentHash": "abc"}
        found = faults(report(artifacts=[broken, fine, broken]))
        assert [place for place, _ in found] == ["artifacts[0].contentHash", "artifacts[2].contentHash"]
        assert faults(report(artifacts=None)) == faults(report(artifacts=[])) == []
        assert faults(report(artifacts="log")) == [("artifacts", "invalid_type")]


class TestOutputs:
    """An agent's output without claims and trace: summary, data, confidence, tools and metadata."""

    WHOLE = {"summary": "ok", "data": {}, "confidence": 0.9, "tools_used": ["a"], "metadata": {}}

    def verify(self, **changed: Any) -> list[tuple[str, str]]:
        fields = {name: value for name, value in (self.WHOLE | changed).items() if value != "left out"}
        return faults(Verifier().verify_sync(Case(subject={"kind": "agent_output", **fields}, checkpoint="actions")))

    @pytest.mark.parametrize("confidence", [0, 0.5, 1])
    def test_a_whole_one(self, confidence: float) -> None:
        assert self.verify(confidence=confidence) == []

    @pytest.mark.parametrize(
        ("field", "value", "category"),
        [
            ("summary", "left out", "missing_field"),
            ("summary", "", "missing_field"),
            ("summary", 7, "invalid_type"),
            ("data", "left out", "missing_field"),
            ("confidence", "left out", "missing_field"),
            ("confidence", True, "invalid_type"),
            ("confidence", "high", "invalid_type"),
            ("confidence", -0.1, "invalid_type"),
            ("tools_used", "left out", "missing_field"),
            ("tools_used", "a", "invalid_type"),
            ("tools_used", ["a", 7], "invalid_type"),
            ("metadata", "left out", "missing_field"),
            ("metadata", ["a"], "invalid_type"),
        ],
    )
    def test_one_field_that_is_wrong_is_the_only_one_named(self, field: str, value: Any, category: str) -> None:
        assert self.verify(**{field: value}) == [(field, category)]


class TestManifests:
    CLAIMS = [{"kind": "command", "command": f"step {number}"} for number in range(3)]

    def packed(self, body: bytes, **changed: Any) -> dict[str, Any]:
        whole = {"format": manifest.FORMAT, "version": manifest.VERSION, "count": 3, "digest": sha(body)}
        return whole | {"packed": base64.b64encode(zlib.compress(body)).decode()} | changed

    def test_the_same_claims_come_out_however_they_were_packed(self) -> None:
        loosely = self.packed(canonical(self.CLAIMS))
        loosely["packed"] = base64.b64encode(zlib.compress(canonical(self.CLAIMS), 0)).decode()
        assert manifest.unpack(loosely) == manifest.unpack(manifest.pack(self.CLAIMS)) == self.CLAIMS

    @pytest.mark.parametrize(
        ("changed", "why"),
        [
            ({"format": "tar"}, "not a witnessmark-manifest"),
            ({"version": 2}, "not a witnessmark-manifest"),
            ({"packed": None}, "packed"),
            ({"packed": "§"}, "packed"),
            ({"packed": base64.b64encode(b"x").decode()}, "packed"),
            ({"digest": sha(b"other")}, "digest"),
            ({"count": 4}, "count"),
        ],
        ids=["format", "version", "nothing packed", "no base64", "no zlib", "changed in transit", "another count"],
    )
    def test_one_that_does_not_hold_what_it_says_is_refused_by_the_field(
        self, report: Report, changed: dict[str, Any], why: str
    ) -> None:
        (finding,) = report(claims=self.packed(canonical(self.CLAIMS)) | changed).findings
        assert finding.category == "wrong_format"
        assert why in finding.message

    @pytest.mark.parametrize("body", [b'{"kind": "command"}', b"3", b"[1, 2", b"\xff\xfe"])
    def test_something_else_packed_is_refused(self, report: Report, body: bytes) -> None:
        assert faults(report(claims=self.packed(body))) == [("claims", "wrong_format")]

    def test_one_that_is_cut_short_is_refused(self, report: Report) -> None:
        whole = zlib.compress(canonical(self.CLAIMS))
        short = self.packed(canonical(self.CLAIMS), packed=base64.b64encode(whole[:-6]).decode())
        (finding,) = report(claims=short).findings
        assert "truncated" in finding.message
