"""LangGraph: a node that verifies what a generator wrote, and the edge that sends it back, on, or to a person.

    graph.add_node("verify", verify_node("answer"))
    graph.add_conditional_edges("verify", route, {"accepted": END, "again": "generate", "stopped": "person"})

State in: `question`, `answer`, `documents` (other names can be given). State out: `verification`, JSON builtins that any
checkpointer can keep; its `feedback` and `queries` are for the next attempt. Bounded by the policy's `max_revisions`; where it ends
unaccepted, the best attempt stands in the state. Needs the extra `langgraph`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

import msgspec
from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.graph import END, StateGraph

from witnessmark.core.concurrency.background_loop import run_sync
from witnessmark.core.record import Record
from witnessmark.core.verdict import GOES_ON
from witnessmark.integrations.adapter import VerificationGate, feedback
from witnessmark.integrations.langchain import said
from witnessmark.loop.attempts import same_as
from witnessmark.loop.revise import rank
from witnessmark.retrieval.protocols import listed
from witnessmark.retrieval.queries import targeted

Route = Literal["accepted", "again", "stopped"]


class BestAttempt(TypedDict):
    """The best attempt so far: by outcome, then score, then coverage, then the earlier."""

    output: Any
    rank: list[float]
    record: dict[str, Any]


class VerificationState(TypedDict):
    """What the node leaves in the state under `verification`."""

    goal: str
    route: Route
    because: str
    attempt: int
    feedback: str | None
    queries: list[str]
    record: dict[str, Any]
    best: BestAttempt
    same_as: str


Node = Runnable[Any, dict[str, Any]]


def verify_node(
    checkpoint: str = "answer",
    *,
    output: str = "answer",
    goal: str = "question",
    evidence: str = "documents",
    model: str | None = None,
    **gate: Any,
) -> Node:
    """A node for `add_node`, in graphs that are awaited and in those that are not.

    `output`, `goal` and `evidence` name keys of the state; evidence are texts, mappings, Evidence or
    LangChain documents. `model` says who writes; the rest (`verifier`, `criteria`, `context`, `text`, `on_record`) is as in
    `seam.Gate`.
    """
    through = VerificationGate(checkpoint, **gate)

    async def verify(state: Any) -> dict[str, Any]:
        asked = str(state.get(goal) or "")
        written: VerificationState | None = state.get("verification")
        written = written if written is not None and _goes_on(written, asked) else None
        case = through.case(
            _output(state.get(output), gate), asked, _found(state.get(evidence)), by=output, model=model
        )
        key = same_as(case)
        if written is not None and written["same_as"] == key:
            because = "the output did not change although something was found; it was not judged again"
            stopped: VerificationState = {
                **written,
                "route": "stopped",
                "because": because,
                "feedback": None,
                "queries": [],
            }
            return {"verification": stopped, output: written["best"]["output"]}
        attempt, parent = (1, None) if written is None else (written["attempt"] + 1, written["record"]["id"])
        record = await through.verify(case, attempt=attempt, parent=parent)
        told = feedback(case, record)
        best = _better(record, state.get(output), written["best"] if written is not None else None)
        made: VerificationState = {
            "goal": asked,
            "route": "again" if told is not None else "accepted" if record.action in GOES_ON else "stopped",
            "because": record.because,
            "attempt": attempt,
            "feedback": told,
            "queries": list(targeted(record.claims, case.goal, frozenset())) if told is not None else [],
            "record": msgspec.json.decode(record.full_json()),
            "best": best,
            "same_as": key,
        }
        return {"verification": made} if told is not None else {"verification": made, output: best["output"]}

    return RunnableLambda(lambda state: run_sync(verify(state)), afunc=verify, name=f"verify_{checkpoint}")


def route(state: Mapping[str, Any]) -> Route:
    """Where to go after the node: `accepted`, `again` (with feedback) or `stopped` (the policy says escalate or abort)."""
    found: Route = state["verification"]["route"]
    return found


def add_corrective_loop(
    graph: StateGraph[Any, Any, Any, Any],
    generate: str,
    node: Node,
    *,
    name: str = "verify",
    stopped: str = END,
    accepted: str = END,
) -> None:
    """Put the node after `generate` and the edge after the node: back to `generate`, on, or to whoever takes what was stopped."""
    graph.add_node(name, node)
    graph.add_edge(generate, name)
    graph.add_conditional_edges(name, route, {"again": generate, "accepted": accepted, "stopped": stopped})


def _better(record: Record, output: Any, best: BestAttempt | None) -> BestAttempt:
    ranked = list(rank(record))
    if best is not None and best["rank"] >= ranked:
        return best
    return {"output": output, "rank": ranked, "record": msgspec.json.decode(record.full_json())}


def _goes_on(written: VerificationState, asked: str) -> bool:
    """Whether this is the next attempt at what was asked: a run that broke off leaves its own in a thread's state."""
    return written["route"] == "again" and written.get("goal", asked) == asked


def _output(held: Any, gate: Mapping[str, Any]) -> Any:
    """What is judged: a message's words where nobody says which part, else it as it is; an empty list is an output too."""
    if held is None:
        return ""
    return held if gate.get("text") is not None else said(held)


def _found(held: Any) -> list[Any]:
    """The sources of a state: several, one by itself, or none."""
    if held is None:
        return []
    return [_document(one) for one in ([held] if isinstance(held, Document) else listed(held))]


def _document(one: Any) -> Any:
    """A LangChain document as a mapping; anything else as it is."""
    text = getattr(one, "page_content", None)
    if text is None:
        return one
    return {"id": getattr(one, "id", None), "text": text, "origin": one.metadata.get("source")}
