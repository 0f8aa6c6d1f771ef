"""Verify one case, one task, or many: POST /verify, /verify-task, /verify-batch."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from witnessmark.compat.tasks import Task
from witnessmark.compat.verification_service import VerificationService
from witnessmark.core.case import Case
from witnessmark.core.record import Record
from witnessmark.core.values import Value
from witnessmark.core.verdict import Action, Outcome
from witnessmark.integrations.answers import correct_answer
from witnessmark.judges.pool import refuse_unlisted
from witnessmark.server.http.endpoints import ApiRequest, Endpoint, Response, json_reply
from witnessmark.server.jobs import queue
from witnessmark.server.jobs.intake import read_case, read_cases, read_task
from witnessmark.server.state import INLINE_VALUES, is_short
from witnessmark.server.writer import TableRow, Write

PART, PART_BYTES = 500, 1_000_000


async def verify(ask: ApiRequest) -> Response:
    """A case in, its record out."""
    if is_short(ask.body):
        case = Case.from_json(ask.body)  # held against the limits by the door
    else:
        case = await ask.state.parsed(ask.caller.workspace, ask.body, read_case, ask.state.settings.inputs)
    refuse_unlisted(case, ask.state.settings.for_workspace(ask.caller.workspace))
    verifier, store = await ask.state.request_verifier(ask.caller.workspace)
    await asyncio.sleep(0)  # first all that came are read, then all are verified: see CheckWorkers.step
    record = await verifier.verify(case)
    size = 250 * (len(record.results) + len(record.findings) + len(record.claims) + len(record.evidence))
    if size <= INLINE_VALUES:
        body = record.full_json()
    else:
        body = await ask.state.step(ask.caller.workspace, size, record.full_json)
    return Response(body, record=record, entries=store.entries, audit=("verify", record.id), after=store.committed)


async def verify_task(ask: ApiRequest) -> Response:
    """The request of a coordinator in, its answer out."""
    task, case = await ask.state.parsed(ask.caller.workspace, ask.body, read_task, ask.state.settings.inputs)
    verifier, store = await ask.state.request_verifier(ask.caller.workspace)
    service = VerificationService(verifier, judge_for=ask.state.judge_for(ask.caller.workspace))
    told = await service.verify_task(task, case=case)
    audit = ("verify-task", told.record_id)
    return json_reply(told.body(), entries=store.entries, audit=audit, after=store.committed)


async def correct(ask: ApiRequest) -> Response:
    """An answer in; the best version that was verified, and what it is worth, out."""
    case = await ask.state.parsed(ask.caller.workspace, ask.body, read_case, ask.state.settings.inputs)
    refuse_unlisted(case, ask.state.settings.for_workspace(ask.caller.workspace))
    verifier, store = await ask.state.request_verifier(ask.caller.workspace)
    done = await correct_answer(case, verifier)
    told = done.as_json(verifier.settings.verification.show_claims)
    audit = ("correct", str(told["record_id"]))
    return json_reply(told, entries=store.entries, audit=audit, after=store.committed)


async def verify_batch(ask: ApiRequest) -> Response:
    """Many cases in, a job out: each is verified once, whatever happens to this process."""
    settings, media = ask.state.settings, ask.headers.get(b"content-type", b"")
    by_line = b"ndjson" in media or b"jsonl" in media
    most = settings.service.max_job_cases
    judges = settings.for_workspace(ask.caller.workspace)
    cases = await ask.state.parsed(ask.caller.workspace, ask.body, read_cases, by_line, most, settings.inputs, judges)
    await queue.within_quota(ask.state.store, ask.caller.workspace, settings.service.quota, len(ask.body))
    job_id, rows = queue.new_job(ask.caller.workspace, ask.caller.name, cases)
    # Many rows go in by parts, so that nobody waits long; the job itself comes last, and before it nobody sees them.
    while len(rows) > 1 and (part := _part(rows[1:])):
        await ask.state.writer.keep(Write(rows=tuple(rows[1 : part + 1]), workspace=ask.caller.workspace))
        del rows[1 : part + 1]
    told = {"id": job_id, "state": rows[0][2][2], "total": len(cases), "href": f"/jobs/{job_id}"}
    where = ((b"location", f"/jobs/{job_id}".encode()),)
    audit = ("verify-batch", job_id)
    return json_reply(told, 202, headers=where, rows=tuple(rows), audit=audit, after=ask.state.work_arrived)


def _part(rows: Sequence[TableRow]) -> int:
    """How many of these rows go in before the rest: all of a short job go in with it."""
    size = 0
    for number, (_, _, row) in enumerate(rows, 1):
        size += sum(len(cell) for cell in row if isinstance(cell, str))
        if number >= PART or size >= PART_BYTES:
            return number
    return 0


# --- as the OpenAPI document has it --------------------------------------------------------------------------------


class TaskAnswer(Value, frozen=True):
    """What POST /verify-task answers."""

    verdict: str
    confidence: float | None
    aggregate_score: float | None
    criteria_scores: tuple[TaskCriterion, ...]
    quality_scores: dict[str, float | None]
    tokens_used: int
    cost: float | None
    witnessmark: TaskExtra


class TaskCriterion(Value, frozen=True):
    """One criterion of it."""

    criterion: str
    score: float | None
    met: bool | None
    reasoning: str


class TaskExtra(Value, frozen=True):
    """What is ours in it."""

    outcome: Outcome
    action: Action
    coverage: float | None
    record_id: str
    reason: str
    cost_share: float | None
    cost_standing: str


class CorrectedAnswer(Value, frozen=True):
    """What POST /correct answers."""

    response: str
    changed: bool
    outcome: Outcome | None
    record_id: str | None
    mode: str
    stop_reason: str | None
    log: tuple[dict[str, Any], ...]
    confidence: float | None
    is_grounded: bool | None
    claims_checked: int
    claims_supported: int
    crag_attempts: int
    claims: tuple[dict[str, Any], ...] = ()


class JobAccepted(Value, frozen=True):
    """A job was made."""

    id: str
    state: str
    total: int
    href: str


BATCH: dict[str, Any] = {
    "type": "object",
    "required": ["cases"],
    "additionalProperties": False,
    "properties": {
        "cases": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "object"},
            "description": "Cases, as for POST /verify.",
        }
    },
}
ENDPOINTS = (
    Endpoint(
        "POST",
        "/verify",
        verify,
        "Verify a case; returns its record.",
        body=Case,
        answers={200: ("The record.", Record)},
        quick=True,
    ),
    Endpoint(
        "POST",
        "/verify-task",
        verify_task,
        "Verify a task in the words of a coordinator.",
        body=Task,
        answers={
            200: ("The verdict; unverified comes back as partial, with null for the score and the reason.", TaskAnswer)
        },
        quick=True,
    ),
    Endpoint(
        "POST",
        "/correct",
        correct,
        "Correct an answer by its sources; returns the best version that was verified.",
        body=Case,
        answers={200: ("The version to use, with its verdict.", CorrectedAnswer)},
    ),
    Endpoint(
        "POST",
        "/verify-batch",
        verify_batch,
        "Verify many cases as a job; JSON, or one case per line as application/x-ndjson.",
        body=BATCH,
        answers={202: ("The job was made.", JobAccepted)},
    ),
)
