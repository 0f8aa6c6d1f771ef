"""How sentences about content are read: the patterns of `lang/content.toml`, and the mood of a clause."""

from __future__ import annotations

import functools
import re
from typing import Any

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.report.lexicon import may_match, table
from witnessmark.actions.report.passages import CODE, ReportPassage, without_code
from witnessmark.text.patterns import compiled

VALUE = r"(?:`[^`\s]{1,60}`|\"[^\"\s]{1,60}\"|v?\d[\w.,:-]{0,40}\w|\d)(?:\s?UNIT(?!\w))?"


@functools.cache
def pattern(section: str, key: str) -> re.Pattern[str]:
    """A pattern of the data, with what its marks stand for put in; a list in the data is a choice."""
    found = table("content")[section][key]
    found = found if isinstance(found, str) else "|".join(found)
    for mark, words in _marks():
        found = found.replace(mark, words)
    return compiled(found, re.MULTILINE)


@functools.cache
def _marks() -> tuple[tuple[str, str], ...]:
    """What stands for a value, a name, a number and the like in the patterns of the data."""
    data = table("content")
    names, values, numbers = data["names"], data["values"], data["counts"]["numbers"]
    return (
        *((f"{{{key}}}", names[key]) for key in ("list", "more", "noun")),
        ("{name}", CODE.pattern),
        ("{count}", rf"\d{{1,3}}|{'|'.join(numbers)}"),
        ("{verb}", values["verb"]),
        ("{value}", VALUE.replace("UNIT", values["unit"])),
    )


def first_match(section: str, key: str, low: str) -> re.Match[str] | None:
    """Where a text first has what a pattern of the data says."""
    return pattern(section, key).search(low) if may_match("content", section, key, low) else None


def content_claim(passage: ReportPassage, role: str, **fields: Any) -> ActionClaim:
    """A claim about content, with the one file that is in force unless another is given."""
    fields.setdefault("path", passage.paths[0] if len(passage.paths) == 1 else None)
    return passage.sentence.claim("content", role=role, **fields)


PRINTED = "printed_otherwise"


def told_otherwise(passage: ReportPassage, role: str, there: str, value: str, old: str | None = None) -> ActionClaim:
    """A claim of which the trace says already what is there instead."""
    return passage.sentence.claim("content", role=role, name=there, value=value, old=old)


def is_barred(low: str) -> bool:
    """Whether a clause plans, asks, supposes or denies, or tells of an earlier version."""
    plain = without_code(low)
    return any(pattern("mood", key).search(plain) is not None for key in ("barred", "elsewhen"))


def clause_at(low: str, start: int, end: int) -> str:
    """The clause around a place: up to the commas, colons and brackets beside it."""
    ends = pattern("clauses", "ends")
    begins = [match.end() for match in ends.finditer(low, 0, start)]
    after = ends.search(low, end)
    return low[begins[-1] if begins else 0 : after.start() if after else len(low)]


def number_of(count: str) -> int:
    """A number in digits or as a word of the data; 0 where it is neither."""
    return int(count) if count.isdigit() else table("content")["counts"]["numbers"].get(count, 0)
