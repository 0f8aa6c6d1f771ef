"""The four dimensions of a plan: what each weighs, the bands it falls into, and what a judge that reads the plan finds.

The judge here reads: it is shown the question that a model would be shown, and answers by what stands in it. So a plan, a
passage of the context or an answer that gets lost on the way changes the verdict.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from witnessmark import Case, Verifier
from witnessmark.testing import OneJudge, ScriptedJudge

GOLDEN = Path(__file__).parents[1] / "fixtures" / "golden" / "plan_dimensions.json"
EXAMPLES = {entry["id"]: entry["case"] for entry in json.loads(GOLDEN.read_text(encoding="utf-8"))}
ANYONE = [{"name": "anyone", "capabilities": ["all"]}]
WHOLE = (
    "Analyze the requirements of the upload",
    "Implement the upload and its error handling",
    "Measure performance and check security",
    "Test it end to end",
)


def plan(*steps, agents=ANYONE, evidence=(), goal="Let people upload pictures"):
    subgoals = [{"id": f"sg{n}", "description": step, "agent": "anyone"} for n, step in enumerate(steps, 1)]
    order = [{"phase": "sequential", "subgoals": [subgoal["id"] for subgoal in subgoals]}]
    subject = {"kind": "decomposition", "goal": goal, "subgoals": subgoals, "execution_order": order}
    return Case(goal=goal, subject=subject, evidence=evidence, context={"agents": list(agents)})


def fenced(question, label):
    """What the judge is shown under a label; nothing where it is not shown."""
    for part in question.user.split("⟦judged ")[1:]:
        head, _, text = part.partition("⟧\n")
        if label in head:
            return text.partition("\n⟦end")[0].lower()
    return ""


def answer(completeness=1.0, consistency=1.0, groundedness=1.0, kinds=()):
    scores = {"completeness": completeness, "consistency": consistency, "groundedness": groundedness}
    told = {name: {"reasoning": "read", "score": score, "confidence": 0.9} for name, score in scores.items()}
    issue = {"subgoal": "", "issue": "as read", "suggestion": "mend it", "critical": False}
    return told | {"issues": [{"kind": kind} | issue for kind in kinds]}


def reading(question):
    """A judge that looks for a few words where a model would read."""
    shown, context = fenced(question, "plan"), fenced(question, "context")
    wanted = {
        "missing_error_handling": "error",
        "missing_tests": "test",
        "missing_non_functional": "security",
        "missing_requirements": "requirements",
    }
    kinds = [kind for kind, word in wanted.items() if word not in shown]
    if "postgresql" in context and "mongodb" in shown:
        kinds.append("against_architecture")
    if "previous oauth2" in context and "from scratch" in shown:
        kinds.append("ignored_pattern")
    return answer(kinds=kinds)


def verify(case, judge=reading):
    return Verifier(services={"judges": OneJudge(ScriptedJudge(judge))}).verify_sync(case)


def said(record, dimension):
    return next(result for result in record.results if result.check == f"plan_{dimension}")


def found(*steps, evidence=()):
    """The kinds of issue that the judge's reading of a plan leaves in the record."""
    return {f.category for f in verify(plan(*steps, evidence=evidence)).findings if f.check == "plan_review"}


# --- weights and bands ----------------------------------------------------------------------------------------------


def bands(dimension):
    """The band of a dimension in the record at every edge, and what the whole plan scores there."""
    edges = (1.0, 0.9, 0.899, 0.7, 0.699, 0.5, 0.499, 0.0)
    records = [verify(plan(*WHOLE), lambda _, score=score: answer(**{dimension: score})) for score in edges]
    told = [said(record, dimension).details["band"] for record in records]
    # evidence is not given, so groundedness rests on the judge alone, as completeness always does
    return [(told[n] == told[n + 1]) for n in range(7)], [record.score for record in records]


IN_PAIRS = [True, False, True, False, True, False, True]


def test_completeness_weighs_two_fifths_and_has_four_half_open_bands():
    together, scores = bands("completeness")
    assert together == IN_PAIRS  # req: S0-011
    assert scores == pytest.approx([1.0, 0.96, 0.9596, 0.88, 0.8796, 0.8, 0.7996, 0.6])  # req: S0-011


@pytest.mark.parametrize("dimension", ["consistency", "groundedness"])
def test_consistency_and_groundedness_weigh_a_fifth_each(dimension):
    _, scores = bands(dimension)
    assert scores == pytest.approx([1.0, 0.98, 0.9798, 0.94, 0.9398, 0.9, 0.8998, 0.8])


def test_consistency_has_four_half_open_bands():
    together, _ = bands("consistency")
    assert together == IN_PAIRS  # req: S0-017
    low = said(verify(plan(*WHOLE), lambda _: answer(consistency=0.4)), "consistency")
    assert low.details["band"] == "conflicts"  # req: S0-017


def test_groundedness_has_four_half_open_bands():
    together, _ = bands("groundedness")
    assert together == IN_PAIRS  # req: S0-023
    low = said(verify(plan(*WHOLE), lambda _: answer(groundedness=0.3)), "groundedness")
    assert low.details["band"] == "ignores the context"  # req: S0-023


def routed(able, missing):
    """A plan with some subgoals for an agent that is there and some for one that is not and has no stand-in."""
    case = plan(*["Analyze the requirements"] * (able + missing), agents=[{"name": "reader", "capabilities": ["read"]}])
    subgoals = [
        replace(goal, agent="reader" if n < able else "ghost", needs=("read",) if n < able else ("fly",))
        for n, goal in enumerate(case.subject.subgoals)
    ]
    return verify(replace(case, subject=replace(case.subject, subgoals=tuple(subgoals))), lambda _: answer())


def test_routability_is_computed_and_has_four_half_open_bands():
    records = [routed(*counts) for counts in ((10, 0), (9, 1), (8, 2), (7, 3), (6, 4), (5, 5), (4, 6), (0, 10))]
    told = [said(record, "routability") for record in records]
    assert [result.score for result in told] == [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.0]
    words = [result.details["band"] for result in told]
    assert [words[n] == words[n + 1] for n in range(7)] == IN_PAIRS  # req: S0-029
    assert words[-1] == "cannot be routed"


def test_routability_weighs_a_fifth():
    case = plan("Analyze the requirements", "Implement the upload")
    first, second = case.subject.subgoals
    case = replace(case, subject=replace(case.subject, subgoals=(first, replace(second, agent="ghost"))))
    record = verify(case, lambda _: answer())
    assert said(record, "routability").score == 0.7
    assert record.score == pytest.approx(0.8 + 0.2 * 0.7)  # req: S0-029


# --- what a judge finds in a plan -----------------------------------------------------------------------------------


def test_a_plan_without_error_handling_raises_an_issue_of_its_own():
    assert found(*WHOLE) == set()
    assert found(WHOLE[0], "Implement the upload", *WHOLE[2:]) == {"missing_error_handling"}  # req: S0-012


def test_a_plan_without_a_test_raises_an_issue_of_its_own():
    assert found(*WHOLE[:3]) == {"missing_tests"}  # req: S0-013


def test_a_plan_without_performance_or_security_raises_an_issue_of_its_own():
    assert found(*WHOLE[:2], WHOLE[3]) == {"missing_non_functional"}  # req: S0-014


def test_a_plan_that_skips_what_must_come_first_raises_an_issue_of_its_own():
    assert found(*WHOLE[1:]) == {"missing_requirements"}  # req: S0-015


def test_a_plan_against_the_architecture_that_is_there_raises_an_issue_of_its_own():
    there = [{"id": "c1", "kind": "code", "origin": "db.py", "text": "All data is kept in PostgreSQL."}]
    steps = (*WHOLE, "Keep the pictures in MongoDB")
    assert found(*steps, evidence=there) == {"against_architecture"}  # req: S0-026
    assert found(*steps) == set()


def test_a_pattern_of_the_context_that_is_left_unused_raises_an_issue_of_its_own():
    there = [{"id": "r1", "kind": "reasoning", "text": "Previous OAuth2 implementation: code flow with PKCE."}]
    steps = (*WHOLE, "Write the login from scratch")
    assert found(*steps, evidence=there) == {"ignored_pattern"}  # req: S0-027
    assert found(*steps) == set()


def test_an_issue_reaches_the_next_attempt_with_its_suggestion():
    record = verify(plan(*WHOLE[:3]), lambda q: reading(q) | {"completeness": answer(completeness=0.2)["completeness"]})
    assert record.action == "retry"
    assert any("nothing tests" in issue for issue in record.feedback.issues)
    assert "mend it" in record.feedback.suggestions


# --- the worked examples, read --------------------------------------------------------------------------------------


def scored(name, dimension, judge):
    return said(verify(Case.from_dict(EXAMPLES[name]), judge), dimension).score


def test_the_example_of_completeness():
    """Six aspects of OAuth2 and rate limiting; the short plan covers those two it names, and half a point is left."""
    aspects = ("requirements", "schema", "oauth2 endpoints", "rate limiting", "tests", "document")

    def judge(question):
        covered = sum(aspect in fenced(question, "plan") for aspect in aspects)
        return answer(completeness={6: 1.0, 2: 0.5}[covered])

    assert scored("oauth2-complete", "completeness", judge) == 1.0  # req: S0-016
    assert scored("oauth2-incomplete", "completeness", judge) == 0.5  # req: S0-016


def test_the_example_of_consistency():
    def judge(question):
        shown = fenced(question, "plan")
        return answer(consistency=0.4 if "stateless" in shown and "cookies" in shown else 1.0)

    assert scored("stateless-against-cookies", "consistency", judge) == 0.4  # req: S0-022
    assert scored("jwt-and-jwt", "consistency", judge) == 1.0  # req: S0-022


def test_the_example_of_groundedness():
    """The code and the reasoning are shown to the judge, and the file that the plan extends is found in them."""

    def judge(question):
        shown, context = fenced(question, "plan"), fenced(question, "context")
        both = "validate_jwt" in context and "authorization code flow" in context
        return answer(groundedness=0.3 if both and "from scratch" in shown else 1.0)

    assert scored("auth-extended", "groundedness", judge) == 1.0  # req: S0-028
    assert scored("auth-from-scratch", "groundedness", judge) == 0.3  # req: S0-028
