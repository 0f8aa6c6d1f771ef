"""What a report claims, from wherever it says so, and what the world and the trace say to it.

A report's own list counts; where it has none, the claims in its words; where the words hold none either, those that its trace
would have borne out are offered, and never taken as said. The checks, the command line and the hook all ask here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from witnessmark.actions.claims import loose_paths, structure
from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling
from witnessmark.actions.claims.verify_claims import hold
from witnessmark.actions.report.claims import claims_in
from witnessmark.actions.trace.implied_claims import claims_from
from witnessmark.actions.trace.index import index
from witnessmark.actions.trace.trace import Trace
from witnessmark.actions.tree.diff import TreeChange
from witnessmark.actions.tree.snapshot import quoted
from witnessmark.actions.tree.view import TreeState, TreeView
from witnessmark.core.case import AgentOutput, Case

if TYPE_CHECKING:
    from witnessmark.actions.claims.unsaid import Danger

Reader = Callable[[str], Sequence[ActionClaim]]
UNREAD = 200
"""So many characters are shown of a text too long to be read whole, as a claim that cannot be verified."""


def in_words(text: str) -> list[ActionClaim]:
    """The claims of a text by the rules for plain words; what names nothing to look at comes last, as a claim without a path."""
    found = claims_in(text)
    claims = [*found.claims, *found.unverifiable]
    if found.coverage < 1.0:
        read = int(len(text) * found.coverage)
        claims.append(ActionClaim("file_edit", by="report", text=text[read : read + UNREAD], span=(read, len(text))))
    return claims


def claims_of(case: Case, reader: Reader | None = in_words) -> list[ActionClaim]:
    """The claims a report makes: its own list, or, where it has none, what a reader finds in its words."""
    output = case.subject
    assert isinstance(output, AgentOutput)
    if output.claims is not msgspec.UNSET and output.claims:
        return structure.look(output)[0]
    return list(reader(case.text)) if reader is not None else []


def offered(trace: Trace | None) -> tuple[ActionClaim, ...]:
    """The claims that an agent with this trace should have made."""
    return claims_from(trace).claims if trace is not None else ()


def where_meant(
    claims: Sequence[ActionClaim],
    world: TreeState,
    trace: Trace | None = None,
    changes: Sequence[TreeChange] | None = None,
) -> list[ActionClaim]:
    """Claims made in words with the paths they can only mean; the agent's own list is left as it is.

    `changes` are those of the world, where somebody has looked already.
    """
    if not world.visible or not any(claim.by == "report" for claim in claims):
        return list(claims)
    looked = changes if changes is not None else world.changes() or ()
    changed = [path for change in looked for path in change.paths]
    with TreeView(world) as scene:
        touched = [scene.relative(path) for claim in offered(trace) for path in claim.paths]
        named = dict.fromkeys(quoted(path) for path in touched if path is not None)
        return loose_paths.placed(claims, scene, dict.fromkeys((*changed, *named)))


def hold_all(
    claims: Sequence[ActionClaim], world: TreeState, trace: Trace | None, why_not: str, report: str = ""
) -> list[Ruling]:
    """A ruling for each claim against a world and a trace, either of which may be missing; `report` is the text in words."""
    known = index(trace) if trace is not None else None
    if not world.visible or not claims:
        return hold(claims, None, known, why_not, report)
    with TreeView(world) as scene:
        return hold(claims, scene, known, why_not, report)


def left_out(world: TreeState, trace: Trace | None, report: str) -> list[Danger]:
    """What was done and must be said, and the report does not say: deletions, weaker tests, CI and hooks, secrets."""
    if trace is None:
        return []
    from witnessmark.actions.claims.unsaid import dangers  # only where there is a trace
    from witnessmark.actions.trace.ledger import ledger_of

    ledger = ledger_of(trace)
    if not world.visible:
        return dangers(ledger, report)
    with TreeView(world) as scene:
        return dangers(ledger, report, scene)
