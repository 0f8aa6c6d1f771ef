"""Statements of two texts that cannot both be true, found without understanding them: the same sentence, another value.

Two sentences are the same when they have the same words in the same order apart from one figure, one step of a scale, or
a negation; of a figure, so is a sentence and the clause of another one that stands by itself before what is added to it. That is narrow on purpose: what it tells is told for certain, and all else is left to a judge. Years belong to
the words. Where both texts name different things, nothing is told about either.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from witnessmark.text import lang, units
from witnessmark.text.markdown import ITEM, plain_lines
from witnessmark.text.sentences import sentence_texts

LEAST_WORDS = 3
_LEVELS = frozenset(
    ["minimal", "low", "limited", "moderate", "medium", "high", "critical", "severe", "unacceptable", "prohibited"]
)
_EXCLUSIVE = (
    _LEVELS,
    frozenset(["increased", "decreased", "unchanged"]),
    frozenset(["rose", "fell"]),
    frozenset(["compliant", "noncompliant"]),
    frozenset(["approved", "rejected"]),
    frozenset(["mandatory", "optional"]),
)
_SCALE_OF = {word: number for number, words in enumerate(_EXCLUSIVE) for word in words}
_FILLER = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "of",
        "is",
        "are",
        "was",
        "were",
        "be",
        "does",
        "do",
        "as",
        "also",
        "its",
        "about",
    ]
)
_AND_MORE = re.compile(
    r"(?P<own>.+?)(?:,? and (?=[a-z]+s \w+ \w)|,? but (?=[a-z]+s \w+ \w)|, so (?!long\b|far\b)|, which |; )"
)
"""A clause that is whole by itself, and what is said beside it: `it costs 3 and holds 4 guests`, `it costs 3, so 2 are left`."""
_GIVEN = re.compile(r"(?:Since|Because|As|Given that|Knowing that) (?P<own>.+?), ")
"""A clause that is told as a fact before what follows from it; what stands after `if` or `when` is none."""
_TOKEN = re.compile(r"\d[\d,]*(?:\.\d+)?|[^\W\d_]+(?:'[^\W\d_]+)?")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w-]*")


@dataclass(frozen=True, slots=True)
class PlainStatement:
    """A sentence as words with one value taken out."""

    frame: tuple[str, ...]
    kind: str
    value: str
    text: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sentences that give different values for the same thing."""

    kind: str
    first: str
    second: str

    @property
    def certain(self) -> bool:
        """Levels and negations rarely differ by chance; a figure may have changed, or be of something else."""
        return self.kind != "figure"


@dataclass(frozen=True, slots=True)
class ComparedText:
    """A text as it is compared: what it names, and its statements by their words."""

    names: frozenset[str]
    said: dict[tuple[tuple[str, ...], str], list[PlainStatement]]


def conflicts(first: str, second: str) -> list[Conflict]:
    """The plain conflicts between two texts, each sentence pair once."""
    return _between(_read(first), _read(second))


def all_conflicts(outputs: list[tuple[str, str]]) -> Iterator[tuple[str, str, Conflict]]:
    """The conflicts between any two of several outputs, with the ids of both; each output is read once."""
    read = [(name, _read(text)) for name, text in outputs]
    for (one, first), (other, second) in combinations(read, 2):
        for found in _between(first, second):
            yield one, other, found


def _read(text: str) -> ComparedText:
    said: dict[tuple[tuple[str, ...], str], list[PlainStatement]] = {}
    for statement in statements(text):
        said.setdefault((statement.frame, statement.kind), []).append(statement)
    return ComparedText(frozenset(_NAME.findall(text)), said)


def _between(one: ComparedText, other: ComparedText) -> list[Conflict]:
    """Statements of the same words and another value. A text that says them of two values is about several things."""
    if one.names and other.names and one.names.isdisjoint(other.names):
        return []
    found = {}
    for key in one.said.keys() & other.said.keys():
        first, second = one.said[key], other.said[key]
        values = {said.value for said in first}, {said.value for said in second}
        if values[0] != values[1] and max(map(len, values)) == 1:
            found[first[0].text, second[0].text] = Conflict(key[1], first[0].text, second[0].text)
    return [found[pair] for pair in sorted(found)]


def statements(text: str) -> Iterator[PlainStatement]:
    """Every sentence of a text, once for each value that can be taken out of it."""
    for line in plain_lines(text):
        for sentence in sentence_texts(ITEM.sub("", line)):
            told = sentence.endswith((".", "!")) and ":" not in sentence
            tokens = _tokens(sentence)
            words = [token for token in tokens if token not in _FILLER]
            for number, token in enumerate(words):
                kind, value = _slot(token)
                frame = tuple(w for n, w in enumerate(words) if n != number)
                # Of figures, only whole sentences count: in lists, tables and logs the same words stand for many things.
                if kind and len(frame) >= LEAST_WORDS and (told or kind != "figure"):
                    yield PlainStatement(frame, kind, value, sentence)
            bare = tuple(w for w in words if not _denies(w))
            if len(bare) >= LEAST_WORDS:
                yield PlainStatement(bare, "negation", str(len(words) != len(bare)), sentence)
            if told:
                yield from _by_itself(sentence)


def _by_itself(sentence: str) -> Iterator[PlainStatement]:
    """The clause of a sentence that has one figure and stands by itself, as a statement of its own."""
    match = _GIVEN.match(sentence) or _AND_MORE.match(sentence)
    words = [token for token in _tokens(match["own"]) if token not in _FILLER] if match else []
    slots = [(number, value) for number, (kind, value) in enumerate(map(_slot, words)) if kind == "figure"]
    if len(slots) != 1 or len(words) <= LEAST_WORDS or not words[-1].isalpha():
        return  # a clause that ends with its figure may go on: `it costs 3,000 and four more`
    number, value = slots[0]
    yield PlainStatement(tuple(w for n, w in enumerate(words) if n != number), "figure", value, sentence)


def _tokens(sentence: str) -> list[str]:
    """Words in lower case; figures in one form, with thousand, million and billion multiplied in."""
    tokens: list[str] = []
    for raw in _TOKEN.findall(sentence.replace("’", "'").replace("non-", "non")):
        token = raw.lower()
        if tokens and tokens[-1][0].isdecimal() and token in units.magnitudes():
            tokens[-1] = f"{float(tokens[-1]) * units.magnitudes()[token]:.12g}"
        else:
            tokens.append(f"{float(token.replace(',', '')):.12g}" if token[0].isdecimal() else token)
    return tokens


def _denies(word: str) -> bool:
    return word in lang.words("negations") or word.endswith("n't")


def _slot(token: str) -> tuple[str, str]:
    if token[0].isdecimal():
        year = token.isdecimal() and 1900 <= int(token) <= 2100
        return ("", "") if year else ("figure", token)
    scale = _SCALE_OF.get(token)
    return ("", "") if scale is None else (f"scale {scale}", token)


_DENIED = re.compile(r"^\s*it\s+is\s+(?:not\s+true|false|untrue)\s+that\s+", re.IGNORECASE)


@functools.lru_cache(maxsize=8)
def within(text: str) -> tuple[Conflict, ...]:
    """Sentences of one text that deny another one of it: the same words, and one negation more."""
    said: dict[tuple[str, ...], tuple[int, str]] = {}
    found: list[Conflict] = []
    for line in plain_lines(text):
        for sentence in sentence_texts(line):
            words = [w for w in _tokens(_DENIED.sub("not ", sentence)) if w not in _FILLER]
            bare = tuple(w for w in words if not _denies(w))
            denials = len(words) - len(bare)
            if len(bare) < LEAST_WORDS:
                continue
            before = said.setdefault(bare, (denials, sentence))
            if (before[0] - denials) % 2:
                found.append(Conflict("negation", before[1], sentence))
    return tuple(found)
