"""Whether a claim stands in the evidence word for word: as a whole sentence, a clause between semicolons, an item or a cell.

Words that merely occur in a row prove nothing: what stands before or after them may deny them (`It is false that …`), limit
them (`… only for students`) or be part of a longer word. No model is asked about what stands here, so in doubt it does not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.text import lang, words

_ITEM = re.compile(r"\s*(?:[-*+•>#]+|\d{1,3}[.)])\s")
_LABEL = re.compile(r"\W*(?:(?:[^\W\d_]+\s)?\d{1,3}\s*[.):])?\s*")
"""What numbers a sentence and says nothing: `3.`, `Step 3:`, `Passage 3:`."""
_limiting = lang.derived(lambda: lang.words("limiting") | lang.words("only") | lang.words("contrast"))


def stands_in(claim: str, index: Index) -> bool:
    """Whether a sentence, a clause or a cell of the evidence has these words and no others."""
    return words.plain(claim) in _kept("clauses", words.plain, index)


def stands_as_written(claim: str, index: Index) -> bool:
    """The same with every accent in its place: `fordert` is not `fördert`."""
    return _accented(claim) in _kept("accented clauses", _accented, index)


def _accented(text: str) -> str:
    return " ".join(words.words(unicodedata.normalize("NFC", text)))


def _kept(name: str, put: Callable[[str], str], index: Index) -> frozenset[str]:
    """The clauses of the evidence as they are compared, found once."""
    if name not in index.kept:
        index.kept[name] = frozenset(map(put, _clauses(index)))
    kept = index.kept[name]
    assert isinstance(kept, frozenset)
    return kept


def _clauses(index: Index) -> Iterator[str]:
    """Everything that the evidence says on its own, as it is written."""
    led = False
    for passage in index.passages:
        item = _ITEM.match(passage.text) is not None
        led = passage.text.rstrip().endswith(":") or (led and item)
        # What leads a list may deny all of it: `The following is never refunded:`.
        if not passage.text.rstrip("\"'”’»)] ").endswith("?") and not (led and item):
            yield from _clauses_of(passage)


def _clauses_of(passage: Passage) -> Iterator[str]:
    text = passage.text[_LABEL.match(passage.text).end() :]  # type: ignore[union-attr] # it matches nothing, too
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
