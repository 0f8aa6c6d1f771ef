"""Whether an answer has the kind of thing a question asks for, also where that is said without a date, a figure or a name.

"At 9", "on Sundays" and "after the return" say when; "free", "daily" and "none" say how much, how often and how many;
"behind the cafe" says where, and "the finance director leads the team" who leads the team.
"""

from __future__ import annotations

import re

from witnessmark.text import asked
from witnessmark.text.clock import openings
from witnessmark.text.patterns import compiled

_HOUR = r"(?:[01]?\d|2[0-4])"
_CLOCK = compiled(
    rf"\b(?:at|from|until|till|by|before|after|around|um|ab|bis|gegen|à|dès|a las|desde las|hasta las)\s+{_HOUR}"
    r"(?=\s*(?:$|[.,;:!?)\]\[\n–-]|(?:and|or|to|until|till|o'clock|sharp|on|in the|und|bis|uhr|et|y|à|h)\b))"
    rf"|\b{_HOUR}\s*(?:to|until|till|bis|à|–|-)\s*{_HOUR}(?=\s*(?:$|[.,;:!?)\]\[\n]))"
    r"|\b(?:half|quarter) (?:past|to)\b|\bo'clock\b|\bhalb \w+\b|\bviertel (?:vor|nach)\b",
    re.IGNORECASE | re.MULTILINE,
)
_EVENT = compiled(
    r"\b(?:after|before|until|once|as soon as|when|whenever|while|during|if|immediately|at once|always|never|today|tomorrow|yesterday|"
    r"(?:in|every|each|last|next|this) (?:spring|summer|autumn|winter|morning|evening|night|day|week|month|year)|"
    r"at (?:noon|midnight|night|dawn|dusk|sunrise|sunset)|"
    r"nachdem|bevor|sobald|wenn|während|sofort|immer|nie|heute|morgen|gestern|après|avant|pendant|dès que|toujours|jamais|"
    r"después|antes|mientras|durante|cuando|siempre|nunca)\b",
    re.IGNORECASE,
)
_OFTEN = compiled(
    r"\b(?:hourly|daily|weekly|monthly|quarterly|yearly|annually|every|each|once|twice|always|never|"
    r"stündlich|täglich|wöchentlich|monatlich|jährlich|jede[nrs]?|immer|nie|"
    r"quotidien\w*|chaque|toujours|jamais|diari\w+|cada|siempre|nunca)\b",
    re.IGNORECASE,
)
_AMOUNT = compiled(
    r"\b(?:free|no charge|for nothing|nothing|none|nobody|no|all|half|both|unlimited|for life|lifetime|indefinitely|"
    r"kostenlos|kostenfrei|gratis|umsonst|kein\w*|alle|unbegrenzt|gratuit\w*|aucun\w*|illimité\w*|ningun\w*|ningún|ilimitad\w+)\b",
    re.IGNORECASE,
)
_PLACE = compiled(
    r"\b(?:in|at|on|behind|beside|besides|next to|near|opposite|under|below|above|over|between|inside|outside|through|by|"
    r"im|am|beim?|hinter|neben|unter|über|zwischen|vor|an|auf|dans|chez|derrière|devant|sous|sur|près|en|detrás|junto|sobre|bajo)"
    r"\s+(?:(?:the|a|an|our|your|its|each|every|dem|der|den|einem|einer|le|la|les|un|une|el|los|las|una)\s+)?[^\W\d_]{3,}"
    r"|\b(?:online|upstairs|downstairs|indoors|outdoors|everywhere|nowhere|abroad|here|there|überall|nirgends|partout|aquí)\b",
    re.IGNORECASE,
)
_OFTEN_ASKED = compiled(r"\bhow often\b", re.IGNORECASE)
_PLACE_ASKED = compiled(r"\b(?:where|wo|où|dónde)\b", re.IGNORECASE)
_PERSON_ASKED = compiled(r"^\W*(?:who|wer|qui|quién(?:es)?)\s+(?P<does>[^?]+?)\s*\?*\s*$", re.IGNORECASE)
_BY = compiled(r"\bby (?:the|a|an|its|our|their|all) [^\W\d_]{3,}", re.IGNORECASE)


def answers(question: str, kind: str, text: str) -> bool:
    """Whether a text has what a question asks for: `kind` is the kind of thing (time, number or name) as `asked.kind` names it."""
    if asked.has(kind, text):
        return True
    if kind == "time":
        return bool(_CLOCK.search(text) or openings(text) or _EVENT.search(text) or _OFTEN.search(text))
    if kind == "number":
        return bool((_OFTEN if _OFTEN_ASKED.search(question) else _AMOUNT).search(text))
    if _PLACE_ASKED.search(question):
        return bool(_PLACE.search(text))
    return _somebody(question, text)


def _somebody(question: str, text: str) -> bool:
    """Whether a text says who does or did it: somebody before the very words of the question, or after "by"."""
    asking = _PERSON_ASKED.search(question)
    if asking is None:
        return False
    does = " ".join(asking["does"].split())
    said = re.search(rf"[^\W\d_]{{3,}}\s+{re.escape(does)}\b", " ".join(text.split()), re.IGNORECASE)
    return said is not None or bool(_BY.search(text))
