"""Shares in words (half, two thirds, most of) against the counts or the percentage that a source gives of the same things.

>>> from witnessmark.checks.grounding.evidence import Passage
>>> from witnessmark.text import words
>>> text = "20 of the 80 applicants were admitted."
>>> told = Passage("s", (0, len(text)), text, 0, frozenset(words.content(text)), "en")
>>> [one.finding for one in word_shares("Most of the applicants were admitted.", [told])]
['contradicted']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from witnessmark.checks.grounding.evidence import Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.relations.clauses import clauses
from witnessmark.checks.grounding.wording import denies, denies_otherwise
from witnessmark.text import lang, numerals, words
from witnessmark.text.dates import without_dates
from witnessmark.text.digits import ungrouped
from witnessmark.text.patterns import compiled

NEAR, FAR = 0.04, 0.1
"""How far a share may be off to be the same, and how far it must be to be another."""
_WHOLE = r"(?:\s+(?:the|all|its|their|these|those))?\s+(?:(?P<whole>\d[\d,]*)\s+)?(?P<noun>[^\W\d_]+)"
_PERCENT = r"(?P<percent>\d+(?:\.\d+)?)\s?(?:%|per\s?cent)"
_COUNTED = (
    re.compile(rf"(?<![\d.,])(?:(?P<part>\d[\d,]*)\s+(?:out\s+)?|{_PERCENT}\s+)of{_WHOLE}", re.IGNORECASE),
    re.compile(
        rf"(?<!\d)(?<!\d\s)(?<!%\s)\bof{_WHOLE}(?:\s+[^\W\d_]+){{0,2}},?\s+(?:[^\W\d_]+\s+)?(?:{_PERCENT}|(?P<part>\d[\d,]*)\b(?![.,%]?\d|\s?%))",
        re.IGNORECASE,
    ),
)
"""How a source counts, in either order: `12 of the 40 members`, `of the 40 members 12`."""


@lang.derived
def _shares() -> re.Pattern[str]:
    many = lang.either(numerals.number_words("en").small)
    bounds = "|".join(
        ("about", "around", "roughly", "nearly", "almost", "over", r"more\s+than", "under", r"less\s+than")
    )
    parts, most = lang.either(lang.merged("numbers", "shares")), lang.either(lang.words("most_of"))
    return compiled(
        rf"\b(?:(?P<bound>{bounds})\s+)?(?P<said>(?:(?:an?|one|(?P<many>{many}))[\s-]+)?(?P<share>{parts})(?=\s+of\b)|(?:the\s+)?(?P<most>{most}))(?P<of>\s+of)?{_WHOLE}",
        re.IGNORECASE,
    )


def word_shares(claim: str, passages: Sequence[Passage]) -> Iterator[RuleFinding]:
    """What the passages that say the same with numbers make of the one share in words of a claim."""
    said = list(_shares().finditer(claim)) if {"of", *lang.words("most_of")} & {*words.words(claim)} else []
    if len(said) != 1 or not (said[0]["of"] or said[0]["said"] == said[0]["most"]):
        return  # the most members
    one = said[0]
    mine = set(words.content(claim[: one.start()] + " " + one["noun"] + claim[one.end() :]))
    mine = {stem for stem in mine if not stem[0].isdigit()}
    for passage in passages:
        counted = [found for order in _COUNTED for found in order.finditer(passage.text)]
        value = _value(counted[0]) if len(counted) == 1 else None
        if value is None or not mine <= passage.stems or not _same_things(one, counted[0]):
            continue
        told = _told(passage, counted[0])
        if told is None or (denies(claim), denies_otherwise(claim)) != (denies(told), denies_otherwise(told)):
            continue
        right = _is_so(one, value)
        if right is not None:
            part = counted[0]["part"] or f"{counted[0]['percent']}%"
            shown = f"{part} of {counted[0]['whole'] or counted[0]['noun']}"
            rule, finding = ("worked", "same") if right else ("share", "contradicted")
            yield RuleFinding(rule, finding, one["said"], passage, passage.place(counted[0].span()), shown)  # type: ignore[arg-type] # one of the two
            return


def _told(passage: Passage, counted: re.Match[str]) -> str | None:
    """What a passage says up to the end of the clause that counts; None where it counts something else, too: 12 voted yes and 28 no."""
    start, end = counted.span()
    others = [f for f in without_dates(passage.figures, passage.dates) if not start <= f.span[0] < end]
    upto = next((stop for _, stop in clauses(passage.text) if stop >= end), end)
    return None if any(f.dimension in ("", "percent") for f in others) else passage.text[:upto]


def _value(counted: re.Match[str]) -> float | None:
    """The share that a source gives, between 0 and 1."""
    if counted["percent"]:
        value = float(counted["percent"]) / 100
    elif counted["whole"] and float(ungrouped(counted["whole"])):
        value = float(ungrouped(counted["part"])) / float(ungrouped(counted["whole"]))
    else:
        return None
    return value if 0 <= value <= 1 else None


def _same_things(said: re.Match[str], counted: re.Match[str]) -> bool:
    alike = words.stem(said["noun"].lower()) == words.stem(counted["noun"].lower())
    return alike and (not said["whole"] or not counted["whole"] or said["whole"] == counted["whole"])


def _is_so(said: re.Match[str], value: float) -> bool | None:
    """Whether a share in words is one in numbers; None where it is neither near nor far."""
    if said["most"]:
        return value > 0.5
    many = numerals.number_words("en").small.get((said["many"] or "one").lower(), 1)
    share = many * float(lang.merged("numbers", "shares")[said["share"].lower()])
    bound = " ".join((said["bound"] or "").lower().split())
    if share >= 1:
        return None
    if bound in ("over", "more than", "under", "less than"):
        more = bound in ("over", "more than")
        return value > share if more else value < share
    apart = abs(value - share)
    return True if apart <= (FAR if bound else NEAR) else False if apart > (2 * FAR if bound else FAR) else None
