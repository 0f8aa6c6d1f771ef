"""Many claims held against the world and the trace, in the order they were made.

A claim that a later one on the same path makes stale is not wrong: the later one stands in its place. Knows nothing about checks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from witnessmark.actions.claim import FILE_KINDS, ActionClaim, Ruling, contradicted, supported, unverifiable
from witnessmark.actions.claims import content, denials, effects, files, runs, worded_files
from witnessmark.actions.claims.idle_turns import of_others
from witnessmark.actions.claims.worded_files import Written
from witnessmark.actions.content import anchors
from witnessmark.actions.report.report import NO_REPORT, Report
from witnessmark.actions.report.runs import pattern
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.ledger import RERUN
from witnessmark.actions.tree.digests import other_files
from witnessmark.actions.tree.probes import EffectProbe
from witnessmark.actions.tree.view import TreeView
from witnessmark.core.values import text_digest
from witnessmark.core.verdict import counted

NEAR = 16
"""How many claims on the same path are looked at before and after one, so that many on one path cost no more than others."""
NO_WORLD = unverifiable("there is no root and no snapshot to check it against", "unverifiable_claim", "not looked at")


def verify_claims(
    claims: Sequence[ActionClaim],
    view: TreeView | None,
    trace: TraceIndex | None = None,
    why_not: str = "no trace was given",
    report: Report = NO_REPORT,
    probes: Mapping[str, EffectProbe] | None = None,
) -> list[Ruling]:
    """A ruling for each claim, in order; `report` is the text that claims in words were read from."""
    if trace is not None and view is not None:
        view.place(trace)
    normal = [_from_root(claim, view) for claim in claims] if view is not None else list(claims)
    same, written, deletions = _same_thing(normal), _written(view, trace), _deletions(view, trace)
    rulings: list[Ruling] = []
    for number, claim in enumerate(normal):
        if claim.kind in FILE_KINDS:
            deleted_by = deletions.get(claim.path or "", "")
            earlier, later = _around(normal, same, claim, number)
            ruling = files.rule(claim, view, earlier, later, deleted_by) if view is not None else NO_WORLD
            if claim.by == "report" and view is not None:
                ruling = worded_files.in_words(claim, ruling, view, trace, written, report)
            ruling = _at_its_time(claim, ruling, written)
            if claim.by == "declared" and view is not None:
                ruling = _anchored(claim, ruling, view, trace, [*earlier, *later])
            rulings.append(ruling)
        elif claim.kind == "content":
            rulings.append(content.rule(claim, view, trace, report))
        elif claim.kind in ("untouched", "reverted"):
            rulings.append(denials.rule(claim, view, trace, report))
        elif claim.kind in ("check_passed", "git", "effect"):
            root = view.world.root if view is not None else None
            folder = str(root) if root is not None else None
            rulings.append(effects.rule(claim, trace, why_not, folder, report, probes))
        elif claim.kind == "work":
            rulings.append(
                unverifiable("it says that something was done, but nothing that can be checked", there="not looked at")
            )
        else:
            rulings.append(runs.rule(claim, trace, why_not, later_same=same[_thing(claim)][-1] > number, report=report))
    other = _other_tree(view, trace)
    rulings = [other if other is not None and ruling.by.startswith(RERUN) else ruling for ruling in rulings]
    rulings = [_told_unseen(claim, ruling, report) for claim, ruling in zip(normal, rulings, strict=True)]
    if trace is not None and trace.ledger.idle:
        rulings = [of_others(claim, ruling, report) for claim, ruling in zip(normal, rulings, strict=True)]
    rulings = worded_files.named_for_git(normal, worded_files.in_doubt(normal, rulings, trace))
    rulings = worded_files.self_denied(normal, rulings)
    return [_settled(ruling, n, normal, same, rulings) for n, ruling in enumerate(rulings)]


def _other_tree(view: TreeView | None, trace: TraceIndex | None) -> Ruling | None:
    """What to say of everything that a rerun showed, where the tree is not the one that it ran on; None where it is, or no tree is known."""
    if trace is None or trace.ledger.files is None or view is None or view.world.root is None:
        return None
    changed = other_files(trace.ledger.files, Path(view.world.root), view.world.aside)
    if not changed:
        return None
    more = f" and {counted(len(changed) - 1, 'other file', 'other files')}" if len(changed) > 1 else ""
    what = f"{changed[0]}{more} changed" if trace.ledger.files else "its result does not list the files it ran on"
    return unverifiable(f"the rerun was of another tree: {what}", "stale_run", "another tree")


def _told_unseen(claim: ActionClaim, ruling: Ruling, report: Report) -> Ruling:
    """A check that was not run, where the same sentence or the next one says so: nobody was told that it was."""
    checked = claim.kind in ("tests_passed", "check_passed") and claim.by == "report" and claim.span is not None
    if not checked or not ruling.wrong or ruling.category != "not_in_trace":
        return ruling
    told = pattern("unseen", "not_run").search(report.part_of(claim, "stop", following=1).lower().replace("’", "'"))
    of_this = told is not None and (claim.kind == "tests_passed" or not told["tests"])
    return unverifiable(f"{ruling.reason}, and the report says so", there=ruling.there) if of_this else ruling


def _written(view: TreeView | None, trace: TraceIndex | None) -> Written:
    """The calls that wrote each file, by its path from the root."""
    found: Written = defaultdict(list)
    if view is None or trace is None:
        return found
    for path, calls in trace.written.items():
        relative = view.relative(path)
        if relative is not None:
            found[relative] += calls
    return found


def _deletions(view: TreeView | None, trace: TraceIndex | None) -> dict[str, str]:
    """The call that took each file away, by its path from the root."""
    if view is None or trace is None:
        return {}
    return {relative: by for path, by in trace.deletions.items() if (relative := view.relative(path)) is not None}


def _at_its_time(claim: ActionClaim, ruling: Ruling, written: Written) -> Ruling:
    """A digest that does not fit now was true where the trace shows these bytes written, and the same file written again.

    A later claim excuses no digest that none of the writes in the trace has.
    """
    if claim.sha256 is None or (ruling.status != "superseded" and ruling.category != "hash_mismatch"):
        return ruling
    calls = written.get(claim.path or "", [])
    fitting = [
        number for number, (_, text) in enumerate(calls) if text is not None and text_digest(text) == claim.sha256
    ]
    if ruling.status != "contradicted":
        known = bool(calls) and all(text is not None for _, text in calls)
        refused = contradicted("hash_mismatch", "no write in the trace has these bytes", "other bytes")
        if known and not fitting:
            return refused
    if ruling.status == "superseded" or not fitting or fitting[0] == len(calls) - 1:
        return ruling
    reason = "the trace shows these bytes written, and the file written again later"
    return supported(reason, ruling.there, calls[fitting[0]][0])


def _anchored(
    claim: ActionClaim, ruling: Ruling, view: TreeView, trace: TraceIndex | None, others: Sequence[ActionClaim]
) -> Ruling:
    """An anchor that stood in the file all along shows no edit: by the calls of a whole trace, or by the text of before."""
    after = claim.anchor.after if claim.anchor is not None else None
    if ruling.status != "supported" or after is None or claim.path is None:
        return ruling
    mine = [change for change in trace.ledger.changes if view.relative(change.place) == claim.path] if trace is not None else []  # fmt: skip
    told = [change for change in mine if change.new is not None]
    brings = any((change.new or "").count(after) > (change.old or "").count(after) for change in told)
    joined = any(after in (change.new or "") or (change.new or "") in after for change in told)
    all_told = trace is not None and trace.shows_changes and mine and len(told) == len(mine)
    if all_told and not brings and not joined:
        reason = "the text was there before: no call in the trace added it"
        return contradicted("anchor_mismatch", reason, "there before")
    change = view.text_change(claim.path)
    return (anchors.by_texts(claim, change, others, brings) if change is not None else None) or ruling


def _from_root(claim: ActionClaim, view: TreeView) -> ActionClaim:
    """The same claim with paths written from the root, so that ./a and a are one."""
    path = view.relative(claim.path) if claim.path is not None else None
    to = view.relative(claim.to) if claim.to is not None else None
    if (path is None or path == claim.path) and (to is None or to == claim.to):
        return claim
    return replace(claim, path=path or claim.path, to=to or claim.to)


def _thing(claim: ActionClaim) -> str:
    if claim.kind in FILE_KINDS:
        return claim.path or claim.kind
    # A content claim about a file says more than that the file changed, and does not stand in the place of that claim.
    return claim.command or claim.url or f"{claim.kind} {claim.role} {claim.value} {claim.path}"


def _same_thing(claims: Sequence[ActionClaim]) -> dict[str, list[int]]:
    """The numbers of the claims about each path, command or address, in order."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, claim in enumerate(claims):
        found[_thing(claim)].append(number)
        if claim.to is not None and claim.to != claim.path:
            found[claim.to].append(number)
    return found


def _around(
    claims: Sequence[ActionClaim], same: dict[str, list[int]], claim: ActionClaim, number: int
) -> tuple[list[ActionClaim], list[ActionClaim]]:
    """The claims on the same paths that come before this one and after it, the near ones and the last."""
    if all(len(same[path]) == 1 for path in claim.paths):
        return [], []
    numbers = sorted({other for path in claim.paths for other in _near(same[path], number)} - {number})
    return [claims[n] for n in numbers if n < number], [claims[n] for n in numbers if n > number]


def _near(numbers: list[int], number: int) -> list[int]:
    at = bisect_left(numbers, number)
    return [*numbers[max(0, at - NEAR) : at + NEAR], numbers[-1]]


def _settled(
    ruling: Ruling, number: int, claims: Sequence[ActionClaim], same: dict[str, list[int]], rulings: list[Ruling]
) -> Ruling:
    """A superseded claim holds where what stands in its place holds; otherwise nothing can be said about it."""
    if ruling.status != "superseded":
        return ruling
    last = rulings[max(same[path][-1] for path in claims[number].paths)]
    if last.status == "supported":
        return Ruling("supported", ruling.reason, there=last.there, by=last.by)
    return unverifiable(f"{ruling.reason}, and that one does not hold", there=last.there)
