"""What can be told about a discussion without a judge: who said what, which figures and names came up, who objected.

Words are compared by their beginnings, so that inflection does not hide agreement. Every rule errs towards silence: a
clause is only called invented or misattributed where none of the words that carry it fit. Pure functions of texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from witnessmark.core.case import Discussion, Message
from witnessmark.text import lang
from witnessmark.text.language import small_words
from witnessmark.text.words import WORD

STEM = 5
_CLAUSE = re.compile(r"[^.;!?\n]*(?:[.](?=\w)[^.;!?\n]*)*[.;!?\n]?")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,.\u00a0\u202f]*\d|(?<![\w.])\d")
_REPORTING = frozenset(
    "said says say think thinks thought believe believes argued argues argue prefer prefers preferred preferring favour favours "
    "favoured favor favors wanted want wants proposed proposes suggested suggests agreed agrees agree disagreed disagree "
    "disagrees everyone everybody nobody all both team group discussion meeting first then now later still only should "
    "would could may might must be been being were they them their he she his her our us i my me your there here so if than "
    "because since while although however also very more most less point points view position decision conclusion consensus".split()
)
_DISSENT = re.compile(
    r"\b(?:i (?:strongly |still |really )?(?:disagree|object|oppose)|i(?:['’]m| am) (?:strongly |still )?(?:against|opposed|not convinced)|"
    r"i (?:do not|don['’]t|cannot|can['’]t) (?:agree|accept|support)|over my objection|that is (?:wrong|a mistake)|"
    r"ich (?:widerspreche|bin dagegen)|je ne suis pas d['’]accord|no estoy de acuerdo)\b",
    re.IGNORECASE,
)
_ASSENT = re.compile(
    r"\b(?:i (?:now |do |fully |can )?(?:agree|accept|support|withdraw|concede)|i(?:['’]m| am) (?:now )?(?:convinced|fine with|persuaded|in favou?r)|"
    r"you(?:['’]re| are) right|fair (?:point|enough)|that convinces me|i(?:['’]ve| have)? changed my mind|"
    r"einverstanden|d['’]accord|de acuerdo)\b",
    re.IGNORECASE,
)
_ARGUMENT = re.compile(
    r"\d|\b(?:because|since|therefore|shows?|showed|data|test(?:ed|s)?|measured?|evidence|according|study|report|example|so that|"
    r"otherwise|means that|risk|costs?|law|requires?|weil|denn|parce|porque)\b",
    re.IGNORECASE,
)
_UNANIMOUS = re.compile(
    r"\b(?:everyone|everybody|all (?:participants|members|of them|sides|agreed|agree|speakers)|unanimous(?:ly)?|nobody (?:objected|disagreed)|"
    r"no one (?:objected|disagreed)|no objections?|without objection|full agreement|einstimmig|à l['’]unanimité)\b",
    re.IGNORECASE,
)
_FROM_THE_START = re.compile(
    r"\b(?:from the (?:start|beginning|outset)|always|never in doubt|at once|immediately)\b", re.IGNORECASE
)
_OPEN = re.compile(
    r"\b(?:disagree|disagreement|object|objection|oppose|dissent|against|concern|except|unresolved|open question|but|although|despite)\w*",
    re.IGNORECASE,
)  # fmt: skip


@lang.derived
def _small() -> frozenset[str]:
    """Words that carry nothing here: small words of the languages that discussions are held in, and words of reporting."""
    known = small_words()
    return _REPORTING.union(*(known[code] for code in ("en", "de", "fr", "es", "it", "pt")))


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the conclusion, and whom it names."""

    text: str
    span: tuple[int, int]
    speakers: tuple[str, ...]


def stems(text: str) -> set[str]:
    """The words that carry a text, by their beginnings; small words and words of reporting carry nothing."""
    words = (word.casefold() for word in WORD.findall(unicodedata.normalize("NFC", text)))
    return {word[:STEM] for word in words if len(word) > 2 and word not in _small() and not word[0].isdigit()}


def figures(text: str) -> dict[str, tuple[int, int]]:
    """The figures of a text, written one way, with where they stand."""
    return {_one_way(match.group()): match.span() for match in _NUMBER.finditer(text)}


def _one_way(figure: str) -> str:
    bare = re.sub(r"[,\u00a0\u202f](?=\d{3}(?:\D|$))", "", figure)
    number = bare.replace(",", ".").rstrip(".")
    return number.rstrip("0").rstrip(".") if "." in number else number.lstrip("0") or "0"


def speakers(subject: Discussion) -> list[str]:
    """Everyone who spoke, in order."""
    return list(dict.fromkeys(message.speaker for message in subject.messages))


def clauses(subject: Discussion) -> list[Clause]:
    """The conclusion clause by clause, with the speakers each one names."""
    names = {name: re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE) for name in speakers(subject) if name}
    found = []
    for match in _CLAUSE.finditer(subject.conclusion):
        text = match.group().strip()
        if len(text.split()) < 2:
            continue
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        named = tuple(name for name, pattern in names.items() if pattern.search(text))
        found.append(Clause(text, (start, start + len(text)), named))
    return found


def said_by(subject: Discussion, name: str) -> str:
    """All that one of them said."""
    return "\n".join(message.text for message in subject.messages if message.speaker == name)


def invented_names(subject: Discussion, asked: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Names in the conclusion that nobody brought up: capitalised inside a sentence, or with capitals inside the word."""
    heard = {word.casefold() for word in WORD.findall("\n".join([asked, *(m.text for m in subject.messages)]))}
    heard |= {word.casefold() for name in speakers(subject) for word in WORD.findall(name)}
    known = {word[:STEM] for word in heard}
    for match in WORD.finditer(subject.conclusion):
        word = match.group()
        inside = match.start() > 0 and subject.conclusion[: match.start()].rstrip()[-1:] not in (
            "",
            ".",
            "!",
            "?",
            ":",
            "•",
            "-",
            "*",
            "#",
            "“",
            '"',
        )
        capital = word[0].isupper() and (inside or any(char.isupper() for char in word[1:])) and len(word) > 2
        plain = word.casefold().removesuffix("'s").removesuffix("’s")
        if capital and plain[:STEM] not in known and plain not in _small():
            yield word, match.span()


def standing_dissent(subject: Discussion) -> list[Message]:
    """Objections that stand: neither withdrawn by who made them, nor taken up by somebody who gave in to them."""
    standing: dict[str, tuple[Message, set[str]]] = {}
    before: set[str] = set()
    for message in subject.messages:
        marks = stems(message.text) | set(figures(message.text))
        if _DISSENT.search(message.text):
            standing[message.speaker] = (message, marks - before)
        elif _ASSENT.search(message.text):
            standing.pop(message.speaker, None)
            standing = {name: (said, new) for name, (said, new) in standing.items() if not new & marks}
        before |= marks
    return [message for message, _ in standing.values()]


def objected(subject: Discussion) -> list[Message]:
    """Every message that objects, withdrawn later or not."""
    return [message for message in subject.messages if _DISSENT.search(message.text)]


def flips(subject: Discussion) -> Iterator[Message]:
    """Where somebody who objected gives in although nobody brought a figure or a reason in between."""
    objected_at: dict[str, int] = {}
    for number, message in enumerate(subject.messages):
        before = objected_at.get(message.speaker)
        if _DISSENT.search(message.text):
            objected_at[message.speaker] = number
        elif before is not None and _ASSENT.search(message.text):
            between: Sequence[Message] = subject.messages[before + 1 : number]
            others = [other for other in between if other.speaker != message.speaker]
            reason = _ARGUMENT.search(_ASSENT.sub(" ", message.text)) or any(_ARGUMENT.search(o.text) for o in others)
            if not reason:
                yield message
            del objected_at[message.speaker]


def claims_unanimity(text: str) -> bool:
    """Whether a clause says that all agreed."""
    return bool(_UNANIMOUS.search(text)) and not _OPEN.search(text)


def from_the_start(text: str) -> bool:
    """Whether a clause says that it was so from the beginning."""
    return bool(_FROM_THE_START.search(text))
