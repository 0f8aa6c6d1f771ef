"""Which language a text is in, by its script and its most frequent small words. Says None rather than guess."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from witnessmark.text import lang
from witnessmark.text.patterns import compiled

MIN_WORDS = 8
LEAST_SHARE, CLEARLY = 0.08, 1.3
"""The share of a text that small words must be of, and how far ahead of the next language the best must be."""
LEAST_OWN = 2
"""How many small words of a text must be of no use in English: `Use it to do a reset by hand` is not Czech, and `come` is not Italian alone."""
_SCRIPTS = (
    ("HIRAGANA", "ja"), ("KATAKANA", "ja"), ("HANGUL", "ko"), ("CJK", "zh"), ("CYRILLIC", "ru"), ("GREEK", "el"),
    ("ARABIC", "ar"), ("HEBREW", "he"), ("DEVANAGARI", "hi"), ("THAI", "th"),
)  # fmt: skip
_WORD = compiled(r"(?<![\w/\\.@:=])[^\W\d_]+(?![\w/\\@=]|[.:]\w)")
"""A word that stands by itself: the parts of a path, an address or a name in code (`/v2/do`) are of no language."""
_OTHER_SCRIPT = compiled("[\u0370-\u1fff\u2c00-\U0010ffff]")


@lang.derived
def small_words() -> dict[str, frozenset[str]]:
    """The most frequent small words of every language that can be told, by its code."""
    told = {code: frozenset(words.split()) for code, words in lang.told_apart().items()}
    return told | {code: lang.words("small", code) for code in lang.codes()}


def known() -> frozenset[str]:
    """The languages that can be told, by their small words or their script."""
    return frozenset(small_words()) | {language for _, language in _SCRIPTS} | {"uk"}


@lang.derived
def _weights() -> dict[str, list[tuple[str, float]]]:
    """The languages that each small word speaks for, and how much: a word that several have (`a`, `to`, `de`) is shared between them.

    For the languages that are read, their stop words count too: what is English must not be taken for Czech by `a`, `to`, `do`, `by`.
    """
    every = {
        code: found | (lang.words("stop", code) if code in lang.codes() else frozenset())
        for code, found in small_words().items()
    }
    often = Counter(word for found in every.values() for word in found)
    return {word: [(code, 1 / often[word]) for code, found in every.items() if word in found] for word in often}


def detect(text: str) -> tuple[str | None, float]:
    """The language and how much of the evidence speaks for it; None where the text does not say."""
    sample = text[:20_000]
    script = _script(sample)
    if script is not None:
        return script
    words = _WORD.findall(unicodedata.normalize("NFC", sample).lower())
    if len(words) < MIN_WORDS:
        return None, 0.0
    weights = _weights()
    hits = dict.fromkeys(small_words(), 0.0)
    for word, times in Counter(words).items():
        for code, weight in weights.get(word, ()):
            hits[code] += times * weight
    (best, most), (_, second) = Counter(hits).most_common(2)
    if most / len(words) < LEAST_SHARE or most < CLEARLY * second:
        return None, 0.0
    if _may_be_english(frozenset(words), best):
        return None, 0.0
    return best, round(most / (most + second), 3)


def detect_short(text: str) -> str:
    """The language of a text too short to tell by shares: the one that is read whose words it has most of, English where even.

    One that is not read only by a word that no other has (`het`, `jest`), and where it explains more of the words than any that is.
    """
    row = set(_WORD.findall(unicodedata.normalize("NFC", text).lower()))
    read = {code: len(row & (lang.words("small", code) | lang.words("stop", code))) for code in lang.codes()}
    best = max(read, key=lambda code: read[code])
    for code, words in lang.distinctive_words().items():
        told = row & set(words.split())
        if code not in read and told and len(told | row & small_words()[code]) > read[best]:
            return code
    return best


def foreign(sentence: str) -> str:
    """The language of one sentence where it is surely none of those that are read, empty otherwise; `und` where only its letters say so.

    Its script tells, its small words, or words in small letters with letters that none of the read languages has.
    """
    found = detect(sentence)[0] or detect_short(sentence)
    if found not in lang.codes():
        return found
    row = _WORD.findall(unicodedata.normalize("NFC", sentence))
    small = {word.lower() for word in row} & frozenset().union(*(small_words()[code] for code in lang.codes()))
    strange = sum(
        len(word) > SYMBOL and word.isalpha() and word.islower() and not set(word) <= _letters() for word in row
    )
    return "und" if strange >= LEAST_STRANGE or (strange and not small and len(row) >= LEAST_STRANGE) else ""


SYMBOL = 2
"""Letters up to which a word may be the sign of a unit: `µs`, `kω`; `km²` is no word at all."""
LEAST_STRANGE = 3
"""Words with letters of another language that tell a sentence which has words of one that is read."""


@lang.derived
def _letters() -> frozenset[str]:
    """The letters that the languages which are read are written in."""
    return frozenset("abcdefghijklmnopqrstuvwxyz").union(*(lang.words("letters")))


def _may_be_english(row: frozenset[str], other: str) -> bool:
    """Whether words that speak for another language may be English: few of them are not, and English has as many."""
    english = lang.words("small", "en") | lang.words("stop", "en")
    told = row & small_words()[other]
    return other != "en" and (len(told - english) < LEAST_OWN or len(told) <= len(row & english))


def _script(text: str) -> tuple[str, float] | None:
    """The language where another script than Latin carries most of the letters."""
    if _OTHER_SCRIPT.search(text) is None:
        return None
    letters = [char for char in text if char.isalpha()][:4_000]
    if not letters:
        return None
    counts: Counter[str] = Counter()
    for char in letters:
        if ord(char) > 0x24F:
            name = unicodedata.name(char, "")
            counts[next((lang for prefix, lang in _SCRIPTS if name.startswith(prefix)), "other")] += 1
    if not counts or sum(counts.values()) < 0.5 * len(letters):
        return None
    if counts["ja"] > 0.1 * len(letters):
        return "ja", round((counts["ja"] + counts["zh"]) / len(letters), 3)
    language, count = counts.most_common(1)[0]
    if language == "ru" and re.search("[іїєґ]", text.lower()):
        language = "uk"
    return (language, round(count / len(letters), 3)) if language != "other" else None
