"""LlamaIndex: an evaluator and a guard for its responses, by the shape of its objects.

    evaluator = AnswerEvaluator()
    result = evaluator.evaluate_response(query="When does it open?", response=engine.query("When does it open?"))
    result.passing, result.feedback

The evaluator has the methods of LlamaIndex's own, so that its `BatchEvalRunner` runs it beside others. A response is
whatever has `response` (or is a text) and `source_nodes`; a node is whatever has `node.get_content()`, `get_content()` or
`text`. Nothing of LlamaIndex is imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.record import Record
from witnessmark.integrations.adapter import accepted
from witnessmark.retrieval.protocols import listed
from witnessmark.settings import Settings
from witnessmark.verifier import Verifier


@dataclass(frozen=True, slots=True)
class AnswerEvaluation:
    """What an evaluator says, by the names LlamaIndex's own results have; `passing` is None where it could not be verified."""

    query: str
    response: str
    contexts: tuple[str, ...]
    passing: bool | None
    score: float | None
    feedback: str
    record: Record


class AnswerEvaluator:
    """Evaluates answers against the contexts they were made from."""

    def __init__(self, verifier: Verifier | None = None) -> None:
        self.verifier = verifier or Verifier.from_settings(Settings())

    async def aevaluate(
        self, query: str | None = None, response: str | None = None, contexts: Sequence[str] | None = None, **more: Any
    ) -> AnswerEvaluation:
        """Evaluate an answer as text against contexts as texts; `more` is `reference`, where there is one."""
        case = _case(query, response, contexts, more)
        return _evaluation(case, await self.verifier.verify(case))

    def evaluate(
        self, query: str | None = None, response: str | None = None, contexts: Sequence[str] | None = None, **more: Any
    ) -> AnswerEvaluation:
        """The same for code that is not async."""
        case = _case(query, response, contexts, more)
        return _evaluation(case, self.verifier.verify_sync(case))

    async def aevaluate_response(self, query: str | None = None, response: Any = None, **more: Any) -> AnswerEvaluation:
        """Evaluate a response object with the nodes it was made from."""
        return await self.aevaluate(query, answer_text(response), _contexts(response), **more)

    def evaluate_response(self, query: str | None = None, response: Any = None, **more: Any) -> AnswerEvaluation:
        """The same for code that is not async."""
        return self.evaluate(query, answer_text(response), _contexts(response), **more)

    def guard(self, query: str, response: Any) -> Any:
        """The response itself where it may be used; otherwise a NotAcceptedError that carries the record."""
        accepted(self.evaluate_response(query, response).record)
        return response


def answer_text(response: Any) -> str:
    """The words of a response: its own, or the text it is."""
    found = response if isinstance(response, str) else getattr(response, "response", None)
    if not isinstance(found, str):
        raise InputError(f"response: {type(response).__name__} has no text; give the answer as a text")
    return found


def _contexts(response: Any) -> list[str]:
    return node_texts(getattr(response, "source_nodes", None) or ())


def _case(query: str | None, response: str | None, contexts: Sequence[str] | None, more: Mapping[str, Any]) -> Case:
    given: dict[str, Any] = {"question": query or "", "answer": response or "", "contexts": listed(contexts or ())}
    return Case.from_dict(given | ({"reference": more["reference"]} if more.get("reference") else {}))


def node_texts(nodes: Iterable[Any]) -> list[str]:
    """The texts of nodes, with or without a score."""
    found = []
    for node in nodes:
        inner = getattr(node, "node", node)
        text = inner.get_content() if hasattr(inner, "get_content") else getattr(inner, "text", None)
        if not isinstance(text, str):
            raise InputError(f"source_nodes: {type(node).__name__} has no text")
        found.append(text)
    return found


def _evaluation(case: Case, record: Record) -> AnswerEvaluation:
    passing = None if record.outcome == "unverified" else record.outcome == "pass"
    texts = tuple(source.text or "" for source in case.evidence)
    return AnswerEvaluation(case.goal, case.text, texts, passing, record.score, record.headline, record)
