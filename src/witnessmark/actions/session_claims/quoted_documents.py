"""What a report quotes from a document of its session: the words of that document, which the agent does not claim.

A quotation counts where it stands word for word in what was written into a document, taken out of it or read of it, and where the
report names that document near it. What a run printed is no document: who quotes that tells how the run went.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.activities import activity_of, listed
from witnessmark.actions.trace.calls import ToolCall, command_of, is_command, only_reads, output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.shell import commands_of
from witnessmark.text.files import TEXT
from witnessmark.text.patterns import compiled
from witnessmark.text.quotes import key, quotes
from witnessmark.text.sentences import Span

NEAR = 300
"""A document that is named within so many characters of a quotation may be the one that is quoted."""
MAX_DOCUMENTS = 2_000_000
"""So many characters of documents are looked through."""
_FILE = compiled(r"(?:[\w.-]+/)*[\w.-]+\.(\w{1,9})(?![\w/])")


def report_of(text: str, trace: TraceIndex | None) -> Report:
    """A report, with what it quotes from documents of its session set apart."""
    return Report(text, tuple(_quoted(text, trace)) if trace is not None else ())


def _quoted(text: str, trace: TraceIndex) -> Iterator[Span]:
    found = quotes(text)
    known = list(_documents(trace)) if found else []
    for quote in found:
        start, end = quote.span
        around = text[max(start - NEAR, 0) : end + NEAR].lower()
        words = f" {key(quote.text)} "
        if any(words in content and _named(names, around) for names, content in known):
            yield quote.span


def _named(names: frozenset[str], around: str) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", around) for name in names)


def _documents(trace: TraceIndex) -> Iterator[tuple[frozenset[str], str]]:
    """The names of each document that was changed or read, and the words that it had or has."""
    left = MAX_DOCUMENTS
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
