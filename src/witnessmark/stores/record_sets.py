"""What the figures of the overview count, as conditions on a record `r` and its runs `u`: a figure and its list agree.

Counting itself is done in `rollups`; here stand the same sets in SQL, for whoever wants to see what was counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from witnessmark.core.record import UNDONE
from witnessmark.core.verdict import GOES_ON
from witnessmark.stores.rollups.tally import STOPPED


def newest(kind: Literal["override", "outcome"]) -> str:
    """What the newest override or outcome of `r` says; NULL where there is none, or it was taken back. See `in_dialect`."""
    said = "CASE WHEN {undone} IS NULL THEN o.outcome END" if kind == "override" else "o.outcome"
    return (
        f"(SELECT {said} FROM records o WHERE o.parent = r.id "
        f"AND o.workspace = r.workspace AND o.kind = '{kind}' "
        "ORDER BY o.first_at + 0 DESC, o.id DESC LIMIT 1)"  # + 0: by parent, not along the index by time
    )


_UNDONE = {
    "sqlite": f"json_extract(o.body, '$.results[0].details.{UNDONE}')",
    "postgresql": f"replace(o.body, '\\u0000', '\\ufffd')::json #>> '{{results,0,details,{UNDONE}}}'",
}


def in_dialect(sql: str, dialect: str) -> str:
    """A statement with what is written otherwise from database to database: how an override is known that takes one back."""
    return sql.replace("{undone}", _UNDONE[dialect])


@dataclass(frozen=True, slots=True)
class RecordSet:
    """Records that a figure counts: in words, and as SQL on the record or on its runs; see `in_dialect`."""

    words: str
    record: str = ""
    run: str = ""


def _one_of(names: frozenset[str]) -> str:
    return ", ".join(f"'{name}'" for name in sorted(names))


_TRUTH = f"coalesce({newest('outcome')}, {newest('override')})"
_STOPPED, _THROUGH = f"r.action IN ({_one_of(STOPPED)})", f"r.action IN ({_one_of(GOES_ON)})"
_DECIDED = f"r.action IN ({_one_of(STOPPED | GOES_ON)})"
_TOLD = f"r.checkpoint IN ('answer', 'synthesis') AND {_THROUGH}"
_KNOWN = f"{_TRUTH} IN ('pass', 'fail')"
_DISAGREES = f"{newest('override')} <> r.outcome"
_LATER = "records n WHERE n.workspace = r.workspace AND n.parent = r.id AND n.kind = 'verification' AND n.attempt = r.attempt + 1"
PARENT = "records p WHERE p.workspace = r.workspace AND p.id = r.parent AND p.kind = 'verification' AND p.attempt = r.attempt - 1"
"""The attempt before `r`, as `p`."""
SETS: dict[str, RecordSet] = {
    "known": RecordSet("work known to be good or bad", _KNOWN),
    "good": RecordSet("good work that was stopped or let through", f"{_TRUTH} = 'pass' AND {_DECIDED}"),
    "good_stopped": RecordSet("good work that was stopped", f"{_TRUTH} = 'pass' AND {_STOPPED}"),
    "bad": RecordSet("bad work that was stopped or let through", f"{_TRUTH} = 'fail' AND {_DECIDED}"),
    "bad_stopped": RecordSet("bad work that was stopped", f"{_TRUTH} = 'fail' AND {_STOPPED}"),
    "bad_through": RecordSet("bad work that was let through", f"{_TRUTH} = 'fail' AND {_THROUGH}"),
    "told": RecordSet("reviewed answers and syntheses that were let through", f"{_TOLD} AND {_KNOWN}"),
    "told_bad": RecordSet("bad answers and syntheses that were let through", f"{_TOLD} AND {_TRUTH} = 'fail'"),
    "overridden": RecordSet("verdicts with an override", f"{newest('override')} IS NOT NULL"),
    "disagreed": RecordSet("verdicts that a person overrode with another outcome", _DISAGREES),
    "later": RecordSet("second and later attempts", "r.attempt > 1"),
    "last": RecordSet("attempts that no other followed", f"NOT EXISTS (SELECT 1 FROM {_LATER})"),
    "corrected": RecordSet("attempts after a correction", f"EXISTS (SELECT 1 FROM {PARENT} AND p.action = 'correct')"),
    "scored": RecordSet("what has a score", "r.score IS NOT NULL"),
    "priced": RecordSet("runs whose cost is known", run="u.cost_usd IS NOT NULL"),
    "paired": RecordSet("runs whose cost and whose work's cost are known", run="u.cost_usd IS NOT NULL AND u.work_usd IS NOT NULL"),
    "worked": RecordSet("runs whose work's cost is known", run="u.work_usd IS NOT NULL"),
    "asked": RecordSet("runs that asked a judge", run="u.judge_calls > 0"),
    "read": RecordSet("runs that used tokens", run="u.tokens > 0"),
}  # fmt: skip

_ITEMS = {
    "sqlite": ("json_each({of}.body, '$.{list}') i", "json_extract(i.value, '$.{field}')"),
    # \u0000 is fine in a text of JSON, and PostgreSQL reads none that has it
    "postgresql": ("json_array_elements(replace({of}.body, '\\u0000', '\\ufffd')::json -> '{list}') i", "i.value ->> '{field}'"),
}  # fmt: skip


def has_category(dialect: str, of: str = "r") -> str:
    """Whether a record has a finding of a category, other than one for information only; the category is bound."""
    category, severity = _field(dialect, "category"), _field(dialect, "severity")
    return (
        f"EXISTS (SELECT 1 FROM {_items(dialect, of, 'findings')} WHERE coalesce({category}, 'criterion_unmet') = ? "
        f"AND coalesce({severity}, 'error') <> 'info')"
    )


def has_judge(dialect: str, longest: int) -> str:
    """Whether a judge gave one of a record's results; its name, cut at `longest`, is bound."""
    return f"EXISTS (SELECT 1 FROM {_items(dialect, 'r', 'results')} WHERE substr({_field(dialect, 'judge')}, 1, {longest}) = ?)"


def _items(dialect: str, of: str, name: str) -> str:
    return _ITEMS[dialect][0].replace("{of}", of).replace("{list}", name)


def _field(dialect: str, name: str) -> str:
    return _ITEMS[dialect][1].replace("{field}", name)
