"""Our verdict in the words of four older vocabularies, without loss.

What a shape cannot say stands under one extra key `witnessmark`:

    PASS / RETRY / FAIL       plan              pass = pass + accept · retry = partial or fail + a revision · fail = the rest
    goalAchieved              goal              passed = goalAchieved
    pass / fail / partial     task              unverified reads as partial with null where nothing was settled
    valid, level, errors      specialist        errors carry their category
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from witnessmark.core.record import Record
from witnessmark.core.values import Unit, Value, plain
from witnessmark.core.verdict import Decision, Feedback, Finding, Verdict, grade

KEY = "witnessmark"
REVISIONS: frozenset[str] = frozenset({"retry", "switch", "correct"})


class Confidences(Value, frozen=True):
    """What is called confidence, kept apart: four numbers that answer four questions, each None where nobody gave it."""

    self_confidence: Unit | None = None
    """How sure the agent says it is of its own output: a claim, no evidence."""
    judge_confidence: Unit | None = None
    """How sure the judges that were asked say they are, the least sure of them; nobody measured it."""
    groundedness: Unit | None = None
    """How much of the answer its sources bear out."""
    calibrated_p: Unit | None = None
    """How often an outcome given like this one proved right where that was measured."""


def confidences(record: Record) -> Confidences:
    """The agent's own confidence, the judges', the groundedness and the calibrated probability, each by itself."""
    own = next((r.details["self_confidence"] for r in record.results if "self_confidence" in r.details), None)
    grounding = next((r.score for r in record.results if r.check == "grounding"), None)
    judged = [r.confidence for r in record.results if r.judge is not None and r.confidence is not None]
    calibrated = record.confidence if record.confidence_source == "calibrated" else None
    return Confidences(own, min(judged, default=None), grounding, calibrated)


@dataclass(frozen=True, slots=True)
class VocabularyVerdict:
    """What any vocabulary says: the verdict, the decision, and what was found."""

    verdict: Verdict
    decision: Decision
    findings: tuple[Finding, ...] = ()
    confidences: Confidences = field(default_factory=Confidences)


def older_verdict(record: Record) -> VocabularyVerdict:
    """The part of a record that the older vocabularies can carry."""
    verdict = Verdict(**{name: getattr(record, name) for name in Verdict.__struct_fields__})
    decision = Decision(**{name: getattr(record, name) for name in Decision.__struct_fields__})
    return VocabularyVerdict(verdict, decision, record.findings, confidences(record))


def _ours(said: VocabularyVerdict) -> dict[str, Any]:
    return {
        "verdict": plain(said.verdict),
        "decision": plain(said.decision),
        "findings": [plain(finding) for finding in said.findings],
        "confidences": plain(said.confidences),
    }


def _issues(findings: Sequence[Finding]) -> list[str]:
    return [f.message for f in findings if f.message]


def _suggestions(findings: Sequence[Finding]) -> list[str]:
    return [f.suggestion for f in findings if f.suggestion is not None]


# --- PASS / RETRY / FAIL -----------------------------------------------------------------------------------------


def write_plan(said: VocabularyVerdict) -> dict[str, Any]:
    """PASS, RETRY or FAIL with the overall score, its grade, issues and suggestions."""
    if said.verdict.outcome == "pass":
        word = "PASS"
    else:
        word = "RETRY" if said.decision.action in REVISIONS else "FAIL"
    return {
        "verdict": word,
        "overall_score": said.verdict.score,
        "grade": grade(said.verdict.score),
        "issues": _issues(said.findings),
        "suggestions": _suggestions(said.findings),
        KEY: _ours(said),
    }


# --- goalAchieved --------------------------------------------------------------------------------------------------


def write_goal(said: VocabularyVerdict) -> dict[str, Any]:
    """GoalAchieved with confidence, issues and suggestions; `passed` says the same."""
    achieved = said.verdict.outcome == "pass"
    return {
        "goalAchieved": achieved,
        "passed": achieved,
        "confidence": said.verdict.confidence,
        "issues": _issues(said.findings),
        "suggestions": _suggestions(said.findings),
        KEY: _ours(said),
    }


# --- pass / fail / partial -----------------------------------------------------------------------------------------


def write_task(said: VocabularyVerdict) -> dict[str, Any]:
    """pass, fail or partial; what is unverified says partial, with null for what is unsettled."""
    verdict = said.verdict
    return {
        "verdict": "partial" if verdict.outcome == "unverified" else verdict.outcome,
        "confidence": verdict.confidence,
        "aggregate_score": verdict.score,
        KEY: _ours(said) | {"outcome": verdict.outcome, "action": said.decision.action, "coverage": verdict.coverage},
    }


# --- valid / level / errors ----------------------------------------------------------------------------------------


def write_specialist(
    said: VocabularyVerdict, failed_level: int | None = None, levels_run: Sequence[int] = ()
) -> dict[str, Any]:
    """Valid with the level that failed, the levels that ran, and every error with its category."""
    return {
        "valid": said.verdict.outcome == "pass",
        "level": failed_level if failed_level is not None else max(levels_run, default=0),
        "failed_level": failed_level,
        "levels_run": list(levels_run),
        "errors": [{"category": f.category, "message": f.message} for f in said.findings if f.severity == "error"],
        KEY: _ours(said),
    }


# --- feedback, rendered per target ---------------------------------------------------------------------------------


def retry_context(feedback: Feedback) -> dict[str, Any]:
    """Feedback as a coordinator of tasks takes it."""
    return {
        "attempt": feedback.attempt,
        "max_attempts": feedback.max_attempts,
        "previous_score": feedback.previous_score,
        "failed_criteria": list(feedback.failed),
        "feedback": list(feedback.issues),
    }


def issues_and_suggestions(feedback: Feedback) -> dict[str, list[str]]:
    """Feedback as an orchestrator takes it."""
    return {"issues": list(feedback.issues), "suggestions": list(feedback.suggestions)}


def corrections(feedback: Feedback) -> list[str]:
    """Feedback as a retrieval pipeline takes it."""
    return list(feedback.suggestions or feedback.issues)
