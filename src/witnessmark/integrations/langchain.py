"""LangChain: any retriever as the Retriever of the corrective loop, documents as evidence, an evaluator and a guard.

    verify_and_correct(question, answer, context, retriever=LangchainRetriever(store.as_retriever()))
    chain = {"question": …, "documents": retriever, …} | answer | answer_guard()

Needs the extra `langchain`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda

from witnessmark.core.case import Case, Evidence
from witnessmark.core.errors import InputError
from witnessmark.core.values import text_digest
from witnessmark.integrations.adapter import accepted, sources
from witnessmark.retrieval.protocols import listed
from witnessmark.settings import Settings
from witnessmark.verifier import Verifier

_ORIGINS = ("source", "url", "path", "file_path", "title")


class LangchainRetriever:
    """A LangChain retriever as ours. `retrieve` is for async code, `retrieve_sync` for the rest."""

    def __init__(self, retriever: BaseRetriever) -> None:
        self._retriever = retriever

    async def retrieve(self, query: str, count: int) -> list[Evidence]:
        """What the retriever finds, best first; how many it looks for is its own setting, `count` cuts off the rest."""
        return evidence(await self._retriever.ainvoke(query))[:count]

    def retrieve_sync(self, query: str, count: int) -> list[Evidence]:
        """The same for code that is not async."""
        return evidence(self._retriever.invoke(query))[:count]


def evidence(documents: Iterable[Document]) -> list[Evidence]:
    """Documents as evidence: their own id where they have one, otherwise one from their content; empty ones are left out."""
    return list(sources(_one(document) for document in documents if document.page_content.strip()))


def said(answer: Any) -> Any:
    """The words of a message, which has metadata that nobody claims; anything else as it is."""
    return str(answer.text) if isinstance(answer, BaseMessage) else answer


def _one(document: Document) -> Evidence:
    held = document.metadata
    known = document.id or held.get("id") or f"found-{text_digest(document.page_content)[:12]}"
    origin = next((str(held[key]) for key in _ORIGINS if held.get(key)), None)
    return Evidence(id=str(known), text=document.page_content, origin=origin)


class LangchainEvaluator:
    """A string evaluator: `evaluate_strings(prediction=…, input=…, reference=…, contexts=[…])`, and the same with `a` before it."""

    requires_input = True
    requires_reference = False
    evaluation_name = "witnessmark"

    def __init__(self, verifier: Verifier | None = None) -> None:
        self.verifier = verifier or Verifier.from_settings(Settings())

    def evaluate_strings(self, *, prediction: str, input: str = "", **more: Any) -> dict[str, Any]:
        """`score` and `value` (the outcome) with `reasoning`, which names the wrong words; the record stands beside them."""
        return _evaluated(self.verifier.verify_sync(_case(prediction, input, more)))

    async def aevaluate_strings(self, *, prediction: str, input: str = "", **more: Any) -> dict[str, Any]:
        """The same for async code."""
        return _evaluated(await self.verifier.verify(_case(prediction, input, more)))


def answer_guard(verifier: Verifier | None = None) -> Runnable[Any, Any]:
    """A step of a chain that takes {"question", "answer", "documents"} and gives the answer's text, where it may be used.

    The answer is a text, or a model's message as it is.

    Where it may not, NotAcceptedError is raised with the record; `.with_fallbacks` or `.with_retry` decide what follows.
    """
    by = verifier or Verifier.from_settings(Settings())

    def guarded(given: Mapping[str, Any]) -> str:
        case = _guarded_case(given)
        accepted(by.verify_sync(case))
        return case.text

    async def aguarded(given: Mapping[str, Any]) -> str:
        case = _guarded_case(given)
        accepted(await by.verify(case))
        return case.text

    return RunnableLambda(guarded, afunc=aguarded)


def _case(prediction: str, question: str, more: Mapping[str, Any]) -> Case:
    contexts = more.get("contexts") or more.get("context") or ()
    held = [contexts] if isinstance(contexts, Document) else listed(contexts)
    sources = [one.page_content if isinstance(one, Document) else one for one in held]
    given: dict[str, Any] = {"question": question, "answer": prediction, "sources": sources}
    return Case.from_dict(given | ({"reference": more["reference"]} if more.get("reference") else {}))


def _guarded_case(given: Mapping[str, Any]) -> Case:
    if "answer" not in given:
        raise InputError('answer: the guard takes {"question": …, "answer": …, "documents": […]}')
    return _case(said(given["answer"]), str(given.get("question", "")), {"contexts": given.get("documents", ())})


def _evaluated(record: Any) -> dict[str, Any]:
    return {"score": record.score, "value": record.outcome, "reasoning": record.headline, "record": record}
