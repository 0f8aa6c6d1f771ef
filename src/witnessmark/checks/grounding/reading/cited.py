"""A claim that cites a source, held to that source."""

from __future__ import annotations

from dataclasses import replace

from witnessmark.checks.grounding.decision import CONTRADICTED_AT, VERBATIM_AT, ClaimDecision, decide
from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.features import look
from witnessmark.checks.grounding.statement import Statement


def held_to_citations(one: Statement, decided: ClaimDecision, index: Index) -> ClaimDecision:
    """A claim that cites a source is held to that source: one that is not there, or does not say it, bears it only in part."""
    if not one.citations or decided.status != "supported":
        return decided
    ids = {source.id for source in index.sources}
    named = index.cited(one.citations)
    cited = {name for name in named if name is not None}
    if len(cited) < len(set(named)):
        return replace(decided, status="partial", by="citation", point=None, probability=1 - VERBATIM_AT)
    if cited == ids or {source for source, _ in decided.places[:1]} <= cited:
        return decided
    again = decide(look(one.text, index.only(cited), index.language, statement=one))
    if again.status == "supported" or (again.status == "partial" and not again.deterministic):
        return decided
    likely = min(decided.probability, CONTRADICTED_AT if again.deterministic else again.probability)
    return replace(decided, status="partial", by="cited source", point=None, probability=likely)
