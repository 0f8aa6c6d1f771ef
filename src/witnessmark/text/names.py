"""Names in a text: runs of capitalised words. Finds what looks like a name; says nothing about who is meant.

>>> [n.text for n in names("Last May, Maria Lopes of the United Nations met NASA in Lyon.")]
['Maria Lopes', 'United Nations', 'NASA', 'Lyon']
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from witnessmark.text import lang, words
from witnessmark.text.dates import month_names
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written, with the stems it is looked for by."""

    text: str
    span: Span
    stems: tuple[str, ...]


_CAP = r"[A-ZÀ-ÖØ-Þ][\w'’&-]*"
_NAME = compiled(rf"(?<!\w){_CAP}(?:(?:\s+|\s(?:of|de|la|del|van|von|der|den|du|di|bin|al)\s+){_CAP})*")


@lang.derived
def _not_names() -> frozenset[str]:
    return lang.words("not_names").union(month_names())


def names(text: str, language: str = "en") -> list[Name]:
    """The names of a text. A single capitalised word that opens a sentence says nothing, so it is left out.

    Where a language capitalises every noun, only two capitalised words in a row are taken for a name.
    """
    found = (_trimmed(match, text) for match in _NAME.finditer(text))
    least = 2 if capitalises_nouns(language) else 1
    return [name for name in found if name is not None and len(name.text.split()) >= least]


@lang.derived
def _what_persons_do() -> re.Pattern[str]:
    helping, doing = lang.either(lang.words("auxiliaries")), lang.either(lang.words("person_verbs"))
    being, article = lang.either(lang.words("be")), lang.either(lang.words("articles"))
    role = lang.either(lang.words("roles"))
    return compiled(
        rf"\W+(?:(?:{helping})\W+)?(?:{doing})\b|\W+(?:{being})\W+(?:{article})\W+(?:\w+\W+)?(?:{role})\b",
        re.IGNORECASE,
    )


def standing(text: str, row: tuple[str, ...], language: str = "en") -> Name | None:
    """The name that just these words of a text are.

    One word that opens a sentence, or a German noun, is taken for a name only where it does what persons and places do: otherwise
    it may be any word (Sales rose, Der Umsatz stieg).
    """
    place = place_of(text, row)
    if place is None or any(word in _not_names() for word in row):
        return None
    part = text[slice(*place)]
    alone = len(row) == 1 and (capitalises_nouns(language) or not text[: place[0]].strip())
    if not all(one[:1].isupper() for one in part.split()) or (alone and not _what_persons_do().match(text, place[1])):
        return None
    found = tuple(words.content(part))
    return Name(part, place, found) if found else None


def capitalises_nouns(language: str) -> bool:
    """Whether a language writes every noun with a capital, so that one says nothing of a name."""
    return bool(lang.language(language).get("capitalised_nouns"))


def place_of(text: str, row: tuple[str, ...]) -> Span | None:
    """Where a row of words stands in a text."""
    match = re.search(r"\W+".join(map(re.escape, row)), text, re.IGNORECASE)
    return match.span() if match else None


@lang.derived
def _goes_on() -> re.Pattern[str]:
    """A word with a stop that never ends a sentence: `Dr. Brandt`."""
    return compiled(rf"(?<!\w)(?:{lang.either(lang.words('never_last'))})\.$", re.IGNORECASE)


def _trimmed(match: re.Match[str], text: str) -> Name | None:
    start, end = match.span()
    before = text[max(0, start - 40) : start].rstrip()
    opens = (not before or before[-1] in '.!?:;"“”•-') and not _goes_on().search(before)
    parts = match.group().split()
    while (parts and parts[0].lower().rstrip("'’s") in _not_names() | {"of"}) or (
        parts and parts[0].lower() in _not_names()
    ):
        start += len(parts[0])
        while start < end and text[start].isspace():
            start += 1
        parts.pop(0)
        opens = False
    while parts and parts[-1].lower() in _not_names() | {"of", "de", "the"}:
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
