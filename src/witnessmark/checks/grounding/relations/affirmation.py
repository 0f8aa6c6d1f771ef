"""Whether a claim affirms or denies what it names, by the words that deny in its clause and never by what a verb means.

>>> [polarity(text.split(), 0, 1) for text in ("gift wrapping was ordered", "gift wrapping was not ordered", "gift wrapping was cancelled")]
['affirmed', 'denied', None]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from witnessmark.text import lang
from witnessmark.text.records import no_words

BEFORE, AFTER = 14, 12
"""Words before a mention within which a `no` still denies it, and after it within which `is not available` does."""
NEAR = 6
"""Words after a mention within which its verb stands."""
Polarity = Literal["affirmed", "denied"]


def polarity(row: Sequence[str], first: int, last: int) -> Polarity | None:
    """What the words of a claim, in lower case and with its marks among them, say of what stands from `first` to `last`.

    None where that cannot be told: two words that deny, a condition, or a verb that undoes.
    """
    if _conditional(row[:first]) or _undone(row[last + 1 :]):
        return None
    before = _denied_before(row, first, last)
    after = _denied_after(row[last + 1 : last + 1 + AFTER])
    if before is not None and after and "," in row[before:first]:
        before = None  # while there is no garage, street parking is not available
    inside = any(map(denies, row[first:last]))
    if after is None or (before is not None) + inside + after > 1:
        return None
    if before is not None and before and denies(row[before - 1]):
        return None  # not without
    return "denied" if before is not None or inside or after else "affirmed"


def denies(word: str) -> bool:
    """Whether a word denies."""
    return word in lang.words("negations") or word in lang.words("denying") or word.endswith(("n't", "n’t"))


def _conditional(before: Sequence[str]) -> bool:
    return bool(lang.listed("records", "conditional").intersection(before))


def _undone(after: Sequence[str]) -> bool:
    """`was cancelled`, `was refused`: the verb takes back what is named, and what that leaves is not ours to say."""
    near = after[:NEAR]
    stop = next((n for n, word in enumerate(near) if word in ".;"), len(near))
    verb = next((n for n in range(stop) if _helps(near[n])), None)
    undoing = lang.listed("records", "undone") | lang.words("denying")
    return verb is not None and not undoing.isdisjoint(near[verb + 1 : min(stop, verb + 4)])


def _helps(word: str) -> bool:
    """Whether a word is the auxiliary of a verb: was, has, wasn't."""
    known = lang.words("being") | lang.words("inverted") | lang.words("be")
    return word in known or word.endswith(("n't", "n’t")) or word == "cannot"


def _denied_before(row: Sequence[str], first: int, last: int) -> int | None:
    """Where a word before the mention denies it in the same stretch."""
    for at in range(first - 1, max(-1, first - BEFORE), -1):
        word = row[at]
        affirmed = word in lang.words("affirming") and not (at and denies(row[at - 1]))
        joins = word == "with" and list(row[at - 1 : at]) != [
            ","
        ]  # `does not work with X` goes on, `…, with X` begins anew
        if word in ".;:(" or (word in lang.words("contrast") and not joins) or affirmed:
            break
        if "," in row[at:first] and row[last + 1 : last + 4] and _affirmed(row[last + 1 : last + 4]):
            break
        if denies(word) and not {"only", "just"}.intersection(row[at + 1 : at + 2]):
            return at
    return None


def _affirmed(row: Sequence[str]) -> bool:
    """`street parking is available`: what follows says that it is so."""
    at = next((n for n, word in enumerate(row) if word in lang.words("be") or word in ("are", "were")), None)
    return at is not None and not any(map(denies, row[at:])) and "," not in row[:at]


def _denied_after(row: Sequence[str]) -> bool | None:
    """Whether what follows a mention denies it; None where a word that denies stands there and nothing says of what."""
    if list(row[:1]) == [":"] and set(row[1:2]) & (lang.words("negations") | no_words()):
        return True
    if len(row) > 2 and row[0] == row[2] == "," and row[1] in lang.words("contrast"):
        row = row[3:]  # gift wrapping, however, was not ordered
    stop = next((n for n, word in enumerate(row) if _ends_clause(row, n) or _begins_anew(row, n)), len(row))
    phrases = lang.phrases("records", "denies_after")
    near, far = f" {' '.join(row[: min(stop, NEAR)])} ", f" {' '.join(row[:stop])} "
    if any(f" {phrase} " in near for phrase in phrases):
        return True
    if any(f" {phrase} " in far for phrase in phrases if "are" in phrase):
        return True
    return _verb_denied(row[: min(stop, NEAR)])


def _begins_anew(row: Sequence[str], at: int) -> bool:
    """Whether an `and` joins another statement to one that has its verb: `is on and debug is off`."""
    told = any(map(_helps, row[:at])) and any(map(_helps, row[at + 1 : at + NEAR]))
    return (row[at] == "," or row[at] in lang.words("joining")) and told


def _ends_clause(row: Sequence[str], at: int) -> bool:
    """Whether a word ends what is said of a mention: a stop, a contrast, or another verb or denial (`and takes no cards`)."""
    word, after = row[at], row[at + 1 : at + 2]
    new = word in lang.words("joining") | {",", "or"} and bool(after) and (denies(after[0]) or _helps(after[0]))
    return word in ".;" or word in lang.words("contrast") or new


def _verb_denied(row: Sequence[str]) -> bool | None:
    """`was not ordered`, `has never been chosen`, `wasn't included`; None where `no` follows the verb, or a denial stands alone."""
    verb = next((n for n, word in enumerate(row) if _helps(word)), None)
    if verb is None:
        return (
            True if row and denies(row[0]) and list(row[1:2]) != ["only"] else None if any(map(denies, row)) else False
        )
    after = [n for n in range(verb + 1, min(verb + 3, len(row))) if denies(row[n])]
    if denies(row[verb]):
        return None if after else True
    if not after:
        return False
    word, more = row[after[0]], row[after[0] + 1 : after[0] + 2]
    if more and more[0] in ("only", "just"):
        return False
    return True if word != "no" or (more and more[0] in ("longer", "more")) else None
