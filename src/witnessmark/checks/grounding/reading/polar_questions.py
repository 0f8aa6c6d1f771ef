"""Questions that yes or no answers, as the statements that yes and no make of them; None where the words do not say for certain how.

>>> turned("en", "May subcontractors be used".split(), denied=False), turned("de", "Ist die Brücke offen".split(), denied=True)
('subcontractors may be used', 'die Brücke ist nicht offen')
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from witnessmark.checks.grounding.reading import grammar
from witnessmark.text import lang


def turned(code: str, asked: Sequence[str], *, denied: bool) -> str | None:
    """`Is the bridge open` as `the bridge is open`, or `is not open`; `code` is the language of the question."""
    turn = {"en": _english, "de": _german, "fr": _french, "es": _spanish}.get(code)
    return turn(_first_asked(code, asked), denied) if turn is not None else None


def _first_asked(code: str, asked: Sequence[str]) -> list[str]:
    """The first of two questions in one, which yes and no answer: `Can I visit on a Monday, and do children pay`."""
    for at in range(3, len(asked) - 1):
        follows = asked[at + 1].lower()
        verb = asked[at - 1].endswith(",") and follows in lang.words("inverted", code)
        if asked[at].lower() in lang.words("joining", code) and (verb or follows in lang.words("question_words", code)):
            return [*asked[: at - 1], asked[at - 1].rstrip(",")]
    return list(asked)


def _english(asked: list[str], denied: bool) -> str | None:
    verb, rest = grammar.without_not(asked[0]), asked[1:]
    end = grammar.subject_end(rest, verb) if verb in lang.words("inverted", "en") else None
    if end is None or (end == len(rest) and verb not in grammar.being()):
        return None
    subject, said = rest[:end], rest[end:]
    if said and grammar.bare(subject[0]) == "there":
        return _there(verb, said, denied)
    named = _of_some(subject, denied)
    if named is not None:
        return " ".join([*named, *grammar.predicate(verb, said if denied else _without_any(said))])
    if denied and said[:1] == ["ever"]:
        return " ".join([*subject, *grammar.predicate(verb, ["never", *said[1:]])])
    if denied:
        return " ".join([*subject, *_denied(verb), *said])
    return " ".join([*subject, *grammar.predicate(verb, _without_any(said))])


def _denied(verb: str) -> list[str]:
    return ["cannot"] if verb == "can" else [verb, "not"]


def _there(verb: str, said: list[str], denied: bool) -> str:
    """There is a fee, there is no fee; there would be no fee."""
    be = 1 if said[0] == "be" else 0
    head, what = ["there", verb, *said[:be]], said[be:]
    some = bool(what) and what[0].lower() in ("a", "an", "any")
    if denied:
        return " ".join([*head, "no", *what[1:]] if some else ["there", *_denied(verb), *said])
    return " ".join([*head, *_without_any(what)])


def _of_some(subject: list[str], denied: bool) -> list[str] | None:
    """A subject that says of how many: anything is nothing or something, all is not all; None where it is not one of these."""
    first = grammar.bare(subject[0])
    for row in lang.language("en")["questions"]["indefinite"]:
        asked, none, some = row.split()
        if first == asked:
            return [none if denied else some, *subject[1:]]
    return ["not", *subject] if denied and first in grammar.listed("whole") else None


def _without_any(said: Sequence[str]) -> list[str]:
    """What is said, with `some` for `any` and without `yet`, which statements do not have."""
    some = {row.split()[0]: row.split()[2] for row in lang.language("en")["questions"]["indefinite"]}
    dropped = grammar.listed("dropped_when_true")
    kept = [word for n, word in enumerate(said) if word.lower() not in dropped or (word == "ever" and n)]
    return [some.get(word.lower(), word) for word in kept]


# --- other languages -------------------------------------------------------------------------------------------------


def _german(asked: list[str], denied: bool) -> str | None:
    """Ist die Brücke offen: the subject ends with its noun, which is capital, or is a pronoun."""
    verb, rest = asked[0].lower(), asked[1:]
    if verb not in lang.words("inverted", "de") or not rest:
        return None
    known = lang.words("askers", "de") | lang.words("pronouns", "de") | {"es"}
    noun = next((n for n, word in enumerate(rest) if word[:1].isupper()), None)
    end = 1 if rest[0].lower() in known else noun + 1 if noun is not None else None
    if (
        end is None
        or end >= len(rest)
        or rest[end].lower() in ("der", "des", "von", "vom", "und")
        or rest[end][:1].isupper()
    ):
        return None
    return " ".join([*rest[:end], verb, *(["nicht"] if denied else []), *rest[end:]])


_INVERTED_FRENCH = re.compile(r"^(.+?)(?:-t)?-(il|elle|ils|elles|on|je|tu|nous|vous|ce)$", re.IGNORECASE)
_ASKED_FRENCH = re.compile(r"^est-ce\s+qu(?:e\s+|['’])", re.IGNORECASE)


def _french(asked: list[str], denied: bool) -> str | None:
    """Est-ce que le musée est ouvert; le musée est-il ouvert; est-ce ouvert; peut-on payer; y a-t-il."""
    text = " ".join(asked)
    plain = _ASKED_FRENCH.sub("", text)
    if plain != text:
        return _denied_french(plain) if denied else plain
    at = next((n for n, word in enumerate(asked[:6]) if _INVERTED_FRENCH.match(word)), None)
    if at is None:
        return None
    found = _INVERTED_FRENCH.match(asked[at])
    assert found is not None
    verb, who = found.group(1).lower(), found.group(2).lower()
    before, after = asked[:at], asked[at + 1 :]
    if [word.lower() for word in before] == ["y"]:
        return " ".join(["il n'y", verb, "pas", *after] if denied else ["il y", verb, *after])
    subject = " ".join(before) or who
    if denied:
        return " ".join([subject, _ne(verb), "pas", *after])
    return " ".join([f"c'{verb}" if subject == "ce" and verb[0] in "eéê" else f"{subject} {verb}", *after])


def _ne(verb: str) -> str:
    return f"n'{verb}" if verb[0] in "aeéêiouh" else f"ne {verb}"


def _denied_french(statement: str) -> str | None:
    row = statement.split()
    known = lang.words("inverted", "fr")
    at = next((n for n, word in enumerate(row) if n and word.lower() in known), None)
    return " ".join([*row[:at], _ne(row[at]), "pas", *row[at + 1 :]]) if at is not None else None


def _spanish(asked: list[str], denied: bool) -> str | None:
    """¿Está abierto el museo?: a statement may have the same order of words."""
    text = " ".join(asked).lstrip("¿ ")
    if text.partition(" ")[0].lower() not in lang.words("inverted", "es"):
        return None
    return f"no {text[:1].lower()}{text[1:]}" if denied else text
