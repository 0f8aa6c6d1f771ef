"""Every prompt as a judge reads it, for each count of what it asks about: compared with the file of that name in prompts/.

After a change that is meant, `WITNESSMARK_WRITE_PROMPTS=1 pytest tests/judges/test_prompts.py` writes the files; read the difference.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from pathlib import Path

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.grounding import judge as grounding
from witnessmark.checks.grounding.statement import Statement
from witnessmark.checks.judged.case_parts import parts_of
from witnessmark.checks.judged.questions import CriterionItem, question_about
from witnessmark.checks.measures.judge import precision_question
from witnessmark.checks.mission import consistency
from witnessmark.core import registry
from witnessmark.core.case import Evidence
from witnessmark.core.errors import JudgeUnavailableError
from witnessmark.core.verdict import Claim
from witnessmark.judges import ask
from witnessmark.retrieval import judge_generator
from witnessmark.retrieval.protocols import Revision
from witnessmark.testing import OneJudge, ScriptedJudge

HERE = Path(__file__).parent / "prompts"


def rubric(count, text="The bridge is 40 m long."):
    case = Case(goal="Describe the bridge", subject={"kind": "task_output", "text": text})
    items = [CriterionItem(key=f"c{n}", text=f"Says fact {n}", scale="likert5") for n in range(1, count + 1)]
    return question_about(case, items, parts_of(case).parts[-1], sample=0)


def compared(count):
    tasks = [{"id": f"t{n}", "description": "Measure", "output": f"The bridge is {n}0 m long."} for n in range(count)]
    case = Case(goal="Measure", subject={"kind": "mission", "goal": "Measure", "tasks": tasks})
    return consistency.question_about(case.subject.tasks, seed=1)[0]


def claims(count):
    texts = [f"The bridge has {n} lamps." for n in range(1, count + 1)]
    return grounding.question(
        "How many lamps?", [(n, Statement((0, 9), text, "text"), "It has lamps.") for n, text in enumerate(texts)]
    )


def sources(count):
    case = Case(goal="How many lamps?", subject={"kind": "answer", "text": "Two."})
    return precision_question(case, [Evidence(id=f"d{n}", text=f"Lamp {n}.") for n in range(count)])


def written(count):
    kept = tuple(Evidence(id=f"d{n}", text=f"Lamp {n}.") for n in range(count))
    claim = Claim(text="It has nine lamps.", status="contradicted", reason="a figure differs from what the source says")
    return judge_generator.question(
        Revision("How many lamps?", kept, *(("It has nine lamps.", (claim,)) if count > 1 else ()))
    )


def grouped(count):
    return ask.together([rubric(1) for _ in range(count)])


def principle(count):
    case = Case(goal="Describe the bridge", subject={"kind": "task_output", "text": "It is 40 m long."})
    items = [CriterionItem(key=f"p{n}", text=f"Keeps rule {n}", scale="binary", principle=True) for n in range(count)]
    return question_about(case, items, parts_of(case).parts[-1], sample=0)


BACKING = [
    {"id": "t1", "kind": "tool_call", "name": "measure", "input": {}, "output": "40 m"},
    {"id": "d1", "text": "The bridge is 40 m long."},
]
PLAN = {
    "kind": "decomposition", "goal": "Measure the bridge", "execution_order": [],
    "subgoals": [{"id": "s1", "description": "Measure it.", "agent": "surveyor"}],
}  # fmt: skip
DISCUSSION = {
    "kind": "discussion", "conclusion": "It is 40 m long.",
    "messages": [{"id": f"m{n}", "speaker": who, "text": f"It is {n}0 m long."} for n, who in ((3, "Ada"), (4, "Ben"))],
}  # fmt: skip
CASES = {
    "goal_response": (
        "goal_achieved",
        {"subject": {"kind": "answer", "text": "It is 40 m long."}, "evidence": BACKING},
    ),
    "goal_agent": (
        "goal_achieved",
        {"subject": {"kind": "agent_output", "summary": "It is 40 m long.", "data": {"m": 40}}, "evidence": BACKING},
    ),
    "plan_self": ("plan_review", {"subject": PLAN, "evidence": BACKING[1:]}),
    "plan_adversarial": (
        "plan_review",
        {"subject": PLAN, "evidence": BACKING[1:], "context": {"complexity": "COMPLEX"}},
    ),
    "discussion": ("discussion_read", {"subject": DISCUSSION}),
    "relevancy": (
        "answer_relevancy",
        {"goal": "Describe the irrigation of orchards", "subject": {"kind": "answer", "text": "At noon, by hand."}},
    ),
}
"""A check that asks with a prompt, and a case about which it does."""


def of_case(name):
    """What a judge is asked about a case by the check that verifies it; the reply is of no use."""
    check, fields = CASES[name]
    judge = ScriptedJudge([JudgeUnavailableError("away")])
    Verifier()  # brings the checks
    look = registry.ready(check, None, {"judges": OneJudge(judge)})
    with contextlib.suppress(JudgeUnavailableError):
        asyncio.run(look(Case(**{"goal": "How long is the bridge?"} | fields), {}))
    (question,) = judge.asked
    return question


RENDERED = {
    **{f"rubric_{n}": (rubric, n) for n in (1, 2, 8)},
    **{f"consistency_{n}": (compared, n) for n in (2, 3, 4)},
    **{f"grounding_{n}": (claims, n) for n in (1, 3)},
    **{f"precision_{n}": (sources, n) for n in (1, 3)},
    **{f"answer_{n}": (written, n) for n in (1, 2)},
    **{f"grouped_{n}": (grouped, n) for n in (2, 4)},
    "principle": (principle, 1),
    **{name: (of_case, name) for name in CASES},
    "rubric_in_parts": (lambda n: rubric(n, "A long line of words.\n" * 3_000), 1),
}


def plainly(question):
    """The question with its nonces, which are random, written as N; of a very long text only its ends."""
    text = re.sub(r"\b[0-9a-f]{24}\b", "N", f"{question.system}\n----\n{question.user}\n")
    return re.sub(r"(A long line of words\.\n){3,}", "A long line of words.\n(and so on)\n", text)


@pytest.mark.parametrize("name", RENDERED)
def test_a_prompt_reads_as_it_was_written_down(name):
    make, count = RENDERED[name]
    made, file = plainly(make(count)), HERE / f"{name}.txt"
    if os.environ.get("WITNESSMARK_WRITE_PROMPTS"):
        file.write_text(made, encoding="utf-8")
    assert made == file.read_text(encoding="utf-8")


def test_every_prompt_there_is_is_rendered():
    assert [
        name for name in ask.templates() if not any(one == name or one.startswith(f"{name}_") for one in RENDERED)
    ] == []


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_question_about_consistency_speaks_of_as_many_texts_as_there_are(count):
    said = plainly(compared(count))
    assert ("There are two texts, A and B." in said) == (count == 2)
    assert (f"There are {count} texts: {', '.join('ABCD'[:count])}." in said) == (count > 2)
    assert len(re.findall(r"⟦judged N [A-D]⟧", said)) == count
