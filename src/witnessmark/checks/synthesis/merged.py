"""Agent outputs that contradict each other and a synthesis that takes one side, or both, without a word about it.

What the outputs say in the same sentence with another value is a conflict, as between the tasks of a mission; where an output tells of a change it
may be none. A synthesis that has both values in other words, or any word of difference near them, names it. Words are data (`[missions]`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from witnessmark.checks.mission import conflicts
from witnessmark.core.case import Evidence
from witnessmark.core.verdict import EvidenceRef, Finding
from witnessmark.text import lang

_WORD = re.compile(r"[^\W\d_]+")
_FIGURE = re.compile(r"\d[\d,.]*\d|\d")
MOST = 20


def silently_merged(text: str, outputs: Sequence[Evidence]) -> Iterator[Finding]:
    """Each conflict between two outputs of which the text gives a side as if there were none."""
    told = [(source.id, source.text) for source in outputs if source.text and not _tells_of_a_change(source.text)]
    found = list(conflicts.all_conflicts(told))[:MOST] if len(told) > 1 else []
    if not found or _names_a_difference(text):
        return
    for one, other, conflict in found:
        sides = [bool(conflicts.alike(text, said)) for said in (conflict.first, conflict.second)]
        if any(sides) and (all(sides) or not _has_both(text, conflict)):
            yield Finding(
                message="two agent outputs contradict each other, and the answer does not say so",
                category="consistency_conflict",
                quote=f"{conflict.first} / {conflict.second}",
                evidence=(EvidenceRef(id=one), EvidenceRef(id=other)),
                suggestion="Say what each of them found, or find out which one is right.",
            )


def _tells_of_a_change(text: str) -> bool:
    return not lang.listed("missions", "changed").isdisjoint(_words(text))


def _names_a_difference(text: str) -> bool:
    return not lang.listed("missions", "differ").isdisjoint(_words(text))


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _has_both(text: str, conflict: conflicts.Conflict) -> bool:
    """Whether the figures that only one of the two outputs has all stand in the text."""
    first, second = (set(_FIGURE.findall(said)) for said in (conflict.first, conflict.second))
    return bool(first ^ second) and (first ^ second) <= set(_FIGURE.findall(text))
