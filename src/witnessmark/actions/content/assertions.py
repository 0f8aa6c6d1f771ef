"""The assertions of a piece of test code, by its syntax tree: what each is about, how strict it is, and what it expects.

Strength: 3 says exactly what is expected, 2 that something is within bounds or contained, 1 that there is something at all,
0 nothing. Pieces of files are read as far as they parse; where they do not, their lines are.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from witnessmark.actions.content.test_marks import (
    BROAD,
    NOT_BUILT,
    RUNNERS,
    SINGLING,
    SKIPPING,
    called_with,
    marks_file,
)
from witnessmark.actions.trace.changes import ending
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LANGUAGES = {
    "py": "python", "pyi": "python", "js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript",
    "ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx", "go": "go", "rs": "rust", "java": "java",
}  # fmt: skip
MAX_NODES = 60_000


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


def language_of(path: str) -> str:
    """The language of a file whose tests can be read here; empty for others."""
    return LANGUAGES.get(ending(path), "")


@functools.cache
def parser_of(language: str) -> Parser:
    """What parses a language that `language_of` names."""
    import tree_sitter

    package = "typescript" if language == "tsx" else language
    module = importlib.import_module(f"tree_sitter_{package}")
    name = {"typescript": "language_typescript", "tsx": "language_tsx"}.get(language, "language")
    return tree_sitter.Parser(tree_sitter.Language(getattr(module, name)()))


@functools.lru_cache(maxsize=512)
def assertions_in(code: str, language: str) -> tuple[Assertion, ...]:
    """The assertions of a piece of code, in order."""
    root = parser_of(language).parse(_completed(code, language).encode("utf-8", "surrogatepass")).root_node
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
    """The parts of a node, and whether what they check has no effect: it stands behind a return, or its failure is swallowed."""
    found, swallows = [], node.type == "try_statement" and _swallows(node)
    for child in node.children:
        found.append((child, dead or (swallows and child.type in ("block", "statement_block"))))
        dead = dead or child.type == "return_statement"
    return found


def _swallows(node: Node) -> bool:
    """Whether a try statement takes every failed assertion and says nothing of it."""
    handlers = [child for child in node.children if child.type in ("except_clause", "catch_clause")]
    caught = [_text(child).partition("{" if child.type == "catch_clause" else ":") for child in handlers]
    return any(_CATCHES_ALL.match(head) and not _FAILS.search(body) for head, _, body in caught)


_CATCHES_ALL = compiled(
    r"except\s*(?:$|\(?[\w., ]*\b(?:AssertionError|Exception|BaseException)\b)|catch\s*(?:$|\(\s*(?:\w+|(?:final )?(?:Throwable|Error|AssertionError) \w+)\s*\)\s*$)"
)
_FAILS = compiled(r"\b(?:raise|throw|fail\w*|assert\w*|expect|done|reject|exit|panic|skip\w*|xfail)\b")


_PIECE = "piece_of_a_file"
"""The function that stands around a piece which is none by itself; no test has its name."""


def _completed(code: str, language: str) -> str:
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
        return f"package p\nfunc {_PIECE}(t *testing.T) {{\n{inner}\n}}\n"
    if language == "rust" and not re.search(r"^(?:use|fn|mod|#\[|pub|struct|impl)\b", code.lstrip()):
        return f"fn {_PIECE}() {{\n{inner}\n}}\n"
    if language == "java" and not re.search(r"^(?:package|import|public class|class)\b", code.lstrip()):
        return f"class C {{ void {_PIECE}() {{\n{inner}\n}} }}\n"
    return inner


def _dedented(code: str) -> str:
    lines = code.split("\n")
    first = next((line for line in lines if line.strip()), "")
    margin = len(first) - len(first.lstrip())
    return "\n".join(line[margin:] if line[:margin].isspace() or not line[:margin] else line for line in lines)


def _text(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def _tight(text: str) -> str:
    return "".join(text.split())


def _given(call: Node) -> list[Node]:
    """What a call is given."""
    arguments = call.child_by_field_name("arguments")
    return list(arguments.named_children) if arguments is not None else []


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"


def _check(node: Node, test: str, strength: int, subject: str = "", expected: str = "", text: str = "") -> Assertion:
    code = text or _text(node)
    return Assertion("check", _tight(code), _shown(code), strength, _tight(subject), _tight(expected), test)


def _mark(kind: Literal["skip", "only"], node: Node, test: str) -> Assertion:
    return Assertion(kind, _tight(_text(node)), _shown(_text(node)), 0, test=test)


def _test_name(node: Node) -> str:
    if node.type in ("function_definition", "function_declaration", "function_item", "method_declaration"):
        name = _text(node.child_by_field_name("name"))
        return "" if name == _PIECE else name
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
        name = _text(node.child_by_field_name("function"))
        given = _given(node)
        if re.fullmatch(r"(?:self\.|cls\.|\w+\.)?assert\w+", name):
            yield _check(
                node,
                test,
                _named_strength(name),
                _text(given[0]) if given else "",
                _text(given[1]) if len(given) > 1 else "",
            )
        elif name in ("pytest.raises", "self.assertRaises", "raises"):
            broad = bool(given) and _text(given[0]) in ("Exception", "BaseException")
            yield _check(node, test, 1 if broad else 3, name, _text(given[0]) if given else "")
        elif re.search(r"\b(?:pytest\.skip|skipTest|pytest\.xfail)$", name):
            yield _mark("skip", node, test)
    elif (node.type == "decorator" or marks_file(_text(node.child_by_field_name("left")))) and _SKIPS.search(
        _text(node)
    ):
        yield _mark("skip", node, test)


_SKIPS = compiled(r"\bskip(?:if|If|Unless)?\b|\bxfail\b|expectedFailure")


def _python_assert(node: Node, value: Node | None, test: str) -> Assertion:
    text = _text(value)
    if value is None or _CONSTANT.fullmatch(text) or re.search(r"\bor True\b", text):
        return _check(node, test, 0, _text(value.children[0]) if value is not None and value.children else "")
    if value.type == "comparison_operator":
        sign = "".join(
            _text(child) for child in value.children if not child.is_named or child.type in ("not in", "is not")
        )
        strength = 3 if sign in ("==", "is") else 1 if sign in ("!=", "isnot", "is not") else 2
        return _check(node, test, strength, _text(value.named_children[0]), _text(value.named_children[-1]))
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
    name, given = _text(node.child_by_field_name("function")), _given(node)
    mark = "skip" if name in SKIPPING else "only" if name in SINGLING else _by_options(name, given)
    if mark:
        yield _mark(mark, node.child_by_field_name("function") or node, test)
    elif name.startswith(("expect(", "expect.soft(")) and "." in name:
        yield _expect(node, name, given, test)
    elif re.fullmatch(r"(?:assert|t|chai\.assert)(?:\.\w+)?", name) and not name.endswith(
        (".each", ".run", ".test", ".context", ".plan", ".end", ".log", ".pass")
    ):
        matcher = name.rpartition(".")[2]
        constant = bool(given) and _CONSTANT.fullmatch(_text(given[0])) and len(given) < 3
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
            yield _check(node, test, strength, _text(given[0]), _text(given[1]) if len(given) > 1 else "")


def _by_options(name: str, given: list[Node]) -> Literal["skip", "only", ""]:
    options = next((_text(one) for one in given if one.type == "object"), "")
    return called_with(options) if name in RUNNERS else ""


def _expect(node: Node, name: str, given: list[Node], test: str) -> Assertion:
    subject = re.match(r"expect(?:\.soft)?\((.*?)\)(?:\s*\.\w+)*$", name, re.DOTALL)
    inner, matcher = (subject.group(1) if subject else ""), name.rpartition(".")[2]
    if _CONSTANT.fullmatch(inner.strip()):
        return _check(node, test, 0, inner)
    anything = bool(given) and _text(given[0]).startswith(("expect.any(", "expect.anything("))
    weak = anything or ".not." in name or _JS_WEAK.search(matcher) or (matcher == "toThrow" and not given)
    return _check(
        node, test, 1 if weak else 2 if _JS_LOOSE.search(matcher) else 3, inner, _text(given[0]) if given else ""
    )


# --- Go --------------------------------------------------------------------------------------------------------

_GO_FAILS = compiled(r"\b\w+\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\bpanic\(")


def _go(node: Node, test: str) -> Iterator[Assertion]:
    if node.type == "comment" and _text(node).rstrip() in NOT_BUILT:
        yield _mark("skip", node, test)
    if node.type == "if_statement":
        body = node.child_by_field_name("consequence")
        condition = node.child_by_field_name("condition")
        if body is not None and (_GO_FAILS.search(_text(body)) or not _text(body).strip("{} \n\t_=0")):
            yield _go_if(node, condition, test)
    elif node.type == "call_expression":
        name = _text(node.child_by_field_name("function"))
        given = _given(node)
        if re.fullmatch(r"(?:assert|require|is|must)\.\w+", name):
            rest = given[1:] if given and _text(given[0]) in ("t", "s.T()", "tb") else given
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
            constant = subject is not None and _CONSTANT.fullmatch(_text(subject)) and len(rest) == 1
            yield _check(node, test, 0 if constant else _named_strength(name), _text(subject), _text(expected))
        elif re.fullmatch(r"\w+\.(?:Skip|Skipf|SkipNow)", name):
            yield _mark("skip", node, test)
        elif re.fullmatch(r"\w+\.(?:Error|Errorf|Fatal|Fatalf)", name):
            yield _check(node, test, 3, _text(given[0])[:60] if given else "", "")


def _go_if(node: Node, condition: Node | None, test: str) -> Assertion:
    text = _text(condition)
    if re.match(r"\(?false\b", text) or re.search(r"&& false\b", text):
        return _check(node, test, 0, re.sub(r"^\(?false\s*&&\s*", "", text).partition("!=")[0], text=f"if {text}")
    if condition is not None and condition.type == "binary_expression":
        left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
        sign = _text(condition.child_by_field_name("operator"))
        empty = _text(right) in ("0", "nil", '""')
        strength = 3 if sign == "!=" else (1 if empty else 2) if sign == "==" else 2
        if sign in ("||", "&&"):
            return _check(node, test, 2, text, text=f"if {text}")
        return _check(node, test, strength, _text(left), _text(right), text=f"if {text}")
    return _check(node, test, 2, text, text=f"if {text}")


# --- Rust, Java ------------------------------------------------------------------------------------------------


def _rust(node: Node, test: str) -> Iterator[Assertion]:
    if node.type == "macro_invocation":
        name = _text(node.child_by_field_name("macro"))
        given = _text(node).partition("!")[2].strip("([{}]) ;")
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
    elif node.type == "attribute_item" and re.search(r"\bignore\b", _text(node)):
        yield _mark("skip", node, test)


def _java(node: Node, test: str) -> Iterator[Assertion]:
    if node.type == "method_invocation":
        name = _text(node.child_by_field_name("name"))
        given = _given(node)
        if re.fullmatch(r"assert\w+|fail|verify", name):
            subject = given[1] if name.endswith("Equals") and len(given) > 1 else given[0] if given else None
            expected = given[0] if subject is not None and given and subject is not given[0] else None
            constant = name in ("assertTrue", "assertThat") and bool(given) and _CONSTANT.fullmatch(_text(given[0]))
            broad = name == "assertThrows" and bool(given) and _text(given[0]) in BROAD
            strength = 0 if constant else 1 if broad else _named_strength(name)
            yield _check(
                node, test, strength, name if broad or name == "assertThrows" else _text(subject), _text(expected)
            )
        elif (fluent := re.match(r"(?:\w+\.)?assertThat\((.*?)\)\s*\.", _text(node), re.DOTALL)) is not None:
            yield _check(node, test, _named_strength(name), fluent.group(1), _text(given[0]) if given else "")
        elif name in ("assumeTrue", "assumeFalse") and given and _text(given[0]) in ("true", "false"):
            yield _mark("skip", node, test)
    elif node.type in ("marker_annotation", "annotation") and re.match(r"@(?:Disabled|Ignore)\b", _text(node)):
        yield _mark("skip", node, test)


_READERS = {
    "python": _python,
    "javascript": _script,
    "typescript": _script,
    "tsx": _script,
    "go": _go,
    "rust": _rust,
    "java": _java,
}
