"""A judge of one's own: what breaks in it is a judge that failed, and what is no judge is named with its back end."""

from __future__ import annotations

import asyncio

import pytest

from witnessmark import Case, Mission, MissionRun, Verifier, judge, revise
from witnessmark.core import registry
from witnessmark.core.errors import ConfigError, UnknownNameError
from witnessmark.judges.specs import JudgeMaker, JudgeSpec
from witnessmark.testing import OneJudge, ScriptedJudge, scores

ASKED = Case(goal="Say yes.", subject={"kind": "task_output", "text": "Yes."}, criteria=["It says yes."])


class Broken:
    """Answers as it is told: raises what is an exception, returns all else."""

    id, family = "mine/m", "mine"

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), 0

    async def ask(self, question):
        self.asked += 1
        said = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(said, Exception):
            raise said
        return await said.ask(question) if isinstance(said, ScriptedJudge) else said


def verifier(judge):
    return Verifier(policy={"backoff_s": 0.0}, services={"judges": OneJudge(judge)})


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (RuntimeError("boom"), "judge mine/m broke: RuntimeError: boom"),
        (ConnectionError("refused"), "judge mine/m broke: ConnectionError: refused"),
        ({"c1": {"score": 5}}, "judge mine/m returned dict; `ask` returns a witnessmark Reply"),
        (None, "judge mine/m returned NoneType"),
    ],
)
def test_what_breaks_in_a_judge_of_ones_own_is_a_judge_that_failed(answer, told):
    record = verifier(Broken(answer)).verify_sync(ASKED)
    assert (record.outcome, record.unverified_because) == ("unverified", "judge_error")
    assert any(told in said.reason for said in record.results)


def test_it_is_verified_again_as_any_judge_that_failed_and_may_answer_then():
    down = Broken(RuntimeError("boom"))
    asyncio.run(revise(lambda feedback=None: "Yes.", ASKED, verifier=verifier(down)))
    assert down.asked == 3
    back = Broken(RuntimeError("boom"), ScriptedJudge(scores({"*": 5})))
    assert asyncio.run(revise(lambda feedback=None: "Yes.", ASKED, verifier=verifier(back))).passed


def test_it_fails_so_where_questions_are_grouped_too():
    async def mission():
        run = MissionRun(verifier(Broken(RuntimeError("boom"))), Mission(tasks=[{"id": "a"}]))
        await run.done("a", ASKED)
        await run.finish()
        return run.records["a"]

    record = asyncio.run(mission())
    assert record.unverified_because == "judge_error"
    assert any("broke: RuntimeError: boom" in said.reason for said in record.results)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (None, "judge back end 'test-none': its factory returned nothing; a judge has id, family and ask"),
        (object(), "its factory returned object without id, family, ask"),
    ],
)
def test_a_factory_that_makes_no_judge_is_named(made, told):
    judge("test-none")(lambda context: made)
    try:
        with pytest.raises(ConfigError, match=told):
            JudgeMaker().named(["test-none/m"])
    finally:
        registry.judge_backends.remove("test-none")


def test_a_back_end_of_a_package_is_found_by_its_name_with_and_without_the_package():
    oracle = judge("oracle", register=False)(lambda context: ScriptedJudge([], id=context.name, family="oracles"))
    registry.judge_backends.add("acme-wm/oracle", oracle, "acme-wm")
    try:
        for name in ("oracle/large", "acme-wm/oracle/large", "acme-wm/oracle/org/large"):
            assert JudgeMaker().named([name])[0].id == name
        assert JudgeMaker().spec("acme-wm/oracle/org/large").model == "org/large"
        assert JudgeMaker({"mine": JudgeSpec(kind="oracle", model="large")}).all()[0].family == "oracles"
        with pytest.raises(UnknownNameError, match="acme-wm/oracle/MODEL, anthropic/MODEL, .*openai/MODEL"):
            JudgeMaker().named(["orcale/large"])
        registry.judge_backends.add("other/oracle", oracle, "other")
        with pytest.raises(UnknownNameError, match="acme-wm/oracle/MODEL, .*other/oracle/MODEL"):
            JudgeMaker().named(["oracle/large"])
        assert JudgeMaker().named(["other/oracle/large"])
    finally:
        registry.judge_backends.remove("acme-wm/oracle")
        registry.judge_backends.remove("other/oracle")
