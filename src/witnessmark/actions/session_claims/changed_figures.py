"""Figures that a report tells as one becoming another, against everything that the session was given and printed, and what the files held and hold.

Untrue only where the first is known and nothing anywhere has the second, in any unit and rounded as it is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, unverifiable
from witnessmark.actions.content.evidence import evidence_of
from witnessmark.actions.content.patterns import clause_at, first_match, is_barred, pattern
from witnessmark.actions.content.values import times
from witnessmark.actions.report.report import Report
from witnessmark.actions.session_claims.measures import Measure, has_figure, numbers_in
from witnessmark.actions.session_claims.roles import CHANGED
from witnessmark.actions.trace.changes import MANIFEST
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.digits import ungrouped
from witnessmark.text.patterns import compiled

_FIGURE = compiled(r"[`\"']?v?(\d{1,3}(?:,\d{3})+|\d{1,9})(\.\d{1,6})?(?![\d.]) ?[a-zµμ%]{0,12}[`\"']?")
"""A plain figure, with its unit; a version of three parts is none."""
_THINGS = compiled(r"\s*\*{0,2}\s(?:[a-z-]+ )?[a-z]{2,}s\b")
"""Things in the plural behind a whole number: what somebody may have counted by eye."""
LEAST_DIGITS = 2
"""A figure of one digit may count anything."""


def changed_nowhere(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each figure told as what another one became that nothing in the session has, where something has the other; what it was before may be known from elsewhere."""
    if not trace.whole or not trace.ledger.active:
        return
    told = [(passage, match) for passage in report.first for match in _changes_told(passage.sentence.low)]
    if not told or not trace.session_texts().complete:
        return
    known = numbers_in(trace.session_texts().everything)
    for passage, match in told:
        if _has(match["old"], known) and _has(match["new"], known) is False:
            yield passage.sentence.claim("content", role=CHANGED, value=match["new"], name=match["old"])


def _changes_told(low: str) -> Iterator[re.Match[str]]:
    """What a sentence tells as what something else became."""
    if pattern("mood", "back").search(low):
        return
    for match in (match for way in ("arrow", "from_to", "was") for match in pattern("values", way).finditer(low)):
        clause = clause_at(low, match.start(), match.end())
        if not (is_barred(clause) or pattern("measures", "other").search(clause) or _THINGS.match(low, match.end())):
            yield match


_VERSION = compiled(r"(?<![\w.])\d+\.\d+\.\d+(?![\w.]*\d)")


def version_nowhere(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for a version told as the one that it is now, which nothing in the session has, where a manifest was given another one."""
    if not trace.whole:
        return
    edits = [change for change in trace.ledger.changes if MANIFEST.search(change.path)]
    brought = [version for edit in edits for version in _VERSION.findall(edit.new or "") if version not in (edit.old or "")]  # fmt: skip
    for passage in report.first if brought and trace.session_texts().complete else ():
        match = first_match("values", "version_now", passage.sentence.low)
        version = match["version"] if match else ""
        if match is None or is_barred(clause_at(passage.sentence.low, match.start(), match.end())):
            continue
        if version not in trace.session_texts().everything:
            yield passage.sentence.claim("content", role=CHANGED, value=version, name=brought[-1])


def _figure(told: str) -> Measure | None:
    """A figure of two digits and more, and the last place that it is told to."""
    match = _FIGURE.fullmatch(told.strip())
    if match is None:
        return None
    whole, parts = ungrouped(match[1]), match[2] or ""
    return Measure(float(whole + parts), "", 1.0, 10.0 ** -max(len(parts) - 1, 0))


def _has(told: str, numbers: frozenset[float]) -> bool | None:
    """Whether one of these numbers is the figure that is told; None where it is no figure, or too short to tell."""
    figure = _figure(told)
    if figure is None:
        return None
    if any(has_figure(figure, number) for number in numbers):
        return True
    return None if len(re.sub(r"\D", "", told).lstrip("0")) < LEAST_DIGITS else False


def rule_change(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim against the files: one that has the figure may be where it comes from."""
    if view is None:
        return unverifiable("there is no tree to look at", there="not looked at")
    known, told = evidence_of(view, trace), (claim.value or "").strip("`\"' ")
    texts = [f"{text.old}\n{text.new}" for text in known.files()]
    if (
        not known.all_seen
        or not known.knows_old
        or any(times(told, text) or _has(told, numbers_in(text)) for text in texts)
    ):
        return unverifiable("a file may have the figure", there="not known")
    return contradicted("contradicted_claim", f"nothing in the session has {told}, and no file", claim.name or "")
