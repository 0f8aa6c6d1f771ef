"""Claims in a plain-language report: what its writer says was created, changed, deleted, renamed, run and tested.

By rules, in one pass over the lines; time and memory grow with the text up to a cap, and what lies beyond the cap is stated as
coverage. Planned, suggested, conditional, negated, quoted and merely read things are no claims. What looks like a claim and
names no file or command is listed as unverifiable. Nothing here looks at the world.
"""

from __future__ import annotations

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.report.draft_claim import DraftClaim
from witnessmark.actions.report.layout import lines
from witnessmark.actions.report.lexicon import PATTERNS
from witnessmark.actions.report.merge import merged
from witnessmark.actions.report.reader import ReportReader
from witnessmark.core.values import Unit, Value

MAX_CHARS = 300_000
MAX_CLAIMS = 10_000


class ReportClaims(Value, frozen=True):
    """What a report claims. `coverage` is the share of the text that was read; `unverifiable` names no file or command."""

    claims: tuple[ActionClaim, ...] = ()
    unverifiable: tuple[ActionClaim, ...] = ()
    coverage: Unit = 1.0


def claims_in(report: str) -> ReportClaims:
    """The claims of a report, in the order of their words, each with its exact place."""
    limit = min(len(report), MAX_CHARS)
    reader = ReportReader(report)
    for line in lines(report, limit):
        reader.take(line)
        if len(reader.said.found) >= MAX_CLAIMS:
            limit = line.end
            break
    reader.close()
    coverage = max(limit - reader.unread, 0) / len(report) if report else 1.0
    kept = merged(
        reader.said.found,
        reader.said.files,
        nothing_changed=PATTERNS.no_edits.search(report[:limit].lower()) is not None,
    )
    unclear = tuple(_claim(report, found) for found in reader.said.unclear[:MAX_CLAIMS])
    return ReportClaims(tuple(_claim(report, found) for found in kept), unclear, min(coverage, 1.0))


def _claim(report: str, found: DraftClaim) -> ActionClaim:
    return ActionClaim(
        kind=found.kind,
        path=found.path,
        to=found.to,
        command=found.command,
        exit_code=found.exit_code,
        passed=found.passed,
        failed=found.failed,
        by="report",
        text=report[found.start : found.end],
        span=(found.start, found.end),
    )
