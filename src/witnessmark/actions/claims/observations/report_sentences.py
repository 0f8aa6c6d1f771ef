"""The sentences of a report that tell of something, as far as they are read, and the claims that are made of them: what the rulings on told things share."""

from __future__ import annotations

import functools
import re

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, contradicted
from witnessmark.actions.content.passages import ReportPassage, passages, without_code
from witnessmark.actions.content.wording import pattern

MAX_SENTENCES = 1_000
"""So many sentences are held against the trace; what follows them is listed as not read."""


def told(passage: ReportPassage, role: str, there: str, value: str = "", old: str | None = None) -> ActionClaim:
    """A claim of which the trace says already what is there instead."""
    return passage.sentence.claim("content", role=role, name=there, value=value, old=old)


def untrue(claim: ActionClaim) -> Ruling:
    """The ruling on such a claim."""
    return contradicted("contradicted_claim", claim.name or "", (claim.name or "")[:80])


def sentences_of(report: str) -> tuple[ReportPassage, ...]:
    """The first sentences and rows of a report that tell of something; their letters stand where those of the text do."""
    return _read(report)[0]


def read_until(report: str) -> int:
    """Where the first sentence stands that `sentences_of` leaves out; the end of the report where it leaves out none."""
    return _read(report)[1]


@functools.lru_cache(maxsize=4)
def _read(report: str) -> tuple[tuple[ReportPassage, ...], int]:
    kept: list[ReportPassage] = []
    for each in passages(report):
        if len(each.sentence.low) != len(each.sentence.text):
            continue
        if len(kept) == MAX_SENTENCES:
            return tuple(kept), each.sentence.start
        kept.append(each)
    return tuple(kept), len(report)


def admitted(report: str) -> bool:
    """Whether a report speaks of anything that failed or was not done for good; `0 failures` and what was mended are no such thing."""
    low = without_code(report.lower())
    return pattern("told", "admits").search(pattern("told", "none_of").sub(" ", low)) is not None


def letters(text: str) -> str:
    """A text in small letters without anything between them: `dry-run` and `dryRun` are the same."""
    return re.sub(r"[\W_]+", "", text.lower())


def names(word: str, text: str) -> bool:
    """Whether a text in small letters has a word of a command, or the last part of a path."""
    short, whole = _named(word)
    return short in text and whole.search(text) is not None


@functools.lru_cache(maxsize=4096)
def _named(word: str) -> tuple[str, re.Pattern[str]]:
    """A word as it is looked for, and the pattern of it as a whole word."""
    short = (word.rstrip("/").rpartition("/")[2] if word.count("/") != 1 else word).lower()
    bare = re.escape(short)
    return short, re.compile(rf"(?<![\w/-]){bare}(?![\w/-]|\.\w)" if "/" not in word else rf"(?<![\w-]){bare}(?![\w-])")
