"""Edits of test files with the whole statements that they change: `== 3` that became `>= 0` shows no assertion by itself.

The edits of a file are undone one by one from what it holds now; where that does not lead back, each stays as its call has it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from witnessmark.actions.content.syntax_trees import language_of, parser_of
from witnessmark.actions.content.test_tables import loosened
from witnessmark.actions.trace.changes import FileChange, is_test
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

MAX_TEXT = 400_000
_VALUES = compiled(r"\"[^\"\n]*\"|'[^'\n]*'|(?<![\w.])-?\d[\w.]*")


def in_statements(changes: Sequence[FileChange], view: TreeView | None) -> list[FileChange]:
    """The changes in order, the edits of test files widened to the statements, else the lines, in which they stand."""
    edits: dict[str, list[FileChange]] = defaultdict(list)
    for change in changes:
        if view is not None and is_test(change.place) and language_of(change.place):
            edits[change.place].append(change)
    wide = {
        id(old): new
        for path, mine in edits.items()
        if view is not None
        for old, new in zip(mine, _widened(mine, path, view), strict=True)
    }
    return [wide.get(id(change), change) for change in changes]


def _widened(mine: Sequence[FileChange], path: str, view: TreeView) -> list[FileChange]:
    text = view.content(path).content[: MAX_TEXT + 1].decode("utf-8", "replace")
    found: list[FileChange] = []
    for change in reversed(mine):
        if change.kind != "edit" or not change.old or not change.new or text.count(change.new) != 1:
            return list(mine)
        at = text.index(change.new)
        start, end = statement_around(text, at, at + len(change.new), language_of(path))
        before, after = text[start:at], text[at + len(change.new) : end]
        only_values = _VALUES.sub("", change.old) == _VALUES.sub("", change.new)
        if only_values and not loosened(before + change.old + after, text[start:end]):
            # Another value by itself follows what the code does now; a wider bound lets more through.
            start, end, before, after = at, at + len(change.new), "", ""
        found.append(replace(change, old=before + change.old + after, new=text[start:end]))
        text = f"{text[:at]}{change.old}{text[at + len(change.new) :]}"
    return list(mine) if len(text) > MAX_TEXT else found[::-1]


def statement_around(text: str, start: int, end: int, language: str) -> tuple[int, int]:
    """Where the lines of the statement begin and end that has a stretch of a file; of the stretch itself where several statements have it."""
    tree = parser_of(language).parse(text.encode("utf-8", "surrogatepass"))
    first, last = (len(text[:at].encode("utf-8", "surrogatepass")) for at in (start, end))
    node = tree.root_node.descendant_for_byte_range(first, last)
    while node is not None and not node.type.endswith(_WIDENS):
        node = None if node.type in _HOLDS_STATEMENTS else node.parent
    if node is not None:
        start = min(start, sum(len(line) + 1 for line in text.split("\n")[: node.start_point[0]]))
        end = max(end, sum(len(line) + 1 for line in text.split("\n")[: node.end_point[0] + 1]) - 1)
    begin, stop = text.rfind("\n", 0, start) + 1 if start else 0, text.find("\n", end)
    return begin, stop if stop >= 0 else len(text)


_WIDENS = ("_statement", "macro_invocation", "decorator", "short_var_declaration", "annotation")
_HOLDS_STATEMENTS = frozenset("module program source_file block statement_block class_body function_definition".split())
