"""Every node gets exactly one result, whatever happens while it looks."""

from __future__ import annotations

import asyncio
import time

import pytest

from witnessmark.core import budget
from witnessmark.core.case import Answer, Case
from witnessmark.core.errors import BudgetError, InputError, JudgeReplyError, JudgeTimeoutError
from witnessmark.core.graph import Graph, Node
from witnessmark.core.policy import Policy, conclude, decide, recorded_policy
from witnessmark.core.record import make_record
from witnessmark.core.registry import ReadyCheck
from witnessmark.core.run import Limits, run
from witnessmark.core.verdict import Finding, Result, Usage, abstained, failed, passed

CASE = Case(subject=Answer(text="a"))


def node(name, look, cost="instant", **more):
    return Node(ReadyCheck(name, "1", cost, {}, look), **more)


def ran(nodes, limits=Limits(), skip=None):
    return asyncio.run(run(Graph("g", nodes), CASE, limits, skip))


def statuses(done):
    return {result.node: (result.status, result.cause) for result in done.results}


def boom(case, prior):
    raise TypeError("seeded <object at 0x7f12ab>")


async def async_boom(case, prior):
    raise TypeError("seeded")


@pytest.mark.parametrize("cost", ["instant", "local", "paid"])
def test_a_check_that_runs_out_of_something_broke_and_does_not_hang(cost):
    def empty(case, prior):
        return next(iter(()))

    assert statuses(ran([node("empty", empty, cost)])) == {"empty": ("error", "check_error")}


@pytest.mark.parametrize(
    ("look", "cost"), [(boom, "instant"), (boom, "local"), (async_boom, "local"), (async_boom, "paid")]
)
def test_an_exception_is_an_error_with_its_traceback_and_never_a_score(look, cost):
    done = ran([node("broken", look, cost)])
    result = done.results[0]
    assert (result.status, result.cause, result.score) == ("error", "check_error", None)
    assert result.reason.startswith("the check broke: TypeError: seeded")
    assert "0x7f12ab" not in result.reason
    assert "raise TypeError" in done.tracebacks["broken"]


class LateWorkers:
    """Worker processes that take their time to start, and then look at once."""

    def __init__(self):
        self.started = False

    async def ready(self):
        await asyncio.sleep(0.3)
        self.started = True

    def inline(self, check, case):
        return False

    def takes(self, check):
        return True

    async def look(self, check, case, prior):
        if not self.started:
            await self.ready()
        return check(case, prior)


def test_the_start_of_worker_processes_is_not_the_time_of_a_check():
    graph = Graph("g", [node("grounding", lambda case, prior: passed("looked at"), "local")])
    done = asyncio.run(run(graph, CASE, Limits(check_s=0.1, case_s=3600), workers=LateWorkers()))
    assert done.results[0].reason == "looked at"


def test_a_case_does_not_wait_beyond_its_end_for_worker_processes():
    graph = Graph("g", [node("grounding", lambda case, prior: passed("looked at"), "local")])
    done = asyncio.run(run(graph, CASE, Limits(check_s=0.1, case_s=0.1), workers=LateWorkers()))
    assert (done.results[0].status, done.results[0].cause) == ("abstain", "deadline")


def test_a_check_that_cannot_use_a_field_of_the_case_names_it_and_no_class_of_ours():
    def look(case, prior):
        raise InputError("context.samples: 'x' is not a whole number from 0 to 5")

    result = ran([node("reading", look, "instant")]).results[0]
    assert (result.status, result.cause) == ("error", "check_error")
    assert result.reason == (
        "the check cannot use what it was given: context.samples: 'x' is not a whole number from 0 to 5"
    )


@pytest.mark.parametrize("exc", [JudgeReplyError("prose"), JudgeTimeoutError("slow")])
def test_a_broken_judge_is_an_error_of_the_judge(exc):
    async def look(case, prior):
        raise exc

    done = ran([node("judged", look, "paid")])
    assert statuses(done) == {"judged": ("error", "judge_error")}
    assert done.results[0].reason == f"the judge did not give a usable answer: {exc}", (
        "no name of a class is in the way"
    )


def test_a_check_that_returns_something_else_broke():
    assert statuses(ran([node("odd", lambda case, prior: 1.0)])) == {"odd": ("error", "check_error")}


def test_a_failed_must_pass_check_skips_what_is_dearer_and_says_so():
    asked = []

    async def judge(case, prior):
        asked.append(1)
        return passed()

    done = ran(
        [
            node("format", lambda c, p: failed("bad"), must_pass=True),
            node("length", lambda c, p: passed("fine")),
            node("judged", judge, "paid"),
        ]
    )
    assert statuses(done)["length"] == ("pass", None)
    assert statuses(done)["judged"] == ("skipped", "skipped")
    assert done.results[2].reason == "must-pass check format failed first"
    assert asked == []  # req: S0-110


def test_a_failed_check_that_need_not_pass_skips_nothing():
    async def judge(case, prior):
        return passed()

    done = ran([node("format", lambda c, p: failed("bad")), node("judged", judge, "paid")])
    assert statuses(done)["judged"] == ("pass", None)


def test_a_node_whose_need_could_not_say_abstains_for_the_same_cause():
    done = ran(
        [
            node("claims", lambda c, p: abstained("no_claims", "none")),
            node("grounding", lambda c, p: passed(), needs=["claims"]),
            node("broken", boom),
            node("after", lambda c, p: passed(), needs=["broken"]),
        ]
    )
    assert statuses(done)["grounding"] == ("abstain", "no_claims")
    assert statuses(done)["after"] == ("abstain", "check_error")


def test_a_node_sees_what_it_needs():
    done = ran(
        [
            node("first", lambda c, p: passed("hello")),
            node("second", lambda c, p: passed(p["first"].reason + "!"), needs=["first"]),
        ]
    )
    assert done.results[1].reason == "hello!"


async def hang(case, prior):
    await asyncio.sleep(3600)


def hang_in_python(case, prior):
    time.sleep(30)


@pytest.mark.parametrize("look", [hang, hang_in_python])
def test_a_check_that_hangs_abstains_at_its_deadline(look):
    done = ran([node("slow", look, "local"), node("quick", lambda c, p: passed())], Limits(check_s=0.05))
    assert statuses(done) == {"slow": ("abstain", "deadline"), "quick": ("pass", None)}


def test_when_the_case_has_no_time_left_the_rest_abstains():
    done = ran([node("a", hang, "local"), node("b", hang, "paid"), node("c", hang, "paid")], Limits(case_s=0.05))
    assert set(statuses(done).values()) == {("abstain", "deadline")}


def test_a_timeout_of_the_checks_own_making_is_an_error():
    async def look(case, prior):
        raise TimeoutError("the database did not answer")

    assert statuses(ran([node("own", look, "local")])) == {"own": ("error", "check_error")}


def test_at_most_so_many_run_at_once():
    now, most = 0, 0

    async def look(case, prior):
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.01)
        now -= 1
        return passed()

    ran([node(f"n{i}", look, "local") for i in range(12)], Limits(concurrency=3))
    assert most == 3


def test_cancelling_the_case_cancels_its_checks():
    begun, cancelled = [], []

    async def look(case, prior):
        begun.append(1)
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            cancelled.append(1)
            raise

    async def main():
        task = asyncio.create_task(
            run(Graph("g", [node("a", look, "local"), node("b", look, "local")]), CASE, Limits())
        )
        while len(begun) < 2:  # noqa: ASYNC110 - turns of the loop, not time
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert cancelled == [1, 1]


def test_a_paid_call_that_does_not_fit_the_budget_is_not_made():
    made = []

    async def look(case, prior):
        purse = budget.active.get()
        with purse.reserve(400, 0.0) as reserved:
            made.append(1)
            reserved.settle(Usage(judge_calls=1, tokens=300))
        return passed("asked", usage=Usage(judge_calls=1, tokens=300))

    done = ran([node(f"n{i}", look, "paid") for i in range(4)], Limits(tokens=1000, concurrency=1))
    assert [r.status for r in done.results] == ["pass", "pass", "pass", "abstain"]
    assert done.results[3].cause == "budget"
    assert len(made) == 3
    assert done.usage == Usage(judge_calls=3, tokens=900)


def test_what_was_spent_before_the_budget_ran_out_stays_on_the_bill():
    async def look(case, prior):
        exc = BudgetError("nothing left for the third part")
        exc.__dict__["usage"] = Usage(judge_calls=2, tokens=700, cost_usd=0.01)
        raise exc

    done = ran([node("judged", look, "paid")])
    assert statuses(done) == {"judged": ("abstain", "budget")}
    assert (done.usage.judge_calls, done.usage.tokens) == (2, 700)


def test_what_was_spent_before_the_deadline_stays_on_the_bill():
    async def look(case, prior):
        with budget.active.get().reserve(1_000, 0.01) as reserved:
            reserved.settle(Usage(judge_calls=1, tokens=640, cost_usd=0.004))
        await asyncio.sleep(3600)

    done = asyncio.run(
        run(
            Graph("g", [node("judged", look, "paid")]),
            CASE,
            Limits(check_s=0.05),
            budget=lambda: budget.Budget(5_000, 1.0),
        )
    )
    assert statuses(done) == {"judged": ("abstain", "deadline")}
    assert (done.usage.judge_calls, done.usage.tokens, done.usage.cost_usd) == (1, 640, 0.004)


def test_skipped_nodes_say_why():
    done = ran([node("a", boom)], skip={"a": "no judge for SIMPLE cases"})
    assert (done.results[0].status, done.results[0].reason) == ("skipped", "no judge for SIMPLE cases")


def test_findings_and_claims_are_stamped_with_the_node_that_made_them():
    finding = Finding(message="m")
    done = ran([node("a", lambda c, p: failed("r", finding)), node("b", lambda c, p: failed("r", finding))])
    assert [f.check for r in done.results for f in r.findings] == ["a", "b"]
    assert finding.check == ""


def test_a_shared_result_is_not_changed_by_being_kept():
    shared = Result(status="pass")
    done = ran([node("a", lambda c, p: shared), node("b", lambda c, p: shared)])
    assert [r.node for r in done.results] == ["a", "b"]
    assert shared.node == ""


def test_the_record_does_not_depend_on_the_order_in_which_checks_finish():
    def turn(number):
        async def look(case, prior):
            while len(ended) < number:  # noqa: ASYNC110 - turns of the loop, not time
                await asyncio.sleep(0)
            ended.append(number)
            return passed(f"{len('x')}")

        return look

    ids = set()
    for order in ((0, 2, 1), (2, 0, 1), (1, 2, 0)):
        ended = []
        graph = Graph("g", [node(f"n{i}", turn(number), "local") for i, number in enumerate(order)])
        done = asyncio.run(run(graph, CASE, Limits()))
        rows = list(zip(graph.nodes, done.results, strict=True))
        verdict = conclude(Policy(), rows)
        ids.add(make_record(CASE, graph, recorded_policy(Policy()), done, verdict, decide(Policy(), verdict, rows)).id)
    assert len(ids) == 1


class TestBudget:
    def test_what_is_reserved_is_gone_until_settled(self):
        purse = budget.Budget(tokens=100, usd=1.0)
        reserved = purse.reserve(80, 0.5)
        with pytest.raises(BudgetError, match="20 are left"):
            purse.reserve(50, 0.1)
        reserved.settle(Usage(judge_calls=1, tokens=30, cost_usd=0.2))
        assert (purse.tokens_left, round(purse.usd_left, 9)) == (70, 0.8)
        reserved.settle(Usage(tokens=30))
        assert purse.tokens_left == 70

    def test_a_dollar_budget_fails_closed_on_an_unknown_price(self):
        with pytest.raises(BudgetError, match="price of this call is unknown"):
            budget.Budget(tokens=None, usd=1.0).reserve(10, None)
        budget.Budget(tokens=100, usd=None).reserve(10, None)

    def test_a_call_that_broke_counts_what_was_reserved(self):
        purse = budget.Budget(tokens=100, usd=1.0)
        with pytest.raises(RuntimeError), purse.reserve(40, 0.4):
            raise RuntimeError
        assert (purse.tokens_left, purse.spent.tokens, purse.spent.cost_usd) == (60, 40, 0.4)

    def test_missing_usage_keeps_the_reserved_dollars(self):
        purse = budget.Budget(tokens=100, usd=1.0)
        purse.reserve(40, 0.4).settle(Usage(judge_calls=1, tokens=10, cost_usd=None))
        assert round(purse.usd_left, 9) == 0.6
