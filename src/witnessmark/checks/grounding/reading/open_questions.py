"""Questions that ask for something, with the reply in the place of what they ask for; None where that place is not certain.

>>> answered("Which room has the most seats".split(), "Aspen"), answered("How old is his sister".split(), "37")
('Aspen has the most seats', 'his sister is 37')
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from witnessmark.checks.grounding.reading import grammar
from witnessmark.checks.grounding.reading.grammar import bare, listed
from witnessmark.text import lang, words
from witnessmark.text.clock import day_names, times
from witnessmark.text.dates import dates

MOST_NOUN = 4
"""Words that the noun after which, what or how many may have: longer ones hold clauses of their own."""
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")


def answered(asked: Sequence[str], said: str) -> str | None:
    """The statement that a reply makes of a question with who, what, which, when, where, why or how."""
    first = asked[0].lower()
    at = _verb_at(asked)
    if at is None or at + 1 > len(asked):
        return None
    noun, verb, rest = list(asked[1:at]), asked[at].lower(), list(asked[at + 1 :])
    said = spoken(said)
    if first in ("when", "where", "why"):
        return _added(verb, rest, _circumstance(first, said)) if not noun else None
    if first == "how":
        return _measured(noun, verb, rest, said)
    if first in ("who", "whom", "what", "which", "whose"):
        return _named(first, noun, verb, rest, said)
    return None


def in_place(asked: Sequence[str], said: str) -> str | None:
    """A question in the order of a statement, with the reply where its question word is: `It was built in which year`."""
    at = next((n for n in reversed(range(len(asked))) if bare(asked[n]) in ("who", "whom", "what", "which")), 0)
    if not at or asked[at - 1].endswith(",") or bare(asked[at]) != asked[at]:
        return None
    places = (n for n in range(at + 1, len(asked)) if grammar.is_preposition(asked[n]) and bare(asked[n]) != "of")
    end = next(places, len(asked))
    noun = asked[at + 1 : end]
    if noun[:1] == ["of"]:
        return None
    named = asked[at] in ("what", "which") and len(noun) <= MOST_NOUN - 1 and not any(map(_finite, map(bare, noun)))
    if (noun and not named) or any(word.endswith(",") for word in noun):
        return None
    if end < len(asked) and not noun and asked[at] == "which":
        return None  # the band for which he played
    return " ".join([*asked[:at], spoken(said), *asked[end:]])


def spoken(said: str) -> str:
    """A reply as it stands in the middle of a sentence: its first word small where it is no name."""
    first, gap, rest = said.partition(" ")
    small = (
        listed("determiners") | listed("prepositions") | listed("conditions") | listed("reasons") | words.stop_words()
    )
    known = (
        first.lower() in small
        or (grammar.is_count(first) and first[:1].isalpha())
        or first.lower() in ("about", "around", "nearly", "almost", "every")
    )
    return f"{first.lower()}{gap}{rest}" if known and first != "I" else said


def _verb_at(asked: Sequence[str]) -> int | None:
    """Where the verb of the question stands: an auxiliary, or the verb itself where the reply is the subject."""
    first = asked[0].lower()
    for n in range(1, len(asked)):
        word = bare(asked[n])
        if word in lang.words("inverted", "en") or word in listed("helping"):
            return n
        if first in ("when", "where", "why"):
            return None
        if n == 1 and first in ("which", "how", "whose"):
            continue
        after = bare(asked[n + 1]) if n + 1 < len(asked) else ""
        noun = after in lang.words("inverted", "en") or (n == 1 and first == "what" and not _object_opens(after))
        if _finite(word) and any(map(_finite, map(bare, asked[n + 1 : n + 4]))):
            return None  # which mixed martial artist founded it
        if (
            (_finite(word) and not noun)
            or (n == 1 and first == "who")
            or (first == "how" and n > 2 and grammar.acts(word))
        ):
            return n
        if word in listed("prepositions") and word != "of":
            return None
    return None


def _object_opens(after: str) -> bool:
    """Whether a word after a verb begins what it acts on, or nothing follows."""
    return not after or after in listed("determiners") | listed("prepositions") | listed("pronouns") | listed("follows")


def _finite(word: str) -> bool:
    """Whether a word can be nothing but a verb: founded, built, sends."""
    past = {form for forms in lang.language("en")["irregular"].values() for form in forms.split()}
    ends = word.endswith("ed") and grammar.is_participle(word)
    third = word == "has" or any(
        grammar.inflected("does", verb) == word
        for verb in (word[:-1], word[:-2], word[:-3] + "y")
        if verb in listed("doing")
    )
    return ends or (word in past and word not in listed("not_verbs")) or third


# --- who, what, which ------------------------------------------------------------------------------------------------


def _named(first: str, noun: list[str], verb: str, rest: list[str], said: str) -> str | None:
    of = noun[1:] if noun[:1] == ["of"] else []
    if len(noun) > MOST_NOUN and not of:
        return None
    if first == "whose":
        said, noun = " ".join([said if re.search("['’]s?$", said) else f"{said}'s", *noun]), []
    when = _circumstance_of(noun, said)
    if when is not None and _opens_subject(rest, verb):
        return _added(verb, rest, when)
    made = _subject_asked(first, noun, verb, rest, said)
    if made is None and not of:
        made = _object_asked(first, verb, rest, said)
    return f"of {' '.join(of)}, {made}" if made is not None and of else made


def _circumstance_of(noun: list[str], said: str) -> str | None:
    """The time that `what time`, `which day` or `in which year` asks for, with its preposition; None for other nouns."""
    kind = bare(noun[-1]) if noun else ""
    for name, word in (("at_time", "at"), ("in_time", "in"), ("on_day", "on")):
        if kind in listed(name):
            return said if grammar.is_preposition(said.partition(" ")[0]) else f"{word} {said}"
    return None


def _opens_subject(rest: Sequence[str], verb: str) -> bool:
    """Whether a subject follows the verb, so that the reply is none."""
    if not rest:
        return False
    first = bare(rest[0])
    doing = verb in lang.words("dropped", "en")
    return doing or first in listed("pronouns") | listed("determiners") or rest[0][:1].isupper()


def _subject_asked(first: str, noun: list[str], verb: str, rest: list[str], said: str) -> str | None:
    """Who founded Acme; which room has the most seats; what is needed; who may terminate at once."""
    if verb in lang.words("dropped", "en"):
        return None
    stands = [said, verb, *rest]
    if verb not in lang.words("inverted", "en") and verb not in listed("helping"):
        return " ".join(stands)
    if not rest:
        return None
    opens = next((bare(word) for word in rest if not grammar.is_adverb(word) and bare(word) != "most"), "")
    if opens in listed("pronouns") or (opens not in listed("describing") and grammar.is_preposition(rest[-1])):
        return None
    if verb in grammar.HAVING:
        free = not any(map(grammar.is_participle, rest[1:]))
        return " ".join(stands) if grammar.is_participle(opens) or free else None
    if verb in grammar.being():
        told = (
            grammar.is_participle(opens)
            or grammar.describes(opens)
            or grammar.is_preposition(opens)
            or opens.endswith("ing")
        )
        ranked = (
            len(rest) > 1
            and re.search("(?:est|^most|^least|^best|^worst|^only|^first|^last)$", bare(rest[1])) is not None
        )
        settled = bool(noun) and (ranked or opens in ("a", "an"))
        return " ".join(stands) if told or settled else None
    return " ".join(stands) if grammar.acts(opens) else None


def _object_asked(first: str, verb: str, rest: list[str], said: str) -> str | None:
    """What does it depend on; who did Ana meet in Lyon; what is the name of the cat."""
    if verb in grammar.being() and first in ("who", "what", "which"):
        return _identified(first, verb, rest, said)
    end = grammar.subject_end(rest, verb)
    if end is None or end >= len(rest):
        return None
    subject, head, tail = rest[:end], rest[end], rest[end + 1 :]
    if head == "do" or "to" in map(bare, tail[:-1]):
        return None
    if grammar.is_adverb(head):
        head, tail = f"{head} {tail[0]}" if tail else head, tail[1:]
    return " ".join([*subject, *grammar.predicate(verb, head.split()), *_with_reply(tail, said)])


def _with_reply(tail: list[str], said: str) -> list[str]:
    """What follows the verb, with the reply before the first phrase of place or time, or after the preposition that waits for it."""
    if tail and grammar.is_preposition(tail[-1]):
        return [*(tail[:-1] if grammar.is_preposition(said.partition(" ")[0]) else tail), said]
    late = next((n for n, word in enumerate(tail) if grammar.is_preposition(word)), len(tail))
    return [*tail[:late], said, *tail[late:]]


def _identified(first: str, verb: str, rest: list[str], said: str) -> str | None:
    """What is the name of the cat; what is it written in; who is she."""
    last = bare(rest[-1]) if rest else ""
    if not rest or bare(rest[0]) == "there" or any(bare(word).endswith("ing") for word in rest[1:]):
        return None
    if grammar.is_preposition(last):
        end = grammar.subject_end(rest[:-1], verb, alone=True)
        if end == len(rest) - 1 and rest[0][:1].isupper() and rest[-2][:1].islower():
            return None
        return " ".join([*rest[:end], verb, *_with_reply(rest[end:], said)]) if end is not None else None
    if bare(rest[0]) in listed("pronouns") and len(rest) > 1:
        told = grammar.is_participle(last)
        return " ".join([rest[0], verb, *rest[1:], said]) if told else None
    if grammar.is_participle(last) and len(rest) > 1:
        return " ".join([*rest[:-1], verb, rest[-1], said])
    if len(rest) == 1 and first != "what" and rest[0].islower():  # Who is older
        return " ".join([said, verb, rest[0]])
    return " ".join([*rest, verb, said])


# --- when, where, why ------------------------------------------------------------------------------------------------


def _circumstance(first: str, said: str) -> str | None:
    """A reply that tells when, where or why, with the preposition it needs; None where none is certain."""
    opens = bare(said.partition(" ")[0])
    if first == "why":
        return said if opens in listed("reasons") else None
    if grammar.is_preposition(opens) or opens in listed("conditions") or opens in listed("follows"):
        return said
    if first == "where":
        return f"at {said}" if said[:1].isdigit() else f"in {said}" if _is_place(said) else None
    return _dated(said)


def _is_place(said: str) -> bool:
    """Whether a reply is the name of a place and nothing before it: Berlin, not at home, The kitchen or 12 Main Street."""
    return said[:1].isupper() and bare(said.partition(" ")[0]) not in listed("determiners")


def _dated(said: str) -> str:
    opens = bare(said.partition(" ")[0])
    if _YEAR.fullmatch(said):
        return f"in {said}"
    if times(f"at {said}") and not dates(said) and said[:1].isdigit():
        return f"at {said}"
    if opens in day_names():
        return f"on {said}"
    told = dates(said)
    if told and told[0].span[0] == 0:
        return f"on {said}" if told[0].day else f"in {said}"
    return said


def _added(verb: str, rest: list[str], circumstance: str | None) -> str | None:
    """The statement of the question with a circumstance at its end."""
    if circumstance is None:
        return None
    end = grammar.subject_end(rest, verb, alone=True)
    if end is None:
        return None
    subject, tail = rest[:end], rest[end:]
    if tail and grammar.is_preposition(tail[-1]):  # Where is she from
        circumstance = re.sub(r"^(?:in|at|from) ", "", circumstance)
    if verb in lang.words("dropped", "en") and not tail:
        return None
    return " ".join([*subject, *grammar.predicate(verb, tail), circumstance])


# --- how -------------------------------------------------------------------------------------------------------------


def _measured(noun: list[str], verb: str, rest: list[str], said: str) -> str | None:
    """How many, how much, how old, how long, how far, how often; a bare how only with what tells a manner."""
    if not noun:
        return _added(verb, rest, said) if bare(said.partition(" ")[0]) in listed("manners") else None
    kind, what = bare(noun[0]), noun[1:]
    if kind in ("many", "much"):
        return _counted(kind, what, verb, rest, said)
    if what or not rest:
        return None
    if kind == "often":
        return _added(verb, rest, said)
    if verb in grammar.being():
        return _sized(kind, verb, rest, said)
    end = grammar.subject_end(rest, verb)
    if end is None or end >= len(rest):
        return None
    head = bare(rest[end])
    if head == "be":
        return " ".join([*rest[:end], verb, "be", _size(kind, said), *rest[end + 1 :]])
    if kind == "long" and head not in listed("direct_measures") and not grammar.is_preposition(said.partition(" ")[0]):
        return _added(verb, rest, f"for {said}")
    return _object_asked("how", verb, rest, said)


def _sized(kind: str, verb: str, rest: list[str], said: str) -> str | None:
    end = 1 if bare(rest[0]) in listed("pronouns") else len(rest)
    if kind == "far":
        end = next((n for n, word in enumerate(rest) if n and grammar.is_preposition(word)), len(rest))
        return " ".join([*rest[:end], verb, said, *(rest[end:] or ["away"])])
    if any(map(grammar.is_participle, rest[1:])):
        return None
    return " ".join([*rest[:end], verb, _size(kind, said), *rest[end:]])


def _size(kind: str, said: str) -> str:
    """`217 metres` to how tall is `217 metres tall`; to how heavy it stays `3 kg`, and a bare number stays one: she is 37."""
    row = words.words(said)
    if all(map(grammar.is_count, said.split())):
        return said
    return f"{said} {kind}" if kind in listed("kept_measures") and kind not in row else said


def _counted(kind: str, what: list[str], verb: str, rest: list[str], said: str) -> str | None:
    """`17` to how many goals is `17 goals`; `200 g` to how much sugar is `200 g of sugar`."""
    known = not what or words.stem(bare(what[-1])) in words.stems(said)
    counts = all(
        grammar.is_count(word) or bare(word) in ("about", "around", "nearly", "almost", "over", "only")
        for word in said.split()
    )
    if not known and not counts and kind == "many":
        return None
    money = bool(what) and bare(what[0]) in ("money", "time")
    joined = "of " if kind == "much" and what and not counts else ""
    amount = said if known or money else f"{said} {joined}{' '.join(what)}"
    if not rest or (verb not in lang.words("inverted", "en") and verb not in listed("helping")):
        clear = (what or not rest) and not lang.words("inverted", "en").intersection(rest)
        return " ".join([amount, verb, *rest]) if clear else None
    if bare(rest[0]) == "there":
        return " ".join(["there", verb, amount, *rest[1:]])
    if what and verb not in lang.words("dropped", "en"):
        made = _subject_asked("how", what, verb, rest, amount)
        if made is not None:
            return made
    if verb in grammar.being() and not what:
        return " ".join([*rest, verb, amount]) if not any(map(grammar.is_participle, rest[1:])) else None
    return _object_asked("how", verb, rest, amount)
