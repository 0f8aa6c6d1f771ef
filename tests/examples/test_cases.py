"""The cases that `make demo` shows: for every checkpoint one that is fine and one that is not, and nothing that surprises."""

from __future__ import annotations

from collections import defaultdict

import pytest

from witnessmark import Case, Verifier
from witnessmark.core.plans.checkpoints import checkpoints

SAID_OK = {"accept", "warn", "escalate"}
"""What is fine is accepted, or waits for a reader where only a judge can tell; it is never sent back."""


@pytest.fixture(scope="module")
def shown():
    from pathlib import Path

    folder = Path(__file__).resolve().parents[2] / "examples" / "cases"
    made = defaultdict(list)
    for path in sorted(folder.glob("*.json")):
        case = Case.from_json(path.read_bytes())
        assert case.id == path.stem
        record = Verifier().verify_sync(case)
        made[record.checkpoint].append(record)
    return made


def test_every_checkpoint_has_an_example_that_is_fine_and_one_that_is_not(shown):
    ours = [name for name in checkpoints.all() if checkpoints.origin(name) == "witnessmark"]
    lacking = []
    for name in ours:
        fine = [r for r in shown[name] if r.action in SAID_OK and not any(f.severity == "error" for f in r.findings)]
        wrong = [r for r in shown[name] if r.action not in SAID_OK and r.findings]
        lacking += [f"{name}: fine"] * (not fine) + [f"{name}: wrong"] * (not wrong)
    assert len(ours) >= 10
    assert lacking == []


def test_what_is_wrong_says_why_and_what_to_do(shown):
    for records in shown.values():
        for record in records:
            assert record.reason, record.case_id
            if record.action not in SAID_OK:
                assert record.feedback.issues, record.case_id


def test_the_first_page_says_truly_how_many_of_them_pass(shown, root):
    records = [record for of in shown.values() for record in of]
    good = [record for record in records if record.action in SAID_OK]
    passed = [record for record in good if record.outcome == "pass"]
    bad = [record for record in records if record.action not in SAID_OK]
    failed = [record for record in bad if record.outcome == "fail"]
    told = " ".join((root / "docs" / "start.md").read_text(encoding="utf-8").split())
    assert f"Of the {len(records)} cases {len(good)} are good and {len(bad)} are bad" in told
    assert f"{len(passed)} of the good ones pass; the other {len(good) - len(passed)} stay" in told
    assert f"Of the bad ones {len(failed)} fail and {len(bad) - len(failed)} is `partial`" in told
