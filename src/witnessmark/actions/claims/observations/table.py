"""What only the trace explains, gathered: every such reading of a report, and the ruling of each by its role."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from witnessmark.actions.claims.claim import ActionClaim, unread
from witnessmark.actions.claims.observations import (
    dry_runs,
    failed_runs,
    files_read,
    files_told,
    kept_told,
    left_over,
    names_in_files,
    parts_told,
    printed_facts,
    told_commands,
    unseen_literals,
    values_told,
)
from witnessmark.actions.claims.observations.told_sentences import read_until, untrue
from witnessmark.actions.claims.ruling import Ruling
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

MAX_CLAIMS = 60
"""So many claims are taken from one reading; what it would have read after them is listed as not read."""
FINDERS: tuple[Callable[[str, TraceIndex], Iterable[ActionClaim]], ...] = (
    unseen_literals.told_of_nothing,
    told_commands.told_as_run,
    dry_runs.told_as_real,
    failed_runs.told_as_good,
    parts_told.told_together,
    files_told.told_of_files,
    left_over.told_as_gone,
    names_in_files.told_of_each,
    files_read.told_as_read,
    printed_facts.told_otherwise,
    values_told.told_values,
    kept_told.told_as_kept,
)
RULES: Mapping[str, Callable[[ActionClaim, TreeView | None, TraceIndex | None], Ruling]] = {
    unseen_literals.ROLE: unseen_literals.rule,
    told_commands.ROLE: told_commands.rule,
    **dict.fromkeys(
        (dry_runs.ROLE, failed_runs.ROLE, files_read.ROLE, printed_facts.ROLE),
        lambda claim, _scene, _trace: untrue(claim),
    ),
    **dict.fromkeys(values_told.ROLES, values_told.rule),
    **dict.fromkeys(kept_told.ROLES, kept_told.rule),
    left_over.ROLE: left_over.rule,
    left_over.UNINSTALLED: left_over.rule,
    left_over.COUNTED: left_over.rule,
    names_in_files.ROLE: names_in_files.rule,
    parts_told.ROLE: parts_told.rule,
    parts_told.ONE: parts_told.rule,
    files_told.TOUCHED: files_told.rule,
    files_told.MOVED: files_told.rule,
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
