"""Verify a case in the browser: fields for a question, an answer and its sources, or the JSON of any case."""

from __future__ import annotations

from importlib import resources
from typing import Any

import msgspec
from starlette.responses import Response

from witnessmark.core.aliases import with_ids
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.judges.pool import refuse_unlisted
from witnessmark.server.jobs.intake import read_case
from witnessmark.server.pages.access import Visit, see
from witnessmark.stores.workspaces import workspace_settings

EXAMPLES = msgspec.json.decode(
    resources.files("witnessmark.server.pages").joinpath("examples.json").read_bytes(),
    type=dict[str, tuple[str, dict[str, Any]]],
)
"""A few cases to begin with, for whoever opens the page and has none at hand."""
FIELDS = ("goal", "answer", "kind", "complexity")
KINDS = (("answer", "An answer that should rest on sources"), ("task_output", "The output of a task"))
EMPTY: dict[str, Any] = {
    "goal": "",
    "answer": "",
    "kind": "answer",
    "complexity": "MEDIUM",
    "evidence": ["", ""],
    "json": "",
}


async def show(visit: Visit) -> Response:
    """The form, empty or filled with an example."""
    chosen = EXAMPLES.get(visit.asked("example"))
    filled = EMPTY if chosen is None else _filled(chosen[1])
    return await _form(visit, filled)


async def verify(visit: Visit) -> Response:
    """Verify what was sent; what is wrong with it is said above the form, which stays as it was."""
    sent = await visit.form()
    evidence = await visit.several("evidence")
    by_json = sent.get("as") == "json"
    filled = EMPTY | {name: sent[name] for name in FIELDS if name in sent} | {"json": sent.get("json", "")}
    filled |= {"evidence": evidence or ["", ""]}
    try:
        case = await _sent_case(visit, sent.get("json", "")) if by_json else _case(filled)
        verifier = await visit.site.verifier_in_force(visit.caller.workspace)
        record = await verifier.verify(case)
    except UsageError as exc:
        return await _form(visit, filled, str(exc), by_json, 422)
    await visit.site.note(visit.caller, "verify", record.id)
    return see(f"/ui/records/{record.id}")


async def _form(
    visit: Visit, filled: dict[str, Any], wrong: str = "", by_json: bool = False, status: int = 200
) -> Response:
    on = await workspace_settings(visit.site.store, visit.caller.workspace)
    return await visit.page(
        "verify.html", "verify", status, filled=filled, wrong=wrong, by_json=by_json or (bool(filled["json"]) and not filled["answer"]),
        examples=EXAMPLES, kinds=KINDS, on=on,
    )  # fmt: skip


async def _sent_case(visit: Visit, text: str) -> Case:
    """The case that was sent as JSON, as POST /verify takes it."""
    settings, workspace = visit.site.settings, visit.caller.workspace
    case = await visit.site.parsed(workspace, text.encode(), read_case, settings.inputs)
    refuse_unlisted(case, settings.for_workspace(workspace))
    return case


def _case(filled: dict[str, Any]) -> Case:
    if not filled["answer"].strip():
        raise UsageError("What came out: paste what the agent answered; without it there is nothing to verify")
    return Case.from_dict(
        {
            "goal": filled["goal"].strip(),
            "subject": {"kind": filled["kind"], "text": filled["answer"]},
            "evidence": with_ids(text for text in filled["evidence"] if text.strip()),
            "context": {"complexity": filled["complexity"]},
        }
    )


def _filled(example: dict[str, Any]) -> dict[str, Any]:
    """An example as the form shows it: in fields where it fits them, always as JSON."""
    text = msgspec.json.format(msgspec.json.encode(example), indent=2).decode()
    simple = example["subject"]["kind"] == "answer"
    if not simple:
        return EMPTY | {"json": text}
    evidence = [str(source["text"]) for source in example["evidence"]]
    return EMPTY | {"goal": example["goal"], "answer": example["subject"]["text"], "evidence": evidence, "json": text}
