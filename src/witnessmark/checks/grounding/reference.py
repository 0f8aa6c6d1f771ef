"""An answer against the answer that was expected: word for word, then apart from how it is written, then by what it means.

By meaning, the statements of the reference are held against those of the answer, as claims are against a source: short answers
as the statements they make with their question. An answer may say more than the reference; it must not say otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from witnessmark.checks.grounding import grounding_check
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.core.policy import Policy
from witnessmark.core.protocols import Judges, SupportModel
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, abstained, passed
from witnessmark.text import lang, words


@check("reference", version="1", cost="local", services=("verification", "model", "models", "judges", "policy"))
def reference(
    *,
    verification: Verification | None = None,
    model: SupportModel | None = None,
    models: grounding_check.Models | None = None,
    judges: Judges | None = None,
    policy: Policy | None = None,
) -> Look:
    """The answer agrees with the reference answer of the case; a disagreement is a finding."""
    settings = replace(verification or Verification(), enabled=True)
    engine = grounding_check.grounding(verification=settings, model=model, models=models, judges=judges, policy=policy)

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        expected = case.reference
        if expected is None or not expected.strip():
            return abstained("no_criteria", "the case has no reference answer")
        if case.text.strip() == expected.strip():
            return passed("the reference answer, word for word")
        if plain(case.text) == plain(expected):
            return passed("the reference answer, written differently")
        read = engine(_turned(case, expected), prior)
        return _told(read if isinstance(read, Result) else await read, case)

    return look


def plain(text: str) -> tuple[str, ...]:
    """The words of a text apart from case, accents, marks and articles; figures without their separators."""
    articles = lang.words("articles")
    row = (word.replace(",", "") for word in words.words(words.normal(text)))
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
