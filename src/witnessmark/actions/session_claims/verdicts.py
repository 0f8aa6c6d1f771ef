"""Reviews by other agents told to have found nothing, where what came back lists findings in files that the report never names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.content.patterns import PRINTED, pattern, told_otherwise
from witnessmark.actions.report.passages import without_code
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.calls import DELEGATES, ToolCall, output_of, tool
from witnessmark.actions.trace.changes import change_names
from witnessmark.actions.trace.index import CUT, TraceIndex
from witnessmark.text.patterns import compiled
from witnessmark.text.words import letters, stop_words

SHOWN = 80


def findings_told_as_none(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for the first sentence that says a review by another agent found nothing, where every review came back with a finding that is told nowhere."""
    if not trace.ledger.active:
        return
    before = ""
    for passage in report.first:
        low = without_code(passage.sentence.low)
        match = pattern("verdicts", "nothing").search(low)
        meant = pattern("verdicts", "agent").search(low) or pattern("verdicts", "agent").search(before)
        before = low
        if match is None or meant is None or pattern("verdicts", "unless").search(low):
            continue
        reviews = [(n, call) for n, call in enumerate(trace.ledger.calls) if _reviews(call)]
        left = [_untold(number, call, report, trace) for number, call in reviews]
        if left and all(left):
            yield told_otherwise(passage, PRINTED, f"what came back has `{left[-1]}`", match.group())
        return


def _touches(what: str, line: str, report: Report) -> bool:
    """Whether a report has a name of code or another rare word of a finding that is labelled as one."""
    at = line.lower().find(what)
    rare = _RARE.findall(line[at : at + len(what)])
    plain = [word for word in letters(what) if len(word) >= LONG and word not in stop_words()]
    return any(name.lower() in report.low for name in rare) or sum(word in report.low for word in plain) * 2 > len(
        plain
    )


_RARE = compiled(r"`[^`]+`|\b[A-Z][a-z]+[A-Z]\w*|\b\w+_\w+|\b[A-Z]{3,}\b|\b[a-z]+-[A-Z]+\b")
LONG = 5
"""A shorter word stands in any text."""


def _reviews(call: ToolCall) -> bool:
    """Whether a call gave another agent something to review."""
    return tool(call) in DELEGATES and pattern("verdicts", "asked").search(str(call.input).lower()) is not None


def _untold(number: int, call: ToolCall, report: Report, trace: TraceIndex) -> str:
    """A finding of a review in a file that the report does not name and that was not changed since; empty where there is none, or the answer is open."""
    answer = output_of(call)
    if call.background or CUT.search(answer) or pattern("verdicts", "well").search(answer.lower()):
        return ""
    for line in answer.splitlines():
        labelled = pattern("verdicts", "labelled").search(line.lower())
        if labelled is not None and not _touches(labelled["what"], line, report):
            later = any(change.number > number for change in trace.ledger.changes)
            return "" if later else line.strip()[:SHOWN]
        match = pattern("verdicts", "finding").search(line.lower())
        if match is None or posixpath.basename(match["file"]) in report.low:
            continue
        changed = (change for change in trace.ledger.changes if change.number > number)
        if not any(change_names(change, line[slice(*match.span("file"))]) for change in changed):
            return line.strip()[:SHOWN]
    return ""
