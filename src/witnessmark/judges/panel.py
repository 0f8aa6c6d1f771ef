"""Several judges as one: asked side by side, their answers merged by fixed rules, and no answer where they disagree.

Numbers become their median, yes and no and named choices need more than half of the panel, words are taken from the
member nearest to the median. A member that breaks is left out; a panel needs more than half of its members. Pairs are
asked in both orders. Where they disagree on one part of an answer, the rest still counts. Of the fields it knows one: `confidence`
is never a disagreement.
"""

from __future__ import annotations

import asyncio
import math
import re
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from witnessmark.core.errors import InputError, JudgeReplyError, JudgesDisagreeError, TransientError
from witnessmark.core.protocols import Judge, Question, Reply
from witnessmark.core.verdict import NO_USAGE, Usage
from witnessmark.judges.cache import close

SPREAD = 0.5
"""Numbers further apart than this share of their scale are a disagreement."""


class Panel:
    """Judges that answer together."""

    def __init__(self, judges: Sequence[Judge]) -> None:
        if len(judges) < 2:
            raise InputError("a panel needs two judges or more; name another with --judge")
        if len({judge.id for judge in judges}) < len(judges):
            raise InputError("a panel has each judge once; name another one")
        self.judges = tuple(judges)
        self.id = "panel(" + ",".join(judge.id for judge in judges) + ")"
        self.family = "+".join(sorted({judge.family or "?" for judge in judges}))
        self.window = min(int(getattr(judge, "window", 32_000)) for judge in judges)

    async def ask(self, question: Question) -> Reply:
        """The merged answer; JudgesDisagreeError where they do not agree on what decides."""
        replies, usage = await self._ask_each(question)
        apart: list[str] = []
        data = merged([reply.data for reply in replies], question.reply_schema, SPREAD, apart)
        if apart:
            raise disagreement(f"{self.id}: the judges disagree on {', '.join(apart[:5])}", data, apart, usage)
        models = ",".join(reply.model for reply in replies)
        return Reply(data=data, judge=self.id, model=models, usage=usage, cached=all(r.cached for r in replies))

    async def _ask_each(self, question: Question) -> tuple[tuple[Reply, ...], Usage]:
        """Every member's own answer, those that broke left out, and what all of them cost; the first one's error where too few are left."""
        said = await asyncio.gather(*(judge.ask(question) for judge in self.judges), return_exceptions=True)
        replies = tuple(reply for reply in said if isinstance(reply, Reply))
        broken = [one for one in said if isinstance(one, BaseException)]
        usage = sum((getattr(one, "usage", None) or NO_USAGE for one in said), NO_USAGE)
        # a budget, a setting or a fault of ours is not a vote
        stops = [one for one in broken if not isinstance(one, (TransientError, JudgeReplyError))]
        if stops or 2 * len(replies) <= len(self.judges):
            exc = (stops or broken)[0]
            exc.__dict__["usage"] = usage
            raise exc
        return replies, usage

    async def close(self) -> None:
        """Close every member."""
        for judge in self.judges:
            await close(judge)


def disagreement(said: str, data: Any, places: Sequence[str], usage: Usage) -> JudgesDisagreeError:
    """The error with what they agree on: one criterion or claim of several that they see differently takes nothing from the others."""
    exc = JudgesDisagreeError(said)
    exc.usage, exc.places = usage, tuple(places)
    exc.merged = data if isinstance(data, dict) else {}
    exc.apart = tuple(dict.fromkeys(re.split(r"[.\[]", place, maxsplit=1)[0] for place in places))
    listed = {name: _entries_agreed_on(name, exc) for name in exc.apart if isinstance(exc.merged.get(name), list)}
    exc.agreed = {name: part for name, part in exc.merged.items() if name not in exc.apart} | listed
    return exc


def _entries_agreed_on(name: str, exc: JudgesDisagreeError) -> list[Any]:
    """The entries of a list, each with an id or a number, on which nobody differs."""
    found = [
        (f"{name}[{one.get('id', one.get('number'))}]", one) for one in exc.merged[name] if isinstance(one, Mapping)
    ]
    return [one for at, one in found if not any(place == at or place.startswith(f"{at}.") for place in exc.places)]


# --- merging ------------------------------------------------------------------------------------------------------


def merged(answers: Sequence[Mapping[str, Any]], schema: Mapping[str, Any], spread: float, apart: list[str]) -> Any:
    """One answer from several that fit the schema; the places where they disagree are added to `apart`."""
    return _merged(list(answers), schema, spread, apart, "")


def _merged(values: list[Any], schema: Any, spread: float, apart: list[str], at: str) -> Any:
    schema = schema if isinstance(schema, Mapping) else {}
    if all(isinstance(value, Mapping) for value in values):
        return _merged_objects(values, schema, spread, apart, at)
    if all(isinstance(value, list) for value in values):
        return _merged_lists(values, schema, spread, apart, at)
    if all(type(value) in (int, float) for value in values):
        return _merged_numbers(values, schema, spread, apart, at)
    decides = all(type(value) is bool for value in values) or "enum" in schema
    if not decides:
        return values[0]
    winner, count = Counter(values).most_common(1)[0]
    if 2 * count <= len(values):
        apart.append(at or "the answer")
    return winner


def _merged_objects(values: list[Any], schema: Mapping[str, Any], spread: float, apart: list[str], at: str) -> Any:
    shared = [key for key in values[0] if all(key in value for value in values)]
    known = schema.get("properties", {})
    numbers = [key for key in shared if all(type(value[key]) in (int, float) for value in values)]
    nearest = _nearest(values, numbers)
    ordered = [nearest, *(value for value in values if value is not nearest)]
    return {
        key: _merged(
            [value[key] for value in ordered],
            known.get(key),
            math.inf if key == "confidence" else spread,  # how sure they are decides nothing: the middle is taken
            apart,
            f"{at}.{key}" if at else key,
        )
        for key in shared
    }


def _nearest(values: list[Any], numbers: list[str]) -> Any:
    """The member whose numbers lie nearest to the medians: its words fit the merged numbers best."""
    if not numbers:
        return values[0]
    medians = {key: statistics.median(value[key] for value in values) for key in numbers}
    return min(values, key=lambda value: sum(abs(value[key] - medians[key]) for key in numbers))


def _merged_lists(values: list[Any], schema: Mapping[str, Any], spread: float, apart: list[str], at: str) -> Any:
    """Lists of things with an id or a number, merged thing by thing; other lists are taken from the first."""
    entries = [item for value in values for item in value]
    word = _word_asked(schema)
    if word and entries and all(isinstance(item, Mapping) and type(item.get("number")) is int for item in entries):
        return _merged_numbered(values, *word, apart, at)
    if not all(isinstance(item, Mapping) and isinstance(item.get("id"), str) for value in values for item in value):
        return values[0]
    by_id = [{item["id"]: item for item in value} for value in values]
    shared = [key for key in by_id[0] if all(key in found for found in by_id)]
    items = schema.get("items")
    return [_merged([found[key] for found in by_id], items, spread, apart, f"{at}[{key}]") for key in shared]


def _word_asked(schema: Mapping[str, Any]) -> tuple[str, dict[str, int]] | None:
    """The one field of numbered things that is a word out of a list, and the words' places in it; None where there is no such field."""
    fields = (schema.get("items") or {}).get("properties", {})
    words = [(name, field["enum"]) for name, field in fields.items() if "enum" in field]
    return (words[0][0], {word: n for n, word in enumerate(words[0][1])}) if len(words) == 1 else None


def _merged_numbered(values: list[Any], field: str, order: Mapping[str, int], apart: list[str], at: str) -> list[Any]:
    """What is said about each number, from a member that says the same as more than half of all.

    A member may say several things about one: its last word in the order of the list, which goes from good to bad, is its vote.
    """
    made: list[Any] = []
    for number in dict.fromkeys(item["number"] for value in values for item in value):
        said = [[item for item in value if item["number"] == number] for value in values]
        votes = [max((order.get(item[field], -1) for item in own), default=None) for own in said]
        winner, count = Counter(votes).most_common(1)[0]
        if 2 * count <= len(values):
            apart.append(f"{at}[{number}]")
        made += said[votes.index(winner)]
    return made


def _merged_numbers(values: list[Any], schema: Mapping[str, Any], spread: float, apart: list[str], at: str) -> Any:
    reach = _reach(schema)
    if reach and max(values) - min(values) > spread * reach:
        apart.append(at or "the answer")
    middle = statistics.median(values)
    return statistics.median_low(values) if schema.get("type") == "integer" else middle


def _reach(schema: Mapping[str, Any]) -> float | None:
    """How long a scale is: from its bounds, or from the steps it lists."""
    low, high = schema.get("minimum"), schema.get("maximum")
    steps = [step for step in schema.get("enum", ()) if type(step) in (int, float)]
    if low is None or high is None:
        return float(max(steps) - min(steps)) if steps else None
    return float(high - low)
