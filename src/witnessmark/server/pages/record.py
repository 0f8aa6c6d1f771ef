"""One record: the text with its claims, what every check said, where it came from, and what a person may add to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.responses import Response

from witnessmark.compat.vocabulary import confidences
from witnessmark.core.case import Case
from witnessmark.core.errors import UnknownNameError
from witnessmark.core.record import Entry, Record, Store, newest_word
from witnessmark.core.verdict import OUTCOMES
from witnessmark.insight import review
from witnessmark.insight.replay import replay
from witnessmark.server.pages import render
from witnessmark.server.pages.access import Visit, see
from witnessmark.server.pages.claim_graph import drawing
from witnessmark.server.pages.comments import comments, remark
from witnessmark.server.pages.marks import view
from witnessmark.server.pages.text_diff import Change, changes
from witnessmark.stores import browse

DEEPEST = 30
SHOWN_JSON = 60_000
LATER = {
    "override": "overridden to",
    "outcome": "the actual outcome was",
    "audit": "read again by another judge:",
    "ending": "the loop ended with",
}


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One attempt in a chain."""

    record: Record
    here: bool
    again: bool = False
    """Whether it is the same attempt as the one before it, verified again."""


async def show(visit: Visit, **more: Any) -> Response:
    """The page of a record."""
    entry = await _entry(visit)
    record = entry.record
    if record is None:
        gone = f"Record {entry.id[:12]} was purged; its place in the chain is kept, its content is gone."
        return await visit.failed(410, "Purged", gone)
    case = _case(entry)
    store = visit.site.store
    later = [child for child in await store.children(record.id) if child.kind != "verification"]
    context = {
        "record": record,
        "case": case,
        "kept": case is not None,
        "view": view(record, case),
        "drawing": drawing(case, record),
        "chain": await chain(store, record),
        "changes": await _changes(store, record, case),
        "later": later,
        "confidences": confidences(record),
        "later_at": await _times(visit, record),
        "standing": newest_word(later, "override"),
        "said": LATER,
        "comments": await comments(store, visit.caller.workspace, record.id),
        "runs": entry.counted_runs,
        "last": entry.runs[-1] if entry.runs else None,
        "outcomes": OUTCOMES,
        "whole": _pretty(record),
        "replay": None,
        "wrong": "",
    }
    return await visit.page("record.html", "records", **(context | more))


async def replayed(visit: Visit) -> Response:
    """Run the deterministic part again and say what differs."""
    entry = await _entry(visit)
    found = await replay(await visit.site.verifier_in_force(visit.caller.workspace), entry)
    if visit.request.headers.get("hx-request"):
        return render.page("_replay.html", replay=found)
    return await show(visit, replay=found)


async def reverified(visit: Visit) -> Response:
    """Verify again with the judges, the switches and the policy in force now."""
    entry = await _entry(visit)
    made = await review.reverify(await visit.site.verifier_in_force(visit.caller.workspace), entry.id)
    await visit.site.note(visit.caller, "reverify", entry.id)
    return see(f"/ui/records/{made.id}")


async def overridden(visit: Visit) -> Response:
    """A person's word over the verdict."""
    entry, sent = await _entry(visit), await visit.form()
    await review.override(
        visit.site.store,
        entry.id,
        outcome=sent.get("outcome", ""),
        reason=sent.get("reason", ""),
        by=visit.caller.name,
        workspace=visit.caller.workspace,
    )
    await visit.site.note(visit.caller, "override", entry.id)
    return see(f"/ui/records/{entry.id}#later")


async def turned_out(visit: Visit) -> Response:
    """What really happened."""
    entry, sent = await _entry(visit), await visit.form()
    told = {"yes": True, "no": False}
    facts = {name: told[sent[name]] for name in ("completed", "accurate") if sent.get(name) in told}
    await review.outcome(
        visit.site.store,
        entry.id,
        outcome=sent.get("outcome", ""),
        reason=sent.get("reason", "").strip(),
        facts=facts,
        workspace=visit.caller.workspace,
    )
    await visit.site.note(visit.caller, "outcome", entry.id)
    return see(f"/ui/records/{entry.id}#later")


async def commented(visit: Visit) -> Response:
    """A remark, nothing decided."""
    entry, sent = await _entry(visit), await visit.form()
    await remark(visit.site.store, visit.caller.workspace, entry.id, visit.caller.name, sent.get("comment", ""))
    await visit.site.note(visit.caller, "comment", entry.id)
    return see(f"/ui/records/{entry.id}#later")


async def _times(visit: Visit, record: Record) -> dict[str, float]:
    """When each word on a record was said."""
    about = browse.Filter(visit.caller.workspace, parent=record.id, kind="")
    rows, _ = await browse.lines(visit.site.store, about, limit=browse.MOST)
    return {row.id: row.at for row in rows}


async def _changes(store: Store, record: Record, case: Case | None) -> list[Change]:
    """What this attempt changed in the text of the one before it; nothing where either was not kept."""
    entry = await _parent(store, record)
    if entry is None or entry.record is None or entry.record.kind != "verification" or case is None or not case.text:
        return []
    before = _case(entry)
    if before is None or before.text == case.text:
        return []
    return changes(before.text, case.text)


async def chain(store: Store, record: Record) -> list[HistoryStep]:
    """The attempts before this one and those after it, in order; the last of several that follow is the one shown."""
    before: list[Record] = []
    at = record
    while len(before) < DEEPEST:
        above = await _parent(store, at)
        if above is None or above.record is None:
            break
        before.insert(0, above.record)
        at = above.record
    after: list[Record] = []
    at = record
    while len(after) < DEEPEST:
        below = [r for r in await store.children(at.id) if r.kind == "verification" and r.workspace == record.workspace]
        if not below:
            break
        at = below[-1]
        after.append(at)
    attempts = [*before, record, *after]
    earlier = [None, *(one.attempt for one in attempts)]
    return [HistoryStep(one, one is record, one.attempt == last) for one, last in zip(attempts, earlier, strict=False)]


async def _parent(store: Store, record: Record) -> Entry | None:
    """What a record follows; None where it follows nothing, or something that was never kept here."""
    if record.parent is None:
        return None
    try:
        return await store.get(record.parent, record.workspace)
    except UnknownNameError:
        return None


async def _entry(visit: Visit) -> Entry:
    return await visit.site.store.get(str(visit.request.path_params["id"]), visit.caller.workspace)


def _case(entry: Entry) -> Case | None:
    return None if entry.case is None or entry.redacted else Case.from_json(entry.case)


def _pretty(record: Record) -> str:
    text = msgspec.json.format(record.full_json(), indent=2).decode()
    return text if len(text) <= SHOWN_JSON else text[:SHOWN_JSON] + "\n… `witnessmark show --json` prints all of it"
