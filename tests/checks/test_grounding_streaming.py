"""A response verified while it arrives."""

import pytest

from witnessmark.checks.grounding.streaming import WITHHELD, Watch
from witnessmark.core.case import Evidence
from witnessmark.core.errors import InputError

EVIDENCE = [Evidence(id="d1", text="Revenue grew 14 % in 2025. The company opened offices in Lyon and Porto.")]
PIECES = ["Reve", "nue grew 40 % in 20", "25. The comp", "any opened offices in Lyon", " and Porto. Is", " that all?"]


def test_claims_come_as_sentences_are_complete():
    watch = Watch(EVIDENCE)
    seen = [watch.feed(piece) for piece in PIECES]
    seen.append(watch.close())
    assert "".join(passed.text for passed in seen) == "".join(PIECES)
    assert [[claim.status for claim in passed.claims] for passed in seen] == [
        [], [], ["contradicted"], [], ["supported"], [], ["unverifiable"],
    ]  # fmt: skip


def test_held_back_nothing_contradicted_gets_through():
    watch = Watch(EVIDENCE, hold_back=True)
    shown = [watch.feed(piece).text for piece in PIECES] + [watch.close().text]
    assert "".join(shown) == f"{WITHHELD} The company opened offices in Lyon and Porto. Is that all?"
    assert shown[:2] == ["", ""]


def test_a_stream_without_evidence_is_refused():
    with pytest.raises(InputError, match="evidence: a stream cannot be verified without any"):
        Watch([])
