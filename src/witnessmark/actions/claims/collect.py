"""What a report claims, from wherever it says so, and what the world and the trace say to it.

A report's own list counts; where it has none, the claims in its words; where the words hold none either, those that its trace
would have borne out are offered, and never taken as said. The checks, the command line and the hook all ask here.

Paths that words name loosely (`calc.py` for `src/calc.py`) mean the one file that can be meant; a declared claim is left alone.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from witnessmark.actions.claim import FILE_KINDS, ActionClaim, Ruling, unread
from witnessmark.actions.claims import declared_claims
from witnessmark.actions.claims.observations import found_by_trace, told_as_good, told_as_removed, told_as_run
from witnessmark.actions.claims.seen_runs import told_as_clean
from witnessmark.actions.claims.verify_claims import verify_claims
from witnessmark.actions.claims.wordings import says
from witnessmark.actions.content.named_code import names_in_work
from witnessmark.actions.content.reader import stated_in
from witnessmark.actions.content.status_claims import statuses_otherwise
from witnessmark.actions.report.claims import claims_in
from witnessmark.actions.report.names import decoded_links
from witnessmark.actions.report.report import NO_REPORT, Report
from witnessmark.actions.report.tense import in_past_tense
from witnessmark.actions.trace.calls import Trace
from witnessmark.actions.trace.implied_claims import claims_from
from witnessmark.actions.trace.index import TraceIndex, index
from witnessmark.actions.trace.ledger import Ledger
from witnessmark.actions.tree.snapshot import TreeChange, quoted, unquoted
from witnessmark.actions.tree.view import TreeState, TreeView
from witnessmark.core.case import AgentOutput, Case, subject_of

if TYPE_CHECKING:
    from witnessmark.actions.claims.omissions import Danger


def placed_claims(claims: Sequence[ActionClaim], view: TreeView, changed: Iterable[str]) -> list[ActionClaim]:
    """The claims with each loose path replaced by the one file it can mean: one that changed, or else one that was there."""
    if not any(_loose(claim) for claim in claims):
        return list(claims)
    by_name = _by_name(unquoted(path) for path in changed)
    before = view.world.before
    known = (
        _by_name(unquoted(entry.path) for entry in before.entries if entry.type == "f") if before is not None else {}
    )
    known = known or _LazyNames(view)
    return [_placed(claim, view, by_name, known) if _loose(claim) else claim for claim in claims]


class _LazyNames(dict[str, list[str]]):
    """The files of the tree by their names, looked up only when a path is not where it is said to be."""

    def __init__(self, view: TreeView) -> None:
        super().__init__()
        self._view: TreeView | None = view

    def get(self, name: str, default: Any = ()) -> Any:
        """The paths of the files of that name."""
        if self._view is not None:
            self.update(_by_name(self._view.paths()))
            self._view = None
        return super().get(name, default)


def _loose(claim: ActionClaim) -> bool:
    return claim.by == "report" and claim.kind in FILE_KINDS and claim.path is not None


def _by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        found[path.rpartition("/")[2]].append(path)
    return found


def _placed(
    claim: ActionClaim, view: TreeView, changed: dict[str, list[str]], known: dict[str, list[str]]
) -> ActionClaim:
    taken = claim.kind == "file_rename" and claim.path in changed.get(posixpath.basename(claim.path or ""), ())
    path = claim.path if taken else _meant(claim, claim.path, view, changed, known)
    to = _meant(claim, claim.to, view, changed, known) if claim.to is not None else None
    return claim if (path, to) == (claim.path, claim.to) else msgspec.structs.replace(claim, path=path, to=to)


def _meant(
    claim: ActionClaim, given: str | None, view: TreeView, changed: dict[str, list[str]], known: dict[str, list[str]]
) -> str | None:
    """The file that a path means. Of several, the first where any of them bears the claim out as well as another."""
    path = view.relative((given or "").replace("\\", "/"))
    if path is None:
        return given
    if view.state(path).state != "absent" or view.before(path) is not None:
        return path
    for names in (changed, known):
        meant = [other for other in names.get(path.rpartition("/")[2], ()) if other.endswith(f"/{path}")]
        if claim.kind != "file_delete" and names is changed:
            # What was made in one place may have been moved to another since.
            there = [other for other in meant if view.state(other).state != "absent"]
            meant = there or ([] if known.get(path.rpartition("/")[2], ()) else meant)
        if meant:
            return meant[0] if len(meant) == 1 or claim.kind in ("file_create", "file_write", "file_edit") else path
    return path


Reader = Callable[[Report], Sequence[ActionClaim]]


def in_words(report: Report) -> list[ActionClaim]:
    """The claims of a report by the rules for plain words; what names nothing to look at comes last, as a claim without a path."""
    done = in_past_tense(report)
    read = done.report
    found = claims_in(read)
    claims = [*found.claims, *_figures(read), *_stated(read, found.claims), *found.unverifiable]
    if found.coverage < 1.0:
        claims.append(unread(read.text, int(len(read.text) * found.coverage)))
    if done.places:
        claims = [
            msgspec.structs.replace(claim, span=done.before(claim.span) if claim.span else None) for claim in claims
        ]
    return [*claims, *names_in_work(report, claims)]


def _stated(report: Report, known: Sequence[ActionClaim]) -> list[ActionClaim]:
    """What is stated about the content of files, without what the other claims say already."""
    names = {(claim.kind, (claim.path or "").rpartition("/")[2]) for claim in known}
    return [
        claim
        for claim in stated_in(report)
        if claim.kind == "content"
        or (claim.path is None and claim.kind == "file_edit")  # what was not read
        or (claim.kind, (claim.path or "").rpartition("/")[2]) not in names
    ]


def _figures(report: Report) -> list[ActionClaim]:
    if not says("figures", "any", report.low):
        return []
    from witnessmark.actions.claims.figures import figures_in

    return figures_in(report)


def by_trace(report: Report, trace: TraceIndex | None) -> list[ActionClaim]:
    """What a report claims by words that only the trace explains: options never given, failed runs told as good, imports never removed, other counts than were printed."""
    if trace is None:
        return []
    from witnessmark.actions.claims.figures import counts_otherwise  # most reports tell none
    from witnessmark.actions.session_claims.finders import finders_for

    own = (told_as_run, told_as_good, told_as_removed, told_as_clean, counts_otherwise, statuses_otherwise)
    finders = (*own, *finders_for(report))
    return found_by_trace(report, trace, finders)


def claims_of(
    case: Case, report: Report, reader: Reader | None = in_words, trace: TraceIndex | None = None
) -> list[ActionClaim]:
    """The claims of a case: its own list, or, where it has none, what a reader and the trace find in the words of its report."""
    output = subject_of(case, AgentOutput)
    if output.claims is not msgspec.UNSET and output.claims:
        return declared_claims.look(output)[0]
    return [*reader(report), *by_trace(report, trace)] if reader is not None else []


def offered_claims(trace: Trace | None) -> tuple[ActionClaim, ...]:
    """The claims that an agent with this trace should have made."""
    return claims_from(trace).claims if trace is not None else ()


Known = Trace | TraceIndex | None
"""A trace, or what is in it, looked up once for everything that is asked of it."""


def trace_index(trace: Known) -> TraceIndex | None:
    """What is in a trace; of a trace that was looked up already, that."""
    return index(trace) if isinstance(trace, Trace) else trace


def where_meant(
    claims: Sequence[ActionClaim],
    world: TreeState,
    trace: Known = None,
    changes: Sequence[TreeChange] | None = None,
) -> list[ActionClaim]:
    """Claims made in words with the paths they can only mean; the agent's own list is left as it is.

    `changes` are those of the world, where somebody has looked already.
    """
    if not world.visible or not any(claim.by == "report" for claim in claims):
        return list(claims)
    looked = changes if changes is not None else world.changes() or ()
    changed = [path for change in looked for path in change.paths]
    known = trace_index(trace)
    with TreeView(world) as view:
        if known is not None:
            view.place(known)
        done = known.ledger.changes if known is not None else ()
        touched = [view.relative(path) for change in done for path in (change.path, change.to) if path]
        named = dict.fromkeys(quoted(path) for path in touched if path is not None)
        return placed_claims(claims, view, dict.fromkeys((*changed, *named)))


def hold_all(
    claims: Sequence[ActionClaim], world: TreeState, trace: Known, why_not: str, report: Report = NO_REPORT
) -> list[Ruling]:
    """A ruling for each claim against a world and a trace, either of which may be missing; `report` is the text in words."""
    known = trace_index(trace)
    if not world.visible or not claims:
        return verify_claims(claims, None, known, why_not, report, world.probes)
    with TreeView(world) as view:
        return verify_claims(claims, view, known, why_not, report, world.probes)


def as_written(claims: Sequence[ActionClaim], report: Report) -> list[ActionClaim]:
    """The claims with their words as they stand in the report, for whoever reads them: reading puts files in code and takes out emphasis."""
    return [_as_written(claim, report.text) if claim.by == "report" and claim.span else claim for claim in claims]


def _as_written(claim: ActionClaim, report: str) -> ActionClaim:
    written = report[slice(*(claim.span or (0, 0)))]
    read = claim.text.replace("`", "").strip()
    if written == claim.text or not read or not written.replace("`", "").strip().startswith(read):
        return claim
    return msgspec.structs.replace(
        claim, text=written[: len(claim.text)] if len(written) > len(claim.text) else written
    )


def left_out(world: TreeState, trace: Known, report: str) -> list[Danger]:
    """What was done and must be said, and the report does not say: deletions, weaker tests, CI and hooks, secrets."""
    known = trace_index(trace)
    ledger = known.ledger if known is not None else Ledger()
    acted = ledger.active or ledger.changes or ledger.opaque or ledger.git or ledger.removals
    if not acted and (world.shared or world.before is None):
        return []
    from witnessmark.actions.claims.omissions import dangers  # only where something was changed

    report = decoded_links(report)
    if not world.visible:
        return dangers(ledger, report)
    with TreeView(world) as view:
        if known is not None:
            view.place(known)
        found = dangers(ledger, report, view)
        return [replace(danger, path=view.relative(danger.path) or danger.path) for danger in found]
