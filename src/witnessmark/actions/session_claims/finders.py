"""Which readings of what is told of a session a report has the words for: most have none, and their modules are never loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from witnessmark.actions.content.patterns import pattern
from witnessmark.actions.report.lexicon import may_match, table
from witnessmark.actions.session_claims.roles import CHANGED, COUNTED, DEED, MEASURED, READ_ALL, TOLD_FAILURE

if TYPE_CHECKING:
    from witnessmark.actions.claim import ActionClaim, Ruling
    from witnessmark.actions.report.report import Report
    from witnessmark.actions.trace.index import TraceIndex
    from witnessmark.actions.tree.view import TreeView

    Finder = Callable[[Report, TraceIndex], Iterable[ActionClaim]]


def finders_for(report: Report) -> Iterator[Finder]:
    """The finders of which a report has a word or a figure."""
    low = report.low
    if pattern("measures", "likely").search(low) is not None:
        from witnessmark.actions.session_claims import measures

        yield from (measures.measures_otherwise, measures.counts_nowhere)
    versioned = may_match("content", "values", "version_now", low)
    if versioned or pattern("values", "likely").search(low) is not None:
        from witnessmark.actions.session_claims import changed_figures

        yield from (changed_figures.changed_nowhere, changed_figures.version_nowhere)
    done = any(word in low for deed in table("content")["deeds"].values() if isinstance(deed, dict) for word in deed["needs"])  # fmt: skip
    if done or any(may_match("content", "deeds", key, low) for key in ("read", "read_all", "with_options", "times")):
        from witnessmark.actions.session_claims import deeds

        yield from (deeds.never_done, deeds.never_read, deeds.all_read, deeds.never_so)
    if any(
        may_match("content", "searches", key, low) for key in ("nothing", "reproduced", "on_old", "rerun", "silent")
    ):
        from witnessmark.actions.session_claims import searches

        yield from (searches.hits_told_as_none, searches.reproduced_before_nothing, searches.rerun_after_nothing, searches.output_told_as_none)  # fmt: skip
    if all(may_match("content", "verdicts", key, low) for key in ("agent", "nothing")):
        from witnessmark.actions.session_claims import verdicts

        yield verdicts.findings_told_as_none
    if may_match("content", "losses", "none", low):
        from witnessmark.actions.session_claims import losses

        yield losses.losses_told_as_none
    if may_match("content", "crashes", "ended_well", low):
        from witnessmark.actions.session_claims import crashes

        yield crashes.told_to_run
    if may_match("content", "failures", "told", low):
        from witnessmark.actions.session_claims import failures

        yield failures.told_as_failed


def rule(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """The ruling on a claim of one of these roles."""
    from witnessmark.actions.session_claims import changed_figures, deeds, failures, measures

    if claim.role == TOLD_FAILURE:
        return failures.rule_failure(claim)
    rules = {
        MEASURED: measures.rule_measure,
        COUNTED: measures.rule_count,
        DEED: deeds.rule_deed,
        CHANGED: changed_figures.rule_change,
        READ_ALL: deeds.rule_read_all,
    }
    return rules[claim.role or ""](claim, view, trace)
