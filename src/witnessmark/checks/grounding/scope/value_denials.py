"""Whether a claim denies a value that stands in it: `does not cost 3 euros`, `2 euros, not 3`, `10 files are not possible`.

>>> text = "It does not cost 3 euros, it costs 2."
>>> is_denied(text, (17, 18)), is_denied(text, (35, 36))
(True, False)
"""

from __future__ import annotations

import re
from itertools import pairwise

from witnessmark.checks.grounding import wording
from witnessmark.text import lang, words
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

_MARK = compiled(r"[,;:()–—]")
_MONTH = compiled(r"(?<=\w )May\b")


@lang.derived
def _ends_it() -> re.Pattern[str]:
    """What ends the reach of a denial: `not on Monday but on Tuesday`, `not today because …`."""
    return compiled(rf"\b(?:{lang.either(lang.listed('scope', 'ends_denial'))})\b", re.IGNORECASE)


@lang.derived
def _set_aside() -> re.Pattern[str]:
    """The phrases right before a value that sets it aside: `rather than 3`, `instead of 3`."""
    phrases = lang.phrases("scope", "set_aside")
    return compiled(rf"(?:{lang.either(phrases)})\W*(?:\w+\W+){{0,1}}$", re.IGNORECASE)


@lang.derived
def _bounding() -> re.Pattern[str]:
    """The bounds that have a `no` of their own: `no more than 3` denies nothing."""
    phrases = lang.phrases("numbers", "over", "under")
    own = [phrase for phrase in phrases if not wording.negations().isdisjoint(phrase.split())]
    return compiled(rf"(?:{lang.either(own)})\W*$", re.IGNORECASE)


@lang.derived
def _no_to_it() -> re.Pattern[str]:
    """The rest of a question with a no to it: `Is the limit 10 MB? No.`"""
    return compiled(rf"[^?]*\?\s*(?:{lang.either(lang.words('no'))})\b", re.IGNORECASE)


def is_denied(text: str, span: Span) -> bool:
    """Whether a denial in the clause of a value reaches it: from before it, or as `… is not allowed` after it."""
    start, end = span
    if _no_to_it().match(text, end) is not None:
        return True
    before = _ends_it().split(_MARK.split(text[:start])[-1])[-1]
    if _set_aside().search(before) is not None:
        return True
    row = words.words(wording.uncontracted(_bounding().sub("", before)))
    if any(word in wording.negations() and after not in lang.words("only") for word, after in pairwise([*row, ""])):
        return True
    after = words.words(wording.uncontracted(_ends_it().split(_MARK.split(text[end:])[0])[0]))
    denied = next((at for at, word in enumerate(after) if word in wording.negations()), None)
    return denied is not None and not lang.listed("scope", "permitting").isdisjoint(
        after[max(0, denied - 1) : denied + 3]
    )


def is_set_aside(text: str, span: Span) -> bool:
    """Whether a value is only there to be denied, right after a `not` or `rather than`: such a one need have no source."""
    before = _MARK.split(text[: span[0]])[-1]
    return _set_aside().search(before) is not None or not wording.negations().isdisjoint(words.words(before)[-2:])


def permits(text: str) -> bool:
    """Whether a text says that something can or may be done: a figure within a stated limit is then right."""
    plain = _MONTH.sub(" ", wording.uncontracted(text))
    return not lang.listed("scope", "permitting").isdisjoint(words.words(plain))
