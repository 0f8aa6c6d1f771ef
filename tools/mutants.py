"""Small changes to a function's source, one at a time: what a test of the function's behaviour must notice."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
KINDS = ("comparison", "condition", "filter", "dropped", "and/or", "number", "truth", "text", "empty", "return")
"""The order they are tried in: a behaviour turned round before one that is gone altogether."""


@dataclass(frozen=True)
class Mutant:
    """One change of one function."""

    file: str
    function: str
    first: int
    """The line the function's code begins at, decorators included."""
    kind: str
    number: int
    """Which of the function's changes."""
    line: int
    words: str

    def code(self) -> CodeType:
        """The function's code with the change in it."""
        whole = self.module()
        return next(one for one in codes(whole) if (one.co_firstlineno, one.co_name) == (self.first, self.function))

    def module(self) -> CodeType:
        """The whole module's code with the change in it."""
        tree = ast.parse(Path(self.file).read_text(encoding="utf-8"))
        found = function_at(tree, self.first)
        assert found is not None
        change(*list(_sites(found))[self.number])
        return compile(ast.fix_missing_locations(tree), self.file, "exec")


@lru_cache(maxsize=512)
def parsed(file: str) -> ast.Module:
    """The file's tree; never changed in place."""
    return ast.parse(Path(file).read_text(encoding="utf-8"))


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code and every code in it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from codes(one)


def function_at(tree: ast.AST, first: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function whose code begins at a line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if min([node.lineno, *(one.lineno for one in node.decorator_list)]) == first:
                return node
    return None


def outer(tree: ast.AST) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, int]]:
    """The functions that stand in the module or in a class, each with the line its code begins at."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node, min([node.lineno, *(one.lineno for one in node.decorator_list)])
        elif isinstance(node, ast.ClassDef):
            yield from outer(node)


def mutants(file: str, first: int, lines: set[int]) -> list[Mutant]:
    """Every change of a function on lines that ran, in the order of KINDS."""
    function = function_at(parsed(file), first)
    if function is None:
        return []
    found = [
        Mutant(file, function.name, first, kind, number, node.lineno, f"{kind}: {ast.unparse(node)[:100]}")
        for number, (kind, node, _) in enumerate(_sites(function))
        if node.lineno in lines
    ]
    return sorted(found, key=lambda one: KINDS.index(one.kind))


def _sites(function: Any) -> Iterator[tuple[str, Any, Any]]:
    """What can be changed: kind, node, and the node that holds it."""
    for statement in function.body:
        yield from _below(statement, function)


def _below(node: Any, parent: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _TURNED:
        yield "comparison", node, parent
    if isinstance(node, ast.comprehension) and node.ifs:
        yield "filter", node.ifs[0], node
    for types, kind in _BY_TYPE:
        if isinstance(node, types):
            yield kind, node, parent
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        listed = isinstance(node.value, ast.List | ast.Tuple | ast.ListComp | ast.Call)
        yield ("empty" if listed else "return"), node, parent
    if isinstance(node, ast.Constant):
        kind = _constant(node.value)
        if kind:
            yield kind, node, parent
    for child in ast.iter_child_nodes(node):
        yield from _below(child, node)


_BY_TYPE: tuple[tuple[tuple[type[ast.AST], ...], str], ...] = (
    ((ast.If, ast.IfExp, ast.While), "condition"),
    ((ast.Expr, ast.Raise, ast.AugAssign), "dropped"),
    ((ast.BoolOp,), "and/or"),
)


def _constant(value: Any) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int | float):
        return "number"
    return "text" if isinstance(value, str) and 1 < len(value) < 120 else ""


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def change(kind: str, node: Any, parent: Any) -> None:
    """Change the node in place."""
    if kind == "comparison":
        node.ops[0] = _TURNED[type(node.ops[0])]()
    elif kind == "condition":
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif kind == "filter":
        parent.ifs[0] = ast.UnaryOp(ast.Not(), node)
    elif kind == "dropped":
        _replace(parent, node, ast.copy_location(ast.Pass(), node))
    elif kind == "and/or":
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif kind == "number":
        node.value = node.value + 1 if isinstance(node.value, int) else node.value * 0.5 + 0.1
    elif kind == "truth":
        node.value = not node.value
    elif kind == "text":
        node.value = f"{node.value} changed"
    elif kind == "empty" and not isinstance(node.value, ast.Call):
        node.value = ast.Tuple([], ast.Load()) if isinstance(node.value, ast.Tuple) else ast.List([], ast.Load())
    else:
        node.value = ast.Constant(None)


def _replace(parent: Any, old: Any, new: Any) -> None:
    for _, value in ast.iter_fields(parent):
        if isinstance(value, list) and old in value:
            value[value.index(old)] = new
