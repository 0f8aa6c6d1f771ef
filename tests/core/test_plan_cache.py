"""Graphs are built once for cases that ask for the same, and no more of them are held than a bound on their criteria allows."""

from __future__ import annotations

from witnessmark import Case, Verifier
from witnessmark.core.plans import plan_cache


def asked(word: str) -> Case:
    return Case.from_dict({
        "subject": {"kind": "task_output", "text": "An order."},
        "criteria": [{"check": "contains", "value": word}],
    })  # fmt: skip


def test_the_same_criteria_are_compiled_once():
    verifier = Verifier()
    assert verifier.graph_of(asked("a")) is verifier.graph_of(asked("a"))
    assert verifier.graph_of(asked("a")) is not verifier.graph_of(asked("b"))


def test_a_tenant_that_brings_ever_new_criteria_makes_nothing_grow(monkeypatch):
    monkeypatch.setattr(plan_cache, "MOST_BYTES", 50_000)
    verifier = Verifier()
    first = verifier.graph_of(asked("first"))
    assert verifier.graph_of(asked("first")) is first
    for number in range(10):
        verifier.graph_of(asked(f"{number}" * 10_000))
    assert verifier.graph_of(asked("first")) is not first, "the oldest went, by bytes and not only by number"
