"""What a report claims, from wherever it says so, and what the world and the trace say to it.

A report's own list counts; where it has none, the claims in its words; where the words hold none either, those that its trace
would have borne out are offered, and never taken as said. The checks, the command line and the hook all ask here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from witnessmark.actions.claims import loose_paths, structure
from witnessmark.actions.claims.claim import ActionClaim, unread
from witnessmark.actions.claims.observations.table import found_by_trace
from witnessmark.actions.claims.ruling import Ruling
from witnessmark.actions.claims.verify_claims import hold
from witnessmark.actions.content.reader import stated_in
from witnessmark.actions.report.claims import claims_in
from witnessmark.actions.trace.implied_claims import claims_from
from witnessmark.actions.trace.index import TraceIndex, index
from witnessmark.actions.trace.trace import Trace
from witnessmark.actions.tree.diff import TreeChange
from witnessmark.actions.tree.snapshot import quoted
from witnessmark.actions.tree.view import TreeState, TreeView
from witnessmark.core.case import AgentOutput, Case
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from witnessmark.actions.claims.unsaid import Danger

Reader = Callable[[str], Sequence[ActionClaim]]


def in_words(text: str) -> list[ActionClaim]:
    """The claims of a text by the rules for plain words; what names nothing to look at comes last, as a claim without a path."""
    found = claims_in(text)
    claims = [*found.claims, *_figures(text), *_stated(text, found.claims), *found.unverifiable]
    if found.coverage < 1.0:
        claims.append(unread(text, int(len(text) * found.coverage)))
    return claims


def _stated(text: str, known: Sequence[ActionClaim]) -> list[ActionClaim]:
    """What is stated about the content of files, without what the other claims say already."""
    names = {(claim.kind, (claim.path or "").rpartition("/")[2]) for claim in known}
    return [
        claim
        for claim in stated_in(text)
        if claim.kind == "content"
        or (claim.path is None and claim.kind == "file_edit")  # what was not read
        or (claim.kind, (claim.path or "").rpartition("/")[2]) not in names
    ]


_FIGURE = compiled(
    r"\d ?(?:%|percent|prozent|ns|µs|us|ms|s|sec|secs|seconds|sekunden|secondes|segundos|req|ops|mb)\b|\d ?%"
)


def _figures(text: str) -> list[ActionClaim]:
    if _FIGURE.search(text.lower()) is None:
        return []
    from witnessmark.actions.claims.figures import figures_in

    return figures_in(text)


def by_trace(report: str, trace: TraceIndex | None) -> list[ActionClaim]:
    """What a report claims by words that only the trace explains: dry and failed runs told as good, and what nothing in the session has."""
    return found_by_trace(report, trace) if trace is not None else []


def claims_of(case: Case, reader: Reader | None = in_words, trace: TraceIndex | None = None) -> list[ActionClaim]:
    """The claims a report makes: its own list, or, where it has none, what a reader and the trace find in its words."""
    output = case.subject
    assert isinstance(output, AgentOutput)
    if output.claims is not msgspec.UNSET and output.claims:
        return structure.look(output)[0]
    return [*reader(case.text), *by_trace(case.text, trace)] if reader is not None else []


def offered(trace: Trace | None) -> tuple[ActionClaim, ...]:
    """The claims that an agent with this trace should have made."""
    return claims_from(trace).claims if trace is not None else ()


Known = Trace | TraceIndex | None
"""A trace, or what is in it, looked up once for everything that is asked of it."""


def indexed(trace: Known) -> TraceIndex | None:
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
    known = indexed(trace)
    done = known.ledger.changes if known is not None else ()
    with TreeView(world) as scene:
        touched = [scene.relative(path) for change in done for path in (change.path, change.to) if path]
        named = dict.fromkeys(quoted(path) for path in touched if path is not None)
        return loose_paths.placed(claims, scene, dict.fromkeys((*changed, *named)))


def hold_all(
    claims: Sequence[ActionClaim], world: TreeState, trace: Known, why_not: str, report: str = ""
) -> list[Ruling]:
    """A ruling for each claim against a world and a trace, either of which may be missing; `report` is the text in words."""
    known = indexed(trace)
    if not world.visible or not claims:
        return hold(claims, None, known, why_not, report, world.probes)
    with TreeView(world) as scene:
        return hold(claims, scene, known, why_not, report, world.probes)


def left_out(world: TreeState, trace: Known, report: str) -> list[Danger]:
    """What was done and must be said, and the report does not say: deletions, weaker tests, CI and hooks, secrets."""
    known = indexed(trace)
    if known is None or not known.ledger.changes:
        return []
    from witnessmark.actions.claims.unsaid import dangers  # only where something was changed

    if not world.visible:
        return dangers(known.ledger, report)
    with TreeView(world) as scene:
        if world.root is not None:
            known.place(str(Path(world.root).absolute()), scene.relative)
        found = dangers(known.ledger, report, scene)
        return [replace(danger, path=scene.relative(danger.path) or danger.path) for danger in found]
