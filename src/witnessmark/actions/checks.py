"""The checks of checkpoint `actions`, level by level: structure, tool outputs, the world; and what nobody said.

Each level says in its details which levels ran and which one failed; a level runs only where the one before it held. What is
handed in: `world` (root, snapshots, traces), `schemas` (of tools), `policy`, and `reader`, which finds claims in plain words;
it is the rules of `witnessmark.actions.report.claims`, unless another is handed in, or None for no reader at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import msgspec

from witnessmark.actions.claim import FILE_KINDS, ActionClaim, Ruling, words
from witnessmark.actions.claims import collect, declared_claims, disclosure
from witnessmark.actions.claims.collect import Reader, in_words
from witnessmark.actions.claims.findings import FIXES, QUOTED, finding, left_out, not_read, unmentioned
from witnessmark.actions.report.claims import unread_in
from witnessmark.actions.report.report import NO_REPORT, Report
from witnessmark.actions.session_claims.quoted_documents import report_of
from witnessmark.actions.tool_schemas import ToolSchemas
from witnessmark.actions.trace.calls import Trace
from witnessmark.actions.trace.reader import resolved
from witnessmark.actions.tree.snapshot import TreeChange
from witnessmark.actions.tree.view import TreeState, TreeView
from witnessmark.core.case import AgentOutput, Case
from witnessmark.core.errors import InputError
from witnessmark.core.policy import Policy
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import (
    Claim,
    ClaimStatus,
    EvidenceRef,
    Finding,
    Result,
    abstained,
    counted,
    failed,
    passed,
)

if TYPE_CHECKING:
    from witnessmark.actions.claims.omissions import Danger
    from witnessmark.core.verdict import Severity

MAX_FINDINGS = 200
MAX_UNREAD = 50
_NOWHERE = TreeState()
_DEFAULT = Policy()


def _output(case: Case) -> AgentOutput:
    if not isinstance(case.subject, AgentOutput):
        raise InputError(f"subject.kind: actions are checked for an agent_output, not {case.kind}")
    return case.subject


def _levels(prior: Mapping[str, Result], level: int, *, wrong: bool) -> dict[str, Any]:
    """Which levels have run so far, and which one failed."""
    before = [result.details.get("levels_run", ()) for result in prior.values()]
    ran = sorted({level, *(number for numbers in before for number in numbers)})
    return {"levels_run": ran, "failed_level": level if wrong else None}


def _failed_below(prior: Mapping[str, Result]) -> int | None:
    numbers = [result.details.get("failed_level") for result in prior.values()]
    return next((number for number in numbers if number is not None), None)


def _stopped(level: int) -> Result:
    return Result(status="skipped", cause="skipped", reason=f"level {level} failed first")


# --- level 1 -----------------------------------------------------------------------------------------------------


@check("output_structure", version="2", cost="instant", services=("reader",))
def output_structure(*, reader: Reader | None = in_words) -> Look:
    """The report has the required format: summary, traceRef, readable claims, small artifacts."""

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        _, findings = declared_claims.look(_output(case), words=reader is not None)
        levels = _levels(prior, 1, wrong=bool(findings))
        if not findings:
            return passed("well formed", details=levels)
        first = f"{counted(len(findings), 'format error')}, first: {findings[0].message}"
        return failed(first, *_bounded(findings), details=levels)

    return look


def _bounded(findings: Sequence[Finding]) -> list[Finding]:
    more = len(findings) - MAX_FINDINGS
    if more <= 0:
        return list(findings)
    left = Finding(message=f"{more:,} more of these", category=findings[-1].category, severity=findings[-1].severity)
    return [*findings[:MAX_FINDINGS], left]


# --- level 2 -----------------------------------------------------------------------------------------------------


@check("tool_outputs", version="2", cost="local", services=("schemas", "world"))
def tool_outputs(*, schemas: ToolSchemas | None = None, world: TreeState = _NOWHERE) -> Look:
    """What tools returned matches the schemas they declare; a tool without a schema is not checked."""
    known = schemas or ToolSchemas()

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        stopped = _failed_below(prior)
        if stopped is not None:
            return _stopped(stopped)
        declared = known.with_more(_declared_in(case, known))
        trace, _ = resolved(case, _output(case).trace_ref, world.traces)
        findings, looked = declared.findings(trace.calls) if trace is not None and declared else ([], 0)
        if not looked:
            return passed("no tool with a declared schema was called", details={"levels_run": _ran(prior)})
        levels = _levels(prior, 2, wrong=bool(findings))
        if not findings:
            return passed(
                f"{counted(looked, 'tool output matches its schema', 'tool outputs match their schemas')}",
                details=levels,
            )
        return failed(
            f"{counted(len(findings), 'fault')} in tool outputs: {findings[0].message}",
            *_bounded(findings),
            details=levels,
        )

    return look


def _declared_in(case: Case, known: ToolSchemas) -> Mapping[str, Any]:
    """Schemas that whoever put the case together declared in its context; the output itself cannot."""
    given, manifests = case.context.get("tool_schemas") or {}, case.context.get("tool_manifests") or ()
    if not isinstance(given, Mapping):
        raise InputError("context.tool_schemas: should be an object with one schema per tool")
    if not isinstance(manifests, list | tuple):
        raise InputError("context.tool_manifests: should be a list of manifests, or of references to them")
    found: dict[str, Any] = {}
    for number, manifest in enumerate(manifests):
        try:
            found |= known.manifest_schemas(manifest)
        except InputError as exc:
            raise InputError(f"context.tool_manifests[{number}]: {exc}") from None
    return found | dict(given)


def _ran(prior: Mapping[str, Result]) -> list[int]:
    return sorted({number for result in prior.values() for number in result.details.get("levels_run", ())})


# --- level 3 -----------------------------------------------------------------------------------------------------


@check("claimed_actions", version="15", cost="local", services=("world", "policy", "reader"))
def claimed_actions(
    *, world: TreeState = _NOWHERE, policy: Policy = _DEFAULT, reader: Reader | None = in_words
) -> Look:
    """Every claim of the report is confirmed by the tree and the trace; what cannot be checked is not called true."""

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        stopped = _failed_below(prior)
        if stopped is not None:
            return _stopped(stopped)
        trace, source = resolved(case, _output(case).trace_ref, world.traces)
        known = collect.trace_index(trace)
        report = report_of(case.text, known)
        claims = collect.where_meant(collect.claims_of(case, report, reader, known), world, known)
        if claims:
            rulings = collect.hold_all(claims, world, known, source, report)
            written = collect.as_written(claims, report)
            concluded = _concluded(written, rulings, source if trace is not None else "", prior)
        else:
            concluded = _nothing_claimed(world, policy, trace, prior, worded=_in_words(case))
        told = "\n".join([case.text, *(path for claim in claims for path in claim.paths)])
        concluded = _with_dangers(concluded, collect.left_out(world, known, told))
        in_words = reader is not None and not _output(case).present().get("claims")
        return _with_unread(concluded, report if in_words else NO_REPORT, claims)

    return look


def _with_unread(result: Result, report: Report, claims: Sequence[ActionClaim]) -> Result:
    """The result with the statements that no claim was read from, or not all of them, and with the share of all that is settled."""
    left = unread_in(report, claims)
    open_ = sum(claim.status == "unverifiable" for claim in result.claims)
    all_ = len(result.claims) + len(left)
    coverage = round(1 - (open_ + len(left)) / all_, 9) if result.settled and open_ < len(result.claims) else 1.0
    listed = [{"text": one.text[:QUOTED], "span": list(one.span), "why": one.why} for one in left[:MAX_UNREAD]]
    more = {"unread": listed, "unread_count": len(left)} if left else {}
    return msgspec.structs.replace(result, coverage=coverage, details=result.details | more)


def _in_words(case: Case) -> bool:
    """Whether a report is words alone: it names no trace and lists no claims, so that nobody asked it for a list."""
    given = _output(case).present()
    return not {"traceRef", "claims", "artifacts"} & given.keys()


def _with_dangers(result: Result, dangers: Sequence[Danger]) -> Result:
    """The result with what was done and must not go unsaid; any of it fails the check."""
    if not dangers:
        return result
    findings = [left_out(danger, "done but not reported: ") for danger in dangers[:MAX_FINDINGS]]
    many = "1 thing was" if len(dangers) == 1 else f"{len(dangers)} things were"
    reason = f"{many} done that must be reported or undone, first: {findings[0].message}"
    details = result.details | {"failed_level": 3, "unsaid": len(dangers)}
    score = result.score if result.status == "fail" else 0.0
    kept = result.findings if result.status == "fail" or not result.claims else ()
    return Result(
        status="fail",
        score=score,
        reason=result.reason if result.status == "fail" else reason,
        findings=(*kept, *findings),
        claims=result.claims,
        details=details,
    )


def _claim(claim: ActionClaim, ruling: Ruling, by_trace: tuple[EvidenceRef, ...]) -> Claim:
    assert ruling.status != "superseded"
    status: ClaimStatus = ruling.status
    details = {"there": ruling.there}
    if ruling.category:
        details["category"] = ruling.category
    if claim.path is not None:
        details["path"] = claim.path
    if ruling.by:
        details["call"] = ruling.by
    return Claim(
        text=words(claim)[:QUOTED],
        kind=claim.kind,
        status=status,
        span=claim.span,
        evidence=by_trace if ruling.by else (),
        reason=ruling.reason,
        details=details,
        check="claimed_actions",
    )


def _concluded(
    claims: Sequence[ActionClaim], rulings: Sequence[Ruling], source: str, prior: Mapping[str, Result]
) -> Result:
    by_trace = (EvidenceRef(id=source),) if source else ()
    said = tuple([_claim(claim, ruling, by_trace) for claim, ruling in zip(claims, rulings, strict=True)])
    wrong = [number for number, ruling in enumerate(rulings) if ruling.wrong]
    held = sum(ruling.status == "supported" for ruling in rulings)
    levels = _levels(prior, 3, wrong=bool(wrong)) | {"claims": len(claims), "supported": held, "wrong": len(wrong)}
    if wrong:
        findings = [_finding(number, claims[number], rulings[number], "error") for number in wrong[: MAX_FINDINGS + 1]]
        first = ": " if len(claims) == 1 else ", first: "
        reason = f"{_of_all(len(wrong), len(claims), 'does not hold', 'do not hold')}{first}{rulings[wrong[0]].reason}"
        score = held / (held + len(wrong))
        return Result(
            status="fail",
            score=round(score, 9),
            reason=reason,
            findings=tuple(_cut(findings, wrong)),
            claims=said,
            details=levels,
        )
    if not held:
        none = "the claim cannot be checked" if len(claims) == 1 else f"none of {len(claims)} claims can be checked"
        reason = f"{none}: {rulings[0].reason}"
        findings = [_finding(n, claims[n], rulings[n], "warning") for n in range(min(len(claims), MAX_FINDINGS + 1))]
        return abstained("no_evidence", reason, *_bounded(findings), claims=said, details=levels)
    return passed(_of_all(held, len(claims), "holds", "hold"), claims=said, details=levels)


def _of_all(count: int, all_: int, does: str, do: str) -> str:
    """`the claim holds`, `1 of 2 claims holds`, `2 of 2 claims hold`."""
    return f"the claim {does}" if all_ == 1 else f"{count} of {all_} claims {does if count == 1 else do}"


def _cut(findings: list[Finding], wrong: list[int]) -> list[Finding]:
    if len(wrong) <= MAX_FINDINGS:
        return findings
    last = findings[MAX_FINDINGS]
    return [
        *findings[:MAX_FINDINGS],
        Finding(message=f"{len(wrong) - MAX_FINDINGS:,} more claims do not hold", category=last.category),
    ]


def _finding(number: int, claim: ActionClaim, ruling: Ruling, severity: Severity) -> Finding:
    return finding(claim, ruling, severity, message=f"claim {number + 1}: {ruling.reason}")


def _nothing_claimed(
    world: TreeState, policy: Policy, trace: Trace | None, prior: Mapping[str, Result], *, worded: bool
) -> Result:
    """No claims: wrong where the policy asks for a list and something changed; otherwise nothing can be said, never a pass.

    Words in which no claim was read are no proof of silence, so they are unverified.
    """
    required = policy.require_claims
    if required == "always":
        return _silent("the policy requires claims, and there are none", trace, prior)
    changes = world.changes() if required == "if_changed" else None
    unsaid = disclosure.undisclosed(changes, (), policy.allowed_paths) if changes is not None else ()
    writes = required == "if_changed" and any(claim.kind in FILE_KINDS for claim in collect.offered_claims(trace))
    if (unsaid or writes) and not worded:
        return _silent("something changed, and nothing was claimed", trace, prior)
    levels = _levels(prior, 3, wrong=False)
    if unsaid or writes:
        silent = _silent("something changed, and the report contains no readable claim", trace, prior)
        warnings = [msgspec.structs.replace(finding, severity="warning") for finding in silent.findings]
        offered = {"offered": silent.details["offered"]} if "offered" in silent.details else {}
        return abstained("no_claims", silent.reason, *warnings, details=levels | offered)
    why = ", and nothing changed" if changes is not None else ", so there is nothing to check"
    return abstained("no_claims", f"nothing was claimed{why}", details=levels)


def _silent(reason: str, trace: Trace | None, prior: Mapping[str, Result]) -> Result:
    """Nothing was said: the claims that the trace bears out are offered, for the agent to make them its own."""
    offered = [words(claim)[:QUOTED] for claim in collect.offered_claims(trace)]
    finding = Finding(
        message=reason,
        category="no_claims",
        suggestion="List what was done as claims.",
        quote="; ".join(offered)[:QUOTED] or None,
    )
    details = _levels(prior, 3, wrong=True) | ({"offered": offered[:MAX_FINDINGS]} if offered else {})
    return failed(reason, finding, details=details)


# --- beside the levels -------------------------------------------------------------------------------------------


@check("unverifiable_claims", version="2", cost="local")
def unverifiable_claims() -> Look:
    """Every claim could be checked; abstains for those that could not, so that nobody overlooks them."""

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        held = prior["claimed_actions"]
        open_ = [claim for claim in held.claims if claim.status == "unverifiable"]
        left, unread = int(held.details.get("unread_count", 0)), held.details.get("unread", ())
        if not open_ and held.status == "fail":
            # Being able to look earns nothing where what was seen is wrong.
            return Result(status="skipped", cause="skipped", reason="claims do not hold")
        if not open_ and not left:
            return passed("every claim could be checked")
        findings = [
            Finding(
                message=f"cannot be verified: {claim.reason}",
                category=str(claim.details.get("category", "unverifiable_claim")),
                severity="warning",
                quote=claim.text,
                span=claim.span,
                suggestion=FIXES.get(str(claim.details.get("category")), FIXES["unverifiable_claim"]),
            )
            for claim in open_[: MAX_FINDINGS + 1]
        ]
        if unread:
            findings.append(not_read(left, unread[0]))
        return abstained(
            "no_evidence", f"{counted(len(open_) + left, 'statement')} cannot be verified", *_bounded(findings)
        )

    return look


@check("undisclosed_changes", version="4", cost="local", services=("world", "policy", "reader"))
def undisclosed_changes(
    *, world: TreeState = _NOWHERE, policy: Policy = _DEFAULT, reader: Reader | None = in_words
) -> Look:
    """Nothing changed that nobody mentioned. A warning, unless the policy's must_pass names this check."""

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        if _failed_below({name: prior[name] for name in prior if name == "output_structure"}) is not None:
            return _stopped(1)
        changes = world.changes()
        if changes is None:
            return abstained("no_evidence", "no earlier snapshot, so what changed is unknown")
        trace, _ = resolved(case, _output(case).trace_ref, world.traces)
        claims = collect.where_meant(collect.claims_of(case, Report(case.text), reader), world, trace, changes)
        unsaid = _unsaid(changes, claims, policy, world, case.text if reader is not None else "")
        needed = _unsaid(changes, (), policy, world, "")  # what nobody needs to say is not counted
        details: dict[str, Any] = {"changes": len(changes), "undisclosed": len(unsaid)}
        if not unsaid:
            return passed("every change was mentioned" if changes else "nothing changed", details=details)
        findings = [unmentioned(change) for change in unsaid[: MAX_FINDINGS + 1]]
        return failed(
            f"{len(unsaid)} of {counted(len(needed), 'change')} {'was' if len(unsaid) == 1 else 'were'} not mentioned",
            *_bounded(findings),
            details=details,
        )

    return look


def _unsaid(
    changes: Sequence[TreeChange], claims: Sequence[ActionClaim], policy: Policy, world: TreeState, report: str
) -> tuple[TreeChange, ...]:
    with nullcontext() if world.root is None else TreeView(world) as view:
        return disclosure.undisclosed(changes, claims, policy.allowed_paths, view, report)
