"""What a sentence states beside a refusal: `I don't know, but the navy pays` says that the navy pays.

>>> text = "The notice does not say who pays, but the navy does so."
>>> end, start = parts(text)
>>> text[:end], text[start:]
('The notice does not say who pays', 'the navy does so.')
>>> parts("The notice does not say who pays, and it does not say when."), parts("The notice does not say that it closed because the roof leaked.")
(None, None)
"""

from __future__ import annotations

import re

from witnessmark.checks.grounding.reading import speech
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words

LEAST = 3
"""Words of the shortest statement: the navy pays."""
LONGEST = 600
"""Characters of a sentence that is looked through; the patterns of a refusal are long."""


@lang.derived
def _joint() -> re.Pattern[str]:
    """Where another statement may begin: after a semicolon, a dash or a bracket, at `but`, and after a comma at `because`."""
    turns, reasons = (lang.either(lang.phrases("silence", name)) for name in ("turns", "reasons"))
    return re.compile(
        rf"(?P<mark>;\s+|\s[–—-]\s|\s\((?=\w))(?:(?:{turns}|{reasons})\s+)?|,?\s+(?:{turns}),?\s+|,\s+(?:{reasons})\s+",
        re.IGNORECASE,
    )


@lang.derived
def _turn() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{lang.either(lang.phrases('silence', 'turns'))})\b", re.IGNORECASE)


@lang.derived
def _front() -> re.Pattern[str]:
    """The clause that opens a sentence with `while` or `although`, up to its comma."""
    fronts = lang.either(lang.phrases("silence", "fronts"))
    return re.compile(rf"(?:{fronts})\s+(?P<clause>[^,]+),\s+", re.IGNORECASE)


def parts(sentence: str) -> tuple[int, int] | None:
    """Where the refusal of a sentence ends and where what it states beside that begins; None where it only refuses."""
    if len(sentence) > LONGEST:
        return None
    front = _front().match(sentence)
    if front is not None and _refuses(front["clause"]) and _states(sentence[front.end() :], turned=True):
        return front.end("clause"), front.end()
    for joint in _joint().finditer(sentence):
        turned = _turn().search(joint[0]) is not None
        if _refuses(sentence[: joint.start()]) and _states(sentence[joint.end() :], turned=turned):
            return joint.start(), joint.end()
    return None


def _refuses(clause: str) -> bool:
    return speech.asserts_nothing(clause) == "refusal"


def _states(clause: str, *, turned: bool) -> bool:
    """Whether a clause says something of its own: no advice, no question that is left open and, but after `but`, no more of what is not said."""
    row = words.words(clause)
    telling = lang.words("verbs") | lang.words("being") | lang.words("having")
    verb = any(word in telling or word.endswith(tuple(lang.words("verb_endings"))) for word in row)
    silent = denies(clause) or not lang.listed("silence", "mute").isdisjoint(row)
    asked = not lang.listed("silence", "clause").isdisjoint(row[:1])
    if len(row) < LEAST or asked or not (turned or verb) or (silent and not turned):
        return False
    return not speech.asserts_nothing(clause) and speech.content(clause)[1] != "instruction" and not _refers(row)


def _refers(row: tuple[str, ...]) -> bool:
    """Whether a clause only offers help, or says whom to ask: I can look it up, you could contact the office."""
    return (
        len(row) > 2
        and row[0] in lang.words("askers")
        and row[1] in lang.words("modals")
        and row[2] in lang.words("courtesy")
    )
