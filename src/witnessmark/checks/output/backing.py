"""Is what an agent's output says backed by what its tools gave back? The summary claim by claim, the data field by field.

The claims are read as those of an answer are: by rules, the embedded model and, where one is configured, a judge. Without
evidence it abstains: that an agent says so is no evidence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Unpack

from msgspec.structs import replace

from witnessmark.checks.grounding import grounding_check
from witnessmark.checks.grounding.evidence import sources_of
from witnessmark.checks.grounding.wording import denies
from witnessmark.checks.output.data_fields import wrong_fields
from witnessmark.checks.output.form import output_of, unfinished
from witnessmark.checks.output.stale import stale_claims, stale_fields
from witnessmark.checks.output.success import false_success
from witnessmark.core.case import Answer, Case
from witnessmark.core.registry import Look, check
from witnessmark.core.values import reads_as_json
from witnessmark.core.verdict import Claim, Finding, Result, abstained, counted
from witnessmark.text.dates import dates, without_dates
from witnessmark.text.numbers import figures

EMPTY = ("[]", "{}", "null", '""')
_ABOUT_THE_CALL = frozenset(
    "status ok success query message next page limit took took_ms elapsed time_ms request_id".split()
)
"""Keys of a result that say something of the call, and nothing of what it found."""
RAN = (None, 0, 1)
"""Exit codes of a call that may have found nothing: 1 is what `grep` says then."""
NONE_THERE = 0.9
"""How probable it is that there is none of a thing where a search returned nothing: it may have searched for another."""
MOST_FIGURES = 200
DEEP = 20


@check("output_backing", version="5", cost="local", services=grounding_check.SERVICES, asks=grounding_check.asks)
def output_backing(**services: Unpack[grounding_check.GroundingServices]) -> Look:
    """The summary's claims and the data's values are backed by the evidence: what the agent's tools returned."""
    engine = grounding_check.engine(services)

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        output = output_of(case)
        waiting = unfinished(output)
        if waiting is not None:
            return waiting
        case = _with_empty_outputs(case)
        if not sources_of(case.evidence):
            return abstained("no_evidence", "there is no tool output or source that the output could rest on")
        if not case.text.strip():
            return abstained("undecided", "there is no summary to look at")
        read = await engine(replace(case, subject=Answer(text=case.text), checkpoint=None))
        if read.settled:
            read = _with_data(_with_runs(case, _nothing_found(case, read)), _wrong_data(case, output.data))
        return replace(read, findings=(*read.findings, *_doubtful_calls(case, output.tools_used)))

    return look


def _nothing_found(case: Case, read: Result) -> Result:
    """The result where all that the tools returned is empty, and the summary says nothing else: that there is none."""
    settled = [one for one in read.claims if one.status != "unverifiable"]
    empty = all(_found_nothing(one.text.strip()) for one in sources_of(case.evidence))
    if not empty or not all(denies(one.text) for one in settled):
        return read
    backed = {"status": "supported", "reason": "the tools returned nothing", "words": (), "probability": NONE_THERE}
    claims = tuple(replace(one, **backed) if one in settled else one for one in read.claims)
    reason = "the tools returned nothing, and the summary says so"
    return replace(read, status="pass", score=1.0, reason=reason, confidence=NONE_THERE, findings=(), claims=claims)


def _with_empty_outputs(case: Case) -> Case:
    """The case with a call that ran and printed nothing as one that returned an empty list: it is evidence that there is none."""
    silent = [one for one in case.evidence if one.kind == "tool_call" and one.output == "" and one.exit_code in RAN]
    if not silent:
        return case
    return replace(case, evidence=tuple(replace(one, output=[]) if one in silent else one for one in case.evidence))


def _found_nothing(text: str) -> bool:
    """Whether what a tool returned is empty: no value in it but 0, no and what is said of the call itself."""
    if text in EMPTY:
        return True
    if text[:1] != "{" or not reads_as_json(text):
        return False
    told = [(path, value) for path, value in _leaves(json.loads(text)) if path not in _ABOUT_THE_CALL]
    return all(value in (0, False, None, "") for _, value in told)


def _leaves(data: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of some data with the key it stands under."""
    if isinstance(data, dict):
        for name, inner in data.items():
            yield from _leaves(inner, str(name).casefold())
    elif isinstance(data, list):
        for inner in data:
            yield from _leaves(inner, key)
    else:
        yield key, data


def _with_runs(case: Case, read: Result) -> Result:
    """The result with claims that a run went well over an output that shows a failure, and of values that a later call changed: those are contradicted."""
    calls = {source.id for source in case.evidence if source.kind == "tool_call"}
    outputs = [(one.id, one.text) for one in sources_of(case.evidence) if one.id in calls]
    wrong = {one.span: one for one in false_success(outputs, read.claims)}
    reason = "the summary says that a run went well, and the tool's output shows a failure"
    if not wrong:
        wrong = {one.span: one for one in stale_claims(case, read.claims)}
        reason = "the summary gives a value as it was before a later call changed it"
    if not wrong:
        return read
    claims = tuple(wrong.get(one.span, one) for one in read.claims)
    findings = tuple(one for one in read.findings if one.span not in wrong)
    left = sum(one.status == "supported" for one in claims) / sum(one.status != "unverifiable" for one in claims)
    return replace(
        read,
        status="fail",
        score=round(min(read.score or 0.0, left), 9),
        reason=reason,
        findings=(*map(_finding, wrong.values()), *findings),
        claims=claims,
        confidence=0.95,
    )


def _wrong_data(case: Case, data: Any) -> tuple[Claim, ...]:
    """What of the data a record contradicts, and what of it no source has; each field once."""
    sources = [(source.id, source.text) for source in sources_of(case.evidence)]
    against = (*wrong_fields(data, sources, f"{case.text} {case.goal}"), *stale_fields(case, data))
    known = {one.text.rpartition(": ")[0] for one in against}
    return (*against, *(one for one in _unbacked(case, data) if one.text.rpartition(": ")[0] not in known))


def _with_data(read: Result, wrong: tuple[Claim, ...]) -> Result:
    """The result with fields of the data that a record contradicts or no source has: they keep it from passing."""
    if not wrong:
        return read
    settled = sum(claim.status != "unverifiable" for claim in read.claims)
    score = (read.score or 0.0) * settled / (settled + len(wrong))
    against = sum(claim.status == "contradicted" for claim in wrong)
    absent = len(wrong) - against
    told = [f"{counted(against, 'value')} in the data that a record contradicts"] if against else []
    told += [f"{counted(absent, 'value')} in the data that no source has"] if absent else []
    certain = {"confidence": 1.0, "confidence_source": "deterministic"} if against else {}
    return replace(
        read,
        status="fail" if against or read.status == "fail" else "partial",
        score=round(score, 9),
        reason=" · ".join([read.reason, *told]),
        findings=(*read.findings, *map(_finding, wrong)),
        claims=(*read.claims, *wrong),
        **certain,
    )


def _finding(claim: Claim) -> Finding:
    against = claim.status == "contradicted"
    return Finding(
        message=claim.reason,
        category="contradicted_claim" if against else "unsupported_claim",
        severity="error" if against else "warning",
        quote=claim.text,
        span=claim.span,
        evidence=claim.evidence,
        words=claim.words,
        suggestion="Say what the tool returned."
        if against
        else "Use the value as the tool returned it, or say how it was found.",
    )


def _doubtful_calls(case: Case, tools_used: Any) -> Iterator[Finding]:
    """What speaks against the calls that the output rests on: one that failed, a tool of which there is no call."""
    calls = [source for source in case.evidence if source.kind == "tool_call"]
    for call in calls:
        if call.exit_code:
            yield Finding(
                message=f"the output rests on a call that ended with exit code {call.exit_code}",
                category="wrong_exit_code",
                severity="warning",
                quote=call.name or call.id,
                suggestion="Check that the call did what it was to do, or run it again.",
            )
    named = {call.name for call in calls if call.name}
    used = tools_used if isinstance(tools_used, (list, tuple)) else ()
    for tool in [tool for tool in used if isinstance(tool, str) and tool not in named] if named else ():
        yield Finding(
            message="a tool is said to have been used, and no call of it is among the evidence",
            category="not_in_trace",
            severity="warning",
            quote=tool,
            suggestion="Hand over the call and what it returned, or leave the tool out.",
        )


def _unbacked(case: Case, data: Any) -> Iterator[Claim]:
    """The figures among the data that stand in no source and not in the summary either, nor count what the data or a source lists."""
    sources = [source.text for source in sources_of(case.evidence)]
    told = [case.text, case.goal, *sources]
    known = {round(number, 9) for text in told for one in figures(text) for number in (one.low, one.high, one.face)}
    known |= {0.0, 1.0, float(len(sources)), *map(float, _lengths(data))}
    known |= {float(sum(bool(line.strip()) for line in text.splitlines())) for text in sources}
    for path, value in list(_numbers(data))[:MOST_FIGURES]:
        if not {round(value, 9), round(value * 100, 9)} & known:
            yield Claim(
                text=f"{path}: {value:g}" if path else f"{value:g}",
                kind="data",
                status="unsupported",
                reason="the data holds a figure that neither the summary nor any source has",
            )


def _numbers(data: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, float]]:
    """Every number among the data, those in its texts too, with where it stands."""
    if depth > DEEP:
        return
    if isinstance(data, Mapping):
        for name, inner in data.items():
            yield from _numbers(inner, f"{path}.{name}" if path else str(name), depth + 1)
    elif isinstance(data, (list, tuple)):
        for inner in data:
            yield from _numbers(inner, path, depth + 1)
    elif isinstance(data, str):
        yield from ((path, one.face) for one in without_dates(figures(data), dates(data)) if not one.worded)
    elif isinstance(data, (int, float)) and not isinstance(data, bool):
        yield path, float(data)


def _lengths(data: Any, depth: int = 0) -> Iterator[int]:
    """How many things each list and each table of the data holds: a figure may count them."""
    inner = data.values() if isinstance(data, Mapping) else data if isinstance(data, (list, tuple)) else ()
    if inner and depth <= DEEP:
        yield len(inner)
        for one in inner:
            yield from _lengths(one, depth + 1)
