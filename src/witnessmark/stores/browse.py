"""Lists of records as a person or a program pages through them: filtered, searched, newest first.

Paging goes by (first_at, id) of the last row shown, so that a list stays put while new records arrive, and an index
serves it at any depth.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.record import Summary
from witnessmark.stores import record_sets
from witnessmark.stores.rollups.tally import LONGEST
from witnessmark.stores.rows import COUNTED_RUN, clean
from witnessmark.stores.sql import Database, SqlStore

MOST = 200
NO_CURSOR = "{}: is not a valid cursor; pass the `next` of the previous page, unchanged"
_NUMBER = re.compile(r"-1|[0-9]{1,12}")
COUNTED = 100
"""Beyond this many a queue is just long."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which verifications to list. `text` is looked for in the case's id and content, the reason and the record's id."""

    workspace: str
    outcome: str = ""
    action: str = ""
    checkpoint: str = ""
    text: str = ""
    since: float | None = None
    until: float | None = None
    waiting: bool = False
    """Only what was escalated and nobody has answered yet."""
    ran: float | None = None
    """Only what was verified at or after, for the first time or again."""
    counted: str = ""
    """Only one of the sets that figures count, by its name in `counted.SETS`."""
    category: str = ""
    """Only what has a finding of this category, other than for information."""
    retried_after: str = ""
    """Only attempts after one that had a finding of this category."""
    score_from: float | None = None
    score_below: float | None = None
    attempt: int = 0
    """Only this attempt; 0 is any."""
    actions: tuple[str, ...] = ()
    """Only with one of these actions."""
    complexity: str = ""
    agent: str = ""
    judge: str = ""
    case_id: str = ""
    parent: str = ""
    kind: str = "verification"
    """Only records of this kind; empty is any."""


@dataclass(frozen=True, slots=True)
class RecordRow(Summary):
    """One verification in a list; `overridden` is the newest word of a person, where there is one.

    `runs` says how often it was made: the same case with the same verdict is one record. Only runs that the filter asks for count.
    """

    attempt: int
    overridden: str | None

    @property
    def cursor(self) -> str:
        """Where the list goes on after this line."""
        return f"{self.at!r}_{self.id}"


_OVERRIDDEN = record_sets.newest("override")
_COLUMNS = "r.id, r.workspace, r.case_id, r.checkpoint, r.outcome, r.action, r.score, r.coverage, r.reason, r.first_at"
_UNANSWERED = f"{_OVERRIDDEN} IS NULL"
_WAITING = f"r.action = 'escalate' AND {_UNANSWERED}"
_SEARCHED = (
    "({case_id} LIKE {text} ESCAPE '!' OR {reason} LIKE {text} ESCAPE '!' OR r.id LIKE ? ESCAPE '!' OR EXISTS "
    "(SELECT 1 FROM cases c WHERE c.workspace = r.workspace AND c.digest = r.case_digest AND {body} LIKE {text} ESCAPE '!'))"
)


async def lines(store: SqlStore, asked: Filter, after: str = "", limit: int = 50) -> tuple[list[RecordRow], bool]:
    """One page of the list, and whether more follows; InputError where `after` is no cursor of ours."""
    most = max(1, min(limit, MOST))
    place = place_of(after)
    if after and place is None:
        raise InputError(NO_CURSOR.format("after"))
    also = "" if place is None else " AND (r.first_at, r.id) < (?, ?)"
    rest = f"{also} ORDER BY r.first_at DESC, r.id DESC"
    found = await store.read(lambda db: _read(db, asked, rest, place or (), most + 1))
    return found[:most], len(found) > most


async def sample(store: SqlStore, asked: Filter, seed: str, limit: int = 20) -> list[RecordRow]:
    """Some of what nobody has looked at yet, at random: ids are digests, so those after a seed are a fair draw."""
    rest = f" AND {_UNANSWERED} ORDER BY r.id < ?, r.id"
    return await store.read(lambda db: _read(db, asked, rest, [clean(seed)], max(1, min(limit, MOST))))


def _read(db: Database, asked: Filter, rest: str, more: Sequence[Any], limit: int) -> list[RecordRow]:
    """The first rows of what the filter asks for; `rest` is the end of the statement, `more` what is bound in it."""
    where, values = _conditions(asked, db)
    runs, their = _runs(asked)
    sql = f"SELECT {_COLUMNS}, (SELECT count(*) {runs}), r.attempt, {_OVERRIDDEN} FROM records r WHERE {' AND '.join(where)}{rest} LIMIT ?"
    sql = record_sets.in_dialect(sql, db.dialect)
    return [RecordRow(*row) for row in db.execute(sql, (*their, *values, *more, limit))]


async def waiting(store: SqlStore, workspace: str) -> int:
    """How many verdicts wait for a person, counted up to COUNTED."""
    sql = f"SELECT count(*) FROM (SELECT 1 FROM records r WHERE r.workspace = ? AND r.kind = 'verification' AND {_WAITING} LIMIT {COUNTED}) AS q"
    ((found,),) = await store.read(lambda db: db.execute(record_sets.in_dialect(sql, db.dialect), (workspace,)))
    return int(found)


async def checkpoints(store: SqlStore, workspace: str) -> list[str]:
    """The checkpoints records of the last while went through, for a filter to offer."""
    sql = (
        "SELECT DISTINCT checkpoint FROM (SELECT checkpoint FROM records WHERE workspace = ? AND body IS NOT NULL "
        "ORDER BY first_at DESC LIMIT 2000) AS q ORDER BY checkpoint"
    )
    return [str(name) for (name,) in await store.read(lambda db: db.execute(sql, (workspace,))) if name]


async def any_record(store: SqlStore, workspace: str) -> bool:
    """Whether anything was ever verified here."""

    def look(db: Database) -> Sequence[Any]:
        return db.execute("SELECT 1 FROM records WHERE workspace = ? AND body IS NOT NULL LIMIT 1", (workspace,))

    return bool(await store.read(look))


def _conditions(asked: Filter, db: Database) -> tuple[list[str], list[Any]]:
    where, values = ["r.workspace = ?", "r.kind IS NOT NULL"], [asked.workspace]  # what was purged has none
    named: list[Any] = []
    for name in ("outcome", "action", "checkpoint", "case_id", "parent", "kind"):
        if wanted := getattr(asked, name):
            where.append(f"r.{name} = ?")
            named.append(clean(wanted))
    for test, bound in (
        ("r.first_at >= ?", asked.since),
        ("r.first_at < ?", asked.until),
        ("r.score >= ? - 5e-11", asked.score_from),  # as scores are counted: 0.7 is a little less than seven tenths
        ("r.score < ? - 5e-11", asked.score_below),
        ("r.attempt = ?", asked.attempt or None),
    ):
        if bound is not None:
            where.append(test)
            named.append(bound)
    if asked.actions:
        where.append(f"r.action IN ({', '.join('?' * len(asked.actions))})")
        named += asked.actions
    if text := clean(asked.text.strip()):
        columns = {"case_id": "r.case_id", "reason": "r.reason", "body": "c.body", "text": "?"}
        where.append(_SEARCHED.format(**{name: db.lower.format(column) for name, column in columns.items()}))
        like, in_json = _like(text), _like(msgspec.json.encode(text)[1:-1].decode())  # as the content of a case is kept
        named += [f"%{like}%", f"%{like}%", f"{like.lower()}%", f"%{in_json}%"]
    if asked.waiting:
        where.append(_WAITING)
    more, their = _of_figures(asked, db.dialect)
    return where + more, values + named + their


def _like(text: str) -> str:
    """The text as a LIKE finds it, sign by sign."""
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


def _of_figures(asked: Filter, dialect: str) -> tuple[list[str], list[Any]]:
    """What the figures of the overview are counted by, beside what the list itself shows."""
    where: list[str] = []
    values: list[Any] = []
    if asked.counted:
        chosen = record_sets.SETS.get(asked.counted)
        where.append("1 = 0" if chosen is None else chosen.record or "1 = 1")
    if asked.ran is not None or asked.agent or asked.complexity or asked.counted:
        runs, their = _runs(asked)
        where.append(f"EXISTS (SELECT 1 {runs})")
        values += their
    if asked.category:
        where.append(record_sets.has_category(dialect))
        values.append(clean(asked.category))
    if asked.retried_after:
        where.append(f"EXISTS (SELECT 1 FROM {record_sets.PARENT} AND {record_sets.has_category(dialect, 'p')})")
        values.append(clean(asked.retried_after))
    if asked.judge:
        where.append(record_sets.has_judge(dialect, LONGEST))
        values.append(clean(asked.judge))
    return where, values


def _runs(asked: Filter) -> tuple[str, list[Any]]:
    """The runs of a record that a filter asks for: a FROM and its conditions."""
    where = ["u.workspace = r.workspace", "u.record_id = r.id", COUNTED_RUN.format("u")]
    values: list[Any] = []
    for test, bound in (
        ("u.at >= ?", asked.ran),
        ("coalesce(u.complexity, 'MEDIUM') = ?", clean(asked.complexity) or None),
        (f"substr(u.agent, 1, {LONGEST}) = ?", clean(asked.agent) or None),
    ):
        if bound is not None:
            where.append(test)
            values.append(bound)
    if (chosen := record_sets.SETS.get(asked.counted)) is not None and chosen.run:
        where.append(chosen.run)
    return f"FROM runs u WHERE {' AND '.join(where)}", values


def place_of(after: str) -> tuple[float, str] | None:
    """Where a list goes on after this cursor; None where it is no cursor of ours."""
    at, _, record_id = after.partition("_")
    try:
        place = float(at), clean(record_id)
    except ValueError:
        return None
    return place if math.isfinite(place[0]) and place[1] else None


def number_after(after: str) -> int:
    """The number after which a list goes on; InputError where this is no cursor of ours."""
    if not _NUMBER.fullmatch(after):
        raise InputError(NO_CURSOR.format("after"))
    return int(after)


async def audit_lines(store: SqlStore, workspace: str, before: str | None, most: int) -> list[tuple[Any, ...]]:
    """Lines of the audit log, newest first: id, at, who, what, target; InputError where `before` is no line of it."""

    def work(db: Database) -> list[tuple[Any, ...]]:
        where = "workspace = ?"
        values: tuple[str, ...] = (workspace,)
        if before is not None:
            values = (workspace, clean(before))
            if not db.execute("SELECT 1 FROM audit_log WHERE workspace = ? AND id = ?", values):
                raise InputError(NO_CURSOR.format("before"))
            where += " AND id < ?"
        sql = f"SELECT id, at, who, what, target FROM audit_log WHERE {where} ORDER BY id DESC LIMIT ?"
        return db.execute(sql, (*values, most))

    return await store.read(work)
