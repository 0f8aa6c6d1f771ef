"""Schemas of tools: declared by who runs them, found without running anything, and an error where they cannot be loaded."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from witnessmark import Case, Verifier
from witnessmark.actions import tool_schemas as room
from witnessmark.actions.tool_schemas import ToolOutputError, ToolSchemas
from witnessmark.actions.trace.calls import ToolCall
from witnessmark.core.errors import InputError

DOCUMENT = {
    "$defs": {
        "QueryResult": {
            "type": "object",
            "required": ["documents"],
            "properties": {"documents": {"$ref": "#/$defs/List"}},
        },
        "List": {"type": "array"},
    }
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package whose import would be noticed."""
    folder = tmp_path / "site" / "mind_contracts"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise SystemExit('this package must not be imported')\n")
    (folder / "schema.json").write_text(json.dumps(DOCUMENT))
    monkeypatch.syspath_prepend(str(folder.parent))
    importlib.invalidate_caches()
    return folder


def test_a_result_is_validated_before_it_is_handed_on() -> None:
    known = ToolSchemas({"search": DOCUMENT["$defs"]["QueryResult"] | DOCUMENT})
    good = {"documents": []}
    assert known.checked("search", good) is good
    with pytest.raises(ToolOutputError, match=r"search.*documents"):
        known.checked("search", {"docs": []})  # req: C43


def test_a_result_is_validated_before_it_is_handed_on_and_again_in_the_trace() -> None:
    known = ToolSchemas({"search": {"type": "object"}})
    with pytest.raises(ToolOutputError):
        known.checked("search", 7)  # req: S3-010
    found, looked = known.findings([ToolCall(id="c", name="search", output=7)])
    assert (len(found), looked) == (1, 1)  # req: S3-010


def test_validation_is_opt_in_by_registration() -> None:
    known = ToolSchemas()
    assert known.checked("search", 7) == 7, "opt-in"
    known.register("search", {"type": "object"})
    assert known.errors("search", 7) != []  # req: S3-045
    with pytest.raises(ToolOutputError):
        known.checked("search", 7)
    assert known.findings([ToolCall(id="c", name="other", output=7)]) == ([], 0)  # req: S3-011


def test_a_reference_is_resolved_without_importing_the_package(package: Path) -> None:
    for ref in (
        "mind_contracts/schema#QueryResult",
        "mind-contracts/schema#QueryResult",
        "@kb-labs/mind-contracts/schema#QueryResult",
    ):
        known = ToolSchemas({"q": ref})
        assert known.errors("q", {"documents": []}) == []
        assert [error[:11] for error in known.errors("q", {"documents": 7})] == ["$.documents"]  # req: S3-009
    assert "mind_contracts" not in sys.modules


def test_the_documented_name_with_schema_at_its_end_is_found(package: Path) -> None:
    assert ToolSchemas({"q": "mind_contracts/schema#QueryResultSchema"}).errors("q", {"documents": []}) == []


@pytest.mark.parametrize(
    "ref",
    [
        "no_such_package/schema#A", "mind_contracts/schema#Missing", "mind_contracts/missing#A", "mind_contracts/../secret#A",
        "not-an-entry-point", "mind_contracts/broken#A", "os;rm/schema#A",
    ],
)  # fmt: skip
def test_a_declared_schema_that_cannot_be_loaded_is_an_error(package: Path, ref: str) -> None:
    (package / "broken.json").write_text("{")
    (package.parent / "secret.json").write_text(json.dumps({"A": {}}))
    with pytest.raises(InputError, match="cannot be used"):
        ToolSchemas({"q": ref}).errors("q", {})


@pytest.mark.parametrize("schema", [7, {"type": "no-such-type"}, {"$ref": "https://example.org/schema.json"}])
def test_a_schema_that_is_none_is_an_error_and_nothing_is_fetched(schema: Any) -> None:
    with pytest.raises(InputError, match="cannot be used"):
        ToolSchemas({"q": schema}).errors("q", {})


class Hit(BaseModel):
    title: str
    score: float


def test_a_pydantic_model_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "acme/hit"

        @staticmethod
        def load() -> Any:
            return Hit

    monkeypatch.setattr(room.metadata, "entry_points", lambda group, name: [Point] if name == Point.name else [])
    known = ToolSchemas({"q": "acme/hit"})
    assert known.errors("q", {"title": "a", "score": 0.5}) == []
    (error,) = known.errors("q", {"title": "a", "score": "secret"})
    assert error.startswith("$.score")
    assert "secret" not in error


def test_packages_that_are_not_python_are_told_where_they_lie(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text(json.dumps({"QueryResult": {"type": "object"}}))
    known = ToolSchemas(
        {"q": "@kb-labs/mind-contracts/schema#QueryResult"}, packages={"@kb-labs/mind-contracts": tmp_path}
    )
    assert known.errors("q", {}) == []
    assert known.errors("q", [])


REF = "@kb-labs/mind-contracts/schema#QueryResult"


def verified(manifests: Any, output: Any, **call: Any) -> tuple[str, list[tuple[str, str | None]]]:
    """What level 2 says of a run that called the tool once: its status, and category and quote of what it finds."""
    subject = {"kind": "agent_output", "summary": "Looked it up.", "traceRef": "trace:t1"}
    trace = [{"id": "c1", "name": "mind:rag-query", "input": {}, "output": output} | call]
    case = Case(
        subject=subject,
        evidence=[{"id": "t1", "kind": "trace", "data": trace}],
        context={"tool_manifests": manifests},
        checkpoint="actions",
    )
    record = Verifier().verify_sync(case)
    status = next(result.status for result in record.results if result.check == "tool_outputs")
    return status, [(f.category, f.quote) for f in record.findings if f.check == "tool_outputs"]


@pytest.mark.parametrize(
    "manifest",
    [
        {"id": "mind", "tools": [{"name": "mind:rag-query", "output": REF}, {"name": "mind:sync"}]},
        {"commands": [{"id": "mind:rag-query", "output": {"schema": REF}}]},
        {"tools": {"mind:rag-query": {"output": {"schema": {"$ref": REF}}}}},
        {"tools": [{"name": "mind:rag-query", "outputSchema": {"type": "object", "required": ["documents"]}}]},
    ],
    ids=["by reference", "as a command", "by name", "as MCP lists tools"],
)
def test_a_plugins_manifest_says_what_its_tools_give_back(package: Path, manifest: dict[str, Any]) -> None:
    assert verified([manifest], {"documents": []}) == ("pass", [])
    wrong = ("fail", [("schema_mismatch", "mind:rag-query (c1)")])
    assert verified([manifest], {"docs": []}) == wrong  # req: S3-008


def test_a_declaration_in_a_form_that_is_not_read_is_an_error_and_fits_nothing(package: Path) -> None:
    """A reference under another name was taken for a schema that everything fits: fail-open, as in the predecessor."""
    manifest = {"tools": [{"name": "mind:rag-query", "output": {"zod": REF}}]}
    assert verified([manifest], {"docs": []})[0] == "error"
    with pytest.raises(InputError, match="asks for nothing: 'zod' is no word of JSON Schema"):
        ToolSchemas({"mind:rag-query": {"zod": REF}}).errors("mind:rag-query", {})


def test_a_schema_with_a_type_that_there_is_none_of_is_refused_with_its_place() -> None:
    schema = {"type": "object", "properties": {"count": {"type": "whole"}}}
    with pytest.raises(InputError, match=r"\$\.properties\.count\.type: 'whole' is no type; write array, boolean"):
        ToolSchemas({"count_words": schema}).errors("count_words", {"count": 1})


def test_a_manifest_may_be_read_from_the_plugins_own_package(package: Path) -> None:
    (package / "manifest.json").write_text(json.dumps({"tools": [{"name": "mind:rag-query", "output": REF}]}))
    assert verified(["mind-contracts/manifest"], {"docs": []})[0] == "fail"
    known = ToolSchemas()
    known.register_manifest("mind-contracts/manifest")
    assert known.errors("mind:rag-query", {"documents": []}) == []


def test_what_a_tool_says_when_it_failed_is_not_held_to_the_schema_of_its_result(package: Path) -> None:
    manifest = {"tools": [{"name": "mind:rag-query", "output": REF}]}
    assert verified([manifest], "index is locked", ok=False)[0] == "pass"
    assert verified([manifest], "index is locked")[0] == "fail"


@pytest.mark.parametrize(
    ("manifest", "told"),
    [
        ({"id": "mind"}, "tools: the manifest lists no tools"),
        ({"tools": 7}, "tools: should be a list"),
        ({"tools": [{"output": REF}]}, r"tools\[0\].name: the tool has no name"),
        ({"tools": ["search"]}, r"tools\[0\]: should be an object"),
        ({"tools": [{"name": "q", "output": 7}]}, r"tools\[0\].output: should be a JSON Schema"),
        (7, "a tool manifest is an object"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_an_error_that_names_the_field(manifest: Any, told: str) -> None:
    assert verified([manifest], {"documents": []})[0] == "error"
    with pytest.raises(InputError, match=told):
        ToolSchemas().register_manifest(manifest)
