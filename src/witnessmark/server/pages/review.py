"""The review queue: what was escalated and nobody has answered yet, one after the other, by keyboard."""

from __future__ import annotations

from starlette.responses import Response

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.insight import review
from witnessmark.server.pages.access import Visit, see
from witnessmark.server.pages.comments import comments
from witnessmark.server.pages.marks import view
from witnessmark.stores import browse

PAGE = 20
DECISIONS = {"accept": ("pass", "accepted in review"), "reject": ("fail", "rejected in review")}


async def show(visit: Visit) -> Response:
    """The queue, newest first, with enough of each verdict to decide."""
    store, workspace = visit.site.store, visit.caller.workspace
    found, more = await browse.lines(store, browse.Filter(workspace, waiting=True), visit.asked("after"), PAGE)
    items = []
    for line in found:
        entry = await store.get(line.id, workspace)
        if entry.record is None:
            continue
        case = Case.from_json(entry.case) if entry.case is not None and not entry.redacted else None
        remarks = await comments(store, workspace, line.id)
        items.append((line, entry.record, case, view(entry.record, case), remarks))
    older = f"?after={found[-1].cursor}" if more else ""
    return await visit.page("review.html", "review", items=items, older=older, paged=bool(visit.asked("after")))


async def decide(visit: Visit) -> Response:
    """Accept or reject: an override, with the comment as its reason."""
    sent = await visit.form()
    if sent.get("decision") not in DECISIONS:
        raise InputError("decision: choose accept or reject")
    outcome, words = DECISIONS[sent["decision"]]
    record_id, workspace = str(visit.request.path_params["id"]), visit.caller.workspace
    await review.override(
        visit.site.store,
        record_id,
        outcome=outcome,
        reason=sent.get("comment", "").strip() or words,
        by=visit.caller.name,
        workspace=workspace,
    )
    await visit.site.note(visit.caller, f"review {sent['decision']}", record_id)
    return see("/ui/review")
