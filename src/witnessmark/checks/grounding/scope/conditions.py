"""A condition that a claim has the other way round: longer than 3 metres only if it needs a permit, where it needs a permit only if it is longer.

Only where both say one condition in the same strength (`only if`, or `if`): the words of the one side of a source stand in the other of the claim.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from witnessmark.checks.grounding.evidence import ClaimInEvidence
from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.text import lang, words
from witnessmark.text.patterns import compiled

_CLAUSE = compiled(r"[,;:.()–—]")


class Condition(NamedTuple):
    """What holds, on what condition, as stems that the other side has not, and whether only then."""

    what: frozenset[str]
    on: frozenset[str]
    only: bool


@lang.derived
def _opener() -> re.Pattern[str]:
    openers = lang.either(lang.phrases("scope", "conditions"))
    return compiled(rf"(?:^|(?<=\s))(?:{openers})\s+", re.IGNORECASE)


def condition_of(text: str, goal: str = "") -> Condition | None:
    """The one condition of a sentence; of a short answer its question says what holds.

    >>> found = condition_of("When does a trailer need a permit? Only if it is longer than 3 metres.")
    >>> sorted(found.what), sorted(found.on), found.only
    (['need', 'permit', 'trailer'], ['3', 'longer', 'metr'], True)
    """
    asked, _, said = text.rpartition("? ")
    marks = list(_opener().finditer(said))
    if len(marks) != 1:
        return None
    before, after = said[: marks[0].start()], said[marks[0].end() :]
    on, _, rest = after.partition(",") if not words.content(before) else (_CLAUSE.split(after)[0], "", "")
    what = f"{asked} {before} {rest}"
    if not words.content(what):
        what = goal
    one, other = frozenset(words.content(what)), frozenset(words.content(on))
    only = not lang.words("only").isdisjoint(words.words(f"{before} {marks[0].group()}"))
    return Condition(one - other, other - one, only) if one - other and other - one else None


def turned_condition(this: ClaimInEvidence) -> RuleFinding | None:
    """That a source has the condition of a claim the other way round; None where one has it so, or has none."""
    mine = condition_of(this.claim, this.goal)
    if mine is None:
        return None
    told = [(p, found) for p in this.near if not p.is_flattened and (found := condition_of(p.text)) is not None]
    if any(mine.on & one.on and not mine.on & one.what for _, one in told):
        return None
    for passage, one in told:
        if mine.on <= one.what and mine.what & one.on and mine.only == one.only:
            return looked("condition", this.claim.rpartition("? ")[2], [passage])
    return None
