"""LangChain: any retriever as the Retriever of the corrective loop, and documents as evidence.

    verify_and_correct(question, answer, context, retriever=LangchainRetriever(store.as_retriever()))

Needs the extra `langchain`.
"""

from __future__ import annotations

from collections.abc import Iterable

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from witnessmark.core.case import Evidence
from witnessmark.core.values import text_digest
from witnessmark.integrations.adapter import sources

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


def _one(document: Document) -> Evidence:
    held = document.metadata
    known = document.id or held.get("id") or f"found-{text_digest(document.page_content)[:12]}"
    origin = next((str(held[key]) for key in _ORIGINS if held.get(key)), None)
    return Evidence(id=str(known), text=document.page_content, origin=origin)
