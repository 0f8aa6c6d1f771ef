"""Who `she` is: a statement that starts with a pronoun takes the subject it stands for into its words. Spans stay.

Where two things could be meant (a name some sentences ago, a plain noun just now) the words are left as they are: a wrong
subject makes a true claim false.
"""

from __future__ import annotations

import re
from dataclasses import replace

from witnessmark.checks.grounding.statement import Statement
from witnessmark.text import lang
from witnessmark.text.clock import day_names
from witnessmark.text.units import units
from witnessmark.text.words import irregular_forms

LONG = 1000
REACH = 60
"""Characters from the beginning of a sentence within which its subject is looked for."""
_NAME = re.compile(
    r"(?<![\w-])(?:(?:Dr|Mr|Mrs|Ms|Prof)\.\s+)?(?:[A-ZÄÖÜÉÁÍÓÚÑ][\w'’.-]*\w|[A-ZÄÖÜ])(?:\s+(?:(?:of|de|la|von|van|der|the|and)\b|&|[A-ZÄÖÜÉÁÍÓÚÑ][\w'’.-]*\w|[A-Z0-9]\b))*(?<=\w)"
)

_COUNTED = re.compile(r"\d\s?\Z")


@lang.derived
def _pronoun() -> re.Pattern[str]:
    joining = lang.either(lang.words("joining") | {"however,", "also,", "then,"})
    words = lang.either((lang.words("pronouns") | lang.words("possessives")) - lang.words("demonstratives"))
    return re.compile(rf"^(?:(?:{joining})\s+)?(?P<word>{words})\b(?P<rest>.*)$", re.IGNORECASE | re.DOTALL)


@lang.derived
def _nouns() -> re.Pattern[str]:
    """What stands between an article and the verb at the beginning of a sentence."""
    article = lang.either(word.capitalize() for word in lang.words("articles"))
    verb = lang.either((lang.words("verbs") | irregular_forms() | lang.words("auxiliaries")) - {"a"})
    return re.compile(rf"^(?:{article})\s+(?:[\w-]+\s+){{0,3}}?[\w-]+?(?=\s+(?:{verb}|\w+ed)\b)")


@lang.derived
def _openers() -> frozenset[str]:
    months = (month.split()[0] for month in lang.rows("dates", "months"))
    days = (name for name in day_names() if len(name) > 5)
    openers = (*lang.words("openers"), *lang.words("not_names"), *months, *days)
    return frozenset(word.capitalize() for word in openers)


def with_antecedents(found: list[Statement]) -> list[Statement]:
    """The statements, those that start with a pronoun with what it stands for in their text."""
    name, things = "", list[str]()
    made: list[Statement] = []
    for one in found:
        pronoun = _pronoun().match(one.text)
        if pronoun and one.checkable and not lang.speech("dummy").match(pronoun.group("rest")):
            subject = _meant(pronoun.group("word").lower(), name, things)
            made.append(replace(one, text=_filled(pronoun, subject)) if subject else one)
            continue
        made.append(one)
        if one.kind not in ("table", "code", "title") and one.checkable and not one.beside:
            is_name, subject = _subject_of(one)
            if is_name:
                name, things = subject, []
            elif subject:
                things.append(subject)
    return made


def _subject_of(one: Statement) -> tuple[bool, str]:
    """What a statement is about; an item of a list is about what it opens with, and `Doctorate: 1947, under Adrien Kuhn` about nobody named in it."""
    is_name, subject = subject_of(one.text)
    opens = one.kind != "item" or one.text.startswith(subject)
    return (is_name, subject) if opens else (False, "")


def _meant(pronoun: str, name: str, things: list[str]) -> str:
    """The one thing that a pronoun can stand for, of plain nouns the last; empty where it could be either, or neither."""
    thing = next((one for one in reversed(things) if _fits(pronoun, one)), "")
    named = name if name and _fits(pronoun, name) else ""
    return "" if named and thing else named or thing


def _fits(pronoun: str, subject: str) -> bool:
    """`it` is never `the trustees` or `Father Klee`, `they` are never `the audit`, and `he` is never `the wedding`; a name may be either."""
    if pronoun in lang.words("one_thing"):
        return not _plural(subject) and not _titled(subject)
    nouns = subject.split(maxsplit=1)[0].lower() in lang.words("articles")
    if not nouns:
        return True
    return _plural(subject) if pronoun in lang.words("several") else is_person(subject)


def _titled(subject: str) -> bool:
    """Whether a name opens with what only a person is called: Father Klee, Dr. Lee."""
    first, _, name = subject.partition(" ")
    return name[:1].isupper() and (first.lower().rstrip(".") in lang.words("titles") or is_person(first))


def is_person(subject: str) -> bool:
    """Whether an article and a noun may be somebody: `the mayor`, `the new teacher`."""
    head = subject.rsplit(maxsplit=1)[-1].lower()
    return head in lang.words("roles") or head.endswith(tuple(lang.words("person_endings")))


def _plural(subject: str) -> bool:
    parts = subject.split()
    head = next((parts[n - 1] for n in range(1, len(parts)) if parts[n] in lang.words("prepositions")), parts[-1])
    article = parts[0].lower() in lang.words("articles")
    return " and " in subject or (article and head.endswith("s") and not head.endswith(("ss", "us", "is")))


def _filled(pronoun: re.Match[str], subject: str) -> str:
    word, rest = pronoun.group("word").lower(), pronoun.group("rest")
    return f"{subject}'s{rest}" if word in lang.words("possessives") else f"{subject}{rest}"


def subject_of(words: str) -> tuple[bool, str]:
    """(whether it is a name, what a sentence is about), as far as its beginning says; empty where it does not."""
    words = words[:LONG]
    nouns = _nouns().match(words)
    if nouns:
        return any(part[:1].isupper() for part in nouns.group().split()[1:]), nouns.group()
    for name in _NAME.finditer(words):
        if name.start() > REACH:
            break
        if name.group().endswith(("'s", "’s")):  # `In Hester's opinion` is about somebody else
            continue
        if _COUNTED.search(words, 0, name.start()) and name.group().lower() in units():  # `makes 61 MWh a year`
            continue
        parts = name.group().split()
        while parts and (parts[0] in _openers() or parts[0][0].isdigit()):  # With 6.2 km of track, …
            parts.pop(0)
        if parts and parts[-1].islower():  # `Half of the beta users` goes on
            return False, ""
        if name.start() == 0 and _orders(parts, words[name.end() :]):
            return False, ""
        # One capitalised word that opens the sentence is a name only where a verb follows: `Based on …` names nobody.
        alone = len(parts) == 1 and name.start() == 0 and len(name.group().split()) == 1
        if parts and not (alone and not _acts(words[name.end() :])):
            return True, " ".join(parts)
    return False, ""


def _orders(parts: list[str], rest: str) -> bool:
    """Whether what looks like a name opens an order (`Cover 2 kg`, `Whisk 3 eggs`, `Add eggs`): a verb to do, or a number of something, and no verb after it."""
    verb = bool(parts) and parts[0].lower() in lang.words("imperatives")
    counted = len(parts) == 2 and parts[1].isdigit()
    following = rest.split(None, 1)[:1]
    told = bool(following) and (following[0] in lang.words("verbs") or following[0].endswith("ed"))
    return (verb or counted) and not told


def _acts(rest: str) -> bool:
    following = rest.split(None, 1)[:1]
    return bool(following) and (following[0] in lang.words("verbs") or following[0].endswith(("ed", "s")))
