"""What operators look at: jobs and what came of their cases, keys, the audit log."""

from __future__ import annotations

from starlette.responses import Response

from witnessmark.core.errors import UnknownNameError
from witnessmark.server.auth import keys
from witnessmark.server.http.errors import RefusedError
from witnessmark.server.jobs import queue
from witnessmark.server.pages.access import Visit, see
from witnessmark.stores import browse

PAGE = 50
RESULTS = 100


async def jobs(visit: Visit) -> Response:
    """A page of the workspace's jobs, newest first."""
    found, older = await queue.jobs_of(visit.site.store, visit.caller.workspace, PAGE, visit.asked("after"))
    return await visit.page("jobs.html", "jobs", jobs=found, after=visit.asked("after"), older=older)


async def job(visit: Visit) -> Response:
    """How far one job is, and its cases: those that were refused first."""
    job_id = str(visit.request.path_params["id"])
    found = await queue.job_of(visit.site.store, visit.caller.workspace, job_id)
    if found is None:
        raise UnknownNameError("job", job_id, ())
    start = browse.number_after(visit.asked("after") or "-1")
    results = await queue.results_of(visit.site.store, job_id, start, RESULTS)
    more = results[-1]["number"] if len(results) == RESULTS and results[-1]["number"] < found.total - 1 else None
    return await visit.page("job.html", "jobs", job=found, results=results, more=more, start=start)


async def cancelled(visit: Visit) -> Response:
    """Stop a job: what has not begun is not begun."""
    job_id = str(visit.request.path_params["id"])
    back = f"/ui/jobs/{job_id}"
    words = "Cases that have not begun are not verified, and it cannot be taken up again. What is done stays."
    if asked := await visit.unsure(f"Cancel job {job_id[:16]}?", words, "Cancel the job", back):
        return asked
    if "\x00" in job_id or not await queue.cancel(visit.site.store, job_id, visit.caller.workspace):
        raise UnknownNameError("job", job_id, ())
    await visit.site.note(visit.caller, "cancel job", job_id)
    return see(f"{back}?told=cancelled")


async def all_keys(visit: Visit, secret: str = "") -> Response:
    """The keys of the workspace; a new one's secret is shown this once."""
    found = await keys.listed(visit.site.store, visit.caller.workspace)
    return await visit.page("keys.html", "keys", keys=found, secret=secret)


async def key_made(visit: Visit) -> Response:
    """A new key for the workspace."""
    sent = await visit.form()
    secret, key = await keys.create(
        visit.site.store, workspace=visit.caller.workspace, role=sent.get("role", ""), name=sent.get("name", "").strip()
    )
    await visit.site.note(visit.caller, "make key", f"{key.id} {key.role} {key.name}")
    return await all_keys(visit, secret)


async def key_revoked(visit: Visit) -> Response:
    """Nobody gets in with it any more."""
    key_id = str(visit.request.path_params["id"])
    found = await keys.listed(visit.site.store, visit.caller.workspace)
    named = next((key for key in found if key.id == key_id), None)
    words = "Whatever uses it is refused from then on, and it cannot be taken back."
    if [key.id for key in found if key.role == "admin" and key.revoked_at is None] == [key_id]:
        words += " It is the only admin key of this workspace: whoever runs the service has to make the next one."
    if asked := await visit.unsure(
        f"Revoke the key {named.name if named else key_id}?", words, "Revoke it", "/ui/keys"
    ):
        return asked
    key = await keys.revoke(visit.site.store, key_id, visit.caller.workspace)
    visit.site.keys_changed()
    await visit.site.note(visit.caller, "revoke key", f"{key.id} {key.name}")
    try:
        await visit.site.caller(visit.request)
    except RefusedError:  # it was the key they signed in with
        return see("/login?told=revoked")
    return see("/ui/keys?told=revoked")


async def audit(visit: Visit) -> Response:
    """Who did what to what, newest first."""
    rows = await browse.audit_lines(visit.site.store, visit.caller.workspace, visit.asked("before") or None, PAGE)
    older = rows[-1][0] if len(rows) == PAGE else None
    return await visit.page("audit.html", "audit", lines=rows, older=older)
