"""Counts that a criterion names ("all 6 categories", "at least 3 gaps", "between 200 and 300 words", "at most 200 words"), held against the text.

Words and characters are counted exactly. Of things, only a clear shortfall is told: the text has a list or headings
for them, or is one list and nothing else, nowhere in it are there as many as asked for, and it does not say that there are fewer. Whether the things
counted are the right ones is for a judge. The words of each language stand in its file under [counts].
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

from witnessmark.text import lang
from witnessmark.text.digits import ungrouped
from witnessmark.text.markdown import ITEM, cells, headings, is_row, is_table_rule, plain_lines
from witnessmark.text.numerals import counting_words
from witnessmark.text.patterns import compiled
from witnessmark.text.words import word_count

_MEASURED: dict[str, Callable[[str], tuple[int, int]]] = {
    "words": word_count,
    "characters": lambda text: (len(text), len(text)),
}
"""How many there are at least and at most."""
_INLINE = compiled(r"(?:^|[\s,;])\(?(?:\d{1,2}|[ivx]{1,4})\)\s+\w")


@lang.derived
def _numbers() -> dict[str, int]:
    return {word: number for code in reversed(lang.codes()) for word, number in counting_words(12, code).items()}


@lang.derived
def _measures() -> dict[str, str]:
    """What words and characters are called in any language."""
    return {word: name for name in _MEASURED for word in lang.listed("counts", name)}


_pattern = functools.partial(lang.pattern, "counts")


@lang.derived
def _counted() -> dict[str, str]:
    """The numbers, and what is measured, as parts of a pattern."""
    return {"numbers": lang.either(_numbers()), "measured": lang.either(_measures())}


_WANTED = (
    r"(?:\b{least}|(?P<request>(?:^|(?<=[.!?:]\s))\W*{requests}))\s+(?:{of_them}\s+)?"
    r"(?P<number>\d{1,6}|{numbers})\s+(?:[a-z][\w-]*\s+){0,5}?(?P<what>[a-z][\w-]*s|{measured})\b"
    r"(?=\s*(?:$|[.,;:!?()]|{after}\b))"
)
_MOST = (
    r"\b(?:(?P<below>{below})|{most})\s+(?P<number>\d{1,3}(?:,\d{3})+|\d{1,6}|{numbers})\s+(?P<what>{measured})\b|"
    r"\b(?P<number_before>\d{1,3}(?:,\d{3})+|\d{1,6})\s+(?P<what_before>{measured})\s+{most_behind}\b"
)
_OF_A_PART = r"\b{parts}\b"
"""A limit on a part of the text says nothing about the whole: that is for a judge."""
_MADE = r"^\W*{makers}\s+"
"""What opens a request for a text, which is then the whole of it, whatever it is called."""
_HELD = r"\b{holders}\s+{articles}\s+(?!(?:[\w-]+\s+)?{lengths}\b)[\w;-]+(?:\s+[\w-]+){0,4}$"
"""The end of a clause that says what a text has in it, right before the limit on that."""
_OF_INPUT = r"\b{inputs}(?:\s+(?:{input_leads}|{holders}|{of})){0,3}\s*$"
"""The end of a clause about what a program is given ("a password has"), right before a limit on its characters."""
_SUBJECT = (
    r"^\W*(?:{keepers}\s+)?(?:(?:{articles}\s+)?(?:[\w-]+\s+){0,2}{lengths}\s+{of}\s+)?"
    r"{articles}(?:\s+|(?<=['’]))(?P<head>(?:(?!{prepositions}\b)[\w;'’-]+\s*){0,6})"
)
"""What a clause opens with, without the words that lead to it: an article and the words up to a preposition."""
_OF_SO_MANY = r"(?P<head>(?:[\w;'’-]+\s+){1,6}?){of}$"
"""A clause that ends in what a thing is of ("an opening of"), with that thing."""
_WHOLE = r"\b(?:{wholes}|{summaries}|{lengths})\b"
"""What a whole text is called."""
_CLAUSE_END = r"[.!?:;,\n]\s|\b{clauses}\b"
_SOME_BEHIND = r"\s*{some_behind}\b"
"""Words of something, from something: not all words of the text."""
_LISTED = r"^\W*(?:{listed}|{requests}\s)"
"""A criterion that asks for so many things to be listed; to mention, cite or cover some is not to list them."""
_SEVERAL = r"[,;/&+:()|–—]|\.\s|\s-\s|\b{joins}\b"
"""Signs that an item holds more than one thing."""
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,6}|{numbers})"
_RANGE = (
    rf"(?P<lead>(?:^|[:;,(]|\b(?:{{range_leads}}|{{holders}}|{{of}}))\s*|{_MADE}){{between}}\s+"
    rf"(?P<low>{_NUMBER})\s+{{range_joins}}\s+(?P<high>{_NUMBER})\s+(?P<what>{{measured}})\b"
)
"""Two limits at once (`between 30 and 60 words`), where these are what a text has; `the difference between 30 and 60 words` is no limit."""
_LIMIT_ALONE = (
    r"\W*(?:(?:{articles}\s+)?{wholes}\s+{holders}\s+)?"
    rf"(?:{{between}}\s+{_NUMBER}\s+{{range_joins}}\s+{_NUMBER}\s+{{measured}}(?:\s+{{long}})?|"
    rf"(?:{{leasts}}|{{most}}|{{below}})\s+{_NUMBER}\s+{{measured}}(?:\s+{{long}})?|{_NUMBER}\s+{{measured}}\s+{{most_behind}})\W*"
)
"""A criterion that limits the words or characters of the whole text and says nothing else: `At least 80 words`."""


@lang.derived
def _leasts() -> str:
    """What says `at least`, without the articles that may stand for it (`a 200-word text`)."""
    return lang.either(lang.phrases("counts", "least") - lang.phrases("counts", "articles"))


@dataclass(frozen=True, slots=True)
class Count:
    """What a criterion asks for, at least or at most, and how many were found."""

    wanted: int
    found: int
    what: str
    most: bool = False

    @property
    def kept(self) -> bool:
        """Whether there are as many as asked for, or no more than allowed."""
        return self.found <= self.wanted if self.most else self.found >= self.wanted


@lang.kept(1024)
def wanted(criterion: str) -> tuple[int, str] | None:
    """How many of what a criterion asks for at least, where it says so; of words that are just asked for it may be some more or less."""
    if limits := _range(criterion):
        return limits[0], limits[2]
    match = _pattern(_WANTED, **_counted()).search(criterion)
    if match is None or (match["request"] and match["what"].lower() in _measures()):
        return None
    what = match["what"].lower()
    return _number(match["number"]), _measures().get(what, what)


@lang.kept(1024)
def allowed(criterion: str) -> tuple[int, str] | None:
    """How many words or characters a criterion allows at most, where it says so."""
    if limits := _range(criterion):
        return limits[1], limits[2]
    match = _pattern(_MOST, **_counted()).search(criterion)
    if match is None or _pattern(_OF_A_PART).search(criterion) or _pattern(_SOME_BEHIND).match(criterion, match.end()):
        return None
    what = _measures()[(match["what"] or match["what_before"]).lower()]
    if not _limits_all(criterion[: match.start()], what):
        return None
    return _number(match["number"] or match["number_before"]) - bool(match["below"]), what


def _range(criterion: str) -> tuple[int, int, str] | None:
    """The fewest and the most words or characters of the whole text that a criterion names at once, and which of the two."""
    match = _pattern(_RANGE, **_counted()).search(criterion)
    if match is None or _pattern(_OF_A_PART).search(criterion) or _pattern(_SOME_BEHIND).match(criterion, match.end()):
        return None
    what = _measures()[match["what"].lower()]
    if not _limits_all(criterion[: match.end("lead")], what):
        return None
    low, high = _number(match["low"]), _number(match["high"])
    return (low, high, what) if low <= high else None


def _limits_all(before: str, what: str) -> bool:
    """Whether the words before a limit name the whole text, or nothing, as what is limited; a part of it is for a judge."""
    if what == "characters" and _pattern(_OF_INPUT).search(before):
        return False
    clause = before.rstrip(" \t,:;(–—-")
    ends = [end.end() for end in _pattern(_CLAUSE_END).finditer(clause)]
    clause = clause[max(ends, default=0) :].strip()
    made = _pattern(_MADE).match(clause)
    clause = clause[made.end() :] if made else clause
    if _pattern(_HELD).search(_pattern(r"\s+{of}$").sub("", clause)):
        return False
    named = None if made else _pattern(_SUBJECT).match(clause) or _pattern(_OF_SO_MANY).search(clause)
    return named is None or not named["head"].strip() or _pattern(_WHOLE).search(named["head"]) is not None


def _number(word: str) -> int:
    return _numbers().get(word.lower()) or int(ungrouped(word))


def count(text: str, criterion: str) -> Count | None:
    """What settles a criterion by counting: a miscount, or a limit on words or characters that is kept and is all it asks for; else None."""
    return miscount(text, criterion) or _keeps(text, criterion)


def _keeps(text: str, criterion: str) -> Count | None:
    limits = _limits_alone(criterion)
    kept = [Count(number, _MEASURED[what](text)[most], what, most) for number, what, most in limits]
    return kept[0] if kept and all(one.kept for one in kept) else None


@lang.kept(1024)
def _limits_alone(criterion: str) -> tuple[tuple[int, str, bool], ...]:
    """The limits that a criterion names, each with whether it is the most, where it says nothing else; otherwise none."""
    if _pattern(_LIMIT_ALONE, **_counted(), leasts=_leasts()).fullmatch(criterion) is None:
        return ()
    limits = (wanted(criterion), False), (allowed(criterion), True)
    return tuple((*limit, most) for limit, most in limits if limit is not None)


def miscount(text: str, criterion: str) -> Count | None:
    """The count where the text clearly has fewer than the criterion asks for, or more words than it allows; else None."""
    limit = allowed(criterion)
    if limit is not None and not (_of_a_summary(criterion) and (headings(text) or _of_a_summary(text))):
        number, what = limit
        found, _ = _MEASURED[what](text)
        if found > number:
            return Count(number, found, what, most=True)
    return _shortfall(text, criterion)


def _shortfall(text: str, criterion: str) -> Count | None:
    asked = wanted(criterion)
    if asked is None:
        return None
    number, what = asked
    if what in _MEASURED:
        _, found = _MEASURED[what](text)
        return Count(number, found, what) if found < number else None
    if what in lang.listed("counts", "measures"):
        return None
    rows = _only_rows(text, what)
    if rows:
        return Count(number, len(rows), what) if len(rows) < number else None
    items = _only_items(text) if _pattern(_LISTED).match(criterion) else []
    listed = bool(items) and (
        what not in lang.listed("counts", "in_one_item") or not any(len(one.split()) > 1 for one in items)
    )
    if not listed and not _named(text, re.sub(r"(?:ies|es|s)$", "", what)):
        return None
    found = _things(text)
    prose = " ".join(line for line in plain_lines(text) if not ITEM.match(line))
    return Count(number, found, what) if 0 < found < number and not _pattern(r"\b{fewer}\b").search(prose) else None


def _of_a_summary(words: str) -> bool:
    return any(word in words.lower() for word in lang.listed("counts", "summaries"))


def _only_items(text: str) -> list[str]:
    """The items of a text that is one flat list and nothing else, each of which can only be one thing; else none."""
    rows = [line for line in plain_lines(text) if line.strip()]
    items = [match.end() for match in map(ITEM.match, rows) if match]
    flat = len({len(line) - len(line.lstrip()) for line in rows}) == 1
    bare = [line[at:] for line, at in zip(rows, items, strict=False)]
    alone = (
        len(items) == len(rows)
        and flat
        and len(text.split("\n\n")) == 1
        and not any(map(_pattern(_SEVERAL).search, bare))
    )
    return bare if alone else []


def _only_rows(text: str, what: str) -> list[str]:
    """The first cells of a text that is one table and nothing else, with a row for each of these things by its header; else none."""
    rows = [line for line in plain_lines(text) if line.strip()]
    if not all(map(is_row, rows)) or [is_table_rule(row) for row in rows[:3]] != [False, True, False]:
        return []
    head, *named = (cells(row)[0] for row in rows if not is_table_rule(row))
    return named if head.lower() == _one_of(what) and not any(map(_pattern(_SEVERAL).search, named)) else []


def _one_of(what: str) -> str:
    """The singular of what a criterion names in the plural."""
    one = re.sub(r"(?<=[^aeiou])ies$", "y", what)
    return re.sub(r"(?<=ss)es$|(?<=[xz])es$|(?<=[cs]h)es$|s$", "", one) if one == what else one


def counted_things(number: int, what: str, *, more: bool = False) -> str:
    """So many of the things that a criterion names in the plural: `1 word`, `2 more categories`."""
    return f"{number} {'more ' if more else ''}{_one_of(what) if number == 1 else what}"


def _named(text: str, stem: str) -> bool:
    """Whether a list or table in the text is announced, by a heading or a line before it, as being of these things."""
    announced = False
    for line in plain_lines(text):
        if ITEM.match(line) or is_row(line):
            if announced:
                return True
        elif line.strip():
            announced = stem in line.lower() and (line.rstrip().endswith(":") or line.lstrip().startswith("#"))
    return False


def _things(text: str) -> int:
    """At most how many things the text can be said to list: items, rows, headings, and numbers in running text."""
    rows = list(plain_lines(text))
    items = sum(bool(ITEM.match(line)) for line in rows)
    table = sum(is_row(line) and not is_table_rule(line) for line in rows)
    inline = sum(len(_INLINE.findall(line)) for line in rows if not ITEM.match(line))
    return items + table + inline + max(len(headings(text)) - 1, 0)
