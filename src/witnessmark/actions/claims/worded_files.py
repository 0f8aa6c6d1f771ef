"""A file claim made in words, where the tree alone cannot settle it: what the trace adds, and what loose words leave open.

Words say that a file was changed and not how. Where no snapshot from before shows a change, the call that made it does. Knows
nothing about claims that an agent declares: those say exactly what they mean.
"""

from __future__ import annotations

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, supported, unverifiable
from witnessmark.actions.claims.runs import absent
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

Written = dict[str, list[tuple[str, str]]]
"""By path from the root, each call that wrote there, with the sha256 of what it wrote where the call has it."""
_COMES = ("file_create", "file_write", "file_edit", "code_insert")
_WAS_THERE = ("file_edit", "code_insert", "file_rename")


def in_words(claim: ActionClaim, ruling: Ruling, scene: TreeView, trace: TraceIndex | None, written: Written) -> Ruling:
    """The ruling on a claim told in words, after a look at the trace."""
    if ruling.category == "file_not_found" and _folder_unknown(claim, scene):
        return unverifiable("no such file is at the root, and its folder is not named", there=ruling.there)
    if ruling.status != "unverifiable" or claim.kind not in _COMES or ruling.there != "a file":
        return ruling
    return _by_trace(claim, ruling, trace, written)


def _folder_unknown(claim: ActionClaim, scene: TreeView) -> bool:
    """A bare name may mean a file in any folder, unless somebody looked before and there is none of that name."""
    path = claim.to or claim.path or ""
    return claim.kind in _WAS_THERE and "/" not in path and not scene.knows_before


def _by_trace(claim: ActionClaim, ruling: Ruling, trace: TraceIndex | None, written: Written) -> Ruling:
    """The file is there; whether it was changed the trace can say, and the contrary only where no command could have done it."""
    if trace is None:
        return ruling
    calls = written.get(claim.path or "")
    if calls:
        return supported("the file is there, and the trace has the call that wrote it", "a file", calls[-1][0])
    if trace.opaque:
        reason = "the file is there; no call in the trace names it, and a command may have changed it"
        return unverifiable(reason, there=ruling.there)
    return absent(trace, "the file is there, and no call in the trace changed it")
