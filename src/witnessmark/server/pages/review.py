"""The review queue: what was left to a person and nobody has decided yet, one after the other, by keyboard.

The address says everything about the view (filters, where the cursor is, what was just decided), so that a decision
leads back to the next item and never to the first.
"""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.record import Record
from witnessmark.core.verdict import OUTCOMES
from witnessmark.insight import review
from witnessmark.server.pages.access import Visit, see
from witnessmark.server.pages.comments import comments, remark
from witnessmark.server.pages.marks import View, view
from witnessmark.stores import browse

PAGE = 20
MOST_AT_ONCE = 100
DECISIONS = {"good": ("pass", "work is good"), "bad": ("fail", "work is bad")}
FILTERS = ("show", "outcome", "checkpoint", "q", "seed", "after")
"""What of the address stays the same from one decision to the next."""


class Item(NamedTuple):
    """One verdict in the queue, with what is needed to decide; `next` is where the cursor goes after it."""

    line: browse.RecordRow
    record: Record
    case: Case | None
    view: View | None
    remarks: Any
    next: str


async def show(visit: Visit) -> Response:
    """The queue, newest first, or a random sample of what passed; with enough of each verdict to decide."""
    store, workspace = visit.site.store, visit.caller.workspace
    chosen = {name: visit.asked(name).strip() for name in FILTERS}
    lines, more = await _lines(visit, chosen)
    if not lines and chosen["after"]:  # all of a further page was decided: what waits begins with the newest again
        chosen["after"] = ""
        lines, more = await _lines(visit, chosen)
    items = []
    for number, line in enumerate(lines):
        entry = await store.get(line.id, workspace)
        if entry.record is None:
            continue
        case = Case.from_json(entry.case) if entry.case is not None and not entry.redacted else None
        remarks = await comments(store, workspace, line.id)
        beside = lines[number + 1] if number + 1 < len(lines) else lines[number - 1] if number else None
        items.append(Item(line, entry.record, case, view(entry.record, case), remarks, beside.id if beside else ""))
    kept = {name: value for name, value in chosen.items() if value}
    at = visit.asked("at")
    return await visit.page(
        "review.html",
        "review",
        items=items,
        at=at if any(item.line.id == at for item in items) else "",
        older="?" + urlencode(kept | {"after": lines[-1].cursor}) if more else "",
        chosen=chosen,
        kept=kept,
        said=await _said(visit),
        outcomes=OUTCOMES,
        checkpoints=await browse.checkpoints(store, workspace),
    )


async def _lines(visit: Visit, chosen: dict[str, str]) -> tuple[list[browse.RecordRow], bool]:
    sampled = chosen["show"] == "passed"
    asked = browse.Filter(
        visit.caller.workspace,
        outcome="pass" if sampled else chosen["outcome"],
        checkpoint=chosen["checkpoint"],
        text=chosen["q"],
        waiting=not sampled,
    )
    if sampled:
        chosen["seed"] = chosen["seed"] or secrets.token_hex(4)
        return await browse.sample(visit.site.store, asked, chosen["seed"], PAGE), False
    return await browse.lines(visit.site.store, asked, chosen["after"], PAGE)


async def _said(visit: Visit) -> dict[str, str] | None:
    """What the last decision was, so that it is seen and can be taken back."""
    done, what = visit.asked("done"), visit.asked("what")
    if what == "none":
        return {"text": "Nothing was selected, so nothing was decided: select verdicts first.", "undo": ""}
    if what == "undone":
        return {"text": "Taken back: it waits for a decision again.", "undo": ""}
    if what not in DECISIONS or not done:
        return None
    ids = done.split(",")[:MOST_AT_ONCE]
    if len(ids) > 1:
        return {"text": f"{len(ids)} marked: {DECISIONS[what][1]}.", "undo": ",".join(ids)}
    entry = await visit.site.store.get(ids[0], visit.caller.workspace)
    made = entry.record
    named = made is not None and made.case_id != made.case_digest  # what has no id of its own goes by the record's
    name = made.case_id[:70] if made is not None and named else ids[0][:12]
    return {"text": f"“{name}” marked: {DECISIONS[what][1]}.", "undo": ids[0]}


async def decide(visit: Visit) -> Response:
    """Work is good or bad: an override, with the comment as its reason and what was said about single claims."""
    sent = await visit.form()
    record_id = str(visit.request.path_params["id"])
    outcome, reason = _decision(sent)
    claims = {
        name.removeprefix("claim-"): value == "right"
        for name, value in sent.items()
        if name.startswith("claim-") and value in ("right", "wrong")
    }
    by, workspace = visit.caller.name, visit.caller.workspace
    made = await review.override(
        visit.site.store, record_id, outcome=outcome, reason=reason, by=by, workspace=workspace, claims=claims
    )
    await visit.site.note(visit.caller, f"review {sent['decision']}", made.parent or made.id)
    return _back(sent, done=record_id, what=sent["decision"], at=sent.get("next", ""))


async def decide_several(visit: Visit) -> Response:
    """The same word about every verdict that was selected, or about none."""
    sent, ids = await visit.form(), list(dict.fromkeys(await visit.several("id")))
    if not ids:
        return _back(sent, what="none")
    if len(ids) > MOST_AT_ONCE:
        raise InputError(f"id: {len(ids)} are more than the {MOST_AT_ONCE} that are decided at once")
    outcome, reason = _decision(sent)
    by, workspace = visit.caller.name, visit.caller.workspace
    ids = await review.override_several(
        visit.site.store, ids, outcome=outcome, reason=reason, by=by, workspace=workspace
    )
    await visit.site.note(visit.caller, f"review {sent['decision']}", *ids)
    return _back(sent, done=",".join(ids), what=sent["decision"])


async def commented(visit: Visit) -> Response:
    """A remark on one of the queue, nothing decided: the queue stays as it was, and the cursor where it was."""
    sent, workspace = await visit.form(), visit.caller.workspace
    about = await visit.site.store.get(str(visit.request.path_params["id"]), workspace)
    await remark(visit.site.store, workspace, about.id, visit.caller.name, sent.get("comment", ""))
    await visit.site.note(visit.caller, "comment", about.id)
    return _back(sent, at=about.id)


async def undo(visit: Visit) -> Response:
    """Take back what the caller just decided, of one verdict or of several, or none of it: what another said since stays."""
    sent = await visit.form()
    ids = [one for one in sent.get("ids", "").split(",") if one][:MOST_AT_ONCE]
    if not ids:
        raise InputError("ids: nothing was decided that could be taken back")
    who = visit.caller.name
    ids = await review.undo_several(visit.site.store, ids, by=who, of=who, workspace=visit.caller.workspace)
    await visit.site.note(visit.caller, "review undone", *ids)
    return _back(sent, done="", what="undone", at=ids[0])


def _decision(sent: dict[str, str]) -> tuple[str, str]:
    """The outcome that a form decides on, and its reason: the comment, or what was chosen."""
    chosen = sent.get("decision", "")
    if chosen not in DECISIONS:
        raise InputError("decision: choose good or bad")
    outcome, words = DECISIONS[chosen]
    return outcome, sent.get("comment", "").strip() or words


def _back(sent: dict[str, str], **more: str) -> Response:
    """To the queue as it was, with the cursor where it goes next."""
    kept = {name: sent[name] for name in FILTERS if sent.get(name)}
    return see("/ui/review?" + urlencode(kept | {name: value for name, value in more.items() if value}))
