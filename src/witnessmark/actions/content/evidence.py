"""What files held before and hold now, for claims about their content: from the snapshot, or from the tree and the calls that changed it.

Without a snapshot the text before is the text now with the edits of the trace taken back, last one first. Knows nothing about words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from witnessmark.actions.trace.changes import FileChange, is_code
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.texts import FILE_BYTES, TextChange
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

MAX_FILES = 60
MAX_SCANNED = 2_000
"""So many files of a tree are looked through for a value or a name; what is beyond is not known."""


_LEFT_BY_TOOLS = compiled(r"(?:^|/)(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|node_modules)/|\.py[co]$|(?:^|/)\.(?:coverage|DS_Store)$")  # fmt: skip
"""What a run leaves in a tree whose git does not ignore it: no text of anybody."""


def evidence_of(view: TreeView, trace: TraceIndex | None) -> TextEvidence:
    """What the texts show to one look at a tree, made once for all claims that are held against it."""
    if view not in _KNOWN:
        _KNOWN[view] = TextEvidence(view, trace)
    return _KNOWN[view]


@dataclass(frozen=True)
class TextEvidence:
    """The texts of a tree before and after. `whole`: whatever changed is in it."""

    view: TreeView
    trace: TraceIndex | None

    @cached_property
    def changed(self) -> dict[str, TextChange]:
        """By path, the files that are not as they were, as far as both texts are known."""
        found = {path: self._change(path) for path in self._paths[:MAX_FILES]}
        return {path: text for path, text in found.items() if text is not None and text.old != text.new}

    @cached_property
    def whole(self) -> bool:
        """Whether every change is known with both texts."""
        if not self.view.knows_before and (self.trace is None or not self.trace.shows_changes):
            return False
        return len(self._paths) <= MAX_FILES and all(self._change(path) is not None for path in self._paths)

    @cached_property
    def knows_old(self) -> bool:
        """Whether what files held before is known, also of those that were written whole."""
        changes = self.trace.ledger.changes if self.trace is not None else []
        return self.view.knows_before or (self.whole and all(change.kind == "edit" for change in changes))

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        if self.view.knows_before:
            return tuple(path for path in self.view.changed_paths if not _LEFT_BY_TOOLS.search(path))
        changes = self.trace.ledger.changes if self.trace is not None else []
        told = (self.view.relative(path) for change in changes for path in (change.path, change.to) if path)
        return tuple(dict.fromkeys(path for path in told if path is not None))

    def _change(self, path: str) -> TextChange | None:
        if self.view.knows_before:
            return self.view.text_change(path)
        now = self.now(path)
        old = taken_back(now or "", self._changes_by_path.get(path, ()))
        if old is None and self.view.state(path).state == "absent":
            old = ""  # it holds nothing now, and what it held no claim about what is there can rest on
        return TextChange(path, old, now or "") if old is not None else None

    @cached_property
    def _changes_by_path(self) -> Mapping[str, list[FileChange]]:
        """The changes of the trace, in order, by each path of the tree that they name."""
        found: dict[str, list[FileChange]] = defaultdict(list)
        for one in self.trace.ledger.changes if self.trace is not None else ():
            for path in {self.view.relative(one.path), self.view.relative(one.to or "")}:
                if path is not None:
                    found[path].append(one)
        return found

    def now(self, path: str) -> str | None:
        """What a file holds; None where it is not there or no text."""
        seen = self.view.content(path)
        if seen.state != "file" or b"\0" in seen.content:
            return None
        return seen.content.decode("utf-8", "replace")

    def at(self, path: str) -> TextChange | None:
        """A file with both its texts: one that changed, or one that is as it was."""
        relative = self.view.relative(path) or path
        if relative in self.changed:
            return self.changed[relative]
        now = self.now(relative) if self.whole and relative not in self._paths else None
        return TextChange(relative, now, now) if now is not None else None

    def called(self, path: str) -> list[TextChange]:
        """The files that a path means: that one, or those that changed or lie in the tree with that ending."""
        exact = self.at(path)
        if exact is not None:
            return [exact]
        return [text for text in self.files() if text.path.endswith(f"/{path}")]

    def files(self) -> Iterator[TextChange]:
        """The changed files, then the other texts of the tree, as far as they are looked through."""
        yield from self.changed.values()
        for path in self._others:
            found = self.at(path)
            if found is not None:
                yield found

    @cached_property
    def _others(self) -> tuple[str, ...]:
        small = []
        for number, path in enumerate(self.view.paths()):
            if number >= MAX_SCANNED:
                break
            if path not in self.changed and not path.endswith((".lock", "-lock.json", ".sum", ".min.js", ".svg")):
                seen = self.view.state(path)
                if seen.state == "file" and len(path) < FILE_BYTES:
                    small.append(path)
        return tuple(small)

    @cached_property
    def all_seen(self) -> bool:
        """Whether the tree is small enough to be looked through whole."""
        return len(self._others) + len(self.changed) < MAX_SCANNED

    @cached_property
    def touches_code(self) -> bool:
        """Whether a file of code changed."""
        return any(is_code(path) for path in self.changed)


_KNOWN: WeakKeyDictionary[TreeView, TextEvidence] = WeakKeyDictionary()


def added_lines(text: TextChange) -> list[str]:
    """The lines that are there more often than before, as they are written."""
    return _more(text.new, text.old)


def lost_lines(text: TextChange) -> list[str]:
    """The lines that are there less often than before, as they were written."""
    return _more(text.old, text.new)


def _more(text: str, other: str) -> list[str]:
    """The lines that a text has more often than another one."""
    left: dict[str, int] = {}
    for line in other.splitlines():
        left[line.strip()] = left.get(line.strip(), 0) + 1
    found = []
    for line in text.splitlines():
        if left.get(line.strip(), 0) > 0:
            left[line.strip()] -= 1
        else:
            found.append(line)
    return found


def taken_back(text: str, changes: Sequence[FileChange]) -> str | None:
    """A text before these changes; None where they do not tell. What was written whole counts as all new."""
    for change in reversed(changes):
        if change.kind == "write":
            return ""
        if change.kind != "edit" or not change.new or change.old is None or change.new not in text:
            return None
        text = text.replace(change.new, change.old, 1)
    return text
