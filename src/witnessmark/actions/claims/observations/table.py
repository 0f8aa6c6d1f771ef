"""What only the trace explains, gathered: every such reading of a report, and the ruling of each by its role."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations import (
    dry_runs,
    failed_runs,
    files_read,
    files_told,
    kept_told,
    left_over,
    parts_told,
    printed_facts,
    told_commands,
    unseen_literals,
    values_told,
)
from witnessmark.actions.claims.observations.session_runs import untrue
from witnessmark.actions.claims.ruling import Ruling
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

FINDERS: tuple[Callable[[str, TraceIndex], list[ActionClaim]], ...] = (
    unseen_literals.told_of_nothing,
    told_commands.told_as_run,
    dry_runs.told_as_real,
    failed_runs.told_as_good,
    parts_told.told_together,
    files_told.told_of_files,
    left_over.told_as_gone,
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
    parts_told.ROLE: parts_told.rule,
    parts_told.ONE: parts_told.rule,
    files_told.TOUCHED: files_told.rule,
    files_told.MOVED: files_told.rule,
}


def found_by_trace(report: str, trace: TraceIndex) -> list[ActionClaim]:
    """The claims of a report that only the trace explains, one sentence at most once for each kind."""
    return [claim for finder in FINDERS for claim in finder(report, trace)]
