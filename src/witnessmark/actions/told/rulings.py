"""The rulings on what is told of a session, by the role of the claim, and the finders that read it."""

from __future__ import annotations

from collections.abc import Callable

from witnessmark.actions.claims.claim import ActionClaim, Ruling
from witnessmark.actions.claims.observations import Finder
from witnessmark.actions.told import (
    all_of,
    answers,
    deeds,
    defaults,
    item_results,
    measures,
    quoted_code,
    rehearsals,
    signatures,
)
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

FINDERS: tuple[Finder, ...] = (
    measures.measures_otherwise,
    measures.counts_nowhere,
    deeds.never_done,
    deeds.fewer_requests,
    deeds.fewer_runs,
    deeds.never_read,
    deeds.left_running,
    rehearsals.told_as_real,
    answers.answered_otherwise,
    item_results.told_as_well,
    quoted_code.quoted_otherwise,
    signatures.called_as_before,
    defaults.defaults_told,
    all_of.told_of_all,
)
RULES: dict[str, Callable[[ActionClaim, TreeView | None, TraceIndex | None], Ruling]] = {
    measures.MEASURED: measures.rule_measure,
    measures.COUNTED: measures.rule_count,
    deeds.DEED: lambda claim, _scene, trace: deeds.rule_deed(claim, trace),
    deeds.REQUESTS: lambda claim, _scene, trace: deeds.rule_requests(claim, trace),
    quoted_code.QUOTED: quoted_code.rule_quoted,
    all_of.ALL_OF: all_of.rule_all,
    defaults.DEFAULT: defaults.rule_default,
    signatures.SAME_SIGNATURE: signatures.rule_signature,
    signatures.SAME_CALLS: signatures.rule_signature,
}
