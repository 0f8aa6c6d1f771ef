"""A file that is said to have been read, and that no call of the whole session names: not as what it was given, and not in what it printed."""

from __future__ import annotations

from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import sentences_of, told
from witnessmark.actions.content.passages import paths_in, without_code
from witnessmark.actions.content.wording import pattern
from witnessmark.actions.trace.calls import command_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.text.patterns import compiled

ROLE = "not_read"
_MANY = compiled(r"[*?]|\bxargs\b|-exec\b|\bfor \w+ in\b|\bgit (?:show|log -p)\b|<\(|\$\(")
"""Commands that may have shown files which they do not name."""


def told_as_read(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each file that is told as read, and that nothing in the session names."""
    if not trace.whole or not trace.ledger.calls or not pattern("read", "read").search(report.lower()):
        return
    calls = trace.ledger.calls
    if any(_MANY.search(command_of(call)) for call in calls) or any(call.name.startswith("mcp__") for call in calls):
        return
    session = trace.session_texts()
    for passage in sentences_of(report):
        low, text = passage.sentence.low, passage.sentence.text
        match = pattern("read", "read").search(low)
        if match is None or passage.cells or pattern("read", "not_so").search(without_code(low)):
            continue
        end = compiled(r"[:;]\s|\. |\b(?:which|where|because|since|so|to see|against)\b").search(low, match.end())
        for path in paths_in(text[match.end() : end.start() if end else len(text)]):
            name = path.rstrip("/").rpartition("/")[2]
            if "." in name and not session.has(name) and name.partition(".")[0] + "." not in path.partition(name)[0]:
                yield told(passage, ROLE, f"no call of the session names {path}", value=path)
