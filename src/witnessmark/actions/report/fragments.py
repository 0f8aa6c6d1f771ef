"""A report's sentences, and sentences cut into fragments at commas, conjunctions and brackets.

Knows which sentence instructs, asks or supposes as a whole; nothing about what is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from witnessmark.actions.report.lexicon import PATTERNS, VERBS, WORDS
from witnessmark.actions.report.tokens import ReportToken
from witnessmark.text.word_sets import listed


@dataclass(frozen=True, slots=True)
class Fragment:
    """A stretch of a sentence and the sign or word that led into it."""

    lead: str
    tokens: list[ReportToken]

    def words(self) -> list[str]:
        """Its words in order, lower case."""
        return [token.text for token in self.tokens if token.kind == "word"]


MAX_TOKENS = 400
"""A sentence without an end is cut there."""
_CUTS = listed(", ; : — – ( ) → …")


def sentences(tokens: list[ReportToken], text: str) -> Iterator[list[ReportToken]]:
    """The sentences of a stretch: cut at . ! ? and at a line end that ends a statement."""
    current: list[ReportToken] = []
    for number, token in enumerate(tokens):
        if current and (len(current) >= MAX_TOKENS or _new_line(text, current[-1], token)):
            yield current
            current = []
        current.append(token)
        following = tokens[number + 1] if number + 1 < len(tokens) else None
        ends = token.kind == "sign" and token.text in (".", "!", "?")
        if (
            ends
            and not _abbreviated(current)
            and (following is None or following.start > token.end or following.kind == "sign")
        ):
            yield current
            current = []
    if current:
        yield current


def _abbreviated(current: list[ReportToken]) -> bool:
    return (
        len(current) > 1
        and current[-2].text in ("e.g", "i.e", "vs", "cf", "etc", "incl", "approx")
        and current[-1].text == "."
    )


def _new_line(text: str, last: ReportToken, token: ReportToken) -> bool:
    gap = text.find("\n", last.end, token.start)
    if gap < 0:
        return False
    begin = text.rfind("\n", 0, gap) + 1
    if PATTERNS.printed.match(text, begin) or PATTERNS.printed.match(text, token.start):
        return True
    return gap - begin < 60 or last.text in (":", ";")


def fragments(sentence: list[ReportToken]) -> list[Fragment]:
    """The sentence cut at signs and joining words; bold stars are dropped."""
    made: list[Fragment] = []
    current: list[ReportToken] = []
    lead = ""
    sentence = _as_well_as(sentence)
    for number, token in enumerate(sentence):
        cuts = token.kind == "sign" and token.text in _CUTS
        joins = token.kind == "word" and token.text in WORDS.joins and not _small_word(sentence, number)
        if cuts or joins:
            if current or lead in ("(", ")"):
                made.append(Fragment(lead, current))
                lead = token.text
            elif joins or not lead or lead in (",", "and") or token.text in ("(", ")"):
                lead = token.text
            current = []
        elif not (token.kind == "sign" and token.text in '*.!?|"[]<>'):
            current.append(token)
    if current or lead in ("(", ")"):
        made.append(Fragment(lead, current))
    return made


def _as_well_as(sentence: list[ReportToken]) -> list[ReportToken]:
    """`as well as`, `along with` are one `and`."""
    made: list[ReportToken] = []
    for token in sentence:
        made.append(token)
        tail = [part.text for part in made[-3:]]
        if tail == ["as", "well", "as"]:
            made[-3:] = [replace(token, text="and")]
        elif tail[-2:] == ["along", "with"]:
            made[-2:] = [replace(token, text="and")]
    return made


def _small_word(sentence: list[ReportToken], number: int) -> bool:
    """`saved as x`, `in that file`: a preposition or pronoun here, not a conjunction."""
    following = sentence[number + 1] if number + 1 < len(sentence) else None
    if following is None:
        return False
    word = sentence[number].text
    return (word == "as" and following.kind in ("path", "weak", "code")) or (
        word == "that" and following.text in ("file", "function", "module", "directory")
    )


def instructs(sentence: list[ReportToken], *, imperative: bool) -> bool:
    """Whether a sentence asks, suggests or supposes as a whole."""
    if sentence[-1].text == "?" or (len(sentence) > 1 and sentence[-2].text == "?"):
        return True
    words = [token.text for token in sentence if token.kind == "word"]
    if not words:
        return False
    if words[0] in WORDS.instructs:
        return True
    first_person = any(word in ("i", "i've", "we", "we've", "ive") for word in words)
    if words[0] == "to" and not first_person:
        return True
    verb = VERBS.get(words[0])
    if verb is None or verb[1] != "base" or imperative or sentence[0].kind != "word":
        return False
    following = sentence[1] if len(sentence) > 1 else None
    if following is not None and (following.text in WORDS.be | WORDS.outcome or form_of(following.text) == "past"):
        return False
    named = following is not None and (
        following.kind in ("path", "command", "code", "weak") or following.text in ("the", "a", "an", "all")
    )
    return words[0] not in WORDS.ambiguous or named


def form_of(word: str) -> str:
    """base, third, past or ing for a verb known here."""
    return VERBS[word][1] if word in VERBS else ""


def negated(words: list[str]) -> bool:
    """Whether words deny, plan or suppose; an outcome may still be told with `no` or `failed`."""
    return any(
        word in WORDS.never - {"no", "failed", "fails", "without", "nothing", "none", "expected", "had"}
        or word.endswith("n't")
        for word in words
    )
