"""An answer against the answer that was expected: word for word, as it is written, by its value, then by what it means.

Apart from how it is written, every sign of it counts; by its value, where both are an amount, or a yes or a no.

By meaning, the statements of the reference are held against those of the answer, as claims are against a source: short answers
as the statements they make with their question. An answer may say more than the reference; it must not say otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from msgspec.structs import replace

from witnessmark.checks.grounding import grounding_check
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.grounding_check import SERVICES, GroundingServices, engine
from witnessmark.checks.grounding.reading.short_values import leaves_open, plain, same_value, written_alike
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.core.protocols import Asks
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, abstained, failed, passed


def _asks(case: Case, options: Mapping[str, Any]) -> Asks:
    turned = _turned(case, case.reference or "")
    return grounding_check.asks(turned, options)


@check("reference", version="3", cost="local", services=SERVICES, asks=_asks)
def reference(**services: Unpack[GroundingServices]) -> Look:
    """The answer agrees with the reference answer of the case; a disagreement is a finding."""
    read = engine(services)

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        expected = case.reference
        if expected is None or not expected.strip():
            return abstained("no_criteria", "the case has no reference answer")
        if case.text.strip() == expected.strip():
            return passed("the reference answer, word for word")
        alike = written_alike(case.text, expected)
        alike = same_value(case.text, expected, case.goal) if alike is None else alike
        if alike is not None:
            return passed("the reference answer, written differently") if alike else _disagrees(case, against=True)
        if plain(case.text) == plain(expected) or leaves_open(case.text, expected):
            return _disagrees(case, against=False)
        return _told(await read(_turned(case, expected)), case)

    return look


def _turned(case: Case, expected: str) -> Case:
    """The reference as the text whose claims are read, and what the answer states as the source they are held against."""
    stated = [one.text for one in claims(case.text, case.goal) if one.checkable] or [case.text]
    source = Evidence(id="answer", kind="message", text="\n".join(stated))
    return replace(case, subject=Answer(text=expected), evidence=(source,), reference=None, checkpoint=None)


def _told(read: Result, case: Case) -> Result:
    """The result without the claims, which are the reference's own, and with one finding where the two disagree."""
    if not read.settled:
        return replace(read, claims=(), findings=())
    if read.status == "pass":
        return replace(read, claims=(), findings=(), coverage=1.0, reason="says what the reference answer says")
    result = _disagrees(case, against=read.status == "fail")
    return replace(read, claims=(), findings=result.findings, coverage=1.0, reason=result.reason)


def _disagrees(case: Case, *, against: bool) -> Result:
    """That an answer contradicts the reference, or does not say what it says, with its one finding."""
    message = (
        "the answer contradicts the reference answer" if against else "the answer does not say what the reference says"
    )
    finding = Finding(
        message=message,
        category="contradicted_claim" if against else "criterion_unmet",
        severity="error" if against else "warning",
        quote=case.text[:500],
        suggestion="Compare the answer with the reference, and correct the one that is wrong.",
    )
    return (
        failed(message, finding)
        if against
        else Result(
            status="partial",
            score=0.0,
            reason=message,
            findings=(finding,),
            confidence=1.0,
            confidence_source="deterministic",
            independence="deterministic",
        )
    )
