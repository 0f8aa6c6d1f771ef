"""A claim that does not hold, as a finding: the words that are wrong, what is there instead, and what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from witnessmark.actions.claim import ActionClaim, words
from witnessmark.actions.tree.snapshot import unquoted
from witnessmark.core.verdict import Finding, SourceWords, WrongWords

if TYPE_CHECKING:
    from witnessmark.actions.claim import Ruling
    from witnessmark.actions.claims.omissions import Danger
    from witnessmark.actions.tree.snapshot import TreeChange
    from witnessmark.core.verdict import Severity

QUOTED = 300
"""Characters of a claim that a finding quotes."""
FIXES = {
    "file_not_found": "Write the file, or withdraw the claim.",
    "hash_mismatch": "State the sha256 of the file's actual bytes, or write what was claimed.",
    "anchor_mismatch": "Apply the edit and quote the new text as it stands in the file, or withdraw the claim.",
    "filesystem_mismatch": "Do what was claimed, or withdraw the claim.",
    "outside_root": "Claim paths from the root of the work, without .. and links.",
    "not_in_trace": "Run it and provide the trace, or withdraw the claim.",
    "stale_run": "Run the tests again, since code was changed after the last run.",
    "narrow_run": "Run all tests, or say which ones were run.",
    "wrong_exit_code": "State how it really ended.",
    "wrong_counts": "State the counts the runner printed, or fix what fails and run it again.",
    "trace_unresolved": "Provide the agent's trace: with --trace FILE, or as the evidence that traceRef names.",
    "contradicted_claim": "Do what was claimed, or say what is so.",
    "undisclosed_change": "Say so in the report, or revert it.",
    "weakened_test": "Say so in the report, or revert it.",
    "secret_written": "Take it out of the file, and replace it where it is in use.",
    "unverifiable_claim": "Provide something to check it against: a digest, an earlier snapshot, a trace.",
}
_RECORDED = frozenset({"command", "tests_passed", "check_passed", "http", "git"})
"""Kinds whose `there` is what the trace recorded, in its own words."""
_NOTHING = frozenset({"", "nothing", "not in the trace", "no trace", "not looked at"})


def finding(claim: ActionClaim, ruling: Ruling, severity: Severity = "error", *, message: str = "") -> Finding:
    """What is wrong with a claim, with the words of it that are; `message` in place of the ruling's reason."""
    return Finding(
        message=message or ruling.reason,
        category=ruling.category or "unknown",
        severity=severity,
        quote=words(claim)[:QUOTED],
        span=claim.span,
        words=_wrong(claim, ruling) if ruling.wrong else (),
        suggestion=FIXES.get(ruling.category),
    )


def left_out(danger: Danger, unsaid: str = "") -> Finding:
    """What was done and must be said; `unsaid` stands before it, unless it is a secret, which may not be there even where it is told."""
    return Finding(
        message=f"{'' if danger.kind == 'secret' else unsaid}{danger.path}: {danger.what}",
        category=danger.category,
        quote=danger.path[:QUOTED] if unsaid else None,
        suggestion=FIXES[danger.category],
    )


def unmentioned(change: TreeChange) -> Finding:
    """A change that nobody mentioned."""
    return Finding(
        message=f"a change nobody mentioned: {change.words()}",
        category="undisclosed_change",
        severity="warning",
        quote=unquoted(change.path)[:QUOTED].encode("utf-8", "replace").decode(),
        suggestion="Mention the change, or revert it.",
    )


def not_read(many: int, first: Mapping[str, Any]) -> Finding:
    """One finding for all statements that no claim was read from, with the first one's words and place."""
    more = f", and {many - 1} more" if many > 1 else ""
    return Finding(
        message=f"not looked at: {first.get('why', 'nothing in it can be checked')}{more}",
        category="unverifiable_claim",
        severity="warning",
        quote=first["text"],
        span=tuple(first["span"]),
        suggestion=FIXES["unverifiable_claim"],
    )


def _wrong(claim: ActionClaim, ruling: Ruling) -> tuple[WrongWords, ...]:
    """The part of the claim that does not hold, where it stands in the claim's words; nothing where it stands nowhere."""
    quote = words(claim)[:QUOTED]
    counts = [str(count) for count in (claim.passed, claim.failed) if count is not None]
    # A figure may be written without the space between it and its unit: `95%`.
    figure = (claim.value or "").partition(" ")[0] if claim.kind == "check_passed" else None
    parts = (claim.command, claim.to, claim.path, claim.url, claim.value, figure, *counts)
    part = next((part for part in parts if part and part in quote), None)
    if part is None:
        return ()
    # A count is a figure of its own: the 5 of `45, all 5 tests` is not the one in 45.
    whole = re.search(rf"(?<![\w.,]){re.escape(part)}(?![\w])", quote) if part.isdigit() else None
    at = whole.start() if whole is not None else quote.find(part)
    span = (claim.span[0] + at, claim.span[0] + at + len(part)) if claim.span is not None else None
    recorded = claim.kind in _RECORDED and ruling.there not in _NOTHING
    closest = SourceWords(id="trace", text=ruling.there) if recorded else None
    return (WrongWords(text=part, span=span, closest=closest),)
