"""Pieces of code as syntax trees (tree-sitter), in the languages whose tests are read here. Knows nothing about tests."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from witnessmark.actions.trace.changes import ending

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LANGUAGES = {
    "py": "python", "pyi": "python", "js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript",
    "ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx", "go": "go", "rs": "rust", "java": "java",
}  # fmt: skip
MAX_NODES = 60_000
_T = TypeVar("_T")


def language_of(path: str) -> str:
    """The language of a file whose tests can be read here; empty for others."""
    return LANGUAGES.get(ending(path), "")


def by_language(python: _T, script: _T, go: _T, rust: _T, java: _T) -> dict[str, _T]:
    """What is used for each of these languages, by its name; JavaScript and TypeScript share theirs."""
    return {"python": python, "javascript": script, "typescript": script, "tsx": script, "go": go, "rust": rust, "java": java}  # fmt: skip


@functools.cache
def parser_of(language: str) -> Parser:
    """What parses a language that `language_of` names."""
    import tree_sitter

    package = "typescript" if language == "tsx" else language
    module = importlib.import_module(f"tree_sitter_{package}")
    name = {"typescript": "language_typescript", "tsx": "language_tsx"}.get(language, "language")
    return tree_sitter.Parser(tree_sitter.Language(getattr(module, name)()))


PIECE = "piece_of_a_file"
"""The function that stands around a piece which is none by itself; no test has its name."""


def completed(code: str, language: str) -> str:
    """A piece of code with the brackets that it leaves open closed, so that its last statement parses."""
    if language == "python":
        return _dedented(code)
    bare = re.sub(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`[^`]*`|//[^\n]*", "", code)
    stack: list[str] = []
    for sign in bare:
        if sign in "([{":
            stack.append({"(": ")", "[": "]", "{": "}"}[sign])
        elif sign in ")]}" and stack and stack[-1] == sign:
            stack.pop()
    fill = " _ = 0 " if stack and stack[-1] == "}" and language == "go" else ""
    inner = code + fill + "".join(reversed(stack))
    if language == "go" and not re.search(r"^(?:package|func|import|type|var|const)\b", code.lstrip()):
        return f"package p\nfunc {PIECE}(t *testing.T) {{\n{inner}\n}}\n"
    if language == "rust" and not re.search(r"^(?:use|fn|mod|#\[|pub|struct|impl)\b", code.lstrip()):
        return f"fn {PIECE}() {{\n{inner}\n}}\n"
    if language == "java" and not re.search(r"^(?:package|import|public class|class)\b", code.lstrip()):
        return f"class C {{ void {PIECE}() {{\n{inner}\n}} }}\n"
    return inner


@functools.lru_cache(maxsize=2)
def piece_root(code: str, language: str) -> Node:
    """The syntax tree of a piece of code; what an edit took out and what it put in are asked for by turns, and parsed once."""
    return parser_of(language).parse(completed(code, language).encode("utf-8", "surrogatepass")).root_node


def _dedented(code: str) -> str:
    lines = code.split("\n")
    first = next((line for line in lines if line.strip()), "")
    margin = len(first) - len(first.lstrip())
    return "\n".join(line[margin:] if line[:margin].isspace() or not line[:margin] else line for line in lines)


def node_text(node: Node | None) -> str:
    """The code of a node; empty where there is none."""
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def nodes_under(root: Node) -> Iterator[Node]:
    """A node and the parts of it that have parts, in the order they are written; at most MAX_NODES."""
    waiting, seen = [root], 0
    while waiting and seen < MAX_NODES:
        node = waiting.pop()
        seen += 1
        yield node
        waiting += [child for child in reversed(node.named_children) if child.named_child_count]


def root_of(node: Node) -> Node:
    """The whole of which a node is a part."""
    while node.parent is not None:
        node = node.parent
    return node
