"""A short answer against a short expected one by what both are: an amount, a yes or a no, one thing of several.

What neither of them tells stays for a reading by meaning.
"""

from __future__ import annotations

import re
from itertools import chain, pairwise

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.reading.symbols import differ, marks, signs
from witnessmark.text import lang, words
from witnessmark.text.dates import dates
from witnessmark.text.digits import ungrouped
from witnessmark.text.number_parts import parts
from witnessmark.text.numbers import Number, figures

MOST = 8
"""Words up to which an answer is short."""
_FRACTION = re.compile(r"(\d{1,4})\s?/\s?(\d{1,4})")


def plain(text: str) -> tuple[str, ...]:
    """The words of a text apart from case, accents, marks and articles; figures without what groups their thousands."""
    articles = lang.words("articles")
    row = (ungrouped(word) for word in words.words(words.normal(text)))
    return tuple(word for word in row if word not in articles)


def written_alike(answer: str, expected: str) -> bool | None:
    """Whether two texts of the same words are the same with all their signs; False where a sign says otherwise, None where words or signs do not tell."""
    if plain(answer) != plain(expected):
        return None
    if differ(answer, expected):
        return False
    return True if signs(answer) == signs(expected) and marks(answer) == marks(expected) else None


def same_value(answer: str, expected: str, goal: str = "") -> bool | None:
    """Whether two texts that are nothing but an amount, or a yes or a no, are the same one; None where one of them is not.

    >>> same_value("one thousand", "1000"), same_value("10000", "1000"), same_value("half", "50 %"), same_value("Rome", "Milan")
    (True, False, True, None)
    >>> same_value("12", "12 %"), same_value("12", "12 %", "How many per cent?")
    (None, True)
    """
    polar = [_polarity(text) for text in (answer, expected)]
    if None not in polar:
        return polar[0] == polar[1]
    share = [_share(text) for text in (answer, expected)]
    if None not in share and share[0] == share[1]:
        return True
    one, other = _amount(answer), _amount(expected)
    if one is None or other is None:
        return None
    if one.dimension != other.dimension:
        return True if one.face == other.face and _asked_in({one.dimension, other.dimension}, goal) else None
    return agrees(one, other) or agrees(other, one)


def _asked_in(dimensions: set[str], goal: str) -> bool:
    """Whether a question names the unit that one of two amounts leaves out: how many per cent?"""
    named = (" ".join(row) for row in chain(zip(words.words(goal)), pairwise(words.words(goal))))
    return "" in dimensions and any(
        one.dimension in dimensions - {""} for unit in named for one in figures(f"1 {unit}")
    )


def leaves_open(answer: str, expected: str) -> bool:
    """Whether a short answer has the expected one in it and does not settle on it: `Rome or Milan`, `anywhere but Rome`."""
    row, wanted = plain(answer), plain(expected)
    at = next((at for at in range(len(row) - len(wanted) + 1) if row[at : at + len(wanted)] == wanted), None)
    if at is None or not wanted or row == wanted or len(row) > MOST + len(wanted):
        return False
    joins = lang.words("or_else")
    around = {*row[max(0, at - 1) : at], *row[at + len(wanted) : at + len(wanted) + 1]}
    excepted = any(" ".join(row[:at]).endswith(phrase) for phrase in lang.phrases("scope", "excepted"))
    before = row[max(0, at - 1) : at]
    return bool(joins & around) or excepted or not wording.negations().isdisjoint(before)


def _polarity(text: str) -> bool | None:
    row = plain(text)
    yes, no = (lang.words(name) | lang.listed("records", name) for name in ("yes", "no"))
    return None if len(row) != 1 or row[0] not in yes | no else row[0] in yes


def _share(text: str) -> float | None:
    """What part of one a text says and nothing else: half, three quarters, 1/2, 0.5, 50 %."""
    row, named = plain(text), parts()
    fraction = _FRACTION.fullmatch(text.strip(" ."))
    if fraction is not None and int(fraction[2]):
        return round(int(fraction[1]) / int(fraction[2]), 9)
    if len(row) == 1 and row[0] in named:
        return named[row[0]]
    one = _amount(text)
    if one is None:
        return None
    return round(one.low / 100 if one.dimension == "percent" else one.low, 9)


def _amount(text: str) -> Number | None:
    """The one figure that a text is, with its unit; None where it says anything else, or is a day or an id."""
    found = figures(text)
    if len(found) != 1 or any(day.month for day in dates(text)) or found[0].is_range or found[0].bound:
        return None
    rest = f"{text[: found[0].span[0]]} {text[found[0].span[1] :]}"
    return None if any(char.isalnum() for char in rest) else found[0]
