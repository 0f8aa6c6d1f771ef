"""A judge's word on claims: nothing it holds against one is lost on the way, and a reply about something else is no answer."""

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witnessmark import Case, Settings, Verifier
from witnessmark.checks.grounding.grounding_check import grounding
from witnessmark.core.errors import ConfigError, JudgeReplyError, JudgeUnavailableError
from witnessmark.judges.ask import material_of
from witnessmark.judges.grouped_judge import GroupedJudges
from witnessmark.judges.panel import Panel
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.settings import Content
from witnessmark.testing import OneJudge

SOURCE = "The ferry leaves Harle at nine. Boats to the island are run by the Norden line."
TEXT = "The ferry leaves Harle at nine. Boats to the island are run by the Norden line."
FIRST, SECOND = "The ferry leaves Harle at nine.", "Boats to the island are run by the Norden line."


def case(text=TEXT, source=SOURCE):
    return Case.from_dict(
        {
            "goal": "How do I get there?",
            "subject": {"kind": "answer", "text": text},
            "evidence": [{"id": "d1", "text": source}],
        }
    )


def looked(entries, text=TEXT, **reply):
    judge = ScriptedJudge([{"claims": entries, **reply}])
    return asyncio.run(grounding(judge=judge)(case(text), {}))


def entry(number, status, evidence="", claim="", reasoning=""):
    return {"number": number, "claim": claim, "reasoning": reasoning, "status": status, "evidence": evidence}


def fine(number=0):
    return entry(number, "supported", (FIRST, SECOND)[number])


def test_without_a_word_against_it_the_answer_passes():
    assert looked([fine(0), fine(1)]).status == "pass"


@pytest.mark.parametrize("quote", ["", "The ferry leaves at noon", "the ferry leaves Harle about nine"])
@pytest.mark.parametrize("status", ["contradicted", "unsupported"])
def test_what_a_judge_holds_against_a_claim_stands_without_its_quote(status, quote):
    result = looked([entry(0, status, quote, reasoning="It leaves at noon."), fine(1)])
    assert result.status == "partial"
    assert result.claims[0].status == "unsupported"
    assert "It leaves at noon." in result.claims[0].reason


def test_the_record_says_that_a_quote_was_not_found_and_what_it_was():
    result = looked([entry(0, "contradicted", "it leaves at noon", reasoning="Noon."), fine(1)])
    assert result.details["quotes_not_found"] == 1
    assert result.claims[0].details["quote_not_found"] == "it leaves at noon"
    assert (
        result.findings[0].message
        == "a judge says that the sources say otherwise, and the words it quotes are not in them: Noon."
    )


def test_a_found_quote_and_the_judges_reasoning_stand_with_what_it_contradicts():
    result = looked([entry(0, "contradicted", "run by the Norden line", reasoning="Another line."), fine(1)])
    assert (result.claims[0].status, result.claims[0].details["quote"]) == ("contradicted", "run by the Norden line")
    assert result.claims[0].reason == "a judge says that the sources say otherwise: Another line."


def test_a_part_called_supported_without_a_quote_neither_passes_nor_raises():
    assert looked([entry(0, "partial", "nowhere"), fine(1)]).claims[0].status == "partial"
    lacking = looked([entry(0, "partial", "nowhere")], "Seventeen swans were counted by Ada Quill.")
    assert lacking.claims[0].status == "unsupported"


@pytest.mark.parametrize(
    "said",
    [
        [fine(0), entry(0, "contradicted", "run by the Norden line"), fine(1)],
        [fine(0), entry(0, "unsupported", claim="at nine"), fine(1)],
        [entry(0, "supported", FIRST, claim="The ferry leaves Harle at nine"), entry(0, "unsupported"), fine(1)],
        [entry(0, "contradicted", FIRST, claim="the boat goes at nine"), fine(1)],
        [
            entry(0, "supported", FIRST, "ferry leaves Harle"),
            entry(0, "contradicted", FIRST, "leaves Harle at"),
            fine(1),
        ],
    ],
)
def test_a_second_word_or_one_in_other_words_still_speaks_against_the_claim(said):
    result = looked(said)
    assert result.status == "partial"
    assert result.claims[0].status in ("unsupported", "contradicted")


def test_a_judge_that_counts_from_one_is_read_by_the_words_it_repeats():
    result = looked([entry(1, "supported", FIRST, FIRST), entry(2, "contradicted", SECOND, SECOND)])
    assert [claim.status for claim in result.claims] == ["supported", "contradicted"]


@pytest.mark.parametrize(
    ("entries", "grounded"),
    [
        ([entry(7, "contradicted", FIRST, "The boat leaves Harle."), fine(1)], False),
        ([entry(7, "supported", FIRST)], True),
        ([], False),
        ([fine(0)], False),
    ],
)
def test_a_reply_that_is_about_something_else_is_no_answer(entries, grounded):
    with pytest.raises(JudgeReplyError) as caught:
        looked(entries, is_grounded=grounded)
    assert caught.value.usage.judge_calls == 1


def test_a_judge_that_answers_for_none_and_holds_nothing_against_any_is_told_and_decides_nothing():
    result = looked([], is_grounded=True)
    assert (result.status, result.confidence_source) == ("pass", "deterministic")
    assert "answered for none of the claims" in result.details["judge_note"]


def test_no_answer_makes_the_record_unverified_and_never_a_pass():
    judge = ScriptedJudge([{"claims": [], "is_grounded": False}])
    record = Verifier(services={"judges": OneJudge(judge)}).verify_sync(case())
    assert (record.outcome, record.unverified_because) == ("unverified", "judge_error")


ACCUSED = st.fixed_dictionaries(
    {
        "number": st.integers(0, 1),
        "claim": st.sampled_from(["", FIRST, SECOND, "at nine", "by the Norden line", "something else"]),
        "status": st.sampled_from(["supported", "partially_supported", "unsupported", "contradicted"]),
        "evidence": st.sampled_from(["", FIRST, "nowhere"]),
    }
)


@settings(deadline=None)
@given(st.lists(ACCUSED, max_size=5))
def test_no_reply_that_accuses_any_claim_passes(entries):
    judge = ScriptedJudge([{"claims": entries, "is_grounded": False}])
    try:
        result = asyncio.run(grounding(judge=judge)(case(), {}))
    except JudgeReplyError:
        return
    accused = any(one["status"] in ("unsupported", "contradicted") for one in entries)
    assert (result.status == "pass") <= (not accused)


def test_a_panel_goes_by_what_most_of_its_judges_say_of_a_claim():
    def says(name, *statuses):
        made = [entry(n, status, (FIRST, SECOND)[n]) for n, status in enumerate(statuses)]
        reply = {"claims": made, "suggested_corrections": [], "is_grounded": True, "overall_confidence": 0.9}
        return ScriptedJudge(lambda question: reply, id=name, family=name)

    lenient, strict = says("a", "supported", "supported"), [says(name, "supported", "contradicted") for name in "bc"]
    result = asyncio.run(grounding(judge=Panel([lenient, *strict]))(case(), {}))
    assert [claim.status for claim in result.claims] == ["supported", "contradicted"]


def says(name, *statuses, grounded=True):
    """A judge that has one word on each claim."""
    made = [entry(n, status, (FIRST, SECOND)[n]) for n, status in enumerate(statuses)]
    reply = {"claims": made, "suggested_corrections": [], "is_grounded": grounded, "overall_confidence": 0.9}
    return ScriptedJudge(
        lambda question: (
            {name: reply for name in question.reply_schema["required"] if name.startswith("question")} or reply
        ),
        id=name,
        family=name,
    )


def test_claims_on_which_a_panel_agrees_count_though_it_disagrees_on_another():
    panel = Panel([says("a", "contradicted", "supported", grounded=False), says("b", "contradicted", "contradicted")])
    record = Verifier(services={"judges": OneJudge(panel)}).verify_sync(case())
    assert [claim.status for claim in record.claims] == ["contradicted", "unverifiable"]
    assert (record.claims[1].reason, record.outcome) == ("the judges disagree on it", "partial")
    assert record.usage.judge_calls == 2


def test_they_count_in_a_batch_as_they_do_alone():
    panel = Panel([says("a", "contradicted", "supported", grounded=False), says("b", "contradicted", "contradicted")])
    verifier = Verifier(services={"judges": GroupedJudges(OneJudge(panel))})

    async def both():
        return await asyncio.gather(verifier.verify(case()), verifier.verify(case(TEXT + " ")))

    records = asyncio.run(both())
    assert [[claim.status for claim in record.claims] for record in records] == [["contradicted", "unverifiable"]] * 2
    assert sum(record.usage.judge_calls for record in records) == 2  # the two were asked together


def test_a_claim_on_which_a_panel_disagrees_does_not_pass_with_the_others():
    panel = Panel([says("a", "supported", "supported"), says("b", "supported", "contradicted", grounded=False)])
    record = Verifier(services={"judges": OneJudge(panel)}).verify_sync(case())
    assert [claim.status for claim in record.claims] == ["supported", "unverifiable"]
    assert (record.outcome, record.coverage) == ("partial", 0.5)


def test_where_a_panel_agrees_on_no_claim_it_cannot_say():
    panel = Panel([says("a", "supported", "supported"), says("b", "contradicted", "contradicted")])
    record = Verifier(services={"judges": OneJudge(panel)}).verify_sync(case())
    assert (record.outcome, record.unverified_because) == ("unverified", "undecided")


def test_a_judge_without_its_key_is_an_error_like_one_that_is_down():
    missing = ConfigError("the judge needs an API key: set OPENAI_API_KEY")
    with pytest.raises(JudgeUnavailableError, match="OPENAI_API_KEY"):
        asyncio.run(grounding(judge=ScriptedJudge([missing]))(case(), {}))


def test_a_judges_words_are_kept_out_where_content_is():
    judge = ScriptedJudge(
        lambda question: {
            "claims": [
                entry(one["number"], "contradicted", "secret quote", reasoning="secret reason")
                for one in json.loads(material_of(question)["claims"])
            ]
        }
    )
    kept = Verifier(Settings(content=Content(keep="digest")), services={"judges": OneJudge(judge)}).verify_sync(case())
    assert kept.outcome == "partial"
    assert b"secret" not in kept.json()


def test_nor_are_they_kept_in_what_is_told_of_a_synthesis():
    judge = ScriptedJudge(
        lambda question: {
            "claims": [
                entry(one["number"], "unsupported", "", reasoning="secret reason")
                for one in json.loads(material_of(question)["claims"])
            ]
        }
    )
    outputs = [{"id": "a1", "kind": "agent_output", "origin": "tester", "text": "The load test held 5 kN for a day."}]
    asked = Case(
        goal="Is it safe?", subject={"kind": "synthesis", "text": "The bridge is safe for trams."}, evidence=outputs
    )
    for keep in ("full", "digest"):
        verifier = Verifier(Settings(content=Content(keep=keep)), services={"judges": OneJudge(judge)})
        record = verifier.verify_sync(asked)
        told = [one for one in record.findings if one.check == "traceability"]
        assert told
        assert (b"secret" in record.json()) == (keep == "full")
