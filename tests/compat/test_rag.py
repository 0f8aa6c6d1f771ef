"""The names of a retrieval pipeline's verifier stage, and that each of the fifteen bugs of the predecessor is gone."""

import asyncio
import os

import pytest

from witnessmark import Case, Settings, Verifier
from witnessmark.compat.rag import (
    ChatResponse,
    CheckedResponse,
    ClaimStatus,
    CRAGResult,
    VerificationResult,
    VerifiedClaim,
    calculate_confidence,
    chat_with_verification,
    corrective_rag_loop,
    verify_and_correct,
    verify_response,
)
from witnessmark.core.errors import JudgeUnavailableError, UnknownNameError
from witnessmark.integrations.answers import correct_answer
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.retrieval.folder import FolderRetriever
from witnessmark.testing import OneJudge

CONTEXT = "Revenue grew 14 % in 2025, to 82 million euros. The company opened offices in Lyon and Porto."
GOOD = "Revenue grew 14 % in 2025. The company opened offices in Lyon and Porto."
BAD = "Revenue grew 40 % in 2025. The company opened offices in Lyon and Porto."
QUERY = "How did the company do in 2025?"


CORRECT = {"mode": "correct"}


def run(work):
    return asyncio.run(work)


def correcting():
    return Verifier(Settings(verification=CORRECT))


def claims(*statuses):
    return VerificationResult(0.0, False, [VerifiedClaim("c", ClaimStatus(s), None, "") for s in statuses], [])


# --- verify_response -------------------------------------------------------------------------------------------------


def test_a_good_response_is_grounded():
    found = run(verify_response(QUERY, GOOD, CONTEXT))
    assert found.is_grounded is True  # req: S4-002
    assert found.confidence == 1.0
    assert [one.status for one in found.claims] == [ClaimStatus.SUPPORTED] * 2  # req: S4-003
    assert all(one.evidence and one.evidence in CONTEXT for one in found.claims)  # req: S4-052
    assert found.level == "high"  # req: S4-043


@pytest.mark.parametrize(
    ("context", "statuses", "confidence"),
    [
        (CONTEXT, ["supported", "supported"], 1.0),
        (CONTEXT.replace("14", "9"), ["contradicted", "supported"], 0.25),
        (CONTEXT.replace("14", "9").replace("2025", "2025, the company said"), ["contradicted", "supported"], 0.25),
        ("Revenue grew 9 % in 2025. Nothing else is known.", ["contradicted", "unsupported"], 0.0),
    ],
)
def test_each_claim_is_held_against_the_context_and_together_they_make_the_confidence(context, statuses, confidence):
    found = run(verify_response(QUERY, GOOD, context, verification={"model": "rules"}))
    assert [one.status.value for one in found.claims] == statuses  # req: S4-004
    assert found.confidence == confidence  # req: S4-005


def test_a_wrong_figure_is_found_with_the_words_of_the_source():
    found = run(verify_response(QUERY, BAD, CONTEXT))
    assert found.is_grounded is False
    assert found.claims[0].status is ClaimStatus.CONTRADICTED
    assert found.claims[0].evidence == "14 %"
    assert found.suggested_corrections == ["Say what source c1 (13–17) says, or leave it out."]


def test_it_is_called_in_the_familiar_way_and_answers_with_the_familiar_fields():
    found = run(verify_response(query=QUERY, response=BAD, context=CONTEXT, user_model=None))
    assert isinstance(found, VerificationResult)
    good = run(verify_response(query=QUERY, response=GOOD, context=CONTEXT))
    assert (found.is_grounded, good.is_grounded) == (False, True)  # req: S4-008
    assert (found.is_grounded, found.confidence) == (False, 0.25)  # req: S4-035
    wrong, right = found.claims
    assert isinstance(wrong, VerifiedClaim)
    assert (wrong.claim, wrong.evidence) == ("Revenue grew 40 % in 2025.", "14 %")  # req: S4-034
    assert "differs" in wrong.reasoning  # req: S4-034
    assert [wrong.status, right.status] == [ClaimStatus.CONTRADICTED, ClaimStatus.SUPPORTED]
    assert found.suggested_corrections  # req: S4-035


def test_statuses_are_read_and_written_by_their_familiar_values():
    told = {"SUPPORTED": "supported", "UNSUPPORTED": "unsupported", "PARTIALLY_SUPPORTED": "partially_supported"}
    assert {name: ClaimStatus[name].value for name in told} == told  # req: S4-033
    assert [ClaimStatus(word).name for word in told] == list(told), "whatever the case"  # req: S4-033
    assert ClaimStatus("partial") is ClaimStatus.PARTIALLY_SUPPORTED
    with pytest.raises(ValueError, match="maybe"):
        ClaimStatus("maybe")


def test_the_loop_is_called_in_the_familiar_way_and_tries_twice_at_most():
    written = []

    def wrong(task):
        written.append(task)
        return f"Revenue grew {len(written)}0 % in 2021."

    first = run(verify_response(QUERY, BAD, CONTEXT))
    done = run(corrective_rag_loop(QUERY, BAD, first, CONTEXT, None, generator=wrong))
    assert isinstance(done, CRAGResult)
    mended = run(
        corrective_rag_loop(
            query=QUERY, original_response=BAD, verification=first, context=CONTEXT, user_model=None, max_attempts=2
        )
    )
    assert ("14 %" in mended.final_response, mended.attempts) == (True, 1)  # req: S4-016
    assert (len(written), done.attempts) == (2, 2)  # req: S4-044
    assert (done.final_response, done.confidence) == (BAD, first.confidence)  # req: S4-036
    assert len(done.verification_history) == 3  # req: S4-036
    assert done.additional_context_used is False  # req: S4-036
    once = run(corrective_rag_loop(QUERY, BAD, first, CONTEXT, None, 1, generator=wrong))
    assert once.attempts == 1  # req: S4-044


def test_chunks_of_context_keep_their_ids():
    found = run(verify_response(QUERY, GOOD, ["Nothing.", {"id": "annual report", "text": CONTEXT}]))
    assert {one.source for one in found.claims} == {"annual report"}


def test_a_judge_is_the_fast_model_where_one_is_handed_in():
    judge = ScriptedJudge([{"claims": [{"number": 0, "status": "supported", "evidence": "opened offices in Lyon"}]}])
    run(verify_response(QUERY, "The firm runs branches abroad.", CONTEXT, judge))
    assert len(judge.asked) == 1  # req: S4-009
    (question,) = judge.asked
    assert "fact-checking assistant" in question.system  # req: S4-010
    assert "The firm runs branches abroad." in question.user  # req: S4-010
    assert CONTEXT in question.user  # req: S4-010
    assert all(f"`{word}`" in question.user for word in ("supported", "partially_supported", "unsupported"))
    entry = question.reply_schema["properties"]["claims"]["items"]["properties"]
    assert {"claim", "status", "evidence", "reasoning"} <= set(entry)  # req: S4-010
    assert "suggested_corrections" in question.reply_schema["required"]  # req: S4-010
    with pytest.raises(UnknownNameError, match="unknown judge 'gpt-4o'"):
        run(verify_response(QUERY, GOOD, CONTEXT, "gpt-4o"))


def test_the_judges_of_the_settings_are_asked_where_none_is_handed_in():
    judge = ScriptedJudge([{"claims": [{"number": 0, "status": "supported", "evidence": "opened offices in Lyon"}]}])
    configured = Verifier(services={"judges": OneJudge(judge)})
    found = run(verify_response(QUERY, "The firm runs branches abroad.", CONTEXT, verifier=configured))
    assert len(judge.asked) == 1  # req: S4-009
    assert found.is_grounded is True


def test_edge_cases_are_unverified_and_never_grounded():
    empty = run(verify_response(QUERY, GOOD, ""))
    assert (empty.confidence, empty.is_grounded, empty.unverified_because) == (None, None, "no_evidence")  # req: S4-050
    opinion = run(verify_response(QUERY, "I think it is a lovely company.", CONTEXT))
    assert opinion.is_grounded is False  # req: S4-063
    by_rules = {"model": "rules"}  # a model reads 300 claims past the deadline on a busy machine
    long = run(verify_response(QUERY, GOOD + " Offices were opened in Lyon." * 300, CONTEXT, verification=by_rules))
    assert len(long.claims) == 302  # req: S4-063


@pytest.mark.parametrize("response", ["Hello! How can I help you today?", "Which year do you mean?"])
def test_to_a_response_that_asserts_nothing_groundedness_does_not_apply(response):
    """Neither grounded nor not: no confidence is made up, and nobody rewrites it."""
    done = run(verify_and_correct(QUERY, response, CONTEXT, verification={"mode": "correct"}))
    told = done.verification
    assert (told.level, told.confidence, told.is_grounded) == ("not_applicable", None, None)  # req: C48
    assert (done.response, done.crag_used, done.crag_attempts) == (response, False, 0)  # req: C48
    assert (told.record.outcome, told.record.unverified_because) == ("unverified", "no_claims")


def test_a_refusal_is_left_as_it_is_and_is_not_called_ungrounded():
    refusal = "I do not know; the sources do not say."
    done = run(verify_and_correct("Who founded the firm?", refusal, CONTEXT, verification={"mode": "correct"}))
    assert (done.response, done.crag_used, done.is_grounded is False) == (refusal, False, False)  # req: C48


# --- the corrective loop -----------------------------------------------------------------------------------------------

MORE = ["Headcount was 410 at the end of 2025.", "Maria Lopes has led the company since 2019."]
UNKNOWN = "Revenue grew 14 % in 2025. Headcount was 390 at the end of 2025."


def finds(query, count):
    return MORE[:count]


def test_the_loop_finds_evidence_writes_again_and_verifies():
    first = run(verify_response(QUERY, UNKNOWN, CONTEXT))
    done = run(corrective_rag_loop(QUERY, UNKNOWN, first, CONTEXT, retriever=finds))
    assert done.additional_context_used  # req: S4-019
    assert "410" in done.final_response  # req: S4-020
    assert "390" not in done.final_response
    assert done.confidence > first.confidence  # req: S4-064
    assert done.stop_reason == "grounded"
    assert done.log[0]["queries"]


def test_verify_and_correct_is_the_one_entry_point():
    done = run(verify_and_correct(QUERY, UNKNOWN, CONTEXT, retriever=finds, verification=CORRECT))
    assert isinstance(done, CheckedResponse)
    assert (done.mode, done.response != UNKNOWN, "410" in done.response) == ("correct", True, True)  # req: S4-032
    assert (done.crag_used, done.is_grounded) == (True, True)  # req: S4-006
    told = [one.status.value for one in done.verification.claims]
    assert (done.confidence, told) == (1.0, ["supported", "supported"]), "those of what it became"  # req: S4-007
    good = run(verify_and_correct(QUERY, GOOD, CONTEXT, retriever=finds, verification=CORRECT))
    assert (good.response, good.crag_used, good.crag_attempts) == (GOOD, False, 0)
    assert good.crag is None, "the loop was not even entered"  # req: S4-056


def test_modes_observe_verify_and_correct():
    for mode in ("observe", "verify"):
        done = run(verify_and_correct(QUERY, BAD, CONTEXT, retriever=finds, verification={"mode": mode}))
        assert (done.response, done.crag_used, done.mode) == (BAD, False, mode)  # req: S4-065
    corrected = run(verify_and_correct(QUERY, BAD, CONTEXT, verification={"mode": "correct"}))
    assert "14 %" in corrected.response  # req: S4-066
    default = run(verify_and_correct(QUERY, BAD, CONTEXT))
    assert (default.response, default.crag_used) == (BAD, False), "correction is off by default"  # req: S4-066
    assert [(one.mode, one.response == BAD) for one in (default, corrected)] == [
        ("verify", True), ("correct", False),
    ]  # req: C55  # fmt: skip
    assert (default.mode, default.is_grounded) == ("verify", False), "verification is on by default"  # req: S4-067
    off = run(verify_and_correct(QUERY, BAD, CONTEXT, verification={"enabled": False}))
    assert (off.response, off.verification, off.confidence) == (BAD, None, None)  # req: S4-048


def test_the_number_of_attempts_is_a_setting():
    written = iter(f"Revenue grew {n} % in 2025." for n in range(90, 99))
    done = run(
        verify_and_correct(
            QUERY,
            BAD,
            CONTEXT,
            retriever=finds,
            generator=lambda task: next(written),
            verification=CORRECT | {"max_crag_attempts": 1},
        )
    )
    assert done.crag_attempts == 1  # req: S4-041


def test_extractive_correction_quotes_the_source_and_marks_what_it_took_out():
    text = "Revenue grew 40 % in 2025. It also bought 12 ships from Zoltan Kovacs."
    done = run(verify_and_correct(QUERY, text, CONTEXT, verification=CORRECT))
    assert done.response == "Revenue grew 14 % in 2025, to 82 million euros [c1]. […]"
    assert done.is_grounded is True
    case = Case.from_dict({"question": QUERY, "answer": text, "sources": [CONTEXT]})
    assert run(correct_answer(case, Verifier())).outcome == "partial", "what remains of an answer is a part"


# --- chat ----------------------------------------------------------------------------------------------------------------


def chat(**more):
    calls = []

    def retriever(query, count):
        calls.append("retrieve")
        return [CONTEXT, *MORE][:count]

    def generator(task):
        calls.append("generate")
        return GOOD

    options = {"retriever": retriever, "generator": generator} | more
    return run(chat_with_verification(QUERY, "personal", "some-model", **options)), calls


def test_chat_answers_in_the_familiar_form():
    reply, calls = chat()
    assert isinstance(reply, ChatResponse)
    body = reply.as_dict()
    assert (calls, body["verification"]["confidence"]) == (["retrieve", "generate"], 1.0)  # req: S4-031
    assert (body["content"], body["model"], body["workspace"]) == (GOOD, "some-model", "personal")
    assert body["verification"] == {
        "confidence": 1.0, "is_grounded": True, "claims_checked": 2, "claims_supported": 2, "crag_attempts": 0,
    }  # req: S4-038  # fmt: skip


def test_chat_without_verification_is_what_it_was():
    reply, _ = chat(enable_verification=False)
    assert list(reply.as_dict()) == ["content", "model", "workspace"]  # req: S4-037


def test_chat_shows_claims_where_asked_to():
    reply, _ = chat(show_claims=True)
    assert [one["status"] for one in reply.verification["claims"]] == ["supported", "supported"]  # req: S4-042


def test_chat_corrects_only_where_that_is_on():
    wrong, _ = chat(generator=lambda task: BAD, enable_crag=False)
    assert (wrong.content, wrong.verification["is_grounded"]) == (BAD, False)
    mends = {"generator": lambda task: GOOD if task.response else BAD}
    usual, _ = chat(**mends)
    assert (usual.content, usual.verification["crag_attempts"]) == (BAD, 0), "off by default"  # req: S4-066
    mended, _ = chat(**mends, verifier=correcting())
    assert (mended.content, mended.verification["crag_attempts"]) == (GOOD, 1)  # req: S4-030
    kept, _ = chat(**mends, verifier=correcting(), enable_crag=False)
    assert kept.content == BAD  # req: S4-030
    loose, _ = chat(**mends, verifier=correcting(), confidence_threshold=0.1)
    assert loose.content == BAD or loose.verification["is_grounded"], "a contradiction is corrected at any threshold"


def test_the_settings_file_is_what_a_pipeline_goes_by(tmp_path, monkeypatch):
    (tmp_path / "witnessmark.toml").write_text(
        '[verification]\nmode = "correct"\nmax_crag_attempts = 1\nshow_claims = true\nconfidence_threshold = 0.9\n'
    )
    monkeypatch.chdir(tmp_path)
    tries = []

    def generator(task):
        tries.append(task)
        return f"Revenue grew {len(tries)}9 % in 2025."

    reply, _ = chat(generator=generator)
    assert (len(tries), reply.verification["crag_attempts"]) == (2, 1), "one answer, one attempt"  # req: S4-041
    assert reply.verification["claims"][0]["status"] == "contradicted"  # req: S4-042
    done = run(verify_and_correct(QUERY, BAD, CONTEXT))
    assert (done.mode, "14 %" in done.response) == ("correct", True)  # req: S4-045
    (tmp_path / "witnessmark.toml").write_text("[verification]\nenabled = false\n")
    off, _ = chat()
    assert off.verification is None  # req: S4-039
    (tmp_path / "witnessmark.toml").write_text('[verification]\nmode = "observe"\n')
    assert (
        run(
            correct_answer(
                Case(goal=QUERY, subject={"kind": "answer", "text": BAD}, evidence=[{"id": "c1", "text": CONTEXT}]),
                Verifier.from_settings(store="memory:"),
            )
        ).response
        == BAD
    )


def test_chat_over_a_folder_needs_no_model(tmp_path):
    (tmp_path / "report.md").write_text(CONTEXT, encoding="utf-8")
    with FolderRetriever(tmp_path) as folder:
        reply = run(chat_with_verification("How much did revenue grow in 2025?", retriever=folder))
    assert ("14 %" in reply.content, reply.verification["is_grounded"]) == (True, True)  # req: S4-001


# --- a model's reply in the familiar shape -----------------------------------------------------------------------------------


OPEN = "The firm runs branches abroad."


def judged(*claims, **beside):
    """What verifying says where a judge answers with these claims; OPEN is one that no rule settles."""
    judge = ScriptedJudge([{"claims": list(claims), **beside}])
    return run(verify_response(QUERY, OPEN, CONTEXT, judge))


def said(status="supported", evidence="opened offices in Lyon", **more):
    return {"number": 0, "claim": OPEN, "status": status, "evidence": evidence, "reasoning": "as it says"} | more


def test_a_judges_reply_is_read_whatever_its_case():
    found = judged(said("SUPPORTED", "OPENED offices in Lyon"), overall_confidence=0.4, is_grounded=False)
    assert found.claims[0].status is ClaimStatus.SUPPORTED  # req: S4-013
    assert found.claims[0].reasoning == "as it says"  # req: S4-013
    assert ClaimStatus("SUPPORTED") is ClaimStatus("supported")  # req: C53
    assert found.is_grounded is True, "by the claims, whatever the judge says of the whole"  # req: S4-012
    assert (found.confidence, found.judge_reported) == (1.0, 0.4)
    reported = next(one for one in found.record.results if one.check == "grounding").details
    assert reported["judge_reported_grounded"] is False  # req: S4-012


@pytest.mark.parametrize("name", ["suggested_corrections", "suggested_fixes"])
def test_a_judges_correction_is_the_advice_on_its_claim(name):
    found = judged(said("unsupported", ""), **{name: [{"number": 0, "correction": "The company opened offices."}]})
    assert found.suggested_corrections == ["The company opened offices."]  # req: S4-014
    assert found.record.findings[0].suggestion == "The company opened offices."  # req: C53


# --- the fifteen bugs of the predecessor -------------------------------------------------------------------------------------


def test_seed4_weakness_01_the_loop_sees_its_own_evidence():
    """New evidence stood after the first 8,000 characters and was never read."""
    filler = "Nothing else of note is in the report. " * 400
    first = run(verify_response(QUERY, UNKNOWN, filler + CONTEXT))
    done = run(corrective_rag_loop(QUERY, UNKNOWN, first, filler + CONTEXT, retriever=finds))
    assert "410" in done.final_response
    assert done.confidence == 1.0


def test_seed4_weakness_02_many_claims_fit_into_the_reply():
    """500 tokens held about four claims; now the room grows with the claims."""
    text = " ".join(
        f"The firm runs branch {word} abroad nicely." for word in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
    )
    judge = ScriptedJudge([{"claims": []}])
    run(verify_response(QUERY, text, CONTEXT, judge))
    assert judge.asked[0].max_tokens >= 10 * 100


def test_seed4_weakness_03_a_broken_judge_is_never_grounded():
    """Model down or empty context gave 0.5 and grounded."""
    down = run(
        verify_response(
            QUERY, "The firm runs branches abroad.", CONTEXT, ScriptedJudge([JudgeUnavailableError("down")])
        )
    )
    assert (down.confidence, down.is_grounded, down.unverified_because) == (None, None, "judge_error")
    empty = run(verify_and_correct(QUERY, GOOD, ""))
    assert empty.is_grounded is not True


def test_seed4_weakness_04_the_claims_make_the_number_not_the_model():
    """Three unsupported claims with overall_confidence 0.99 gave 0.99; 0.0 counted as absent; 5 was accepted."""
    assert judged(said("UNSUPPORTED", ""), overall_confidence=0.99).confidence == 0.0
    zero = judged(said(), overall_confidence=0.0)
    assert (zero.confidence, zero.judge_reported) == (1.0, 0.0)
    assert judged(said(), overall_confidence=5).judge_reported is None


def test_seed4_weakness_05_odd_types_are_refused_and_do_not_crash():
    """A number as text and claims as strings crashed."""
    assert judged(said(), overall_confidence="0.2").judge_reported is None
    for broken in ("x", {"claim": OPEN}, said("MAYBE")):
        found = judged(broken)
        assert (found.confidence, found.unverified_because) == (None, "judge_error")


def test_seed4_weakness_06_partial_claims_are_corrected_too():
    """Only partial claims: the loop was `used` with no attempt."""
    text = "Revenue grew 14 % in 2025 [9]. The company opened offices in Lyon and Porto [8]."
    first = run(verify_response(QUERY, text, CONTEXT, verification={"confidence_threshold": 0.9}))
    assert [one.status for one in first.claims] == [ClaimStatus.PARTIALLY_SUPPORTED] * 2
    done = run(corrective_rag_loop(QUERY, text, first, CONTEXT, settings={"confidence_threshold": 0.9}))
    assert done.attempts == 1
    assert done.confidence > first.confidence


def test_seed4_weakness_07_no_claims_is_one_answer_everywhere():
    """One path said 0.0, the other 1.0."""
    assert calculate_confidence(claims()) is None
    assert run(verify_response(QUERY, "Hello!", CONTEXT)).confidence is None


def test_seed4_weakness_08_counts_are_those_of_the_returned_version():
    """After the loop the counts were still those of the first version."""
    reply, _ = chat(generator=lambda task: GOOD if task.response else BAD, verifier=correcting())
    assert reply.verification["claims_supported"] == reply.verification["claims_checked"] == 2


def test_seed4_weakness_09_no_search_for_support_of_a_hallucination_only():
    """The loop searched for evidence for the false claim and kept the last attempt even if worse."""
    asked = []

    def retriever(query, count):
        asked.append(query)
        return ["Revenue grew 14 % in 2025, the report says again."]

    worse = "Revenue grew 90 % in 2025. Offices were opened in Rome and Oslo."
    first = run(verify_response(QUERY, BAD, CONTEXT))
    done = run(corrective_rag_loop(QUERY, BAD, first, CONTEXT, retriever=retriever, generator=lambda task: worse))
    assert not any("40" in query for query in asked)
    assert (done.final_response, done.stop_reason) == (BAD, "attempts used")
    assert done.confidence >= first.confidence


def test_seed4_weakness_10_quotes_are_looked_up():
    """Evidence quotes were taken as given."""
    found = judged(said("supported", "it runs branches in 99 countries"))
    (claim,) = found.record.claims
    assert claim.details["by"] != "judge", "a word whose quote is not there does not count"
    assert found.claims[0].reasoning != "as it says"
    assert next(one for one in found.record.results if one.check == "grounding").details["quotes_not_found"] == 1


def test_seed4_weakness_11_the_judge_sees_the_query():
    """The query was not in the prompt."""
    judge = ScriptedJudge([{"claims": []}])
    run(verify_response("Where are the branches?", "The firm runs branches abroad.", CONTEXT, judge))
    assert "Where are the branches?" in judge.asked[0].user


def test_seed4_weakness_12_contradiction_has_a_status_and_the_prompt_has_no_bias():
    """The prompt said to mark unsupported only if clear; nothing could be contradicted."""
    assert run(verify_response(QUERY, BAD, CONTEXT)).claims[0].status is ClaimStatus.CONTRADICTED
    judge = ScriptedJudge([{"claims": []}])
    run(verify_response(QUERY, OPEN, CONTEXT, judge))
    assert "conservative" not in judge.asked[0].user
    assert "`contradicted` (they say otherwise)" in judge.asked[0].user


def test_seed4_weakness_13_the_penalty_does_not_punish_length():
    """95 of 100 supported gave 0.45."""
    many = claims(*["supported"] * 95, *["unsupported"] * 5)
    assert calculate_confidence(many) == 0.925
    assert calculate_confidence(many, original=True) == 0.45


def test_seed4_weakness_14_nothing_global_is_touched():
    """Every call changed os.environ."""
    before = dict(os.environ)

    async def many():
        return await asyncio.gather(*(verify_response(QUERY, text, CONTEXT) for text in [GOOD, BAD] * 5))

    found = run(many())
    assert [one.is_grounded for one in found] == [True, False] * 5
    assert dict(os.environ) == before


def test_seed4_weakness_15_the_loop_itself_is_tested():
    """corrective_rag_loop had no test: here it runs whole, on a folder, without a stand-in."""
    first = run(verify_response(QUERY, BAD, CONTEXT))
    done = run(corrective_rag_loop(QUERY, BAD, first, CONTEXT))
    assert (first.is_grounded, done.verification.is_grounded) == (False, True)
    assert done.verification_history[0] is first


def test_without_any_source_an_answer_comes_back_as_it_is():
    case = Case.from_dict({"question": "How did it do?", "answer": "Revenue grew 40 % in 2025."})
    done = asyncio.run(correct_answer(case, Verifier()))
    assert (done.response, done.attempts) == ("Revenue grew 40 % in 2025.", ())
