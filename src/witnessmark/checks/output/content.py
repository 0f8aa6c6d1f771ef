"""What an agent's output says, as far as it shows without a judge; and how much its own confidence is worth.

The agent's confidence is a claim and no evidence, neither for its output nor against it: what was found by looking decides. Only
the profile `original` lets it count. An output that calls itself partial is capped, and flagged where its agent is sure of it all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.output.form import FAILED, faults, output_of, said_status, unfinished
from witnessmark.checks.plain import writing
from witnessmark.core.case import AgentOutput, Case
from witnessmark.core.policy import Policy
from witnessmark.core.registry import Look, check
from witnessmark.core.thresholds import threshold
from witnessmark.core.verdict import Cause, Finding, Result, Status, abstained, failed, passed
from witnessmark.text import lang
from witnessmark.text.failures import asked_for, failure

PASS, FLOOR, PARTIAL_AT_MOST = threshold("output_pass"), threshold("output_floor"), threshold("output_partial")
SURELY_BAD = 0.4
"""What an output counts for at most of which a part is wrong for certain: below the floor, however much else is right."""
ALIKE = 3
"""So many outputs with one and the same confidence say that it is not measured."""
MOST_WORDS = 2_000

_PARTIAL_STATUS = frozenset({"partial", "partially_done", "partially_completed", "incomplete", "partial_success"})


@check("output_content", version="4", cost="instant")
def output_content() -> Look:
    """The output is a complete answer: not a refusal, not cut off, no placeholders, not called failed by its agent."""
    looks = [writing.not_truncated(), writing.not_a_refusal(), writing.no_placeholders()]

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        output = output_of(case)
        waiting = unfinished(output)
        if waiting is not None:
            return waiting
        if not case.text.strip():
            return abstained("undecided", "there is no summary to look at")
        said = [result for ready in looks if isinstance(result := ready(case, prior), Result)]
        said = [_reservation(case, output, result) for result in said]
        findings = [finding for result in said for finding in result.findings]
        wrong = [result.reason for result in said if result.status == "fail"]
        broke = failure(case.text, case.goal)
        if broke is not None:
            findings.append(_error_instead(case.text, broke))
            wrong.append("an error message in place of a result")
        if said_status(output) in FAILED:
            findings.append(_own_failure())
            wrong.append("the agent itself reports a failure")
        findings += _length(case.text, output)
        return failed("; ".join(wrong), *findings) if wrong else passed("a complete answer", findings=tuple(findings))

    return look


def _reservation(case: Case, output: AgentOutput, result: Result) -> Result:
    """A refusal that comes after an answer, or beside data, is an honest word about what is missing, and no fault."""
    declines = [f for f in result.findings if f.category == "non_answer" and f.span is not None]
    if result.status != "fail" or not declines:
        return result
    if asked_for("refusal", case.goal):
        return passed("a refusal, as it was asked for")
    opening = re.search(r"[.!?:;](?:\s|$)", case.text)
    opens = opening is None or all(f.span is not None and f.span[0] < opening.end() for f in declines[:1])
    if opens and not _delivers(output.data):
        return result
    return passed("an answer, with a reservation in it", findings=tuple(replace(f, severity="info") for f in declines))


def _delivers(data: Any) -> bool:
    """Whether there is a result among the data, and not only a word about why there is none."""
    if isinstance(data, Mapping):
        return any(_delivers(value) for name, value in data.items() if name not in _EXCUSES)
    if isinstance(data, (list, tuple)):
        return any(_delivers(value) for value in data)
    return isinstance(data, (str, int, float)) and not isinstance(data, bool) and data != ""


_EXCUSES = frozenset({"error", "errors", "reason", "message", "note", "notes", "status"})


def _own_failure() -> Finding:
    return Finding(
        message="the agent itself reports a failure",
        category="non_answer",
        suggestion="Do the subgoal again, or hand it to another agent.",
    )


def _error_instead(text: str, span: tuple[int, int]) -> Finding:
    return Finding(
        message="the output is an error message in place of a result",
        category="non_answer",
        quote=text[slice(*span)],
        span=span,
        suggestion="Do the subgoal again, or hand it to another agent.",
    )


def _length(text: str, output: AgentOutput) -> Iterator[Finding]:
    words = len(text.split())
    if words > MOST_WORDS:
        yield Finding(
            message=f"the summary has {words:,} words",
            category="wrong_length",
            severity="warning",
            suggestion="Sum up in the summary, and put the rest into data.",
        )
    elif lang.speech("says_done").fullmatch(text) is not None and not _delivers(output.data):
        yield Finding(
            message="the summary says that it is done and nothing else, and there is no data",
            category="wrong_length",
            severity="warning",
            suggestion="Say what was found or done, in a sentence or two.",
        )


# --- confidence ---------------------------------------------------------------------------------------------------


@check("output_confidence", version="4", cost="instant", services=("policy",), categories=("overstated_confidence",))
def output_confidence(*, policy: Policy | None = None) -> Look:
    """How far the output can be relied on: the lowest of what its evidence and a judge say, and of what a part can be worth."""
    letter = policy is not None and policy.profile == "original"

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        output = output_of(case)
        waiting = unfinished(output)
        if waiting is not None:
            return waiting
        if "confidence" in dict(faults(output)):
            return abstained("undecided", "the agent gives no readable confidence")
        claimed = float(output.confidence)
        findings = (*_overstated(case, output, claimed), *_constant(case, claimed))
        most = _most(case, output, claimed, letter)
        looked = [prior[name] for name in LOOKED_BY if name in prior and not (letter and name == "output_backing")]
        heard = [result for result in looked if result.settled and result.score is not None]
        if heard or most < 1 or letter:
            weighed = _weighed(claimed, most, findings, heard)
            broken = next((result for result in looked if result.status == "error"), None)
            if broken is None or weighed.status != "pass" or letter:
                return weighed
            return abstained(broken.cause or "check_error", f"not all could be looked at: {broken.reason}", *findings)
        cause: Cause = next((result.cause for result in looked if result.cause is not None), "no_evidence")
        return abstained(cause, "nothing was checked: how sure the agent is of it is not evidence", *findings)

    return look


LOOKED_BY = ("output_backing", "output_addresses")
_WORST_FIRST = ("fail", "partial", "pass")


def _most(case: Case, output: AgentOutput, claimed: float, letter: bool) -> float:
    """What the output is worth at most by its own word: that it is a part, and to the letter also how sure its agent is of it."""
    part = admits_to_be_partial(case, output)
    if letter:
        return min(claimed, PARTIAL_AT_MOST) if part and claimed >= PASS else claimed
    return PARTIAL_AT_MOST if part else 1.0


def _weighed(claimed: float, own: float, findings: tuple[Finding, ...], heard: Sequence[Result]) -> Result:
    """The lower of what was found and of what the output's own word leaves (`own`)."""
    worst = min(heard, key=lambda said: (_WORST_FIRST.index(said.status), said.score or 0.0), default=None)
    found = worst.score if worst is not None else None
    effective = own if found is None else min(own, found)
    if worst is not None and worst.status == "fail" and worst.confidence_source == "deterministic":
        effective = min(effective, SURELY_BAD)
    label = "self_reported" if found is None else "verifier" if found < own else "self_below_verifier"
    details: dict[str, Any] = {"self_confidence": claimed, "effective": effective, "label": label}
    if found is not None:
        details["verifier_score"] = found
    # That it is a part, or to the letter that its agent is unsure, needs nobody's calibration.
    admitted = own < PASS and own == effective
    status: Status = "pass" if effective >= PASS else "partial" if effective >= FLOOR else "fail"
    if worst is not None and not admitted and worst.status != "pass":
        status = worst.status  # what was found short fails only where that is certain
    by = worst if worst is not None and not admitted else None
    return Result(
        status=status,
        score=effective,
        reason=f"effective confidence {effective:g} ({label.replace('_', ' ')}; the agent says {claimed:g})",
        coverage=min((said.coverage for said in heard), default=1.0),
        confidence=None if admitted else by.confidence if by is not None else claimed,
        confidence_source="deterministic" if admitted else by.confidence_source if by is not None else "reported",
        independence="deterministic" if admitted else by.independence if by is not None else "none",
        judge=by.judge if by is not None else None,
        prompt=by.prompt if by is not None else None,
        findings=findings,
        details=details,
    )


def admits_to_be_partial(case: Case, output: AgentOutput) -> bool:
    """Whether the output says of itself that it is not all: in its words, its status, or a flag in data or metadata."""
    told = [part for part in (output.metadata, output.data) if isinstance(part, Mapping)]
    flagged = any(part.get("partial") is True or part.get("complete") is False for part in told)
    errors = isinstance(output.metadata, Mapping) and bool(output.metadata.get("errors"))
    return (
        flagged
        or errors
        or said_status(output) in _PARTIAL_STATUS
        or lang.speech("partial").search(case.text) is not None
    )


def _overstated(case: Case, output: AgentOutput, claimed: float) -> Iterator[Finding]:
    if claimed >= PASS and admits_to_be_partial(case, output):
        yield Finding(
            message=f"the agent is {claimed:g} sure of an output that it calls partial itself",
            category="overstated_confidence",
            suggestion="Finish the subgoal, or lower the confidence to what the part is worth.",
        )


def _constant(case: Case, claimed: float) -> Iterator[Finding]:
    others = list(other_confidences(case))
    if len(others) + 1 >= ALIKE and all(other == claimed for other in others):
        yield Finding(
            message=f"all {len(others) + 1} outputs carry the confidence {claimed:g}; it is probably not measured",
            category="overstated_confidence",
            severity="warning",
            suggestion="Let the agent say how sure it is of this output, or have a judge read it.",
        )


def other_confidences(case: Case) -> Iterator[float]:
    """The confidences of the other outputs of the run, from `context.outputs` and the agent outputs among the evidence."""
    listed = case.context.get("outputs")
    told = listed if isinstance(listed, (list, tuple)) else []
    sources = [source.data for source in case.evidence if source.kind == "agent_output"]
    for output in (*told, *sources):
        value = output.get("confidence") if isinstance(output, Mapping) else None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield float(value)
