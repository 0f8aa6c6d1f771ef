"""Who can do what: computed from the registry, with a stand-in where there is one and a better choice where there is one."""

from __future__ import annotations

import pytest

from witnessmark.core.agents import Crew, crew_of
from witnessmark.core.case import Case
from witnessmark.core.registry import ready

THREE = [
    {"name": "code-analyzer", "capabilities": ["read", "analyze", "refactor"], "tools": ["grep"]},
    {"name": "test-runner", "capabilities": ["pytest", "coverage"]},
    {"name": "generic-executor", "capabilities": ["all"]},
]
SPECIAL = THREE[:2]


def look(*subgoals, agents=THREE, **context):
    listed = [{"id": f"sg{n}", "description": "Do it"} | s for n, s in enumerate(subgoals, start=1)]
    context = ({} if agents is None else {"agents": agents}) | context
    return ready("plan_routability")(Case(subject={"kind": "decomposition", "subgoals": listed}, context=context), {})


def test_every_agent_there_and_able_is_one():
    result = look(
        {"agent": "code-analyzer", "needs": ["analyze", "grep"]}, {"agent": "test-runner", "needs": ["pytest"]}
    )
    assert (result.status, result.score) == ("pass", 1.0)


def test_an_unknown_agent_with_a_stand_in_counts_four_tenths():
    result = look({"agent": "deployment-agent"}, {"agent": "ui-designer"})
    assert (result.status, result.score) == ("partial", 0.4)  # req: S0-035
    assert [f.quote for f in result.findings] == ["sg1: deployment-agent", "sg2: ui-designer"]


def test_without_a_stand_in_it_counts_nothing():
    result = look({"agent": "deployment-agent"}, {"agent": "test-runner"}, agents=SPECIAL)
    assert result.score == 0.5
    assert look({"agent": "deployment-agent"}, agents=SPECIAL).status == "fail"
    assert look({"agent": "anybody"}, agents=[]).score == 0.0


def test_an_agent_without_the_tool_is_unable():
    result = look({"agent": "code-analyzer", "needs": ["sql"]})
    assert (result.score, result.findings[0].quote) == (0.4, "sg1: code-analyzer (needs sql)")  # req: S0-031
    assert look({"agent": "code-analyzer", "needs": ["sql"]}, agents=SPECIAL).score == 0.0  # req: S0-020


def test_an_agent_is_unable_where_it_is_not_authorised():
    deployer = {"name": "deployment-agent", "capabilities": ["deploy"], "environments": ["staging", "production"]}
    step = {"agent": "deployment-agent", "needs": ["deploy"]}
    result = look(step, agents=[*THREE, deployer], environment="dev")
    assert result.score == 0.4  # req: S0-032
    assert "not authorised" in result.findings[0].message
    assert look(step, agents=[*THREE, deployer], environment="production").score == 1.0
    assert look(step, agents=[*THREE, deployer]).score == 1.0


def test_a_stand_in_must_be_able_itself():
    backed = [
        {"name": "db", "capabilities": ["read"], "fallback": "helper"},
        {"name": "helper", "capabilities": ["read"]},
    ]
    assert look({"agent": "db", "needs": ["sql"]}, agents=backed).score == 0.0
    backed[1]["capabilities"] = ["sql"]
    assert look({"agent": "db", "needs": ["sql"]}, agents=backed).score == 0.4


def test_an_over_special_name_gets_a_suggestion_by_capability():
    finding = look({"agent": "pytest-coverage-guru", "needs": ["coverage"]}).findings[0]
    assert "test-runner" in finding.suggestion  # req: S0-033
    finding = look({"agent": "code-analyser"}).findings[0]
    assert "code-analyzer" in finding.suggestion
    finding = look({"agent": "quantum-seer"}).findings[0]
    assert finding.suggestion == "Use generic-executor: choose by capability rather than by a special name."


def test_nobody_is_suggested_who_cannot_do_it():
    """It said "Use database-agent" of the subgoal that database-agent cannot do."""
    reader, deployer = (
        {"name": "database-agent", "capabilities": ["read"]},
        {"name": "deployer", "environments": ["prod"]},
    )
    nobody = "Nobody in the registry can do it: add an agent that can, or change what the subgoal needs."
    told = [
        look({"agent": "database-agent", "needs": ["sql"]}, agents=[reader]),
        look({"agent": "databse-agent", "needs": ["sql"]}, agents=[reader]),
        look({"agent": "deployer"}, agents=[deployer], environment="dev"),
    ]
    assert [result.findings[0].suggestion for result in told] == [nobody] * 3
    other = look({"agent": "deployer"}, agents=[deployer, reader], environment="dev").findings[0]
    assert other.suggestion == "Choose one of the registry: database-agent."


def test_a_subgoal_without_an_agent_is_routed_by_what_it_needs():
    assert look({"needs": ["pytest"]}, agents=SPECIAL).score == 1.0
    assert look({"needs": ["sql"]}, agents=SPECIAL).score == 0.0


@pytest.mark.parametrize("name", ["@code-analyzer", "Code_Analyzer", "code analyzer "])
def test_names_are_compared_as_people_write_them(name):
    assert look({"agent": name}).score == 1.0


def test_without_a_registry_nothing_is_said():
    result = look({"agent": "anybody"}, agents=None)
    assert (result.status, result.cause, result.score) == ("abstain", "no_evidence", None)


def test_a_plan_without_subgoals_has_nothing_to_route():
    assert look().status == "abstain"


def test_the_crew_prefers_specialists():
    crew = crew_of(Case(subject={"kind": "answer", "text": "x"}, context={"agents": THREE}))
    assert isinstance(crew, Crew)
    assert [a.name for a in crew.able_ones(["pytest"])] == ["test-runner", "generic-executor"]
