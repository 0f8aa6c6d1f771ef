"""Sets of words written as a sentence, so that a vocabulary can be read and changed like one."""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(words.split())
