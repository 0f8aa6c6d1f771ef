"""What a source excepts: `All lines except line 4 run` says of line 4 that it does not run, and of any other that it does.

>>> exception_in("All lines except line 4 run normally.").span
(17, 23)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import ClaimInEvidence, once
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.reading.compound import states
from witnessmark.text import lang, words
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

MOST_NAMED = 4
"""Words after `except` among which what is excepted stands."""
LEAST = 2
"""Words of a claim that carry meaning, below which they may be of anything."""
ALIKE = 5
"""Letters by which two forms of a word are one, whatever its language: bleibt, bleiben."""
_MARK = compiled(r"[,;:()–—]")
_WORD = compiled(r"[^\W_]+(?:['’-][^\W_]+)*|[.,;:()]")


@dataclass(frozen=True, slots=True)
class SourceException:
    """What a sentence excepts: the stems it is named by, where it stands, and the stems of all else that the sentence says."""

    named: tuple[str, ...]
    span: Span
    rest: frozenset[str]


@lang.derived
def _no_exception() -> frozenset[str]:
    """What follows a `but` that excepts nothing: `every two years but never in May`."""
    return lang.words("negations") | lang.words("pronouns") | lang.words("only") | lang.words("being")


@lang.derived
def _first_marks() -> frozenset[str]:
    """The first words of what excepts: most sentences have none of them."""
    return frozenset(words.words(phrase)[0] for phrase in lang.phrases("scope", "excepted"))


@lang.derived
def _excepting() -> re.Pattern[str]:
    every = lang.either(lang.listed("scope", "everything"))
    marks = lang.either(lang.phrases("scope", "excepted"))
    return compiled(
        rf"\b(?:{every})\b[^.;:]*?\b(?P<mark>{marks})\b(?!\s+(?:{lang.either(_no_exception())})\b)", re.IGNORECASE
    )


@lang.derived
def _says_all_but() -> re.Pattern[str]:
    """What makes a claim except something itself, or speak of one thing only."""
    marks = lang.phrases("scope", "excepted") | lang.words("only")
    return compiled(rf"\b(?:{lang.either(marks)})\b", re.IGNORECASE)


@lang.kept(4096)
def exception_in(text: str) -> SourceException | None:
    """What a sentence that speaks of all things of a kind excepts; None where it excepts nothing, or something that has no name."""
    row = words.words(text)
    if lang.listed("scope", "everything").isdisjoint(row) or _first_marks().isdisjoint(row):
        return None
    mark = _excepting().search(text)
    if mark is None:
        return None
    goes_on = text[: mark.start("mark")].rstrip().endswith(",") and states(_MARK.split(text[mark.end() :])[0])
    if goes_on:  # `…, but a kit must contain …` excepts nothing
        return None
    small = words.stop_words() | lang.words("prepositions")
    found = list[re.Match[str]]()
    for word in _WORD.finditer(text, mark.end()):
        little = word.group().lower() in small
        if not word.group()[0].isalnum() or len(found) == MOST_NAMED or (found and little):
            break
        found += [] if little else [word]
    # a name or a number tells what is excepted; without one it is the first word, and what follows says more of all the others
    last = max((n for n, word in enumerate(found) if _is_named(word.group())), default=0)
    if not found or (last == 0 and not _is_named(found[0].group()) and len(found[0].group()) < len("Mon")):
        return None
    named = found[: last + 1]
    start, end = named[0].start(), named[-1].end()
    after = _MARK.split(text[end:])[0]  # except Sundays, when his daughter comes: that is said of Sundays
    rest = frozenset(words.content(f"{text[:start]} {after}"))
    stems = tuple(words.stem(word.group().lower()) for word in named)
    return SourceException(stems, (start, end), rest - set(stems) - _marking())


def _is_named(word: str) -> bool:
    return word[:1].isupper() or word[:1].isdigit()


@lang.derived
def _marking() -> frozenset[str]:
    marks = (word for phrase in lang.phrases("scope", "excepted") for word in words.content(phrase))
    return frozenset(marks) | words.stemmed(lang.listed("scope", "everything"))


@once
def excepted(this: ClaimInEvidence) -> RuleFinding | None:
    """What a claim says of the very thing that a passage excepts, in the passage's words: wrong as it stands, right where it is turned round."""
    if _says_all_but().search(this.claim) is not None:
        return None
    if not lang.listed("scope", "everything").isdisjoint(words.words(this.claim)):
        return _left_out(this)
    told = frozenset(words.stems(this.claim))
    for passage in this.near:
        found = exception_in(passage.text)
        if found is None or not all(_among(stem, told) for stem in found.named):
            continue
        mine = {
            stem for stem in told.intersection(words.content(this.claim)) if not _among(stem, frozenset(found.named))
        }
        turned = wording.opposites(sorted(told), frozenset(words.stems(passage.text)))
        known = {stem[:ALIKE] for stem in (*found.rest, *(one for one, _ in turned))}
        shared = {stem for stem in mine if stem[:ALIKE] in known}
        if not shared or len(mine - shared) > (len(shared) > 1):
            continue
        against = bool(turned) != (wording.denies(this.claim) != wording.denies(passage.text))
        place, shown = passage.place(found.span), passage.text[slice(*found.span)]
        rule, finding = ("bounded", "same") if against else ("excepted", "contradicted")
        return RuleFinding(rule, finding, this.claim[slice(*_place(this.claim, found.named))], passage, place, shown)  # type: ignore[arg-type] # one of the two
    return None


def _left_out(this: ClaimInEvidence) -> RuleFinding | None:
    """A claim that says of all what a passage says of all but one, in the passage's words."""
    mine = frozenset(words.content(this.claim)) - _marking()
    found = [(passage, exception_in(passage.text)) for passage in this.near if passage.stems.issuperset(mine)]
    if len(mine) < LEAST or not found or wording.denies(this.claim):
        return None
    passage, out = found[0]
    if out is None or not mine <= out.rest or any(other is None for _, other in found):
        return None
    place, shown = passage.place(out.span), passage.text[slice(*out.span)]
    return RuleFinding("excepted", "contradicted", this.claim, passage, place, f"except {shown}")


def _among(stem: str, others: frozenset[str]) -> bool:
    """Whether a word, or another form of it (Monday, Mondays), is among others."""
    long = stem.isalpha() and len(stem) >= ALIKE
    return stem in others or (
        long and any(one[:ALIKE] == stem[:ALIKE] and abs(len(one) - len(stem)) < 3 for one in others)
    )


def _place(claim: str, named: Sequence[str]) -> Span:
    """Where a claim names what is excepted."""
    known = frozenset(named)
    found = [word.span() for word in _WORD.finditer(claim) if _among(words.stem(word.group().lower()), known)]
    return found[0][0], found[-1][1]
