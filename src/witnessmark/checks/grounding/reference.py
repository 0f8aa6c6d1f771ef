"""An answer against the answer that was expected: word for word, then apart from how it is written, then by what it means.

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
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.core.protocols import Asks
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, abstained, passed
from witnessmark.text import lang, words
from witnessmark.text.digits import ungrouped


def _asks(case: Case, options: Mapping[str, Any]) -> Asks:
    turned = _turned(case, case.reference or "")
    return grounding_check.asks(turned, options)


@check("reference", version="2", cost="local", services=SERVICES, asks=_asks)
def reference(**services: Unpack[GroundingServices]) -> Look:
    """The answer agrees with the reference answer of the case; a disagreement is a finding."""
    read = engine(services)

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        expected = case.reference
        if expected is None or not expected.strip():
            return abstained("no_criteria", "the case has no reference answer")
        if case.text.strip() == expected.strip():
            return passed("the reference answer, word for word")
        if plain(case.text) == plain(expected):
            return passed("the reference answer, written differently")
        return _told(await read(_turned(case, expected)), case)

    return look


def plain(text: str) -> tuple[str, ...]:
    """The words of a text apart from case, accents, marks and articles; figures without their separators."""
    articles = lang.words("articles")
    row = (ungrouped(word) for word in words.words(words.normal(text)))
    return tuple(word for word in row if word not in articles)


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
    against = read.status == "fail"
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
    return replace(read, claims=(), findings=(finding,), coverage=1.0, reason=message)
