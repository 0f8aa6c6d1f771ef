"""Words of a language are data: regular expressions in the code have few of them, and may only get fewer."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import witnessmark

PACKAGE = Path(witnessmark.__file__).parent
MOST = {
    "actions": 1,
    "actions/claims": 266,
    "actions/content": 255,
    "actions/report": 657,
    "actions/session_claims": 10,
    "actions/trace": 316,
    "actions/tree": 30,
    "checks/grounding": 7,
    "checks/grounding/fields": 10,
    "checks/grounding/reading": 20,
    "checks/grounding/relations": 37,
    "checks/grounding/scope": 1,
    "checks/grounding/steps": 19,
    "checks/grounding/two_things": 5,
    "checks/judged": 56,
    "checks/mission": 28,
    "checks/output": 25,
    "checks/plain": 9,
    "checks/plan": 225,
    "checks/synthesis": 5,
}
"""Words in the expressions of each folder. What is left are file names, options and syntax; a bound is lowered with what it counts, and
rises only for names of files and marks that programs print."""
_IS_EXPRESSION = re.compile(r"\\[bdswABDSWZ]|\(\?|\w\|\w")
_SYNTAX = re.compile(r"\\[a-zA-Z]|\(\?(?:P<\w+>|P=\w+|[aimsx-]+)?|\{[a-z_]+\}")
_WORD = re.compile(r"[^\W\d_]{3,}")


def words_in(expression: str) -> list[str]:
    """The words of an expression: what has three letters and more and is no part of its syntax, as the name of a list in `{larger}` is."""
    return _WORD.findall(_SYNTAX.sub(" ", expression))


def expressions(tree: ast.AST) -> Iterator[str]:
    """The literals that are regular expressions, and lists of words that are cut apart where they stand; docstrings are none."""
    nodes = list(ast.walk(tree))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    lists = {
        id(node.func.value)
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split"
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            if id(node) in lists or _IS_EXPRESSION.search(node.value):
                yield node.value


@functools.cache
def counted(room: str) -> Counter[str]:
    """How many words the expressions of each folder of a room have."""
    found: Counter[str] = Counter()
    for path in sorted((PACKAGE / room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        number = sum(len(words_in(expression)) for expression in expressions(tree))
        found[path.parent.relative_to(PACKAGE).as_posix()] += number
    return +found


@pytest.mark.parametrize("room", ["actions", "checks"])
def test_expressions_in_the_code_have_no_more_words_than_they_had(room):
    assert {folder: number for folder, number in counted(room).items() if number > MOST.get(folder, 0)} == {}


def test_a_bound_is_not_left_above_what_there_is():
    there = counted("actions") + counted("checks")
    assert {folder: (most, there[folder]) for folder, most in MOST.items() if most > there[folder]} == {}


def test_words_are_told_from_syntax():
    assert words_in(r"(?P<name>\btests?\b)|(?i:nicht)\d{3}\w+|(?<!no )fail {larger}") == ["tests", "nicht", "fail"]
    assert list(expressions(ast.parse('"""A docstring (?:no)."""\nx = "plain text"\ny = r"\\bran\\b"\nz = "a list".split()'))) == [r"\bran\b", "a list"]  # fmt: skip
