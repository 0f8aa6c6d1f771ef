"""The five older vocabularies, each way and without loss.

Every adapter is a pair: `write_…` puts our verdict into the older shape, with what it cannot say under one extra key
`witnessmark`; `read_…` takes the older shape, with or without that key. Reading what was written gives back the same, and
writing what was read keeps every field the older shape had.

    PASS / RETRY / FAIL       plan              pass = pass + accept · retry = partial or fail + a revision · fail = the rest
    goalAchieved              goal              passed = goalAchieved
    pass / fail / partial     task              unverified reads as partial with null where nothing was settled
    valid, level, errors      specialist        errors carry their category
    is_grounded, level        groundedness      grounded needs a pass; levels of confidence
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.policy import Policy
from witnessmark.core.record import Confidences, Record
from witnessmark.core.values import plain
from witnessmark.core.verdict import CATEGORIES, Action, Decision, Feedback, Finding, Outcome, Verdict

KEY = "witnessmark"
REVISIONS: frozenset[str] = frozenset({"retry", "switch", "correct"})


@dataclass(frozen=True, slots=True)
class VocabularyVerdict:
    """What any vocabulary says: the verdict, the decision, and what was found."""

    verdict: Verdict
    decision: Decision
    findings: tuple[Finding, ...] = ()
    confidences: Confidences = field(default_factory=Confidences)


def told(record: Record) -> VocabularyVerdict:
    """The part of a record that the older vocabularies can carry."""
    verdict = Verdict(**{name: getattr(record, name) for name in Verdict.__struct_fields__})
    decision = Decision(**{name: getattr(record, name) for name in Decision.__struct_fields__})
    return VocabularyVerdict(verdict, decision, record.findings, record.confidences)


def _ours(said: VocabularyVerdict) -> dict[str, Any]:
    return {
        "verdict": plain(said.verdict),
        "decision": plain(said.decision),
        "findings": [plain(finding) for finding in said.findings],
        "confidences": plain(said.confidences),
    }


def _restored(data: Mapping[str, Any]) -> VocabularyVerdict | None:
    kept = data.get(KEY)
    if not isinstance(kept, Mapping) or "verdict" not in kept:
        return None
    try:
        return VocabularyVerdict(
            msgspec.convert(kept["verdict"], Verdict),
            msgspec.convert(kept["decision"], Decision),
            msgspec.convert(kept.get("findings", []), tuple[Finding, ...]),
            msgspec.convert(kept.get("confidences", {}), Confidences),
        )
    except msgspec.ValidationError as exc:
        raise InputError(f"{KEY}: {exc}") from None


def _findings(issues: Any, suggestions: Any) -> tuple[Finding, ...]:
    """Issues as findings; suggestions go to the issue at the same place, those left over stand alone."""
    said, advice = _strings(issues), _strings(suggestions)
    found = [
        Finding(message=message, suggestion=advice[n] if n < len(advice) else None) for n, message in enumerate(said)
    ]
    found += [Finding(message="", severity="info", suggestion=text) for text in advice[len(said) :]]
    return tuple(found)


def _strings(value: Any) -> list[str]:
    """A list of texts; models also give one text where a list was asked for."""
    if isinstance(value, str):
        return [value]
    return [str(item) for item in value or ()]


def _issues(findings: Sequence[Finding]) -> list[str]:
    return [f.message for f in findings if f.message]


def _suggestions(findings: Sequence[Finding]) -> list[str]:
    return [f.suggestion for f in findings if f.suggestion is not None]


def _decision(outcome: Outcome, action: Action | None = None) -> Decision:
    chosen: dict[str, Action] = {"pass": "accept", "partial": "retry", "fail": "retry", "unverified": "escalate"}
    return Decision(action=action or chosen[outcome], because="read from another vocabulary")


def _number(data: Mapping[str, Any], key: str) -> float | None:
    value = data.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"{key}: {value!r} is not a number between 0 and 1")
    return float(value)


# --- PASS / RETRY / FAIL -----------------------------------------------------------------------------------------

_GRADES = (
    (0.85, "excellent"), (0.75, "good, minor improvements possible"), (0.70, "acceptable, proceed with caution"),
    (0.60, "needs improvement, likely fixable"), (0.50, "significant issues, may fail again"),
    (0.30, "major issues, salvageable by a person"), (0.0, "fundamentally flawed, reformulate the query"),
)  # fmt: skip


def grade(score: float | None) -> str:
    """The label of a score; bands are half open, [0.85, 1] down to [0, 0.3)."""
    if score is None:
        return "not scored"
    exact = round(score, 9)
    return next(label for floor, label in _GRADES if exact >= floor)


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


def read_plan(data: Mapping[str, Any], policy: Policy = Policy()) -> VocabularyVerdict:  # noqa: B008 - frozen
    """What PASS, RETRY or FAIL means here."""
    kept = _restored(data)
    if kept is not None:
        return kept
    word, score = data.get("verdict"), _number(data, "overall_score")
    low = score is not None and score < policy.retry_threshold
    outcomes: dict[Any, tuple[Outcome, Action]] = {
        "PASS": ("pass", "accept"),
        "RETRY": ("fail" if low else "partial", "retry"),
        "FAIL": ("fail", "abort"),
    }
    if word not in outcomes:
        raise InputError(f"verdict: {word!r} is not one of PASS, RETRY, FAIL")
    outcome, action = outcomes[word]
    verdict = Verdict(outcome=outcome, score=score)
    return VocabularyVerdict(
        verdict, _decision(outcome, action), _findings(data.get("issues"), data.get("suggestions"))
    )


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


def read_goal(data: Mapping[str, Any]) -> VocabularyVerdict:
    """What goalAchieved means here. The confidence is in the verdict: a confident failure is acted on like any other."""
    kept = _restored(data)
    if kept is not None:
        return kept
    achieved = data.get("goalAchieved", data.get("passed"))
    if not isinstance(achieved, bool):
        raise InputError(f"goalAchieved: {achieved!r} is neither true nor false")
    outcome: Outcome = "pass" if achieved else "fail"
    verdict = Verdict(outcome=outcome, confidence=_number(data, "confidence"), confidence_source="reported")
    return VocabularyVerdict(verdict, _decision(outcome), _findings(data.get("issues"), data.get("suggestions")))


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


def read_task(data: Mapping[str, Any]) -> VocabularyVerdict:
    """What pass, fail or partial means here; `verification_score` and `verifier_score` are read as the aggregate."""
    kept = _restored(data)
    if kept is not None:
        return kept
    word = data.get("verdict")
    outcomes: dict[Any, Outcome] = {"pass": "pass", "fail": "fail", "partial": "partial"}
    if word not in outcomes:
        raise InputError(f"verdict: {word!r} is not one of pass, fail, partial")
    names = ("aggregate_score", "verification_score", "verifier_score")
    score = next((_number(data, name) for name in names if data.get(name) is not None), None)
    outcome = outcomes[word]
    verdict = Verdict(
        outcome=outcome, score=score, confidence=_number(data, "confidence"), confidence_source="reported"
    )
    return VocabularyVerdict(verdict, _decision(outcome))


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


def read_specialist(data: Mapping[str, Any]) -> VocabularyVerdict:
    """What valid and its errors mean here; an error without a known category is `unknown`, never guessed from its text."""
    kept = _restored(data)
    if kept is not None:
        return kept
    valid = data.get("valid")
    if not isinstance(valid, bool):
        raise InputError(f"valid: {valid!r} is neither true nor false")
    found = tuple(_specialist_error(error) for error in data.get("errors") or ())
    outcome: Outcome = "pass" if valid else "fail"
    return VocabularyVerdict(Verdict(outcome=outcome), _decision(outcome), found)


def _specialist_error(error: Any) -> Finding:
    if isinstance(error, Mapping):
        category = error.get("category")
        known = category if category in CATEGORIES else "unknown"
        return Finding(message=str(error.get("message", "")), category=known)
    return Finding(message=str(error), category="unknown")


# --- is_grounded / level -------------------------------------------------------------------------------------------


def confidence_level(confidence: float | None, *, all_supported: bool = True) -> str:
    """High needs every claim fully supported; the other levels are bands of the number."""
    if confidence is None:
        return "not applicable"
    exact = round(confidence, 9)
    if exact >= 0.9:
        return "high" if all_supported else "medium"
    return "medium" if exact >= 0.7 else "low" if exact >= 0.5 else "very low"


def write_groundedness(said: VocabularyVerdict) -> dict[str, Any]:
    """is_grounded with confidence, its level, and corrections."""
    verdict = said.verdict
    return {
        "is_grounded": {"pass": True, "unverified": None}.get(verdict.outcome, False),
        "confidence": verdict.score,
        "level": confidence_level(verdict.score, all_supported=not said.findings),
        "suggested_corrections": _suggestions(said.findings),
        KEY: _ours(said),
    }


def read_groundedness(data: Mapping[str, Any]) -> VocabularyVerdict:
    """What is_grounded means here: null is unverified, and the number is how much is borne out."""
    kept = _restored(data)
    if kept is not None:
        return kept
    grounded = data.get("is_grounded")
    if grounded is not None and not isinstance(grounded, bool):
        raise InputError(f"is_grounded: {grounded!r} is neither true, false nor null")
    outcomes: dict[bool | None, Outcome] = {True: "pass", False: "fail", None: "unverified"}
    outcome = outcomes[grounded]
    corrections = data.get("suggested_corrections") or data.get("suggested_fixes")
    verdict = Verdict(
        outcome=outcome,
        score=_number(data, "confidence"),
        unverified_because="no_claims" if outcome == "unverified" else None,
    )
    action: Action | None = "correct" if outcome == "fail" else None
    return VocabularyVerdict(verdict, _decision(outcome, action), _findings((), corrections))


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
