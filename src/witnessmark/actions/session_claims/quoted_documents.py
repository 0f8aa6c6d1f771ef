"""What a report quotes from a document of its session, or of what the person said: the words of others, which the agent does not claim.

A quotation counts where it stands word for word in what was written into a document, taken out of it, read of it or said, and where
the report names that document near it; in italics, single quotes or code, where its own sentence does. What a run printed is no
document: who quotes that, or gives it as the result of one, tells how the run went.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.content.patterns import pattern
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.activities import activity_of, listed
from witnessmark.actions.trace.calls import ToolCall, command_of, is_command, only_reads, output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.shell import commands_of
from witnessmark.text.files import TEXT
from witnessmark.text.patterns import compiled
from witnessmark.text.quotes import MIN_WORDS, key, quotes
from witnessmark.text.sentences import Span

NEAR = 300
"""A document that is named within so many characters of a quotation may be the one that is quoted."""
SHORT = 40
"""So many characters before code in which a word stands that makes it a quotation."""
MAX_DOCUMENTS = 2_000_000
"""So many characters of documents are looked through."""
_FILE = compiled(r"(?:[\w.-]+/)*[\w.-]+\.(\w{1,9})(?![\w/])")


def report_of(text: str, trace: TraceIndex | None) -> Report:
    """A report, with what it quotes from documents of its session set apart."""
    return Report(text, tuple(_quoted(text, trace)) if trace is not None else ())


def _quoted(text: str, trace: TraceIndex) -> Iterator[Span]:
    found = [*((quote.span, False) for quote in quotes(text)), *_set_off(text)]
    known = list(_documents(trace)) if found else []
    end = 0
    for span, by_sentence in sorted(found):
        if span[0] < end or _given_as_result(text, span):
            continue
        words, near = f" {key(text[slice(*span)])} ", _around(text, span, by_sentence)
        if any(words in content and _named(names, near) for names, content in known):
            end = span[1]
            yield span


_SET_OFF = compiled(
    r"(?<![\w*])\*(?![\s*])([^*\n]+)(?<!\s)\*(?![\w*])|(?<!\w)_(?!\s)([^_\n]+)_(?!\w)|(?<!\w)'([^'\n]+)'(?!\w)|‘([^’\n]+)’|(?<!`)`([^`\n]+)`(?!`)|^> ?(?P<block>\S[^\n]*)$",
    re.MULTILINE,
)


def _set_off(text: str) -> Iterator[tuple[Span, bool]]:
    """The words of three or more that are set off in another way than by quotation marks, and whether their own sentence must name the document."""
    for match in _SET_OFF.finditer(text):
        group = match.lastindex or 0
        code = match.group().startswith("`")  # it may be a value that was changed, unless it is what somebody says
        own = code and pattern("quotes", "says").search(text[max(match.start() - SHORT, 0) : match.start()].lower()) is None  # fmt: skip
        if not own and len(match[group].split()) >= MIN_WORDS:
            yield match.span(group), match["block"] is None


def _around(text: str, span: Span, by_sentence: bool) -> str:
    """What stands near a quotation, without it: its sentence, or so many characters."""
    before, after = text[max(span[0] - NEAR, 0) : span[0]], text[span[1] : span[1] + NEAR]
    if by_sentence:
        before, after = _ENDS.split(before)[-1], _ENDS.split(after, maxsplit=1)[0]
    return f"{before} {after}".lower()


_ENDS = compiled(r"(?<=[\w`)*_\"'])[.!?][*_'’`\"]?\s|\n")
_LEAD = compiled(r"(?:^|[.!?;]\s|\n)((?:(?![.!?;]\s)[^\n]){0,80}?)[\s:=>→–—-]*[\"“„«»'‘*_`]?\Z")


def _given_as_result(text: str, span: Span) -> bool:
    """Whether the words before a quotation tell of a run, whose result it then is: `I ran pytest: "12 tests pass"`."""
    lead = _LEAD.search(text[max(span[0] - NEAR, 0) : span[0]].lower())
    return lead is not None and pattern("quotes", "result").search(lead[1]) is not None


def _named(names: frozenset[str], around: str) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", around) for name in names)


def _documents(trace: TraceIndex) -> Iterator[tuple[frozenset[str], str]]:
    """The names of each document that was changed or read, and the words that it had or has."""
    left = MAX_DOCUMENTS
    yield frozenset({"you", "your"}), f" {key(trace.ledger.said)} "
    changed = ((change.place, text) for change in trace.ledger.changes for text in (change.old, change.new) if text)
    read = ((_asked(call), output_of(call)) for call in trace.ledger.calls if _reads(call))
    for place, content in (*changed, *read):
        found = _FILE.search(place)
        left -= len(content)
        if found is not None and found[1].lower() in TEXT and left > 0:
            yield frozenset(part for part in re.split(r"[/.]", found.group().lower()) if len(part) > 2), f" {key(content)} "  # fmt: skip


def _reads(call: ToolCall) -> bool:
    """Whether a call only shows what files hold."""
    lines = commands_of(command_of(call)) if is_command(call) else ()
    return only_reads(call) or (bool(lines) and all(activity_of(one.words).program in listed("shows") for one in lines))


def _asked(call: ToolCall) -> str:
    """What a call was given, as a text in which the name of a file stands."""
    return command_of(call) if is_command(call) else " ".join(map(str, call.input.values())) if isinstance(call.input, dict) else ""  # fmt: skip
