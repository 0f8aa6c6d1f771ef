"""What kind of thing a sentence does: assert, ask, greet, instruct, refuse, hedge, hold an opinion; and who `she` is.

Only an assertion can be borne out. A sentence with a figure in it is always treated as one, unless it asks: a wrong
figure must not slip through as advice or hedge.
"""

from __future__ import annotations

import re
from dataclasses import replace

from witnessmark.checks.grounding.statement import Statement
from witnessmark.text import lang

_I = re.IGNORECASE
LONG = 1000
"""Of a longer sentence its beginning and its end say what kind it is."""
_FIGURE = re.compile(r"\d")
_QUESTION = re.compile(r"[?？]\W*$")
_KINDS = ("greeting", "refusal", "opinion", "hedge", "instruction")
"""Looked for in this order; the words of each are in text/lang."""


def why_not(words: str) -> str:
    """Why a sentence cannot be checked, in one word; empty where it can."""
    if not any(char.isalnum() for char in words):
        return "no words"
    if len(words) > 2 * LONG:
        words = f"{words[:LONG]} {words[-LONG:]}"
    if lang.speech("lead_in").search(words):
        return "lead-in"
    if _QUESTION.search(words):
        return "question"
    for name in _KINDS:
        if lang.speech(name).search(words):
            return "" if _FIGURE.search(words) and name != "refusal" else name
    if words.endswith(":") and len(words.split()) <= 25 and not _FIGURE.search(words):
        return "lead-in"
    return "" if len(words.split()) > 1 or _FIGURE.search(words) else "fragment"


# --- pronouns --------------------------------------------------------------------------------------------------

_NAME = re.compile(
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.\s+)?(?:[A-ZÄÖÜÉÁÍÓÚÑ][\w'’.-]*\w|[A-ZÄÖÜ])(?:\s+(?:(?:of|de|la|von|van|der|the|and)\b|&|[A-ZÄÖÜÉÁÍÓÚÑ][\w'’.-]*\w|[A-Z0-9]\b))*(?<=\w)"
)


@lang.derived
def _pronoun() -> re.Pattern[str]:
    joining = lang.either(lang.words("joining") | {"however,", "also,", "then,"})
    words = lang.either(lang.words("pronouns") | lang.words("possessives"))
    return re.compile(rf"^(?:(?:{joining})\s+)?(?P<word>{words})\b(?P<rest>.*)$", _I | re.DOTALL)


@lang.derived
def _nouns() -> re.Pattern[str]:
    """What stands between an article and the verb at the beginning of a sentence."""
    article = lang.either(word.capitalize() for word in lang.words("articles"))
    verb = lang.either(lang.words("verbs") - {"a"})
    return re.compile(rf"^(?:{article})\s+(?:[\w-]+\s+){{0,3}}?[\w-]+?(?=\s+(?:{verb}|\w+ed)\b)")


@lang.derived
def _openers() -> frozenset[str]:
    months = (name for names in lang.section("dates", "months") for month in names for name in month.split()[:1])
    return frozenset(word.capitalize() for word in (*lang.words("openers"), *months))


def with_antecedents(found: list[Statement]) -> list[Statement]:
    """The statements, those that start with a pronoun with what it stands for in their text. Spans stay."""
    subject = ""
    made: list[Statement] = []
    for one in found:
        pronoun = _pronoun().match(one.text)
        if pronoun and subject and one.checkable and not lang.speech("dummy").match(pronoun.group("rest")):
            made.append(replace(one, text=_filled(pronoun, subject)))
            continue
        made.append(one)
        if one.kind != "table":
            subject = subject_of(one.text) or subject
    return made


def _filled(pronoun: re.Match[str], subject: str) -> str:
    word, rest = pronoun.group("word").lower(), pronoun.group("rest")
    if word in lang.words("demonstratives"):
        return f"{subject}: {pronoun.group()}"
    return f"{subject}'s{rest}" if word in lang.words("possessives") else f"{subject}{rest}"


def subject_of(words: str) -> str:
    """What a sentence is about, as far as its beginning says: a name, or the words before its verb."""
    words = words[:LONG]
    nouns = _nouns().match(words)
    if nouns:
        return nouns.group()
    for name in _NAME.finditer(words):
        if name.start() > 60:
            break
        parts = name.group().split()
        while parts and parts[0] in _openers():
            parts.pop(0)
        if parts:
            return " ".join(parts)
    return ""
