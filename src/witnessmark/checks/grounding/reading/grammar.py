"""Where the subject of an English question ends, by small words and lists of common ones; None wherever that is not certain.

>>> subject_end("the museum open on Mondays".split(), "is"), subject_end("the coffee shop in Lyon".split(), "is")
(2, None)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from witnessmark.text import lang, numerals, words


@lang.derived
def listed(name: str) -> frozenset[str]:
    """A list of words under [questions]."""
    return frozenset(lang.language("en")["questions"][name].split())


_BARE = ".,;:!?\"'()“”’"
_SHORTENED = re.compile(r"(\w+)n['’]t")
_WHOLE_FORM = {"ca": "can", "wo": "will", "sha": "shall"}


def bare(word: str) -> str:
    """A word in lower case without the marks around it."""
    return word.strip(_BARE).lower()


def without_not(word: str) -> str:
    """A verb without its `n't`, bare: isn't is `is`, won't `will`."""
    plain = bare(word)
    short = _SHORTENED.fullmatch(plain)
    return _WHOLE_FORM.get(short[1], short[1]) if short else plain


@lang.derived
def being() -> frozenset[str]:
    """The forms of be that open a question."""
    return lang.words("being", "en") & lang.words("inverted", "en")


HAVING = frozenset(("has", "have", "had"))
_ARTICLES = frozenset(("the", "a", "an", "his", "her", "its", "our", "their", "my", "your"))


def is_count(word: str) -> bool:
    """Whether a word is a figure or a number word."""
    plain = bare(word)
    return bool(plain) and (plain[0].isdigit() or numerals.is_number(plain))


def is_preposition(word: str) -> bool:
    """Whether a word can open a phrase of place, time or manner."""
    return bare(word) in listed("prepositions")


def is_participle(word: str) -> bool:
    """Whether a word is a past participle, as after `was` and `has`: opened, built."""
    plain = bare(word)
    return (plain.endswith("ed") and len(plain) > 3 and not plain.endswith("eed")) or plain in listed("participles")


def describes(word: str) -> bool:
    """Whether a word is an adjective that is said of things: open, available."""
    plain = bare(word)
    return plain in listed("describing") or (
        len(plain) > 5 and plain.endswith(tuple(listed("describing_endings"))) and not plain.endswith("tables")
    )


def acts(word: str) -> bool:
    """Whether a word is a common verb in its plain form: apply, be, have."""
    return bare(word) in listed("doing") or bare(word) == "be"


def is_adverb(word: str) -> bool:
    """Whether a word stands between an auxiliary and its verb: still, already, formally."""
    plain = bare(word)
    return plain in listed("adverbs") or (
        len(plain) > 5 and plain.endswith("ly") and plain not in listed("not_adverbs")
    )


def _ends(rest: Sequence[str], at: int) -> bool:
    """Whether what stands at a place may end what is said: nothing follows, or a phrase that adds to it."""
    if at + 1 >= len(rest) or rest[at].endswith(","):
        return True
    after = bare(rest[at + 1])
    known = listed("prepositions") | listed("determiners") | listed("follows") | listed("joins") | listed("adverbs")
    return after in known or after.endswith("ly") or is_count(after) or rest[at + 1][:1].isupper()


def subject_end(rest: Sequence[str], verb: str) -> int | None:
    """How many words the subject has that follows the verb of a question."""
    if not rest:
        return None
    first = bare(rest[0])
    if rest[0].endswith(","):  # Can Jonas, aged 15, climb alone
        return next((n + 1 for n in range(1, len(rest) - 1) if rest[n].endswith(",")), None)
    if first in listed("pronouns"):
        return 1
    if first == "one" and len(rest) > 1 and acts(rest[1]):
        return 1
    start = int(first in listed("determiners") or is_count(first))
    if first in ("this", "that", "these", "those") and (len(rest) == 1 or _predicate_opens(rest, 1, verb)):
        return 1
    end = _said_from(rest, start, verb)
    if end is None and verb in being() and len(rest) == start + 2:
        end = start + 1  # Is the lift slow
    if end is None or not _plain(rest[:end]):
        return None
    while end > start + 1 and is_adverb(rest[end - 1]):
        end -= 1
    return end


def _plain(subject: Sequence[str]) -> bool:
    """Whether a subject has no clause of its own, in which a verb would be taken for the one that is asked about."""
    clauses = lang.words("question_words", "en") | lang.words("inverted", "en") | {"that"}
    past = words.irregular_forms("en") - listed("not_verbs")
    inner = {bare(word) for word in subject[1:]} | ({bare(subject[0])} & lang.words("question_words", "en"))
    return not inner & (clauses | (past - listed("participles"))) and not any(word.endswith(",") for word in subject)


def _predicate_opens(rest: Sequence[str], at: int, verb: str) -> bool:
    word = bare(rest[at])
    if verb in being():
        opens = is_preposition(word) or word in _ARTICLES or describes(word) or is_participle(word) or is_adverb(word)
        return opens and _ends(rest, at) if describes(word) else opens
    return is_participle(word) if verb in HAVING else acts(word)


def _said_from(rest: Sequence[str], start: int, verb: str) -> int | None:
    """Where what is said of the subject begins."""
    if verb in being():
        return _being_from(rest, start)
    if verb in HAVING:
        found = next((n for n in range(start + 1, len(rest)) if is_participle(rest[n])), None)
        return found if found is not None else _nominal(rest, start)
    return _acting_from(rest, start)


def _being_from(rest: Sequence[str], start: int) -> int | None:
    small = listed("determiners") | listed("prepositions") | listed("joins")
    for n in range(start + 1, len(rest)):
        word = bare(rest[n])
        if rest[n + 1 : n + 2] == ["than"]:
            return n
        particle = is_preposition(word) and n + 1 < len(rest)
        if n > start + 1 and word in listed("particles") and is_participle(rest[n - 1]):
            return n - 1  # Is the heating switched off
        if not particle and (describes(word) or is_participle(word)) and _ends(rest, n):
            return n
        if bare(rest[n - 1]) not in small and rest[n] in _ARTICLES:
            return n
    for n in range(start + 1, len(rest)):
        if is_preposition(rest[n]) and bare(rest[n]) != "of":
            later = (
                m
                for m in range(n + 2, len(rest))
                if describes(rest[m]) and bare(rest[m - 1]) not in listed("determiners")
            )
            certain = bare(rest[n]) != "to" and _settled_noun(rest[:n]) and next(later, None) is None
            return n if certain else None
    return None


def _settled_noun(row: Sequence[str]) -> bool:
    """Whether words are a noun for certain: after the last small word stands one, or names."""
    small = listed("determiners") | listed("prepositions") | listed("joins")
    last = max((n for n, word in enumerate(row) if bare(word) in small), default=-1)
    plain = [word for word in row[last + 1 :] if word[:1].islower()]
    return len(row) > last + 1 and len(plain) <= 1 and "both" not in row[1:]


def _nominal(rest: Sequence[str], start: int) -> int | None:
    """Has the shop a garden: an article begins what it has."""
    found = (n for n in range(start + 1, len(rest)) if bare(rest[n]) in _ARTICLES and not is_preposition(rest[n - 1]))
    at = next(found, None)
    return at if at is not None and _settled_noun(rest[:at]) and not any(map(is_adverb, rest[:at])) else None


def _acting_from(rest: Sequence[str], start: int) -> int | None:
    small = listed("determiners") | listed("prepositions") | listed("joins")
    places = [n for n in range(start + 1, len(rest)) if acts(rest[n]) and bare(rest[n - 1]) not in small]
    for n in places:
        noun = bare(rest[n]) in listed("also_nouns") and n + 1 < len(rest) and is_preposition(rest[n + 1])
        if noun and n != places[-1]:  # Does the new rule about tips apply to waiters
            continue
        after = next((m for m in range(n + 1, len(rest)) if not is_adverb(rest[m])), len(rest))
        twice = after < len(rest) and acts(rest[after]) and bare(rest[n]) not in lang.words("before_verb", "en")
        return after if twice else n  # Does the bus pass cover trams: of two such words the first is a noun
    return None


def inflected(auxiliary: str, verb: str) -> str:
    """A verb without its do, does or did: `does` and `apply` are `applies`; both words where its past is not known.

    >>> inflected("does", "apply"), inflected("did", "build"), inflected("did", "zorb")
    ('applies', 'built', 'did zorb')
    """
    if auxiliary == "do":
        return verb
    return _third(verb) if auxiliary == "does" else _past(verb) or f"{auxiliary} {verb}"


def predicate(auxiliary: str, said: Sequence[str]) -> list[str]:
    """What is said of a subject, with its auxiliary or, where that is do, with the verb in its form: often applies."""
    if auxiliary not in lang.words("dropped", "en") or not said:
        return [auxiliary, *said]
    at = next((n for n, word in enumerate(said) if not is_adverb(word) or acts(word)), 0)
    return [*said[:at], inflected(auxiliary, said[at]), *said[at + 1 :]]


def _third(verb: str) -> str:
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if re.search("[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search("(?:s|x|z|ch|sh|o)$", verb) else "s")


def _past(verb: str) -> str | None:
    table = lang.language("en")
    if verb in table["past"]:
        return str(table["past"][verb])
    forms = table["irregular"].get(words.stem(verb))
    if forms is not None and verb not in forms.split():  # she founded it: `found` is the past of another verb
        return str(forms.split()[0])
    if verb not in listed("doing"):
        return None
    if verb.endswith("e"):
        return verb + "d"
    if re.search("[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    doubled = re.fullmatch("[^aeiou]*[aeiou][bdgklmnprt]", verb) is not None
    return verb + (verb[-1] if doubled else "") + "ed"
