"""How sentences about content are read: the patterns of `lang/content.toml`, the mood of a clause, and the claim that is made of one."""

from __future__ import annotations

import functools
import re
from typing import Any

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.content.passages import CODE, ReportPassage
from witnessmark.actions.report.lexicon import may_match, table

VALUE = r"(?:`[^`\s]{1,60}`|\"[^\"\s]{1,60}\"|v?\d[\w.,:-]{0,40}\w|\d)(?:\s?UNIT(?!\w))?"
_CLAUSE = re.compile(r"[,;:(—–]\s|\s[-—–]\s|\.\s|\s(?:so that|because|damit|weil|parce que|afin que|para que|porque)\s")


@functools.cache
def pattern(section: str, key: str) -> re.Pattern[str]:
    """A pattern of the data, with what stands for a value put in."""
    data = table("content")
    found = data[section][key]
    value = VALUE.replace("UNIT", data["values"]["unit"])
    if section == "kinds":
        for name, words in (("{kind}", data["kinds"]["endings"]), ("{only}", data["kinds"]["only"])):
            found = found.replace(name, f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})")
    return re.compile(found.replace("{verb}", data["values"]["verb"]).replace("{value}", value), re.MULTILINE)


def found(section: str, key: str, low: str) -> re.Match[str] | None:
    """Where a text first has what a pattern of the data says."""
    return pattern(section, key).search(low) if may_match("content", section, key, low) else None


def content_claim(passage: ReportPassage, role: str, **fields: Any) -> ActionClaim:
    """A claim about content, with the one file that is in force unless another is given."""
    fields.setdefault("path", passage.paths[0] if len(passage.paths) == 1 else None)
    return passage.sentence.claim("content", role=role, **fields)


def is_barred(low: str) -> bool:
    """Whether a clause plans, asks, supposes or denies, or tells of an earlier version."""
    plain = CODE.sub(" x ", low)
    return any(pattern("mood", key).search(plain) is not None for key in ("barred", "elsewhen"))


def clause_at(low: str, start: int, end: int) -> str:
    """The clause around a place: up to the commas, colons and brackets beside it."""
    begins = [match.end() for match in _CLAUSE.finditer(low, 0, start)]
    after = _CLAUSE.search(low, end)
    return low[begins[-1] if begins else 0 : after.start() if after else len(low)]
