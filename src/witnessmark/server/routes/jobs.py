"""How far a job is, what came of it, and no further: GET /jobs, GET and DELETE /jobs/{id}, GET /jobs/{id}/results."""

from __future__ import annotations

from typing import Any

from witnessmark.core.values import Value
from witnessmark.server.http.endpoints import ApiRequest, Endpoint, Response, json_reply
from witnessmark.server.http.errors import RefusedError
from witnessmark.server.jobs import queue as jobs
from witnessmark.server.jobs.queue import JobProgress
from witnessmark.server.routes.records import MOST, cursor_of, limit_of
from witnessmark.stores import browse


class JobList(Value, frozen=True):
    """Some jobs, newest first; `next` goes into `after` for the following ones."""

    jobs: tuple[JobProgress, ...]
    next: str | None


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
    """A page of the workspace's jobs."""
    query = ask.query("limit", "after")
    found, following = await jobs.jobs_of(
        ask.state.store, ask.caller.workspace, limit_of(query), cursor_of(query, "after")
    )
    return json_reply({"jobs": found, "next": following})


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
    found = await jobs.job_of(ask.state.store, ask.caller.workspace, ask.path["id"])
    if found is None:
        raise RefusedError(404, "there is no such job in this workspace", field="id")
    return found


_MISSING = {404: ("There is no such job in this workspace.", None)}
_LIMIT: dict[str, tuple[Any, str]] = {
    "limit": ({"type": "integer", "minimum": 1, "maximum": MOST, "default": 50}, "Maximum number to return.")
}
_NEXT = "The `next` of the previous page."
ENDPOINTS = (
    Endpoint(
        "GET",
        "/jobs",
        all_jobs,
        "Jobs, newest first.",
        answers={200: ("A page of jobs.", JobList)},
        query=_LIMIT | {"after": ({"type": "string"}, _NEXT)},
    ),
    Endpoint(
        "GET", "/jobs/{id}", one_job, "The progress of a job.", answers={200: ("The job.", JobProgress), **_MISSING}
    ),
    Endpoint(
        "GET",
        "/jobs/{id}/results",
        results,
        "The results of a job's cases.",
        answers={200: ("A page of results.", CaseResults), **_MISSING},
        query=_LIMIT | {"after": ({"type": "integer", "minimum": -1}, _NEXT)},
    ),
    Endpoint(
        "DELETE",
        "/jobs/{id}",
        cancel,
        "Cancel a job.",
        answers={200: ("The job as it is now.", JobProgress), **_MISSING},
    ),
)
