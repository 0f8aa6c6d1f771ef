"""Who does what to whom: a claim and a passage with the same verb between the same two things, the other way round.

Also for what is compared (`larger than`) and put in order (`before`). Silent wherever the two sentences are not built alike:
a wrong word here makes a true claim false.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from witnessmark.checks.grounding.relations.mentions import Mention, mentions, row
from witnessmark.text import lang, words

NEAR, FAR = 4, 10
"""Words that may stand between a thing and the word that says how it stands to the other, and between the two things."""


@dataclass(frozen=True, slots=True)
class Relation:
    """First and second thing of a stretch with what stands between them; `turned` where the second one acts (bought by)."""

    first: Mention
    second: Mention
    verb: str
    turned: bool
    denied: bool


@lang.derived
def _groups() -> dict[str, tuple[str, bool]]:
    """What a verb says, by its stem: the first verb of its group, and whether it says so from the other side (buy, sell)."""
    lines = (line.partition("|") for lines in lang.section("roles", "verbs") for line in lines)
    sides = ((this.split()[0], side, row) for this, _, other in lines for side, row in ((False, this), (True, other)))
    return {words.stem(word): (words.stem(head), side) for head, side, row in sides for word in row.split()}


@lang.derived
def _compared() -> dict[str, tuple[str, bool]]:
    """Comparatives as relations: `smaller than` is `larger than` from the other side."""
    pairs = (pair.split() for pairs in lang.section("roles", "comparatives") for pair in pairs.split("|"))
    return {word: (more, word == less) for more, less in pairs for word in (more, less)}


def swapped(claim: str, passage: str) -> str | None:
    """The word by which claim and passage set the same two things against each other; None where they do not."""
    if not _may_relate(claim):
        return None
    known = frozenset(words.stems(claim)) & frozenset(words.stems(passage))
    theirs = None
    for mine in _relations(claim, known):
        if mine.verb.split()[0] in _either_side():
            continue  # `"…", said Quist` and `Quist said …` are one, and so are those who meet
        theirs = list(_relations(passage, known)) if theirs is None else theirs
        alike = [one for one in theirs if one.verb == mine.verb and one.denied == mine.denied]
        verdicts = {verdict for one in alike if (verdict := _compared_with(mine, one)) is not None}
        if verdicts == {True}:
            return mine.verb
    return None


@lang.derived
def _either_side() -> frozenset[str]:
    """The stems of verbs whose subject may stand on either side."""
    return frozenset(map(words.stem, lang.words("saying") | lang.words("mutual")))


@functools.lru_cache(maxsize=1024)
def _may_relate(claim: str) -> bool:
    """Whether a claim has a word that could stand between two things; most have none, and are left at once."""
    stems = words.stems(claim)
    return "than" in stems or any(
        _verb(word) or word in lang.words("helping") or stem in _groups()
        for word, stem in zip(words.words(claim), stems, strict=True)
    )


def _compared_with(mine: Relation, other: Relation) -> bool | None:
    """True where the two things have changed places, False where they have not, None where other things are meant."""
    straight = mine.first.same(other.first) and mine.second.same(other.second)
    crossed = mine.first.same(other.second) and mine.second.same(other.first)
    if straight == crossed:
        return None
    return (mine.turned != other.turned) if straight else (mine.turned == other.turned)


def _relations(text: str, known: frozenset[str]) -> Iterator[Relation]:
    given = row(text)
    found = mentions(text, known)
    for first, second in combinations(found, 2):
        between = [word.lower() for word in given[first.end : second.start]]
        apart = first.same(second) or not 0 < len(between) <= FAR or not lang.words("joining").isdisjoint(between)
        if apart or any(word in ".;:!?()" for word in between):
            continue
        yield from _between(first, second, between, known)


def _between(first: Mention, second: Mention, between: list[str], known: frozenset[str]) -> Iterator[Relation]:
    denied = not lang.words("negations").isdisjoint(between)
    if "than" in between[-3:]:
        for word in between:
            if word in _compared():
                head, turned = _compared()[word]
                yield Relation(first, second, f"{head} than", turned, denied)
        return
    for place, word in enumerate(between[: NEAR + 1]):
        stem = words.stem(word)
        if (stem not in known and stem not in _groups()) or not _acts(word, between[:place]):
            continue
        head, other_side = _groups().get(stem, (stem, False))
        after = between[place + 1 :]
        passive = not lang.words("being").isdisjoint(between[:place])
        ties = [one for one in after[passive or other_side :] if one in lang.words("prepositions")]
        if (after[:1] == ["by"]) == passive:
            yield Relation(first, second, " ".join([head, *ties]), passive != other_side, denied)


def _acts(word: str, before: list[str]) -> bool:
    """Whether a word stands where the verb of the first thing stands: after it, with nothing but helping words between."""
    verb = _verb(word) or word.removesuffix("e") in _groups() or not _helping().isdisjoint(before[-1:])
    return verb and all(one in _helping() or one.endswith("ly") for one in before)


@lang.derived
def _helping() -> frozenset[str]:
    return lang.words("being") | lang.words("auxiliaries") | lang.words("negations") | lang.words("helping")


def _verb(word: str) -> bool:
    """Whether a word may be a verb with a subject before it: in the past, or with an s."""
    return word.endswith(("ed", "s")) or word in _past()


@lang.derived
def _past() -> frozenset[str]:
    return frozenset(form for table in lang.tables("irregular") for forms in table.values() for form in forms.split())


lang.on_change(_may_relate.cache_clear)
