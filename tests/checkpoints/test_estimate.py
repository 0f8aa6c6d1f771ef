"""What it would take is told before it is spent, and what is then spent lies within it."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from witnessmark import Case, Verifier
from witnessmark.batch.estimate import estimate
from witnessmark.cli.app import command_line
from witnessmark.core.errors import JudgeReplyError
from witnessmark.core.protocols import Asks
from witnessmark.core.verdict import passed
from witnessmark.judges.ask import ask_about
from witnessmark.testing import OneJudge, ScriptedJudge, scores


def verifier(script):
    judge = ScriptedJudge(script)
    return Verifier(services={"judges": OneJudge(judge)}), judge


def case(criteria, text="The law is R12.", **context):
    return Case(goal="g", subject={"kind": "task_output", "text": text}, criteria=criteria, context=context)


MANY = [f"Names point number {n} of the list" for n in range(8)]


@pytest.mark.parametrize("mark", [5, 4, 1])
@pytest.mark.parametrize(
    "asked", [case(MANY), case(MANY, quality=False), case([]), case([{"check": "min_length", "value": 1}])]
)
def test_what_is_spent_lies_within_what_was_told(asked, mark):
    made, judge = verifier(scores({"*": mark}))
    told = estimate(made, asked)
    made.verify_sync(asked)
    assert told.least_calls <= len(judge.asked) <= told.most_calls
    sent = sum(len((q.user + q.system).encode()) // 4 for q in judge.asked)
    assert sent <= told.input_tokens
    assert sum(q.max_tokens for q in judge.asked) <= told.output_tokens


def test_a_panel_asks_each_of_its_members():
    judge = ScriptedJudge([])
    judge.judges = (judge, judge, judge)
    told = estimate(Verifier(services={"judges": OneJudge(judge)}), case(["Names the law"], quality=False))
    assert (told.least_calls, told.most_calls) == (3, 9)


OUTPUTS = [
    {"id": "a1", "kind": "agent_output", "origin": "reader", "text": "The load test held 5 kN. " * 200},
    {"id": "t1", "kind": "tool_call", "name": "look", "input": {"q": "x"}, "output": "y" * 5_000},
]


@pytest.mark.parametrize(
    ("subject", "checkpoint"),
    [
        ({"kind": "synthesis", "text": "The load test held 5 kN."}, None),
        ({"kind": "answer", "text": "The load test held 5 kN."}, "goal"),
        ({"kind": "decomposition", "goal": "g", "subgoals": [{"id": "a", "description": "Read it", "agent": "reader"}]}, None),
        ({"kind": "discussion", "messages": [{"id": "1", "speaker": "Ana", "text": "We ship. " * 300}], "conclusion": "We ship."}, None),
    ],
)  # fmt: skip
def test_every_kind_of_question_is_told_for_each_member_of_a_panel(subject, checkpoint):
    judge = ScriptedJudge(lambda q: JudgeReplyError("asked, and that is all"))
    asked = Case(goal="Is the bridge safe?", subject=subject, evidence=OUTPUTS)
    one = estimate(Verifier(services={"judges": OneJudge(judge)}), asked, checkpoint)
    Verifier(services={"judges": OneJudge(judge)}).verify_sync(asked, checkpoint=checkpoint)
    sent = [q for q in judge.asked if q is not None]
    assert one.least_calls <= len(sent) <= one.most_calls
    assert sum(len((q.user + q.system).encode()) // 4 for q in sent) <= one.input_tokens
    assert sum(q.max_tokens for q in sent) <= one.output_tokens
    judge.judges = (judge, judge, judge)
    panel = estimate(Verifier(services={"judges": OneJudge(judge)}), asked, checkpoint)
    assert (panel.least_calls, panel.most_calls) == (3 * one.least_calls, 3 * one.most_calls)


def test_a_check_says_itself_what_it_would_ask(register):
    """One file brings a check that may ask a judge, and its price; a paid one that does not say is one question."""

    def asks(case, options):
        question = ask_about("relevancy", ours="", material={"question": "q" * 300}, reply_schema={}, max_tokens=77)
        return Asks([question] * options["times"], surely=False, again=1)

    register("test-may-ask", asks=asks)(lambda times=1: lambda case, prior: passed())
    register("test-silent", cost="paid")(lambda: lambda case, prior: passed())
    made, _ = verifier([])
    may = estimate(made, case([{"check": "test-may-ask", "value": 2}], quality=False))
    assert (may.least_calls, may.most_calls, may.output_tokens) == (0, 3, 3 * 77)
    assert may.input_tokens > 3 * 100
    silent = estimate(made, case([{"check": "test-silent"}], quality=False))
    assert (silent.least_calls, silent.most_calls) == (1, 1)


@pytest.mark.parametrize(
    "name", ["reference", "answer_relevancy", "context_precision", "context_recall", "output_backing"]
)
def test_what_rules_leave_open_is_told_with_its_size(name):
    judge = ScriptedJudge(lambda q: JudgeReplyError("asked, and that is all"))
    made = Verifier(services={"judges": OneJudge(judge)})
    texts = {
        "answer": "It lasts, on the whole.",
        "reference": "The bridge carries trams.",
        "goal": "Is the bridge safe?",
    }
    form = ("agent_output", "summary") if name == "output_backing" else ("task_output", "text")
    asked = Case.from_dict(
        {"goal": texts["goal"], "reference": texts["reference"], "criteria": [{"check": name}], "checkpoint": "task",
         "context": {"quality": False}, "sources": ["The load test held 5 kN.", "Cows eat grass."], "subject": {"kind": form[0], form[1]: texts["answer"]}}
    )  # fmt: skip
    told = estimate(made, asked)
    made.verify_sync(asked)
    assert told.least_calls == 0
    assert len(judge.asked) <= told.most_calls
    assert judge.asked
    assert sum(len((q.user + q.system).encode()) // 4 for q in judge.asked) <= told.input_tokens
    assert sum(q.max_tokens for q in judge.asked) <= told.output_tokens


def test_a_mission_is_told_too():
    tasks = [{"id": "a", "output": "x y z"}, {"id": "b", "output": "p q r"}]
    made, _ = verifier([])
    told = estimate(made, Case(subject={"kind": "mission", "goal": "g", "tasks": tasks}))
    assert (told.least_calls, told.most_calls) == (2, 5)


def test_dollars_come_from_the_price_and_an_unknown_one_stays_unknown():
    made, _ = verifier([])
    told = estimate(made, case(MANY), price=lambda sent, received: (sent + received) / 1e6)
    assert told.usd == pytest.approx((told.input_tokens + told.output_tokens) / 1e6)
    assert estimate(made, case(MANY)).usd is None
    assert "price unknown" in str(estimate(made, case(MANY)))


def test_without_a_judge_or_where_none_is_asked_it_costs_nothing():
    assert estimate(Verifier(), case(MANY)).most_calls == 0
    made, _ = verifier([])
    assert estimate(made, case(MANY, skip_judges=True)).most_calls == 0


def test_the_dry_run_names_vague_criteria_and_spends_nothing(tmp_path):
    file = tmp_path / "case.json"
    file.write_text(json.dumps({"subject": {"kind": "task_output", "text": "x"}, "criteria": ["Good quality"]}))
    said = CliRunner().invoke(command_line(), ["verify", "--dry-run", "--store", "memory:", str(file)])
    assert said.exit_code == 0
    assert "vague  Good quality" in said.output
    assert "no judge is configured: no paid calls" in said.output
