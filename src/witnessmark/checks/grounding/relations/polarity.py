"""Yes against no, clause by clause: `can be paused` against `cannot be paused`, `answered` against `without an answer`, `fine` against `attacks`.

Silent unless a clause and the claim have the same words apart from what denies: one that says more (`not on Sundays`) denies less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.text import lang, words
from witnessmark.text.records import no_words, yes_words

_NOT, _UN = re.compile(r"(?<=can)(?=not\b)|(?:(?<=ca)n)?n?['’]t\b"), re.compile(r"\bun([a-z]{4,})")


@lang.derived
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where a text is cut into clauses; and a yes or no of a table (`projector: no`)."""
    joining, lacking = (lang.either(lang.words(name)) for name in ("joining", "lacking"))
    cell = rf"([^;:.]+): (?:({lang.either(yes_words())})|(?:{lang.either(no_words())}))(?=;|$)"
    return re.compile(rf"[.;:,!?()]+(?:\s|$)|\b(?:{joining})\b|(?=\b(?:{lacking})\b)"), re.compile(cell)


@lang.derived
def _small() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Words that deny; stems that say nothing beside them; stems that `un` turns back and does not deny (uninstall)."""
    denying, light = (
        lang.words("negations") | lang.words("lacking"),
        frozenset(map(words.stem, lang.words("light_verbs"))),
    )
    return denying, light | denying, frozenset(words.stem(word.removeprefix("un")) for word in lang.words("undoing"))


def _clauses(text: str, known: frozenset[str]) -> Iterator[tuple[frozenset[str], frozenset[str], frozenset[str]]]:
    """The stems of each clause, those it denies (`safe` of `unsafe`, where `known`), and those before it where it has no subject of its own."""
    (denying, light, undoing), (cut, cell) = _small(), _patterns()
    plain = cell.sub(lambda hit: f" {'is' if hit[2] else 'not'} {hit[1]}", text.lower())
    plain = _NOT.sub(lambda hit: " not" if hit.group() else " ", plain)
    plain = _UN.sub(lambda hit: f"not {hit[1]}" if words.stem(hit[1]) in known - undoing else hit[0], plain)
    before: frozenset[str] = frozenset()
    for part in cut.split(plain):
        row, denied, stems = words.words(part), set[str](), frozenset(words.content(part)) - light
        for after in (row[place + 1 : place + 6] for place, word in enumerate(row) if word in denying):
            denied.update([stem for stem in words.content(" ".join(after)) if stem not in light][:1])
            if not (lang.words("limiting").isdisjoint(after) and lang.words("only").isdisjoint(after[:1])):
                stems = frozenset()  # `not until noon`, `not only`: it may be so all the same
        yield stems, frozenset(denied), before if row and row[0] in lang.words("inverted") | denying else frozenset()
        before |= stems


def opposed(claim: str, near: Sequence[Passage], index: Index) -> tuple[Passage, str] | None:
    """(the passage, the word that only one of the two denies) where a clause says a claim's words with the other sign."""
    wanted, row = frozenset(words.content(claim)) - _small()[1], words.words(claim)
    close = [one for one in near if len(wanted - one.stems) < 2]  # `safe` may stand there as `unsafe`
    mine = [one for one in _clauses(claim, frozenset().union(*(one.stems for one in close))) if one[0]] if close else []
    against = None
    for passage in close if len(mine) == 1 and lang.words("denying").isdisjoint({*row} - lang.words("lacking")) else ():
        ours, denied, _ = mine[0]
        alone = len(ours) > 1 or all(index.count(stem) == 1 for stem in ours)
        for stems, theirs, before in _clauses(passage.text, ours):
            same = bool(stems) and stems <= ours <= stems | before
            if same and theirs == denied:
                return None  # it is said just so
            if same and alone and len(theirs ^ denied) == 1 and not (theirs and denied):
                against = against or (passage, min(theirs | denied))
    return against or _harmful(row, near, index)


def _harmful(row: tuple[str, ...], near: Sequence[Passage], index: Index) -> tuple[Passage, str] | None:
    """Something is called fine that a clause says does harm: `vinegar is fine` against `vinegar attacks the seals`."""
    at = next((n for n, word in enumerate(row) if word in lang.words("approving")), 0)
    subject, rest = (frozenset(words.content(" ".join(part))) for part in (row[:at], row[at + 1 :]))
    for passage in near if subject and _small()[0].isdisjoint(row) and all(map(index.has, rest)) else ():
        for part in map(words.words, _patterns()[0].split(passage.text.lower())):
            harm = next((n for n, word in enumerate(part) if word in lang.words("harming")), 0)
            if subject <= {*words.content(" ".join(part[:harm]))} and _small()[0].isdisjoint(part):
                return passage, row[at]
    return None
