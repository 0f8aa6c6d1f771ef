"""What a piece of test code replaces (mocks, stubs, reassigned functions), by its syntax tree, and whether the test then asserts on just that.

A test that replaces what its subject calls (network, clock, files, another service) checks as much as before; one that asserts on
the result of what it replaced checks only its own words. Owners are compared, so that a mocked `repo.find` is not `service.find`.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from witnessmark.actions.content.assertions import assertions_under
from witnessmark.actions.content.syntax_trees import PIECE, node_text, nodes_under, piece_root, root_of
from witnessmark.actions.content.test_doubles import (
    MAX_STATEMENT,
    Target,
    double_pattern,
    double_pattern_of,
    replaced_by,
    target_of,
)
from witnessmark.core.explain import clipped
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Replacement:
    """A function or method that a test replaces. `asserted`: the test asserts on the result of calling it."""

    name: str
    owner: str
    """The last part of what it belongs to; empty where the test names none."""
    shown: str
    test: str = ""
    asserted: bool = False


_WRAPS = double_pattern("wraps")
"""Signs of a replacement that calls what it replaces: a spy."""
_BACK = double_pattern("back")
"""Calls that put back what was replaced."""
_FUNCTIONS = frozenset({"function_definition", "function_declaration", "function_item", "method_declaration"})
_BLOCKS = _FUNCTIONS | {"with_statement", "decorated_definition"}
_TESTS = double_pattern("tests")
_AROUND = frozenset({"setUp", "setup", "setup_method", "setup_module", "setUpClass", "SetupTest", "SetupSuite", "TestMain", "before"})  # fmt: skip
_RUNS = double_pattern("runs")


MAX_FOUND = 100
"""So many replacements of one piece of code are looked at."""
_SIGNS = double_pattern("signs")
"""Without any of these nothing is replaced, and nothing is parsed."""


@functools.lru_cache(maxsize=64)
def replacements_in(code: str, language: str) -> tuple[Replacement, ...]:
    """What a piece of code replaces, in order, each with whether its test asserts on it."""
    if not _SIGNS.search(code):
        return ()
    root = piece_root(code, language)
    nodes = list(nodes_under(root))
    named = ((node, target) for node in nodes for target in replaced_by(node, language))
    made = [(node, target) for node, target in islice(named, MAX_FOUND) if not _calls_the_real(node, target[1])]
    functions = [node for node in nodes if node.type in _FUNCTIONS] if made else []
    tested: dict[int, _TestPart] = {}
    return tuple(_replacement(node, target, functions, language, tested) for node, target in made)


def _replacement(
    node: Node, target: Target, functions: list[Node], language: str, tested: dict[int, _TestPart]
) -> Replacement:
    """One replacement; `functions`: all of the code's; `tested`: what is known of its parts already."""
    scope, root = _scope(node), root_of(node)
    parts = _affected(scope, root, functions)
    for part in parts:
        if part.id not in tested:
            tested[part.id] = _tested(part, language)
    asserted = any(tested[part.id].asserts(node, target, root) for part in parts)
    return Replacement(target[1], target[0], clipped(" ".join(node_text(node).split()), 100), _name_of(scope), asserted)


@dataclass(frozen=True, slots=True)
class _TestPart:
    """A test, or all of the code: what it asserts on the results of, by where, and what each of its variables was made from."""

    part: Node
    asserted: tuple[tuple[int, Target], ...]
    made: dict[str, str]

    def asserts(self, node: Node, target: Target, root: Node) -> bool:
        """Whether it asserts, behind a replacement in it, on the result of calling what is replaced."""
        inside = self.part.start_byte <= node.start_byte < self.part.end_byte
        for place, called in self.asserted:
            if (inside and place < node.start_byte) or not _same(called, target, self.made, root):
                continue
            text = root.text or b""
            behind = text[text.find(b"\n", node.end_byte) : place].decode("utf-8", "replace") if inside else ""
            return not _BACK.search(behind)
        return False


def _tested(part: Node, language: str) -> _TestPart:
    """What a part of the code asserts on, by itself or by the variable that it is."""
    made, found = _made(part), list[tuple[int, Target]]()
    for one in assertions_under(part, language):
        for side in (one.subject, one.expected) if one.kind == "check" else ():
            name = _NAME_AT_HEAD.match(side)
            called = _called(side) or (_called(made.get(name.group(), "")) if name is not None else None)
            found += [(one.place, called)] if called is not None else []
    return _TestPart(part, tuple(found), made)


def _calls_the_real(node: Node, name: str) -> bool:
    """Whether a replacement calls what it replaces: a spy, which changes nothing."""
    statement = node
    while statement.parent is not None and not statement.type.endswith(("_statement", "decorator", "with_item")):
        statement = statement.parent
    text = node_text(statement) if statement.type != "with_statement" else node_text(node)
    text = text[:MAX_STATEMENT]
    for value in re.findall(r"[,=]\s*(\w+)\s*\)?;?\s*$", text):
        body = double_pattern_of("defined", value).search(node_text(root_of(node)))
        text += body.group() if body is not None else ""
    return _WRAPS.search(text.replace(name, "", 1)) is not None


# --- what is asserted --------------------------------------------------------------------------------------------


def _scope(node: Node) -> Node:
    """The test, helper or block in which something is replaced, with its decorators: only there does it hold."""
    while node.parent is not None:
        run = node.type == "call_expression" and _RUNS.fullmatch(node_text(node.child_by_field_name("function")))
        if run or node.type in _BLOCKS:
            return node.parent if node.parent.type == "decorated_definition" else node
        node = node.parent
    return node


def _name_of(scope: Node) -> str:
    """The name of a test; empty of a piece that stands in none."""
    while scope.parent is not None and scope.type not in _FUNCTIONS | {"decorated_definition"}:
        scope = scope.parent
    function = scope.named_children[-1] if scope.type == "decorated_definition" else scope
    name = node_text(function.child_by_field_name("name"))
    return name if _TESTS.search(name) else ""


def _affected(scope: Node, root: Node, functions: list[Node]) -> list[Node]:
    """The code in which what is replaced in a scope is replaced: a helper or fixture replaces it for the tests that name it."""
    function = scope.named_children[-1] if scope.type == "decorated_definition" else scope
    name = node_text(function.child_by_field_name("name")) if function.type in _FUNCTIONS else ""
    if not name or _TESTS.match(name) or "@Test" in node_text(scope)[:200]:
        return [scope]
    if name in _AROUND or "autouse" in node_text(scope) or "@Before" in node_text(scope)[:200] or name == PIECE:
        return [root]
    word = re.compile(rf"\b{re.escape(name)}\b")
    return [node for node in functions if node != function and word.search(node_text(node))] or [scope]


_NAME_AT_HEAD = compiled(r"\w*")
_VALUES = frozenset({"assignment", "variable_declarator", "short_var_declaration", "assignment_statement", "let_declaration", "assignment_expression"})  # fmt: skip


def _made(scope: Node) -> dict[str, str]:
    """What each variable of a test was made from, without space."""
    found: dict[str, str] = {}
    for node in nodes_under(scope):
        if node.type in _VALUES:
            left = next((part for key in ("left", "name", "pattern") if (part := node.child_by_field_name(key))), None)
            right = node.child_by_field_name("right") or node.child_by_field_name("value")
            name = re.split(r"[,:]", node_text(left))[0].strip("({[ ").removeprefix("mut ")
            if name.isidentifier():
                found[name] = "".join(node_text(right).replace("await ", "").replace("new ", "").split())
    return found


_HEAD = double_pattern("head")
_THROUGH = frozenset({"len", "list", "sorted", "str", "int", "float", "round", "set", "dict", "tuple", "repr", "String", "Number", "Boolean"})  # fmt: skip


def _called(code: str) -> Target | None:
    """The owner and the name of what is called last in a piece of code without space: `cart.total` of `cart.total(x).amount`."""
    head = _HEAD.match(code)
    if head is None:
        return None
    path, rest = head["path"].replace("?.", ".").replace("->", "."), _after_brackets(code, head.end() - 1)
    if path in _THROUGH:
        return _called(code[head.end() :])
    behind = re.search(r"\w+\(", rest)
    if behind is not None and behind.group() not in ("unwrap(", "await(", "expect("):
        return None
    if re.match(r"\)*[-+*/%]", rest):
        return None
    return target_of(path)


def _after_brackets(code: str, at: int) -> str:
    depth = 0
    for place in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        if depth == 0:
            return code[place + 1 :]
    return ""


def _same(called: Target, replaced: Target, made: dict[str, str], root: Node) -> bool:
    """Whether what is called is what was replaced: the same name of the same owner, as far as the test names owners."""
    if called[1] != replaced[1]:
        return False
    owner, whose = called[0], replaced[0]
    if not owner or not whose:
        return owner == whose or (not owner and _imports(node_text(root), called[1], whose))
    built = _called(made.get(owner, ""))
    return (
        whose in (owner, _bare(owner))
        or (built is not None and _bare(built[1]) == _bare(whose))
        or _bare(owner) == _bare(whose)
    )


def _imports(text: str, name: str, source: str) -> bool:
    """Whether a name of a test is what a module has under it, however often that is replaced: what Python imports by name before stays as it is."""
    here, there = (double_pattern_of(key, name, source) for key in ("imported_inside", "imported_live"))
    return here.search(text) is not None or there.search(text) is not None


def _bare(owner: str) -> str:
    """The name of a type or of what it made, in small letters: `NewCart`, `Cart` and `cart`."""
    return re.sub(r"^new", "", owner.replace("_", "").lower())
