"""The bodies of the older endpoint, field by field; events, signals and feedback for a coordinator."""

from __future__ import annotations

import asyncio

import pytest

from witnessmark import Verifier
from witnessmark.compat.tasks import Task, task_from_row
from witnessmark.compat.verification_service import Event, VerificationService
from witnessmark.core.errors import ConfigError, InputError, JudgeTimeoutError, UnknownNameError
from witnessmark.core.verdict import Usage
from witnessmark.stores.memory import MemoryStore
from witnessmark.testing import OneJudge, ScriptedJudge, scores

BODY = {
    "task_description": "Research EU AI Act requirements",
    "success_criteria": [
        "Covers all 6 risk categories",
        "Includes implementation timelines",
        "Cites specific articles",
    ],
    "task_output": "The Act sorts systems by risk; Article 5 prohibits some, and most duties apply from August 2026.",
    "verifier_model": "gpt-4o-mini",
    "scoring_mode": "rubric",
}
MARKS = {"c1": 4.5, "c2": 4.5, "c3": 5, "completeness": 4.5, "accuracy": 4, "clarity": 4, "relevance": 5}


def service(script=None, **options):
    judge = ScriptedJudge(
        script or scores(MARKS), id="gpt-4o-mini", usage=Usage(judge_calls=1, tokens=1250, cost_usd=0.003)
    )
    events: list[Event] = []
    made = VerificationService(
        options.pop("verifier", None) or Verifier(),
        judge_for=options.pop("judge_for", lambda name: OneJudge(judge)),
        on_event=events.append,
        **options,
    )
    return made, judge, events


def answer(body, **options):
    made, judge, events = service(**options)
    return asyncio.run(made.verify_task_body(body)), judge, events


# --- the bodies ------------------------------------------------------------------------------------------------------


def test_the_request_of_the_source_is_taken_as_printed():
    _, judge, _ = answer(BODY)
    asked = judge.asked[0].user
    assert BODY["task_description"] in asked  # req: S2-067
    assert all(criterion in asked for criterion in BODY["success_criteria"])  # req: S2-068
    assert BODY["task_output"] in asked  # req: S2-069


def test_the_steps_of_the_source_in_their_order():
    criteria = [{"check": "contains_keywords", "value": ["Article 5"]}, "Cites specific articles"]
    said, judge, events = answer(BODY | {"success_criteria": criteria}, script=scores({"*": 5}))
    assert len(judge.asked) == 1  # req: S2-085
    assert events[0].type == "verification_started"
    assert events[-1].type == "verification_completed"  # req: S2-116
    assert (said["verdict"], said["confidence"]) == ("pass", 0.75)  # req: S2-096


def test_the_response_has_every_field_of_the_source():
    said, _, _ = answer(BODY)
    assert said["verdict"] == "pass"
    assert said["confidence"] == 0.75  # req: S2-073
    assert said["aggregate_score"] == round((0.875 + 0.875 + 1.0) / 3, 9)  # req: S2-074
    assert said["criteria_scores"][0] == {
        "criterion": "Covers all 6 risk categories", "score": 0.875, "met": True, "reasoning": "as scripted",
    }  # req: S2-075  # fmt: skip
    assert said["quality_scores"] == {
        "completeness": 0.875,
        "accuracy": 0.75,
        "relevance": 1.0,
        "clarity": 0.75,
    }  # req: S2-076
    assert (said["tokens_used"], said["cost"]) == (1250, 0.003)  # req: S2-077


def test_ours_stands_under_one_key():
    said, _, _ = answer(BODY)
    older = {"verdict", "confidence", "aggregate_score", "criteria_scores", "quality_scores", "tokens_used", "cost"}
    assert set(said) == older | {"witnessmark"}  # req: S2-066
    assert {"outcome", "action", "coverage", "record_id"} <= set(said["witnessmark"])
    assert (said["witnessmark"]["outcome"], said["witnessmark"]["action"], said["witnessmark"]["coverage"]) == (
        "pass",
        "accept",
        1.0,
    )


@pytest.mark.parametrize(
    ("mode", "mark", "score"), [("rubric", 4.5, 0.875), ("binary", True, 1.0), ("criteria_match", "partly", 0.5)]
)
def test_every_scoring_mode_has_its_scale(mode, mark, score):
    script = scores({"c1": mark, "c2": mark, "c3": mark, "*": 5})
    said, _, _ = answer(BODY | {"scoring_mode": mode}, script=script)
    assert [c["score"] for c in said["criteria_scores"]] == [score] * 3  # req: S2-071


@pytest.mark.parametrize("model", [None, "none"])
def test_without_a_judge_the_answer_is_partial_with_null_and_the_reason(model):
    body = {key: value for key, value in BODY.items() if key != "verifier_model"} | (
        {"verifier_model": model} if model else {}
    )
    said, judge, _ = answer(body)
    assert judge.asked == []
    assert (said["verdict"], said["aggregate_score"], said["confidence"]) == ("partial", None, None)
    assert all(c["score"] is None and c["met"] is None for c in said["criteria_scores"])
    assert said["witnessmark"]["outcome"] == "unverified"
    assert "no judge is configured" in said["witnessmark"]["reason"]
    assert set(said["quality_scores"].values()) == {None}


def test_a_model_nobody_configured_is_told_and_nothing_is_guessed():
    def unknown(name):
        raise ConfigError(f"no key for {name}")

    with pytest.raises(InputError, match="verifier_model: 'gpt-4o-mini' cannot be used: no key for gpt-4o-mini"):
        answer(BODY, judge_for=unknown)


def test_deterministic_criteria_are_settled_without_any_judge():
    criteria = [
        {"check": "contains_keywords", "value": ["Article 5"]},
        {"check": "min_length", "value": 5000},
        "Cites articles",
    ]
    said, judge, _ = answer(BODY | {"success_criteria": criteria})
    assert said["verdict"] == "fail"
    assert [c["met"] for c in said["criteria_scores"]] == [True, False, None]  # req: S2-013
    assert judge.asked == []
    assert (said["tokens_used"], said["cost"]) == (0, 0.0)


@pytest.mark.parametrize(("body", "field"), [
    ({}, "task_output"),
    ({"task_output": 5}, "task_output"),
    ({"task_output": "x", "success_criteria": [{"text": ""}]}, "text"),
    ({"task_output": "x", "success_criteria": ["Names the law", ""]}, r"^success_criteria\[1\]: a criterion needs words"),
    ({"task_output": "x", "scoring_mode": "vibes"}, "scoring_mode"),
    ({"task_output": "x", "succes_criteria": []}, "success_criteria"),
    (["task_output"], "task_output"),
])  # fmt: skip
def test_a_wrong_body_is_refused_by_the_name_of_the_field(body, field):
    made, _, _ = service()
    with pytest.raises(InputError, match=field):
        asyncio.run(made.verify_task_body(body))


def test_criteria_may_have_ids_and_build_on_each_other():
    criteria = [{"text": "Names the law", "id": "2"}, {"text": "Describes the law", "needs": ["2"]}]
    said, _, _ = answer(BODY | {"success_criteria": criteria}, script=scores({"c1": 1, "*": 5}))
    assert [c["met"] for c in said["criteria_scores"]] == [False, None]


# --- tasks, signals, events --------------------------------------------------------------------------------------------


class Board:
    def __init__(self, *tasks):
        self.tasks = {task.task_id: task for task in tasks}

    async def task(self, task_id):
        if task_id not in self.tasks:
            raise UnknownNameError("task", task_id, self.tasks)
        return self.tasks[task_id]


TASK = Task(
    task_id="t7", verifier_model="gpt-4o-mini", task_output="Names the law.", success_criteria=("Names the law",)
)


def verify(task=TASK, script=None, **options):
    made, _, events = service(script, tasks=Board(TASK), verifier=options.pop("verifier", None))
    return asyncio.run(made.verify_task(task, **options)), events


def test_a_task_is_verified_by_id_or_by_itself():
    by_id, _ = verify("t7")
    itself, _ = verify(TASK)
    assert by_id.record_id == itself.record_id  # req: S2-083
    assert by_id.task_id == "t7"  # req: S2-091
    with pytest.raises(UnknownNameError):
        verify("t8")
    with pytest.raises(InputError, match="no source of tasks"):
        asyncio.run(VerificationService().verify_task("t7"))


def test_the_verdict_drives_the_coordinator():
    good, _ = verify(script=scores({"*": 5}))
    assert (good.verdict, good.signal) == ("pass", "advance")  # req: S2-088
    half, _ = verify(script=scores({"*": 3}))
    assert (half.verdict, half.signal) == ("partial", "retry")  # req: S2-089
    must = Task(
        task_id="t7",
        verifier_model="j",
        task_output="x",
        success_criteria=({"text": "Names the law", "must_pass": True},),
    )
    bad, _ = verify(must, scores({"*": 1}))
    assert (bad.verdict, bad.signal) == ("fail", "retry")  # req: S2-090
    assert [one.verdict for one in (good, half, bad)] == ["pass", "partial", "fail"]  # req: S2-072
    last, _ = verify(must, scores({"*": 1}), attempt=3)
    assert last.signal == "escalate"  # req: S2-012
    assert {good.signal, half.signal, last.signal} == {"advance", "retry", "escalate"}  # req: S2-098
    assert last.retry_context is None


def test_events_tell_the_story():
    _, events = verify(script=scores({"*": 5}))
    assert [event.type for event in events] == ["verification_started", "verification_completed"]  # req: S2-017
    assert events[1].data["verifier_score"] == 1.0  # req: S2-011
    _, events = verify(script=lambda q: JudgeTimeoutError("60 s are over"))
    assert [event.type for event in events] == [
        "verification_started", "verification_failed", "human_review_requested",
    ]  # fmt: skip
    assert "judge" in events[2].data["because"]


def test_an_async_listener_is_awaited():
    heard = []

    async def listen(event):
        await asyncio.sleep(0)
        heard.append(event.type)

    made = VerificationService(on_event=listen)
    asyncio.run(made.verify_task(Task(task_output="x", success_criteria=({"check": "min_length", "value": 1},))))
    assert heard == ["verification_started", "verification_completed"]


def test_telemetry_adds_up_and_holds_no_content():
    result, _ = verify(script=scores({"*": 5}, reasoning="secret words"))
    told = result.telemetry()
    assert told["verifier_score"] == 1.0  # req: S2-117
    assert "secret words" not in str(told)
    assert "Names the law" not in str(told)


def test_feedback_is_basic_or_detailed():
    script = scores({"*": 3}, reasoning="The law has no name here.")
    basic, _ = verify(script=script)
    assert basic.retry_context == {
        "attempt": 1, "max_attempts": 3, "previous_score": 0.5, "failed_criteria": ["Names the law"], "level": "basic",
    }  # fmt: skip
    detailed, _ = verify(script=script, level="detailed")
    assert "The law has no name here." in detailed.retry_context["feedback"][0]
    second, _ = verify(script=script, attempt=2)
    assert second.retry_context["level"] == "detailed"
    assert second.retry_context["attempt"] == 2


def test_the_cost_is_told_as_a_share_of_the_work():
    task = Task(
        task_output="Names the law.",
        verifier_model="j",
        success_criteria=("Names the law",),
        executor={"cost_usd": 0.03},
    )
    result, _ = verify(task, scores({"*": 5}))
    assert result.cost_share == 0.1
    unknown, _ = verify(script=scores({"*": 5}))
    assert unknown.cost_share is None


def test_records_are_kept_where_a_store_is():
    store = MemoryStore()
    result, _ = verify(verifier=Verifier(store=store))
    assert asyncio.run(store.get(result.record_id)).record.case_id == "t7"


# --- rows of the older tables ----------------------------------------------------------------------------------------


def test_rows_of_board_and_heartbeat_are_read():
    row = {
        "id": 7,
        "title": "Find the law",
        "result": "It is R12.",
        "error_message": None,
        "success_criteria": ["Names it"],
    }
    beat = {"findings": ["R12 is in force"], "actions_taken": [{"tool": "search"}], "tokens_used": 900, "cost": 0.04}
    task = task_from_row(row, beat)
    assert (task.task_id, task.task_output, task.executor.cost_usd) == ("7", "It is R12.", 0.04)  # req: S2-006
    assert [source.id for source in task.evidence] == ["finding-1", "action-2"]


def test_a_crash_is_no_output():
    task = task_from_row({"id": 8, "result": None, "error_message": "out of memory", "success_criteria": ["Names it"]})
    result, _ = verify(task)
    assert (result.verdict, task.evidence[-1].text) == ("fail", "out of memory")  # req: S2-007
