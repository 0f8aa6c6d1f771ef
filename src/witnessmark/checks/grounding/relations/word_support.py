"""Whether one passage bears out a claim by its words alone, for languages that no weights were fitted in and no model reads.

Shared words are not enough there: one opposite or another weekday is all that a false sentence takes. A passage bears a claim
out where it has all of its words, in any order and form, denies what the claim denies, and says the opposite of none of them
about the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.agreement import comparable
from witnessmark.checks.grounding.evidence import Passage
from witnessmark.checks.grounding.finding import RULES, RuleFinding
from witnessmark.checks.grounding.relations.opening_hours import parts_of_the_year
from witnessmark.text import lang, words
from witnessmark.text.dates import dates
from witnessmark.text.numbers import figures

FITTED_IN = ("en",)
"""The languages of the answers that weights.json was fitted on."""
SHORTEST = 4
"""Letters that a word must keep where an ending is taken off."""


def find_support(
    claim: str, near: Sequence[Passage], found: Sequence[RuleFinding], language: str
) -> tuple[bool | None, RuleFinding | None]:
    """Whether a passage bears a claim out, and else the word in whose place one has its opposite or another weekday.

    `found` is what other rules say about the claim: its figures and dates are theirs. None where the weights speak the language.
    """
    if language in FITTED_IN:
        return None, None
    wanted = _wanted(claim, language)
    denied = _denies(_answer(claim, language), language)
    measured = [one for one in found if RULES[one.rule].part in ("figure", "date")]
    for passage in near:
        if all(_stands(one, passage, language) for one in measured):
            values = frozenset(value for one in measured for value in _contested(one, passage, language))
            if _says(frozenset(wanted), passage.text, language, denied=denied, values=values):
                return True, None
    of_days = not _days(language).isdisjoint(wanted) and not parts_of_the_year(claim)
    # closed on Saturdays in July is no opposite of open on Saturdays
    lasting = [passage for passage in near if not (of_days and parts_of_the_year(passage.text))]
    return False, next((one for passage in lasting for one in _rival(wanted, passage, language, denied=denied)), None)


def is_thousands_figure(part: str, near: Sequence[Passage], language: str) -> bool:
    """Whether what is written like a year is a figure that a passage has with its thousands apart: `1200` for `1.200`."""
    if language in FITTED_IN or not part.isdigit():
        return False
    return any(figure.low == figure.high == int(part) for passage in near for figure in passage.figures)


def _stands(one: RuleFinding, passage: Passage, language: str) -> bool:
    """Whether a figure stands in this very passage, also where it is written like a year: `1.200` and `1200`."""
    if one.finding == "same" and one.passage is passage:
        return True
    mine = [figure.low for figure in figures(one.part, language)]
    theirs = {figure.low for figure in figures(passage.text, language) if not figure.is_range}
    return one.finding in ("same", "elsewhere") and bool(mine) and theirs.issuperset(mine)


def _contested(one: RuleFinding, passage: Passage, language: str) -> list[float]:
    """The figures of a claim beside which a passage has others of their kind, so that it matters which clause has them: 13 euros and 9 euros."""
    mine = figures(one.part, language)
    return [f.low for f in mine if any(f.low != other.low and comparable(f, other) for other in passage.figures)]


def _wanted(claim: str, language: str) -> dict[str, str]:
    """The words of a claim that a passage must have, by their base; figures and dates are for other rules."""
    plain = _answer(claim, language)
    for span in (*(one.span for one in figures(plain, language)), *(one.span for one in dates(plain))):
        plain = plain[: span[0]] + "·" * (span[1] - span[0]) + plain[span[1] :]
    return {base: text for base, text in _bases(plain, language).items() if not base[0].isdigit()}


def _answer(claim: str, language: str) -> str:
    """A claim without the yes or no that opens it."""
    opens = lang.either(lang.words("yes", language) | lang.words("no", language))
    return re.sub(rf"^\W*(?:{opens})\s*[,.:;!–-]\s*", "", claim, flags=re.IGNORECASE)


def _bases(text: str, language: str) -> dict[str, str]:
    """The words that carry meaning, without their endings; a small word only where it ends a text and has an opposite: `die Tür ist zu`."""
    row = [(match.group(), match.group().lower()) for match in words.WORD.finditer(text)]
    parts = [(text, part) for text, word in row for part in re.split("['’]", word)]
    skipped = words.stop_words() | lang.words("stop", language) | _denying(language)
    found = {_base(part, language): text for text, part in parts if part not in skipped}
    if parts and (last := _base(parts[-1][1], language)) in _rivals(language):
        found[last] = parts[-1][0]
    return found


@lang.kept(16_384)
def _base(word: str, language: str) -> str:
    """A word without the ending that its case, number or person gives it."""
    for ending in sorted(lang.words("inflections", language), key=lambda one: (-len(one), one)):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            return word[: -len(ending)]
    return word if lang.words("inflections", language) else words.stem(word)


@lang.derived
def _days(language: str) -> frozenset[str]:
    names = [name for table in lang.tables("dates", language) for row in table.get("days", ()) for name in row.split()]
    return frozenset(_base(name, language) for name in names)


@lang.derived
def _rivals(language: str) -> dict[str, frozenset[str]]:
    """What says something else in the place of a word, by its base: its opposites, or the other days of the week."""
    found = {day: _days(language) - {day} for day in _days(language)}
    for one, two in wording.pairs(language):
        if not wording.loose(words.stem(one)):
            for here, there in (
                (_base(one, language), _base(two, language)),
                (_base(two, language), _base(one, language)),
            ):
                found[here] = found.get(here, frozenset()) | {there}
    return found


@lang.derived
def _denying(language: str) -> frozenset[str]:
    return wording.negations() | lang.words("denying", language)


def _denies(text: str, language: str) -> bool:
    return not _denying(language).isdisjoint(words.words(text))


@lang.derived
def _joint(language: str) -> re.Pattern[str]:
    return re.compile(rf"[,;:()–—]|\b(?:{lang.either(lang.words('joining', language))})\b", re.IGNORECASE)


def _says(
    wanted: frozenset[str], text: str, language: str, *, denied: bool, values: frozenset[float] = frozenset()
) -> bool:
    """Whether a passage says all these words of one thing.

    Where it also has the opposite of one, denies something, or has further figures like those of the claim (`values`), they must stand in
    one clause of it; a clause that has nothing of its own beside them is about what the clauses before it name (`open on Mondays and
    closed on Tuesdays`).
    """
    theirs = frozenset(_bases(text, language))
    if not wanted or not wanted <= theirs:
        return not wanted
    against = {word: _rivals(language).get(word, frozenset()) & theirs - wanted for word in wanted}
    contested = frozenset(word for word, others in against.items() if others)
    if not contested and not values and not denied and not _denies(text, language):
        return True
    parts = [part for part in _joint(language).split(text) if part.strip()]
    clauses = [frozenset(_bases(part, language)) for part in parts]
    for part, clause, before in zip(parts, clauses, accumulate(clauses, lambda one, two: one | two), strict=True):
        carried = bool(clause) and contested <= clause <= wanted <= before
        has = values <= {figure.low for figure in figures(part, language)}
        if has and _denies(part, language) == denied and (wanted <= clause or carried):
            return True
    return False


def _rival(wanted: dict[str, str], passage: Passage, language: str, *, denied: bool) -> Iterator[RuleFinding]:
    """The one word of a claim that a passage lacks, where it has that word's opposite or one other weekday instead."""
    theirs = _bases(passage.text, language)
    lacking = [word for word in wanted if word not in theirs]
    if len(lacking) != 1 or len(wanted) < 2 or _denies(passage.text, language) != denied:
        return
    if not lang.words("excepting", language).isdisjoint(words.words(passage.text)):
        return  # `öffnet täglich außer Montag` is no opposite of `montags zu`
    word = lacking[0]
    there = sorted(_rivals(language).get(word, frozenset()) & theirs.keys() - wanted.keys())
    if there and (word not in _days(language) or len(there) == 1):
        yield RuleFinding("rival", "contradicted", wanted[word], passage, passage.span, theirs[there[0]])
