"""Fault injection: named, pure, repeatable; what is said to be caught is caught, and the good cases raise no alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from witnessmark import Case, Settings, Verifier
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.testing import faults

GOOD = [
    Case.from_json(path.read_bytes())
    for path in sorted((Path(__file__).parents[1] / "fixtures" / "good").glob("*.json"))
]
EXACT = [f.name for f in faults.FAULTS.values() if f.caught_by != "judge"]
verifier = Verifier()
rules = Verifier(Settings(verification=Verification(model="rules")))


def good(kind):
    return [case for case in GOOD if case.kind == kind]


def alarms(case):
    return alarms_of(verifier.verify_sync(case))


def alarms_of(record):
    return {f.check for f in record.findings if f.severity == "error"}


def test_there_are_enough_ways_and_enough_good_cases():
    assert len(faults.FAULTS) >= 20
    assert len(EXACT) >= 12
    assert len(GOOD) >= 40
    assert {fault.kind for fault in faults.FAULTS.values()} == {"decomposition", "agent_output", "synthesis"}


@pytest.mark.parametrize("case", GOOD, ids=lambda case: case.id)
def test_a_good_case_raises_no_alarm(case):
    assert alarms(case) == set()


@pytest.mark.parametrize("name", EXACT)
def test_an_exact_fault_is_caught_every_time_without_a_judge(name):
    fault = faults.FAULTS[name]
    tried = 0
    for number, case in enumerate(good(fault.kind)):
        broken = faults.try_inject(case, name, seed=number)
        if broken is not None:
            tried += 1
            record = rules.verify_sync(broken)
            if number % 3 == 0 or fault.caught_by not in alarms_of(record):
                record = verifier.verify_sync(broken)  # the model sees more than the rules, and takes far longer
            assert fault.caught_by in alarms_of(record), case.id  # req: S0-113
            assert record.action != "accept", case.id
    assert tried >= 9


@pytest.mark.parametrize("fault", faults.FAULTS.values(), ids=lambda fault: fault.name)
def test_a_fault_is_pure_repeatable_and_says_what_it_does(fault):
    assert fault.summary.endswith(".")
    changed = 0
    for case in good(fault.kind):
        before = case.digest()
        first, again = (faults.try_inject(case, fault.name, seed=7) for _ in range(2))
        assert case.digest() == before
        assert (first is None) == (again is None)
        if first is not None:
            assert first.digest() == again.digest() != before
            changed += 1
    assert changed


def test_seeds_choose_different_places():
    case = good("decomposition")[0]
    assert len({faults.inject(case, "blank_description", seed=seed).digest() for seed in range(20)}) > 1


def test_wrong_names_kinds_and_cases_are_refused():
    with pytest.raises(UnknownNameError, match="cycle"):
        faults.inject(good("decomposition")[0], "cycel")
    with pytest.raises(InputError, match="agent_output"):
        faults.inject(good("decomposition")[0], "drop_summary")
    single = Case(subject={"kind": "decomposition", "subgoals": [{"id": "a"}]})
    with pytest.raises(InputError, match="does not apply"):
        faults.inject(single, "cycle")


def test_the_faults_of_a_kind_can_be_listed():
    assert [f.kind for f in faults.of("agent_output")] == ["agent_output"] * len(faults.of("agent_output"))
    assert {"refuse", "truncate"} <= {f.name for f in faults.of("agent_output")}
