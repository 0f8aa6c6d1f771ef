"""What the adapters share: outputs of any class become cases, sources get ids of their own, records become words or an error."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from witnessmark import Criterion, Evidence, Verifier
from witnessmark.actions.trace.calls import ToolCall
from witnessmark.compat.rag_stage import sources_of
from witnessmark.core.errors import InputError, NotAcceptedError
from witnessmark.integrations import adapter, plain_cases
from witnessmark.integrations.adapter import VerificationGate


@dataclass
class Point:
    x: int


class Report(BaseModel):
    summary: str
    data: dict[str, int]


def test_a_text_is_judged_as_it_is_and_a_structured_output_as_json():
    assert VerificationGate("answer").case("Yes.", "Is it?").text == "Yes."
    assert VerificationGate("task").case(Point(1), "Where?").text == '{"x":1}'
    assert (
        VerificationGate("answer", text=lambda report: report.summary).case(Report(summary="S", data={}), "?").text
        == "S"
    )


def test_one_source_by_itself_is_one_source_and_no_list_of_its_letters():
    assert [one.text for one in adapter.sources("It opens at nine.")] == ["It opens at nine."]
    assert [(one.id, one.text) for one in adapter.sources({"id": "a", "text": "It opens."})] == [("a", "It opens.")]


def test_values_inside_values_are_read_whichever_library_they_are_from():
    mixed = [Report(summary="S", data={"n": 1}), Point(2), {"criteria": (Criterion(check="not_empty"),)}]
    expected = '[{"data":{"n":1},"summary":"S"},{"x":2},{"criteria":[{"check":"not_empty"}]}]'
    assert VerificationGate("task").case(mixed, "g").text == expected


def test_an_output_that_is_no_data_says_what_to_do():
    with pytest.raises(InputError, match="say with `text` which part of it is judged"):
        VerificationGate("task").case(object(), "g")


def test_a_report_or_a_plan_is_read_by_its_fields():
    case = VerificationGate("agent_output").case(Report(summary="Done.", data={"n": 1}), "Do it.")
    assert (case.kind, case.subject.summary, case.subject.data) == ("agent_output", "Done.", {"n": 1})
    assert VerificationGate("actions").case("Wrote a.txt.", "Write.").subject.summary == "Wrote a.txt."
    plan = VerificationGate("decomposition").case({"goal": "g", "subgoals": [{"id": "a", "description": "d"}]}, "g")
    assert plan.subject.subgoals[0].id == "a"


def test_an_output_that_the_checkpoint_cannot_take_is_refused_with_the_reason():
    with pytest.raises(InputError, match="'decomposition' takes the fields of a decomposition, not str"):
        VerificationGate("decomposition").case("first this, then that", "g")


def test_criteria_may_be_words_mappings_and_values():
    given = ("Is friendly.", {"check": "min_length", "value": 3}, Criterion(check="not_truncated"))
    found = VerificationGate("task", criteria=given).case("text", "g").criteria
    assert [c.text or c.check for c in found] == ["Is friendly.", "min_length", "not_truncated"]


def test_sources_are_numbered_and_no_id_is_used_twice():
    assert [one["id"] for one in plain_cases.sources(["one", Evidence(id="d1", text="two")])] == ["d1_", "d1"]
    assert [one.id for one in sources_of(["one", {"id": "c1", "text": "two"}, {"text": "three"}])] == [
        "c1_",
        "c1",
        "c3",
    ]
    found = adapter.sources(["one", {"id": "x", "text": "two"}, Evidence(id="x", text="three"), "four"])
    assert [one.id for one in found] == ["d1", "x", "x#3", "d4"]
    assert [one.text for one in found] == ["one", "two", "three", "four"]


def test_what_tools_returned_is_evidence_with_what_they_were_called_with():
    (one,) = adapter.tool_evidence([ToolCall("c1", "bash", {"command": "ls"}, "a.txt", 0)])
    assert (one.id, one.kind, one.name, one.output, one.exit_code) == ("c1", "tool_call", "bash", "a.txt", 0)


def test_only_what_the_policy_wants_again_has_feedback_and_only_what_it_accepts_goes_on():
    def record(text, **policy):
        gate = VerificationGate("task", Verifier(policy=policy), criteria=({"check": "min_length", "value": 5},))
        case = gate.case(text, "Write.")
        return case, asyncio.run(gate.verify(case))

    case, good = record("long enough")
    assert (adapter.feedback(case, good), adapter.accepted(good)) == (None, good)
    case, again = record("no")
    assert adapter.feedback(case, again).startswith("PREVIOUS ATTEMPT FEEDBACK")
    case, stopped = record("no", max_revisions=0, on_exhausted="abort")
    assert adapter.feedback(case, stopped) is None
    with pytest.raises(NotAcceptedError, match="fail, abort") as raised:
        adapter.accepted(stopped)
    assert raised.value.record is stopped
