"""A short answer read with its question, as the statement it makes; yes and no become what they affirm.

>>> as_statement("Who founded Acme?", "Maria Lopes"), as_statement("Is the bridge open on Sundays?", "No.")
('Maria Lopes founded Acme.', 'The bridge is not open on Sundays.')
>>> as_statement("How many goals did Ines Carvalho score in 2022?", "17")
'Ines Carvalho did score 17 goals in 2022.'
"""

from __future__ import annotations

import re
from itertools import pairwise

from witnessmark.text import lang, numerals, words

MOST_WORDS, SHORT = 6, 3
"""A reply with more words is a sentence of its own."""
_SPLIT = re.compile(r"\s+")


@lang.derived
def _verbs() -> frozenset[str]:
    """Words that are verbs by themselves: auxiliaries, and past forms that have no ending."""
    return lang.words("verbs") | {
        form for table in lang.tables("irregular") for forms in table.values() for form in forms.split()
    }


def polar(reply: str) -> tuple[str, str]:
    """(`yes` or `no`, the rest) where a reply opens with one; ("", reply) where it does not."""
    first, _, rest = reply.strip().partition(" ")
    word = first.strip(".,;:!—–-").lower()
    for kind in ("yes", "no"):
        if word in lang.words(kind) and (not rest.strip() or first[-1:] in ".,;:!—–-"):
            return kind, rest.strip(" ,.;:!—–-")
    if word in lang.words("denial") and len(rest.split()) <= SHORT:  # Not yet. Not at present.
        return "no", rest.strip(" ,.;:!—–-")
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
    named = all(word[:1].isupper() or word in lang.words("stop") for word in row)
    return len(row) <= SHORT or _counts(row[0]) or named or row[0].lower() in lang.words("prepositions")


def _counts(word: str) -> bool:
    return word[0].isdigit() or numerals.is_number(word.lower())


def is_question(text: str) -> bool:
    """Whether a text asks something: by its mark, or by its first word."""
    first = text.strip().partition(" ")[0].lower()
    return "?" in text or "？" in text or first in lang.words("question_words") | lang.words("inverted")


def as_statement(question: str, reply: str) -> str:
    """The statement that a reply makes to a question; the two side by side where the question cannot be turned."""
    asked = _SPLIT.split(_last_question(question).strip().rstrip("?？ ").strip())
    said = reply.strip().rstrip(".")
    if len(asked) > 3 and asked[0].lower() in lang.words("prepositions") and _asks(asked[1]):
        said = said if _opens_alike(said) else f"{asked[0].lower()} {said}"
        asked = asked[1:]  # In which country was she born: Chile
    first = asked[0].lower()
    kind, _ = polar(reply)
    if kind:
        if first in lang.words("inverted"):
            return _sentence(_turned(asked, denied=kind == "no"))
        return f"{' '.join(asked)}: {said}."
    if first in lang.words("question_words") and len(asked) > 2:
        return _sentence(_answered(asked, said))
    return f"{' '.join(asked)}: {said}."


def _asks(word: str) -> bool:
    return word.lower() in lang.words("question_words")


def _opens_alike(said: str) -> bool:
    """Whether a reply brings its own preposition: in Chile, at 8.45."""
    return said.partition(" ")[0].lower() in lang.words("prepositions")


def _last_question(text: str) -> str:
    parts = [part for part in re.split(r"(?<=[?？.!])\s+", text.strip()) if part.rstrip().endswith(("?", "？"))]
    return parts[-1] if parts else text


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _turned(asked: list[str], *, denied: bool) -> str:
    """`Is the bridge open` as `the bridge is open`, or `is not open`."""
    verb, rest = asked[0].lower(), asked[1:]
    code = next((code for code in lang.codes() if verb in lang.words("inverted", code)), "en")
    end = _subject(rest, verb)
    middle = [verb, *lang.words("denial", code)] if denied else [verb]
    return " ".join([*rest[:end], *middle, *rest[end:]])


def _answered(asked: list[str], said: str) -> str:
    """A question that asks for something, with the reply in the place of what it asks for."""
    first = asked[0].lower()
    verb = next((n for n, word in enumerate(asked) if n and word.lower() in lang.words("inverted")), 0)
    if (
        not verb
    ):  # Who founded Acme; which company built it; which of the sites enrolled most: the reply is the subject.
        return (
            " ".join([said, *asked[1 if first in ("who", "what") else 2 :]])
            if asked[1] != "of"
            else _among(asked, said)
        )
    if first == "how":
        said = _measured(asked[1:verb], said)
    being, rest = asked[verb].lower() in lang.words("be"), asked[verb + 1 :]
    if being and first in ("who", "what", "which", "how") and not any(map(_participle, rest[1:])):
        return " ".join([*rest, asked[verb].lower(), said])
    end = _subject(rest, asked[verb].lower())
    tail = rest[end:]
    if len(tail) > 1 and _opens_alike(
        tail[-1]
    ):  # What is it written in: the reply comes after the word that waits for it
        tail = tail[:-1] if _opens_alike(said) else tail
        return " ".join([*rest[:end], asked[verb].lower(), *tail, said])
    if first == "where" and being and _named(said):
        said = f"in {said}"
    late = next((n for n, word in enumerate(tail) if word.lower() in lang.words("prepositions")), len(tail))
    return " ".join([*rest[:end], asked[verb].lower(), *tail[:late], said, *tail[late:]])


def _named(said: str) -> bool:
    """Whether a reply is the name of a place and nothing before it: Berlin, not at home, The kitchen or 12 Main Street."""
    return (
        said[:1].isupper() and said.partition(" ")[0].lower() not in lang.words("articles") and not _opens_alike(said)
    )


def _among(asked: list[str], said: str) -> str:
    return " ".join([said, "(", *asked[1:], ")"]).replace("( ", "(").replace(" )", ")")


def _measured(noun: list[str], said: str) -> str:
    """`17` to `how many goals` is `17 goals`; `217 metres` to `how tall` is `217 metres tall`."""
    noun = noun[1:] if noun and noun[0].lower() in ("many", "much") else noun
    return " ".join([said, *noun]) if noun and words.stem(noun[-1].lower()) not in words.stems(said) else said


def _participle(word: str) -> bool:
    return word.endswith("ed") or word in (
        "born",
        "built",
        "held",
        "made",
        "found",
        "won",
        "written",
        "given",
        "taken",
        "sold",
    )


def _acts(word: str) -> bool:
    """Whether a word is a common verb as a question has it after `does` or `can`."""
    return word.lower() in lang.words("acting")


def _subject(rest: list[str], verb: str) -> int:
    """How many words the subject has: up to what is said of it, which is the word before the next preposition or article."""
    being, doing = verb in lang.words("be"), verb in lang.words("dropped")
    if rest and rest[0].lower() in lang.words("askers"):  # Can I come without a booking
        return 1
    if rest and rest[0].endswith(","):  # Can Jonas, aged 15, climb alone
        return next((n + 1 for n in range(1, len(rest) - 1) if rest[n].endswith(",")), 1)
    articles = lang.words("articles") | lang.words("possessives")
    stops = lang.words("prepositions") | articles
    start = 1 if rest and rest[0].lower() in articles else 0
    known = () if being else range(start + 1, len(rest))  # Does the new rule about tips apply to …
    verb_at = next((n for n in known if _acts(rest[n]) and rest[n - 1].lower() not in stops), None)
    if verb_at is not None:  # Does the bus pass cover trams: of two such words the first is a noun
        noun = (
            verb_at + 1 < len(rest)
            and _acts(rest[verb_at + 1])
            and rest[verb_at].lower() not in lang.words("before_verb")
        )
        return verb_at + noun
    stop = next((n for n in range(start + 1, len(rest)) if rest[n].lower() in stops), len(rest))
    if rest[stop : stop + 1] == ["of"] and stop + 1 < len(rest):  # the name of the cat …
        stop = next((n for n in range(stop + 3, len(rest)) if rest[n].lower() in stops), len(rest))
    parted = (n for n in range(start + 1, stop) if _participle(rest[n]) and not doing)
    predicate = next(parted, stop - 1)
    if not being and predicate - start > 1 and re.search("[^s]s$", rest[predicate]):  # Can visitors bring dogs
        predicate -= 1
    if doing and predicate <= start and start + 1 < len(rest):
        return len(rest) - 1  # Did everyone on the panel agree
    alone = predicate <= start or (being and stop < len(rest) and rest[stop].lower() in articles)
    return max(1, stop if alone else predicate)
