"""What kind of thing a sentence does: assert, ask, greet, instruct, refuse, hedge, hold an opinion; and who `she` is.

Only an assertion can be borne out. A sentence with a figure in it is always treated as one, unless it asks: a wrong
figure must not slip through as advice or hedge. English, German, French and Spanish.
"""

from __future__ import annotations

import re
from dataclasses import replace

from witnessmark.checks.grounding.statement import Statement

_I = re.IGNORECASE
LONG = 1000
"""Of a longer sentence its beginning and its end say what kind it is."""
_FIGURE = re.compile(r"\d")
_RULES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("question", re.compile(r"[?？]\W*$")),
    ("greeting", re.compile(
        r"^(?:hi|hello|hey|dear|thanks|thank you|sure|of course|certainly|absolutely|great question|good question|you're welcome|"
        r"hallo|guten (?:tag|morgen|abend)|danke|gerne|natürlich|bonjour|merci|bien sûr|hola|gracias|claro|por supuesto)\b[^.]{0,40}[.!:,]?$"
        r"|\b(?:hope (?:this|that) helps|let me know|feel free to|happy to help|glad to help|here(?: is| are|['’]s) (?:a|an|the|my|your)\b[^.]{0,60}:?$)", _I)),
    ("refusal", re.compile(
        r"\bI(?:'m| am)? (?:sorry|afraid)\b|\bI (?:do not|don't|cannot|can't|could not|couldn't|am unable to|was unable to|am not able to)\b"
        r"|\b(?:unable to answer|cannot (?:answer|be determined|determine)|no information (?:is |was )?(?:given|provided|available|about|on|in)|(?:does|do|did) not (?:provide|contain|mention|specify|include|say|state)\b.{0,40}"
        r"\b(?:information|answer|details?|question)|not enough (?:information|context)|as an ai\b)"
        r"|\b(?:ich (?:kann|weiß) (?:das |es |dazu )?(?:leider )?nicht|tut mir leid|je ne (?:peux|sais) pas|désolé|no (?:puedo|sé)\b|lo siento)", _I)),
    ("opinion", re.compile(
        r"\b(?:I (?:personally )?(?:think|believe|feel|prefer|love|like|recommend|suggest|would say)|in my (?:opinion|view|experience)|"
        r"(?:meiner|unserer) (?:meinung|ansicht) nach|ich (?:finde|glaube|denke)|à mon avis|je (?:pense|crois|trouve)|en mi opinión|(?:yo )?(?:creo|pienso) que)\b", _I)),
    ("hedge", re.compile(
        r"^(?:perhaps|maybe|possibly|presumably|probably|vielleicht|möglicherweise|vermutlich|peut-être|quizás?|tal vez|posiblemente)\b"
        r"|\bit (?:is|'s|may be|might be|could be) (?:possible|likely|conceivable|worth (?:noting|mentioning)|important to (?:note|remember|consult|consider))\b|\bit depends\b|\bI (?:guess|suspect|assume)\b|\b(?:may|might|can) (?:vary|depend|differ)\b", _I)),
    ("instruction", re.compile(
        r"^(?:please|make sure|be sure|don't forget|remember to|try to|consider|note that you|consult|contact|visit|check|click|open|"
        r"see|refer to|follow|ask your|talk to|bitte|veuillez|por favor|asegúrese|achten sie|assurez-vous)\b", _I)),
)  # fmt: skip


_LEAD_IN = re.compile(
    r"\b(?:here(?: is| are|['’]s)|as follows|the following|hier (?:ist|sind)|voici|aquí (?:está|están))\b[^.]*:$", _I
)


def why_not(words: str) -> str:
    """Why a sentence cannot be checked, in one word; empty where it can."""
    if not any(char.isalnum() for char in words):
        return "no words"
    if len(words) > 2 * LONG:
        words = f"{words[:LONG]} {words[-LONG:]}"
    if _LEAD_IN.search(words):
        return "lead-in"
    for name, pattern in _RULES:
        if pattern.search(words):
            return "" if name != "question" and _FIGURE.search(words) and name != "refusal" else name
    if words.endswith(":") and len(words.split()) <= 25 and not _FIGURE.search(words):
        return "lead-in"
    return "" if len(words.split()) > 1 or _FIGURE.search(words) else "fragment"


# --- pronouns --------------------------------------------------------------------------------------------------

_PRONOUN = re.compile(
    r"^(?:(?:and|but|while|whereas|yet|however,|also,|then,|und|aber|et|mais|y|pero)\s+)?"
    r"(?P<word>he|she|it|they|his|her|its|their|this|these|er|sie|es|seine|ihre|il|elle|ils|elles|él|ella|ellos|ellas)\b(?P<rest>.*)$",
    _I | re.DOTALL,
)
_POSSESSIVE = frozenset({"his", "her", "its", "their"})
_DUMMY = re.compile(
    r"^\s*(?:is|was|'s|seems|appears|ist|war|gibt)\s+(?:\w+\s+){0,2}(?:that|to|dass|zu)\b|^\s+(?:y a|est)\b", _I
)
_NAME = re.compile(
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.\s+)?(?:[A-ZÄÖÜÉÁÍÓÚÑ][\w'’.-]*\w|[A-ZÄÖÜ])(?:\s+(?:(?:of|de|la|von|van|der|the|and)\b|&|[A-ZÄÖÜÉÁÍÓÚÑ][\w'’.-]*\w|[A-Z0-9]\b))*(?<=\w)"
)
_NOUNS = re.compile(
    r"^(?:The|A|An|This|Der|Die|Das|Le|La|Les|El|Los|Las)\s+(?:[\w-]+\s+){0,3}?[\w-]+?(?=\s+(?:is|are|was|were|has|have|had|will|can|ist|sind|war|hat|wurde|est|sont|était|es|son|fue|\w+ed)\b)"
)
_MONTHS = frozenset(
    (
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    )
)
_OPENERS = frozenset(
    ["The", "A", "An", "In", "On", "At", "By", "For", "From", "With", "After", "Before", "During", "Since", "When", "While", "As", "If", "It", "He", "She", "They", "This", "That", "These", "Those", "But", "And", "However", "Also", "According", "Although", "There", "Der", "Die", "Das", "Im", "Le", "La", "Les", "El", "Los", "Las", "En", "Dans"]
)  # fmt: skip


def with_antecedents(found: list[Statement]) -> list[Statement]:
    """The statements, those that start with a pronoun with what it stands for in their text. Spans stay."""
    subject = ""
    made: list[Statement] = []
    for one in found:
        pronoun = _PRONOUN.match(one.text)
        if pronoun and subject and one.checkable and not _DUMMY.match(pronoun.group("rest")):
            made.append(replace(one, text=_filled(pronoun, subject)))
            continue
        made.append(one)
        if one.kind != "table":
            subject = subject_of(one.text) or subject
    return made


def _filled(pronoun: re.Match[str], subject: str) -> str:
    word, rest = pronoun.group("word").lower(), pronoun.group("rest")
    if word in ("this", "these"):
        return f"{subject}: {pronoun.group()}"
    return f"{subject}'s{rest}" if word in _POSSESSIVE else f"{subject}{rest}"


def subject_of(words: str) -> str:
    """What a sentence is about, as far as its beginning says: a name, or the words before its verb."""
    words = words[:LONG]
    nouns = _NOUNS.match(words)
    if nouns:
        return nouns.group()
    for name in _NAME.finditer(words):
        if name.start() > 60:
            break
        parts = name.group().split()
        while parts and (parts[0] in _OPENERS or parts[0] in _MONTHS):
            parts.pop(0)
        if parts:
            return " ".join(parts)
    return ""
