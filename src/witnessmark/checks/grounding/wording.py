"""How a claim is worded against a passage that says nearly the same: negation, opposites, superlatives, one word swapped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from witnessmark.text import lang, words

_BREAK = re.compile(r"[.;:!?]+")
_RUN = re.compile(r"\w+")
_CONTRACTED = re.compile(r"(?<=\w)\s?n['’]t\b", re.IGNORECASE)
_ELIDED = re.compile(r"\bn['’](?=\w)", re.IGNORECASE)
"""The French `ne` before a vowel: `n'est pas`."""
negations = lang.derived(lambda: lang.words("negations"))
LIMITED = 3
"""Words after a `not` among which an `only` makes it deny no more than the limit: `not sold only online`."""


def uncontracted(text: str) -> str:
    """A text with `n't` as a word of its own: isn't is `is not`."""
    return _CONTRACTED.sub(" not", text)


def pairs(language: str | None = None) -> list[tuple[str, str]]:
    """The opposites of one language, or of all; where a side has several words (`offen,geöffnet zu`), each with each."""
    rows = (row for table in lang.tables("opposites", language) for row in table["pairs"].split("|"))
    sides = (tuple(side.split(",") for side in row.split()) for row in rows)
    return [(one, two) for ones, twos in sides for one in ones for two in twos]


@lang.derived
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for pair in pairs():
        one, two = map(words.stem, pair)
        found[one] = found.get(one, frozenset()) | {two}
        found[two] = found.get(two, frozenset()) | {one}
    return found


def opposites_of(word: str) -> frozenset[str]:
    """The stems of what says the opposite of a word, whatever it stands beside: `disabled` and `unpaid`, no `after` for before."""
    known = frozenset() if words.stem(word) in _loose() else _opposites().get(words.stem(word), frozenset())
    prefixes = (prefix for table in lang.tables("opposites") for prefix in table.get("prefixes", "").split())
    return known | {words.stem(prefix + word) for prefix in prefixes if ":" not in prefix}


@lang.derived
def _loose() -> frozenset[str]:
    """Opposites that often stand side by side about different things: they speak against a claim and never settle it."""
    return words.stemmed(lang.words("loose_opposites"))


@lang.kept(4096)
def negated(text: str) -> frozenset[str]:
    """The words that a text denies and nowhere affirms: the first that carries meaning after each `not`, `never`, `no` …"""
    if not denies(text):
        return frozenset()
    found: set[str] = set()
    said: set[str] = set()
    for part in _BREAK.split(uncontracted(text)):
        row = words.words(part)
        denied: set[str] = set()
        for place, word in enumerate(row):
            if (
                word in negations()
                and lang.words("only").isdisjoint(row[place + 1 : place + 1 + LIMITED])
                and not _bounds(row[place + 1 : place + 7])
            ):
                denied.update(words.content(" ".join(row[place + 1 : place + 5]))[:1])
        found |= denied
        said |= {stem for stem in words.content(part) if stem not in denied}
    return frozenset(found - said)


def _bounds(after: Sequence[str]) -> bool:
    """Whether what follows a `not` makes it a limit: `not until`, `no other`, `not more than`; `did not lower it more than` denies."""
    small = after[:2] if not lang.words("comparing").isdisjoint(after) else after
    return not lang.words("limiting").isdisjoint(small)


@lang.kept(4096)
def meaningful_words(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, without those that deny: `We never share data` and `We share data` have the same."""
    row = words.words(_ELIDED.sub("", _CONTRACTED.sub("", text)))
    return frozenset(words.content(" ".join(word for word in row if word not in negations())))


def had_and_lacked(text: str, language: str) -> tuple[frozenset[str], frozenset[str]]:
    """(what a text says that something has, what it says that something lacks), by the first word that carries meaning after `has`, `without` …"""
    row = words.words(uncontracted(text) if "'" in text or "’" in text else text)
    having, lacking = (_after(row, lang.words(kind, language)) for kind in ("having", "lacking"))
    return having, lacking


def _after(row: Sequence[str], verbs: frozenset[str]) -> frozenset[str]:
    """The first word that carries meaning after each of these verbs, unless something near them denies it."""
    places = () if verbs.isdisjoint(row) else [place for place, word in enumerate(row) if word in verbs]
    plain = (place for place in places if negations().isdisjoint(row[max(0, place - 2) : place + 3]))
    return frozenset(stem for place in plain for stem in words.content(" ".join(row[place + 1 : place + 5]))[:1])


def denies_otherwise(text: str) -> bool:
    """Whether a text denies something without saying `not`: refused, unaware, avoid … Then counting `not` tells nothing."""
    return not lang.words("denying").isdisjoint(words.words(text))


def opposites(claim: Sequence[str], passage: frozenset[str] | set[str]) -> list[tuple[str, str]]:
    """Words of the claim whose opposite stands in the passage while they themselves do not."""
    mine = set(claim)
    found = []
    for stem in mine:
        there = _opposites().get(stem, frozenset()) & passage
        if there and stem not in passage and not there & mine:
            found.append((stem, min(there)))
    return sorted(found)


@lang.derived
def _prefixes() -> list[tuple[str, str]]:
    """The beginnings of two words that are opposites: nothing and `un`, `en` and `dis`."""
    rows = [row.split(":") for line in lang.section("opposites", "prefixes") for row in line.split()]
    return [(row[0] if len(row) > 1 else "", row[-1]) for row in rows]


@lang.derived
def _hyphened() -> re.Pattern[str]:
    return re.compile(
        rf"\b({lang.either(two for one, two in _prefixes() if not one and len(two) > 1)})-(?=\w)", re.IGNORECASE
    )


def joined(text: str) -> str:
    """A text with prefixes that deny joined to their words: `non-refundable` is one word."""
    return _hyphened().sub(r"\1", text) if "-" in text else text


def prefixed(claim: str, passage: str) -> list[tuple[str, str]]:
    """Stems that differ by a prefix which makes one the opposite of the other, and stand in the same place: (in claim, in passage)."""
    mine, theirs = words.stems(claim), words.stems(passage)
    replaced = [(ours, other) for here, there in swaps(mine, theirs) for ours in here for other in there]
    turned = _turned(words.words(passage)) | {(other, ours) for ours, other in _turned(words.words(claim))}
    return [pair for pair in replaced if pair in turned and pair[0] not in theirs and pair[1] not in mine]


def swapped_opposites(claim: str, passage: str) -> list[tuple[str, str]]:
    """Opposites that stand in the same place of both, one word for one: (in claim, in passage). Not where two things are compared."""
    mine, theirs = words.content(claim), words.content(passage)
    if not lang.words("comparing").isdisjoint(words.words(claim)):
        return []
    single = [(here[0], there[0]) for here, there in swaps(mine, theirs) if len(here) == len(there) == 1]
    return [
        (ours, other)
        for ours, other in single
        if other in _opposites().get(ours, ()) and not loose(ours) and ours not in theirs and other not in mine
    ]


def _turned(row: Sequence[str]) -> set[tuple[str, str]]:
    """Each word that has such a prefix, after the word that it turns into its opposite; both as stems."""
    starts = tuple(two for _, two in _prefixes())
    return {
        (words.stem(one + word[len(two) :]), words.stem(word))
        for word in row
        if word.startswith(starts)
        for one, two in _prefixes()
        if word.startswith(two) and len(word) - len(two) >= (SHORTEST if len(two) > 1 else SHORTEST + 2)
    }


SHORTEST = 4
"""Letters after a prefix (two more after a single letter): `unit` is not the opposite of `it`, nor `amount` of `mount`."""


def loose(stem: str) -> bool:
    """Whether an opposite is one of those that settle nothing."""
    return stem in _loose()


@lang.kept(4096)
def denies(text: str) -> bool:
    """Whether a text has any word that denies, whatever it denies."""
    return not negations().isdisjoint(words.words(text)) or _CONTRACTED.search(text) is not None


def superlatives(text: str) -> frozenset[str]:
    """Words that leave no room: most, only, first, all …"""
    return lang.words("superlatives").intersection(_RUN.findall(text.lower()))


def hedged(text: str) -> bool:
    """Whether a text says something as possible only."""
    return not lang.words("modals").isdisjoint(_RUN.findall(text.lower()))


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
