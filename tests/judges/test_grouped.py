"""Questions asked together come back each to who asked, and a bad answer to all of them is not an answer to any."""

from __future__ import annotations

import asyncio
import math

import pytest
from msgspec.structs import replace

from witnessmark.core import budget
from witnessmark.core.budget import Budget
from witnessmark.core.concurrency import deadline
from witnessmark.core.concurrency.deadline import CutOff
from witnessmark.core.errors import BudgetError, JudgeReplyError, JudgesDisagreeError, JudgeTimeoutError
from witnessmark.core.verdict import Usage
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


class Paid(ScriptedJudge):
    """Takes 100 tokens for each question from the budget that is active, and notes the deadline that is."""

    async def ask(self, asked):
        names = asked.reply_schema["required"]
        tokens = 100 * len(names) if names[0].startswith("question") else 100
        self.deadlines = [*getattr(self, "deadlines", []), deadline.active.get()]
        with budget.active.get().reserve(tokens, None) as reserved:
            reply = await super().ask(asked)
            reply = replace(reply, usage=Usage(judge_calls=1, tokens=tokens - 10, cost_usd=0.0))
            reserved.settle(reply.usage)
        return reply


def paid_by(judge, *budgets):
    """What comes back to those who ask at once, each with a budget of its own."""
    grouped = GroupedJudge(judge)

    async def asker(number, own):
        budget.active.set(own)
        with CutOff(60.0):
            return await grouped.ask(question(number))

    async def ask_all():
        return await asyncio.gather(*(asyncio.create_task(asker(*one)) for one in enumerate(budgets)),
                                    return_exceptions=True)  # fmt: skip

    return asyncio.run(ask_all())


def test_each_pays_its_part_of_what_is_asked_together():
    """The first to ask paid for all."""
    day = Budget(1_000)
    budgets = [Budget(150, within=[day]), Budget(150, within=[day]), None]
    replies = paid_by(judge := Paid(numbered), *budgets)
    assert [reply.data for reply in replies] == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert len(judge.asked) == 1
    assert [own.tokens_left for own in (*budgets[:2], day)] == [53, 53, 806]
    assert [own.spent for own in budgets[:2]] == [reply.usage for reply in replies[:2]]
    assert [(reply.usage.judge_calls, reply.usage.tokens) for reply in replies] == [(1, 97), (0, 97), (0, 96)]


@pytest.mark.parametrize("poor", [0, 1, 2])
def test_one_who_cannot_pay_takes_nothing_from_the_others(poor):
    """Where it was the first to ask, all were refused; where it was another, it was answered for nothing."""
    budgets = [Budget(10 if number == poor else 150) for number in range(3)]
    replies = paid_by(Paid(numbered), *budgets)
    assert [isinstance(reply, BudgetError) for reply in replies] == [number == poor for number in range(3)]
    assert all(own.tokens_left == (10 if number == poor else 60) for number, own in enumerate(budgets))


def test_the_deadline_of_the_first_to_ask_is_not_that_of_the_group():
    """A call sets no clock of its own where its check is cut off first; here that check was one of several."""
    judge = Paid(numbered)
    paid_by(judge, Budget(), Budget())
    assert judge.deadlines == [math.inf]


def test_of_questions_asked_alone_after_all_one_that_breaks_takes_nothing_from_the_others():
    answers = iter([JudgeReplyError("prose"), {"n": 1}, JudgeTimeoutError("late"), {"n": 3}])
    first, second, third = together(ScriptedJudge(lambda q: next(answers)), 3)
    assert isinstance(second, JudgeTimeoutError)
    assert (first.data, third.data) == ({"n": 1}, {"n": 3})


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


def test_a_panel_that_disagrees_on_one_criterion_of_a_question_still_answers_its_others():
    """Asked in a group, a task lost all its criteria where the panel was divided on one; alone it lost that one."""
    entry = {"type": "object", "properties": {"score": {"type": "number", "minimum": 0, "maximum": 9}}}

    def criteria(number):
        schema = {"type": "object", "required": ["c1", "c2"], "properties": {"c1": entry, "c2": entry}}
        return ask_about("rubric", ours=f"number {number}", material={"output": "x"}, reply_schema=schema, seed=number)

    def member(last):
        def said(asked):
            low = {"c1": {"score": 1}, "c2": {"score": 1}}
            return {"question1": low, "question2": low | {"c2": {"score": last}}}

        return ScriptedJudge(said, id=f"judge{last}")

    async def ask_all():
        grouped = GroupedJudge(Panel([member(1), member(9)]))
        return await asyncio.gather(*(grouped.ask(criteria(n)) for n in range(2)), return_exceptions=True)

    first, second = asyncio.run(ask_all())
    assert first.data == {"c1": {"score": 1}, "c2": {"score": 1}}
    assert isinstance(second, JudgesDisagreeError)
    assert (second.agreed, second.apart, second.usage.tokens) == ({"c1": {"score": 1}}, ("c2",), 100)


def test_the_merged_question_has_a_key_that_depends_on_each():
    one, other = ask.together([question(1), question(2)]), ask.together([question(1), question(3)])
    assert one.key != other.key
    assert one.max_tokens == 2 * question(1).max_tokens
