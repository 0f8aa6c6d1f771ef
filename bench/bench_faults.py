"""Fault injection: which ways to break a good case are noticed without a judge, and how many good cases raise an alarm."""

from __future__ import annotations

from pathlib import Path

from bench.measure import ROOT, table
from witnessmark.core.case import Case
from witnessmark.core.record import Record
from witnessmark.testing import faults
from witnessmark.verifier import Verifier

GOOD = ROOT / "tests" / "fixtures" / "good"
SEEDS = range(5)
LOOKED_AT = ("decomposition", "agent_output", "synthesis")
WANTED = 12


def good_cases(folder: Path = GOOD) -> list[Case]:
    """The good cases, written before the checks were tuned."""
    cases = [Case.from_json(path.read_bytes()) for path in sorted(folder.glob("*.json"))]
    return [case for case in cases if case.kind in LOOKED_AT]


def alarms(record: Record) -> list[str]:
    """The checks that say something is wrong: those with a finding of severity error."""
    return [finding.check for finding in record.findings if finding.severity == "error"]


def report() -> str:
    """The section."""
    cases = good_cases()
    if not cases:
        return "## Faults\n\nnot measured: no good cases"
    verifier = Verifier()
    false = [case.id for case in cases if alarms(verifier.verify_sync(case))]
    rows, perfect = [], 0
    for fault in faults.FAULTS.values():
        if fault.kind not in LOOKED_AT:
            continue
        caught, tried = caught_of(verifier, fault, [case for case in cases if case.kind == fault.kind])
        whole = caught == tried and tried > 0
        perfect += whole and fault.caught_by != "judge"
        share = f"{caught / tried:.0%}" if tried else "does not apply"
        rows.append((fault.kind, f"`{fault.name}`", fault.caught_by, f"{caught} of {tried}", share))
    head = (
        f"{len(cases)} good cases, {len(SEEDS)} seeds, no judge. Caught: the check that should notice gives a finding of severity "
        f"error. False alarms on the good cases: {len(false)} of {len(cases)}{' (' + ', '.join(map(str, false)) + ')' if false else ''}"
        f" (target 0). Kinds caught every time: {perfect} (target {WANTED}). What only a judge can tell is listed for honesty."
    )
    return f"## Faults\n\n{head}\n\n{table(['subject', 'fault', 'caught by', 'caught', 'share'], rows)}"


def caught_of(verifier: Verifier, fault: faults.Fault, cases: list[Case]) -> tuple[int, int]:
    """How often a fault is caught by the check that should, of how many times it could be injected."""
    caught = tried = 0
    for case in cases:
        for seed in SEEDS:
            broken = faults.try_inject(case, fault.name, seed=seed)
            if broken is None:
                continue
            tried += 1
            raised = alarms(verifier.verify_sync(broken))
            caught += bool(raised) if fault.caught_by == "judge" else fault.caught_by in raised
    return caught, tried
