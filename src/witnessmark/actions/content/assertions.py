"""The assertions of a piece of test code, by its syntax tree: what each is about, how strict it is, and what it expects.

Strength: 3 says exactly what is expected, 2 that something is within bounds or contained, 1 that there is something at all,
0 nothing. Pieces of files are read as far as they parse; where they do not, their lines are.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from witnessmark.actions.content.syntax_trees import MAX_NODES, PIECE, by_language, node_text, piece_root
from witnessmark.actions.content.test_marks import (
    BROAD,
    NOT_BUILT,
    RUNNERS,
    SINGLING,
    SKIPPING,
    called_with,
    marks_file,
)
from witnessmark.core.explain import clipped
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion, or a mark that skips or singles out a test."""

    kind: Literal["check", "skip", "only"]
    text: str
    """Its code without space."""
    shown: str
    strength: int = 3
    subject: str = ""
    expected: str = ""
    test: str = ""
    place: int = 0
    """The byte at which it begins."""


@functools.lru_cache(maxsize=512)
def assertions_in(code: str, language: str) -> tuple[Assertion, ...]:
    """The assertions of a piece of code, in order."""
    root = piece_root(code, language)
    return assertions_under(root, language)


def assertions_under(root: Node, language: str) -> tuple[Assertion, ...]:
    """The assertions of a part of a syntax tree, in order."""
    found: list[Assertion] = []
    waiting: list[tuple[Node, str, bool]] = [(root, "", False)]
    seen = 0
    while waiting and seen < MAX_NODES:
        node, test, dead = waiting.pop()
        seen += 1
        test = _test_name(node) or test
        made = list(_READERS[language](node, test))
        found += [replace(one, strength=0) if dead else one for one in made]
        if not any(one.kind == "check" for one in made):
            waiting += [(child, test, off) for child, off in reversed(_with_reach(node, dead))]
    return tuple(found)


def _with_reach(node: Node, dead: bool) -> list[tuple[Node, bool]]:
    """The parts of a node that may hold an assertion, and whether what they check has no effect: it stands behind a return, or its failure is swallowed."""
    found, swallows = [], node.type == "try_statement" and _swallows(node)
    for child in node.named_children:
        kind = child.type
        if child.named_child_count or kind == "comment":
            found.append((child, dead or (swallows and kind in ("block", "statement_block"))))
        dead = dead or kind == "return_statement"
    return found


def _swallows(node: Node) -> bool:
    """Whether a try statement takes every failed assertion and says nothing of it."""
    handlers = [child for child in node.children if child.type in ("except_clause", "catch_clause")]
    caught = [node_text(child).partition("{" if child.type == "catch_clause" else ":") for child in handlers]
    return any(_CATCHES_ALL.match(head) and not _FAILS.search(body) for head, _, body in caught)


_CATCHES_ALL = compiled(
    r"except\s*(?:$|\(?[\w., ]*\b(?:AssertionError|Exception|BaseException)\b)|catch\s*(?:$|\(\s*(?:\w+|(?:final )?(?:Throwable|Error|AssertionError) \w+)\s*\)\s*$)"
)
_FAILS = compiled(r"\b(?:raise|throw|fail\w*|assert\w*|expect|done|reject|exit|panic|skip\w*|xfail)\b")


def _tight(text: str) -> str:
    return "".join(text.split())


def _given(call: Node) -> list[Node]:
    """What a call is given."""
    arguments = call.child_by_field_name("arguments")
    return list(arguments.named_children) if arguments is not None else []


def _shown(text: str) -> str:
    return clipped(" ".join(text.split()), 100)


def _check(node: Node, test: str, strength: int, subject: str = "", expected: str = "", text: str = "") -> Assertion:
    code = text or node_text(node)
    return Assertion(
        "check", _tight(code), _shown(code), strength, _tight(subject), _tight(expected), test, node.start_byte
    )


def _mark(kind: Literal["skip", "only"], node: Node, test: str) -> Assertion:
    return Assertion(kind, _tight(node_text(node)), _shown(node_text(node)), 0, test=test)


def _test_name(node: Node) -> str:
    if node.type in ("function_definition", "function_declaration", "function_item", "method_declaration"):
        name = node_text(node.child_by_field_name("name"))
        return "" if name == PIECE else name
    return ""


# --- Python ----------------------------------------------------------------------------------------------------

_WEAK_NAMES = compiled(
    r"IsNotNone|True$|Truthy|Defined|NotNil|NotEmpty|NotEqual|IsInstance|NotNull|HaveBeenCalled$|Ok$|Exists?$|Called$"
)
_LOOSE_NAMES = compiled(
    r"In$|Contains?|Greater|Less|Almost|Match|Regex|InDelta|ElementsMatch|Close|Subset|StartsWith|EndsWith|Any"
)
_CONSTANT = compiled(r"(?:True|true|1|!false|not False)")


def _named_strength(name: str) -> int:
    return 1 if _WEAK_NAMES.search(name) else 2 if _LOOSE_NAMES.search(name) else 3


def _python(node: Node, test: str) -> Iterator[Assertion]:
    if node.type == "assert_statement":
        value = node.named_children[0] if node.named_children else None
        yield _python_assert(node, value, test)
    elif node.type == "call":
        name = node_text(node.child_by_field_name("function"))
        given = _given(node)
        if re.fullmatch(r"(?:\w+\.)*assert\w+", name):
            yield _check(
                node,
                test,
                _named_strength(name),
                node_text(given[0]) if given else "",
                node_text(given[1]) if len(given) > 1 else "",
            )
        elif name in ("pytest.raises", "self.assertRaises", "raises"):
            broad = bool(given) and node_text(given[0]) in ("Exception", "BaseException")
            yield _check(node, test, 1 if broad else 3, name, node_text(given[0]) if given else "")
        elif re.search(r"\b(?:pytest\.skip|skipTest|pytest\.xfail)$", name):
            yield _mark("skip", node, test)
    elif (node.type == "decorator" or marks_file(node_text(node.child_by_field_name("left")))) and _SKIPS.search(
        node_text(node)
    ):
        yield _mark("skip", node, test)


_SKIPS = compiled(r"\bskip(?:if|If|Unless)?\b|\bxfail\b|expectedFailure")


def _python_assert(node: Node, value: Node | None, test: str) -> Assertion:
    text = node_text(value)
    if value is None or _CONSTANT.fullmatch(text) or re.search(r"\bor True\b", text):
        return _check(node, test, 0, node_text(value.children[0]) if value is not None and value.children else "")
    if value.type == "comparison_operator":
        sign = "".join(
            node_text(child) for child in value.children if not child.is_named or child.type in ("not in", "is not")
        )
        strength = 3 if sign in ("==", "is") else 1 if sign in ("!=", "isnot", "is not") else 2
        return _check(node, test, strength, node_text(value.named_children[0]), node_text(value.named_children[-1]))
    return _check(
        node, test, 1 if value.type in ("identifier", "attribute", "call", "not_operator", "subscript") else 2, text
    )


# --- JavaScript, TypeScript ------------------------------------------------------------------------------------

_JS_WEAK = compiled(
    r"toBeDefined|toBeTruthy|toBeFalsy|toHaveBeenCalled$|toBeInstanceOf|toExist|toBeOk|^ok$|notEqual|isNotNull|exists"
)
_JS_LOOSE = compiled(
    r"toContain|toMatch$|toBeGreater|toBeLess|toBeCloseTo|arrayContaining|toHaveProperty|include|match|toMatchObject|toBeOneOf"
)


def _script(node: Node, test: str) -> Iterator[Assertion]:
    if node.type != "call_expression":
        return
    name, given = node_text(node.child_by_field_name("function")), _given(node)
    mark = "skip" if name in SKIPPING else "only" if name in SINGLING else _by_options(name, given)
    if mark:
        yield _mark(mark, node.child_by_field_name("function") or node, test)
    elif name.startswith(("expect(", "expect.soft(")) and "." in name:
        yield _expect(node, name, given, test)
    elif re.fullmatch(r"(?:assert|t|chai\.assert)(?:\.\w+)?", name) and not name.endswith(
        (".each", ".run", ".test", ".context", ".plan", ".end", ".log", ".pass")
    ):
        matcher = name.rpartition(".")[2]
        constant = bool(given) and _CONSTANT.fullmatch(node_text(given[0])) and len(given) < 3
        strength = (
            0
            if constant and len(given) == 1
            else 1
            if _JS_WEAK.search(matcher) or matcher == "assert"
            else 2
            if _JS_LOOSE.search(matcher)
            else 3
        )
        if given:
            yield _check(node, test, strength, node_text(given[0]), node_text(given[1]) if len(given) > 1 else "")


def _by_options(name: str, given: list[Node]) -> Literal["skip", "only", ""]:
    options = next((node_text(one) for one in given if one.type == "object"), "")
    return called_with(options) if name in RUNNERS else ""


def _expect(node: Node, name: str, given: list[Node], test: str) -> Assertion:
    subject = re.match(r"expect(?:\.soft)?\((.*?)\)(?:\s*\.\w+)*$", name, re.DOTALL)
    inner, matcher = (subject.group(1) if subject else ""), name.rpartition(".")[2]
    if _CONSTANT.fullmatch(inner.strip()):
        return _check(node, test, 0, inner)
    anything = bool(given) and node_text(given[0]).startswith(("expect.any(", "expect.anything("))
    weak = anything or ".not." in name or _JS_WEAK.search(matcher) or (matcher == "toThrow" and not given)
    return _check(
        node, test, 1 if weak else 2 if _JS_LOOSE.search(matcher) else 3, inner, node_text(given[0]) if given else ""
    )


# --- Go --------------------------------------------------------------------------------------------------------

_GO_FAILS = compiled(r"\b\w+\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\bpanic\(")


def _go(node: Node, test: str) -> Iterator[Assertion]:
    if node.type == "comment" and node_text(node).rstrip() in NOT_BUILT:
        yield _mark("skip", node, test)
    if node.type == "if_statement":
        body = node.child_by_field_name("consequence")
        condition = node.child_by_field_name("condition")
        if body is not None and (_GO_FAILS.search(node_text(body)) or not node_text(body).strip("{} \n\t_=0")):
            yield _go_if(node, condition, test)
    elif node.type == "call_expression":
        name = node_text(node.child_by_field_name("function"))
        given = _given(node)
        if re.fullmatch(r"(?:assert|require|is|must)\.\w+", name):
            rest = given[1:] if given and node_text(given[0]) in ("t", "s.T()", "tb") else given
            subject = (
                rest[1]
                if len(rest) > 1 and name.endswith(("Equal", "EqualValues", "Len")) and not name.endswith("Len")
                else rest[0]
                if rest
                else None
            )
            expected = (
                rest[0]
                if subject is not None and rest and subject is not rest[0]
                else rest[1]
                if len(rest) > 1
                else None
            )
            constant = subject is not None and _CONSTANT.fullmatch(node_text(subject)) and len(rest) == 1
            yield _check(node, test, 0 if constant else _named_strength(name), node_text(subject), node_text(expected))
        elif re.fullmatch(r"\w+\.(?:Skip|Skipf|SkipNow)", name):
            yield _mark("skip", node, test)
        elif re.fullmatch(r"\w+\.(?:Error|Errorf|Fatal|Fatalf)", name):
            yield _check(node, test, 3, node_text(given[0])[:60] if given else "", "")


def _go_if(node: Node, condition: Node | None, test: str) -> Assertion:
    text = node_text(condition)
    if re.match(r"\(?false\b", text) or re.search(r"&& false\b", text):
        return _check(node, test, 0, re.sub(r"^\(?false\s*&&\s*", "", text).partition("!=")[0], text=f"if {text}")
    if condition is not None and condition.type == "binary_expression":
        left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
        sign = node_text(condition.child_by_field_name("operator"))
        empty = node_text(right) in ("0", "nil", '""')
        strength = 3 if sign == "!=" else (1 if empty else 2) if sign == "==" else 2
        if sign in ("||", "&&"):
            return _check(node, test, 2, text, text=f"if {text}")
        return _check(node, test, strength, node_text(left), node_text(right), text=f"if {text}")
    return _check(node, test, 2, text, text=f"if {text}")


# --- Rust, Java ------------------------------------------------------------------------------------------------


def _rust(node: Node, test: str) -> Iterator[Assertion]:
    if node.type == "macro_invocation":
        name = node_text(node.child_by_field_name("macro"))
        given = node_text(node).partition("!")[2].strip("([{}]) ;")
        parts = re.split(r",(?![^(\[{]*[)\]}])", given)
        if name in ("assert_eq", "debug_assert_eq", "assert_matches"):
            yield _check(node, test, 3, parts[0], parts[1] if len(parts) > 1 else "")
        elif name in ("assert_ne", "assert", "debug_assert"):
            exact = re.search(r"==", parts[0]) is not None
            yield _check(
                node,
                test,
                0 if _CONSTANT.fullmatch(parts[0].strip()) else 3 if exact else 1,
                parts[0].partition("==")[0],
            )
        elif name in ("panic", "unreachable"):
            yield _check(node, test, 3, given[:60])
    elif node.type == "attribute_item" and re.search(r"\bignore\b", node_text(node)):
        yield _mark("skip", node, test)


def _java(node: Node, test: str) -> Iterator[Assertion]:
    if node.type == "method_invocation":
        name = node_text(node.child_by_field_name("name"))
        given = _given(node)
        if re.fullmatch(r"assert\w+|fail|verify", name):
            subject = given[1] if name.endswith("Equals") and len(given) > 1 else given[0] if given else None
            expected = given[0] if subject is not None and given and subject is not given[0] else None
            constant = name in ("assertTrue", "assertThat") and bool(given) and _CONSTANT.fullmatch(node_text(given[0]))
            broad = name == "assertThrows" and bool(given) and node_text(given[0]) in BROAD
            strength = 0 if constant else 1 if broad else _named_strength(name)
            yield _check(
                node,
                test,
                strength,
                name if broad or name == "assertThrows" else node_text(subject),
                node_text(expected),
            )
        elif (fluent := re.match(r"(?:\w+\.)?assertThat\((.*?)\)\s*\.", node_text(node), re.DOTALL)) is not None:
            yield _check(node, test, _named_strength(name), fluent.group(1), node_text(given[0]) if given else "")
        elif name in ("assumeTrue", "assumeFalse") and given and node_text(given[0]) in ("true", "false"):
            yield _mark("skip", node, test)
    elif node.type in ("marker_annotation", "annotation") and re.match(r"@(?:Disabled|Ignore)\b", node_text(node)):
        yield _mark("skip", node, test)


_READERS = by_language(_python, _script, _go, _rust, _java)
