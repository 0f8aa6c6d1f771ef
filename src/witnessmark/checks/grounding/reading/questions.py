"""A short answer read with its question, as the statement it makes; yes and no become what they affirm.

Where the words do not say for certain how the question is turned, the two stand side by side as they were said.

>>> as_statement("Who founded Acme?", "Maria Lopes"), as_statement("Is the bridge open on Sundays?", "No.")
('Maria Lopes founded Acme.', 'The bridge is not open on Sundays.')
>>> as_statement("How many goals did Ines Carvalho score in 2022?", "17"), as_statement("Why is the coffee shop in Lyon?", "Rents.")
('Ines Carvalho scored 17 goals in 2022.', 'Why is the coffee shop in Lyon? Rents.')
"""

from __future__ import annotations

import re
from itertools import pairwise

from witnessmark.checks.grounding.reading import grammar, open_questions, polar_questions
from witnessmark.text import lang, numerals, words
from witnessmark.text.language import detect_short

MOST_WORDS, SHORT = 6, 3
"""A reply with more words is a sentence of its own."""
MOST_PREDICATE = 4
"""Words after a pronoun that take the time and place of the question with them: it is closed."""
_SPLIT = re.compile(r"\s+")
_MARKS = ".,;:!—–-"
_LED = re.compile(r"^(?:(?:Q|Question):\s*)?(?:((?:[^,?]+,\s+){1,3}?)(?=(\w+(?:n['’]t)?)\s))?", re.IGNORECASE)
_CHOICE = re.compile(r"(?:,|:)\s+(?:either\s+)?[^,]+(?:,[^,]+){0,3},?\s+or\s+[^,]+$")


@lang.derived
def _verbs() -> frozenset[str]:
    """Words that are verbs by themselves: auxiliaries, and past forms that have no ending."""
    past = {form for table in lang.tables("irregular") for forms in table.values() for form in forms.split()}
    return (lang.words("verbs") - lang.words("articles")) | (past - grammar.listed("not_verbs"))


def polar(reply: str) -> tuple[str, str]:
    """(`yes` or `no`, the rest) where a reply opens with one; ("", reply) where it does not.

    A no without a mark after it is no answer of its own: `No signature is needed` denies with its first word.
    """
    first, _, rest = reply.strip().partition(" ")
    word = first.strip(_MARKS).lower()
    numbered = first == "No." and rest[:1].isdigit()  # No. 5
    for kind in ("yes", "no"):
        ended = not rest.strip() or first[-1:] in _MARKS or rest.lstrip()[:1] in "—–-"
        if word in lang.words(kind) and ended and not numbered:
            return kind, rest.strip(f" {_MARKS}")
    told = [part.lower().strip(_MARKS) for part in rest.split()]
    if word in lang.words("denial") - lang.words("no") and len(told) <= SHORT and not _verbs().intersection(told):
        return "no", rest.strip(f" {_MARKS}")  # Not yet. Not at present.
    return "", reply


def is_fragment(reply: str) -> bool:
    """Whether a reply says something only together with its question: a few words without a verb, a figure, a name or a phrase."""
    row = words.WORD.findall(reply)
    if not row or len(row) > MOST_WORDS or _verbs().intersection(word.lower() for word in row):
        return False
    if len(row) > 2 and row[0].lower() in lang.words("pronouns"):
        return False
    inner = pairwise(row[:-1])
    if any(word.islower() and word.endswith(("s", "ed")) and not _counts(before) for before, word in inner):
        return False
    if _is_sentence(row):
        return False
    named = all(word[:1].isupper() or word in lang.words("stop") for word in row)
    return len(row) <= SHORT or _counts(row[0]) or named or row[0].lower() in lang.words("prepositions")


def _is_sentence(row: list[str]) -> bool:
    """Whether a few words end with what somebody did: The library overspent."""
    last = row[-1].lower()
    done = last.endswith("ed") or last in grammar.listed("participles")
    return (
        len(row) > 1
        and done
        and row[-1].islower()
        and row[0].lower() in grammar.listed("determiners") | lang.words("pronouns")
    )


def _counts(word: str) -> bool:
    return word[0].isdigit() or numerals.is_number(word.lower())


def is_question(text: str) -> bool:
    """Whether a text asks something: by its mark, or by its first word."""
    first = text.strip().partition(" ")[0].lower()
    return "?" in text or "？" in text or first in lang.words("question_words") | lang.words("inverted")


def as_statement(question: str, reply: str) -> str:
    """The statement that a reply makes to a question; the two side by side where the question cannot be turned for certain."""
    plain = _last_question(question).strip().rstrip("?？. ").strip()
    said = reply.strip().rstrip(".")
    kind, _ = polar(reply)
    elliptic = "" if kind else _elliptic(said)
    if not kind and not elliptic and not is_fragment(reply):
        return reply.strip()
    code = detect_short(plain)
    if code != "en":
        made = polar_questions.turned_in(code, plain.split(), denied=kind == "no") if kind else None
    else:
        lead, asked = ("", plain) if polar_questions.tagged(plain) else _led(plain)
        made = _answered(asked, elliptic or said, kind)
        made = f"{lead}{made}" if made is not None else None
    return _sentence(made) if made is not None else _side_by_side(plain, said)


def _side_by_side(plain: str, said: str) -> str:
    """Question and reply as they were said, which is how the models learned to read the two."""
    return f"{plain}? {said[:1].upper()}{said[1:]}."


def _answered(plain: str, said: str, kind: str) -> str | None:
    """The statement of an English question and a reply to it, which is yes or no where `kind` says so."""
    asked = _SPLIT.split(plain)
    first = polar_questions.opener(asked[0])
    if kind:
        tag = polar_questions.tagged(plain)
        if tag is not None:
            return polar_questions.tag_answered(*tag, denied=kind == "no")
        return polar_questions.turned(asked, denied=kind == "no") if _inverts(first) else None
    if _inverts(first):
        adds = said.partition(" ")[0].lower() in grammar.listed("conditions") | grammar.listed("prepositions")
        made = polar_questions.turned(asked, denied=False) if adds else None
        return f"{made} {open_questions.spoken(said)}" if made is not None else None
    if len(asked) > 3 and grammar.is_preposition(first) and _asks(asked[1]):  # In which country was she born: Chile
        opens = grammar.is_preposition(said.partition(" ")[0])
        return open_questions.answered(["when", *_without_noun(asked)], said if opens else f"{first} {said}")
    if _asks(first) and len(asked) > 1:
        return open_questions.answered(_SPLIT.split(_CHOICE.sub("", plain)), said)
    return open_questions.in_place(asked, said)


def _without_noun(asked: list[str]) -> list[str]:
    at = next((n for n, word in enumerate(asked) if n > 1 and _inverts(word.lower())), len(asked))
    return asked[at:]


def _inverts(word: str) -> bool:
    return word in lang.words("inverted", "en")


def _asks(word: str) -> bool:
    return word.lower() in lang.words("question_words", "en")


def _elliptic(said: str) -> str:
    """Who did it, where a reply is that and a bare auxiliary: `Mr Lim` of `Mr Lim did`; empty for any other reply."""
    rest, _, last = said.rpartition(" ")
    known = last in ("did", "does", "do", "is", "was", "has", "will", "can") and rest.lower() not in grammar.listed(
        "pronouns"
    )
    return rest if known and is_fragment(rest) else ""


def _led(plain: str) -> tuple[str, str]:
    """What stands before the question itself, and the question: (`In Great Britain, `, `what does it mean`)."""
    found = _LED.match(plain)
    if found is None or found.group(1) is None:
        return "", re.sub(r"^(?:Q|Question):\s*", "", plain)
    lead, opens = found.group(1), found.group(2).lower()
    first = lead.partition(" ")[0].lower().strip(",")
    known = grammar.listed("leads") | (grammar.listed("prepositions") - grammar.listed("conditions"))
    if first not in known or not (_inverts(polar_questions.opener(opens)) or _asks(opens)):
        return "", plain
    return lead, plain[found.end() :]


def completed(question: str, rest: str) -> str:
    """What follows yes or no, with the time and place of the question where it says of a pronoun only what it is.

    >>> completed("Is the museum open on Mondays?", "It is closed")
    'It is closed on Mondays'
    """
    row = rest.split()
    plain = _last_question(question).strip().rstrip("?？ ").split()
    short = 3 <= len(row) <= MOST_PREDICATE and row[0].lower() in lang.words("pronouns", "en")
    if not short or row[1].lower() not in grammar.being() or any(map(grammar.is_preposition, row)):
        return rest
    at = next((n for n, word in enumerate(plain) if n > 2 and word.lower() in grammar.listed("circumstances")), None)
    return " ".join([rest, *plain[at:]]) if at is not None and at + 1 < len(plain) else rest


def _last_question(text: str) -> str:
    parts = [part for part in re.split(r"(?<=[?？.!])\s+", text.strip()) if part.rstrip().endswith(("?", "？"))]
    return parts[-1] if parts else text


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(",") + "."
