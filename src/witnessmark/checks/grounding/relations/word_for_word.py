"""Whether a claim stands in the evidence word for word: as a whole sentence, a clause between semicolons, an item or a cell.

Words that merely occur in a row prove nothing: what stands before or after them may deny them (`It is false that …`), limit
them (`… only for students`) or be part of a longer word. No model is asked about what stands here, so in doubt it does not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index, Passage, once
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.reading.symbols import differ, signs
from witnessmark.text import lang, words
from witnessmark.text.sentences import Span, sentence_texts

_ITEM = re.compile(r"\s*(?:[-*+•>#]+|\d{1,3}[.)])\s")
_LABEL = re.compile(r"\W*(?:(?:[^\W\d_]+\s)?\d{1,3}\s*[.):])?\s*")
"""What numbers a sentence and says nothing: `3.`, `Step 3:`, `Passage 3:`."""
_SIGNS = str.maketrans("–—‐−’‘“”„«»", '----\'\'"""""', "*_`")
LEAST = 4
"""Words from which on a sentence says something by itself; `Yes` and a cell do not."""
_limiting = lang.derived(lambda: lang.words("limiting") | lang.words("only") | lang.words("contrast"))


def stands_in(claim: str, index: Index) -> bool:
    """Whether a sentence, a clause or a cell of the evidence has these words and no others, with the signs that change what it says."""
    return any(signs(clause) == signs(claim) for _, clause in _clauses_by_words(index).get(words.plain(claim), ()))


def stands_as_written(claim: str, index: Index) -> bool:
    """The same with every accent in its place: `fordert` is not `fördert`."""
    return _accented(claim) in _accented_clauses(index)


def stands_to_the_letter(claim: str, index: Index) -> bool:
    """Whether every sentence of a claim is one that a source says, with each sign in its place: `€5` is not `$5`, as words it is.

    What a source says so, no rule speaks against, whatever another part of the sources has.
    """
    said, parts = _sentences_to_the_letter(index), sentence_texts(claim)
    return len(words.words(claim)) >= LEAST and all(_to_the_letter(part) in said for part in parts)


def _to_the_letter(text: str) -> tuple[str, ...]:
    row = unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS).split()
    return " ".join(row).rstrip(".!:;, "), *signs(text)


@once
def _sentences_to_the_letter(index: Index) -> frozenset[tuple[str, ...]]:
    whole = (passage for passage in _standing_alone(index) if not passage.is_flattened)
    return frozenset(_to_the_letter(text) for passage in whole for text in (passage.text, _unlabelled(passage)))


def _unlabelled(passage: Passage) -> str:
    return passage.text[_LABEL.match(passage.text).end() :]  # type: ignore[union-attr] # it matches nothing, too


def other_sign(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """That a source says a claim in the same words with another sign, and nowhere with its own: x < 3 for x > 3, C for C++."""
    told = _clauses_by_words(this.index).get(words.plain(this.claim))
    if told and all(differ(this.claim, clause) for _, clause in told):
        passage, clause = told[0]
        yield RuleFinding("sign", "contradicted", *_told_apart(this.claim, clause, passage))


def _told_apart(claim: str, clause: str, passage: Passage) -> tuple[str, Passage, Span, str]:
    """The first word of a claim that differs from that of a clause, with the place of the clause and its own word there."""
    pairs = zip(claim.split(), clause.split(), strict=False)
    mine, theirs = next(((a, b) for a, b in pairs if a.strip(".,;:") != b.strip(".,;:")), (claim, clause))
    return mine.strip(".,;:"), passage, passage.span, theirs.strip(".,;:")


@once
def _clauses_by_words(index: Index) -> dict[str, list[tuple[Passage, str]]]:
    """Everything that the evidence says on its own, as it is written, with its passage, by its words."""
    found: dict[str, list[tuple[Passage, str]]] = {}
    for passage in _standing_alone(index):
        for clause in _clauses_of(passage):
            found.setdefault(words.plain(clause), []).append((passage, clause))
    return found


def _accented(text: str) -> tuple[str, ...]:
    return " ".join(words.words(unicodedata.normalize("NFC", text))), *signs(text)


@once
def _accented_clauses(index: Index) -> frozenset[tuple[str, ...]]:
    return frozenset(_accented(clause) for told in _clauses_by_words(index).values() for _, clause in told)


def _standing_alone(index: Index) -> Iterator[Passage]:
    """The passages that say something on their own."""
    led = False
    for passage in index.passages:
        item = _ITEM.match(passage.text) is not None
        led = passage.text.rstrip().endswith(":") or (led and item)
        # What leads a list may deny all of it: `The following is never refunded:`.
        if not passage.text.rstrip("\"'”’»)] ").endswith("?") and not (led and item):
            yield passage


def _clauses_of(passage: Passage) -> Iterator[str]:
    text = _unlabelled(passage)
    yield from (passage.text, text)
    parts = text.split(";")
    for number, part in enumerate(parts):
        if passage.is_flattened:
            yield from (part, part.partition(": ")[2])
        elif len(parts) > 1 and not _governed(parts[:number], parts[number + 1 :]):
            yield part


def _governed(before: list[str], after: list[str]) -> bool:
    """Whether another clause of the sentence may deny or limit one: what leads up to it, or an exception after it."""
    leads = any(":" in part or wording.denies(part) or wording.denies_otherwise(part) for part in before)
    return leads or bool(after and _limiting().intersection(words.words(after[0])[:1]))
