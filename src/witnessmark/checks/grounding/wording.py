"""How a claim is worded against a passage that says nearly the same: negation, opposites, superlatives, one word swapped."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from witnessmark.text import words

_NEGATION = frozenset(
    ["not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "nicht", "kein", "keine", "keinen", "keiner", "nie", "niemals", "pas", "jamais", "aucun", "aucune", "nunca", "ningún", "ninguna", "tampoco"]
)  # fmt: skip
_NOT_ONLY = frozenset({("just",), ("only",), ("merely",), ("simply",)})
_DENYING = frozenset(
    [
        "without",
        "refuse",
        "refused",
        "refuses",
        "deny",
        "denied",
        "denies",
        "unable",
        "unaware",
        "avoid",
        "avoids",
        "avoiding",
        "avoided",
        "fail",
        "fails",
        "failed",
        "lack",
        "lacks",
        "lacked",
        "rather",
        "instead",
        "neither",
        "hardly",
        "rarely",
        "nor",
        "stop",
        "prevent",
        "prevents",
        "declined",
        "absent",
        "ohne",
        "sans",
        "sin",
    ]
)
_LIMITING = frozenset({"since", "until", "except", "unless", "other", "longer", "later", "than", "but"})
"""After these `no` does not deny: no release since March says that there was one in March."""
_BREAK = re.compile(r"[.;:!?]+")
_CONTRACTED = re.compile(r"(\w+)n['’]t\b", re.IGNORECASE)
_PAIRS = """increase decrease|increase reduce|rise fall|rise drop|grow shrink|grow decline|gain lose|win lose|more less|more fewer|higher lower|high low|
largest smallest|largest least|most least|first last|best worst|before after|above below|over under|accept reject|approve reject|support oppose|
agree disagree|allow forbid|allow prohibit|open close|start end|begin end|start stop|begin finish|buy sell|include exclude|including excluding|enable disable|success failure|
succeed fail|positive negative|major minor|male female|man woman|father mother|son daughter|brother sister|husband wife|north south|east west|
early late|earlier later|old new|older younger|young old|long short|longer shorter|strong weak|stronger weaker|fast slow|faster slower|
possible impossible|likely unlikely|legal illegal|guilty innocent|true false|alive dead|hot cold|heavy light|easy difficult|improve worsen|
expand contract|raise lower|strengthen weaken|safe dangerous|public private|married divorced|better worse|up down|left right|inside outside|
optimistic pessimistic|confident uncertain|happy sad|exceed miss|outperform underperform|profit loss|import export|arrive leave|arrive depart|
day night|morning evening|king queen|local foreign|domestic international|upper lower|maximum minimum|majority minority|temporary permanent|voluntary mandatory|
steigen sinken|gestiegen gesunken|mehr weniger|vor nach|größte kleinste|augmenter diminuer|avant après|plus moins|aumentar disminuir|antes después|mayor menor"""
_LOOSE = frozenset(
    words.stem(word)
    for word in "before after over under up down king queen left right day night vor nach avant après antes después".split()
)
"""Opposites that often stand side by side about different things: they speak against a claim and never settle it."""
_OPPOSITES: dict[str, frozenset[str]] = {}
for _pair in _PAIRS.replace("\n", "").split("|"):
    _one, _two = (words.stem(word) for word in _pair.split())
    _OPPOSITES[_one] = _OPPOSITES.get(_one, frozenset()) | {_two}
    _OPPOSITES[_two] = _OPPOSITES.get(_two, frozenset()) | {_one}
_SUPERLATIVE = re.compile(
    r"\b(?:most|least|best|worst|largest|biggest|smallest|highest|lowest|oldest|youngest|newest|longest|shortest|fastest|slowest|greatest|earliest|"
    r"latest|richest|only|sole|first|last|all|every|always|never|none|entire|exclusively|größte[nrs]?|kleinste[nrs]?|einzige[nrs]?|meisten|älteste[nrs]?|mejor|peor|único|única)\b",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:may|might|could|can|possibly|likely|reportedly|allegedly|suggests?|expected|plans?|considering|proposed|könnte|pourrait|podría)\b",
    re.IGNORECASE,
)


@functools.lru_cache(maxsize=4096)
def negated(text: str) -> frozenset[str]:
    """The words that a text denies and nowhere affirms: the first that carries meaning after each `not`, `never`, `no` …"""
    found: set[str] = set()
    affirmed: list[str] = []
    for part in _BREAK.split(_CONTRACTED.sub(r"\1 not", text)):
        row = words.words(part)
        denied: set[str] = set()
        for place, word in enumerate(row):
            if (
                word in _NEGATION
                and row[place + 1 : place + 2] not in _NOT_ONLY
                and not _LIMITING & {*row[place + 1 : place + 7]}
            ):
                denied.update(words.content(" ".join(row[place + 1 : place + 5]))[:1])
        found |= denied
        affirmed += [stem for stem in words.content(part) if stem not in denied]
    return frozenset(found.difference(affirmed))


def denies_otherwise(text: str) -> bool:
    """Whether a text denies something without saying `not`: refused, unaware, avoid … Then counting `not` tells nothing."""
    return any(word in _DENYING for word in words.words(text))


def opposites(claim: Sequence[str], passage: frozenset[str] | set[str]) -> list[tuple[str, str]]:
    """Words of the claim whose opposite stands in the passage while they themselves do not."""
    mine = set(claim)
    found = []
    for stem in mine:
        there = _OPPOSITES.get(stem, frozenset()) & passage
        if there and stem not in passage and not there & mine:
            found.append((stem, min(there)))
    return sorted(found)


def loose(stem: str) -> bool:
    """Whether an opposite is one of those that settle nothing."""
    return stem in _LOOSE


def without_negations(stems: Iterable[str]) -> set[str]:
    """The words of a sentence apart from those that deny."""
    return {stem for stem in stems if stem not in _NEGATION}


def denies(text: str) -> bool:
    """Whether a text has any word that denies, whatever it denies."""
    return _CONTRACTED.search(text) is not None or any(word in _NEGATION for word in words.words(text))


def superlatives(text: str) -> set[str]:
    """Words that leave no room: most, only, first, all …"""
    return {match.group().lower() for match in _SUPERLATIVE.finditer(text)}


def hedged(text: str) -> bool:
    """Whether a text says something as possible only."""
    return _MODAL.search(text) is not None


def swaps(claim: Sequence[str], passage: Sequence[str]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Stretches of at most four words that differ where the words on both sides are the same: (in claim, in passage)."""
    found = []
    codes = SequenceMatcher(None, claim, passage, autojunk=False).get_opcodes()
    for number, (tag, a, b, c, d) in enumerate(codes):
        before = number > 0 and codes[number - 1][0] == "equal"
        after = number + 1 < len(codes) and codes[number + 1][0] == "equal"
        if tag == "replace" and (before or after) and b - a <= 4 and d - c <= 4:
            found.append((tuple(claim[a:b]), tuple(passage[c:d])))
    return found
