"""Numbers written as words, in English, German, French and Spanish.

>>> value(["two", "hundred", "and", "six", "thousand"])
206000
>>> value(["quatre", "vingt", "dix"], "fr"), value(["treinta", "y", "cinco"], "es"), value(["siebenundvierzig"], "de")
(90, 35, 47)
"""

from __future__ import annotations

from collections.abc import Sequence

_ONES = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
}
_FURTHER = {
    "en": {"dozen": 12},
    "de": {"dutzend": 12, "zwo": 2},
    "fr": {"douzaine": 12},
    "es": {"docena": 12, "una": 1},
}
_SCALES = {
    "en": {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12},
    "de": {
        "hundert": 100,
        "tausend": 1000,
        "million": 10**6,
        "millionen": 10**6,
        "milliarde": 10**9,
        "milliarden": 10**9,
    },
    "fr": {
        "cent": 100,
        "cents": 100,
        "mille": 1000,
        "million": 10**6,
        "millions": 10**6,
        "milliard": 10**9,
        "milliards": 10**9,
    },
    "es": {"cien": 100, "ciento": 100, "cientos": 100, "mil": 1000, "millón": 10**6, "millones": 10**6},
}


def _small(language: str) -> dict[str, int]:
    made = {word: number for number, word in enumerate(_ONES[language].split())}
    made |= {word: 10 * number for number, word in enumerate(_TENS[language].split(), 2)}
    if language == "de":
        ones = ("ein", *_ONES["de"].split()[2:10])
        tens = _TENS["de"].split()
        made |= {f"{one}und{ten}": made[ten] + number for ten in tens for number, one in enumerate(ones, 1)}
    if language == "es":
        made |= {f"veinti{word}": 20 + made[word] for word in _ONES["es"].split()[1:10]}
    return made | _FURTHER[language]


_SMALL = {language: _small(language) for language in _ONES}
_ARTICLES = frozenset({"un", "una", "uno", "one", "eins", "cent", "mil", "mille"})
_JOINS = frozenset({"and", "und", "et", "y"})


def is_number(word: str, language: str = "en") -> bool:
    """Whether a word is part of a number in that language."""
    return word in _SMALL[language] or word in _SCALES[language]


def stands_alone(word: str) -> bool:
    """Whether a number word means a number without others beside it; an article or a bare `million` does not."""
    return word not in _ARTICLES and not any(word in scales for scales in _SCALES.values())


def value(words: Sequence[str], language: str = "en") -> int | None:
    """The number that the words say, or None. Joining words stand between numbers only."""
    small, scales = _SMALL[language], _SCALES[language]
    total = group = 0
    seen = False
    for place, word in enumerate(words):
        if word in _JOINS:
            if not seen or place + 1 == len(words):
                return None
            continue
        if word in small:
            group = 80 if word == "vingt" and group % 100 == 4 else group + small[word]
        elif word in scales:
            group, total = _scaled(group, total, scales[word])
        else:
            return None
        seen = True
    return total + group if seen else None


def _scaled(group: int, total: int, scale: int) -> tuple[int, int]:
    if scale == 100:
        return (group or 1) * 100, total
    return 0, total + (group or 1) * scale


def joins(word: str, before: str, language: str = "en") -> bool:
    """Whether a word after this number word may go on to the next: `hundred and`, `treinta y`, `vingt et`, `twenty -`."""
    if word == "and":
        return _SCALES[language].get(before, 0) in (100, 1000)
    return word in ("y", "et", "-") and _SMALL[language].get(before, 0) >= 20
