"""What only the trace explains, gathered: every such reading of a report, and the ruling of each by its role."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from witnessmark.actions.claims.claim import ActionClaim, unread
from witnessmark.actions.claims.observations import (
    command_options,
    dry_runs,
    failed_runs,
    file_reads,
)
from witnessmark.actions.claims.observations.report_sentences import read_until, untrue
from witnessmark.actions.claims.ruling import Ruling
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

MAX_CLAIMS = 60
"""So many claims are taken from one reading; what it would have read after them is listed as not read."""
FINDERS: tuple[Callable[[str, TraceIndex], Iterable[ActionClaim]], ...] = (
    command_options.told_as_run,
    dry_runs.told_as_real,
    failed_runs.told_as_good,
    file_reads.told_as_read,
)
RULES: Mapping[str, Callable[[ActionClaim, TreeView | None, TraceIndex | None], Ruling]] = {
    command_options.ROLE: command_options.rule,
    **dict.fromkeys(
        (dry_runs.ROLE, failed_runs.ROLE, file_reads.ROLE),
        lambda claim, _scene, _trace: untrue(claim),
    ),
}


def found_by_trace(report: str, trace: TraceIndex) -> list[ActionClaim]:
    """The claims of a report that only the trace explains, and, where a reading came to its bound, the rest as one that was not read."""
    found: list[ActionClaim] = []
    ends = [read_until(report)]
    for finder in FINDERS:
        mine = list(islice(finder(report, trace), MAX_CLAIMS + 1))
        rest = mine[MAX_CLAIMS:] or [claim for claim in mine if claim.kind != "content"]
        ends += [claim.span[0] for claim in rest if claim.span]
        found += [claim for claim in mine[:MAX_CLAIMS] if claim.kind == "content"]
    return [*found, unread(report, min(ends))] if min(ends) < len(report) else found
