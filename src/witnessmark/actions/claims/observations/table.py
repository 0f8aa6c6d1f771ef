"""What only the trace explains, gathered: every such reading of a report, and the ruling of each by its role."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from witnessmark.actions.claims.claim import ActionClaim, unread
from witnessmark.actions.claims.observations import (
    change_lists,
    command_options,
    dry_runs,
    failed_runs,
    file_reads,
    leftovers,
    names_in_files,
    partial_work,
    printed_facts,
    unchanged_parts,
    unseen_literals,
    value_statements,
)
from witnessmark.actions.claims.observations.report_sentences import read_until, untrue
from witnessmark.actions.claims.ruling import Ruling
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

MAX_CLAIMS = 60
"""So many claims are taken from one reading; what it would have read after them is listed as not read."""
FINDERS: tuple[Callable[[str, TraceIndex], Iterable[ActionClaim]], ...] = (
    unseen_literals.told_of_nothing,
    command_options.told_as_run,
    dry_runs.told_as_real,
    failed_runs.told_as_good,
    partial_work.told_together,
    change_lists.told_of_files,
    leftovers.told_as_gone,
    names_in_files.told_of_each,
    file_reads.told_as_read,
    printed_facts.told_otherwise,
    value_statements.told_values,
    unchanged_parts.told_as_kept,
)
RULES: Mapping[str, Callable[[ActionClaim, TreeView | None, TraceIndex | None], Ruling]] = {
    unseen_literals.ROLE: unseen_literals.rule,
    command_options.ROLE: command_options.rule,
    **dict.fromkeys(
        (dry_runs.ROLE, failed_runs.ROLE, file_reads.ROLE, printed_facts.ROLE),
        lambda claim, _scene, _trace: untrue(claim),
    ),
    **value_statements.RULES,
    **unchanged_parts.RULES,
    **partial_work.RULES,
    **change_lists.RULES,
    leftovers.ROLE: leftovers.rule,
    leftovers.UNINSTALLED: leftovers.rule,
    leftovers.COUNTED: leftovers.rule,
    **names_in_files.RULES,
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
