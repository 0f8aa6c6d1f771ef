"""Is what an agent's output says backed by what its tools gave back? The summary claim by claim, the data field by field.

The claims are read as those of an answer are: by rules, the embedded model and, where one is configured, a judge; and what words and records
cannot settle of the data is read with them, each value as a statement. Without evidence it abstains: that an agent says so is no evidence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from msgspec.structs import replace

from witnessmark.checks.grounding import grounding_check
from witnessmark.checks.grounding.evidence import sources_of
from witnessmark.checks.grounding.findings import coverage, sureness
from witnessmark.checks.grounding.wording import denies
from witnessmark.checks.output.data_fields import wrong_fields
from witnessmark.checks.output.data_values import (
    MOST_VALUES,
    PROSE,
    DataSources,
    DataValue,
    about_the_call,
    judged,
    values_of,
)
from witnessmark.checks.output.form import output_of, unfinished
from witnessmark.checks.output.stale_values import stale_claims, stale_fields
from witnessmark.checks.output.success import false_success
from witnessmark.core.case import AgentOutput, Answer, Case
from witnessmark.core.protocols import Asks
from witnessmark.core.registry import Look, check
from witnessmark.core.values import reads_as_json
from witnessmark.core.verdict import ASSERTS_NOTHING, Claim, Finding, Result, abstained, counted

EMPTY = ("[]", "{}", "null", '""')
RAN = (None, 0, 1)
"""Exit codes of a call that may have found nothing: 1 is what `grep` says then."""
NONE_THERE = 0.9
"""How probable it is that there is none of a thing where a search returned nothing: it may have searched for another."""


def _asks(case: Case, options: Mapping[str, Any]) -> Asks:
    """One question at most, about the summary and what is left of the data."""
    subject = case.subject
    text = ReadData.of(case, subject.data).text if isinstance(subject, AgentOutput) else case.text
    return grounding_check.claim_question(text, case.goal, case.evidence)


@check("output_backing", version="7", cost="local", services=grounding_check.SERVICES, asks=_asks)
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
        data = ReadData.of(case, output.data)
        read = data.told_apart(await engine(replace(case, subject=Answer(text=data.text), checkpoint=None)))
        if read.settled:
            read = _with_data(_with_runs(case, _nothing_found(case, read)), data)
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
    told = [(path, value) for path, value in _leaves(json.loads(text)) if path not in about_the_call()]
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


@dataclass(frozen=True, slots=True)
class ReadData:
    """The data of an output after words and records: the claims they settle, what is left for a reader, and the summary before it."""

    summary: str
    claims: tuple[Claim, ...]
    left: tuple[DataValue, ...]
    beyond: int = 0

    @classmethod
    def of(cls, case: Case, data: Any) -> ReadData:
        """What a record contradicts counts once; of the rest each value is looked at by itself."""
        sources = [(source.id, source.text) for source in sources_of(case.evidence)]
        against = (*wrong_fields(data, sources, f"{case.text} {case.goal}"), *stale_fields(case, data))
        known = {_field(one.text) for one in against}
        values = list(dict.fromkeys(values_of(data)))
        told = list(judged(values[:MOST_VALUES], DataSources(case, [text for _, text in sources], data)))
        claims = tuple(claim for _, claim in told if claim is not None and _field(claim.text) not in known)
        left = tuple(one for one, claim in told if claim is None and _field(one.text) not in known)
        return cls(case.text, (*against, *claims), left, len(values) - len(told))

    @property
    def text(self) -> str:
        """The summary, and after it a paragraph for each value that is left."""
        return "\n\n".join([self.summary.rstrip(), *(one.statement for one in self.left)])

    def told_apart(self, read: Result) -> Result:
        """The result with the claims of the data as such; of a few words beside a key nothing is contradicted for certain."""
        at, places = len(self.summary.rstrip()), {}
        for one in self.left:
            places[at + 2, at + 2 + len(one.statement)] = one
            at += 2 + len(one.statement)
        claims = tuple(_of_data(one, places) for one in read.claims)
        moved = {old.span for old, new in zip(read.claims, claims, strict=True) if old.span and new.span is None}
        findings = tuple(replace(one, span=None) if one.span in moved else one for one in read.findings)
        if read.status != "fail" or any(_ruled_out(one) for one in claims):
            return replace(read, claims=claims, findings=findings)
        sure, source = sureness(claims, "partial")
        return replace(
            read, status="partial", claims=claims, findings=findings, confidence=sure, confidence_source=source
        )


def _of_data(claim: Claim, places: Mapping[tuple[int, int], DataValue]) -> Claim:
    if claim.span is None:
        return claim
    one = next((one for span, one in places.items() if span[0] <= claim.span[0] < span[1]), None)
    if one is None:
        return claim
    named = replace(claim, kind="data" if claim.kind not in ASSERTS_NOTHING else claim.kind, span=None)
    if len(one.written.split()) >= PROSE:
        return named
    status = "unsupported" if _ruled_out(claim) else claim.status
    return replace(named, kind="data", text=one.text, status=status)


def _ruled_out(claim: Claim) -> bool:
    return claim.status == "contradicted" and claim.details.get("by") == "rule"


def _field(told: str) -> str:
    """The last key that a value stands under."""
    return told.partition(": ")[0].rpartition(".")[2]


def _with_data(read: Result, data: ReadData) -> Result:
    """The result with the values of the data: a wrong one keeps it from passing, and of those beyond the most that are read nobody can say."""
    beyond = f"{counted(data.beyond, 'value')} beyond the first {MOST_VALUES}"
    more = (Claim(text=beyond, kind="data", status="unverifiable", reason="not looked at"),) if data.beyond else ()
    claims = (*read.claims, *data.claims, *more)
    read = replace(read, claims=claims, coverage=coverage(claims))
    wrong = [one for one in data.claims if one.status != "supported"]
    if not wrong:
        return read
    settled = sum(claim.status != "unverifiable" for claim in read.claims) - len(data.claims)
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
