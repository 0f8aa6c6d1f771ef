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

import json
import re
from dataclasses import replace

from witnessmark.checks.grounding.reading import beside_refusal, questions, speech
from witnessmark.checks.grounding.reading.compound import goes_on
from witnessmark.checks.grounding.reading.cuts import clauses, joining, with_beside, with_one_subject
from witnessmark.checks.grounding.reading.markup import CODE, citations, cleaned
from witnessmark.checks.grounding.reading.pronouns import with_antecedents
from witnessmark.checks.grounding.statement import Statement
from witnessmark.checks.grounding.steps import worked_head
from witnessmark.text import markdown
from witnessmark.text.quotes import urls
from witnessmark.text.sentences import Span, sentences

RUN_IN = 3
"""Words up to which bold ones at the head of a paragraph may be a heading."""

_MEMBER = re.compile(
    r'(\{\s*)?(?P<member>"([^"\\\n]{1,100})"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null))'
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


_QUOTED = re.compile(r"(?:\"[^\"]+\"|“[^”]+”|„[^“]+“|«[^»]+»)[.!?]?")


def claims(response: str, question: str = "") -> list[Statement]:
    """All statements of a response in order; their spans never overlap.

    With the question it replies to, a short answer (a name, a figure, yes or no) at its beginning is read as the statement
    it makes: `claims("No.", question="Is it open?")` has the text `It is not open.`
    """
    found: list[Statement] = []
    lead = ""
    for part in markdown.stretches(response, question):
        made = _of(response, part, question)
        if part.kind == "item" and lead:
            found[-1:] = [_announced(found[-1])] if found[-1].text == lead else found[-1:]
            made = [_under(lead, one) if n == 0 and speech.names_something(lead) else one for n, one in enumerate(made)]
        elif part.kind == "table" and lead and found[-1].text == lead and found[-1].checkable:
            found[-1] = _over_table(found[-1])
        elif part.kind == "text":
            announces = bool(made) and response[part.start : part.end].rstrip().endswith(":")
            lead = made[-1].text if announces else ""
        found += made
    if found:
        explained = f"{questions.polar(found[0].text)[1]} {found[1].text if len(found) > 1 else ''}"
        found[:1] = _with_question(response, questions.answered(question, explained), found[0])
        found[:1] = [worked_head.with_rest(response, found[0])]
    said = [_with_code(response, _says_more(one, question)) for one in found]
    return with_antecedents(_signed(_quoted(response, said)))


def _signed(found: list[Statement]) -> list[Statement]:
    """The statements, where a letter ends with a signature in lines of its own as what asserts nothing."""
    end = max((n for n, one in enumerate(found, 1) if one.why_not == "greeting" and speech.signs(one.text)), default=0)
    if not end or not all(speech.is_signature(one.text) for one in found[end:]):
        return found
    return [*found[:end], *(replace(one, kind="greeting", why_not="greeting") for one in found[end:])]


def _with_code(response: str, one: Statement) -> Statement:
    """A statement with what stands in it as code, which its words no longer show."""
    stretch = response[slice(*one.span)]
    found = (stretch,) if one.kind == "code" else tuple(CODE.findall(stretch))
    return replace(one, code=found) if found else one


def _quoted(response: str, found: list[Statement]) -> list[Statement]:
    """The statements, with a note on those that are quoted as a whole: in a block of quotation or between quotation marks."""
    return [replace(one, hedge="quote") if not one.hedge and _is_quoted(response, one.span) else one for one in found]


def _is_quoted(text: str, span: Span) -> bool:
    opened = text[text.rfind("\n", 0, span[0]) + 1 : span[0] + 1].lstrip().startswith(">")
    return opened or _QUOTED.fullmatch(text[slice(*span)]) is not None


def _says_more(one: Statement, question: str) -> Statement:
    """What would assert nothing and yet says more is a claim: `Did you know that …?`, `Sure, it was built by …`"""
    granted = speech.granted(one.text, one.why_not)
    if granted:
        return replace(one, text=granted, kind="title" if one.why_not == "heading" else "text", why_not="")
    if one.why_not not in speech.ROOM or not speech.says_more(one.text, one.why_not, question):
        return one
    if one.why_not == "heading":
        return replace(one, kind="title", why_not="")
    said, how = speech.content(one.text)
    return replace(one, text=said, kind="text", why_not="", hedge=how)


def _announced(lead: Statement) -> Statement:
    """What stands above a list is said by its items, which carry it; with a figure in it, it says something by itself too."""
    plain = not lead.checkable or any(char.isdigit() for char in lead.text)
    granted = speech.granted(lead.text, "about_answer")
    if granted:
        return replace(lead, text=granted, kind="text", why_not="")
    return lead if plain else replace(lead, kind="about_answer", why_not="about_answer")


def _over_table(lead: Statement) -> Statement:
    """What stands above a table, as a heading where it only names what comes: `Second-quarter results:`."""
    return replace(lead, kind="heading", why_not="heading") if speech.is_heading(lead.text) else lead


def _of(text: str, part: markdown.Stretch, question: str) -> list[Statement]:
    if part.kind == "table":
        return _table_row(text, part.start, part.end, part.header)
    if part.kind == "heading":
        return _heading(text, part.start, part.end)
    if part.kind == "code":
        return _line_of_code(text, part.start, part.end)
    if part.kind == "note":
        return _note(text, part.start, part.end)
    if part.kind == "text" and _is_json(text[part.start : part.end]):
        return _members(text, part.start, part.end)
    return _statements(text, part.start, part.end, part.kind, question)


def _note(text: str, start: int, end: int) -> list[Statement]:
    """A footnote that only names what is cited asserts nothing; one that tells something, or gives an address, is a claim."""
    start, end = _stripped(text, start, end)
    words = cleaned(text[start:end])
    if not _has_words(words) or not speech.is_heading(words) or urls(words):
        return _statements(text, start, end, "text")
    return [Statement((start, end), words, "about_answer", (), "citation")]


def _is_json(text: str) -> bool:
    """Whether a paragraph is an object or a list of JSON: its keys are the writer's."""
    if text.strip()[:1] not in ("{", "["):
        return False
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _members(text: str, start: int, end: int) -> list[Statement]:
    """Each value of a JSON answer with its key in words, `max upload mb: 25`, after the words that its object opens with: `name: Ada; seats: 25`.

    A text without keys is a line of code.
    """
    found: list[Statement] = []
    head = ""
    for match in _MEMBER.finditer(text, start, end):
        said = f"{_key(match[3])}: {match[4].strip(chr(34))}"
        head = "" if match[1] else head
        found.append(Statement(match.span("member"), f"{head}{said}", "table"))
        head = f"{said}; " if match[1] and match[4].startswith('"') else head
    return found or _line_of_code(text, start, end)


def _key(name: str) -> str:
    return " ".join(_CAMEL.sub(" ", name).replace("_", " ").replace("-", " ").split()).lower()


def _with_question(text: str, question: str, first: Statement) -> list[Statement]:
    """The first statement as the question completes it: yes or no with what follows it as a claim of its own."""
    asks_what = questions.asks_what(question)
    if asks_what and questions.answers_nothing(first.text):
        return [_no_answer(first)]
    if not questions.is_question(question) or first.kind == "about_answer":
        return [first]
    kind, rest = questions.polar(first.text)
    if not kind:
        return [_beside(question, first)]
    particle = _particle(first.text)
    stop = first.span[0] + len(_particle(text[slice(*first.span)]))
    told = Statement((first.span[0], stop), questions.as_statement(question, particle), "short")
    empty = asks_what and questions.answers_nothing(particle)
    if not empty and questions.goes_on(first.text):
        text = questions.as_statement(question, first.text)
        return [replace(told, text=text, span=first.span, citations=first.citations)]
    start = next((n for n in range(stop, first.span[1]) if text[n].isalnum()), None)
    if start is None:  # what follows is cut off already, a statement of its own
        return [told]
    said = replace(first, span=(start, first.span[1]), text=rest[:1].upper() + rest[1:] + ".", kind="text", why_not="")
    return [_no_answer(told), _beside(question, said)] if empty else [told, said]


def _particle(reply: str) -> str:
    """The yes or no that a reply opens with, and that one is sorry before it."""
    lead = questions.lead(reply)
    return reply[:lead] + reply[lead:].split(None, 1)[0].rstrip(".,;:!—–-")


def _no_answer(one: Statement) -> Statement:
    return replace(one, kind="about_answer", why_not="it answers nothing")


def _beside(question: str, one: Statement) -> Statement:
    """A statement that is no sentence, read with its question."""
    if one.kind not in ("text", "item") or one.why_not not in ("", "heading"):
        return one
    said = questions.as_statement(question, one.text)
    return one if said == one.text else replace(one, text=said, kind="short", why_not="")


# --- table rows and items -----------------------------------------------------------------------------------------


def _table_row(text: str, start: int, end: int, header: tuple[str, ...]) -> list[Statement]:
    """A row as one claim: `header: cell` for each cell."""
    header = tuple(map(cleaned, header))
    cells = tuple(map(cleaned, markdown.cells(text[start:end])))
    if not any(cells):
        return []
    start, end = _stripped(text, start, end)
    named = [f"{header[n]}: {cell}" if n < len(header) and header[n] else cell for n, cell in enumerate(cells) if cell]
    heads = (header[0], header[1]) if len(named) == len(header) == 2 and all(header) and all(cells) else None
    return [Statement((start, end), "; ".join(named), "table", citations(text[start:end]), heads=heads)]


def _under(lead: str, one: Statement) -> Statement:
    """A list item that is a fragment reads with the sentence above the list."""
    whole = len(one.text.split()) > 6 and one.text[-1:] in ".!?"
    if whole or not one.checkable:
        return one
    said = (questions.polar(lead)[1] or lead).rstrip(":")  # `Yes, on two conditions:`
    colon = "" if goes_on(said.rpartition(", ")[2], one.text) else ":"  # `Compared with Plus, Team:` and `has no chat`
    return replace(one, text=f"{said}{colon} {one.text}")


def _heading(text: str, start: int, end: int) -> list[Statement]:
    """A heading that says something is a claim; one without a verb or a figure only names what comes."""
    start, end = _stripped(text, start, end)
    words = cleaned(text[start:end].strip("#= "))
    if not _has_words(words):
        return []
    nothing = speech.asserts_nothing(words) or ("heading" if speech.is_heading(words) else "")
    return [Statement((start, end), words, nothing or "title", citations(text[start:end]), nothing)]


def _line_of_code(text: str, start: int, end: int) -> list[Statement]:
    start, end = _stripped(text, start, end)
    return [Statement((start, end), text[start:end], "code")] if _has_words(text[start:end]) else []


def _stripped(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _has_words(words: str) -> bool:
    return any(char.isalnum() for char in words)


# --- sentences and clauses -------------------------------------------------------------------------------------


def _statements(text: str, start: int, end: int, kind: str, question: str = "") -> list[Statement]:
    found: list[Statement] = []
    for sentence in sentences(text, start, end):
        worked = worked_head.parts(text, sentence, question)
        if worked is not None:
            head, working = worked
            said = _statements(text, *working, kind)
            first = replace(_statement(text, *head, kind), working=cleaned(text[slice(*working)]))
            found += [first, *(replace(one, text=one.text[:1].upper() + one.text[1:], is_working=True) for one in said)]
            continue
        whole = _statement(text, *sentence, kind)
        if not _has_words(whole.text):
            continue
        if whole.why_not == "refusal" and (beside := beside_refusal.parts(text[slice(*sentence)])):
            end, begin = (sentence[0] + place for place in beside)
            found += [_statement(text, sentence[0], end, kind), *_statements(text, begin, sentence[1], kind)]
            continue
        parts = clauses(text, *sentence) if whole.checkable and whole.hedge != "question" else [sentence]
        for part in parts:
            one = whole if len(parts) == 1 else _part(text, part, whole)
            plain = one.checkable and not one.hedge
            found += (
                [made for half in with_one_subject(text, one) for made in with_beside(text, half)] if plain else [one]
            )
    return found


def _statement(text: str, start: int, end: int, kind: str) -> Statement:
    raw = text[start:end]
    words = cleaned(raw)
    nothing = speech.asserts_nothing(words) or ("heading" if _run_in(raw, words) else "")
    if nothing:
        return Statement((start, end), words, nothing, citations(raw), nothing)
    said, how = speech.content(words)
    return Statement((start, end), said, kind, citations(raw), "", how)


def _run_in(raw: str, words: str) -> bool:
    """Whether a few bold words before a sentence only name what comes: **Cause.** Two thirds of …"""
    bold = raw.lstrip().startswith(("**", "__")) and raw.rstrip().endswith(("**", "__"))
    return bold and len(words.split()) <= RUN_IN and speech.is_heading(words)


def _part(text: str, span: Span, whole: Statement) -> Statement:
    """A clause of a sentence; what softens the sentence softens each of its clauses, and a citation at its end is for all."""
    raw = text[slice(*span)]
    said, how = speech.content(joining().sub("", cleaned(raw)))
    said = said[:1].upper() + said[1:]
    return Statement(span, said, whole.kind, citations(raw) or whole.citations, "", how or whole.hedge)
