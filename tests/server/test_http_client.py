"""The TypeScript client and the page of the HTTP API are what the OpenAPI document says, and the client is TypeScript."""

from __future__ import annotations

import importlib.util

import pytest
import tree_sitter
import tree_sitter_typescript

from witnessmark.server.app import ENDPOINTS


@pytest.fixture(scope="module")
def tool():
    from pathlib import Path

    file = Path(__file__).resolve().parents[2] / "tools" / "http_client.py"
    spec = importlib.util.spec_from_file_location("http_client_tool", file)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_both_are_up_to_date(tool):
    told = tool.document()
    assert tool.CLIENT.read_text(encoding="utf-8") == tool.client(told), "run: python tools/http_client.py"
    assert tool.PAGE.read_text(encoding="utf-8") == tool.page(told), "run: python tools/http_client.py"


def test_the_client_is_typescript_with_a_method_for_every_operation(tool):
    source = tool.CLIENT.read_bytes()
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_typescript.language_typescript()))
    tree = parser.parse(source)
    assert not tree.root_node.has_error
    text = source.decode()
    assert "Record<" not in text, "a record is a type of ours, and hides TypeScript's own"
    for endpoint in ENDPOINTS:
        address = endpoint.path.replace("{", "${encodeURIComponent(").replace("}", ")}")
        assert f'this.call("{endpoint.method}", `{address}`' in text
