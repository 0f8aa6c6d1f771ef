"""Lists of records as a person pages through them: filtered, searched, newest first. Knows SQL; knows no page.

Paging goes by (first_at, id) of the last row shown, so that a list stays put while new records arrive, and an index
serves it at any depth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from witnessmark.stores.rows import clean
from witnessmark.stores.sql import Database, SqlStore

MOST = 200
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
    category: str = ""
    """Only what has a finding of this category."""
    reviewed: bool = False
    """Only what a person has decided about, or whose outcome is known."""
    retries: bool = False
    """Only second and later attempts."""
    attempt: int = 0
    """Only this attempt; 0 is any."""
    actions: tuple[str, ...] = ()
    """Only with one of these actions."""
    complexity: str = ""
    agent: str = ""
    judge: str = ""


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One verification in a list; `overridden` is the newest word of a person, where there is one."""

    id: str
    case_id: str
    checkpoint: str
    outcome: str
    action: str
    score: float | None
    coverage: float | None
    attempt: int
    reason: str
    at: float
    overridden: str | None

    @property
    def cursor(self) -> str:
        """Where the list goes on after this line."""
        return f"{self.at!r}_{self.id}"


_OVERRIDDEN = (
    "(SELECT CASE WHEN o.reason = 'undone' THEN NULL ELSE o.outcome END FROM records o WHERE o.parent = r.id "
    "AND o.workspace = r.workspace AND o.kind = 'override' "
    "ORDER BY o.first_at + 0 DESC, o.id LIMIT 1)"  # + 0: by parent, not along the index by time
)
_COLUMNS = "r.id, r.case_id, r.checkpoint, r.outcome, r.action, r.score, r.coverage, r.attempt, r.reason, r.first_at"
_UNANSWERED = f"{_OVERRIDDEN} IS NULL"
_TURNED_OUT = (
    "EXISTS (SELECT 1 FROM records o WHERE o.parent = r.id AND o.workspace = r.workspace AND o.kind = 'outcome')"
)
_WAITING = f"r.action = 'escalate' AND {_UNANSWERED}"
_SEARCHED = (
    "(lower(r.case_id) LIKE ? ESCAPE '!' OR lower(r.reason) LIKE ? ESCAPE '!' OR r.id LIKE ? ESCAPE '!' OR EXISTS "
    "(SELECT 1 FROM cases c WHERE c.workspace = r.workspace AND c.digest = r.case_digest AND lower(c.body) LIKE ? "
    "ESCAPE '!'))"
)


async def lines(store: SqlStore, asked: Filter, after: str = "", limit: int = 50) -> tuple[list[RecordRow], bool]:
    """One page of the list, and whether more follows."""
    where, values = _conditions(asked)
    place = _place(after)
    if place is not None:
        where.append("(r.first_at < ? OR (r.first_at = ? AND r.id < ?))")
        values += [place[0], place[0], place[1]]
    most = max(1, min(limit, MOST))
    sql = (
        f"SELECT {_COLUMNS}, {_OVERRIDDEN} FROM records r WHERE {' AND '.join(where)} "
        "ORDER BY r.first_at DESC, r.id DESC LIMIT ?"
    )
    found = await store.read(lambda db: db.execute(sql, (*values, most + 1)))
    return [RecordRow(*row) for row in found[:most]], len(found) > most


async def sample(store: SqlStore, asked: Filter, seed: str, limit: int = 20) -> list[RecordRow]:
    """Some of what nobody has looked at yet, at random: ids are digests, so those after a seed are a fair draw."""
    where, values = _conditions(asked)
    where.append(_UNANSWERED)
    sql = f"SELECT {_COLUMNS}, {_OVERRIDDEN} FROM records r WHERE {' AND '.join(where)} ORDER BY r.id < ?, r.id LIMIT ?"
    found = await store.read(lambda db: db.execute(sql, (*values, clean(seed), max(1, min(limit, MOST)))))
    return [RecordRow(*row) for row in found]


async def waiting(store: SqlStore, workspace: str) -> int:
    """How many verdicts wait for a person, counted up to COUNTED."""
    sql = f"SELECT count(*) FROM (SELECT 1 FROM records r WHERE r.workspace = ? AND r.kind = 'verification' AND {_WAITING} LIMIT {COUNTED}) AS q"
    ((found,),) = await store.read(lambda db: db.execute(sql, (workspace,)))
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


def _conditions(asked: Filter) -> tuple[list[str], list[Any]]:
    where, values = ["r.workspace = ?", "r.kind = 'verification'"], [asked.workspace]
    named: list[Any] = []
    for name in ("outcome", "action", "checkpoint"):
        if wanted := getattr(asked, name):
            where.append(f"r.{name} = ?")
            named.append(clean(wanted))
    for test, at in (("r.first_at >= ?", asked.since), ("r.first_at < ?", asked.until)):
        if at is not None:
            where.append(test)
            named.append(at)
    if text := clean(asked.text.strip()).lower():
        like = _escaped(text)
        where.append(_SEARCHED)
        named += [f"%{like}%", f"%{like}%", f"{like}%", f"%{like}%"]
    if asked.category:
        where.append("r.body LIKE ? ESCAPE '!'")
        named.append(f'%"category":"{_escaped(clean(asked.category))}"%')
    if asked.waiting:
        where.append(_WAITING)
    if asked.reviewed:
        where.append(f"({_OVERRIDDEN} IS NOT NULL OR {_TURNED_OUT})")
    if asked.retries:
        where.append("r.attempt > 1")
    more, their = _of_runs(asked)
    return where + more, values + named + their


def _of_runs(asked: Filter) -> tuple[list[str], list[Any]]:
    """What the figures of the overview are counted by, beside what the list itself shows."""
    where: list[str] = []
    values: list[Any] = []
    if asked.attempt:
        where.append("r.attempt = ?")
        values.append(asked.attempt)
    if asked.actions:
        where.append(f"r.action IN ({', '.join('?' * len(asked.actions))})")
        values += asked.actions
    for name in ("complexity", "agent"):
        if wanted := getattr(asked, name):
            where.append(
                f"EXISTS (SELECT 1 FROM runs u WHERE u.workspace = r.workspace AND u.record_id = r.id AND u.{name} = ?)"
            )
            values.append(clean(wanted))
    if asked.judge:
        where.append("r.body LIKE ? ESCAPE '!'")
        values.append(f'%"judge":"{_escaped(clean(asked.judge))}"%')
    return where, values


def _escaped(text: str) -> str:
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


def _place(after: str) -> tuple[float, str] | None:
    at, _, record_id = after.partition("_")
    try:
        return (float(at), clean(record_id)) if record_id else None
    except ValueError:
        return None
