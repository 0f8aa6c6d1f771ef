"""The LangGraph adapter in real compiled graphs with a scripted generator: again with feedback, on, or to a person."""

from __future__ import annotations

import asyncio
from typing import Any, TypedDict

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError
from langgraph.graph import END, START, StateGraph

from witnessmark import Verifier
from witnessmark.integrations.langgraph import VerificationState, add_corrective_loop, route, verify_node

SOURCE = "Revenue grew 14 % in 2025. The company opened offices in Lyon and Porto."
WRONG, RIGHT = "Revenue grew 40 % in 2025.", "Revenue grew 14 % in 2025."
ASKED = {"question": "How much did revenue grow?", "documents": [SOURCE]}


class State(TypedDict, total=False):
    question: str
    answer: str
    documents: list[Any]
    verification: VerificationState
    person: bool


def graph_of(drafts, told, *, node=None, saver=None, person=False):
    left = list(drafts)

    def generate(state: State) -> State:
        told.append((state.get("verification") or {}).get("feedback"))
        return {"answer": left.pop(0)}

    graph = StateGraph(State)
    graph.add_node("generate", generate)
    graph.add_node("person", lambda state: {"person": True})
    graph.add_edge(START, "generate")
    graph.add_edge("person", END)
    add_corrective_loop(graph, "generate", node or verify_node("answer"), stopped="person" if person else END)
    return graph.compile(checkpointer=saver)


def run(graph, state=ASKED, **config):
    return asyncio.run(graph.ainvoke(dict(state), config or None))


def test_a_wrong_answer_goes_back_with_feedback_and_a_right_one_goes_on():
    told = []
    end = run(graph_of([WRONG, RIGHT], told))
    assert end["answer"] == RIGHT
    assert (end["verification"]["route"], end["verification"]["attempt"]) == ("accepted", 2)
    assert told[0] is None
    assert "PREVIOUS ATTEMPT FEEDBACK" in told[1]
    assert end["verification"]["record"]["parent"] is not None


def test_a_graph_that_is_not_awaited_goes_the_same_way():
    end = graph_of([WRONG, RIGHT], []).invoke(dict(ASKED))
    assert (end["answer"], end["verification"]["route"], end["verification"]["attempt"]) == (RIGHT, "accepted", 2)


def test_the_loop_is_bounded_by_the_policy_and_hands_what_it_stopped_to_a_person():
    told = []
    strict = verify_node("answer", verifier=Verifier(policy={"max_revisions": 2, "on_exhausted": "escalate"}))
    drafts = [f"Revenue grew {n} % in 2025." for n in (40, 41, 42, 43)]
    end = run(graph_of(drafts, told, node=strict, person=True))
    assert len(told) == 3
    assert (end["person"], end["verification"]["route"]) == (True, "stopped")


def test_where_it_stops_the_best_attempt_stands_in_the_state():
    half = "Revenue grew 40 % in 2025. The company opened offices in Lyon and Porto."
    node = verify_node("answer", verifier=Verifier(policy={"max_revisions": 1, "on_exhausted": "escalate"}))
    end = run(graph_of([half, WRONG], [], node=node))
    assert end["verification"]["attempt"] == 2
    assert end["answer"] == half


def test_an_output_that_did_not_change_is_not_judged_again():
    told, records = [], []
    end = run(graph_of([WRONG, WRONG, RIGHT], told, node=verify_node("answer", on_record=records.append)))
    assert (len(told), len(records)) == (2, 1)
    assert end["verification"]["route"] == "stopped"
    assert end["verification"]["because"].startswith("the output did not change")


def test_what_the_node_leaves_is_json_that_a_checkpointer_keeps_and_a_second_question_starts_anew():
    saver = InMemorySaver()
    graph = graph_of([WRONG, RIGHT, RIGHT], [], saver=saver)
    config = {"configurable": {"thread_id": "t"}}
    first = asyncio.run(graph.ainvoke(dict(ASKED), config))
    kept = graph.get_state(config).values["verification"]
    assert kept == first["verification"]
    assert {type(value) for value in kept.values()} <= {str, int, dict, list, type(None)}

    second = asyncio.run(graph.ainvoke(dict(ASKED), config))
    assert (second["verification"]["attempt"], second["verification"]["route"]) == (1, "accepted")


def test_a_retrieval_node_finds_what_to_search_for_in_the_state():
    shelf = {"documents": ["Revenue grew 14 % in 2025."]}
    asked = []

    def retrieve(state: State) -> State:
        asked.extend(state["verification"]["queries"])
        return {"documents": [*state["documents"], *shelf["documents"]]}

    drafts = [WRONG, RIGHT]
    graph = StateGraph(State)
    graph.add_node("generate", lambda state: {"answer": drafts.pop(0)})
    graph.add_node("retrieve", retrieve)
    graph.add_node("verify", verify_node("answer"))
    graph.add_edge(START, "generate")
    graph.add_edge("generate", "verify")
    graph.add_edge("retrieve", "generate")
    graph.add_conditional_edges("verify", route, {"accepted": END, "again": "retrieve", "stopped": END})
    end = run(graph.compile(), {**ASKED, "documents": ["The revenue of 2025 was up by 14 %."]})
    assert end["verification"]["route"] == "accepted"
    assert any("Revenue" in query for query in asked)
    assert not any("40" in query for query in asked)


def test_documents_of_langchain_and_other_names_of_keys_are_read():
    class Other(TypedDict, total=False):
        ask: str
        text: str
        found: list[Any]
        verification: VerificationState

    graph = StateGraph(Other)
    graph.add_node("generate", lambda state: {"text": RIGHT})
    graph.add_edge(START, "generate")
    records = []
    node = verify_node("answer", output="text", goal="ask", evidence="found", on_record=records.append)
    add_corrective_loop(graph, "generate", node)
    found = [Document(SOURCE, id="doc-1", metadata={"source": "report.md"})]
    end = run(graph.compile(), {"ask": "How much did revenue grow?", "found": found})
    assert end["verification"]["route"] == "accepted"
    assert (records[0].evidence[0].id, records[0].evidence[0].origin) == ("doc-1", "report.md")


@pytest.mark.parametrize("outcome", ["accepted", "again", "stopped"])
def test_the_edge_only_reads_what_the_node_wrote(outcome):
    assert route({"verification": {"route": outcome}}) == outcome


def test_a_run_that_broke_off_leaves_nothing_to_the_next_question():
    half = "Revenue grew 14 % in 2025. The company opened offices in Lyon and Rome."
    node = verify_node(verifier=Verifier(policy={"max_revisions": 1}))
    graph = graph_of([half, "Bananas cost 3 francs.", "Bananas cost 4 francs."], [], saver=InMemorySaver(), node=node)
    config = {"configurable": {"thread_id": "t"}}
    with pytest.raises(GraphRecursionError):  # one attempt, and no step left for the next
        asyncio.run(graph.ainvoke(dict(ASKED), config | {"recursion_limit": 2}))

    other = {"question": "What do bananas cost?", "documents": ["Bananas cost 7 francs."]}
    end = asyncio.run(graph.ainvoke(other, config))
    assert (end["answer"], end["verification"]["attempt"]) == ("Bananas cost 3 francs.", 2)


@pytest.mark.parametrize("found", [SOURCE, {"text": SOURCE}, Document(SOURCE)])
def test_a_source_by_itself_is_read_as_one(found):
    node = verify_node("answer")
    end = node.invoke({**ASKED, "answer": RIGHT, "documents": found})
    assert end["verification"]["route"] == "accepted"


def test_a_message_is_judged_by_its_words_unless_it_is_said_which_part():
    end = verify_node("answer").invoke({**ASKED, "answer": AIMessage(RIGHT)})
    assert end["verification"]["route"] == "accepted"
    named = verify_node("answer", text=lambda message: message.additional_kwargs["said"])
    end = named.invoke({**ASKED, "answer": AIMessage("…", additional_kwargs={"said": RIGHT})})
    assert end["verification"]["route"] == "accepted"


def test_an_empty_list_is_an_output():
    node = verify_node("task", criteria=[{"check": "json_schema", "value": {"type": "array"}}])
    assert node.invoke({"question": "Which orders are late?", "answer": []})["verification"]["route"] == "accepted"
