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

from witnessmark.checks.grounding.reading import questions, speech
from witnessmark.checks.grounding.reading.compound import past, states
from witnessmark.checks.grounding.reading.pronouns import subject_of, with_antecedents
from witnessmark.checks.grounding.statement import Statement
from witnessmark.text import lang, markdown
from witnessmark.text.patterns import compiled
from witnessmark.text.quotes import urls
from witnessmark.text.sentences import Span, sentences

MIN_CLAUSE_WORDS = 5
MIN_SAID = 3
"""Words of a clause that certainly has a subject and a verb of its own."""
MIN_ANSWER = 3
"""Words after yes or no that are a statement of their own."""
RUN_IN = 3
"""Words up to which bold ones at the head of a paragraph may be a heading."""
REACH = 400
"""How far around a cut is looked; every step is bounded, since what is judged may have been made to take long."""

_CITATION = re.compile(
    r"(?:\s?\[\^?((?:\w|[-.:]){1,40}(?:\s?[,;]\s?(?:\w|[-.:]){1,40}){0,20})\](?!\()|\s?【(\d{1,6})[^】]{0,40}】)"
)
_BRACKET = re.compile(r"[\[【]")
"""What every citation and every link has; most sentences have neither."""
_LINK = re.compile(r"!?\[([^\]\[]{0,300})\]\([^)(\s]{0,1000}(?:\s{1,9}\"[^\"]{0,200}\")?\)")
_MARKS = re.compile(r"\*\*|__|~~|`+|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|^\s*>\s?|\n\s*>\s?", re.MULTILINE)
_CODE = re.compile(r"`([^`\n]{1,300})`")
_MEMBER = re.compile(
    r'(\{\s*)?(?P<member>"([^"\\\n]{1,100})"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null))'
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SPACE = re.compile(r"\s+")


_NUMBER = re.compile(r"\d+")
_QUOTED = re.compile(r"(?:\"[^\"]+\"|“[^”]+”|„[^“]+“|«[^»]+»)[.!?]?")
_LAST_THING = re.compile(r"(?:(?<=\s)[tT]he (?:[a-zß-ÿ-]+ )?[a-zß-ÿ-]+|(?<=[a-z,] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+)$")
"""What a clause ends with, where a relative clause after it can be about nothing else: `the mill`, `Peter Lang`."""


@lang.derived
def _cites() -> re.Pattern[str]:
    """A citation in words: `According to source 2, …`, `… (see documents 1 and 3)`."""
    some = rf"((?:(?:no|nr|n°)\.? ?)?\d{{1,3}}(?:(?:, | ?& ?| (?:{lang.either(lang.words('joining'))}) )\d{{1,3}})*)"
    parts = [part.replace("{numbers}", some) for row in lang.section("speech", "cites") for part in row]
    return compiled("|".join(f"(?:{part})" for part in parts), re.IGNORECASE)


@lang.derived
def _clause() -> re.Pattern[str]:
    joining, subject = lang.either(lang.words("joining")), lang.either(lang.words("subjects"))
    pronoun = lang.either(lang.words("pronouns") - lang.words("demonstratives"))
    return re.compile(
        rf";\s+|,\s+(?=(?:{joining})\s+(?:{subject}|[A-ZÄÖÜÉ](?:[\w'-]+|\.))\s)|\s+(?=(?:{joining})\s+(?:{pronoun})\s)"
    )


@lang.derived
def _shared() -> re.Pattern[str]:
    """Where a second verb follows the same subject: `…, and has cost …`, `… and took …`."""
    past = {form for table in lang.tables("irregular", "en") for forms in table.values() for form in forms.split()}
    verb = lang.either(lang.words("verbs", "en") | past)
    joining = f"(?:{lang.either(lang.words('joining', 'en'))})(?: then)?"
    return re.compile(rf",?\s+(?={joining}\s+(?:{verb}|\w+ed)\s)|,\s+(?=then\s+(?:{verb}|\w+ed)\s)")


@lang.derived
def _joint() -> re.Pattern[str]:
    """What may join two statements that both have a subject and a verb: a mark, a bracket at the end, a word."""
    return re.compile(
        rf";\s+|\s+[–—-]{{1,2}}\s+|—|:\s+|\s\((?=[^()]{{8,}}\)[.!?]?$)|,?\s+(?=(?:{lang.either(lang.words('joining'))})\s)"
    )


@lang.derived
def _side_clause() -> re.Pattern[str]:
    """A clause beside the main one: `…, after the storm had passed.`, `Although it rained, …`, `…, whose mill burned down, …`, `… (the navy owns it) …`."""
    after, comma = lang.either(lang.words("beside")), lang.either(lang.words("beside_after_comma"))
    leading = lang.either(word.capitalize() for word in lang.words("beside") | {"while", "since"})
    return re.compile(
        rf"^(?:{leading})\s+(?P<first>[^,;()]{{8,}}),\s+(?=(?P<main>.+))|\s\((?P<inside>[^()]{{8,}})\)(?=\s)"
        rf"|,\s+(?P<who>which|who|whose)\s+(?P<told>[^,;()]{{5,}})|(?:,?\s+(?:{after})|,\s+(?:{comma}))\s+(?P<last>[^,;()]{{8,}})(?=$|,)"
    )


@lang.derived
def _being() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{lang.either(lang.words('being'))})\b")


@lang.derived
def _joining() -> re.Pattern[str]:
    return re.compile(rf"^(?:(?:{lang.either(lang.words('joining'))})\s+(?:then\s+)?|then\s+)(?=\w)")


@lang.derived
def _verb() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{lang.either(lang.words('verbs'))})\b|\w+(?:{lang.either(lang.words('verb_endings'))})\b")


def claims(response: str, question: str = "") -> list[Statement]:
    """All statements of a response in order; their spans never overlap.

    With the question it replies to, a short answer (a name, a figure, yes or no) at its beginning is read as the statement
    it makes: `claims("No.", question="Is it open?")` has the text `It is not open.`
    """
    found: list[Statement] = []
    lead = ""
    for part in markdown.stretches(response, question):
        made = _of(response, part)
        if part.kind == "item" and lead:
            found[-1:] = [_announced(found[-1])] if found[-1].text == lead else found[-1:]
            made = [_under(lead, one) if n == 0 else one for n, one in enumerate(made)]
        elif part.kind == "text":
            announces = bool(made) and response[part.start : part.end].rstrip().endswith(":")
            lead = made[-1].text if announces else ""
        found += made
    if found:
        found[:1] = _with_question(response, question, found[0])
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
    found = (stretch,) if one.kind == "code" else tuple(_CODE.findall(stretch))
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


def _of(text: str, part: markdown.Stretch) -> list[Statement]:
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
    return _statements(text, part.start, part.end, part.kind)


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
    if not questions.is_question(question):
        return [first]
    kind, rest = questions.polar(first.text)
    if not kind:
        return [_beside(question, first)]
    particle = first.text.split(None, 1)[0].rstrip(".,;:!—–-")
    stop = first.span[0] + len(text[slice(*first.span)].split(None, 1)[0].rstrip(".,;:!—–-"))
    told = Statement((first.span[0], stop), questions.as_statement(question, particle), "short")
    empty = asks_what and questions.answers_nothing(particle)
    if len(rest.split()) < MIN_ANSWER and not empty:
        return [replace(told, span=first.span, citations=first.citations)]
    start = next(n for n in range(stop, first.span[1]) if text[n].isalnum())
    said = replace(first, span=(start, first.span[1]), text=rest[:1].upper() + rest[1:] + ".", kind="text", why_not="")
    return [_no_answer(told), _beside(question, said)] if empty else [told, said]


def _no_answer(one: Statement) -> Statement:
    return replace(one, kind="about_answer", why_not="it answers nothing")


def _beside(question: str, one: Statement) -> Statement:
    """A statement that is no sentence, read with its question."""
    if one.kind not in ("text", "item") or one.why_not not in ("", "heading"):
        return one
    said = questions.as_statement(question, one.text)
    return one if said == one.text else replace(one, text=said, kind="short", why_not="")


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
    code = [match.span() for match in _CODE.finditer(text)] if "`" in text else ()
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


# --- table rows and items -----------------------------------------------------------------------------------------


def _table_row(text: str, start: int, end: int, header: tuple[str, ...]) -> list[Statement]:
    """A row as one claim: `header: cell` for each cell."""
    header = tuple(map(cleaned, header))
    cells = tuple(map(cleaned, markdown.cells(text[start:end])))
    if not any(cells):
        return []
    start, end = _stripped(text, start, end)
    named = [f"{header[n]}: {cell}" if n < len(header) and header[n] else cell for n, cell in enumerate(cells) if cell]
    return [Statement((start, end), "; ".join(named), "table", citations(text[start:end]))]


def _under(lead: str, one: Statement) -> Statement:
    """A list item that is a fragment reads with the sentence above the list."""
    whole = len(one.text.split()) > 6 and one.text[-1:] in ".!?"
    if whole or not one.checkable:
        return one
    said = questions.polar(lead)[1] or lead  # `Yes, on two conditions:`
    return replace(one, text=f"{said.rstrip(':')}: {one.text}")


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


def _statements(text: str, start: int, end: int, kind: str) -> list[Statement]:
    found: list[Statement] = []
    for sentence in sentences(text, start, end):
        whole = _statement(text, *sentence, kind)
        if not _has_words(whole.text):
            continue
        parts = _clauses(text, *sentence) if whole.checkable and whole.hedge != "question" else [sentence]
        for part in parts:
            one = whole if len(parts) == 1 else _part(text, part, whole)
            plain = one.checkable and not one.hedge
            found += (
                [made for half in _with_one_subject(text, one) for made in _with_beside(text, half)] if plain else [one]
            )
    return found


def _with_beside(text: str, one: Statement) -> list[Statement]:
    """A statement that says something in a clause beside the main one, and what it says there as a claim of its own.

    The statement keeps all its words, since what joins the two (`because`, `after`) is said too; its place is what stands before the
    clause, or all that stands after it where the sentence goes on.
    """
    start, end = one.span
    for mark in _side_clause().finditer(text[start:end], 0, 2 * REACH):
        name = next(name for name in ("first", "inside", "told", "last") if mark[name])
        said = _beside_said(cleaned(mark[name]), name, text[start : start + mark.start()], mark["who"])
        if len(said.split()) < MIN_SAID:
            continue
        at, stop = start + mark.start(name), start + mark.end(name)
        rest = next((n for n in range(start + mark.end(), end) if text[n].isalnum()), end)
        further = Statement((start, stop), f"{said[:1].upper()}{said[1:]}.", one.kind, one.citations, beside=True)
        if rest < end:
            return [further, replace(one, span=(rest, end))]
        return [
            replace(one, span=_trimmed(text, start, start + mark.start())),
            replace(further, span=_trimmed(text, at, stop)),
        ]
    return [one]


def _beside_said(clause: str, name: str, before: str, pronoun: str) -> str:
    """What a clause beside the main one says, with the subject that its `who` stands for; empty where it is not certain."""
    said = clause.rstrip(".!?")
    if name == "told":
        subject = _antecedent(before, pronoun)
        return f"{subject}{'’s' if pronoun == 'whose' else ''} {said}" if subject else ""
    return said if states(said) and said.split()[0].lower() not in lang.words("askers") else ""


def _antecedent(before: str, pronoun: str) -> str:
    """Whom or what a relative clause is about: all that stands before it, or what that ends with; empty where it is not certain."""
    words = cleaned(before)
    subject = subject_of(words + " is")[1]
    if subject == words:
        return subject
    last = _LAST_THING.search(words)
    if last is not None:
        return last[0]
    return subject if pronoun == "whose" and words[-1:].isdigit() else ""


def _with_one_subject(text: str, one: Statement) -> list[Statement]:
    """A statement cut where a second verb follows, with its subject before it again; whole where its beginning names no subject."""
    subject = subject_of(one.text)[1]
    raw = text[slice(*one.span)]
    for mark in (
        _shared().finditer(raw, 0, REACH) if subject and raw.startswith(subject) and subject in one.text else ()
    ):
        left, right = raw[: mark.start()], raw[mark.end() :]
        said = _joining().sub("", cleaned(right))
        passive = _being().search(left) is not None and said.split(None, 1)[0].endswith("ed")
        enough = len(left.split()) >= MIN_CLAUSE_WORDS and len(right.split()) >= MIN_SAID and left.count('"') % 2 == 0
        if passive or not enough or "(" in left.rpartition(")")[2]:
            continue
        start = one.span[0]
        first = replace(
            one, span=(start, start + mark.start()), text=cleaned(left), citations=citations(left) or one.citations
        )
        second = Statement((start + mark.end(), one.span[1]), f"{subject} {said}", one.kind, one.citations)
        return [first, second]
    return [one]


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
    said, how = speech.content(_joining().sub("", cleaned(raw)))
    said = said[:1].upper() + said[1:]
    return Statement(span, said, whole.kind, citations(raw) or whole.citations, "", how or whole.hedge)


def _clauses(text: str, start: int, end: int) -> list[Span]:
    """The sentence cut where two whole statements are joined: enough words and a verb on both sides, or a subject with its verb."""
    cuts = [(start, start)]
    for mark in sorted((*_clause().finditer(text, start, end), *_joint().finditer(text, start, end)), key=_where):
        if mark.start() < cuts[-1][1]:
            continue
        left = text[max(cuts[-1][1], mark.start() - REACH) : mark.start()]
        right = text[mark.end() : min(end, mark.end() + REACH)]
        if "(" in left.rpartition(")")[2]:
            continue
        if (mark.re is _clause() and _stands_alone(left) and _stands_alone(right)) or _both_state(mark[0], left, right):
            cuts.append(mark.span())
    stops = [*(mark[0] for mark in cuts[1:]), end]
    return [_trimmed(text, cut[1], stop) for cut, stop in zip(cuts, stops, strict=True)]


def _where(mark: re.Match[str]) -> Span:
    return mark.span()


def _stands_alone(part: str) -> bool:
    return len(part.split()) >= MIN_CLAUSE_WORDS and _verb().search(part) is not None and part.count('"') % 2 == 0


def _both_state(mark: str, left: str, right: str) -> bool:
    """Whether what is joined are two statements: the right one with a subject of its own, the left one whole without it.

    What depends on something that is said before (`that`, `if`) may go on after an `and`; what stands before a colon says something by
    itself where it tells a figure.
    """
    said, before = cleaned(_joining().sub("", right.lstrip())), cleaned(left)
    row = {word.lower() for word in before.split()}
    depends = mark.strip() in ("", ",") and not row.isdisjoint(lang.words("opens_a_clause") - {"than"})
    tells = mark.strip() != ":" or _NUMBER.search(before) is not None
    enough = min(len(before.split()), len(said.split())) >= MIN_SAID and left.count('"') % 2 == 0
    return enough and tells and not depends and _told(before) and states(said)


def _told(words: str) -> bool:
    """Whether words have a verb that is bound to a subject, as far as closed lists tell."""
    known = lang.words("verbs") | lang.words("helping")
    return any(word.lower() in known or past(word) for word in words.split()[1:]) or states(words)


def _trimmed(text: str, start: int, end: int) -> Span:
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;"):
        end -= 1
    bare = len(text[start:end].rstrip(".!?"))
    if text[start + bare - 1 : start + bare] == ")" and "(" not in text[start:end]:
        end = start + bare - 1  # what stands in brackets at the end of a sentence
    return start, end
