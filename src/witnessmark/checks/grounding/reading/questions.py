"""A short answer read with its question, as the statement it makes; yes and no become what they affirm.

Any other reply that is no sentence stands beside its question, and so does a yes where the words do not say for certain how the
question is turned.

>>> as_statement("Is the bridge open on Sundays?", "No."), as_statement("Who founded Acme?", "Maria Lopes")
('The bridge is not open on Sundays.', 'Who founded Acme? Maria Lopes.')
"""

from __future__ import annotations

import re
from itertools import pairwise

from witnessmark.checks.grounding.reading import grammar, polar_questions
from witnessmark.text import lang, numerals, question_kinds, words
from witnessmark.text.language import detect_short
from witnessmark.text.numbers import figures
from witnessmark.text.sentences import ANYTHING, sentences

MOST_WORDS, SHORT = 6, 3
"""A reply with more words is a sentence of its own."""
MIN_CLAUSE = 3
"""Words behind yes or no that are a statement of their own."""
MOST_IN_PHRASE = 14
"""Words of an answer that has no verb: `W3 in York, with 602 pallets.`"""
_MARKS = ".,;:!—–-"
_OPENING = re.compile(r"^(?:[\s.,;:!—–]|-+(?=\s|$))+")
"""What stands between a yes and what it says more; the minus of `-15 °C` and the dashes of `--fast` belong to that."""
_FIRST_WORD = re.compile(r"(\w+)(?:\s*[.,;:!—–]|\s+-|\s*$)")


@lang.derived
def _verbs() -> frozenset[str]:
    """Words that are verbs by themselves: auxiliaries, and past forms that have no ending."""
    return (lang.words("verbs") - lang.words("articles")) | (words.irregular_forms() - grammar.listed("not_verbs"))


@lang.derived
def _regret() -> re.Pattern[str]:
    words_of_regret = lang.either(lang.phrases("answers", "regret"))
    return re.compile(rf"(?:(?:{words_of_regret})[\s,]+)+(?=(?:{lang.either(lang.words('no'))})\b)", re.IGNORECASE)


def regret(reply: str) -> int:
    """How many characters before a no say that one is sorry: `I'm sorry, but no.`"""
    found = _regret().match(reply.replace("’", "'"))
    return found.end() if found is not None else 0


def _way(reply: str) -> str:
    """In which way a yes or a no is meant that follows it: `Numerically, yes`, `In principle, no`; empty where no such thing opens a reply."""
    way, _, rest = reply.partition(", ")
    first = _FIRST_WORD.match(rest)
    answers = first is not None and first[1].lower() in lang.words("yes") | lang.words("no")
    known = grammar.is_adverb(way) or way.lower() in lang.phrases("answers", "ways")
    return f"{way}, " if answers and known else ""


def lead(reply: str) -> int:
    """How many characters stand before the yes or no of a reply: that one is sorry, or in which way it is meant."""
    return regret(reply) or len(_way(reply))


def polar(reply: str) -> tuple[str, str]:
    """(`yes` or `no`, the rest) where a reply opens with one; ("", reply) where it does not.

    A no without a mark after it is no answer of its own: `No signature is needed` denies with its first word.
    """
    reply = reply.strip()
    first, _, rest = reply[lead(reply) :].partition(" ")
    word = first.strip(_MARKS).lower()
    numbered = first == "No." and rest[:1].isdigit()  # No. 5
    for kind in ("yes", "no"):
        ended = not rest.strip() or first[-1:] in _MARKS or rest.lstrip()[:1] in "—–-"
        if word in lang.words(kind) and ended and not numbered:
            return kind, _OPENING.sub("", rest).rstrip(f" {_MARKS}")
    told = [part.lower().strip(_MARKS) for part in rest.split()]
    if _is_denial(word) and len(told) <= MOST_WORDS and not _verbs().intersection(told):
        return "no", rest.strip(f" {_MARKS}")  # Not yet. Not at present.
    return "", reply


def _is_denial(word: str) -> bool:
    """Whether a word denies what stands behind it, and is no answer by itself: not."""
    return word.lower() in lang.words("denial") - lang.words("no")


@lang.derived
def _limit() -> re.Pattern[str]:
    """What sets a limit to a yes or a no: `Yes, but only in May`, `No, unless they are on a lead`."""
    return re.compile(rf"(?:{lang.either(lang.phrases('answers', 'limits'))})\b", re.IGNORECASE)


def goes_on(reply: str) -> bool:
    """Whether what stands behind a yes or a no is no statement of its own and belongs to it: a few words, a phrase, a limit.

    >>> goes_on("Not in her lifetime."), goes_on("Yes, until 9 pm."), goes_on("Yes, provided that you sign."), goes_on("No, it is closed.")
    (True, True, True, False)
    """
    rest = polar(reply)[1]
    phrase = is_fragment(rest) and rest.split()[0].lower() in lang.words("prepositions")
    denies = _is_denial(reply.split(maxsplit=1)[0])
    return denies or len(rest.split()) < MIN_CLAUSE or phrase or _limit().match(rest) is not None


def _with_rest(made: str, reply: str) -> str | None:
    """The statement that a yes or a no makes, with what goes on behind it; None where only question and reply side by side say it."""
    kind, rest = polar(reply)
    row = words.words(rest)
    if row and _is_denial(row[0]):  # No, not yet.
        return _with_rest(made, rest)
    if _is_denial(reply.split(maxsplit=1)[0]) and row and row[0] in grammar.listed("whole"):
        return None  # Not all of them.
    says = any(char.isdigit() for char in rest) or words.content(rest)
    if not says or row[0] in lang.words("pronouns") or set(row) <= lang.words("courtesy") | lang.words("stop"):
        return made  # Yes, it is.
    if _is_denial(reply.split(maxsplit=1)[0]):
        return _denied_so(made, rest)
    if kind == "no" and _limit().match(rest) is None and not grammar.is_adverb(row[0]):
        return None  # No, 25 kg.
    return f"{made} {rest}" if row[0] in lang.words("prepositions") else f"{made}, {rest}"


def _with_other_figure(question: str, reply: str) -> str | None:
    """A question with the figure that a no sets in the place of its only one: `Is the limit 23 kg?` and `No, 25 kg`; None where it sets none."""
    rest = polar(reply)[1]
    asked, told = figures(question), figures(rest)
    if len(asked) != 1 or [rest[slice(*one.span)] for one in told] != [rest] or asked[0].dimension != told[0].dimension:
        return None
    start, end = asked[0].span
    return f"{question[:start]}{rest}{question[end:]}"


def _denied_so(made: str, rest: str) -> str | None:
    """A denied statement with what its denial says more: `is not quite open`, `is not open on Sundays`; None where that is of how many."""
    row = rest.split()
    if row[0].lower() in grammar.listed("determiners") or _counts(row[0]):
        return None
    if len(row) > 1:
        return f"{made} {rest}"
    said = made.split()
    at = next((n for n, word in enumerate(said) if _is_denial(word) or word == "cannot"), len(said) - 1)
    return " ".join([*said[: at + 1], rest, *said[at + 1 :]])


def is_fragment(reply: str) -> bool:
    """Whether a reply says something only together with its question: a few words without a verb, a figure, a name or a phrase."""
    row = words.WORD.findall(reply)
    if _only_if().match(reply) is not None:
        return True
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


@lang.derived
def _only_if() -> re.Pattern[str]:
    """The beginning of a reply that is nothing but a condition: `Only if you sign.`"""
    return re.compile(rf"(?:{lang.either(lang.phrases('answers', 'conditions'))})\b", re.IGNORECASE)


def phrase(question: str, claim: str) -> str:
    """What a claim answers to a question without a verb of its own, as far as words tell; empty where it is a sentence.

    >>> phrase("Which depot holds the most?", "W3 in York, with 602 crates."), phrase("Which depot holds the most?", "W3 holds 602.")
    ('W3 in York, with 602 crates.', '')
    """
    asked = last_question(question).strip().rstrip("?？. ").strip()
    if not asked or not is_question(question):
        return ""
    front, mark, said = claim.partition("? ")
    if mark and front.lower() in asked.lower():
        return said
    row = words.WORD.findall(claim)
    opens = bool(row) and (row[0][0].isupper() or row[0][0].isdigit()) and row[0].lower() not in lang.words("pronouns")
    known = {word.lower() for word in words.WORD.findall(asked)} - words.stop_words()
    if not opens or len(row) > MOST_IN_PHRASE or _verbs().intersection(word.lower() for word in row):
        return ""
    ends = (word for before, word in pairwise(row) if word.islower() and not _counts(before))
    verbal = any(word.endswith(("s", "ed")) and word not in known for word in ends)
    return "" if verbal or ":" in claim or _asks_by(asked, row) else claim


def _names_things(said: str) -> bool:
    """Whether a phrase names one thing or several and says no more of them: `The latch and the handle.`"""
    row = words.WORD.findall(said)
    opens = bool(row) and row[0].lower() in grammar.listed("determiners")
    joined = not lang.words("joining").isdisjoint(word.lower() for word in row[1:-1])
    figures = any(char.isdigit() for char in said)
    return (opens or joined) and not figures and "," not in said and not any(word.endswith("ed") for word in row)


def _asks_by(asked: str, row: list[str]) -> bool:
    """Whether a reply repeats what the question asks by, right behind the thing that it asks for: `holds` in `Which depot holds …`."""
    behind = [words.stem(word) for word in words.words(asked)[2:4] if word not in words.stop_words()]
    said = row[2:] if _counts(row[0]) else row  # three tickets
    return not set(behind).isdisjoint(words.stem(word) for word in said if word.islower())


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


@lang.derived
def _how_many() -> re.Pattern[str]:
    asking = lang.either(lang.phrases("questions", "how_many"))
    return re.compile(rf"\W*(?:{asking})\s+([^?]+?)\s*\?", re.IGNORECASE)


def counted(question: str) -> str:
    """What a question asks the number of, with all that follows: `tickets are open` of `How many tickets are open?`; empty where it asks for none."""
    found = _how_many().fullmatch(last_question(question).strip())
    return found[1] if found is not None else ""


def is_polar(question: str) -> bool:
    """Whether yes or no answers a question: what stands in it is asked, where another question takes it as given."""
    first = last_question(question).strip().partition(" ")[0].lower()
    return re.sub(r"n['’]t$", "", first) in lang.words("inverted")


def asks_what(question: str) -> bool:
    """Whether a question or a request asks who, what, when or how, and nothing that yes or no answers.

    `Who came, and was it raining?` asks for a yes, too; `Can you tell me who came?` asks for more than its yes.
    """
    row = words.words(last_question(question))
    asking, verbs = lang.words("question_words"), lang.words("inverted")
    joints = lang.words("either") | lang.words("joining")
    request = not lang.words("requests").isdisjoint(row[:MOST_WORDS])
    named = not asking.isdisjoint(row) or not lang.words("requests").isdisjoint(row[:1])
    more = any(one in joints and two in verbs for one, two in pairwise(row)) or not lang.words("whether").isdisjoint(
        row
    )
    opens = row[:1] != () and row[0] not in verbs and not asking.isdisjoint(row[:2])
    return not more and (opens or (request and named))


def answers_nothing(reply: str) -> bool:
    """Whether a reply is one word that answers neither who, what nor when: yes, OK, done."""
    said = words.words(reply)
    return len(said) == 1 and said[0] in lang.words("no_answer")


def bare_answer(said: str) -> str:
    """The yes or no that is all a sentence says: `No.`, `The answer is no.`; empty for any other.

    >>> bare_answer("The answer is no."), bare_answer("No answer is known.")
    ('no', '')
    """
    row = words.words(said)
    plain = row and row[-1] in lang.words("yes") | lang.words("no") and lang.words("answer_lead").issuperset(row[:-1])
    return row[-1] if plain else ""


def own_words(said: str, question: str) -> str | None:
    """What a reply says beside its question, in the statement that `as_statement` makes of the two; None of yes and no, and of one of two that the question names."""
    _, asked, reply = said.rpartition("? ")
    if not asked or polar(reply)[0]:
        return None
    named = set(words.content(question))
    chosen = not lang.words("either").isdisjoint(words.words(question)) or "," in question or not asks_what(question)
    return None if chosen and named.issuperset(words.content(reply)) else reply


def as_statement(question: str, reply: str) -> str:
    """The statement that a reply makes to a question: yes and no as what they affirm, what is no sentence beside the question.

    Side by side is how the models learned to read the two, and rules find the same words in them.
    """
    plain = last_question(question).strip().rstrip("?？. ").strip()
    said = reply.strip().rstrip(".")
    kind, _ = polar(reply)
    if not kind and not is_fragment(reply) and not _names_things(phrase(question, reply)):
        return reply.strip()
    plain = plain if kind else part_asked(plain, reply)
    other = _with_other_figure(plain, reply) if kind == "no" else None
    if other is not None:
        return as_statement(f"{other}?", "Yes")
    made = polar_questions.turned(detect_short(plain), plain.split(), denied=kind == "no") if kind and plain else None
    made = _with_rest(f"{_way(reply)}{made}", reply) if made is not None else None
    return _sentence(made) if made is not None else f"{plain}? {said[:1].upper()}{said[1:]}."


@lang.derived
def _joined() -> re.Pattern[str]:
    asking = lang.either(lang.words("question_words") | lang.words("inverted"))
    return re.compile(rf",?\s+(?:{lang.either(lang.words('joining'))})\s+(?=(?:{asking})\b)")


def part_asked(question: str, reply: str) -> str:
    """The one of several joined questions that a reply answers by its kind (a name, a time, a number); all of them where that is not certain.

    >>> part_asked("Who wrote the novel, and how long is it", "Ada Moss"), part_asked("Who wrote it and who read it", "Ada Moss")
    ('Who wrote the novel', 'Who wrote it and who read it')
    """
    kinds = [(part, question_kinds.kind(part)) for part in _joined().split(question)]
    fitting = [part for part, kind in kinds if kind is not None and question_kinds.has(kind, reply)]
    return fitting[0][:1].upper() + fitting[0][1:] if len(fitting) == 1 < len(kinds) else question


@lang.kept(256)
def last_question(text: str) -> str:
    """The last of the sentences that ask something; the text itself where none has a mark."""
    asked = _asked(text)
    return asked[-1] if asked else text


def _asked(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text, begins=ANYTHING) if text[end - 1] in "?？"]


def answered(question: str, said: str) -> str:
    """The one of several questions that a yes or a no answers, by what is said with it; the last of those that it can answer where that does not tell.

    >>> asked = "Is Basic free? And are transfers charged?"
    >>> answered(asked, "Basic costs nothing."), answered(asked, "Transfers cost 2 euros."), answered("Can I sail twice? Why?", "")
    ('Is Basic free?', 'are transfers charged?', 'Can I sail twice?')
    """
    opened = ((one, *one.partition(" ")) for one in _asked(question))
    asked = [rest if first.lower() in lang.words("joining") else one for one, first, _, rest in opened]
    fitting = [
        one for one in asked if is_polar(one) and lang.words("requests").isdisjoint(words.words(one)[:MOST_WORDS])
    ]
    told = set(words.content(said))
    shared = [len(told.intersection(words.content(one))) for one in fitting]
    best = [one for one, count in zip(fitting, shared, strict=True) if count == max(shared)]
    return best[-1] if len(asked) > 1 and best else question


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(",") + "."
