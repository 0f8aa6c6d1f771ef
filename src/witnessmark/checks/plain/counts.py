"""Counts that a criterion names ("all 6 categories", "at least 3 gaps", "200 to 300 words", "at most 200 words"), held against the text.

Words and characters are counted exactly. Of things, only a clear shortfall is told: the text has a list or headings
for them, or is one list and nothing else, and nowhere in it are there as many as asked for. Whether the things counted are the right ones is for a judge.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from witnessmark.text import lang
from witnessmark.text.markdown import ITEM, headings, plain_lines
from witnessmark.text.numerals import counting_words


@lang.derived
def _wanted() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:all|at least|no fewer than|minimum of|exactly|the)\s+(?:of the\s+|the\s+)?"
        rf"(\d{{1,6}}|{lang.either(counting_words(12))})\s+((?:[a-z][\w-]*\s+){{0,5}}?)([a-z][\w-]*s)\b"
        r"(?=\s*(?:$|[.,;:!?()]|(?:with|of|in|for|and|that|which|from|on|to|are|is|must|each|including|long|or)\b))",
        re.IGNORECASE,
    )


@lang.derived
def _most() -> re.Pattern[str]:
    return re.compile(
        r"\b(?P<lead>at most|no more than|not more than|up to|a maximum of|maximum|max\.?|within|under|fewer than|less than|not exceed(?:ing)?|"
        r"limit(?:ed)? (?:of|to)|exactly)"
        rf"\s+(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d{{1,6}}|{lang.either(counting_words(12))})\s+(?P<what>words|characters)\b|"
        r"\b(?P<after>\d{1,3}(?:,\d{3})+|\d{1,6})\s+(?P<what_after>words|characters)\s+(?:or (?:fewer|less)|at (?:most|the most)|maximum|max\b)",
        re.IGNORECASE,
    )


def _number(word: str) -> int:
    return counting_words(12).get(word) or int(word)


_OF_A_PART = re.compile(
    r"\b(?:each|every|per|abstract|titles?|headlines?|headings?|sections?|paragraphs?|sentences?|bullets?|items?|introduction|conclusion|"
    r"subject|captions?|descriptions?|names?|labels?|entry|entries|lines?|comments?|messages?|executive|quotes?|quotations?)\b",
    re.IGNORECASE,
)
"""A limit on a part of the text says nothing about the whole: that is for a judge."""
_MEASURED = {"words": lambda text: len(text.split()), "characters": len}
_NOT_THINGS = frozenset(
    [
        "sentences",
        "paragraphs",
        "pages",
        "lines",
        "tokens",
        "minutes",
        "hours",
        "days",
        "weeks",
        "months",
        "years",
        "percent",
        "percents",
        "dollars",
        "euros",
        "times",
        "points",
        "stars",
        "seconds",
        "bytes",
    ]
)
_INLINE = re.compile(r"(?:^|[\s,;])\(?(?:\d{1,2}|[ivx]{1,4})\)\s+\w")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^\s*\|[\s:|-]+\|\s*$")


_LISTED = re.compile(
    r"^\W*(?:(?:it|the \w+|there|this)\s+)?(?:must\s+|should\s+)?(?:(?:lists?|contains?|has|have|gives?|includes?|provides?|identif(?:y|ies)|"
    r"describes?|names?|shows?|states?|offers?|proposes?|are|is)\s+)?(?:at least|no fewer than|a minimum of|minimum of|exactly)\s",
    re.IGNORECASE,
)
"""A criterion that asks for so many things to be listed; to mention, cite or cover some is not to list them."""
_IN_ONE_ITEM = frozenset(
    "numbers figures names links urls citations references sources quotes quotations keywords terms dates emojis hashtags letters "
    "syllables verbs nouns adjectives questions examples facts statistics countries people companies products details".split()
)
"""Things of which one item may well hold several, without a word between them."""
_SEVERAL = re.compile(
    r"[,;/&+:()|–—]|\.\s|\s-\s|\b(?:and|or|then|plus|with|as well|und|oder|sowie|et|ou|y|o)\b", re.IGNORECASE
)
"""Signs that an item holds more than one thing."""


@dataclass(frozen=True, slots=True)
class Count:
    """What a criterion asks for, at least or at most, and how many were found."""

    wanted: int
    found: int
    what: str
    most: bool = False


@functools.lru_cache(maxsize=1024)
def wanted(criterion: str) -> tuple[int, str] | None:
    """How many of what a criterion asks for, where it says so."""
    match = _wanted().search(criterion)
    if match is None:
        return None
    return _number(match.group(1).lower()), match.group(3).lower()


@functools.lru_cache(maxsize=1024)
def allowed(criterion: str) -> tuple[int, str] | None:
    """How many words or characters a criterion allows at most, where it says so."""
    match = _most().search(criterion)
    if match is None or _OF_A_PART.search(criterion):
        return None
    number = (match["number"] or match["after"]).lower().replace(",", "")
    below = (match["lead"] or "").lower() in ("under", "fewer than", "less than")
    return _number(number) - below, (match["what"] or match["what_after"]).lower()


def miscount(text: str, criterion: str) -> Count | None:
    """The count where the text clearly has fewer than the criterion asks for, or more words than it allows; else None."""
    limit = allowed(criterion)
    if limit is not None and not ("summary" in criterion.lower() and headings(text)):
        number, what = limit
        found = _MEASURED[what](text)
        if found > number:
            return Count(number, found, what, most=True)
    return _shortfall(text, criterion)


def _shortfall(text: str, criterion: str) -> Count | None:
    asked = wanted(criterion)
    if asked is None:
        return None
    number, what = asked
    if what in _MEASURED:
        found = _MEASURED[what](text)
        return Count(number, found, what) if found < number else None
    if what in _NOT_THINGS:
        return None
    listed = what not in _IN_ONE_ITEM and _LISTED.match(criterion) is not None and _only_a_list(text)
    if not listed and not _named(text, re.sub(r"(?:ies|es|s)$", "", what)):
        return None
    found = _things(text)
    return Count(number, found, what) if 0 < found < number else None


def _only_a_list(text: str) -> bool:
    """Whether a text is the items of one flat list and nothing else, each of which can only be one thing."""
    rows = [line for line in plain_lines(text) if line.strip()]
    items = [match.end() for match in map(ITEM.match, rows) if match]
    flat = len({len(line) - len(line.lstrip()) for line in rows}) == 1
    bare = [line[at:] for line, at in zip(rows, items, strict=False)]
    return len(items) == len(rows) > 0 and flat and len(text.split("\n\n")) == 1 and not any(map(_SEVERAL.search, bare))


def counted_things(number: int, what: str, *, more: bool = False) -> str:
    """So many of the things that a criterion names in the plural: `1 word`, `2 more categories`."""
    one = re.sub(r"(?<=[^aeiou])ies$", "y", what)
    one = re.sub(r"(?<=ss)es$|(?<=[xz])es$|(?<=[cs]h)es$|s$", "", one) if one == what else one
    return f"{number} {'more ' if more else ''}{one if number == 1 else what}"


def _named(text: str, stem: str) -> bool:
    """Whether a list or table in the text is announced, by a heading or a line before it, as being of these things."""
    announced = False
    for line in plain_lines(text):
        if ITEM.match(line) or _ROW.match(line):
            if announced:
                return True
        elif line.strip():
            announced = stem in line.lower() and (line.rstrip().endswith(":") or line.lstrip().startswith("#"))
    return False


def _things(text: str) -> int:
    """At most how many things the text can be said to list: items, rows, headings, and numbers in running text."""
    rows = list(plain_lines(text))
    items = sum(bool(ITEM.match(line)) for line in rows)
    table = sum(bool(_ROW.match(line)) and not _RULE.match(line) for line in rows)
    inline = sum(len(_INLINE.findall(line)) for line in rows if not ITEM.match(line))
    return items + table + inline + max(len(headings(text)) - 1, 0)
