"""A word or a condition right beside what a claim repeats, which the claim leaves out: `the former CEO`, `free only if …`, `all except …`.

Only where the claim has nothing but words of the passage, and no other passage says them without it. What the question or another sentence of
the answer tells of it is not left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from witnessmark.checks.grounding.evidence import Passage
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.reading.speech import instructs
from witnessmark.text import lang, words
from witnessmark.text.patterns import compiled

TOLD = 0.5
"""The share of a condition's words that must be told elsewhere for it not to be left out."""
_CLAUSE = re.compile(r"[,;:.()–—]")


@lang.derived
def _condition(language: str) -> re.Pattern[str]:
    parts = [part for table in lang.tables("speech", language) for part in table.get("condition", ())]
    return compiled("|".join(f"(?:{part})" for part in parts) or r"(?!)", re.IGNORECASE)


def left_out(claim: str, near: Sequence[Passage], language: str, told: Sequence[str]) -> Iterator[RuleFinding]:
    """What the passages that have all words of a claim say beside them and the claim does not; `told` are the question and the other claims."""
    mine = words.content(claim)
    repeated = [passage for passage in near if mine and passage.stems.issuperset(mine)]
    if not repeated or _condition(language).search(claim) or instructs(claim):
        return
    known = {stem for text in told for stem in words.content(text)}
    found = [(passage, _qualified(claim, passage.text, language)) for passage in repeated]
    if not any(_is_told(words.content(beside), known) for _, beside in found):
        passage, beside = found[0]
        yield RuleFinding("qualifier", "missing", mine[-1], passage, passage.span, beside)


def _is_told(condition: Sequence[str], known: set[str]) -> bool:
    """Whether enough of a condition is told elsewhere, or there is none."""
    return len(known.intersection(condition)) >= TOLD * len(set(condition))


def _qualified(claim: str, text: str, language: str) -> str:
    """The words of a passage that qualify those of a claim, and are not in it; empty where it has none."""
    return _by_a_word(claim, text, language) or next(_by_a_condition(claim, text, language), "")


def _by_a_word(claim: str, text: str, language: str) -> str:
    """A word such as `former` before each mention of a word of the claim."""
    mine, row = words.stems(claim), words.words(text)
    stems = words.stems(text)
    for place, word in enumerate(row[:-1]):
        after = stems[place + 1]
        if word not in lang.words("qualifying", language) or words.stem(word) in mine or after not in mine:
            continue
        if all(row[at - 1] == word for at, stem in enumerate(stems) if stem == after and at):
            return word
    return ""


def _by_a_condition(claim: str, text: str, language: str) -> Iterator[str]:
    """A condition or an exception that follows the claim's last word at once, or leads up to its first."""
    mine = words.content(claim)
    for mark in _condition(language).finditer(text):
        before, rest = words.content(text[: mark.start()]), text[mark.end() :]
        follows = before[-1:] == mine[-1:] and set(mine) <= set(before)
        leads = not before and set(mine) <= set(words.content(rest.partition(",")[2]))
        if follows or leads:
            yield f"{mark.group()} {_CLAUSE.split(rest, 1)[0]}".strip()
