"""Records made short, for tests of what reads them: a verification of a given kind, without running one."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec

from witnessmark.core.record import Entry, Record, ResultRecord, Run
from witnessmark.core.verdict import Finding, Usage

_number = itertools.count(1)
DAY = 86_400.0
NOON = 20_000 * DAY + DAY / 2
"""A noon, in seconds since 1970."""


def made(**more: Any) -> Record:
    """A verification; whatever is given stands in it. `categories` gives it a finding of each."""
    number = next(_number)
    given: dict[str, Any] = {
        "id": "",
        "case_id": f"case-{number}",
        "case_digest": f"digest-{number}",
        "checkpoint": "task",
        "workspace": "default",
        "outcome": "pass",
        "action": "accept",
        "graph": msgspec.Raw(b"{}"),
        "policy": msgspec.Raw(b"{}"),
    } | more
    categories = given.pop("categories", ())
    if categories:
        given["findings"] = tuple(Finding(message="m", category=category) for category in categories)
    record = Record(**given)
    msgspec.structs.force_setattr(record, "id", record.identity())
    return record


def entry(record: Record, at: float = NOON, *, runs: int = 1, **more: Any) -> Entry:
    """The record with its runs, an hour apart; judge_calls and cost_usd are its usage, the rest stands in the runs."""
    usage = Usage(judge_calls=more.pop("judge_calls", 0), cost_usd=more.pop("cost_usd", 0.0))
    found = tuple(
        Run(id=f"run-{next(_number)}", at=at + 3600.0 * n, seconds=0.25, usage=usage, **more) for n in range(runs)
    )
    return Entry(record.id, record.workspace, record, found, None, False, record.parent)


def word(about: Record, outcome: str, kind: str = "outcome", number: int = 1, at: float = NOON + 60) -> Entry:
    """An override or an outcome about a verification."""
    said = ResultRecord(
        node="person", check=kind, version="1", status="pass", details={"was": about.outcome, "number": number}
    )
    record = made(
        case_id=about.case_id,
        case_digest=about.case_digest,
        checkpoint=about.checkpoint,
        workspace=about.workspace,
        kind=kind,
        outcome=outcome,
        results=(said,),
        attempt=about.attempt,
        parent=about.id,
    )
    return entry(record, at)
