"""What a question asks for: the kind of thing, the words it is about, and whether a text has such a thing."""

from __future__ import annotations

import re

from witnessmark.text import lang, words
from witnessmark.text.dates import dates
from witnessmark.text.names import names
from witnessmark.text.numbers import figures
from witnessmark.text.patterns import compiled

KINDS = ("number", "time", "name")


@lang.derived
def _asked() -> re.Pattern[str]:
    kinds = (rf"\b(?P<{name}>{lang.either(lang.phrases('questions', name))})\b" for name in KINDS)
    return compiled("|".join(kinds), re.IGNORECASE)


def kind(question: str) -> str | None:
    """The kind of thing that is asked for (number, time or name), where the question says it."""
    found = _asked().search(question)
    return None if found is None else next(name for name, text in found.groupdict().items() if text)


def asks(part: str, question: str) -> bool:
    """Whether a question asks for one of these in particular: `place` or `how_often`, as [questions] names it."""
    return re.search(rf"\b(?:{lang.either(lang.phrases('questions', part))})\b", question, re.IGNORECASE) is not None


def subject(question: str) -> list[str]:
    """The stems of the words that a question is about, without those that only ask."""
    stop = words.stemmed(lang.words("asks") | lang.words("question_words"))
    return [stem for stem in dict.fromkeys(words.content(question)) if stem not in stop]


def has(wanted: str, text: str) -> bool:
    """Whether a text has anything of this kind."""
    if wanted == "time":
        return bool(dates(text)) or any(one.dimension == "time" for one in figures(text))
    if wanted == "name":
        return bool(names(text)) or bool(names("x " + text))
    return bool(figures(text)) or bool(dates(text))
