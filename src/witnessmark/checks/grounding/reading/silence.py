"""A sentence that says of a source what it leaves unsaid: `the timetable says nothing about dogs`. Which source, and what of.

>>> silence("The timetable says nothing about dogs.")
Silence(who='The timetable', topic='dogs', plain=True, titled=False)
>>> silence("The driver says nothing about dogs."), silence("The policy does not cover dogs.")
(None, None)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from witnessmark.checks.grounding.reading.pronouns import is_person
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.patterns import any_of, compiled

LONGEST = 400
"""Characters of a sentence that may say so; a longer one says more, and costs the square of its length."""
MOST_OF_A_NAME = 4
"""Words that a source which is no known kind of text may be called by."""
_WHO = r"(?P<who>(?:[\w'’\"“”«».-]+ ){0,7}?[\w'’\"“”«».-]+)"
_MARK = compiled(r"[,;:]")
_TOPIC = r"(?P<topic>[^\d,;:()]{3,80}?)"


@dataclass(frozen=True, slots=True)
class Silence:
    """Which source is meant and what it is said to leave out.

    `plain` where that is a thing (`dogs`) and no clause (`whether …`); `titled` where only a source of that title can be meant.
    """

    who: str
    topic: str
    plain: bool
    titled: bool


@lang.derived
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = [(kind, one) for kind in ("any", "texts", "gives") for one in lang.rows("silence", kind)]
    return tuple(
        (kind, re.compile(rf"^{one.replace('{who}', _WHO).replace('{topic}', _TOPIC)}[.!]?$", re.IGNORECASE))
        for kind, one in rows
    )


def silence(text: str) -> Silence | None:
    """What a sentence says that a source leaves out; None where it says something else, or more than that."""
    row = words.words(text)
    if len(text) > LONGEST or not lang.listed("silence", "unless").isdisjoint(row):
        return None
    if lang.listed("silence", "mute").isdisjoint(row) and not denies(text):
        return None  # most sentences: every pattern denies something, or has one of these words
    said = _without_lead(text)
    for kind, pattern in _patterns():
        found = pattern.match(said)
        if found is not None and _may_be_silent(found["who"], kind):
            who, topic = found["who"].strip("'’\"“”«».-"), found["topic"].strip()
            return Silence(who, topic, not _is_clause(topic), not _is_noun(who))
    return None


@lang.derived
def _leaving_open() -> re.Pattern[str]:
    source = f"(?:{lang.either(lang.listed('silence', 'documents'))})"
    rows = (one.replace("{source}", source) for one in lang.rows("silence", "untold"))
    return compiled(any_of(rows), re.IGNORECASE)


def untold(text: str) -> str | None:
    """What a sentence says, among other things, that the sources leave open; None where it says no such thing.

    >>> untold("It was recalled; the notice does not say whether customers get a refund.")
    'whether customers get a refund.'
    """
    if not denies(text) and lang.listed("silence", "mute").isdisjoint(words.words(text)):
        return None
    found = _leaving_open().search(text)
    if found is None:
        return None
    start = max(text.rfind(mark, 0, found.start()) for mark in ";,:.") + 1
    rest = text[found.end() :].partition(";")[0].strip()
    return rest if _tells(rest) else text[start : found.start()].strip()


def caveat(text: str) -> str | None:
    """What a sentence says that the sources leave open, where it says nothing else; None where it says more, or no such thing.

    >>> caveat("The leaflet does not say whether dogs pay."), caveat("Dogs pay 3 euros; the leaflet does not say why.")
    ('whether dogs pay', None)
    >>> caveat("The recipe doesn't say how long it keeps."), caveat("How long it keeps, the leaflet does not say.")
    ('how long it keeps', 'how long it keeps')
    """
    said = _without_lead(text).rstrip(" .!")
    found = _leaving_open().search(said) or _of_any_text(said)
    if found is None:
        return None
    before, rest = said[: found.start()], said[found.end() :].strip()
    clause = lang.listed("silence", "clause")
    last = found[0].rpartition(" ")[2]
    if not _tells(rest):
        told, _, source = before.rpartition(",")
        topic = (
            told[:1].lower() + told[1:]
            if words.words(told)[:1] in {(word,) for word in clause} and not _tells(source)
            else ""
        )
    else:
        topic = (f"{last} {rest}" if last.lower() in clause else rest) if len(before.split()) <= MOST_OF_A_NAME else ""
    more = lang.listed("silence", "unless") - clause - lang.words("prepositions")
    alone = _MARK.search(topic) is None and more.isdisjoint(words.words(f"{found[0]} {topic}"))
    return topic if alone and words.content(topic) else None


@lang.derived
def _existence() -> tuple[re.Pattern[str], ...]:
    rows = lang.rows("silence", "exists")
    return tuple(re.compile(one.replace("{topic}", _TOPIC), re.IGNORECASE) for one in rows)


def thing(topic: str, *, whole: bool = False) -> str:
    """The thing that a topic is: that which exists or not, and, unless a `whole` clause is wanted, one that is only named; empty where it is neither.

    >>> thing("whether there are any lockers"), thing("lockers"), thing("lockers", whole=True), thing("where lockers are")
    ('any lockers', 'lockers', '', '')
    """
    found = next((found["topic"] for one in _existence() if (found := one.fullmatch(topic))), None)
    return found or ("" if whole or _is_clause(topic) else topic)


def _is_clause(topic: str) -> bool:
    """Whether a topic says that, whether or when something is, and names no thing."""
    return words.words(topic)[:1] in {(word,) for word in lang.listed("silence", "clause")}


@lang.derived
def _saying() -> re.Pattern[str]:
    opens, asks = (lang.either(lang.listed("silence", part)) for part in ("opens", "clause"))
    rows = [one.replace("{asks}", f"(?:{asks})") for one in lang.rows("silence", "says")]
    return compiled(
        rf"^(?P<who>(?:{opens})(?: [\w'’-]+){{1,{MOST_OF_A_NAME}}}?) (?:{'|'.join(rows) or '(?!)'})", re.IGNORECASE
    )


def _of_any_text(text: str) -> re.Match[str] | None:
    """That something which is no person does not say who, when or whether: whatever kind of text that is."""
    found = _saying().match(text)
    return found if found is not None and not is_person(found["who"]) else None


def _tells(rest: str) -> bool:
    """Whether what follows is more than the source that is spoken of."""
    small = lang.listed("silence", "documents") | words.stop_words()
    return any(word not in small for word in words.words(rest))


def _parts(who: str) -> list[str]:
    """The words of what a source is called by, an article apart from the noun it has grown onto (l'horaire)."""
    return words.letters(who.lower())


def _is_noun(who: str) -> bool:
    """Whether a source is called by what it is (`the timetable`, `neither of the pages`) and not by a title."""
    row = _parts(who)
    called = lang.listed("silence", "documents", "grants")
    return row[0] in lang.listed("silence", "opens") or not called.isdisjoint(row)


def _without_lead(text: str) -> str:
    """The sentence without `However,` and the like."""
    row = text.split()
    while row and row[0].lower().strip(",") in lang.listed("silence", "lead"):
        row = row[1:]
    return " ".join(row)


def _may_be_silent(who: str, kind: str) -> bool:
    """Whether it is a source that is spoken of: a known kind of text, or any other noun that names no person.

    What gives, covers, lists or names nothing may be anything but a text: there the kind must be known.
    """
    row = _parts(who)
    if not lang.listed("silence", "documents").isdisjoint(row):
        return True
    if not lang.listed("silence", "grants").isdisjoint(row):
        return kind != "gives"
    named = row[1:] if row and row[0] in lang.listed("silence", "opens") else row
    person = any(word in lang.words("pronouns") | lang.words("askers") or is_person(word) for word in named)
    return kind == "any" and 0 < len(named) <= MOST_OF_A_NAME and not person
