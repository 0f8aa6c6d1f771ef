"""How near an output is to a reference, by letters and words: the measures other tools grade by, without a model.

Times are bounded: the longest common subsequence and the edit distance are counted in whole machine words at a time,
and texts beyond a length abstain. Meaning is not looked at; a high score says that the words are alike.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence

from witnessmark.checks.plain.exact import same
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.registry import Look, check
from witnessmark.core.thresholds import threshold
from witnessmark.core.values import Count, Unit
from witnessmark.core.verdict import Finding, Result, abstained
from witnessmark.text.words import letters

SIMILAR = threshold("similar")
LONGEST = 50_000
"""Characters beyond which texts are not compared letter by letter."""


def longest_common(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence, a row of the table at a time as one number."""
    if not a or not b:
        return 0
    places: dict[Hashable, int] = {}
    for number, one in enumerate(a):
        places[one] = places.get(one, 0) | 1 << number
    whole = (1 << len(a)) - 1
    row = whole
    for one in b:
        met = row & places.get(one, 0)
        row = ((row + met) | (row - met)) & whole
    return len(a) - row.bit_count()


def distance(a: str, b: str) -> int:
    """The edit distance: how many letters are to be put in, taken out or exchanged."""
    if not a or not b:
        return len(a) or len(b)
    places: dict[str, int] = {}
    for number, one in enumerate(a):
        places[one] = places.get(one, 0) | 1 << number
    whole, top = (1 << len(a)) - 1, 1 << (len(a) - 1)
    up, down, far = whole, 0, len(a)
    for one in b:
        met = places.get(one, 0)
        across = (((met & up) + up) ^ up) | met | down
        more, less = (down | ~(across | up)) & whole, up & across
        far += bool(more & top) - bool(less & top)
        more, less = (more << 1 | 1) & whole, (less << 1) & whole
        up, down = (less | ~(met | down | more)) & whole, more & (met | down)
    return far


def fuzzy(text: str, reference: str) -> float:
    """Twice the letters in common, in their order, over all letters."""
    both = len(text) + len(reference)
    return 2 * longest_common(text, reference) / both if both else 1.0


def edits(text: str, reference: str) -> float:
    """One less the edit distance over the longer length."""
    longer = max(len(text), len(reference))
    return 1 - distance(text, reference) / longer if longer else 1.0


def _grams(words: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def _f(common: int, ours: int, theirs: int) -> float:
    return 2 * common / (ours + theirs) if ours + theirs else 0.0


def rouge(size: int) -> Callable[[str, str], float]:
    """F of the runs of so many words."""

    def measure(text: str, reference: str) -> float:
        ours, theirs = _grams(_words(text), size), _grams(_words(reference), size)
        return _f((ours & theirs).total(), ours.total(), theirs.total())

    return measure


def rouge_l(text: str, reference: str) -> float:
    """F of the words in common, in their order."""
    ours, theirs = _words(text), _words(reference)
    return _f(longest_common(ours, theirs), len(ours), len(theirs))


def bleu(text: str, reference: str) -> float:
    """Runs of one to four words that the reference has too, as a geometric mean, less where the text is short."""
    ours, theirs = _words(text), _words(reference)
    if not ours or not theirs:
        return 0.0
    logs = []
    for size in range(1, min(4, len(ours), len(theirs)) + 1):
        mine, known = _grams(ours, size), _grams(theirs, size)
        common = (mine & known).total()
        if not common:
            return 0.0
        logs.append(math.log(common / mine.total()))
    brevity = min(0.0, 1 - len(theirs) / len(ours))
    return math.exp(brevity + sum(logs) / len(logs))


def gleu(text: str, reference: str) -> float:
    """Runs of one to four words in common, over those of the text or of the reference, whichever has more."""
    ours, theirs = _words(text), _words(reference)
    mine = sum((_grams(ours, size) for size in range(1, 5)), Counter[tuple[str, ...]]())
    known = sum((_grams(theirs, size) for size in range(1, 5)), Counter[tuple[str, ...]]())
    most = max(mine.total(), known.total())
    return (mine & known).total() / most if most else 0.0


def _words(text: str) -> list[str]:
    return letters(text.casefold())


MEASURES: Mapping[str, Callable[[str, str], float]] = {
    "fuzzy": fuzzy,
    "edits": edits,
    "bleu": bleu,
    "gleu": gleu,
    "rouge_l": rouge_l,
    **{f"rouge_{size}": rouge(size) for size in range(1, 6)},
}


@check("similar_to", version="1", cost="local")
def similar_to(
    text: str,
    *,
    measure: str = "fuzzy",
    min: Unit = SIMILAR,
    max_edits: Count | None = None,
    ignore_case: bool = False,
) -> Look:
    """The output is as close to a reference as required, by a measure such as rouge_l, or no more than `max_edits` letters away.

    Args:
        text: the reference.
        measure: how closeness is measured: fuzzy, edits, bleu, gleu, rouge_l, rouge_1 to rouge_5.
        min: the closeness from which the output passes.
        max_edits: how many letters it may be away, in place of `min`.
        ignore_case: whether a text in other capitals is the same.

    """
    if measure not in MEASURES:
        raise InputError(f"option measure: {measure!r} is not one of {', '.join(MEASURES)}")

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        ours, theirs = same(case.text, ignore_case).strip(), same(text, ignore_case).strip()
        if max(len(ours), len(theirs)) > LONGEST:
            return abstained(
                "undecided", f"texts of more than {LONGEST:,} characters are not compared letter by letter"
            )
        if max_edits is not None:
            far = distance(ours, theirs)
            return _measured(edits(ours, theirs), far <= max_edits, f"{far} letters apart, {max_edits} are allowed")
        score = MEASURES[measure](ours, theirs)
        return _measured(score, round(score, 9) >= min, f"{measure} {score:.2f}, {min:.2f} is asked for")

    return look


def _measured(score: float, enough: bool, reason: str) -> Result:
    rounded = round(min(1.0, max(0.0, score)), 9)
    if enough:
        return Result(status="pass", score=1.0, reason=reason, details={"similarity": rounded})
    finding = Finding(
        message=f"the output is not close enough to the reference: {reason}",
        category="wrong_format",
        suggestion="Stay closer to the wording of the reference.",
    )
    return Result(status="fail", score=0.0, reason=reason, findings=(finding,), details={"similarity": rounded})
