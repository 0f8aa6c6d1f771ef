"""How far a job is, what came of it, and no further: GET /jobs, GET and DELETE /jobs/{id}, GET /jobs/{id}/results."""

from __future__ import annotations

from typing import Any

from witnessmark.core.values import Value
from witnessmark.server.http.endpoints import ApiRequest, Endpoint, Response, json_reply
from witnessmark.server.http.errors import RefusedError
from witnessmark.server.jobs import queue as jobs
from witnessmark.server.jobs.queue import JobProgress
from witnessmark.server.routes.records import MOST, limit_of
from witnessmark.stores import browse


class JobList(Value, frozen=True):
    """The newest jobs."""

    jobs: tuple[JobProgress, ...]


class CaseResult(Value, frozen=True):
    """One case of a job: waiting, taken, done, refused or cancelled; its record, or what is wrong with it."""

    number: int
    state: str
    case_id: str | None
    record_id: str | None
    outcome: str | None
    action: str | None
    problem: str | None


class CaseResults(Value, frozen=True):
    """Some results in the order of the cases; `next` goes into `after`."""

    results: tuple[CaseResult, ...]
    next: str | None


async def all_jobs(ask: ApiRequest) -> Response:
    """The newest jobs of the workspace."""
    found = await jobs.jobs_of(ask.state.store, ask.caller.workspace, limit_of(ask.query("limit")))
    return json_reply({"jobs": found})


async def one_job(ask: ApiRequest) -> Response:
    """How far it is."""
    return json_reply(await _job(ask))


async def results(ask: ApiRequest) -> Response:
    """What came of its cases."""
    query = ask.query("limit", "after")
    after = browse.number_after(query.get("after", "-1"))
    most = limit_of(query)
    job = await _job(ask)
    found = await jobs.results_of(ask.state.store, job.id, after, most)
    more = len(found) == most and found[-1]["number"] < job.total - 1
    following = (
        str(found[-1]["number"]) if more else None
    )  # a text: the number of the first case is 0, which reads as none
    return json_reply({"results": found, "next": following})


async def cancel(ask: ApiRequest) -> Response:
    """No further: what has not been kept yet is not begun or not kept."""
    job = await _job(ask)
    await jobs.cancel(ask.state.store, job.id, ask.caller.workspace)
    await ask.state.note(ask.caller, "cancel job", job.id)
    return json_reply(await _job(ask))


async def _job(ask: ApiRequest) -> JobProgress:
    job_id = ask.path["id"]
    found = await jobs.jobs_of(ask.state.store, ask.caller.workspace, 1, job_id) if "\x00" not in job_id else []
    if not found:
        raise RefusedError(404, "there is no such job in this workspace", field="id")
    return found[0]


_MISSING = {404: ("There is no such job in this workspace.", None)}
_LIMIT: dict[str, tuple[Any, str]] = {
    "limit": ({"type": "integer", "minimum": 1, "maximum": MOST, "default": 50}, "Maximum number to return.")
}
_AFTER: dict[str, tuple[Any, str]] = {"after": ({"type": "integer", "minimum": -1}, "The `next` of the previous page.")}
ENDPOINTS = (
    Endpoint("GET", "/jobs", all_jobs, "Jobs, newest first.", answers={200: ("Jobs.", JobList)}, query=_LIMIT),
    Endpoint(
        "GET", "/jobs/{id}", one_job, "The progress of a job.", answers={200: ("The job.", JobProgress), **_MISSING}
    ),
    Endpoint(
        "GET",
        "/jobs/{id}/results",
        results,
        "The results of a job's cases.",
        answers={200: ("A page of results.", CaseResults), **_MISSING},
        query=_LIMIT | _AFTER,
    ),
    Endpoint(
        "DELETE",
        "/jobs/{id}",
        cancel,
        "Cancel a job.",
        answers={200: ("The job as it is now.", JobProgress), **_MISSING},
    ),
)
