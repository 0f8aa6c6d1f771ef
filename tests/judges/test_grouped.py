"""Questions asked together come back each to who asked, and a bad answer to all of them is not an answer to any."""

from __future__ import annotations

import asyncio

import pytest

from witnessmark.core.errors import JudgeReplyError, JudgesDisagreeError, JudgeTimeoutError
from witnessmark.judges import ask
from witnessmark.judges.ask import ask_about
from witnessmark.judges.grouped_judge import GroupedJudge
from witnessmark.judges.panel import Panel
from witnessmark.testing import ScriptedJudge


def question(number):
    schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": "number"}}}
    return ask_about(
        "rubric", ours=f"number {number}", material={"output": f"text {number}"}, reply_schema=schema, seed=number
    )


def together(judge, count, **options):
    grouped = GroupedJudge(judge, **options)

    async def ask_all():
        return await asyncio.gather(*(grouped.ask(question(n)) for n in range(count)), return_exceptions=True)

    return asyncio.run(ask_all())


def numbered(asked):
    names = asked.reply_schema["required"]
    return {name: {"n": n} for n, name in enumerate(names)} if names[0].startswith("question") else {"n": 99}


def test_each_gets_its_own_part_and_the_cost_is_counted_once():
    judge = ScriptedJudge(numbered)
    replies = together(judge, 3)
    assert [reply.data for reply in replies] == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert len(judge.asked) == 1
    assert sum(reply.usage.judge_calls for reply in replies) == 1
    assert all(f"text {n}" in judge.asked[0].user for n in range(3))


def test_not_more_than_a_few_go_into_one():
    judge = ScriptedJudge(numbered)
    assert len(together(judge, 6)) == 6
    assert [len(q.reply_schema["required"]) for q in judge.asked] == [4, 2]


def test_one_alone_is_asked_as_it_is():
    judge = ScriptedJudge(numbered)
    assert together(judge, 1)[0].data == {"n": 99}


def test_where_the_whole_cannot_be_read_each_is_asked_alone():
    answers = iter([JudgeReplyError("prose"), {"n": 1}, {"n": 2}])
    replies = together(ScriptedJudge(lambda q: next(answers)), 2)
    assert [reply.data["n"] for reply in replies] == [1, 2]


def test_a_left_out_part_is_no_answer():
    answers = iter([{"question1": {"n": 1}}, {"n": 7}, {"n": 8}])
    replies = together(ScriptedJudge(lambda q: next(answers)), 2)
    assert [reply.data["n"] for reply in replies] == [7, 8]


@pytest.mark.parametrize("fault", [JudgeTimeoutError("late"), ValueError("a fault of ours")])
def test_what_goes_wrong_goes_to_all_who_asked(fault):
    async def ask_all():
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
        grouped = GroupedJudge(ScriptedJudge(lambda q: fault))
        return await asyncio.gather(*(grouped.ask(question(n)) for n in range(2)), return_exceptions=True)

    replies = asyncio.run(ask_all())
    assert all(isinstance(reply, (JudgeTimeoutError, JudgeReplyError)) for reply in replies)


def test_a_panel_that_disagrees_on_one_question_still_answers_the_others():
    def one(high):
        def said(asked):
            return {name: {"n": high if name == "question2" else 1} for name in asked.reply_schema["required"]}

        return ScriptedJudge(said, id=f"judge{high}")

    def bounded(number):
        schema = {
            "type": "object",
            "required": ["n"],
            "properties": {"n": {"type": "number", "minimum": 0, "maximum": 9}},
        }
        return ask_about("rubric", ours=f"number {number}", material={"output": "x"}, reply_schema=schema, seed=number)

    async def ask_all():
        grouped = GroupedJudge(Panel([one(1), one(9)]))
        return await asyncio.gather(*(grouped.ask(bounded(n)) for n in range(3)), return_exceptions=True)

    first, second, third = asyncio.run(ask_all())
    assert (first.data, third.data) == ({"n": 1}, {"n": 1})
    assert isinstance(second, JudgesDisagreeError)
    assert (first.usage.judge_calls, third.usage.judge_calls) == (2, 0)


def test_the_merged_question_has_a_key_that_depends_on_each():
    one, other = ask.together([question(1), question(2)]), ask.together([question(1), question(3)])
    assert one.key != other.key
    assert one.max_tokens == 2 * question(1).max_tokens
