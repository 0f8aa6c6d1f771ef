"""What kind of thing a sentence does: assert, ask, greet, refuse, speak about the answer; and how it is put.

Few things assert nothing, and each has a name. What is hedged, advised or held as an opinion is a claim about its content:
the words that only soften it are taken off, and noted. The patterns are in text/lang.
"""

from __future__ import annotations

import re
from itertools import pairwise

from witnessmark.checks.grounding.reading.compound import past, states
from witnessmark.checks.grounding.reading.grammar import is_participle
from witnessmark.checks.grounding.wording import denies
from witnessmark.core.verdict import Hedge
from witnessmark.text import lang
from witnessmark.text import words as all_words
from witnessmark.text.clock import day_names
from witnessmark.text.language import detect_short
from witnessmark.text.names import names
from witnessmark.text.numbers import figures

LONG = 1000
"""Of a longer sentence its beginning and its end say what kind it is."""
MIN_CLAUSE = 3
"""Words that must be left when what softens a sentence is taken off it."""
ROOM = {"greeting": 2, "question": 2, "heading": 2, "about_answer": 6}
"""Words of its own that each kind of thing may have and still assert nothing."""
SIGNATURE = 8
"""Words that whoever signs may have: a name, an office and a firm."""
SHORT_DAY = 4
"""Letters up to which the name of a day may be another word: sun, sat, wed."""
_FIGURE = re.compile(r"\d")
_ASIDE = re.compile(r"^\W*(?:and|but|so|or)?\s*", re.IGNORECASE)
_QUESTION = re.compile(r"[?？]\W*$")
_STATED = re.compile(r"(?::|\()\s*(?:[\w'-]+\s){1,6}\w{2,}ed\s*\)?\W*$")
"""A heading that states something of what it names: `Status: night runs solved`, `Plan (pond included)`."""
_SOFTENERS: tuple[Hedge, ...] = ("note", "opinion", "hedge")


def asserts_nothing(words: str) -> str:
    """What a sentence is that asserts nothing (greeting, question, about_answer), or `refusal`; empty where it asserts.

    A sentence with a figure in it always asserts, unless it asks or refuses: a wrong figure must not slip through.
    """
    if len(words) > 2 * LONG:
        words = f"{words[:LONG]} {words[-LONG:]}"
    if _QUESTION.search(words):
        return (
            ""
            if lang.speech("taken_as_known", "asserts_in_question").search(_ASIDE.sub("", words))
            or _told_as_asked(words)
            else "question"
        )
    if _may_refuse(words) and lang.speech("declines", "refusal").search(words):
        return "refusal"
    if _FIGURE.search(words):
        return "about_answer" if words.endswith(":") and lang.speech("about_answer").search(words) else ""
    if is_courtesy(words):
        return "greeting"
    return next((kind for kind in ("greeting", "about_answer") if lang.speech(kind).search(words)), "")


def _may_refuse(words: str) -> bool:
    """Whether a sentence denies anything or is sorry, as every refusal: few do, and the patterns are long."""
    row = all_words.words(words)
    return (
        denies(words) or not lang.words("in_refusals").isdisjoint(row) or any(w.startswith(("n'", "n’")) for w in row)
    )


def is_courtesy(words: str) -> bool:
    """Whether a sentence only wishes well, thanks, offers help or signs: after such a beginning, no word says anything.

    `Feel free to cancel until Friday` begins in the same way and says something.
    """
    if signs(words) or _wishes(words):
        return True
    opened = lang.speech("closing").match(words)
    empty = lang.words("courtesy") | lang.words("stop")
    return opened is not None and empty.issuperset(all_words.words(words[opened.end() :]))


def _wishes(words: str) -> bool:
    """Whether a sentence wishes somebody something, whatever it is: `Enjoy your hike!`"""
    wish = lang.speech("wish").match(words)
    empty = lang.words("courtesy") | lang.words("stop")
    rest = all_words.words(words[wish.end() :]) if wish is not None else ()
    return wish is not None and len([word for word in rest if word not in empty]) <= 1 and len(rest) <= SIGNATURE


def signs(words: str) -> bool:
    """Whether a text is the end of a letter, with or without who signs it: `Best regards, Ava`."""
    signed = lang.speech("signing").match(words)
    return signed is not None and is_signature(words[signed.end() :])


def is_signature(words: str) -> bool:
    """Whether a text is nothing but who signs, or nothing at all: a few names and words of courtesy."""
    row = all_words.WORD.findall(words)
    empty = lang.words("courtesy") | lang.words("stop")
    return len(row) <= SIGNATURE and all(word[:1].isupper() or word.lower() in empty for word in row)


def says_more(words: str, kind: str, question: str = "") -> bool:
    """Whether something of a kind that asserts nothing has more words of its own than such a thing needs, or names somebody.

    Words of its own are those that carry meaning, apart from the question's and those that only ask, greet, announce or head.
    """
    if kind == "greeting" and is_courtesy(words):
        return False
    empty = lang.words("asking") | (lang.words("heading_topics") if kind == "heading" else frozenset())
    known = {*all_words.content(question), *all_words.stemmed(empty)}
    own = [stem for stem in dict.fromkeys(all_words.content(words)) if stem not in known]
    named = {stem for name in names(words, detect_short(words)) for stem in name.stems} - known
    return len(own) > ROOM[kind] or (kind == "about_answer" and bool(named))


def names_something(lead: str) -> bool:
    """Whether what stands above a list says of what its items speak: `To take part:`, and not `Then:`, `Notes:` or `The main points:`."""
    said, topics = all_words.content(lead), all_words.stemmed(lang.words("heading_topics"))
    return not topics.issuperset(said) if said else len(lead.split()) > 1


def _told_as_asked(words: str) -> bool:
    """Whether a question is a statement with a question mark: `So the walls are hollow?`"""
    said = _ASIDE.sub("", words).split(maxsplit=1)
    first = said[0].lower() if said else ""
    asks = lang.words("inverted") | lang.words("question_words") | lang.words("askers")
    return len(said) > 1 and first not in asks and first in lang.words("opens_small") and states(" ".join(said))


def granted(words: str, kind: str) -> str:
    """What something that asserts nothing takes for granted all the same; empty where nothing.

    >>> granted("This answer is based on the fact that a smuggler built it.", "about_answer"), granted("Why it collapsed", "heading")
    ('A smuggler built it.', 'It collapsed.')
    >>> granted("The navy owns it, and here are the facts:", "about_answer"), granted("Here are the facts:", "about_answer")
    ('The navy owns it.', '')
    """
    if kind == "heading":
        opener, _, said = words.partition(" ")
        asked = {said.split()[0].lower()} & lang.words("askers") if said else None
        told = opener.lower() in lang.words("heading_reasons") and not asked and any(map(_fell, said.split()[1:]))
        return _whole(said) if told else ""
    if kind not in ("about_answer", "greeting"):
        return ""
    taken, announced = lang.speech("takes_for_granted").search(words), lang.speech("announced_after").search(words)
    said = words[taken.end() :] if taken else words[: announced.start()] if announced else ""
    told = states(said) and said.split()[0].lower() not in lang.words("askers")
    return _whole(said) if told else ""


def _fell(word: str) -> bool:
    """Whether a word of a heading tells what happened: in `Why we use cut glass` none does."""
    return past(word) and (word.lower().endswith("ed") or not is_participle(word))


def _whole(said: str) -> str:
    return _sentence(said.rstrip(" .,:;!")) + "."


def is_heading(words: str) -> bool:
    """Whether a heading only names what comes: no verb, no denial, no figure and no day of the week in it."""
    row = all_words.words(words)
    telling = lang.words("verbs") | lang.words("helping") | lang.words("negations") | {"then"}
    if _tells(row, words) or any(len(word) > SHORT_DAY for word in day_names().keys() & set(row)):
        return False
    told = (
        (len(row) > 4 and ("to", "be") in pairwise(row))
        or any(map(_happened, row[1:], row[2:]))
        or (len(row) > 1 and is_participle(row[0]) and row[0] not in lang.words("leading") and _undergone(*row[:2]))
        or (bool(row) and row[0] in lang.words("opens_small") and states(words))
        or _STATED.search(words) is not None
    )
    return not _FIGURE.search(words) and not telling.intersection(row) and not told


def _tells(row: tuple[str, ...] | list[str], words: str) -> bool:
    """Whether a heading says how much, of how many, for what alone, or what something does: `five years`, `Most like it`, `The last rule wins`."""
    quantified = len(row) > 2 and row[0] in lang.words("heading_quantifiers") and row[1] != "about"
    whole = {word.strip("()[].,:") for word in words.lower().split()}  # a read-only mode limits nothing
    quantified = quantified or (len(row) > 2 and not lang.words("heading_limits").isdisjoint(whole))
    acts = any(word in lang.words("heading_verbs") for word in row[1:])
    denied = any(word.endswith(("n't", "n’t")) for word in row)
    return quantified or acts or denied or (len(row) > 2 and bool(figures(words)))


def _happened(word: str, after: str) -> bool:
    """Whether a word tells what happened, before the word it goes on with: `collapsed in`, `sold to`, `emptied every`."""
    irregular = not word.startswith(all_words.stem(word)[:3])
    return (word.endswith("ed") or irregular) and after in lang.words("prepositions") | lang.words("tells_more")


def _undergone(participle: str, after: str) -> bool:
    """Whether a heading opens with what happened to something: `Sold to a bank`, `Built by smugglers`, `Closed forever`, and not `Run on Linux`."""
    return after in lang.words("by_whom") or (participle.endswith("ed") and _happened(participle, after))


def content(words: str) -> tuple[str, Hedge]:
    """(the statement without what only leads to it or softens it, how it was put); a question is cut to what it takes for granted."""
    if _QUESTION.search(words):
        words = _ASIDE.sub("", words).rstrip("?？) ")
        taken = lang.speech("taken_as_known", "asserts_in_question").search(words)
        rest = words[taken.end() :] if taken else words
        return _sentence(rest + "."), "question"
    how: Hedge = ""
    for _ in range(3):  # "Overall, it is worth noting that, perhaps, …": what softens may be stacked
        before = words
        words = _without(words, "lead")
        for kind in _SOFTENERS:
            rest = _without(words, kind)
            if rest != words:
                words, how = rest, how or kind
        if words == before:
            break
    return _without_other_figure(words), how or ("instruction" if instructs(words) else "")


@lang.derived
def _other_figure() -> re.Pattern[str]:
    """The end of a sentence that sets another figure aside: `…, not 1941.`; `instead of 41` may tell what it was before."""
    aside = lang.either(lang.words("denial"))
    between = lang.either(lang.words("prepositions") | lang.words("articles"))
    joining = lang.either(lang.words("joining"))
    return re.compile(
        rf",?\s+(?:(?:{joining})\s+)?(?:{aside})\s+((?:(?:{between})\s+){{0,2}}\S*\d\S*(?:\s+\w+)?)\s*\.?$",
        re.IGNORECASE,
    )


def _without_other_figure(words: str) -> str:
    """A statement without the figure that it sets aside at its end: whoever is right with `in 1943` is right with `not 1941`."""
    found = _other_figure().search(words)
    if found is None or denies(words[: found.start()]) or _FIGURE.search(words, 0, found.start()) is None:
        return words
    return words[: found.start()] + "."


def _without(words: str, kind: str) -> str:
    found = lang.speech(kind).match(words)
    rest = words[found.end() :] if found else words
    return _sentence(rest) if found and len(rest.split()) >= MIN_CLAUSE else words


def _sentence(rest: str) -> str:
    return rest[:1].upper() + rest[1:]


def instructs(words: str) -> bool:
    """Whether a sentence tells somebody to do something: it opens with a verb, and what follows is not a subject of another one."""
    row = all_words.words(words)[:8]
    if not row or row[0] not in lang.words("imperatives"):
        return False
    return not lang.words("verbs").intersection(row[1:5])
