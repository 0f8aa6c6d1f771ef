"""Numbers written as words, by the words that each language has for them.

>>> value(["two", "hundred", "and", "six", "thousand"])
206000
>>> value(["quatre", "vingt", "dix"], "fr"), value(["treinta", "y", "cinco"], "es"), value(["siebenundvierzig"], "de")
(90, 35, 47)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from witnessmark.text import lang

MOST = 10**18
"""The largest number in words; `hundred hundred hundred …` is none, and would soon be larger than a float can be."""
MOST_WORDS = 60
"""Words and hyphens of one number at most: 999,999,999,999,999 has less."""


@dataclass(frozen=True, slots=True)
class NumberWords:
    """The number words of one language: up to 99, scales, and the words that join them."""

    small: Mapping[str, int]
    scales: Mapping[str, int]
    after_scale: frozenset[str]
    after_tens: frozenset[str]
    vigesimal: str


@lang.derived
def number_words(language: str) -> NumberWords:
    """The number words of a language, from its file."""
    table = lang.language(language).get("numbers", {})
    ones, tens = table.get("ones", "").split(), table.get("tens", "").split()
    small = {word: number for number, word in enumerate(ones)}
    small |= {word: 10 * number for number, word in enumerate(tens, 2)}
    if "glued" in table:
        pairs = [(one, n, ten) for ten in tens for n, one in enumerate(table["glued_ones"].split(), 1)]
        small |= {table["glued"].format(one=one, ten=ten): small[ten] + n for one, n, ten in pairs}
    small |= table.get("more", {})
    joins = frozenset(table.get("join_after_scale", "").split()), frozenset(table.get("join_after_tens", "").split())
    return NumberWords(small, table.get("scales", {}), *joins, table.get("vigesimal", ""))


@lang.derived
def _all_scales() -> frozenset[str]:
    return frozenset(word for table in lang.section("numbers", "scales") for word in table)


@lang.derived
def every_number_word() -> frozenset[str]:
    """The words that say how many, in any language: numbers, and what says it without one (none, both, half)."""
    known = (number_words(code) for code in lang.codes())
    return lang.words("without_number").union(*({*one.small, *one.scales} for one in known))


def counting_words(most: int, language: str = "en") -> dict[str, int]:
    """The words for the numbers from one to `most`."""
    ones = lang.language(language).get("numbers", {}).get("ones", "").split()
    return {word: number for number, word in enumerate(ones) if 1 <= number <= most}


def is_number(word: str, language: str = "en") -> bool:
    """Whether a word is part of a number in that language."""
    known = number_words(language)
    return word in known.small or word in known.scales


def stands_alone(word: str) -> bool:
    """Whether a number word means a number without others beside it; an article or a bare `million` does not."""
    return word not in lang.listed("numbers", "articles") and word not in _all_scales()


def one_word(word: str, language: str = "en") -> int | None:
    """The number that one word says, in digits or in a language; None where it says none. An article is no number.

    >>> one_word("12"), one_word("fünf", "de"), one_word("treize", "fr"), one_word("once"), one_word("once", "es")
    (12, 5, 13, None, 11)
    """
    if word.isdecimal():
        return int(word)
    return number_words(language).small.get(word) if stands_alone(word) else None


def value(words: Sequence[str], language: str = "en") -> int | None:
    """The number that the words say, or None. Joining words stand between numbers only."""
    known = number_words(language)
    total = group = 0
    seen = False
    for place, word in enumerate(words):
        if word in known.after_scale or word in known.after_tens:
            if not seen or place + 1 == len(words):
                return None
            continue
        if word in known.small:
            twenties = word == known.vigesimal and group % 100 == 4
            group = 80 if twenties else group + known.small[word]
        elif word in known.scales:
            group, total = _scaled(group, total, known.scales[word])
        else:
            return None
        if total + group > MOST:
            return None
        seen = True
    return total + group if seen else None


def _scaled(group: int, total: int, scale: int) -> tuple[int, int]:
    if scale == 100:
        return (group or 1) * 100, total
    return 0, total + (group or 1) * scale


def joins(word: str, before: str, language: str = "en") -> bool:
    """Whether a word after this number word may go on to the next: `hundred and`, `treinta y`, `vingt et`, `twenty -`."""
    known = number_words(language)
    if word in known.after_scale:
        return known.scales.get(before, 0) in (100, 1000)
    return (word in known.after_tens or word == "-") and known.small.get(before, 0) >= 20
