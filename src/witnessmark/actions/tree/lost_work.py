"""The person's own work that was not committed, and that git put away: `git checkout -- FILE`, `git reset --hard`, a stash never brought back.

Where the folder was looked at before, that decides; otherwise a file counts that git told to be changed before the agent can have
changed it, or that the agent had put back by its name, as it was committed last, and never touched. What the session itself wrote
and took back is no loss, and neither is a file that was taken from another branch where nothing shows work in it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from witnessmark.actions.trace.activities import listed
from witnessmark.actions.trace.changes import change_names, is_scratch
from witnessmark.actions.trace.discards import (
    Discard,
    brought_files,
    changed_before,
    discards,
    dropped_stashes,
    uncommitted_before,
    untouched_until,
)
from witnessmark.actions.trace.ledger import Ledger
from witnessmark.actions.tree import git
from witnessmark.actions.tree.snapshot import unquoted
from witnessmark.actions.tree.texts import FILE_BYTES
from witnessmark.actions.tree.view import TreeView, from_root


@dataclass(frozen=True, slots=True)
class LostWork:
    """A file of which work was put away, by which command; `path` is empty for a stash that was thrown away."""

    path: str
    by: Discard

    @property
    def what(self) -> str:
        """What was done, in words."""
        what = (
            "work that was not committed was put away" if self.path else "a stash that was there before was thrown away"
        )
        return f"{what} by `{self.by.line[:80]}`"


def lost_work(ledger: Ledger, view: TreeView | None) -> Iterator[LostWork]:
    """The work of the person that the last turn had git put away."""
    last = [one for one in discards(ledger) if one.call.turn == ledger.turns]
    yield from (LostWork("", one) for one in dropped_stashes(ledger) if one.call.turn == ledger.turns)
    known = view is not None and view.knows_before
    lost = _by_snapshot(last, ledger, view) if known and view is not None else _by_trace(last, ledger, view)
    yield from (LostWork(path, one) for path, one in lost.items())


# --- with a snapshot -----------------------------------------------------------------------------------------------


def _by_snapshot(last: list[Discard], ledger: Ledger, view: TreeView) -> dict[str, Discard]:
    before = view.world.before
    head = before.git.head if before is not None and before.git is not None else None
    if not last or head is None or view.world.root is None:
        return {}
    earlier = [one for one in discards(ledger) if one.call.turn < ledger.turns]
    found = {}
    for change in view.changes:
        path = unquoted(change.path)
        by = next((one for one in last if one.covers(path)), None)
        if change.kind == "modified" and by is not None and not any(one.covers(path) for one in earlier):
            committed = git.blob(view.world.root, head, path, FILE_BYTES)
            if committed is not None and _is_lost(path, committed, ledger, view):
                found[path] = by
    return found


def _is_lost(path: str, committed: bytes, ledger: Ledger, view: TreeView) -> bool:
    """Whether a file held something else than what was committed, and that is gone: it is as committed, or has none of those lines."""
    entry, now = view.before(path), view.content(path)
    if entry is None or not entry.sha256 or entry.sha256 == hashlib.sha256(committed).hexdigest():
        return False
    if now.content == committed:
        return True
    text = view.text_change(path)
    if text is None:
        return False
    own = _lines(text.old) - _lines(committed.decode("utf-8", "replace"))
    edits = [change.old or "" for change in ledger.changes if change.old and change_names(change, path)]
    own -= _lines("\n".join(edits))
    return own.total() > 0 and not own & _lines(text.new)


def _lines(text: str) -> Counter[str]:
    return Counter(line.strip() for line in text.splitlines() if line.strip())


# --- by the trace alone --------------------------------------------------------------------------------------------


def _by_trace(last: list[Discard], ledger: Ledger, view: TreeView | None) -> dict[str, Discard]:
    if not last or not ledger.whole:
        return {}
    told = uncommitted_before(ledger)
    commits = [number for number, _, activity, _ in ledger.git if activity.target in listed("git_commits")]
    end, brought = untouched_until(ledger), brought_files(ledger)
    found: dict[str, Discard] = {}
    for one in last:
        for path, number in told.items():
            kept = any(number < commit < one.number for commit in commits)
            if number < one.number and one.covers(path) and not kept:
                found.setdefault(path, one)
        for path in one.paths if one.sure and not one.source and one.number <= end else ():
            mine = changed_before(ledger, from_root(path, view), one.number, brought) or not path.rpartition("/")[
                2
            ].strip(".")
            if not mine and not is_scratch(path) and not any(one.covers(name) for name in told):
                found.setdefault(path, one)
    return found
