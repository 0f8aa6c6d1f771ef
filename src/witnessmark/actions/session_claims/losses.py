"""Rows told as all kept, where the run whose figures the sentence has printed how many it dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.content.patterns import PRINTED, pattern, told_otherwise
from witnessmark.actions.report.passages import without_code
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.calls import is_command, output_of
from witnessmark.actions.trace.index import CUT, TraceIndex
from witnessmark.text.digits import ungrouped
from witnessmark.text.patterns import compiled

_FIGURE = compiled(r"(?<![\w.,:/-])(?:\d{1,3}(?:,\d{3})+|\d{2,9})(?![\w/:-]|[.,]\d)")


def losses_told_as_none(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each sentence that says nothing was dropped, where the last run that counted it, and that printed a figure of the sentence, dropped some."""
    if not trace.whole or not trace.ledger.active:
        return
    for passage in report.first:
        low = without_code(passage.sentence.low)
        match = pattern("losses", "none").search(low)
        if match is None or pattern("losses", "limited").search(low):
            continue
        lost = _lost(match["what"], frozenset(map(ungrouped, _FIGURE.findall(low))), trace)
        if lost and lost not in map(ungrouped, _NUMBER.findall(report.low)):
            yield told_otherwise(passage, PRINTED, f"the run printed {lost} as {match['what']}", match.group())


_NUMBER = compiled(r"\d{1,3}(?:,\d{3})+|\d+")


def _lost(what: str, figures: frozenset[str], trace: TraceIndex) -> str:
    """How many the last run that counts them, with a figure of these, printed as lost; empty where it printed none, or another may be meant."""
    counted = re.compile(pattern("losses", "counted").pattern.replace("LABEL", what), re.MULTILINE)
    for number, call in reversed(list(enumerate(trace.ledger.calls))):
        output = output_of(call).lower() if is_command(call) else ""
        found = [ungrouped(one or other) for one, other in counted.findall(output)]
        if not found:
            continue
        printed = set(map(ungrouped, _NUMBER.findall(output)))
        sure = figures & printed and "0" not in found and len(set(found)) == 1 and not CUT.search(output)
        return found[0] if sure and trace.ledger.opaque_after(number) is None else ""
    return ""
