"""How often a first attempt meets the goal and how many retries a request takes, counted from requests that were made."""

from __future__ import annotations

import asyncio

from witnessmark import Verifier
from witnessmark.compat.goal import execute_with_verification
from witnessmark.insight.metrics import figures
from witnessmark.testing import OneJudge, ScriptedJudge

FINE = {
    "reasoning": "read",
    "goalAchieved": True,
    "confidence": 0.9,
    "issues": [],
    "suggestions": [],
    "questions": [],
}


def tool(refusals):
    """A tool that refuses so many times before it answers."""
    left = [refusals]

    def run(request, feedback=None):
        left[0] -= 1
        return "Lisbon lies on seven hills." if left[0] < 0 else f"I'm sorry, but I cannot help with that ({left[0]})."

    return run


def measured(refusals):
    """The figures after one request for each number of refusals."""

    async def requests():
        verifier = Verifier(store="memory:", services={"judges": OneJudge(ScriptedJudge(lambda _: FINE))})
        for number, times in enumerate(refusals):
            await execute_with_verification(tool(times), f"request {number}", "Describe Lisbon.", verifier=verifier)
        return await figures(verifier.store, "default")

    return asyncio.run(requests())


def test_first_attempts_that_meet_the_goal_and_retries_a_request_takes():
    found = measured([0] * 15 + [1] * 6 + [2] * 4)
    assert found["pass_at_first_attempt"].value == 15 / 25  # req: S1-035
    assert found["mean_retries"].value == (6 * 1 + 4 * 2) / 25  # req: S1-036


def test_a_request_that_never_meets_the_goal_counts_its_retries_and_no_pass():
    found = measured([0] * 19 + [9])
    assert found["pass_at_first_attempt"].value == 19 / 20
    assert found["mean_retries"].value == 2 / 20, "two retries, then no more"
