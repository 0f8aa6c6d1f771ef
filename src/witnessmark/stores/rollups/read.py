"""Counts as they are read: from the tables of a database, or from a dictionary. Knows nothing about how they came about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from witnessmark.core.tallies import DAY_S, NO_KEY, LabelledVerification, RunKey, RunSums, RunTally, TallyMark
from witnessmark.stores.rollups.tally import CountedVerification, TallyCounts
from witnessmark.stores.rollups.update import RollupConnection, stored_verifications

Window = tuple[int, int]
_ALWAYS: Window = (-(2**62), 2**62)


def window(since: float | None, until: float | None) -> Window:
    """Whole days that hold the period."""
    low = _ALWAYS[0] if since is None else math.floor(since / DAY_S) * DAY_S
    high = _ALWAYS[1] if until is None else math.ceil(until / DAY_S) * DAY_S
    return low, high


def run_tallies(
    db: RollupConnection,
    workspace: str,
    since: float | None,
    until: float | None,
    by: Sequence[str],
    sums: Sequence[str],
) -> list[RunTally]:
    """The runs of these days, counted by these parts of the key."""
    keys = [name for name in RunKey._fields if name in by]
    added = ", ".join(f"CAST(sum({name}) AS BIGINT)" for name in sums)
    chosen, grouped = (f"{', '.join(keys)}, ", f" GROUP BY {', '.join(keys)}") if keys else ("", "")
    sql = f"SELECT {chosen}{added} FROM rollup_runs WHERE workspace = ? AND day >= ? AND day < ?{grouped}"
    found = db.execute(sql, (workspace, *window(since, until)))
    width = len(keys)
    return [
        RunTally(
            NO_KEY._replace(**dict(zip(keys, row, strict=False))), RunSums(**dict(zip(sums, row[width:], strict=True)))
        )
        for row in found
        if row[width] is not None
    ]


def marks(
    db: RollupConnection,
    workspace: str,
    measures: Sequence[str],
    since: float | None,
    until: float | None,
    by_bucket: bool,
) -> list[TallyMark]:
    """These measures, counted."""
    bucket, grouped = ("bucket", "measure, bucket, mark") if by_bucket else ("0", "measure, mark")
    sql = (
        f"SELECT measure, {bucket}, mark, CAST(sum(n) AS BIGINT), CAST(sum(total) AS BIGINT) FROM rollup_marks WHERE workspace = ? "
        f"AND measure IN ({', '.join('?' * len(measures))}) AND bucket >= ? AND bucket < ? GROUP BY {grouped}"
    )
    return [TallyMark(*row) for row in db.execute(sql, (workspace, *measures, *window(since, until)))]


def labelled(
    db: RollupConnection, workspace: str, since: float | None, until: float | None
) -> list[LabelledVerification]:
    """Every verification with words about it."""
    sql = (
        "SELECT DISTINCT workspace, parent FROM records WHERE workspace = ? AND kind IN ('override', 'outcome') "
        "AND body IS NOT NULL AND parent IS NOT NULL"
    )
    keys = [(space, parent) for space, parent in db.execute(sql, (workspace,))]
    return labelled_of(stored_verifications(db, keys), workspace, since, until)


def workspaces(db: RollupConnection) -> list[str]:
    """Where anything was counted."""
    return [name for (name,) in db.execute("SELECT DISTINCT workspace FROM rollup_runs ORDER BY workspace")]


# --- the same from a dictionary --------------------------------------------------------------------------------------


def runs_of(
    counts: TallyCounts,
    workspace: str,
    since: float | None,
    until: float | None,
    by: Sequence[str],
    sums: Sequence[str],
) -> list[RunTally]:
    """The runs of these days, counted by these parts of the key."""
    low, high = window(since, until)
    found: dict[RunKey, RunSums] = {}
    for (space, *parts), values in counts.runs.items():
        whole = RunKey(*parts)
        if space == workspace and low <= whole.day < high:
            key = NO_KEY._replace(**{name: getattr(whole, name) for name in by})
            found[key] = RunSums(*(a + int(b) for a, b in zip(found.get(key, RunSums()), values, strict=True)))
    return [RunTally(key, RunSums(**{name: getattr(all_of, name) for name in sums})) for key, all_of in found.items()]


def marks_of(
    counts: TallyCounts,
    workspace: str,
    measures: Sequence[str],
    since: float | None,
    until: float | None,
    by_bucket: bool,
) -> list[TallyMark]:
    """These measures, counted."""
    low, high = window(since, until)
    found: dict[tuple[str, int, str], tuple[int, int]] = {}
    for (space, measure, bucket, mark), (n, total) in counts.marks.items():
        if space == workspace and measure in measures and low <= bucket < high:
            key = (measure, bucket if by_bucket else 0, mark)
            had = found.get(key, (0, 0))
            found[key] = (had[0] + n, had[1] + total)
    return [TallyMark(*key, *sums) for key, sums in found.items()]


def labelled_of(
    all_held: Iterable[CountedVerification], workspace: str, since: float | None, until: float | None
) -> list[LabelledVerification]:
    """Every verification with words about it, oldest first."""
    low, high = window(since, until)
    found = []
    for one in all_held:
        record = one.record
        spoken = one.override is not None or one.outcome is not None
        if spoken and record.kind == "verification" and record.workspace == workspace and low <= one.first_at < high:
            first = min(one.runs, key=lambda run: (run.at, run.id), default=None)
            agent, complexity = (first.agent, first.complexity) if first else ("", "MEDIUM")
            found.append(LabelledVerification(record, one.first_at, one.override, one.outcome, agent, complexity))
    return sorted(found, key=lambda one: (one.at, one.record.id))
