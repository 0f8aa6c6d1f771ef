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
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from witnessmark.checks.grounding import speech
from witnessmark.checks.grounding.statement import Statement
from witnessmark.text import markdown
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
_ITEM = re.compile(r"^\s*(?:>\s*)*(?:[-*+•‣–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?:\[[ xX]\]\s+)?")
_QUOTED_LINE = re.compile(r"^\s*(?:>\s?)+")
_RULE = re.compile(r"^\s*(?:[-*_]\s*){3,}$")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_CLAUSE = re.compile(
    r";\s+|,\s+(?=(?:but|whereas|while|and|yet|aber|während|und|mais|et|tandis que|pero|y|mientras)\s+"
    r"(?:it|he|she|they|we|the|this|that|these|those|its|his|her|their|er|sie|es|der|die|das|il|elle|ils|le|la|les|el|los|"
    r"las|[A-ZÄÖÜÉ][\w'-]+)\s)"
)
_VERB_AHEAD = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|did|does|ist|sind|war|hat|wurde|est|sont|était|a|es|son|fue)\b|\w+(?:ed|s)\b"
)


def claims(response: str) -> list[Statement]:
    """All statements of a response in order; their spans never overlap."""
    found: list[Statement] = []
    lead = ""
    for start, end, kind, header in _blocks(response):
        made = _table_row(response, start, end, header) if kind == "table" else _statements(response, start, end)
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


# --- blocks: paragraphs, list items, table rows ----------------------------------------------------------------


def _blocks(text: str) -> Iterator[tuple[int, int, str, tuple[str, ...]]]:
    """Stretches that hold sentences, as (start, end, kind, header); code, headings and rules are left out."""
    heads = {heading.span[0] for heading in markdown.headings(text)}
    begin = end = -1
    header: tuple[str, ...] = ()
    kind = "text"
    rows = list(markdown.lines(text))
    for number, line in enumerate(rows):
        stripped = line.text.strip()
        plain = not line.fenced and bool(stripped) and not _RULE.match(line.text) and line.start not in heads
        in_table = plain and stripped.startswith("|") and stripped.count("|") >= 2
        item = _ITEM.match(line.text) if plain and not in_table else None
        if begin >= 0 and (not plain or in_table or item):
            yield begin, end, kind, ()
            begin = -1
        if not in_table:
            header = ()
        elif _TABLE_RULE.match(stripped) or (number + 1 < len(rows) and _TABLE_RULE.match(rows[number + 1].text)):
            header = header if _TABLE_RULE.match(stripped) else _cells(stripped)
        else:
            yield line.start, line.start + len(line.text), "table", header
        if plain and not in_table:
            if begin < 0:
                mark = item or _QUOTED_LINE.match(line.text)
                begin, kind = line.start + (mark.end() if mark else 0), "item" if item else "text"
            end = line.start + len(line.text)
    if begin >= 0:
        yield begin, end, kind, ()


def _cells(row: str) -> tuple[str, ...]:
    return tuple(cleaned(cell) for cell in row.strip().strip("|").split("|"))


def _table_row(text: str, start: int, end: int, header: tuple[str, ...]) -> list[Statement]:
    """A row as one claim: `header: cell` for each cell."""
    cells = _cells(text[start:end])
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
    for mark in _CLAUSE.finditer(text, start, end):
        left, right = (
            text[max(cuts[-1], mark.start() - REACH) : mark.start()],
            text[mark.end() : min(end, mark.end() + REACH)],
        )
        if _stands_alone(left) and _stands_alone(right) and "(" not in left.rpartition(")")[2]:
            cuts.append(mark.end())
    cuts.append(end)
    return [_trimmed(text, a, b) for a, b in pairwise(cuts)]


def _stands_alone(part: str) -> bool:
    return len(part.split()) >= MIN_CLAUSE_WORDS and _VERB_AHEAD.search(part) is not None and part.count('"') % 2 == 0


def _trimmed(text: str, start: int, end: int) -> Span:
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;"):
        end -= 1
    return start, end
