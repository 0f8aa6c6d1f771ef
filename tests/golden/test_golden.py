"""Whole flows, kept: the record of each golden case is exactly what it was, id included.

A change here is a change of what users have in their stores. Where it is meant, run with WITNESSMARK_GOLDEN=write and say why
in the changelog.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.core.record import Record
from witnessmark.settings import Settings

HERE = Path(__file__).parent
CASES = sorted((HERE / "cases").glob("*.json"))
RULES = Settings(verification=Verification(model="rules"))
"""Whichever embedded model is installed here: kept records must not depend on the machine."""


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_the_record_is_what_it_was(path):
    record = Verifier(RULES).verify_sync(Case.from_json(path.read_bytes()))
    kept = HERE / "records" / path.name
    if os.environ.get("WITNESSMARK_GOLDEN") == "write":
        kept.write_text(json.dumps(json.loads(record.json()), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert record == Record.from_json(kept.read_bytes()).normal()
    assert record.holds()


def test_there_are_golden_cases_for_every_outcome():
    outcomes = {Record.from_json(path.read_bytes()).outcome for path in (HERE / "records").glob("*.json")}
    assert outcomes == {"pass", "partial", "fail", "unverified"}
