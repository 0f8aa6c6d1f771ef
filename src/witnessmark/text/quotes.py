"""Quotations and addresses: what is put in quotation marks must stand in a source, letter for letter after normalising."""

from __future__ import annotations

from dataclasses import dataclass

from witnessmark.text import words
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

MIN_WORDS = 3
_QUOTE = compiled(r"\"([^\"\n]*)\"|“([^”\n]*)”|„([^“”\n]*)[“”]|«\s?([^»\n]*)\s?»|»([^«\n]*)«")
_URL = compiled(r"\bhttps?://[^\s<>\"'“”‘’)\]]+|\bwww\.[^\s<>\"'“”‘’)\]]+")


@dataclass(frozen=True, slots=True)
class Quote:
    """Words in quotation marks; the span is that of the words."""

    text: str
    span: Span


def quotes(text: str) -> list[Quote]:
    """The quotations of a text that are long enough to be one; a title of two words is a name, and a question is asked, not cited."""
    found = []
    for match in _QUOTE.finditer(text):
        group = next(n for n in range(1, 6) if match.group(n) is not None)
        if len(match.group(group).split()) >= MIN_WORDS and not match.group(group).rstrip().endswith("?"):
            found.append(Quote(match.group(group), match.span(group)))
    return found


def urls(text: str) -> list[str]:
    """The addresses of a text, without the full stop after them."""
    return [match.group().rstrip(".,;:!?") for match in _URL.finditer(text)]


def key(text: str) -> str:
    """What two quotations have in common when they are the same: letters and digits, one space between words."""
    return " ".join(words.letters(words.normal(text)))


def find(quote: str, text: str) -> Span | None:
    """Where the words of a quotation stand in a text, whatever its case, accents, spacing and punctuation."""
    wanted = key(quote).split()
    if not wanted:
        return None
    row = [(words.normal(match.group()), match.span()) for match in words.LETTERS.finditer(text)]
    plain = [word for word, _ in row]
    for start in range(len(plain) - len(wanted) + 1):
        if plain[start] == wanted[0] and plain[start : start + len(wanted)] == wanted:
            return row[start][1][0], row[start + len(wanted) - 1][1][1]
    return None
