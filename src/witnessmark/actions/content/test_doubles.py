"""What a node of test code replaces (mocks, stubs, reassigned functions), in the ways of each language and its libraries. Knows nothing about assertions."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from witnessmark.actions.content.syntax_trees import by_language, node_text, root_of
from witnessmark.text.patterns import compiled, put_in, table_in

if TYPE_CHECKING:
    from tree_sitter import Node

DATA = Path(__file__).with_name("test_doubles.toml")


@functools.cache
def double_pattern(name: str) -> re.Pattern[str]:
    """A pattern of how things are replaced, from `test_doubles.toml`."""
    return compiled(table_in(DATA)[name])


def double_pattern_of(key: str, name: str, source: str = "") -> re.Pattern[str]:
    """A pattern of `test_doubles.toml` for a name, and for the module that it comes from."""
    marks = {"name": re.escape(name), "source": re.escape(source)}
    return re.compile(put_in(table_in(DATA)[key], marks), re.MULTILINE)


Target = tuple[str, str]
"""The owner of something that is called, and its name."""
MAX_STATEMENT = 2_000
"""So much of a statement is read."""


def replaced_by(node: Node, language: str) -> Iterator[Target]:
    """What a node replaces; nothing for most."""
    return (target for target in _FINDERS[language](node) if target[1])


def _last(path: str) -> str:
    return re.split(r"\.|::|->|/", path.strip("'\"`& ?!"))[-1]


def target_of(path: str) -> Target:
    """The owner and the name of a dotted path."""
    parts = [part for part in re.split(r"\.|::|/", path.strip("'\"`&* ")) if part]
    return (parts[-2] if len(parts) > 1 else "", parts[-1]) if parts else ("", "")


def _given(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return [one for one in arguments.named_children if one.type != "comment"] if arguments is not None else []


def _text_of(node: Node) -> str:
    """The content of a string; empty for anything else."""
    text = node_text(node)
    return text.strip("'\"`") if node.type in ("string", "interpreted_string_literal", "template_string") else ""


# --- what is replaced --------------------------------------------------------------------------------------------

_PATCHES = double_pattern("patches")
_DOUBLES = double_pattern("doubles")
_SET_UP = double_pattern("set_up")
_FILES = double_pattern("files")
_SPIES = double_pattern("spies")


def _python(node: Node) -> Iterator[Target]:
    if node.type == "call":
        name, given = node_text(node.child_by_field_name("function")), _given(node)
        plain = [one for one in given if one.type != "keyword_argument"]
        if not _PATCHES.fullmatch(name) or not plain:
            return
        path = _text_of(plain[0])
        if path and "." in path and not name.endswith(".object"):
            yield target_of(path)
        elif len(plain) > 1 and (attribute := _text_of(plain[1])) and not path:
            yield _last(node_text(plain[0])), attribute
    elif node.type == "assignment":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or left.type != "attribute":
            return
        owner, _, attribute = node_text(left).rpartition(".")
        called = node_text(right.child_by_field_name("function"))
        if attribute in ("return_value", "side_effect"):
            yield target_of(owner) if "." in owner else ("", "")
        elif right.type == "lambda" or (right.type == "call" and _DOUBLES.fullmatch(called)):
            yield _last(owner), attribute


def _script(node: Node) -> Iterator[Target]:
    if node.type == "assignment_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        called = re.match(r"[\w.]+", node_text(right))
        doubled = called is not None and right is not None and right.type == "call_expression" and _DOUBLES.fullmatch(called.group())  # fmt: skip
        if left is not None and right is not None and left.type == "member_expression":
            if doubled or right.type in ("arrow_function", "function_expression"):
                yield target_of(node_text(left))
        return
    if node.type != "call_expression":
        return
    function, given = node.child_by_field_name("function"), _given(node)
    name = node_text(function)
    if _FILES.fullmatch(name) and given:
        yield from _of_file(node, given)
    elif _SPIES.fullmatch(name) and len(given) > 1 and _text_of(given[1]):
        if name.endswith("spyOn") and not _is_set_up(node):
            return
        if name.endswith(".method") and len(given) < 3:
            return
        yield _last(node_text(given[0]).removesuffix(".prototype")), _text_of(given[1])
    elif function is not None and function.type == "member_expression":
        mocked = function.child_by_field_name("object")
        if mocked is not None and _SET_UP.fullmatch(node_text(function.child_by_field_name("property"))):
            text = re.sub(r"^\(|\s+as\s.*$|\)$", "", double_pattern("mocked").sub(r"\1", node_text(mocked)), flags=re.DOTALL)  # fmt: skip
            if re.fullmatch(r"[\w.]+", text):
                yield target_of(text)


def _is_set_up(spy: Node) -> bool:
    """Whether what spies on a function also says what it does now: in the same words, or by the name it was given."""
    parent = spy.parent
    if parent is not None and parent.type == "member_expression":
        return _SET_UP.fullmatch(node_text(parent.child_by_field_name("property"))) is not None
    if parent is None or parent.type != "variable_declarator":
        return False
    named = re.escape(node_text(parent.child_by_field_name("name")))
    behind = (root_of(spy).text or b"")[spy.end_byte : spy.end_byte + MAX_STATEMENT].decode("utf-8", "replace")
    return re.search(rf"\b{named}\s*\.(?:{_SET_UP.pattern})\(", behind) is not None


def _of_file(node: Node, given: list[Node]) -> Iterator[Target]:
    """The names that a test imports from a file which it replaces: all, or those that the replacement says."""
    source = _text_of(given[0])
    if not source.startswith("."):
        return  # a package, no code of the project
    imported = [line for line in root_of(node).named_children if line.type == "import_statement" and _text_of(line.named_children[-1]) == source]  # fmt: skip
    names = {name for line in imported for name in re.findall(r"\w+", node_text(line).partition("from")[0])} - {"import", "type", "as"}  # fmt: skip
    body = node_text(given[1]) if len(given) > 1 else ""
    told = set(double_pattern("keys").findall(body))
    for name in sorted(names if not body or "default" in told else names & told):
        yield _last(source), name


_GO_PATCHES = double_pattern("go_patches")


def _go(node: Node) -> Iterator[Target]:
    if node.type == "assignment_statement":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = right.named_children[0] if right is not None and right.named_children else None
        stubbed = value is not None and value.type == "identifier" and double_pattern("stubbed").search(node_text(value))  # fmt: skip
        if value is not None and (value.type == "func_literal" or stubbed):
            yield target_of(node_text(left))
    elif node.type == "call_expression":
        name, given = node_text(node.child_by_field_name("function")), _given(node)
        if _GO_PATCHES.fullmatch(name) and given:
            method = _text_of(given[1]) if len(given) > 2 else ""
            yield (_last(node_text(given[0])), method) if method else target_of(node_text(given[0]))
        elif (expects := double_pattern("go_expects").fullmatch(name)) and _answers(node, "Return", "DoAndReturn"):
            yield expects[1], expects[2]
        elif (on := re.fullmatch(r"(\w+)\.On", name)) and given and _answers(node, "Return", "Run"):
            yield on[1], _text_of(given[0])


def _rust(node: Node) -> Iterator[Target]:
    if node.type != "call_expression":
        return
    expects = double_pattern("rust_expects").fullmatch(node_text(node.child_by_field_name("function")))
    if expects is not None:
        yield expects[1], expects[2]


def _answers(node: Node, *ways: str) -> bool:
    """Whether what is called on a call says what it gives back."""
    parent = node.parent
    while parent is not None and parent.type in ("selector_expression", "call_expression", "field_expression"):
        if node_text(parent.child_by_field_name("field")) in ways:
            return True
        parent = parent.parent
    return False


def _java(node: Node) -> Iterator[Target]:
    if node.type != "method_invocation":
        return
    name, given = node_text(node.child_by_field_name("name")), _given(node)
    behind = node.child_by_field_name("object")
    if name in ("when", "given", "expect") and given:
        mocked = given[0]
        if mocked.type == "lambda_expression":
            mocked = mocked.named_children[-1]
        if mocked.type == "method_invocation":
            yield _last(node_text(mocked.child_by_field_name("object"))), node_text(mocked.child_by_field_name("name"))
    elif behind is not None and behind.type == "method_invocation" and node_text(behind.child_by_field_name("name")) == "when":  # fmt: skip
        whose = _given(behind)
        if whose and node_text(behind.child_by_field_name("object")).startswith(("do", "Mockito.do")) and whose[0].type == "identifier":  # fmt: skip
            yield node_text(whose[0]), name


_FINDERS = by_language(_python, _script, _go, _rust, _java)
