"""What a sentence adds to the outputs that it is borne by: another unit, all where some were meant, a cause, advice.

Such a sentence has almost every word of an output, so that a model takes it for supported. Each rule is silent where an output may say it in words of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from witnessmark.core.verdict import Claim
from witnessmark.text import lang
from witnessmark.text.numbers import figures
from witnessmark.text.numerals import one_word
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import sentence_texts
from witnessmark.text.words import content, letters, stop_words

WRONG = 0.05
"""How probable a claim is that differs from its output in a unit or in how many are meant."""
_IN_UNIT = compiled(r"(?<![\w.,])(\d[\d.,]*\d|\d)\s?([kMGTPmµn]?)([A-Za-z]{1,3}\b(?:/\w+)?)")
"""A number with its unit: the number, the prefix and what it is a thousandth or a million of."""
ALIKE = 0.5
"""The share of a claim's words that a sentence has which speaks of the same."""


def without_additions(claims: Sequence[Claim], outputs: Sequence[str]) -> tuple[Claim, ...]:
    """The claims in their order; one that adds to the outputs is not borne by them, and says what it adds where it was doubtful by itself."""
    told = [sentence for text in outputs for sentence in sentence_texts(text)]
    settled = ("contradicted", "unverifiable")
    return tuple(one if one.status in settled else _checked(one, told, outputs) for one in claims)


def _checked(claim: Claim, told: Sequence[str], outputs: Sequence[str]) -> Claim:
    for wrong in (*_other_unit(claim.text, told), *_more_than_some(claim.text, told)):
        more = {"by": "rule"}
        return replace(claim, status="contradicted", reason=wrong, probability=WRONG, details=claim.details | more)
    for added in (*_cause(claim.text, told, outputs), *_advice_against(claim.text, told)):
        return replace(claim, status="unsupported", reason=added)
    return claim


def _other_unit(claim: str, told: Sequence[str]) -> Iterator[str]:
    """A number of an output in a thousand or a million times its unit: `61,000 MWh` over `61,000 kWh`."""
    known = [match.groups() for sentence in told for match in _IN_UNIT.finditer(sentence)]
    for match in _IN_UNIT.finditer(claim):
        number, prefix, unit = match.groups()
        others = {before for one, before, base in known if (one, base) == (number, unit)}
        if others and prefix not in others and unit.lower() not in stop_words():
            spelled = {(one.dimension, one.low) for one in figures(match.group()) if one.dimension}
            if spelled.isdisjoint((one.dimension, one.low) for sentence in told for one in figures(sentence)):
                yield "the output has another unit"


def _more_than_some(claim: str, told: Sequence[str]) -> Iterator[str]:
    """All of what an output has counted to be some: `all of the hangers` over `two of the 24 hangers`."""
    every = lang.pattern("additions", r"\b{all_of} (?P<what>[^\W\d_]+)")
    some = lang.pattern("additions", r"\b(?P<n>\w+) {out_of} (?P<all>\w+) (?P<what>[^\W\d_]+)")
    for meant in every.finditer(claim):
        for sentence in told:
            for part in some.finditer(sentence):
                same = content(meant["what"]) == content(part["what"]) and _alike(
                    claim.replace(meant.group(), ""), sentence
                )
                if same and _number(part["n"]) < _number(part["all"]) and not every.search(sentence):
                    yield "the output says so of some of them only"


def _number(word: str) -> int:
    """The number that a word says in any language; 0 where it says none, so that it is never more than another."""
    said = (one_word(word.lower(), code) for code in lang.codes())
    return next((number for number in said if number is not None), 0)


def _cause(claim: str, told: Sequence[str], outputs: Sequence[str]) -> Iterator[str]:
    """A cause that joins what two outputs say, where none of them speaks of causes; advice may well have its reasons."""
    parts = lang.pattern("additions", r"\b{because}\b").split(claim, maxsplit=1)
    if len(parts) < 2 or not all(content(part) for part in parts) or _advises(claim):
        return
    together = any(all(_alike(part, text) for part in parts) for text in outputs)
    reasons = lang.listed("additions", "causes")
    spoken = [sentence for sentence in told if any(_alike(part, sentence) for part in parts)]
    if spoken and not together and not any(_has(reasons, sentence) for sentence in spoken):
        yield "no output gives this cause"


def _advice_against(claim: str, told: Sequence[str]) -> Iterator[str]:
    """Advice against something of which no output says anything bad, or gives any advice."""
    against = lang.words("negations") | lang.listed("additions", "bad")
    if not _advises(claim) or not _has(lang.words("negations"), claim):
        return
    about = [sentence for sentence in told if set(content(sentence)) & set(content(claim))]
    if about and not any(_has(against, sentence) or _advises(sentence) for sentence in told):
        yield "no output gives this advice"


def _advises(text: str) -> bool:
    return _has(lang.listed("additions", "advice"), text)


def _has(known: frozenset[str], text: str) -> bool:
    return not known.isdisjoint(letters(text.lower()))


def _alike(claim: str, sentence: str) -> bool:
    words = set(content(claim))
    return bool(words) and len(words & set(content(sentence))) >= ALIKE * len(words)
