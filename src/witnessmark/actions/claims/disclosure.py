"""Claims and changes side by side: what was said and not done, and what was done and not said.

Knows nothing about policies; which changes may stay unsaid is handed in.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from witnessmark.actions.claim import FILE_KINDS, ActionClaim, Ruling, words
from witnessmark.actions.report.layout import parts
from witnessmark.actions.report.lexicon import in_any_language
from witnessmark.actions.report.names import decoded_links, shortened
from witnessmark.actions.tree.capture import matcher
from witnessmark.actions.tree.containment import inside
from witnessmark.actions.tree.digests import DROPPINGS
from witnessmark.actions.tree.snapshot import TreeChange, quoted, unquoted
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled


@dataclass(frozen=True, slots=True)
class UnsupportedClaim:
    """A claim without a change: what was said, what is there, and why it does not hold."""

    path: str
    claimed: str
    there: str
    why: str
    status: str
    category: str


@dataclass(frozen=True, slots=True)
class UndisclosedChange:
    """A change without a claim."""

    path: str
    what: str
    why: str


def unborne(claims: Sequence[ActionClaim], rulings: Sequence[Ruling]) -> tuple[UnsupportedClaim, ...]:
    """The claims that nothing bears out, in order."""
    return tuple(
        UnsupportedClaim(claim.path or "", words(claim), ruling.there, ruling.reason, ruling.status, ruling.category)
        for claim, ruling in zip(claims, rulings, strict=True)
        if ruling.status != "supported"
    )


def undisclosed(
    changes: Iterable[TreeChange],
    claims: Iterable[ActionClaim],
    allowed: Sequence[str] = (),
    view: TreeView | None = None,
    report: str = "",
) -> tuple[TreeChange, ...]:
    """The changes that neither a claim nor the report's text names, apart from what git ignores, what tools leave behind, and what is allowed."""
    changes, claims = tuple(changes), tuple(claims)
    excused = _excused_by_git(changes)
    said = {quoted(path) for claim in claims if claim.kind in FILE_KINDS for path in _paths(claim, view)}
    said |= _named(decoded_links(report), changes) - {
        path for claim in claims if claim.kind == "untouched" for path in claim.paths
    }
    moved = {quoted(path) for claim in claims if claim.kind in _WHOLE for path in _paths(claim, view)}
    may = matcher((*DROPPINGS, *allowed))
    assert may is not None

    def mentioned(change: TreeChange, path: str) -> bool:
        return path in said or may(path) or (change.kind in _GOING and _below(path, moved))

    return tuple(
        change
        for change in changes
        if not excused(change) and not all(mentioned(change, path) for path in change.paths)
    )


def _named(report: str, changes: Sequence[TreeChange]) -> set[str]:
    """The changed paths that a text has in whole, or by a file's name that only one of them has."""
    paths = [path for change in changes for path in change.paths]
    names = Counter(path.rpartition("/")[2] for path in paths)
    found = set()
    for path in paths:
        name = path.rpartition("/")[2]
        ways = [rf"(?<![\w-]){re.escape(path)}", rf"(?<![\w./-]){re.escape(name)}"][: 2 if names[name] == 1 else 1]
        if re.search(rf"(?:{'|'.join(ways)})(?![\w-])", report):
            found.add(path)
    return found


_WHOLE = ("file_delete", "file_rename")
_GOING = ("deleted", "renamed")


def _below(path: str, folders: set[str]) -> bool:
    """Whether a path lies in one of the folders: whoever deletes or renames a folder need not name what is in it."""
    above = path.rpartition("/")[0]
    while above and above not in folders:
        above = above.rpartition("/")[0]
    return bool(above)


def _excused_by_git(changes: Sequence[TreeChange]) -> Callable[[TreeChange], bool]:
    """What git ignores needs no mention, unless it came along with a change of what git is to ignore."""
    rewritten = any(change.path.endswith(".gitignore") or change.path in _RULES for change in changes)
    return lambda change: change.ignored and not (rewritten and change.before is None)


_RULES = (".git/info/exclude", ".git/config")


def _paths(claim: ActionClaim, view: TreeView | None) -> Iterable[str]:
    for path in claim.paths:
        relative = view.relative(path) if view is not None else inside(path)
        if relative is not None:
            yield relative


def unsaid(changes: Iterable[TreeChange]) -> tuple[UndisclosedChange, ...]:
    """Changes as rows for a person."""
    why = "no claim names this path"
    return tuple(UndisclosedChange(_shown(change), change.words(), why) for change in changes)


def _shown(change: TreeChange) -> str:
    path = unquoted(change.path)
    return path if change.old is None else f"{unquoted(change.old)} → {path}"


# --- what the words of a report tell of ---------------------------------------------------------------------------

_FILES = compiled(r"`([^`\s]*[\w-](?:/[^`\s]*|\.[A-Za-z]\w{0,9}))`")


def deletions_told(sentence: str) -> list[str]:
    """The parts of a sentence that tell of files gone, each from its word on."""
    starts = [match.start() for match in in_any_language("unsaid", "deleted").finditer(sentence)]
    return [sentence[start:end] for start, end in pairwise([*starts, len(sentence)])]


def may_mean(told: str, path: str) -> bool:
    """Whether words that tell of files gone may be about this one: they name no files, a folder of it, or others beside those named."""
    named = [name.strip("./") for name in _FILES.findall(told)]
    others = in_any_language("unsaid", "others").search(told) is not None
    by_pattern = any((meant := shortened(name)) is not None and meant.fullmatch(path) for name in named)
    return not named or others or by_pattern or any(f"/{name}/" in f"/{path}" for name in named)


def tells_of_lost(report: str, path: str) -> bool:
    """Whether a report tells of something put back or thrown away, which may be this file: it names none there, or this one."""
    lines = [line for line in parts(report) if in_any_language("unsaid", "discarded").search(line)]
    named = [_FILES.findall(line) for line in lines]
    return any(not path or not names or any(posixpath.basename(one) in path for one in names) for names in named)


def tells_of_left(report: str, way: str) -> bool:
    """Whether a report tells of commits that were left behind in this way: by a reset, with a branch, or by a push over them."""
    return in_any_language("unsaid", f"left_by_{way}").search(report) is not None
