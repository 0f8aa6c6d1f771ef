"""Statements of two texts that cannot both be true, found without understanding them: the same sentence, another value.

Two sentences are the same when they have the same words in the same order apart from one figure, one day, one step of a scale, the name at its end, or
a negation; so are a sentence and the clause of another one that stands by itself before what is added to it. That is narrow on purpose: what it tells is told for certain, and all else is left to a judge. Years belong to
the words, and a figure that is the other one rounded is the same. Where both texts name different things, nothing is told about either.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

from witnessmark.text import digits, lang, units
from witnessmark.text.dates import Date, dates
from witnessmark.text.markdown import ITEM, plain_lines
from witnessmark.text.sentences import sentence_texts

WHOLE = 0.5
"""What rounding leaves open of a whole number."""
LEAST_WORDS, LEAST_DEFINITE = 3, 2
"""Words beside the value from which a sentence says what it is about; fewer are enough where it begins with an article: `The bridge is safe.`"""
_AND_MORE = re.compile(
    r"(?P<own>.+?)(?:,? and (?=[a-z]+s \w+ \w)|,? but (?=[a-z]+s \w+ \w)|, (?:and|but) (?=(?:it|they|the) )|, so (?!long\b|far\b)|, which |; )"
)
"""A clause that is whole by itself, and what is said beside it: `it costs 3 and holds 4 guests`, `it costs 3, so 2 are left`."""
_GIVEN = re.compile(r"(?:Since|Because|As|Given that|Knowing that) (?P<own>.+?), ")
"""A clause that is told as a fact before what follows from it; what stands after `if` or `when` is none."""
_TOKEN = re.compile(rf"{digits.WRITTEN}|[^\W\d_]+(?:'[^\W\d_]+)?")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w-]*")
_IS_NAMED = re.compile(r"(?P<frame>The [^,;:]+ (?:is|was)) (?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+)[.!]")
"""What is one person or thing by its words: `The head of sales is Lena Brandt.`"""


@lang.derived
def _scales() -> dict[str, int]:
    """The words of which only one can be true of a thing, each by the number of its scale."""
    return {word: number for number, row in enumerate(lang.rows("conflicts", "exclusive")) for word in row.split()}


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
        """Levels and negations rarely differ by chance; a figure, a day, or the level of one word, may be of something else."""
        return self.kind not in ("figure", "date", "brief")


@dataclass(frozen=True, slots=True)
class ComparedText:
    """A text as it is compared: what it names, and its statements by their words."""

    names: frozenset[str]
    said: dict[tuple[tuple[str, ...], str], list[PlainStatement]]


def all_conflicts(outputs: list[tuple[str, str]]) -> Iterator[tuple[str, str, Conflict]]:
    """The conflicts between any two of several outputs, with the ids of both; each output is read once."""
    read = [(name, _read(text)) for name, text in outputs]
    for (one, first), (other, second) in combinations(read, 2):
        for found in _between(first, second):
            yield one, other, found


def alike(text: str, sentence: str) -> bool:
    """Whether a text says what a sentence says, with the same value and in the same words."""
    said = {(one.frame, one.kind, one.value.partition("~")[0]) for one in statements(text)}
    return not said.isdisjoint((one.frame, one.kind, one.value.partition("~")[0]) for one in statements(sentence))


def _read(text: str) -> ComparedText:
    said: dict[tuple[tuple[str, ...], str], list[PlainStatement]] = {}
    for statement in statements(text):
        said.setdefault((statement.frame, statement.kind), []).append(statement)
    return ComparedText(frozenset(_NAME.findall(text)), said)


def _between(one: ComparedText, other: ComparedText) -> list[Conflict]:
    """Statements of the same words and another value. A text that says them of two values is about several things."""
    others = bool(one.names and other.names and one.names.isdisjoint(other.names))
    found = {}
    for key in one.said.keys() & other.said.keys():
        first, second = one.said[key], other.said[key]
        single = max(len({said.value for said in first}), len({said.value for said in second})) == 1
        if single and not _agree(first[0].value, second[0].value) and not (others and key[1] != "name"):
            kind = "brief" if len(key[0]) < LEAST_DEFINITE else key[1]
            found[first[0].text, second[0].text] = Conflict(kind, first[0].text, second[0].text)
    return [found[pair] for pair in sorted(found)]


def _agree(one: str, other: str) -> bool:
    """Whether two values are the same, one is the other rounded, in any reading of their separators, or the same day told without its year."""
    pairs = product(_readings(one), _readings(other))
    days = one.split(), other.split()  # a day without its year is that day of any year
    return days[0][: len(days[1])] == days[1][: len(days[0])] or any(
        abs(mine - theirs) <= max(half, rival) * 1.000001 for (mine, half), (theirs, rival) in pairs
    )


def _readings(value: str) -> list[tuple[float, float]]:
    """What a figure may say, each with what rounding leaves open; nothing where it is none."""
    pairs = [part.split("~") for part in value.split("/") if "~" in part]
    return [(float(number), float(half)) for number, half in pairs]


def _written(readings: Iterable[tuple[float, float]]) -> str:
    return "/".join(f"{number:.12g}~{half:.6g}" for number, half in readings)


def statements(text: str) -> Iterator[PlainStatement]:
    """Every sentence of a text, once for each value that can be taken out of it."""
    for line in plain_lines(text):
        for sentence in sentence_texts(ITEM.sub("", line)):
            told = sentence.endswith((".", "!")) and ":" not in sentence
            yield from _values_of(sentence, sentence, told)
            if told:
                yield from _dated(sentence, sentence)
                yield from _by_itself(sentence)
                yield from _reported(sentence)
                named = _IS_NAMED.fullmatch(sentence)
                if named is not None:
                    yield PlainStatement(_words(named["frame"]), "name", named["name"], sentence)


def _values_of(words_of: str, sentence: str, told: bool) -> Iterator[PlainStatement]:
    """What is said with some words of a sentence, once for each value that can be taken out of them."""
    tokens = [token for token in _tokens(words_of) if token not in lang.words("compared_filler")]
    definite = told and words_of.split(" ", 1)[0].lower() in lang.words("definite")
    least = LEAST_DEFINITE if definite else LEAST_WORDS
    for number, token in enumerate(tokens):
        kind, value = _slot(token)
        frame = tuple(map(_framed, (w for n, w in enumerate(tokens) if n != number)))
        enough = least if kind == "figure" else least - definite
        # Of figures, only whole sentences count: in lists, tables and logs the same words stand for many things.
        if kind and len(frame) >= enough and (told or kind != "figure"):
            yield PlainStatement(frame, kind, value, sentence)
    bare = tuple(_framed(w) for w in tokens if not _denies(w))
    if len(bare) >= least:
        yield PlainStatement(bare, "negation", str(len(tokens) != len(bare)), sentence)


def _by_itself(sentence: str) -> Iterator[PlainStatement]:
    """What the clause of a sentence says that stands by itself; of its figures only one that is alone."""
    match = _GIVEN.match(sentence) or _AND_MORE.match(sentence)
    words = [token for token in _tokens(match["own"]) if token not in lang.words("compared_filler")] if match else []
    if match is None or not words or not words[-1].isalpha():
        return  # a clause that ends with its figure may go on: `it costs 3,000 and four more`
    alone = [_slot(word)[0] for word in words].count("figure") == 1
    yield from (said for said in _values_of(match["own"], sentence, True) if said.kind != "figure" or alone)


def _reported(sentence: str) -> Iterator[PlainStatement]:
    """What a sentence tells as the word of a source, by what it tells: its figures and its day, of which two sources may give others."""
    frame = _report().match(sentence)
    if frame is not None and lang.listed("missions", "moments").isdisjoint(frame.group().lower().split()):
        said = sentence[frame.end() :]
        yield from (one for one in _values_of(said, sentence, True) if one.kind == "figure")
        yield from _dated(said, sentence)


@lang.derived
def _report() -> re.Pattern[str]:
    return re.compile(rf"(?:{lang.alternatives('conflicts', 'reports')})", re.IGNORECASE)


def _dated(words_of: str, sentence: str) -> Iterator[PlainStatement]:
    """What some words of a sentence say on the one day that they name, with the day taken out."""
    days = dates(words_of)
    if len(days) != 1 or days[0].day is None:
        return
    start, end = days[0].span
    frame = _words(f"{words_of[:start]} {words_of[end:]}")
    if len(frame) >= LEAST_WORDS:
        yield PlainStatement(frame, "date", _day(days[0]), sentence)


def _day(date: Date) -> str:
    return f"{date.month}-{date.day} {date.first or ''}".strip()


def _words(sentence: str) -> tuple[str, ...]:
    return tuple(_framed(token) for token in _tokens(sentence) if token not in lang.words("compared_filler"))


@functools.lru_cache(maxsize=4096)
def _framed(token: str) -> str:
    """A word as it is compared: `allows` and `allow` are one, `allowed` is told of another time; figures by their value."""
    if not token.isalpha():
        return token.partition("~")[0]
    ending = "es" if token.endswith(("sses", "shes", "ches", "xes")) else "s"
    return token if len(token) <= 3 or token.endswith("ss") else token.removesuffix(ending)


def _tokens(sentence: str) -> list[str]:
    """Words in lower case; figures in one form with what rounding leaves open (`1240000~5000`), thousand, million and billion multiplied in.

    One whose separators allow two numbers has both: `1.200` is `1.2~0.0005/1200~0.5`.
    """
    tokens: list[str] = []
    roughly = False
    for raw in _TOKEN.findall(sentence.replace("’", "'").replace("non-", "non")):
        token = raw.lower()
        if token[0].isdecimal():
            tokens.append(_figure(token, roughly))
        elif tokens and tokens[-1][0].isdecimal() and token in units.magnitudes():
            times = units.magnitudes()[token]
            tokens[-1] = (
                _written((number * times, half * times) for number, half in _readings(tokens[-1])) or tokens[-1]
            )
        elif token not in lang.words("compared_roughly"):
            tokens.append(token)
        roughly = token in lang.words("compared_roughly")
    return tokens


def _figure(written: str, roughly: bool) -> str:
    """A figure with half of its last place, in each of its readings; as it is written where it is no number: 3.5.2."""
    read = digits.digits(written, "en")
    if read is None:
        return written
    value, other, half = read
    readings = [(value, half if half < WHOLE else _half(value, roughly))]
    return _written(readings if other is None else [*readings, (other, _half(other, roughly))])


def _half(value: float, roughly: bool) -> float:
    """Half of the last place of a whole number: of its last that is not 0, where it is said to be about that."""
    whole = f"{value:.0f}"
    return WHOLE * 10.0 ** (len(whole) - len(whole.rstrip("0"))) if roughly else WHOLE


def _denies(word: str) -> bool:
    return word in lang.words("negations") or word.endswith("n't")


def _slot(token: str) -> tuple[str, str]:
    if token[0].isdecimal():
        plain = token.partition("~")[0]
        year = plain.isdecimal() and 1900 <= int(plain) <= 2100
        return ("", "") if year else ("figure", token)
    scale = _scales().get(token)
    return ("", "") if scale is None else (f"scale {scale}", token)


_DENIED = re.compile(r"^\s*it\s+is\s+(?:not\s+true|false|untrue)\s+that\s+", re.IGNORECASE)


@lang.kept(8)
def within(text: str) -> tuple[Conflict, ...]:
    """Sentences of one text that deny another one of it: the same words, and one negation more."""
    said: dict[tuple[str, ...], tuple[int, str]] = {}
    found: list[Conflict] = []
    for line in plain_lines(text):
        for sentence in sentence_texts(line):
            words = [w for w in _tokens(_DENIED.sub("not ", sentence)) if w not in lang.words("compared_filler")]
            bare = tuple(_framed(w) for w in words if not _denies(w))
            denials = len(words) - len(bare)
            definite = sentence.split(" ", 1)[0].lower() in lang.words("definite")
            if len(bare) < (LEAST_DEFINITE if definite else LEAST_WORDS):
                continue
            before = said.setdefault(bare, (denials, sentence))
            if (before[0] - denials) % 2:
                found.append(Conflict("negation", before[1], sentence))
    return tuple(found)
