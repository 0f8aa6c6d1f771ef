"""Several judges as one: merged by fixed rules, and no answer where they disagree."""

from __future__ import annotations

import asyncio

import pytest

from witnessmark import Case, Verifier, check
from witnessmark.core import registry
from witnessmark.core.errors import BudgetError, InputError, JudgeReplyError, JudgesDisagreeError, JudgeUnavailableError
from witnessmark.core.verdict import Result, Usage
from witnessmark.judges.ask import ask_about, rubric_schema
from witnessmark.judges.panel import Panel
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.testing import OneJudge, scores

SCHEMA = rubric_schema(["c1"])


def _question():
    return ask_about("rubric", ours="x", material={"A": "first", "B": "second"}, reply_schema=SCHEMA)


def _says(score, name, confidence=0.8):
    one = {"id": "c1", "reasoning": f"{name} says {score}", "score": score, "confidence": confidence}
    return ScriptedJudge(lambda q: {"criteria": [one]}, id=name, family=name)


def _asked(*judges):
    return asyncio.run(Panel(judges).ask(_question()))


def test_a_panel_answers_with_the_median_and_the_words_nearest_to_it():
    reply = _asked(_says(3, "a"), _says(4, "b"), _says(5, "c"))
    one = reply.data["criteria"][0]
    assert one["score"] == 4  # req: S2-105
    assert one["reasoning"] == "b says 4"
    assert reply.judge == "panel(a,b,c)"
    assert reply.usage.judge_calls == 3


def test_judges_far_apart_give_no_answer():
    with pytest.raises(JudgesDisagreeError, match=r"disagree on criteria\[c1\]\.score") as caught:
        _asked(_says(1, "a"), _says(5, "b"))
    assert caught.value.usage.judge_calls == 2


def test_yes_and_no_need_more_than_half():
    schema = {"type": "object", "properties": {"met": {"type": "boolean"}}, "required": ["met"]}
    question = ask_about("rubric", ours="x", material={}, reply_schema=schema)

    def panel(*votes):
        return Panel([ScriptedJudge(lambda q, v=v: {"met": v}, id=str(n)) for n, v in enumerate(votes)])

    assert asyncio.run(panel(True, True, False).ask(question)).data == {"met": True}
    with pytest.raises(JudgesDisagreeError, match="met"):
        asyncio.run(panel(True, False).ask(question))


def test_a_broken_member_is_left_out_and_too_many_are_an_error():
    broken = ScriptedJudge(lambda q: JudgeReplyError("prose"), id="z")
    down = ScriptedJudge(lambda q: JudgeUnavailableError("down"), id="y")
    assert _asked(_says(4, "a"), _says(4, "b"), broken).data["criteria"][0]["score"] == 4
    with pytest.raises(JudgeReplyError):
        _asked(_says(4, "a"), broken, down)
    with pytest.raises(BudgetError):
        _asked(_says(4, "a"), _says(4, "b"), ScriptedJudge(lambda q: BudgetError("spent"), id="x"))


def _costly(exc, tokens):
    exc.usage = Usage(judge_calls=2, tokens=tokens)
    return ScriptedJudge(lambda q: exc, id=f"broken{tokens}")


def test_what_a_broken_member_cost_is_counted():
    asked = _asked(_says(4, "a"), _says(4, "b"), _costly(JudgeReplyError("prose"), 70))
    assert (asked.usage.judge_calls, asked.usage.tokens) == (4, 270)
    for broken in (
        [_costly(JudgeReplyError("prose"), 70), _costly(JudgeReplyError("prose"), 30)],
        [_costly(BudgetError("spent"), 100)],
    ):
        with pytest.raises((JudgeReplyError, BudgetError)) as caught:
            _asked(_says(4, "a"), *broken)
        assert caught.value.usage.tokens == 200


def test_a_panel_has_two_judges_or_more_each_once():
    with pytest.raises(InputError, match="two judges"):
        Panel([_says(4, "a")])
    with pytest.raises(InputError, match="each judge once"):
        Panel([_says(4, "a"), _says(3, "a")])


def test_a_disagreement_is_an_abstention_not_an_error_and_not_a_score():
    @check("panel_disagrees", version="1", cost="paid", register=False)
    def disagrees():
        async def look(case, prior) -> Result:
            await Panel([_says(1, "a"), _says(5, "b")]).ask(_question())
            raise AssertionError("unreachable")

        return look

    registry.checks.add("panel_disagrees", disagrees)
    try:
        case = Case(subject={"kind": "answer", "text": "x"}, criteria=({"check": "panel_disagrees"},))
        record = Verifier().verify_sync(case)
    finally:
        registry.checks.remove("panel_disagrees")
    said = next(result for result in record.results if result.check == "panel_disagrees")
    assert (said.status, said.cause, said.score) == ("abstain", "undecided", None)
    assert record.usage.judge_calls == 2


def _panel(*tables):
    """A panel whose members score the criteria of a case by these tables."""
    judges = [ScriptedJudge(scores(table), id=f"j{n}", family=f"f{n}") for n, table in enumerate(tables)]
    return Verifier(services={"judges": OneJudge(Panel(judges))})


def _on(*tables, **more):
    case = Case(
        subject={"kind": "task_output", "text": "Revenue rose by 4 per cent."},
        criteria=("States by how much revenue rose", "Names the reason for the rise"),
        context={"quality": False} | more,
    )
    record = _panel(*tables).verify_sync(case)
    return record, {said.node: said for said in record.results if said.check == "rubric"}


def test_judges_at_both_ends_of_a_scale_of_steps_disagree():
    record, said = _on({"*": 1}, {"*": 5})
    assert {one.status for one in said.values()} == {"abstain"}
    assert (record.outcome, record.unverified_because, record.score) == ("unverified", "undecided", None)


def test_a_panel_settles_each_criterion_by_itself():
    record, said = _on({"c1": 5, "c2": 1}, {"c1": 5, "c2": 5})
    first, second = said.values()
    assert (first.status, first.score) == ("pass", 1.0)
    assert (second.status, second.cause, second.score) == ("abstain", "undecided", None)
    assert (record.outcome, record.coverage, record.score) == ("partial", 0.5, 1.0)
    assert record.usage.judge_calls == 2  # both were asked once, about both


def test_a_panel_that_disagrees_on_one_criterion_reads_the_others_again_all_the_same():
    """One criterion that a further sample divided them on took that sample, and the next, from all others near their threshold."""

    def member(name, divided):
        def said(question):
            return scores({"c1": divided if question.temperature else 4, "c2": 4})(question)

        return ScriptedJudge(said, id=name, family=name)

    judges = [member("a", 5), member("b", 1)]
    record = Verifier(services={"judges": OneJudge(Panel(judges))}).verify_sync(
        Case(
            subject={"kind": "task_output", "text": "Revenue rose by 4 per cent."},
            criteria=("States by how much revenue rose", "Names the reason for the rise"),
            context={"quality": False},
        )
    )
    first, second = (said for said in record.results if said.check == "rubric")
    assert (second.status, second.details["scores"]) == ("pass", [0.75] * 3)
    assert "stopped" not in second.details
    assert (first.status, first.details["scores"]) == ("partial", [0.75])
    assert first.details["stopped"] == "JudgesDisagreeError after 1 of 3 samples"
    assert [sorted(question.reply_schema["required"]) for question in judges[0].asked] == [
        ["c1", "c2"],
        ["c1", "c2"],
        ["c2"],
    ]


def test_how_sure_the_judges_are_is_no_disagreement():
    sure, unsure = (ScriptedJudge(scores({"*": 5}, confidence=c), id=f"j{c}") for c in (0.95, 0.1))
    verifier = Verifier(services={"judges": OneJudge(Panel([sure, unsure]))})
    case = Case(subject={"kind": "task_output", "text": "Four."}, criteria=("Says four",), context={"quality": False})
    said = next(one for one in verifier.verify_sync(case).results if one.check == "rubric")
    assert (said.status, said.confidence) == ("pass", 0.525)
