"""Branches and commits that a report tells of, against the repository's own files and the commands of the session: which branch it is on, how many commits were made, that none was."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, contradicted, supported, unverifiable
from witnessmark.actions.report.tests import NUMBERS
from witnessmark.actions.trace.calls import output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.ledger import Ledger
from witnessmark.text.patterns import compiled

_OWN = compiled(
    r"\b(?:committed|(?:work|changes?|fix|everything|commits?) (?:is|are|was|were|sits?|lives?|landed|went))\b[^.;`]{0,40}`?$"
)
_FOREIGN = compiled(r"\b(?:exists?|same|also|upstream|based|base|bug|already|merged?|against|from|compare\w*|like)\b")
"""Before a branch: words of one's own work, and words that tell of something else there."""
_UNDOES = frozenset("reset revert rebase cherry-pick am merge stash filter-branch pull".split())


def has_ref(root: Path, kind: str, name: str) -> bool:
    """Whether a repository has a branch or a tag: a look at git's own files, no command."""
    folder = root / ".git"
    packed = folder / "packed-refs"
    listed = packed.is_file() and packed.stat().st_size < MAX_REFS and packed.read_text("utf-8", "replace")
    return f" refs/{kind}/{name}\n" in (listed or "") or (folder / "refs" / kind / name).is_file()


MAX_REFS = 8_000_000


def on_branch(claim: ActionClaim, root: Path, trace: TraceIndex) -> Ruling | None:
    """Work that is said to be on a branch which the repository does not have, or is not on; None where that is open."""
    name, low = claim.value or "", claim.text.lower()
    head = root / ".git" / "HEAD"
    before = low[: low.rfind(name.lower())]
    if not head.is_file() or ".." in name or not _OWN.search(before) or _FOREIGN.search(before):
        return None
    now = head.read_text("utf-8", "replace").strip().partition("refs/heads/")[2]
    if not now or now == name or not trace.whole or any(name in " ".join(entry[2].words) for entry in trace.ledger.git):
        return None
    there = has_ref(root, "heads", name) or any((root / ".git" / "refs" / "remotes").glob(f"*/{name}"))
    if not there and not (root / ".git" / "packed-refs").is_file():
        return contradicted("not_in_trace", f"git has no branch {name}; it is on {now}", now)
    return contradicted("not_in_trace", f"the commit is on {now}", now) if _commits(trace.ledger) else None


def committed(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    """How many commits are said to have been made, or that none was, against those of the session."""
    ledger, made = trace.ledger, _commits(trace.ledger)
    undone = any(entry[2].target in _UNDOES for entry in ledger.git)
    if undone or not trace.whole or ledger.opaque:
        return unverifiable("other commands may have made or undone commits", there=f"{len(made)} commits")
    if claim.role == "commits":
        told = NUMBERS.get(claim.value or "") or int(claim.value or 0)
        if len(made) < told:
            return contradicted("not_in_trace", f"the trace has {len(made)} commits", f"{len(made)} commits")
        return supported("the trace has these commits", f"{len(made)} commits")
    since = [change for change in ledger.changes if made and change.number > made[-1]]
    if made and not since and ledger.turns == ledger.calls[made[-1]].turn:
        return contradicted(
            "contradicted_claim", "the trace has a commit, and nothing was changed after it", "committed"
        )
    return unverifiable("nothing shows that all was committed", there=f"{len(made)} commits")


def _commits(ledger: Ledger) -> Sequence[int]:
    """The places of the commits that went through."""
    entries = [entry for entry in ledger.git if entry[2].target == "commit" and "--dry-run" not in entry[2].words]
    return [entry[0] for entry in entries if entry[3].code == 0 or (entry[1].ok is not False and "nothing to commit" not in output_of(entry[1]))]  # fmt: skip
