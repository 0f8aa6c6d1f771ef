"""Names in a text: runs of capitalised words. Finds what looks like a name; says nothing about who is meant.

>>> [n.text for n in names("Last May, Maria Lopes of the United Nations met NASA in Lyon.")]
['Maria Lopes', 'United Nations', 'NASA', 'Lyon']
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from witnessmark.text import words
from witnessmark.text.sentences import Span


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written, with the stems it is looked for by."""

    text: str
    span: Span
    stems: tuple[str, ...]


_CAP = r"[A-ZÀ-ÖØ-Þ][\w'’&-]*"
_NAME = re.compile(rf"(?<!\w){_CAP}(?:(?:\s+|\s(?:of|de|la|del|van|von|der|den|du|di|bin|al)\s+){_CAP})*")
_NOT_NAMES = frozenset(
    ["i", "the", "a", "an", "in", "on", "at", "by", "for", "from", "with", "after", "before", "during", "since", "when", "while", "as", "if", "it", "he", "she", "they", "this", "that", "these", "those", "but", "and", "however", "also", "according", "although", "there", "we", "you", "his", "her", "its", "their", "our", "my", "no", "yes", "not", "one", "two", "three", "many", "some", "most", "all", "both", "each", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "spring", "summer", "autumn", "winter", "mr", "mrs", "ms", "dr", "prof", "sir", "today", "what", "who", "where", "why", "how", "which", "then", "so", "or", "nor", "yet", "once", "until", "unless", "because", "another", "other", "such", "first", "second", "third", "last", "next", "le", "la", "les", "un", "une", "des", "il", "elle", "ils", "elles", "dans", "en", "el", "los", "las", "una", "ella", "ellos", "por", "para", "con", "der", "die", "das", "dem", "den", "ein", "eine", "einen", "einem", "einer", "im", "am", "vom", "zum", "zur", "bei", "seit", "nach", "vor", "mit", "auf", "aus", "von", "für", "über", "unter", "durch", "gegen", "ohne", "um", "wir", "sie", "er", "es", "ich", "ihr", "ihre", "sein", "seine", "dieser", "diese", "dieses", "und", "oder", "aber", "auch", "als", "wenn", "weil", "dass", "gestern", "heute", "morgen", "dort", "hier", "herr", "frau", "januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "jahr", "ende", "anfang"]
)  # fmt: skip


def names(text: str, language: str = "en") -> list[Name]:
    """The names of a text. A single capitalised word that opens a sentence says nothing, so it is left out.

    In German every noun is capitalised, so only two capitalised words in a row are taken for a name.
    """
    found = (_trimmed(match, text) for match in _NAME.finditer(text))
    least = 2 if language == "de" else 1
    return [name for name in found if name is not None and len(name.text.split()) >= least]


_WHAT_PERSONS_DO = re.compile(
    r"\W+(?:(?:also|has|had|have|a|hat|ha)\W+)?(?:won|wins|win|said|says|wrote|writes|founded|directed|married|scored|invented|discovered|leads|led|plays|played|sang|painted|"
    r"composed|starred|joined|lives|lived|died|met|became|coached|designed|killed|defeated|beat|beats|works|worked|hosted|hosts|visited|gewann|schrieb|gründete|leitet|"
    r"leitete|spielt|spielte|gewonnen|gagné|écrit|fondé|dirige|dirigé|joue|ganó|escribió|fundó|dirige|dirigió|juega)\b"
    r"|\W+(?:is|was|ist|war|est|était|es|era|fue)\W+(?:the|a|an|die|der|das|ein|eine|la|le|l|el|un|une|una)\W+(?:\w+\W+)?(?:capital|president|ceo|king|queen|mayor|author|"
    r"director|founder|leader|captain|winner|owner|chair|minister|coach|editor|hauptstadt|präsident|präsidentin|chef|chefin|gründer|leiter|leiterin|autor|autorin|capitale|"
    r"président|présidente|auteur|fondateur|presidente|presidenta|fundador|autora)\b",
    re.IGNORECASE,
)


def standing(text: str, row: tuple[str, ...], language: str = "en") -> Name | None:
    """The name that just these words of a text are. One word that opens a sentence, or a German noun, is taken for a name
    only where it does what persons and places do: otherwise it may be any word (Sales rose, Der Umsatz stieg).
    """
    place = place_of(text, row)
    if place is None or any(word in _NOT_NAMES for word in row):
        return None
    part = text[slice(*place)]
    alone = len(row) == 1 and (language == "de" or not text[: place[0]].strip())
    if not all(one[:1].isupper() for one in part.split()) or (alone and not _WHAT_PERSONS_DO.match(text, place[1])):
        return None
    found = tuple(words.content(part))
    return Name(part, place, found) if found else None


def place_of(text: str, row: tuple[str, ...]) -> Span | None:
    """Where a row of words stands in a text."""
    match = re.search(r"\W+".join(map(re.escape, row)), text, re.IGNORECASE)
    return match.span() if match else None


def _trimmed(match: re.Match[str], text: str) -> Name | None:
    start, end = match.span()
    before = text[max(0, start - 40) : start].rstrip()
    opens = not before or before[-1] in '.!?:;"“”•-'
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
