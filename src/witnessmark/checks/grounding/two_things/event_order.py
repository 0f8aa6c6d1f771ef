r"""What came first, held to the times that the sources give: `the deploy was rolled back before the cause was found` beside 10:08 and 10:37.

Each of the two events must be told by one passage that has one time, one date, or one number of a list of steps, and both must have the same of these.

>>> from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
>>> index = Index([EvidenceSource("d", "10:08 pricing deploy rolled back\n10:37 stale trust stores found")], "")
>>> claims = (f"The pricing deploy was rolled back {word} the stale trust stores were found." for word in ("before", "after"))
>>> [found and found.finding for found in (event_order(ClaimInEvidence(claim, index)) for claim in claims)]
[None, 'contradicted']
"""

from __future__ import annotations

import re
from itertools import takewhile

from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index, Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.relations.clauses import around
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.clock import times
from witnessmark.text.dates import dates
from witnessmark.text.patterns import compiled

LEAST_WORDS = 2
"""Words that carry meaning which an event must have to be found."""
TELLS_IT = 0.6
"""The share of an event's words, by weight, that a passage must have to tell it, and others must stay below."""
MOST_PASSAGES = 200
_STEP = compiled(r"(?:^|\n)\W*(?:step\s+)?(\d{1,3})[.):]\W*$", re.IGNORECASE)
BEFORE = 16
"""Characters before a step in which its number stands."""
When = tuple[str, tuple[int, ...]]
"""What kind of time it is, and the time."""


@lang.derived
def _joint() -> re.Pattern[str]:
    return compiled(
        rf"\s(?:(?P<before>{lang.either(lang.words('comes_before'))})|(?P<after>{lang.either(lang.words('comes_after'))}))\s",
        re.IGNORECASE,
    )


def event_order(this: ClaimInEvidence) -> RuleFinding | None:
    """That two events came the other way round than a claim has them; None where their times are not plain, or bear it out."""
    found = list(_joint().finditer(this.claim))
    if len(found) != 1 or len(this.index.passages) > MOST_PASSAGES or denies(this.claim):
        return None
    (joint,) = found
    passage, second = (_told(part, this.index) for part in around(this.claim, *joint.span()))
    if passage is None or second is None or passage is second:
        return None
    one, other = _when(passage, this.index), _when(second, this.index)
    if one is None or other is None or one[0] != other[0] or _even(one[1], other[1]):
        return None
    first = one[1] < other[1]
    if first == bool(joint["before"]) or (one[0] == "time" and first != _stands_before(passage, second)):
        return None
    return RuleFinding("order", "contradicted", joint.group().strip(), passage, passage.span, passage.text[:80])


def _even(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two times are the same as far as both are known: nobody can tell May 1934 from 1934."""
    return all(mine == theirs for mine, theirs in zip(one, other, strict=False))


def _stands_before(one: Passage, other: Passage) -> bool | None:
    """Whether a passage stands before another of the same source: 1:15 after 11:40 is in the afternoon."""
    return one.span[0] < other.span[0] if one.source == other.source else None


def _told(part: str, index: Index) -> Passage | None:
    """The one passage that tells an event; None where none does, or several."""
    wanted = [stem for stem in dict.fromkeys(words.content(part)) if not stem[0].isdigit()]
    known = [stem for stem in wanted if index.has(stem)]
    if len(known) < LEAST_WORDS:
        return None
    total = sum(map(index.weight, wanted))
    telling = [
        passage
        for _, passage in index.best(known, 4)
        if sum(index.weight(stem) for stem in wanted if stem in passage.stems) >= TELLS_IT * total
    ]
    return telling[0] if len(telling) == 1 else None


def _when(passage: Passage, index: Index) -> When | None:
    """When a passage has something happen: by its one date, its one time of day, or its number in a list of steps."""
    days, hours = dates(passage.text), times(passage.text)
    if len(days) == 1 and days[0].first == days[0].last and days[0].first and days[0].swapped is None:
        clock = min(hours[0].readings) if len(hours) == 1 and len(hours[0].readings) == 1 else None
        known = takewhile(lambda part: part is not None, (days[0].first, days[0].month, days[0].day, clock))
        return "date", tuple(part for part in known if part is not None)
    if len(hours) == 1 and not days:
        return "time", (min(hours[0].readings),)
    text = next((source.text for source in index.sources if source.id == passage.source), "")
    step = _STEP.search(text[max(0, passage.span[0] - BEFORE) : passage.span[0]])
    return (f"step {passage.source}", (int(step[1]),)) if step is not None and not days and not hours else None
