"""Whether words say something in a clause of its own: a subject, and a verb that is bound to it.

>>> states("the cellar is flooded"), states("children enter free"), states("a bar named after the poet")
(True, True, False)
"""

from __future__ import annotations

from collections.abc import Sequence

from witnessmark.checks.grounding.reading.grammar import (
    acts,
    bare,
    describes,
    is_adverb,
    is_count,
    is_participle,
    listed,
    without_not,
)
from witnessmark.text import lang
from witnessmark.text.words import irregular_forms

REACH = 7
"""Words within which the verb of a subject is looked for."""


@lang.derived
def _pasts() -> frozenset[str]:
    """Past forms of irregular verbs that are nothing else: took, but not built (a house built by him)."""
    return frozenset(
        form for form in irregular_forms("en") - listed("participles") - listed("not_verbs") if not acts(form)
    )


@lang.derived
def auxiliaries() -> frozenset[str]:
    """The verbs that are told by closed lists, of all languages."""
    return (lang.words("verbs") | lang.words("inverted")) - lang.words(
        "articles"
    )  # the French `a` is no verb in English


@lang.derived
def _persons() -> frozenset[str]:
    return lang.words("stand_for_nouns") | (lang.words("pronouns") - lang.words("demonstratives"))


@lang.derived
def _determiners() -> frozenset[str]:
    return listed("determiners") | lang.words("articles") | lang.words("possessives")


def states(words: str) -> bool:
    """Whether words open with a subject and go on with its verb."""
    row = words.split()[: REACH + 2]
    if len(row) < 2:
        return False
    first = bare(row[0])
    if first in _persons():
        said = [row[0], *(word for word in row[1:] if not is_adverb(word))]
        return len(said) > 1 and (_is_verb(said, 1) or past(said[1]) or acts(said[1]) or _ends_in_s(said[1]))
    if first == "that" and bare(row[1]) in _determiners():
        return False  # `… and that the number would double`
    if first in _determiners() or is_count(first):
        return any(_is_verb(row, n) for n in _places(row, 2))
    if row[0] != row[0].lower() and first not in lang.words("openers"):
        away = next((n for n, word in enumerate(row) if bare(word) in listed("prepositions") - {"of"}), len(row))
        return any(_is_verb(row, n) for n in _places(row[:away], 1))
    return _is_plural(first) and _plural_acts(row)


def goes_on(subject: str, words: str) -> bool:
    """Whether words open with the verb of a subject that stands before them, which has none of its own.

    >>> goes_on("Team", "has no chat"), goes_on("The points", "the sponsor paid"), goes_on("She made these points", "is too short")
    (True, False, False)
    """
    row = subject.split()
    return bool(row) and words[:1].islower() and not states(subject) and _is_verb([*row, *words.split()], len(row))


def _ends_in_s(word: str) -> bool:
    return word.islower() and bare(word).endswith("s")


def past(word: str) -> bool:
    """Whether a word tells what happened: collapsed, fell, built."""
    return is_participle(word) or bare(word) in _pasts()


def _places(row: Sequence[str], start: int) -> range:
    """Where the verb may stand: before any mark, and before a clause of the subject's own."""
    closed = (
        n for n in range(1, len(row)) if row[n - 1][-1:] in ",;:)" or bare(row[n]) in lang.words("opens_a_clause")
    )
    return range(start, min(next(closed, len(row)), REACH))


def _is_verb(row: Sequence[str], at: int) -> bool:
    word, after = without_not(row[at]), bare(row[at + 1]) if at + 1 < len(row) else ""
    several = _several(row[:at])
    if word in auxiliaries():
        return several or word not in lang.words("said_of_several")
    if word in _pasts():
        return True
    object_follows = after in _persons() or after in _determiners() or is_count(after)
    if is_participle(word):  # `the king opened it`, `the roof collapsed`; `a tower designed by Holm` says nothing yet
        return (
            not after or object_follows or after in (listed("particles") | listed("follows")) - listed("prepositions")
        )
    plain = next(
        (form for form in (word.removesuffix("s"), word.removesuffix("es")) if form != word and acts(form)), ""
    )
    return bool(plain) and not several and (object_follows or plain not in listed("also_nouns"))


def _several(subject: Sequence[str]) -> bool:
    """Whether a subject is more than one thing: its noun is a plural, or two are joined."""
    row = [bare(word) for word in subject]
    end = next((n for n in range(1, len(row)) if row[n] in listed("prepositions")), len(row))
    return _is_plural(row[end - 1]) or row[0] in lang.words("several_open") or "and" in row


def _is_plural(word: str) -> bool:
    ends = word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is"))
    return ends or word in lang.words("plurals")


def _plural_acts(row: Sequence[str]) -> bool:
    """Whether a plural noun without an article is followed by its verb: `visitors may sleep`, `children enter free`."""
    word, after = bare(row[1]), bare(row[2]) if len(row) > 2 else ""
    follows = describes(after) or after in _determiners() or after in _persons()
    return word in auxiliaries() or (bool(after) and (word in _pasts() or (acts(word) and follows)))
