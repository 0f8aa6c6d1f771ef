"""Whether a plan holds together: every fault found with its place, every sound plan let through, in linear time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.checks.plan import order as plan_order
from witnessmark.core.case import Case, Decomposition
from witnessmark.core.errors import InputError
from witnessmark.core.registry import ready

AGENTS = [{"name": "worker", "capabilities": ["all"]}]


def plan(subgoals, order="listed", **context):
    subject = {"kind": "decomposition", "goal": "g", "subgoals": subgoals}
    if order == "listed":
        order = [{"phase": "sequential", "subgoals": [s["id"] for s in subgoals]}]
    if order is not None:
        subject["execution_order"] = order
    return Case(goal="g", subject=subject, context={"agents": AGENTS} | context)


def sg(name, *needs, **more):
    return {"id": name, "description": f"Do {name}", "agent": "worker", "depends_on": list(needs)} | more


def look(case, value=None):
    return ready("plan_structure", value)(case, {})


def faults(result):
    return [(f.category, f.quote) for f in result.findings if f.severity == "error"]


def test_a_sound_plan_passes():
    order = [{"phase": "sequential", "subgoals": ["a"]}, {"phase": "parallel", "subgoals": ["b", "c"]}]
    result = look(plan([sg("a"), sg("b", "a"), sg("c", "a")], order))
    assert (result.status, result.findings) == ("pass", ())


def test_a_plan_without_subgoals_fails():
    assert faults(look(plan([]))) == [("empty_output", None)]


def test_a_circle_is_found_with_its_path():
    result = look(plan([sg("a", "c"), sg("b", "a"), sg("c", "b")]))
    assert ("dependency_cycle", "a → c → b → a") in faults(result)
    assert result.status == "fail"
    assert ("dependency_cycle", "a → a") in faults(look(plan([sg("a", "a")])))


def test_several_circles_are_each_told():
    quotes = [
        q
        for c, q in faults(look(plan([sg("a", "b"), sg("b", "a"), sg("c", "d"), sg("d", "c")])))
        if c == "dependency_cycle"
    ]
    assert quotes == ["a → b → a", "c → d → c"]


def test_what_runs_at_once_must_not_wait_for_each_other():
    result = look(plan([sg("a"), sg("b", "a")], [{"phase": "parallel", "subgoals": ["a", "b"]}]))
    assert result.status == "fail"  # req: S0-021
    assert faults(result) == [("broken_order", "b needs a")]
    assert "run at once" in result.findings[0].message


def test_an_order_that_starts_too_early_fails():
    result = look(plan([sg("a"), sg("b", "a")], [{"phase": "sequential", "subgoals": ["b", "a"]}]))
    assert faults(result) == [("broken_order", "b needs a")]


@pytest.mark.parametrize(
    ("order", "category", "quote"),
    [
        ([{"phase": "sequential", "subgoals": ["a"]}], "broken_order", "b"),
        ([{"phase": "sequential", "subgoals": ["a", "b", "z"]}], "unknown_reference", "z"),
        ([{"phase": "sequential", "subgoals": ["a", "b", "a"]}], "duplicate", "a"),
        ([], "broken_order", "a"),
    ],
)
def test_the_order_names_every_subgoal_once_and_no_other(order, category, quote):
    result = look(plan([sg("a"), sg("b", "a")], order))
    assert result.status == "fail"
    assert faults(result)[0] == (category, quote)


def test_a_missing_order_is_read_as_listed_and_said_so():
    result = look(plan([sg("a"), sg("b", "a")], None))
    assert result.status == "pass"  # req: S0-062
    assert [(f.category, f.severity) for f in result.findings] == [("broken_order", "warning")]
    assert look(plan([sg("b", "a"), sg("a")], None)).status == "fail"
    assert look(plan([sg("a")], None)).findings == ()


def test_seed0_weakness_09_double_ids_and_odd_dependencies_are_never_skipped():
    """Seed 0, weakness 9: a dependency that could not be read was left out silently, and ids overwrote each other."""
    assert ("duplicate", "a") in faults(look(plan([sg("a"), sg("a")])))
    assert ("unknown_reference", "a → sg-x") in faults(look(plan([sg("a", "sg-x")])))
    assert ("missing_field", "Do ") in [(f.category, f.quote) for f in look(plan([sg("", description="Do ")])).findings]


def test_an_unknown_agent_blocks_only_where_nobody_stands_in():
    stranger = [sg("a", agent="stranger")]
    assert look(plan(stranger)).status == "pass"
    alone = look(plan(stranger, agents=[{"name": "worker", "capabilities": ["read"]}]))
    assert (alone.status, faults(alone)) == ("fail", [("unroutable", "a: stranger")])  # req: S0-030
    assert (
        look(plan(stranger, agents=[{"name": "worker", "capabilities": ["read"]}], fallback_agent="worker")).status
        == "pass"
    )


def test_where_no_registry_is_given_nothing_is_said_about_agents():
    case = Case(subject={"kind": "decomposition", "subgoals": [sg("a", agent="stranger")]})
    assert look(case).status == "pass"


def test_empty_and_double_subgoals_keep_a_plan_from_passing():
    result = look(plan([sg("a", description=" "), sg("b")]))
    assert (result.status, faults(result)) == ("partial", [("missing_field", "a")])
    result = look(plan([sg("a", description="Write the tests."), sg("b", description="write the  tests")]))
    assert (result.status, faults(result)) == ("partial", [("duplicate", "write the tests")])


@pytest.mark.parametrize(
    ("complexity", "count", "status"), [("SIMPLE", 11, "partial"), ("MEDIUM", 11, "pass"), ("COMPLEX", 1, "partial")]
)
def test_the_size_fits_the_complexity(complexity, count, status):
    assert look(plan([sg(f"s{n}") for n in range(count)], complexity=complexity)).status == status


def test_sizes_can_be_set_and_wrong_ones_are_refused():
    assert look(plan([sg("a"), sg("b")]), {"MEDIUM": [3, 5]}).status == "partial"
    for wrong in ({"HUGE": [1, 2]}, {"MEDIUM": [0, 2]}, {"MEDIUM": [5, 2]}, {"MEDIUM": 5}, [1, 2]):
        with pytest.raises(InputError, match="sizes"):
            ready("plan_structure", wrong)


def test_a_registry_that_cannot_be_read_is_an_error_with_its_place():
    with pytest.raises(InputError, match=r"context.agents\[0\].name"):
        look(plan([sg("a")], agents=[{"name": 7}]))


def test_another_subject_is_refused():
    with pytest.raises(InputError, match="decomposition"):
        look(Case(subject={"kind": "answer", "text": "x"}))


# --- what must hold for every plan ----------------------------------------------------------------------------------


@st.composite
def sound_plans(draw):
    count = draw(st.integers(1, 12))
    subgoals = [
        sg(f"s{n}", *(f"s{m}" for m in draw(st.sets(st.integers(0, max(n - 1, 0)), max_size=3)) if m < n))
        for n in range(count)
    ]
    return plan(subgoals)


@given(sound_plans())
def test_every_plan_whose_order_keeps_to_its_dependencies_passes(case):
    assert look(case).status == "pass"


@given(sound_plans(), st.data())
def test_every_dependency_that_points_forward_is_noticed(case, data):
    subgoals = list(case.subject.subgoals)
    early, late = sorted(data.draw(st.tuples(st.integers(0, len(subgoals) - 1), st.integers(0, len(subgoals) - 1))))
    broken = [
        {"id": s.id, "description": s.description, "agent": "worker", "depends_on": [*s.depends_on, *([subgoals[late].id] if n == early else [])]}
        for n, s in enumerate(subgoals)
    ]  # fmt: skip
    assert look(plan(broken)).status == "fail"


def test_a_chain_of_thousands_neither_recurses_nor_slows_down():
    count = 20_000
    subgoals = [{"id": f"s{n}", "depends_on": [f"s{n - 1}"] if n else [f"s{count - 1}"]} for n in range(count)]
    found = plan_order.cycles(Decomposition(subgoals=subgoals))
    assert len(found) == 1
    assert len(found[0]) == count + 1
