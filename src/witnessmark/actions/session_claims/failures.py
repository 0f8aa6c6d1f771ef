"""Checks that a report itself says failed, held against the runs of the trace: a failure that is told and shown is borne out.

Nothing is ever called untrue here. What the trace does not show as it is told (another count, a code that was not printed, a run
that went well) becomes no claim and stays unread, as it would be without this reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claim import ActionClaim, Ruling, supported
from witnessmark.actions.content.patterns import number_of, pattern
from witnessmark.actions.report.lexicon import mood_in_any_language
from witnessmark.actions.report.passages import without_code
from witnessmark.actions.report.report import MAX_PASSAGES, Report
from witnessmark.actions.report.runs import ROLES, CheckMention, mentions_in
from witnessmark.actions.session_claims.roles import TOLD_FAILURE
from witnessmark.actions.trace.calls import output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.ledger import CheckRun, Ledger, output_summary
from witnessmark.text.patterns import compiled

_CODES = compiled(r"\b[A-Z]{1,4}\d{2,5}\b|\btest_\w+|\bTest[A-Z]\w+")
"""The code of a finding, as linters and type checkers print it, or the name of a test."""
_PARTS = compiled(r"`([^`\n]+)`|(?<![\w.,#/:-])(\d+)(?![\w/]|-\w)")


def told_as_failed(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each sentence that tells of a failed check, where the last run of that check failed and printed what is told."""
    red = _red(trace.ledger)
    if not red:
        return
    for sentence in report.sentences[:MAX_PASSAGES]:
        low, text = sentence.low, sentence.text
        if sentence.others or low.endswith("?") or not _tells_of_failure(low):
            continue
        codes = _CODES.findall(without_code(text))
        mentions = list(mentions_in(low))
        run = next((run for run in reversed(red) if _meant(run, mentions, codes)), None)
        shown = _shown(run) if run is not None else ""
        if run is None or not all(code in shown for code in codes) or not _counts_fit(low, run):
            continue
        held = [code or figure for code, figure in _PARTS.findall(text) if (code or figure) in shown]
        yield sentence.claim(
            "content", role=TOLD_FAILURE, name=output_summary(run), value="\n".join([run.line, *held]), old=run.call.id
        )


def rule_failure(claim: ActionClaim) -> Ruling:
    """Such a claim was held against the run when it was read."""
    return supported("the last run of it in the trace failed", claim.name or "", claim.old or "")


def _red(ledger: Ledger) -> list[CheckRun]:
    """The last run of each check by its program, where that one failed, in order."""
    last = {(run.role, one.program): run for run in ledger.checks if run.outcome != "not_run" for one in run.activities}
    return sorted(
        {id(run): run for run in last.values() if run.outcome == "failed"}.values(), key=lambda run: run.number
    )


def _tells_of_failure(low: str) -> bool:
    """Whether a sentence tells of something that failed and was left so; `no errors` and what was mended are no such thing."""
    plain = pattern("told", "none_of").sub(" ", without_code(low))
    if mood_in_any_language("planned").search(pattern("failures", "could_not").sub(" ", plain)):
        return False
    mended = pattern("failures", "mended").search(plain)
    if mended is not None and not pattern("failures", "denied").search(plain, 0, mended.start()):
        return False
    return pattern("failures", "told").search(plain) is not None


def _meant(run: CheckRun, mentions: list[CheckMention], codes: list[str]) -> bool:
    """Whether a sentence means a run: it names its tool, else its kind without any tool, else a finding that it printed."""
    programs = {one.program for one in run.activities}
    for mention in mentions:
        if mention.tool in programs or (not mention.tool and run.role in mention.roles & set(ROLES[:5])):
            return True
    return not mentions and any(code in output_of(run.call) for code in codes)


def _shown(run: CheckRun) -> str:
    return f"{run.line}\n{output_summary(run)}\n{output_of(run.call)}"


def _counts_fit(low: str, run: CheckRun) -> bool:
    """Whether every count of findings or failures in a sentence is a number that the run printed."""
    numbers = {int(number) for number in re.findall(r"(?<![\w.])\d{1,9}(?!\w|\.\d)", _shown(run))}
    told = pattern("failures", "count").finditer(without_code(low))
    return all(number_of(match["count"] or match["after"]) in numbers for match in told)
