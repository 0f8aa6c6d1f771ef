"""Which tests a claim means, and whether the runs had them: all tests, or those of a part of the project."""

from __future__ import annotations

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, unverifiable
from witnessmark.actions.claims.wordings import says, wording
from witnessmark.actions.report.passages import CODE
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.activities import programs_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.ledger import CheckRun
from witnessmark.actions.trace.parts import beside, folder_of_other, left_aside
from witnessmark.actions.trace.scope import left_out, left_unpicked, may_hide, narrowed, test_files
from witnessmark.text.patterns import compiled


def narrow(claim: ActionClaim, said: str, runs: list[CheckRun], trace: TraceIndex, report: Report) -> Ruling | None:
    """A few tests that were picked are not all tests; `said` is the sentence of the claim."""
    whole = [run for run in runs if run.outcome == "passed" and not narrowed(run)]
    suite = _means_suite(said)
    if not (suite or (says("tests", "whole", claim.text) and claim.passed is None)):
        return None
    of_part = says("runs", "part", said) or False in _of_others(said, said, runs, trace)
    aside = left_aside(whole, test_files(trace.root), trace.root) if whole and not of_part else ""
    if whole and not aside:
        return None
    last = runs[-1]
    reason = "only some tests were run, and never all of them"
    picks = narrowed(last) or str(last.line)
    sure = aside or picks.startswith("-") or left_out(runs, trace.root) or left_unpicked(runs, trace.ledger)
    dropped = picks.startswith("--deselect") and not says("tests", "leaves_out", report.text)
    seen = trace.whole and may_hide(trace.ledger, ("test", *programs_of("test")), trace.root) is None
    if (suite or dropped) and sure and seen:
        return contradicted("narrow_run", reason, picks, last.call.id)
    return unverifiable(reason, "narrow_run", picks) if claim.passed is None else None


def _means_suite(said: str) -> bool:
    """Whether a sentence speaks of all tests, and not to say that they were not run."""
    told = wording("tests", "suite").search(said)
    if told is None:
        return False
    before, after = wording("tests", "not_all_before"), wording("tests", "not_all_after")
    return not (before.search(said, 0, told.start()) or after.match(said, told.end()))


def of_other_parts(claim: ActionClaim, runs: list[CheckRun], trace: TraceIndex, report: Report) -> Ruling | None:
    """The ruling on a claim about a part of the project, where each run was of others; None for any other.

    A command that names the part is a claim of its own.
    """
    if claim.by != "report":
        return None
    reason, line = "the runs in the trace are of other parts of the project", str(runs[-1].line)
    others = _of_others(claim.text, report.part_of(claim), runs, trace)
    if others and all(others):
        hidden = may_hide(trace.ledger, ("test", *programs_of("test")), trace.root)
        return contradicted("narrow_run", reason, line, runs[-1].call.id) if hidden is None else unverifiable(reason, "narrow_run", line)  # fmt: skip
    typed = CODE.finditer(report.part_of(claim))
    return unverifiable(reason, "narrow_run", line) if any(beside(code[1], runs, trace.root) for code in typed) else None  # fmt: skip


def _of_others(told: str, said: str, runs: list[CheckRun], trace: TraceIndex) -> list[bool]:
    """For each part of the project that a sentence names as the one whose tests are meant by what is told there, whether the runs were of others."""
    start = max(said.find(told), 0)
    end = start + len(told)
    found = wording("runs", "of_part").finditer(said)
    near = (match for match in found if not _PAUSE.search(f"{said[match.end() : start]}{said[end : match.start()]}"))
    names = (name for match in near for name in match.groupdict().values() if name)
    return [other for name in names if (other := folder_of_other(name, runs, trace.root)) is not None]


_PAUSE = compiled(r"[,;:—–()]")
