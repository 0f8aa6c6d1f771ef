"""How a loop ended, as a record of its own: why it stopped, what was returned, and what is to be done with it.

Its parent is the attempt that is returned, so whoever looks at that one sees it. It changes no verdict and is no
verification. Knows the loop's result and nothing about how it came about.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import force_setattr

from witnessmark.core.case import Case
from witnessmark.core.record import Record, ResultRecord
from witnessmark.core.verdict import SETTLED, Status
from witnessmark.loop.revise import RevisionResult

_STATUS: dict[str, Status] = {"pass": "pass", "partial": "partial", "fail": "fail", "unverified": "abstain"}


def ending_of(
    made: RevisionResult, case: Case, *, checkpoint: str, workspace: str, graph: msgspec.Raw, policy: msgspec.Raw
) -> Record:
    """The record of a loop's end. Where nothing could be verified it has no parent, and says so."""
    best = made.record
    outcome = best.outcome if best is not None else "unverified"
    status = _STATUS[outcome]
    score = best.score if best is not None and status in SETTLED else None
    if status == "partial" and score is None:
        status = "abstain"
    because = _without_errors(made)
    record = Record(
        id="",
        case_id=best.case_id if best is not None else case.id or case.digest(),
        case_digest=best.case_digest if best is not None else case.digest(),
        checkpoint=best.checkpoint if best is not None else checkpoint,
        workspace=workspace,
        kind="ending",
        outcome=outcome,
        unverified_because=(best.unverified_because if best is not None else "no_evidence") if outcome == "unverified" else None,
        action=made.action,
        because=because,
        layer="loop",
        degraded=made.degraded,
        questions=made.questions,
        score=score,
        confidence=best.confidence if best is not None else None,
        confidence_source=best.confidence_source if best is not None else None,
        coverage=best.coverage if best is not None else None,
        independence=best.independence if best is not None else "deterministic",
        results=(ResultRecord(node="loop", check="ending", version="1", status=status, score=score, reason=because, details=_told(made)),),
        attempt=best.attempt if best is not None else len(made.attempts),
        parent=best.id if best is not None else None,
        evidence=best.evidence if best is not None else (),
        graph=best.graph if best is not None else graph,
        policy=best.policy if best is not None else policy,
    )  # fmt: skip
    force_setattr(record, "id", record.identity())
    return record


def _told(made: RevisionResult) -> dict[str, object]:
    """Every attempt in a line: its record, or why there is none."""
    rows = [
        {"number": attempt.number, "judged": attempt.judged and attempt.record is not None}
        | ({"record": attempt.record.id, "outcome": attempt.record.outcome} if attempt.record is not None else {})
        | ({"error": _kind(attempt.error)} if attempt.error is not None else {})
        for attempt in made.attempts
    ]
    return {"attempts": rows, "returned": made.record.id if made.record is not None else None}


def _without_errors(made: RevisionResult) -> str:
    """Why it stopped, an executor's error by its kind only: its text is not ours, and may hold a key."""
    because = made.stopped_because
    for attempt in made.attempts:
        if attempt.error is not None:
            because = because.replace(attempt.error, _kind(attempt.error))
    return because


def _kind(error: str) -> str:
    return error.partition(":")[0]
