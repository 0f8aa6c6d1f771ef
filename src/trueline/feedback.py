"""Feedback in words, for the prompt of whoever made the output. The other shapes of feedback are in compat."""

from __future__ import annotations

from trueline.verdict import Feedback

HEADING = "PREVIOUS ATTEMPT FEEDBACK"


def as_text(feedback: Feedback) -> str:
    """The feedback as a person would say it; `detailed` adds which criteria failed and how many attempts are left."""
    score = "" if feedback.previous_score is None else f", score {feedback.previous_score:g}"
    parts = [f"{HEADING} (attempt {feedback.attempt} of {feedback.max_attempts}{score}):"]
    if feedback.level == "detailed" and feedback.failed:
        parts += ["Not met:", *(f"- {name}" for name in feedback.failed)]
    if feedback.issues:
        parts += ["Issues:", *(f"- {issue}" for issue in feedback.issues)]
    if feedback.suggestions:
        parts += ["Suggestions:", *(f"- {suggestion}" for suggestion in feedback.suggestions)]
    return "\n".join(parts)
