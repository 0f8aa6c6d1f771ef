"""The corrective loop by itself, with a verifier that only counts: bounded, logged, the best version kept."""

import asyncio

import pytest

from witnessmark.core.case import Evidence
from witnessmark.core.errors import InputError
from witnessmark.core.verdict import Claim
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.retrieval.corrective import ResponseCheck, correct
from witnessmark.retrieval.extractive import ExtractiveGenerator
from witnessmark.retrieval.folder import FolderRetriever
from witnessmark.retrieval.judge_generator import JudgeGenerator
from witnessmark.retrieval.protocols import Generator, Retriever, Revision, as_evidence, evidence_from, text_from
from witnessmark.retrieval.queries import gaps, neutral, targeted

BAD = ResponseCheck(
    0.2, False, (Claim(text="Sales of Acme grew 40 % in Peru.", status="contradicted", details={"part": "40 %"}),)
)
GOOD = ResponseCheck(1.0, True, (Claim(text="x", status="supported"),))


def run(verify, generator, first=BAD, retriever=None, **more):
    return asyncio.run(
        correct("How did Acme do?", "old", first, (), verify=verify, retriever=retriever, generator=generator, **more)
    )


def always(checked):
    async def verify(response, view):
        return checked

    return verify


def test_it_stops_once_a_version_is_grounded():
    done = run(always(GOOD), lambda task: "new")
    assert (done.response, done.stop, len(done.attempts)) == ("new", "grounded", 1)


def test_it_never_tries_more_often_than_allowed():
    written = iter(range(99))
    done = run(always(ResponseCheck(0.1, False, BAD.claims)), lambda task: f"v{next(written)}")
    assert (len(done.attempts), done.stop) == (2, "attempts used")  # req: S4-021
    none = run(always(GOOD), lambda task: "new", max_attempts=0)
    assert (none.response, none.stop) == ("old", "no attempts allowed")


def test_the_best_version_comes_back_with_its_own_counts():
    scores = iter([ResponseCheck(0.5, False, BAD.claims), ResponseCheck(0.3, False, BAD.claims)])

    async def verify(response, view):
        return next(scores)

    written = iter(["first", "second"])
    done = run(verify, lambda task: next(written))
    assert (done.response, done.checked.confidence) == ("first", 0.5)
    assert [attempt.kept for attempt in done.attempts] == [True, False]


def test_nothing_new_to_read_and_nothing_rewritten_ends_it():
    done = run(always(BAD), lambda task: "old", retriever=lambda query, count: [])
    assert (done.stop, done.attempts) == ("nothing new", ())


def test_new_evidence_is_in_view_for_the_original_too():
    views = []

    async def verify(response, view):
        views.append((response, [source.text for source in view]))
        return GOOD if response == "new" else BAD

    done = run(verify, lambda task: "new", retriever=lambda query, count: ["Acme shrank."])
    assert views == [("old", ["Acme shrank."]), ("new", ["Acme shrank."])]
    assert done.attempts[0].found == (done.sources[0].id,)


def test_queries_leave_out_what_is_in_dispute():
    assert neutral(BAD.claims[0]) == "Sales Acme grew Peru"
    assert targeted(BAD.claims, "How did Acme do?") == ["Sales Acme grew Peru", "How did Acme do?"]  # req: S4-018
    assert targeted(BAD.claims, "q", frozenset({"Sales Acme grew Peru"})) == ["q"]


def test_partial_claims_are_gaps_too_and_contradicted_ones_come_first():
    claims = [Claim(text=s, status=s) for s in ("supported", "partial", "unsupported", "contradicted", "unverifiable")]
    assert [claim.status for claim in gaps(claims)] == ["contradicted", "unsupported", "partial"]  # req: S4-017


def test_any_callable_retrieves_and_generates_async_or_not():
    async def found(query, count):
        return [{"id": "a", "text": "x", "origin": "o"}, "y", Evidence(id="e", text="z"), "left out"]

    got = asyncio.run(evidence_from(found, "q", 3))
    assert [one.text for one in got] == ["x", "y", "z"]
    with pytest.raises(InputError, match="retriever: should return"):
        as_evidence(3)
    with pytest.raises(InputError, match="generator: should return"):
        asyncio.run(text_from(lambda task: 3, Revision("q", ())))


def test_retriever_and_generator_are_protocols_and_so_are_the_embedded_ones(tmp_path):
    with FolderRetriever(tmp_path) as folder:
        assert isinstance(folder, Retriever)  # req: C56
    assert isinstance(JudgeGenerator(ScriptedJudge([])), Generator)
    assert isinstance(ExtractiveGenerator(lambda text, sources: []), Generator)


def test_a_judge_endpoint_can_write():
    judge = ScriptedJudge([{"response": "Acme shrank [a]."}])
    text = asyncio.run(text_from(JudgeGenerator(judge), Revision("q", (Evidence(id="a", text="Acme shrank."),))))
    assert text == "Acme shrank [a]."
    assert "Acme shrank." in judge.asked[0].user
    assert "Acme shrank." not in judge.asked[0].system
