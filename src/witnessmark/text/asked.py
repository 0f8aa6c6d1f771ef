"""What a question asks for: the kind of thing, the words it is about, and whether a text has such a thing."""

from __future__ import annotations

import re

from witnessmark.text import lang, words
from witnessmark.text.dates import dates
from witnessmark.text.names import names
from witnessmark.text.numbers import figures
from witnessmark.text.patterns import compiled

_ASKED = compiled(
    r"\b(?P<number>how (?:many|much|long|old|far|large|big|often)|what (?:percentage|share|number|amount)|wie (?:viele?|lange|alt)|combien|cuánt[oa]s?)\b"
    r"|\b(?P<time>when|what (?:year|date|day)|which year|wann|quand|cuándo)\b|\b(?P<name>who|whom|whose|which (?:person|company|country|city)|where|wer|wo|qui|où|quién|dónde)\b",
    re.IGNORECASE,
)
_ASKING = frozenset(
    "what which who when where why how many much long old does did do is are was were tell explain describe".split()
)


def kind(question: str) -> str | None:
    """The kind of thing that is asked for (number, time or name), where the question says it."""
    found = _ASKED.search(question)
    return None if found is None else next(name for name, text in found.groupdict().items() if text)


def subject(question: str) -> list[str]:
    """The stems of the words that a question is about, without those that only ask."""
    stop = {words.stem(word) for word in _ASKING | lang.words("question_words")}
    return [stem for stem in dict.fromkeys(words.content(question)) if stem not in stop]


def has(wanted: str, text: str) -> bool:
    """Whether a text has anything of this kind."""
    if wanted == "time":
        return bool(dates(text)) or any(one.dimension == "time" for one in figures(text))
    if wanted == "name":
        return bool(names(text)) or bool(names("x " + text))
    return bool(figures(text)) or bool(dates(text))
