"""What a response asserts: sentences and clauses with exact spans, and which of them can be checked at all.

Markdown is followed (lists, tables, headings, fenced code, quotes); citations such as [1] are taken out of the words
and kept beside them. `span` always slices the response; `text` is what is compared with the evidence, so markup is off
it and a sentence that starts with a pronoun carries what the pronoun stands for. No model is needed.

    >>> found = claims("**Ada Lovelace** was born in 1815. She wrote programs.[2] Shall I go on?")
    >>> [(c.text, c.citations, c.why_not) for c in found]  # doctest: +NORMALIZE_WHITESPACE
    [('Ada Lovelace was born in 1815.', (), ''), ('Ada Lovelace wrote programs.', ('2',), ''),
     ('Shall I go on?', (), 'question')]
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from witnessmark.checks.grounding import speech
from witnessmark.checks.grounding.statement import Statement
from witnessmark.text import lang, markdown
from witnessmark.text.sentences import Span, sentences

MIN_CLAUSE_WORDS = 5
REACH = 400
"""How far around a cut is looked; every step is bounded, since what is judged may have been made to take long."""

_CITATION = re.compile(
    r"\s?\[\^?((?:\w|[-.:]){1,40}(?:\s?[,;]\s?(?:\w|[-.:]){1,40}){0,20})\](?!\()|\s?【(\d{1,6})[^】]{0,40}】"
)
_LINK = re.compile(r"!?\[([^\]\[]{0,300})\]\([^)(\s]{0,1000}(?:\s{1,9}\"[^\"]{0,200}\")?\)")
_MARKS = re.compile(r"\*\*|__|~~|`+|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|^\s*>\s?|\n\s*>\s?", re.MULTILINE)
_SPACE = re.compile(r"\s+")


@lang.derived
def _clause() -> re.Pattern[str]:
    joining, subject = lang.either(lang.words("joining")), lang.either(lang.words("subjects"))
    return re.compile(rf";\s+|,\s+(?=(?:{joining})\s+(?:{subject}|[A-ZÄÖÜÉ][\w'-]+)\s)")


@lang.derived
def _verb() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{lang.either(lang.words('verbs'))})\b|\w+(?:{lang.either(lang.words('verb_endings'))})\b")


def claims(response: str) -> list[Statement]:
    """All statements of a response in order; their spans never overlap."""
    found: list[Statement] = []
    lead = ""
    for part in markdown.stretches(response):
        start, end, kind = part.start, part.end, part.kind
        if kind in ("heading", "code"):
            continue
        made = _table_row(response, start, end, part.header) if kind == "table" else _statements(response, start, end)
        if kind == "item" and lead:
            made = [_under(lead, one) if n == 0 else one for n, one in enumerate(made)]
        elif kind == "text":
            lead = made[-1].text if made and response[start:end].rstrip().endswith(":") else ""
        found += made
    return speech.with_antecedents(found)


def cleaned(text: str) -> str:
    """The words without markup, citations and line breaks: what is compared."""
    return _SPACE.sub(" ", _MARKS.sub(_unmarked, _LINK.sub(r"\1", _CITATION.sub("", text)))).strip()


def _unmarked(mark: re.Match[str]) -> str:
    return " " if "\n" in mark.group() else ""


def citations(text: str) -> tuple[str, ...]:
    """What a stretch of text cites, such as ('1', 'd2')."""
    marks = (match.group(1) or match.group(2) for match in _CITATION.finditer(text))
    return tuple(part.strip() for mark in marks for part in re.split("[,;]", mark))


# --- table rows and items -----------------------------------------------------------------------------------------


def _table_row(text: str, start: int, end: int, header: tuple[str, ...]) -> list[Statement]:
    """A row as one claim: `header: cell` for each cell."""
    header = tuple(map(cleaned, header))
    cells = tuple(map(cleaned, markdown.cells(text[start:end])))
    if not any(cells):
        return []
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    named = [f"{header[n]}: {cell}" if n < len(header) and header[n] else cell for n, cell in enumerate(cells) if cell]
    return [Statement((start, end), "; ".join(named), "table", citations(text[start:end]))]


def _under(lead: str, one: Statement) -> Statement:
    """A list item that is a fragment reads with the sentence above the list."""
    whole = len(one.text.split()) > 6 and one.text[-1:] in ".!?"
    return one if whole or not one.text else replace(one, text=f"{lead.rstrip(':')}: {one.text}")


# --- sentences and clauses -------------------------------------------------------------------------------------


def _statements(text: str, start: int, end: int) -> list[Statement]:
    found: list[Statement] = []
    for sentence in sentences(text, start, end):
        whole = _statement(text, *sentence)
        if not whole.text:
            continue
        parts = _clauses(text, *sentence) if whole.checkable else [sentence]
        found += [whole] if len(parts) == 1 else [_part(text, part, whole) for part in parts]
    return found


def _statement(text: str, start: int, end: int) -> Statement:
    raw = text[start:end]
    words = cleaned(raw)
    return Statement((start, end), words, "text", citations(raw), speech.why_not(words))


def _part(text: str, span: Span, whole: Statement) -> Statement:
    made = _statement(text, *span)
    return replace(made, citations=made.citations or whole.citations, why_not="")


def _clauses(text: str, start: int, end: int) -> list[Span]:
    """The sentence cut where two whole statements are joined; a cut needs enough words and a verb on both sides."""
    cuts = [start]
    for mark in _clause().finditer(text, start, end):
        left, right = (
            text[max(cuts[-1], mark.start() - REACH) : mark.start()],
            text[mark.end() : min(end, mark.end() + REACH)],
        )
        if _stands_alone(left) and _stands_alone(right) and "(" not in left.rpartition(")")[2]:
            cuts.append(mark.end())
    cuts.append(end)
    return [_trimmed(text, a, b) for a, b in pairwise(cuts)]


def _stands_alone(part: str) -> bool:
    return len(part.split()) >= MIN_CLAUSE_WORDS and _verb().search(part) is not None and part.count('"') % 2 == 0


def _trimmed(text: str, start: int, end: int) -> Span:
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;"):
        end -= 1
    return start, end
