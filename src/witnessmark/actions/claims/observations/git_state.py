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

_OWN = compiled(r"\b(?:committed|(?:work|changes?|fix|everything|commits?) (?:is|are|was|were|sits?|lives?|landed|went))\b[^.;`]{0,40}`?$")  # fmt: skip
"""What stands before a branch that one's own work is said to be on."""
_UNDOES = frozenset("reset revert rebase cherry-pick am merge stash filter-branch pull".split())


def has_ref(root: Path, kind: str, name: str) -> bool:
    """Whether a repository has a branch or a tag: a look at git's own files, no command."""
    folder, packed = root / ".git", root / ".git" / "packed-refs"
    listed = packed.read_text("utf-8", "replace") if packed.is_file() and packed.stat().st_size < 8_000_000 else ""
    return f" refs/{kind}/{name}\n" in listed or (folder / "refs" / kind / name).is_file()


def on_branch(claim: ActionClaim, root: Path, trace: TraceIndex) -> Ruling | None:
    """Work that is said to be on a branch which the repository does not have, or is not on; None where that is open."""
    name, low = claim.value or "", claim.text.lower()
    head = root / ".git" / "HEAD"
    before = low[: low.rfind(name.lower())]
    if not head.is_file() or ".." in name or not _OWN.search(before):
        return None
    now = head.read_text("utf-8", "replace").strip().partition("refs/heads/")[2]
    if not now or now == name or not trace.whole or any(name in " ".join(entry[2].words) for entry in trace.ledger.git):
        return None
    known = has_ref(root, "heads", name) or (root / ".git" / "packed-refs").is_file()
    known = known or any((root / ".git" / "refs" / "remotes").glob(f"*/{name}"))
    if known and not _commits(trace.ledger):
        return None
    return contradicted("not_in_trace", f"git is on {now}" if known else f"git has no branch {name}", now)


def committed(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    """How many commits are said to have been made, or that none was, against those of the session."""
    ledger, made = trace.ledger, _commits(trace.ledger)
    there = f"{len(made)} commits"
    if any(entry[2].target in _UNDOES for entry in ledger.git) or not trace.whole or ledger.opaque:
        return unverifiable("other commands may have made or undone commits", there=there)
    told = NUMBERS.get(claim.value or "") or int(claim.value or 0)
    if len(made) < told:
        return contradicted("not_in_trace", f"the trace has {there}", there)
    since = [change for change in ledger.changes if made and change.number > made[-1]]
    if not told and made and not since and ledger.turns == ledger.calls[made[-1]].turn:
        return contradicted("contradicted_claim", "there is a commit, and nothing was changed after it", there)
    return supported("the trace has these commits", there) if told else unverifiable("it is not known", there=there)


def _commits(ledger: Ledger) -> Sequence[int]:
    """The places of the commits that went through."""
    entries = [entry for entry in ledger.git if entry[2].target == "commit" and "--dry-run" not in entry[2].words]
    return [entry[0] for entry in entries if entry[3].code == 0 or (entry[1].ok is not False and "nothing to commit" not in output_of(entry[1]))]  # fmt: skip
