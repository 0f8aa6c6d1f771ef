"""A wrong graph cannot be built; a right one runs cheap before dear and each check after what it needs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.core.errors import GraphError
from witnessmark.core.graph import COST_RANK, Graph, Node, unique_names
from witnessmark.core.registry import ReadyCheck
from witnessmark.core.verdict import passed


def node(name, needs=(), cost="instant", **more):
    return Node(ReadyCheck(name, "1", cost, {}, lambda case, prior: passed()), needs=needs, **more)


def test_a_cycle_is_named():
    with pytest.raises(GraphError, match="checks wait on each other: a -> c -> b -> a"):
        Graph("g", [node("a", ["c"]), node("b", ["a"]), node("c", ["b"]), node("d", ["a"])])


def test_a_check_that_waits_on_itself_is_a_cycle():
    with pytest.raises(GraphError, match="a -> a"):
        Graph("g", [node("a", ["a"])])


def test_a_double_is_named():
    with pytest.raises(GraphError, match="two nodes are called 'a'"):
        Graph("g", [node("a"), node("a")])


def test_a_hole_is_named():
    with pytest.raises(GraphError, match="'a' needs 'b', which is not in the graph"):
        Graph("g", [node("a", ["b"])])


def test_an_empty_graph_is_a_graph():
    assert Graph("g", []).ranks == ()


def test_doubles_get_a_number_of_their_own():
    assert [n.name for n in unique_names([node("a"), node("a"), node("b"), node("a")])] == ["a", "a#2", "b", "a#3"]


def test_cheap_nodes_come_first_and_a_node_never_before_its_needs():
    graph = Graph("g", [node("dear", cost="paid"), node("late", ["dear"]), node("slow", cost="local"), node("quick")])
    assert [[n.name for n in rank] for _, rank in graph.ranks] == [["quick"], ["slow"], ["dear", "late"]]
    assert [inline for inline, _ in graph.ranks] == [True, False, False]


def test_a_long_chain_does_not_break_the_interpreter():
    graph = Graph("g", [node(str(n), [str(n - 1)] if n else []) for n in range(1500)])
    assert len(graph.nodes) == 1500


@st.composite
def dags(draw):
    size = draw(st.integers(1, 12))
    nodes = []
    for number in range(size):
        needs = draw(st.lists(st.integers(0, number - 1), unique=True, max_size=3)) if number else []
        nodes.append((f"n{number}", [f"n{need}" for need in needs], draw(st.sampled_from(sorted(COST_RANK)))))
    return draw(st.permutations(nodes))


@given(dags())
def test_every_node_stands_once_and_after_what_it_needs(spec):
    graph = Graph("g", [node(name, needs, cost) for name, needs, cost in spec])
    order = [n.name for _, rank in graph.ranks for n in rank]
    assert sorted(order) == sorted(name for name, _, _ in spec)
    for name, needs, _ in spec:
        assert all(order.index(need) < order.index(name) for need in needs)
    assert [n.name for n in graph.nodes] == [name for name, _, _ in spec]
