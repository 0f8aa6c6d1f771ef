"""Claims in a plain-language report: what its writer says was created, changed, deleted, renamed, run, tested, committed and sent.

By rules, in one pass over the lines; time and memory grow with the text up to a cap, and what lies beyond the cap is stated as
coverage. Planned, suggested, conditional, negated, quoted and merely read things are no claims. What looks like a claim and
names no file or command is listed as unverifiable; a statement of work that became no claim at all is listed as unread.
Nothing here looks at the world.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from witnessmark.actions.claims.claim import FILE_KINDS, ActionClaim
from witnessmark.actions.report.drafts import DraftClaim, merged
from witnessmark.actions.report.effects import asserted_in, effects_in
from witnessmark.actions.report.layout import lines
from witnessmark.actions.report.lexicon import PATTERNS
from witnessmark.actions.report.phrases.circumstances import in_passing
from witnessmark.actions.report.reader import ReportReader
from witnessmark.actions.report.sentences import MAX_CHARS
from witnessmark.core.values import Span, Unit, Value

MAX_CLAIMS = 10_000
_CHANGES = ("file_create", "file_write", "file_edit")


class UnreadStatement(Value, frozen=True):
    """A sentence that says work was done, and that became no claim."""

    text: str
    span: Span


class ReportClaims(Value, frozen=True):
    """What a report claims. `coverage` is the share of the text that was read; `unverifiable` names no file or command."""

    claims: tuple[ActionClaim, ...] = ()
    unverifiable: tuple[ActionClaim, ...] = ()
    unread: tuple[UnreadStatement, ...] = ()
    coverage: Unit = 1.0


def claims_in(report: str) -> ReportClaims:
    """The claims of a report, each with its exact place: files, commands and tests in the order of their words, then the others."""
    limit = min(len(report), MAX_CHARS)
    reader = ReportReader(report)
    for line in lines(report, limit):
        reader.take(line)
        if len(reader.said.found) >= MAX_CLAIMS:
            limit = line.end
            break
    reader.close()
    coverage = max(limit - reader.unread, 0) / len(report) if report else 1.0
    nothing_changed = PATTERNS.no_edits.search(report[:limit].lower()) is not None
    drafts = merged(
        reader.said.found,
        reader.said.files,
        nothing_changed=nothing_changed,
        loose=lambda draft: in_passing(report, draft.path or "", draft.start, draft.end),
    )
    kept = [_claim(report, draft) for draft in drafts]
    others = effects_in(report[:limit])
    run = {claim.command for claim in others if claim.kind == "command" and claim.role == "ran"}
    kept = [replace(claim, role="ran") if claim.kind == "command" and claim.command in run else claim for claim in kept]
    kept += _others(kept, others)
    unclear = tuple(_claim(report, draft) for draft in reader.said.unclear[:MAX_CLAIMS])
    unread = _unread(report[:limit], (*kept, *unclear))
    return ReportClaims(tuple(kept[:MAX_CLAIMS]), unclear, unread, min(coverage, 1.0))


def _others(known: Sequence[ActionClaim], others: Sequence[ActionClaim]) -> list[ActionClaim]:
    """The claims of the sentences that the lines do not have: one claim that tests pass, and each file once."""
    tested = any(claim.kind == "tests_passed" for claim in known)
    changed = {path for claim in known if claim.kind in FILE_KINDS and claim.path for path in _ways(claim.path)}
    paths = {(claim.kind, claim.path) for claim in known} | {(kind, path) for kind in _CHANGES for path in changed}
    commands = {claim.command for claim in known}
    kept: dict[tuple[object, ...], ActionClaim] = {}
    for claim in others:
        if claim.kind == "command" and claim.command in commands:
            continue
        if (claim.kind == "tests_passed" and tested) or (
            claim.kind in FILE_KINDS and (claim.kind, claim.path) in paths
        ):
            continue
        role = claim.role if claim.kind != "command" else None
        kept.setdefault((claim.kind, role, claim.path, claim.value, claim.old, claim.command), claim)
    return list(kept.values())


def _ways(path: str) -> tuple[str, str]:
    """A path, and its bare name."""
    return path, path.rpartition("/")[2]


def _unread(report: str, claims: Sequence[ActionClaim]) -> tuple[UnreadStatement, ...]:
    spans = [claim.span for claim in claims if claim.span]
    return tuple(
        UnreadStatement(report[at:end].strip(), (at, end))
        for at, end in asserted_in(report)
        if not any(start < end and at < stop for start, stop in spans)
    )


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
