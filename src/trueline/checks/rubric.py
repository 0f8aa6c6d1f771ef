"""One criterion in words, for a judge. Without a judge it abstains and says what to do; it is never guessed."""

from __future__ import annotations

from collections.abc import Mapping

from trueline.case import Case
from trueline.registry import Look, check
from trueline.verdict import Finding, Result, abstained


@check("rubric", version="1", cost="paid")
def rubric(value: str) -> Look:
    """A criterion that only reading can tell."""

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        return abstained(
            "no_judge",
            f"no judge configured for: {value}",
            Finding(
                message="a criterion in words needs a judge, and none is configured",
                severity="warning",
                suggestion="Configure a judge, or state the criterion as a deterministic check.",
            ),
        )

    return look
