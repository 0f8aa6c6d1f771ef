"""The things a sentence speaks of, in order: names, and nouns with an article. Found by how they are written; no grammar.

>>> [one.stems for one in mentions("In May the printer Alvera bought Stroud Labels.", frozenset({"alvera", "stroud", "label"}))]
[('alvera',), ('stroud', 'label')]
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from witnessmark.text import lang, words

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[.;:!?()]")


@dataclass(frozen=True, slots=True)
class Mention:
    """One thing as it is mentioned: the stems it is known by, and the words of the sentence it covers."""

    stems: tuple[str, ...]
    start: int
    end: int

    def same(self, other: Mention) -> bool:
        """Whether both mean the same: the last word of one is a word of the other."""
        return self.stems[-1] in other.stems or other.stems[-1] in self.stems


@functools.lru_cache(maxsize=2048)
def row(text: str) -> tuple[str, ...]:
    """The words of a text as they are written, marks that end a stretch among them."""
    return tuple(_WORD.findall(text))


def mentions(text: str, known: frozenset[str]) -> list[Mention]:
    """The names of a text whose words are all `known` (those that the other text has too), and nouns after an article."""
    found: list[Mention] = []
    given = row(text)
    articles, stop = lang.words("articles"), words.stop_words()
    at = 0
    while at < len(given):
        end = at
        while end < len(given) and _names(given[end], stop):
            end += 1
        if end == at and at and given[at - 1].lower() in articles and given[at][0].isalpha():
            end = at + 1
        stems = tuple(stem for word in given[at:end] if (stem := words.stem(word.lower())) in known) if end > at else ()
        if stems:
            found.append(Mention(stems, at, end))
        at = max(end, at + 1)
    return found


def _names(word: str, stop: frozenset[str]) -> bool:
    return word[0].isupper() and word.lower() not in stop
