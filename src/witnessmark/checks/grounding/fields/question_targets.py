"""Another one than the source names, where a question asks which one it is: `Room 102` for the room that has a projector.

Only where a source has the words of the question in their order and names one thing by a number, or a name right before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.checks.grounding.evidence import ClaimInEvidence, Passage
from witnessmark.checks.grounding.fields.numbered_items import things
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.patterns import compiled

_NAME_BEFORE = compiled(r"((?:[A-ZÀ-ÖØ-Þ][\w'’-]*\s+)+)$")
_NAMES = compiled(r"(?:[A-ZÀ-ÖØ-Þ][\w'’-]*)(?:\s+[A-ZÀ-ÖØ-Þ][\w'’-]*)*")
MOST = 8
"""Words of a question after the one that asks."""


@lang.derived
def _asking() -> re.Pattern[str]:
    who, which = (lang.either(lang.listed("questions", n)) for n in ("who", "which"))
    return compiled(rf"\s*(?:(?:{who})|(?:{which})\s+(\w+))\s+([^?]+?)\s*\?\s*", re.IGNORECASE)


def named_another(this: ClaimInEvidence) -> RuleFinding | None:
    """That a claim names another one than the only one of which a source says what the question asks; None where it does not."""
    asked = _asking().fullmatch(this.goal)
    if asked is None or denies(this.claim) or len(asked[2].split()) > MOST:
        return None
    wanted = frozenset(words.content(asked[2]))
    said = this.claim.removeprefix(this.goal.strip()).strip()
    if not wanted or not wanted <= frozenset(words.content(this.claim)):
        return None
    noun = words.stem(asked[1].lower()) if asked[1] else ""
    mine = _of(said, noun, asked[2])
    row = r"\W+".join(map(re.escape, asked[2].split()))
    phrase = re.compile(rf"\b{row}\b", re.IGNORECASE)
    told = [(one, passage, at) for passage in this.index.passages for one, at in _holders(passage, noun, phrase)]
    found = {one for one, _, _ in told}
    if len(mine) != 1 or len(found) != 1 or _alike(mine[0], next(iter(found))):
        return None
    if any(wanted <= p.stems and set(words.content(mine[0])) <= p.stems for p in this.index.passages):
        return None
    if not all(map(this.index.has, words.content(mine[0]))):
        return None
    stated, passage, at = told[0]
    return RuleFinding("name", "contradicted", mine[0], passage, passage.place((at, at + len(stated))), stated)


def _of(said: str, noun: str, asked: str) -> list[str]:
    """What an answer names: things with a number, or names that are not the question's own."""
    if noun:
        return [
            said[: span[1]].rsplit(maxsplit=2)[-2] + " " + said[slice(*span)]
            for (n, _), span in things(said)
            if n == noun
        ]
    known = set(words.content(asked))
    return [name for name in _NAMES.findall(said) if (stems := set(words.content(name))) and stems.isdisjoint(known)]


def _holders(passage: Passage, noun: str, phrase: re.Pattern[str]) -> Iterator[tuple[str, int]]:
    match = phrase.search(passage.text) if not passage.is_flattened else None
    if match is None:
        return
    if noun:
        named = [span for (n, _), span in things(passage.text) if n == noun]
        if len(named) == 1:
            start = passage.text.rfind(passage.text[: named[0][1]].rsplit(maxsplit=2)[-2], 0, named[0][1])
            yield passage.text[start : named[0][1]], start
        return
    before = _NAME_BEFORE.search(passage.text[: match.start()])
    if before is not None and words.content(before[1]):
        yield before[1].strip(), before.start(1)


def _alike(one: str, other: str) -> bool:
    """Whether two names share a word that tells: Wong for Peter Wong; of things with numbers the number."""
    mine, theirs = set(words.content(one)), set(words.content(other))
    numbers = {stem for stem in mine if stem[0].isdigit()}
    return bool(numbers & theirs) if numbers else bool(mine & theirs)
