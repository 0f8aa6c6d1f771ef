"""The words of a stretch of a response without its markup, and the citations that stand in it."""

from __future__ import annotations

import re

from witnessmark.text import lang
from witnessmark.text.patterns import any_of, compiled

MIN_ANSWER = 3
"""Words that must be left when a citation in words is taken off."""
_CITATION = re.compile(
    r"(?:\s?\[\^?((?:\w|[-.:]|(?<=\w)#(?=\d)){1,40}(?:\s?[,;]\s?(?:\w|[-.:]|(?<=\w)#(?=\d)){1,40}){0,20})\](?!\()|\s?【(\d{1,6})[^】]{0,40}】)"
)
_BRACKET = re.compile(r"[\[【]")
"""What every citation and every link has; most sentences have neither."""
_LINK = re.compile(r"!?\[([^\]\[]{0,300})\]\([^)(\s]{0,1000}(?:\s{1,9}\"[^\"]{0,200}\")?\)")
_MARKS = re.compile(r"\*\*|__|~~|`+|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|^\s*>\s?|\n\s*>\s?", re.MULTILINE)
CODE = re.compile(r"`([^`\n]{1,300})`")
_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"\d+")


@lang.derived
def _cites() -> re.Pattern[str]:
    """A citation in words: `According to source 2, …`, `… (see documents 1 and 3)`."""
    some = rf"((?:(?:no|nr|n°)\.? ?)?\d{{1,3}}(?:(?:, | ?& ?| (?:{lang.either(lang.words('joining'))}) )\d{{1,3}})*)"
    return compiled(any_of(part.replace("{numbers}", some) for part in lang.rows("speech", "cites")), re.IGNORECASE)


def cleaned(text: str) -> str:
    """The words without markup, citations and line breaks: what is compared."""
    if _BRACKET.search(text) is not None:
        for start, end in reversed([match.span() for match in _cited(text)]):
            text = text[:start] + text[end:]
        text = _LINK.sub(r"\1", text)
    plain = _SPACE.sub(" ", _MARKS.sub(_unmarked, text)).strip()
    if _NUMBER.search(plain) is None:
        return plain
    told = _cites().sub("", plain).strip()
    return told[:1].upper() + told[1:] if told != plain and len(told.split()) >= MIN_ANSWER else plain


def _cited(text: str) -> list[re.Match[str]]:
    """Every citation in brackets; what stands in code (`retry_on=[429]`) is none."""
    code = [match.span() for match in CODE.finditer(text)] if "`" in text else ()
    return [one for one in _CITATION.finditer(text) if not any(a < one.start() < b for a, b in code)]


def _unmarked(mark: re.Match[str]) -> str:
    return " " if "\n" in mark.group() else ""


def citations(text: str) -> tuple[str, ...]:
    """What a stretch of text cites, such as ('1', 'd2'), by a mark or in words."""
    bracketed = _cited(text) if _BRACKET.search(text) is not None else ()
    marks = [part.strip() for match in bracketed for part in re.split("[,;]", match.group(1) or match.group(2))]
    worded = _cites().finditer(_MARKS.sub("", text)) if _NUMBER.search(text) is not None else ()
    told = (part for match in worded for group in match.groups() if group for part in _NUMBER.findall(group))
    return tuple(dict.fromkeys((*marks, *told)))
