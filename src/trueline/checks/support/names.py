"""Names in a text: runs of capitalised words. Finds what looks like a name; says nothing about who is meant.

>>> [n.text for n in names("Last May, Maria Lopes of the United Nations met NASA in Lyon.")]
['Maria Lopes', 'United Nations', 'NASA', 'Lyon']
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trueline.checks.support import words
from trueline.checks.support.sentences import Span


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written, with the stems it is looked for by."""

    text: str
    span: Span
    stems: tuple[str, ...]


_CAP = r"[A-ZÀ-ÖØ-Þ][\w'’&-]*"
_NAME = re.compile(rf"{_CAP}(?:(?:\s+|\s(?:of|de|la|del|van|von|der|den|du|di|bin|al)\s+){_CAP})*")
_NOT_NAMES = frozenset(
    ["i", "the", "a", "an", "in", "on", "at", "by", "for", "from", "with", "after", "before", "during", "since", "when", "while", "as", "if", "it", "he", "she", "they", "this", "that", "these", "those", "but", "and", "however", "also", "according", "although", "there", "we", "you", "his", "her", "its", "their", "our", "my", "no", "yes", "not", "one", "two", "three", "many", "some", "most", "all", "both", "each", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "spring", "summer", "autumn", "winter", "mr", "mrs", "ms", "dr", "prof", "sir", "today", "what", "who", "where", "why", "how", "which", "then", "so", "or", "nor", "yet", "once", "until", "unless", "because", "another", "other", "such", "first", "second", "third", "last", "next", "le", "la", "les", "un", "une", "des", "il", "elle", "ils", "elles", "dans", "en", "el", "los", "las", "una", "ella", "ellos", "por", "para", "con"]
)  # fmt: skip


def names(text: str) -> list[Name]:
    """The names of a text. A single capitalised word that opens a sentence says nothing, so it is left out."""
    found = (_trimmed(match, text) for match in _NAME.finditer(text))
    return [name for name in found if name is not None]


def _trimmed(match: re.Match[str], text: str) -> Name | None:
    start, end = match.span()
    opens = not text[:start].strip() or text[:start].rstrip()[-1] in '.!?:;"“”•-'
    parts = match.group().split()
    while (parts and parts[0].lower().rstrip("'’s") in _NOT_NAMES | {"of"}) or (
        parts and parts[0].lower() in _NOT_NAMES
    ):
        start += len(parts[0])
        while start < end and text[start].isspace():
            start += 1
        parts.pop(0)
        opens = False
    while parts and parts[-1].lower() in _NOT_NAMES | {"of", "de", "the"}:
        end -= len(parts.pop())
        while end > start and text[end - 1].isspace():
            end -= 1
    if not parts or (opens and len(parts) == 1 and not parts[0].isupper()) or (len(parts) == 1 and len(parts[0]) < 2):
        return None
    found = tuple(words.content(text[start:end]))
    return Name(text[start:end], (start, end), found) if found else None


def initials(name: Name) -> str:
    """`UN` for United Nations, in lower case."""
    return "".join(part[0] for part in name.text.split() if part[0].isupper()).lower()
