"""Does a text say what its evidence surely denies? For work that nobody asked to have held against its evidence: it can only bring a verdict down.

Rules alone read here, so that it costs next to nothing. What they do not contradict may be anything: a plan, an opinion, further knowledge.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from witnessmark.checks.grounding.confidence import Verification
from witnessmark.checks.grounding.grounding_check import engine
from witnessmark.core.case import Answer, Case
from witnessmark.core.plans.criteria import Criterion
from witnessmark.core.policy import Policy, wrong_claims
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Claim, Result, counted, passed
from witnessmark.text import words


@check("not_contradicted", version="1", cost="local", services=("policy",))
def not_contradicted(*, policy: Policy | None = None) -> Look:
    """No statement of the text is surely contradicted by the evidence, unless what it says instead was asked for."""
    rules = policy or Policy()
    read = engine({"verification": Verification(model="rules"), "policy": rules})

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        if rules.profile == "original":
            return passed("the source document holds a task against its criteria alone")
        found = await read(replace(case, subject=Answer(text=case.text), reference=None, checkpoint=None))
        against = [one for one in found.claims if one.status == "contradicted" and not _asked_for(one, case)]
        wrong = wrong_claims(rules, against)
        if not wrong:
            return passed("the evidence contradicts nothing that the text says")
        spans = {one.span for one in wrong}
        return replace(
            found,
            status="fail",
            score=0.0,
            coverage=1.0,
            reason=f"the evidence contradicts {counted(len(wrong), 'statement')} of the text",
            confidence=max(1 - (one.probability or 0.0) for one in wrong),
            confidence_source="deterministic",
            claims=wrong,
            findings=tuple(one for one in found.findings if one.span in spans),
        )

    return look


def _asked_for(claim: Claim, case: Case) -> bool:
    """Whether the words that the evidence denies stand in what was asked: `Set the year to 2023.`"""
    told = (one.text or "" for one in case.criteria if isinstance(one, Criterion))
    asked = {*words.stems(case.goal), *(stem for text in told for stem in words.stems(text))}
    return any(set(words.stems(one.text)) <= asked for one in claim.words)
