"""Claims about files against the tree: written, created, edited, deleted, renamed.

Bytes decide: a digest is of the file's bytes as they are, an edit is the new text being there. Where a snapshot from before is at
hand, something that was there all along is not taken for work. What may not be read or was not looked at before cannot be said.
Knows nothing about traces apart from what is handed in.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Sequence

from witnessmark.actions.claim import (
    SUPERSEDED,
    ActionClaim,
    Anchor,
    Ruling,
    contradicted,
    supported,
    unsupported,
    unverifiable,
)
from witnessmark.actions.content.anchors import NEAR_LINES, taken_back
from witnessmark.actions.tree.containment import ABSENT, PathContent
from witnessmark.actions.tree.snapshot import SnapshotEntry, differs
from witnessmark.actions.tree.view import TreeView

_COMES = frozenset({"file_create", "file_write", "file_edit", "code_insert"})
Others = Sequence[ActionClaim]


def rule(claim: ActionClaim, view: TreeView, earlier: Others = (), later: Others = (), deleted_by: str = "") -> Ruling:
    """One claim about a file, given the other claims on the same path, and the call that deleted it, where one did."""
    if claim.path is None or (claim.kind == "file_rename" and claim.to is None):
        return unverifiable("the claim names no file", there="not looked at")
    for path in claim.paths:
        if view.relative(path) is None:
            return unsupported(
                "outside_root", "the path leads out of the root, where nothing is looked at", "not looked at"
            )
    if claim.kind == "file_delete":
        return _deleted(claim, view, earlier, later, deleted_by)
    if claim.kind == "file_rename":
        return _renamed(claim, view, earlier, later, deleted_by)
    if any(_takes_away(other, claim.path) for other in later):
        return SUPERSEDED
    if claim.kind in ("file_edit", "code_insert") and claim.sha256 is None:
        return _edited(claim, view, earlier, later)
    return _written(claim, view, earlier, later)


def _takes_away(other: ActionClaim, path: str | None) -> bool:
    return other.kind in ("file_delete", "file_rename") and other.path == path


def _brings(other: ActionClaim, path: str | None) -> bool:
    return (other.kind in _COMES and other.path == path) or (other.kind == "file_rename" and other.to == path)


def _look(claim: ActionClaim, view: TreeView) -> PathContent:
    """What stands at the path of a claim: read only where there is a digest to hold its bytes against, of before or of the claim."""
    assert claim.path is not None
    there, old = view.state(claim.path), _before(claim.path, view)
    same_size = old is not None and (there.info is None or there.info.st_size == old.size)
    return view.sha256(claim.path) if claim.sha256 is not None or same_size else there


def _missing(seen: PathContent) -> Ruling | None:
    """What to say where no file can be read."""
    if seen.state == "file":
        return None
    if seen.state == "absent":
        return unsupported("file_not_found", f"the file is not there{_spelling(seen)}")
    if seen.state in ("directory", "special"):
        return contradicted("filesystem_mismatch", f"what is there {seen.why}", seen.state)
    return unverifiable(f"the file {seen.why}", "filesystem_mismatch", f"not read ({seen.state.replace('_', ' ')})")


def _spelling(seen: PathContent) -> str:
    return f": its name {seen.why}" if seen is not ABSENT else ""


# --- written, created ------------------------------------------------------------------------------------------


def _written(claim: ActionClaim, view: TreeView, earlier: Others, later: Others) -> Ruling:
    assert claim.path is not None
    seen = _look(claim, view)
    if seen.state == "directory" and claim.kind == "file_create" and claim.sha256 is None:
        return _new_folder(claim.path, view)
    missing = _missing(seen)
    if missing is not None:
        return missing
    there = f"sha256 {seen.sha256[:12]}…"
    if claim.sha256 is not None and claim.sha256 != seen.sha256:
        return _written_over(claim, view, later, contradicted("hash_mismatch", "the file's bytes have another sha256", there))  # fmt: skip
    if claim.size is not None and seen.info is not None and claim.size != seen.info.st_size:
        size = f"{seen.info.st_size:,} bytes"
        return _written_over(claim, view, later, contradicted("filesystem_mismatch", "the file has another size", size))
    if not earlier and not later and _untouched(claim, view, seen):
        return contradicted("filesystem_mismatch", "the file was there before, and nothing has changed it", "unchanged")
    if claim.sha256 is not None:
        return supported("the file's bytes have this sha256", there)
    return _change(claim.path, view, seen)


def _written_over(claim: ActionClaim, view: TreeView, later: Others, wrong: Ruling) -> Ruling:
    """What to say of bytes that are not those of now: a later claim excuses them where it shows that they were written over.

    It does so with bytes of its own, or by an edit which taken back leaves the bytes that are claimed.
    """
    assert claim.path is not None
    if not later:
        return wrong
    if any(other.sha256 is not None or other.kind == "file_rename" for other in later):
        return SUPERSEDED
    seen, edits = view.content(claim.path), [other.anchor for other in later if other.anchor is not None]
    held = taken_back(seen.content, edits) if seen.state == "file" and len(edits) == len(later) else []
    if any(claim.size in (None, len(text)) and claim.sha256 in (None, hashlib.sha256(text).hexdigest()) for text in held):  # fmt: skip
        return SUPERSEDED
    return unverifiable(f"{wrong.reason}, and no later claim shows that they were these", wrong.category, wrong.there)


def _new_folder(path: str, view: TreeView) -> Ruling:
    relative = view.relative(path)
    if not view.knows_before or relative is None or view.left_out(relative):
        return unverifiable("the folder is there, but nothing shows whether it is new", there="a folder")
    if view.before(relative) is None:
        return supported("the folder is there and was not before", "a new folder")
    return contradicted("filesystem_mismatch", "the folder was there before", "a folder")


def _untouched(claim: ActionClaim, view: TreeView, seen: PathContent) -> bool:
    """Whether the file is as it was before. Writing the same bytes again is a write, though nothing was created."""
    assert claim.path is not None
    old = _before(claim.path, view)
    if old is None or old.sha256 != seen.sha256:
        return False
    return claim.kind == "file_create" or _same_times(old, claim.path, seen, view)


def _same_times(old: SnapshotEntry, path: str, seen: PathContent, view: TreeView) -> bool:
    if seen.info is not None:
        return (old.mtime_ns, old.ctime_ns) == (seen.info.st_mtime_ns, seen.info.st_ctime_ns)
    relative = view.relative(path)
    new = view.world.after.get(relative) if view.world.after is not None and relative is not None else None
    return new is not None and (old.mtime_ns, old.ctime_ns) == (new.mtime_ns, new.ctime_ns)


def _before(path: str, view: TreeView) -> SnapshotEntry | None:
    relative = view.relative(path)
    return view.before(relative) if relative is not None else None


def _change(path: str, view: TreeView, seen: PathContent) -> Ruling:
    """A claim without a digest or anchor: whether the file changed is all that can be held against it."""
    relative = view.relative(path)
    if not view.knows_before or relative is None or view.left_out(relative):
        return unverifiable(
            "the file is there, and nothing shows how it was before: no digest, no snapshot", there="a file"
        )
    old = view.before(relative)
    if old is None:
        return supported("the file is there and was not before", "a new file")
    if old.sha256 and seen.info is not None and seen.info.st_size != old.size:
        return supported("the file has changed since before", "changed")
    if old.sha256 and seen.sha256:
        if old.sha256 != seen.sha256:
            return supported("the file has changed since before", "changed")
        if seen.info is not None and stat.S_IMODE(seen.info.st_mode) != old.mode:
            return unverifiable("its bytes are the same, and its permissions are not", there="other permissions")
        return contradicted("filesystem_mismatch", "the file was there before, and its bytes are the same", "unchanged")
    return unverifiable("the file was not read before, so a change cannot be shown", there="a file")


# --- edited, inserted ------------------------------------------------------------------------------------------


def _edited(claim: ActionClaim, view: TreeView, earlier: Others, later: Others) -> Ruling:
    assert claim.path is not None
    anchor = claim.anchor
    if anchor is None:
        seen = _look(claim, view)
        return _missing(seen) or (SUPERSEDED if later else _change(claim.path, view, seen))
    empty = _shows_nothing(anchor)
    if empty is not None:
        return empty
    seen = view.content(claim.path)
    missing = _missing(seen)
    if missing is not None:
        return _without_content(claim.path, view) or missing
    ruling = _anchored(anchor, seen.content, later)
    if claim.kind == "code_insert" and ruling.status == "supported" and not later:
        ruling = _at_its_place(anchor, seen.content) or ruling
    if ruling.status == "supported" and not earlier and not later and _same_bytes(claim.path, view, seen.content):
        return contradicted("filesystem_mismatch", "the text was there before: the file has not changed", "unchanged")
    return ruling


def _shows_nothing(anchor: Anchor) -> Ruling | None:
    """An anchor that any file would satisfy is none."""
    wanted = anchor.after if anchor.after is not None else anchor.before if anchor.replaces else None
    if wanted is None:
        return unsupported(
            "anchor_mismatch", "the anchor has no new text (afterSnippet), so it shows no edit", "not looked at"
        )
    blank = not wanted.strip() or (anchor.replaces and anchor.before is not None and not anchor.before.strip())
    return (
        unsupported("anchor_mismatch", "the anchor is blank, so it shows no edit", "not looked at") if blank else None
    )


def _without_content(path: str, view: TreeView) -> Ruling | None:
    """Snapshots alone cannot show a text, but they can show that nothing changed."""
    relative = view.relative(path)
    if view.root is not None or view.world.after is None or relative is None:
        return None
    old, new = view.before(relative), view.world.after.get(relative)
    if old is None or new is None or differs(old, new):
        return None
    return contradicted("filesystem_mismatch", "the file has not changed", "unchanged")


def _anchored(anchor: Anchor, content: bytes, later: Others) -> Ruling:
    text = content.replace(b"\r\n", b"\n")
    after, before = _bytes(anchor.after), _bytes(anchor.before)
    if after and after not in text:
        if any(_covers(other, anchor.after) for other in later):
            return SUPERSEDED
        return contradicted("anchor_mismatch", "the new text is not in the file", "without it")
    left = text.replace(after, b"") if after else text
    if anchor.replaces and before and before in left and not any(_says(other, anchor.before) for other in later):
        return contradicted("anchor_mismatch", "the text that was to be replaced is still in the file", "both texts")
    if not after:
        return supported("the text is gone from the file", "without it")
    line = text.count(b"\n", 0, text.find(after)) + 1
    return supported("the new text is in the file", f"line {line}")


def _at_its_place(anchor: Anchor, content: bytes) -> Ruling | None:
    """What to say of an insertion that does not stand by the text it is said to stand by; None where it does, or none is named."""
    text, after, context = content.replace(b"\r\n", b"\n"), _bytes(anchor.after), _bytes(anchor.before)
    if anchor.replaces or not after or not context.strip() or context in after:
        return None
    if context not in text:
        return unverifiable(
            "the new text is in the file, and the text beside it is not", "anchor_mismatch", "without it"
        )
    start = text.find(after)
    while start >= 0:
        lines = text[:start].splitlines(keepends=True)[-NEAR_LINES - context.count(b"\n") :]
        below = text[start + len(after) :].splitlines(keepends=True)[: NEAR_LINES + context.count(b"\n")]
        if context in b"".join([*lines, *below]):
            return None
        start = text.find(after, start + 1)
    return contradicted("anchor_mismatch", "the new text stands at another place in the file", "at another place")


def _bytes(text: str | None) -> bytes:
    return (text or "").replace("\r\n", "\n").encode("utf-8", "surrogateescape" if _stray(text) else "strict")


def _stray(text: str | None) -> bool:
    return text is not None and any("\udc80" <= char <= "\udcff" for char in text)


def _covers(other: ActionClaim, text: str | None) -> bool:
    """Whether a later claim on the file may have replaced this text."""
    if other.kind in ("file_write", "file_create") or other.anchor is None:
        return True
    replaced = other.anchor.before
    return (
        replaced is not None and text is not None and bool(replaced.strip()) and (replaced in text or text in replaced)
    )


def _says(other: ActionClaim, text: str | None) -> bool:
    """Whether a later claim on the file may have put this text back."""
    if other.anchor is None:
        return True
    return other.anchor.after is not None and text is not None and text in other.anchor.after


def _same_bytes(path: str, view: TreeView, content: bytes) -> bool:
    old = _before(path, view)
    return old is not None and old.sha256 == hashlib.sha256(content).hexdigest()


# --- deleted, renamed ------------------------------------------------------------------------------------------


def _deleted(claim: ActionClaim, view: TreeView, earlier: Others, later: Others, deleted_by: str) -> Ruling:
    assert claim.path is not None
    seen = view.state(claim.path)
    if seen.state != "absent":
        if seen.state == "link" and seen.info is None:
            return unverifiable(f"the path {seen.why}", "filesystem_mismatch")
        if seen.state in ("unreadable", "elsewhere") and view.root is not None:
            return unverifiable(f"the path {seen.why}", "filesystem_mismatch")
        if any(_brings(other, claim.path) for other in later):
            return SUPERSEDED
        return contradicted("filesystem_mismatch", "it is still there", seen.state)
    relative = view.relative(claim.path)
    if view.knows_before and relative is not None and not view.left_out(relative):
        if view.before(relative) is not None:
            return supported("it was there before and is not now", "nothing")
        if any(_brings(other, claim.path) for other in earlier):
            return unverifiable(
                "it is said to have been created and deleted again, which leaves nothing to check", there="nothing"
            )
        return contradicted("filesystem_mismatch", "it was not there before either, so nothing was deleted")
    if deleted_by:
        return supported("the trace shows it deleted, and it is not there", "nothing", deleted_by)
    return unverifiable("it is not there, and nothing shows that it ever was: no snapshot from before", there="nothing")


def _is_left(path: str, view: TreeView) -> bool:
    """Whether what was moved away from a path is still there; a folder that holds no file is only its shell."""
    state = view.state(path).state
    return view.holds_files(path) if state == "directory" else state != "absent"


def _renamed(claim: ActionClaim, view: TreeView, earlier: Others, later: Others, taken_by: str) -> Ruling:
    assert claim.path is not None
    assert claim.to is not None
    if any(_takes_away(other, claim.to) for other in later):
        return SUPERSEDED
    seen = view.sha256(claim.to)
    old = _before(claim.path, view)
    missing = None if seen.state == "directory" and old is not None and old.type == "d" else _missing(seen)
    if missing is not None:
        return missing
    if _is_left(claim.path, view) and not any(_brings(other, claim.path) for other in later):
        return contradicted("filesystem_mismatch", "the old path is still there", "both paths")
    known = _before(claim.to, view)
    if old is None and not any(_brings(other, claim.path) for other in earlier):
        if view.knows_before:
            return contradicted("filesystem_mismatch", "nothing was at the old path before", "a file at the new path")
        if taken_by:
            return supported("the trace shows the old path taken away, and the new one is there", "renamed", taken_by)
        return unverifiable(
            "the new path is there, and nothing shows that the old one ever was: no snapshot from before"
        )
    if known is not None and known.sha256 == seen.sha256 and not earlier:
        return contradicted("filesystem_mismatch", "the new path was there before, unchanged", "unchanged")
    same = old is not None and old.sha256 == seen.sha256
    return supported("the file stands at its new path" + ("" if same else ", with other bytes"), "renamed")
