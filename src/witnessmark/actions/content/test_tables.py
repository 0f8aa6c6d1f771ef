"""The rows of the tables that tests go through, by syntax tree: parametrized cases, `it.each`, table-driven tests of Go, `#[case(…)]`.

And how near to what is expected an assertion lets a value be: its tolerances and bounds.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from witnessmark.actions.content.syntax_trees import MAX_NODES, node_text, piece_root
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from tree_sitter import Node

_LISTS = frozenset({"list", "tuple", "array", "array_expression", "literal_value", "element_value_array_initializer"})
_ROWS = frozenset({"tuple", "list", "dictionary", "call", "array", "object", "literal_element", "keyed_element", "tuple_expression", "struct_expression"})  # fmt: skip
"""What a row of a table is where no framework says that it is one: more than a plain value."""
_TABLES = frozenset({"parametrize", "expand", "cases", "ValueSource", "CsvSource", "MethodSource", "EnumSource"})
_MARKS = frozenset({"case", "test_case", "example", "Case", "TestCase", "InlineData"})
"""Names of decorators, annotations and attributes that hold a table, and of those each of which is a row."""
_NAME_OF_TABLE = frozenset({"case", "test", "param", "table", "scenario", "example"})
_HOLDERS = frozenset({"assignment", "variable_declarator", "short_var_declaration", "var_spec", "let_declaration", "const_item", "static_item"})  # fmt: skip
_LOOPS = frozenset({"for_statement", "for_in_statement", "for_expression", "enhanced_for_statement"})
_NAMES = compiled(r"\w+")


@functools.lru_cache(maxsize=256)
def cases_in(code: str, language: str) -> tuple[str, ...]:
    """The rows of the tables of a piece of code, in order, without space."""
    root = piece_root(code, language)
    found, waiting, seen = list[str](), [root], 0
    while waiting and seen < MAX_NODES:
        node = waiting.pop()
        seen += 1
        rows = list(_rows(node))
        found += [tight for row in rows if (tight := "".join(row.split()))]
        if not rows:
            waiting += [child for child in reversed(node.named_children) if child.named_child_count]
    return tuple(found)


def _rows(node: Node) -> Iterator[str]:
    """The rows that a node is the table of, or itself the only one."""
    if node.type in ("decorator", "attribute_item", "annotation"):
        names = set(_NAMES.findall(node_text(node).partition("(")[0]))
        table = _last_list(node) if names & _TABLES else None
        if table is not None:
            yield from (node_text(row) for row in table.named_children if row.type != "comment")
        elif names & _MARKS and "(" in node_text(node):
            yield node_text(node)
    elif node.type == "call_expression" and node_text(node.child_by_field_name("function")).endswith(".each"):
        yield from _of_each(node)
    elif node.type in _LISTS and _is_table(node):
        rows = [row for row in node.named_children if row.type != "comment"]
        if len(rows) > 1 and all(row.type in _ROWS and node_text(row)[-1] in ")]}" for row in rows):
            yield from map(node_text, rows)


def _is_table(node: Node) -> bool:
    """Whether a list is gone through by a loop, or has a name that tests call their tables by."""
    holder = node.parent
    while holder is not None and holder.type in (
        "composite_literal",
        "expression_list",
        "reference_expression",
        "array_type",
    ):
        holder = holder.parent
    if holder is None or holder.type not in _HOLDERS | _LOOPS:
        return False
    name = node_text(holder).partition("=")[0].lower()
    return holder.type in _LOOPS or any(word in name for word in _NAME_OF_TABLE)


def _last_list(node: Node) -> Node | None:
    """The last list that a decorator is given: the names of its parameters may be one, too."""
    waiting, found = [node], list["Node"]()
    while waiting:
        part = waiting.pop(0)
        if part.type in _LISTS and part.parent is not None and part.parent.type not in _LISTS:
            found.append(part)
        else:
            waiting += part.children
    return found[-1] if found else None


def _of_each(node: Node) -> Iterator[str]:
    given = node.child_by_field_name("arguments")
    if given is not None and given.type == "template_string":
        yield from node_text(given).strip("`").strip().splitlines()[1:]
    table = next((one for one in given.named_children if one.type == "array"), None) if given is not None else None
    if table is not None:
        yield from (node_text(row) for row in table.named_children if row.type != "comment")


# --- bounds --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bound:
    """How far off a value may be: the name of the option or sign, the number, and whether more of it lets more through."""

    name: str
    number: float
    looser_up: bool


_WIDER = frozenset({"rel", "abs", "rtol", "atol", "rel_tol", "abs_tol", "tol", "tolerance", "delta", "epsilon", "eps"})
_DIGITS = frozenset({"places", "decimal", "digits", "significant", "precision", "numDigits"})
"""Options of which more lets more through, and of which more lets less."""
_BY_PLACE = {
    "toBeCloseTo": (1, False), "InDelta": (-1, True), "InEpsilon": (-1, True), "assertAlmostEqual": (2, False), "assertEquals": (2, True), "approx": (1, True),
    "toBeLessThan": (0, True), "toBeLessThanOrEqual": (0, True), "toBeGreaterThan": (0, False), "toBeGreaterThanOrEqual": (0, False), "assertLess": (1, True),
    "assertLessEqual": (1, True), "assertGreater": (1, False), "assertGreaterEqual": (1, False),
}  # fmt: skip
"""Which argument of a call is the bound, and whether more of it lets more through."""
_NUMBER = r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NAMED = compiled(rf"\b(?P<name>{'|'.join(sorted(_WIDER | _DIGITS))})\s*[=:]\s*(?P<number>{_NUMBER})")
_CALLS = compiled(rf"\b(?P<name>{'|'.join(_BY_PLACE)})\((?P<given>(?:[^()]|\([^()]*\))*)\)")
_SIGNS = compiled(rf"(?<![<>=-])(?P<sign>[<>])=?\s*(?P<number>{_NUMBER})(?![\w.])")
MANY_GIVEN = 3
"""So many arguments a call has at least whose last one is a bound."""
_COMMAS = compiled(r",(?![^(\[{]*[)\]}])")


def bounds_in(code: str, *, fails: bool = False) -> tuple[Bound, ...]:
    """The tolerances and bounds of an assertion; `fails`: it is the condition under which a test fails, so that its signs are turned round."""
    found = [Bound(one["name"], number, one["name"] not in _DIGITS) for one in _NAMED.finditer(code) if (number := _number(one["number"])) is not None]  # fmt: skip
    for call in _CALLS.finditer(code):
        place, looser_up = _BY_PLACE[call["name"]]
        given = [part for part in _COMMAS.split(call["given"]) if "=" not in part]
        least = place + 1 if place >= 0 else MANY_GIVEN
        number = _number(given[place].strip()) if len(given) >= least else None
        found += [Bound(call["name"], number, looser_up)] if number is not None else []
    for one in _SIGNS.finditer(code):
        number = _number(one["number"])
        found += [Bound(one["sign"], number, (one["sign"] == "<") is not fails)] if number is not None else []
    return tuple(found)


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("fFdDlL").replace("_", ""))
    except ValueError:
        return None


DEFAULT = 1e-6
"""What lets no more through than this is as exact as figures with a point are."""


def loosened(old: str, new: str, *, fails: bool = False) -> bool:
    """Whether an assertion lets more through than the one in whose place it stands: a wider tolerance, or one where there was none."""
    before, after = bounds_in(old, fails=fails), bounds_in(new, fails=fails)
    same = [one.name for one in before] == [one.name for one in after]
    if same:
        wider = [
            b.number != a.number and (a.number > b.number) is a.looser_up for b, a in zip(before, after, strict=True)
        ]
        changed = [b.number != a.number for b, a in zip(before, after, strict=True)]
        return any(wider) and wider == changed
    new_ones = [one for one in after if one.name not in {other.name for other in before}]
    return (
        not before
        and bool(new_ones)
        and all(one.looser_up and one.name not in "<>" and one.number > DEFAULT for one in new_ones)
    )
