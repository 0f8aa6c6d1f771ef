"""The LangChain adapter with real retrievers: sync and async, as evidence with ids and origins, and inside the corrective loop."""

from __future__ import annotations

import asyncio

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.messages import AIMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import InMemoryVectorStore

from witnessmark.compat.rag import verify_and_correct
from witnessmark.core.errors import InputError, NotAcceptedError
from witnessmark.integrations.langchain import LangchainRetriever, answer_guard, evidence
from witnessmark.retrieval.protocols import Retriever, evidence_from

DOCUMENTS = [
    Document("Revenue grew 14 % in 2025.", id="r1", metadata={"source": "report.md", "page": 3}),
    Document("The company opened offices in Lyon and Porto.", metadata={"url": "https://example.com/offices"}),
    Document("Headcount was 410.", metadata={}),
    Document("   "),
]


class Shelf(BaseRetriever):
    """A retriever that finds everything; `asynchronous` says which of its two ways was used."""

    asynchronous: list[bool] = []

    def _get_relevant_documents(self, query, *, run_manager):
        self.asynchronous.append(False)
        return DOCUMENTS

    async def _aget_relevant_documents(self, query, *, run_manager):
        self.asynchronous.append(True)
        return DOCUMENTS


def test_a_retriever_of_langchain_is_a_retriever_of_ours():
    assert isinstance(LangchainRetriever(Shelf()), Retriever)  # req: C56


def test_it_is_asked_in_its_own_async_way_and_in_its_sync_way():
    shelf = Shelf(asynchronous=[])
    later = asyncio.run(evidence_from(LangchainRetriever(shelf), "revenue", 5))
    now = LangchainRetriever(shelf).retrieve_sync("revenue", 5)
    assert shelf.asynchronous == [True, False]
    assert later == now
    assert len(asyncio.run(LangchainRetriever(shelf).retrieve("revenue", 1))) == 1
    assert len(LangchainRetriever(shelf).retrieve_sync("revenue", 2)) == 2


def test_documents_keep_their_id_and_origin_and_empty_ones_are_left_out():
    first, second, third = evidence(DOCUMENTS)
    assert (first.id, first.origin, first.text) == ("r1", "report.md", "Revenue grew 14 % in 2025.")
    assert (second.id[:6], second.origin) == ("found-", "https://example.com/offices")
    assert third.origin is None
    assert len({one.id for one in evidence([DOCUMENTS[0], DOCUMENTS[0]])}) == 2


def test_a_vector_store_of_langchain_serves_the_corrective_loop():
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
    store.add_documents(DOCUMENTS[:3], ids=["r1", "r2", "r3"])
    found = LangchainRetriever(store.as_retriever(search_kwargs={"k": 3}))
    answer = verify_and_correct(
        "How did revenue do in 2025?",
        "Revenue grew 40 % in 2025.",
        [],
        retriever=found,
        verification={"mode": "correct"},
    )
    fixed = asyncio.run(answer)
    assert fixed.response == "Revenue grew 14 % in 2025 [r1]."
    assert fixed.is_grounded


GUARDED = {"question": "How did revenue do in 2025?", "documents": DOCUMENTS[:1]}
RIGHT = "Revenue grew 14 % in 2025."


def test_a_guard_reads_the_words_of_a_message_and_gives_them_on():
    assert answer_guard().invoke({**GUARDED, "answer": AIMessage(RIGHT)}) == RIGHT
    with pytest.raises(NotAcceptedError, match="40 %"):
        asyncio.run(answer_guard().ainvoke({**GUARDED, "answer": AIMessage("Revenue grew 40 % in 2025.")}))


def test_a_guard_takes_sources_as_any_other_door_does_and_refuses_what_is_no_answer():
    assert answer_guard().invoke({**GUARDED, "answer": RIGHT, "documents": [{"text": RIGHT}]}) == RIGHT
    with pytest.raises(InputError, match="answer: must be a text, not null"):
        answer_guard().invoke({**GUARDED, "answer": None})
