"""Who did it to whom: two names that a claim has the other way round than a source, with the same words between them.

>>> text = "In May, Alan Ross sued Mary Webb over the patent."
>>> turned_round("Mary Webb sued Alan Ross over the patent.", [text]), turned_round("Mary Webb was sued by Alan Ross.", [text])
(('Mary Webb sued Alan Ross', 0), None)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

MOST_BETWEEN = 60
"""Characters between two names that may tell what one does to the other."""
_NAME = compiled(r"(?<!\w)[A-ZÀ-ÖØ-Þ][\w’-]*(?:\s+[A-ZÀ-ÖØ-Þ][\w’-]*)*")
_BREAK = compiled(r"[.;:()]|,\s|,$")
_ASIDE = compiled(r"\([^()]{0,80}\)")


class NamedDeed(NamedTuple):
    """What one name does to another: both as stems, the words between them that carry meaning, and where it stands."""

    by: frozenset[str]
    to: frozenset[str]
    words: tuple[str, ...]
    span: Span


def turned_round(claim: str, texts: Sequence[str]) -> tuple[str, int] | None:
    """The words of a claim that have two names the other way round than one of the texts, and which text; None where one has them so."""
    if denies(claim):
        return None
    for mine in _deeds(claim):
        if not lang.words("mutual").isdisjoint(words.words(claim[slice(*mine.span)])):
            continue
        told = [(n, theirs) for n, text in enumerate(texts) for theirs in _deeds(text) if _same_deed(mine, theirs)]
        other = [n for n, theirs in told if _alike(mine.by, theirs.to) and _alike(mine.to, theirs.by)]
        if other and not any(_alike(mine.by, theirs.by) and _alike(mine.to, theirs.to) for _, theirs in told):
            return claim[slice(*mine.span)], other[0]
    return None


def _deeds(text: str) -> Iterator[NamedDeed]:
    """Each two neighbouring names of a clause with what one does to the other, whichever way it is put."""
    plain = _ASIDE.sub(lambda found: " " * len(found.group()), text)
    for one, two in pairwise(_NAME.finditer(plain)):
        between = " ".join(plain[one.end() : two.start()].split())
        row = words.words(between)
        told = tuple(stem for stem in words.content(between) if stem not in _small())
        first, second = (frozenset(words.content(name.group().replace("’s", ""))) - _small() for name in (one, two))
        apart = len(between) > MOST_BETWEEN or _BREAK.search(between) or between.startswith(("'s ", "’s "))
        apart = apart or not lang.listed("scope", "ends_denial").isdisjoint(row)  # … because Veldhoen employs him
        if not told or not first or not second or apart:
            continue
        passive = row[-1:] == ("by",) and not lang.words("being").isdisjoint(row)
        by, to = (second, first) if passive else (first, second)
        yield NamedDeed(by, to, told, (one.start(), two.end()))


@lang.derived
def _small() -> frozenset[str]:
    return words.stemmed(lang.words("helping") | lang.words("being") | lang.words("openers"))


def _same_deed(one: NamedDeed, other: NamedDeed) -> bool:
    shorter, longer = sorted((set(one.words), set(other.words)), key=len)
    return one.words[0] == other.words[0] and shorter <= longer


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two names are one: `Mensah` and `Kofi Mensah`."""
    return one <= other or other <= one
