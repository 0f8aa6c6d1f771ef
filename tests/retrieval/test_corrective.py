"""The corrective loop by itself, with a verifier that only counts: bounded, logged, the best version kept."""

import asyncio

import pytest

from witnessmark.core.case import Evidence
from witnessmark.core.errors import InputError
from witnessmark.core.verdict import Claim, EvidenceRef, SourceWords, WrongWords
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.retrieval.corrective import ResponseCheck, correct, plain_reply
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


def test_no_two_sources_get_one_id():
    found = [{"id": one, "text": text} for one, text in (("d", "A"), ("d#2", "B"), ("d", "C"))]
    done = run(always(BAD), lambda task: "new", retriever=lambda query, count: found, max_attempts=1)
    assert [(one.id, one.text) for one in done.sources] == [("d", "A"), ("d#2", "B"), ("d#3", "C")]


def test_nothing_new_to_read_and_nothing_rewritten_ends_it():
    done = run(always(BAD), lambda task: "old", retriever=lambda query, count: [])
    assert (done.stop, done.attempts) == ("nothing new", ())
    silent = run(always(BAD), lambda task: "", retriever=lambda query, count: [])
    assert (silent.response, silent.stop, silent.attempts) == ("old", "nothing to write", ())


def test_nothing_written_never_takes_the_place_of_an_answer():
    beside = ResponseCheck(0.2, False, BAD.claims, relevance=0.1)
    done = run(always(beside), lambda task: "", first=beside, retriever=lambda query, count: [f"About {query}."])
    assert (done.response, [attempt.kept for attempt in done.attempts]) == ("old", [False])


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


# --- no harm ------------------------------------------------------------------------------------------------------------

UNGROUNDED = ResponseCheck(0.4, False, BAD.claims, relevance=1.0)
REFUSAL = (Claim(text="The sources do not say.", kind="refusal", status="supported"),)


def versions(**by_text):
    async def verify(response, view):
        return by_text[response]

    return verify


def test_a_supported_answer_to_another_question_is_never_given():
    unrelated = ResponseCheck(1.0, True, GOOD.claims, relevance=0.0)
    done = run(versions(old=UNGROUNDED, new=unrelated), lambda task: "new", first=UNGROUNDED)
    assert (done.response, done.checked) == ("old", UNGROUNDED)  # req: S4-020


def test_a_refusal_where_the_sources_are_silent_is_better_than_an_answer_they_do_not_support():
    right = ResponseCheck(1.0, True, REFUSAL, relevance=0.0)
    done = run(versions(old=UNGROUNDED, new=right), lambda task: "new", first=UNGROUNDED)
    assert (done.response, done.stop) == ("new", "grounded")
    answered = ResponseCheck(1.0, True, GOOD.claims, relevance=1.0)
    assert answered.better_than(right)
    assert not right.better_than(answered)


def test_a_refusal_that_is_right_is_left_alone():
    right = ResponseCheck(1.0, True, REFUSAL, relevance=0.0)
    done = run(versions(), lambda task: "Something else.", first=right)
    assert (done.response, done.stop, done.attempts) == ("old", "grounded", ())


def test_a_refusal_nobody_can_settle_is_better_than_little_support_and_worse_than_much():
    unsure = ResponseCheck(None, None, (Claim(text="I do not know.", kind="refusal", status="unverifiable"),))
    assert unsure.better_than(ResponseCheck(0.2, False, BAD.claims))
    assert not unsure.better_than(ResponseCheck(0.6, False, BAD.claims))


def test_what_is_less_of_an_answer_does_not_take_the_place_of_more():
    partly = ResponseCheck(0.6, False, BAD.claims, relevance=0.4)
    assert not partly.better_than(UNGROUNDED)


def test_of_two_that_miss_the_question_alike_the_one_that_is_borne_out_is_given():
    wrong = ResponseCheck(0.0, False, BAD.claims, relevance=0.4)
    right = ResponseCheck(1.0, True, GOOD.claims, relevance=0.4)
    done = run(versions(old=wrong, new=right), lambda task: "new", first=wrong)
    assert (done.response, done.checked) == ("new", right)
    assert not wrong.better_than(right)
    assert not ResponseCheck(1.0, True, GOOD.claims, relevance=0.3).better_than(wrong)
    assert not ResponseCheck(0.6, False, BAD.claims, relevance=0.4).better_than(wrong)
    assert not right.better_than(ResponseCheck(0.0, False, BAD.claims))


def test_a_generator_that_breaks_loses_nothing():
    def broken(task):
        raise RuntimeError("no connection")

    done = run(versions(old=UNGROUNDED), broken, first=UNGROUNDED)
    assert (done.response, done.checked, done.stop) == ("old", UNGROUNDED, "generator failed")
    assert done.attempts[0].fault == "generator: RuntimeError: no connection"


def test_a_generator_that_breaks_at_the_second_attempt_leaves_the_best_so_far():
    better = ResponseCheck(0.6, False, BAD.claims, relevance=1.0)
    told = iter(["new"])
    done = run(versions(old=UNGROUNDED, new=better), lambda task: next(told), first=UNGROUNDED)
    assert (done.response, done.checked) == ("new", better)


def test_a_retriever_that_breaks_leaves_what_is_in_view():
    def broken(query, count):
        raise OSError("index is gone")

    answered = ResponseCheck(1.0, True, GOOD.claims, relevance=1.0)
    done = run(versions(old=UNGROUNDED, new=answered), lambda task: "new", first=UNGROUNDED, retriever=broken)
    assert (done.response, done.attempts[0].fault) == ("new", "retriever: OSError: index is gone")


def test_being_called_off_is_no_fault():
    async def called_off(task):
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run(versions(old=UNGROUNDED), called_off, first=UNGROUNDED)


@pytest.mark.parametrize(
    "reply",
    [
        "## Corrected answer\n\nAcme shrank.",
        "**Answer:**\nAcme shrank.",
        "Here is the corrected response:\n\nAcme shrank.",
        "Corrected response: Acme shrank.",
        "```\nAcme shrank.\n```",
        "# Answer\n\n**Response**\n\nAcme shrank.",
        "Acme shrank.",
    ],
)
def test_headings_and_labels_around_a_reply_are_no_part_of_it(reply):
    seen = []

    async def verify(response, view):
        seen.append(response)
        return GOOD

    assert run(verify, lambda task: reply).response == "Acme shrank."
    assert seen == ["Acme shrank."]


def test_a_heading_alone_is_left_as_it_is():
    assert plain_reply("## Answer") == "## Answer"


def test_the_sources_words_answer_only_what_they_are_about():
    sources = (Evidence(id="a", text="The harbour was dredged in spring."),)

    def nearest(text, given):
        return [(0.2, EvidenceRef(id="a", span=(0, 34)))]

    written = ExtractiveGenerator(nearest).generate(Revision("How many apples does Acme sell?", sources))
    assert written == "The sources do not say."


@pytest.mark.parametrize(
    ("status", "probability", "stays"),
    [("unsupported", 0.71, True), ("partial", 0.8, True), ("unsupported", 0.46, False), ("contradicted", 0.9, False)],
)
def test_a_doubtful_claim_that_is_likely_right_is_not_cut(status, probability, stays):
    text = "Acme sells apples. It also sells pears."
    claims = (
        Claim(text="Acme sells apples.", status="supported", span=(0, 18)),
        Claim(text="It also sells pears.", status=status, span=(19, 39), probability=probability),
    )
    made = ExtractiveGenerator(lambda text, sources: []).generate(Revision("What does Acme sell?", (), text, claims))
    assert made == (text if stays else "Acme sells apples. […]")


TWO = "Acme sells apples in Oslo, and it sells pears. It was founded in 1990."
TWO_CLAIMS = (
    Claim(text="Acme sells apples in Oslo", status="supported", span=(0, 25), probability=0.9),
    Claim(text="It sells pears.", status="contradicted", span=(31, 46), probability=0.1),
    Claim(text="It was founded in 1990.", status="partial", span=(47, 70), probability=0.6),
)
SHOP = (Evidence(id="a", text="Acme sells plums only."),)


@pytest.mark.parametrize(
    ("cite", "share", "made"),
    [
        (True, 0.6, "Acme sells apples in Oslo. Acme sells plums only [a]. It was founded in 1990."),
        (False, 0.6, "Acme sells apples in Oslo. Acme sells plums only. It was founded in 1990."),
        (False, 0.1, "Acme sells apples in Oslo. […] It was founded in 1990."),
    ],
)
def test_a_sentence_with_a_wrong_part_is_replaced_whole_and_what_is_doubtful_stays(cite, share, made):
    def nearest(text, given):
        return [(share, EvidenceRef(id="a"))] if "pears" in text else []

    written = ExtractiveGenerator(nearest, cite=cite).generate(Revision("What does Acme sell?", SHOP, TWO, TWO_CLAIMS))
    assert written == made


@pytest.mark.parametrize(
    ("text", "wrong", "stated", "made"),
    [
        ("Team costs $499.", "$499", "price: $149", "Team costs $149 [d]."),
        ("Riga covers 605,000 km².", "605,000 km²", "area km2: 304", "Riga covers 304 km² [d]."),
        ("Order 7 is paid.", "paid", "status: open", "Order 7 is open [d]."),
        ("Order 7 has 12 items.", "12", "size: unlimited", "[…]"),
    ],
)
def test_a_value_of_a_record_is_put_right_in_its_own_sentence(text, wrong, stated, made):
    words = (WrongWords(text=wrong, closest=SourceWords(id="d", text=stated)),)
    claim = Claim(text=text, status="contradicted", span=(0, len(text)), details={"rule": "cell"}, words=words)
    kept = Claim(text="It is new.", status="supported", span=(len(text) + 1, len(text) + 11))
    task = Revision("Which?", (Evidence(id="d", text="x"),), f"{text} It is new.", (claim, kept))
    assert ExtractiveGenerator(lambda text, sources: []).generate(task) == f"{made} It is new."


@pytest.mark.parametrize(("given", "read"), [("code", "code"), ("pdf", "passage"), (None, "passage"), ([], "passage")])
def test_evidence_keeps_the_kind_it_is_given_where_it_is_one_of_ours(given, read):
    assert as_evidence({"text": "x", "kind": given}).kind == read


def test_a_retriever_that_finds_one_text_finds_no_letters():
    found = asyncio.run(evidence_from(lambda query, count: "Sales rose 4 %.", "sales", 3))
    assert [one.text for one in found] == ["Sales rose 4 %."]
    with pytest.raises(InputError, match="retriever: should return texts"):
        asyncio.run(evidence_from(lambda query, count: {"documents": ["Sales rose 4 %."]}, "sales", 3))
