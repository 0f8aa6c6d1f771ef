"""What can be told about a discussion without a judge: who said what, which figures and names came up, who objected.

Words are compared by their beginnings, so that inflection does not hide agreement. Every rule errs towards silence: a
clause is only called invented or misattributed where none of the words that carry it fit. Pure functions of texts; the
words of objecting, giving in and agreeing are in text/lang.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.core.case import Discussion, Message
from witnessmark.text import clock, lang, numbers
from witnessmark.text.dates import dates, follows
from witnessmark.text.language import detect_short
from witnessmark.text.names import capitalises_nouns
from witnessmark.text.sentences import Span, sentence_spans
from witnessmark.text.words import WORD, stop_words, words

STEM = 5
_PART = re.compile(r"[^;]+;?")
_OPENS = '.!?:•-*#“"'
"""What stands before a word that opens a sentence, an item or a heading."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the conclusion, and whom it names."""

    text: str
    span: Span
    speakers: tuple[str, ...]


def stems(text: str) -> set[str]:
    """The words that carry a text, by their beginnings; small words, figures and words of reporting carry nothing."""
    empty = stop_words() | lang.words("reporting")
    return {word[:STEM] for word in words(text) if len(word) > 2 and not word[0].isdigit() and word not in empty}


def figures(text: str) -> list[numbers.Number]:
    """The figures of a text, in digits or in words, as its language writes them."""
    return numbers.figures(text, detect_short(text))


def brought_up(figure: numbers.Number, heard: Sequence[numbers.Number]) -> bool:
    """Whether a figure follows from one that was heard, or has its number: in what unit it was meant is for a reader."""
    return any(agrees(figure, one) or figure.face in (one.face, one.low, one.high) for one in heard)


def invented_figures(subject: Discussion, heard: str) -> Iterator[Span]:
    """Figures in digits of the conclusion that nobody brought up, and that it does not say follow from those that were.

    One in words may be the moderator's own count: two points.
    """
    known, days, again = figures(heard), dates(heard), _times_again(subject.conclusion, heard)
    for start, end in sentence_spans(subject.conclusion):
        sentence = subject.conclusion[start:end]
        for figure in figures(sentence):
            few = 0 <= figure.face <= len(subject.messages) and figure.face.is_integer()
            span = (start + figure.span[0], start + figure.span[1])
            if figure.worded or few or _within(span, again) or brought_up(figure, known):
                continue
            if not (arithmetic.compares(sentence) and arithmetic.way(sentence, figure, known, days)):
                yield span


def _times_again(text: str, heard: str) -> list[Span]:
    """Where a text has a date or a time of day that was heard, in whatever form."""
    days, hours = dates(heard), {minute for time in clock.times(heard) for minute in time.readings}
    told = [date.span for date in dates(text) if any(follows(date, day) for day in days)]
    return told + [time.span for time in clock.times(text) if not hours.isdisjoint(time.readings)]


def _within(span: Span, places: Sequence[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in places)


def speakers(subject: Discussion) -> list[str]:
    """Everyone who spoke, in order."""
    return list(dict.fromkeys(message.speaker for message in subject.messages))


def clauses(subject: Discussion) -> list[Clause]:
    """The conclusion clause by clause, with the speakers each one names."""
    names = [name for name in speakers(subject) if name]
    found = []
    for start, end in sentence_spans(subject.conclusion):
        for match in _PART.finditer(subject.conclusion, start, end):
            text = match.group().strip()
            if len(text.split()) < 2:
                continue
            at = match.start() + len(match.group()) - len(match.group().lstrip())
            named = tuple(name for name in names if _names(text, name))
            found.append(Clause(text, (at, at + len(text)), named))
    return found


def _names(text: str, name: str) -> bool:
    """Whether a clause names a speaker. One whose name is a small word (A, I, Will) is told from it by its capital, or by what follows it."""
    if name.casefold() not in stop_words():
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None
    follows = lang.either(lang.words("reporting") | lang.listed("questions", "joins"))
    speaks = re.compile(rf"\W*:|['’]s\b|,|\s+(?:{follows})\b")
    return any(
        text[: match.start()].rstrip()[-1:] not in _OPENS or speaks.match(text, match.end())
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    )


def said_by(subject: Discussion, name: str) -> str:
    """All that one of them said."""
    return "\n".join(message.text for message in subject.messages if message.speaker == name)


def said_since(subject: Discussion, message: Message) -> str:
    """What the speaker of a message said in it and after it: whoever names another way has what they objected to."""
    later = subject.messages[subject.messages.index(message) :]
    return "\n".join(one.text for one in later if one.speaker == message.speaker)


def invented_names(subject: Discussion, heard: str) -> Iterator[Span]:
    """Names in the conclusion that nobody brought up: capitalised inside a sentence, or with capitals inside the word.

    Where a language capitalises every noun, only the latter are names for sure.
    """
    text, again = subject.conclusion, _times_again(subject.conclusion, heard)
    said = WORD.findall("\n".join([heard, *speakers(subject)]).casefold())
    known, nouns = {word[:STEM] for word in said}, capitalises_nouns(detect_short(f"{text}\n{heard}"))
    for match in WORD.finditer(text):
        word = match.group()
        inside = not nouns and text[: match.start()].rstrip()[-1:] not in _OPENS
        capital = word[0].isupper() and (inside or any(char.isupper() for char in word[1:])) and len(word) > 2
        plain = word.casefold().removesuffix("'s").removesuffix("’s")
        if capital and plain[:STEM] not in known and stems(plain) and not _within(match.span(), again):
            yield match.span()


def standing_dissent(subject: Discussion) -> list[Message]:
    """Objections that stand: neither withdrawn by who made them, nor taken up by somebody who gave in to them."""
    standing: dict[str, tuple[Message, set[str]]] = {}
    before: set[str] = set()
    for message in subject.messages:
        marks = stems(message.text) | {str(figure.low) for figure in figures(message.text)}
        if lang.speech("dissent").search(message.text):
            standing[message.speaker] = (message, marks - before)
        elif lang.speech("assent").search(message.text):
            standing.pop(message.speaker, None)
            standing = {name: (said, new) for name, (said, new) in standing.items() if not new & marks}
        before |= marks
    return [message for message, _ in standing.values()]


def objected(subject: Discussion) -> list[Message]:
    """Every message that objects, withdrawn later or not."""
    return [message for message in subject.messages if lang.speech("dissent").search(message.text)]


def flips(subject: Discussion) -> Iterator[Message]:
    """Where somebody who objected gives in although nobody brought a figure, a reason or another proposal in between."""
    objected_at: dict[str, int] = {}
    for number, message in enumerate(subject.messages):
        before = objected_at.get(message.speaker)
        if lang.speech("dissent").search(message.text):
            objected_at[message.speaker] = number
        elif before is not None and lang.speech("assent").search(message.text):
            between: Sequence[Message] = subject.messages[before + 1 : number]
            others = [other for other in between if other.speaker != message.speaker]
            own = lang.speech("assent").sub(" ", message.text)
            argued = any(lang.speech("argument").search(text) for text in (own, *(other.text for other in others)))
            if not argued and not stems(own) & _brought(subject.messages[: before + 1], others):
                yield message
            del objected_at[message.speaker]


def _brought(before: Sequence[Message], others: Sequence[Message]) -> set[str]:
    """What came up after the objection: who takes that up accepts another proposal, and not what they objected to."""
    return {stem for other in others for stem in stems(other.text)} - {
        stem for message in before for stem in stems(message.text)
    }


def only_agrees(subject: Discussion, clause: Clause, name: str) -> bool:
    """Whether a clause tells of a speaker that they agreed, alone or among others, and nothing against it: `Ole and Priya agree.`"""
    anyone = lang.either(speakers(subject))
    names = rf"(?<!\w)(?:{anyone})(?:,? (?:\w{{1,3}} )?(?:{anyone}))*"
    agreeing = re.search(lang.alternatives("speech", "agreeing").replace("{names}", names), clause.text, re.IGNORECASE)
    told = agreeing is not None and name.casefold() in agreeing.group().casefold()
    return told and not lang.speech("left_open").search(clause.text)


def claims_unanimity(text: str) -> bool:
    """Whether a clause says that all agreed."""
    return bool(lang.speech("unanimous").search(text)) and not lang.speech("left_open").search(text)


def from_the_start(text: str) -> bool:
    """Whether a clause says that it was so from the beginning."""
    return bool(lang.speech("from_the_start").search(text))
