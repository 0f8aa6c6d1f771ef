"""The error that a failed plan is answered with: what went wrong, the four scores, and what would help.

Field for field as the planning pipeline expects it. Every number is taken from the record; what was not settled is null.
In the profile `original` it holds what its document prints and no more: what was found exactly and what the judge said. That
no order was given, and how it was read, then stands in the record's findings alone.
"""

from __future__ import annotations

from typing import Any

import msgspec

from witnessmark.compat.vocabulary import older_verdict, write_plan
from witnessmark.core.errors import InputError
from witnessmark.core.record import Record
from witnessmark.core.verdict import Finding

DIMENSIONS = ("completeness", "consistency", "groundedness", "routability")


def scores(record: Record) -> dict[str, float | None]:
    """The four scores of a plan by name; null where a dimension is not settled."""
    found = {said.check: said.score for said in record.results}
    return {name: found.get(f"plan_{name}") for name in DIMENSIONS}


def error_payload(record: Record) -> dict[str, Any]:
    """What the person is told about a plan that did not pass: error, verdict, scores, issues, suggestions."""
    if record.checkpoint != "decomposition":
        raise InputError(f"record: {record.id[:12]} is of checkpoint {record.checkpoint!r}, not 'decomposition'")
    if record.outcome == "pass":
        raise InputError(f"record: {record.id[:12]} passed, so there is no error to tell")
    to_the_letter = msgspec.json.decode(record.policy).get("profile") == "original"
    findings = [finding for finding in record.findings if _is_told(finding, to_the_letter=to_the_letter)]
    return {
        "error": _error(record),
        "verdict": write_plan(older_verdict(record))["verdict"],
        "overall_score": record.score,
        "scores": scores(record),
        "issues": [issue for finding in findings if (issue := _issue(finding))],
        "suggestions": list(dict.fromkeys(f.suggestion for f in findings if f.suggestion)),
    }


def _is_told(finding: Finding, *, to_the_letter: bool) -> bool:
    if finding.severity == "warning" and to_the_letter:
        return finding.check == "plan_review"
    return finding.severity != "info"


def _error(record: Record) -> str:
    retries = record.attempt - 1
    if retries == 0:
        return "Decomposition verification failed"
    times = f"{retries} retries" if retries > 1 else "1 retry"
    return f"Unable to decompose query into actionable subgoals after {times}"


def _issue(finding: Finding) -> str:
    """A judge's own words as they are; of what was found exactly, our words with the place."""
    if finding.check == "plan_review":
        return finding.quote or finding.message
    return f"{finding.message}: {finding.quote}" if finding.quote else finding.message
