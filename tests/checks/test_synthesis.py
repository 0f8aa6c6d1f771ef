"""Coherence and completeness of a synthesis: counted where they can be, judged where a judge is, and what a low one causes."""

from __future__ import annotations

from pathlib import Path

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.grounding.steps.arithmetic import way
from witnessmark.core.case import Evidence, Synthesis
from witnessmark.core.errors import JudgeReplyError
from witnessmark.testing import OneJudge, PerfectReader, ScriptedJudge
from witnessmark.text.dates import dates, without_dates
from witnessmark.text.numbers import figures

GOOD = sorted((Path(__file__).parents[1] / "fixtures" / "good").glob("synthesis-*.json"))
TESTER = "The load test held 5 kN per square metre for 24 hours."
HANGERS = "Two of the 24 hangers show corrosion at the lower anchor."
OUTPUTS = (
    {"id": "a1", "kind": "agent_output", "origin": "inspector", "text": HANGERS},
    {"id": "a2", "kind": "agent_output", "origin": "tester", "text": TESTER},
)


def case(text=f"{HANGERS} {TESTER}", outputs=OUTPUTS, **more):
    return Case(goal="Is the bridge safe?", subject={"kind": "synthesis", "text": text}, evidence=list(outputs), **more)


def judge(coherence=5, completeness=5):
    return PerfectReader(scores={"coherence": coherence, "completeness": completeness})


def verify(made, by=None, **more):
    services = {"judges": OneJudge(by)} if by is not None else None
    return Verifier(services=services, **more).verify_sync(made)


def said(record, name):
    return next(result for result in record.results if result.check == f"synthesis_{name}")


def test_without_a_judge_completeness_is_counted_and_coherence_is_unsettled_at_no_cost():
    record = verify(case())
    assert (said(record, "completeness").score, said(record, "coherence").status) == (1.0, "abstain")  # req: C09
    assert said(record, "coherence").cause == "no_judge"
    assert (record.outcome, record.action, record.coverage) == ("pass", "accept", 1.0)


def test_a_judge_is_asked_about_both_in_one_question():
    by = judge(4, 4.5)
    record = verify(case(), by)
    assert len(by.asked) == 2, "one about the claims, one about the whole"
    assert (said(record, "coherence").score, said(record, "completeness").score) == (0.75, 0.875)  # req: S0-079
    assert said(record, "coherence").judge == "perfect-reader"
    assert (record.outcome, record.score) == ("pass", 1.0)


@pytest.mark.parametrize(("scores", "name"), [((2, 5), "coherence"), ((5, 1), "completeness")])
def test_below_a_half_it_is_tried_again_with_the_reason_and_never_more_than_that(scores, name):
    record = verify(case(), judge(*scores))
    assert (record.outcome, record.action) == ("partial", "retry")  # req: C09
    assert f"{name}:" in said(record, "floor").reason
    assert record.feedback is not None
    assert any("as told" in issue for issue in record.feedback.issues)  # req: S0-080
    assert record.score == 1.0  # traceability alone is the score


def test_between_the_floor_and_seven_tenths_it_is_told_and_goes_on():
    record = verify(case(), judge(3, 5))
    assert (said(record, "coherence").status, said(record, "coherence").score) == ("partial", 0.5)
    assert (record.outcome, record.action) == ("pass", "accept")  # req: S0-081


def test_the_floor_is_the_policys():
    strict = verify(case(), judge(4, 5), policy={"reported_floor": 0.8})
    assert (strict.outcome, strict.action) == ("partial", "retry")  # req: C09
    assert verify(case(), judge(1, 1), policy={"reported_floor": 0}).outcome == "pass"


def test_a_judge_cannot_call_complete_what_leaves_most_outputs_out():
    more = [{"id": f"x{n}", "kind": "agent_output", "origin": f"agent {n}", "text": f"Harbour {n} handles {n + 3}7 ships."} for n in range(3)]  # fmt: skip
    record = verify(case(TESTER, [OUTPUTS[1], *more]), judge(5, 5))
    assert said(record, "completeness").score == 0.25
    assert record.outcome == "partial"


def test_a_judge_too_close_for_the_policy_only_advises():
    services = {"judges": OneJudge(judge(1, 1), independence="model")}
    record = Verifier(services=services, policy={"independence": "family"}).verify_sync(case())
    assert said(record, "coherence").score == 0.0
    assert (record.outcome, record.action) == ("pass", "accept")


def test_a_judge_that_breaks_scores_nothing_and_costs_nothing():
    record = verify(case(), ScriptedJudge(lambda question: JudgeReplyError("no JSON")))
    assert said(record, "reading").status == "error"
    assert (said(record, "coherence").status, said(record, "coherence").cause) == ("abstain", "judge_error")
    assert (record.outcome, record.unverified_because) == ("unverified", "judge_error")


def test_sentences_that_deny_each_other_lower_coherence():
    record = verify(
        case(f"{TESTER} It is not true that the load test held 5 kN per square metre for 24 hours. {HANGERS}")
    )
    assert said(record, "coherence").score == pytest.approx(1 / 3)  # req: S0-079
    assert record.outcome != "pass"


def test_a_reference_to_what_is_not_there_is_told():
    record = verify(case(f"{HANGERS} {TESTER} Details stand in Table 3."))
    assert any(f.quote == "Table 3" for f in record.findings if f.check == "synthesis_coherence")
    there = verify(case(f"{HANGERS} {TESTER} Details stand in Table 3.\n\nTable 3: none."))
    assert said(there, "coherence").status == "abstain"


def test_a_chapter_that_the_sources_speak_of_is_not_missing():
    report = Evidence(id="text", kind="agent_output", text="Chapter 5 is being checked by Renske Vos.")
    told = Case(goal="How far is it?", subject=Synthesis(text="Renske Vos is checking chapter 5."), evidence=(report,))
    assert said(verify(told), "coherence").status == "abstain"


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_syntheses_pass_where_they_are_read_rightly_and_never_fail_where_they_are_not(path):
    good = Case.from_json(path.read_bytes())
    assert (verify(good, PerfectReader()).outcome, verify(good, PerfectReader()).action) == ("pass", "accept")
    assert verify(good).outcome in ("pass", "partial")


# --- what breaks off ------------------------------------------------------------------------------------------------


def broken_off(record):
    return [f for f in record.findings if f.check == "synthesis_whole"]


@pytest.mark.parametrize(
    ("ending", "cut"),
    [
        ("Two of the 24 hangers show corrosion at the", True),
        ("Two of the 24 hangers show corrosion at the lower anchor,", True),
        ("Two of the 24 hangers show corrosion at the lower anchor", False),
        (HANGERS, False),
        ("## Corroded hangers\n\n- 2 of the 24 hangers, at the lower anchor", False),
        ("Two of the 24 hangers show corrosion: https://bridge.example/report/the", False),
    ],
)
def test_a_synthesis_that_rests_on_an_output_cut_off_mid_sentence_does_not_pass_whoever_likes_it(ending, cut):
    outputs = ({**OUTPUTS[0], "text": ending}, OUTPUTS[1])
    record = verify(case(f"Two of the 24 hangers show corrosion. {TESTER}", outputs), judge())
    assert (record.outcome != "pass") == cut
    assert [(f.quote, f.evidence[0].id) for f in broken_off(record)] == ([(ending, "a1")] if cut else [])


def test_the_data_that_follow_an_outputs_words_do_not_hide_that_they_break_off():
    outputs = ({**OUTPUTS[0], "text": 'Two of the 24 hangers show corrosion at the\n{"hangers":24}'}, OUTPUTS[1])
    (found,) = broken_off(verify(case(f"Two of the 24 hangers show corrosion. {TESTER}", outputs), judge()))
    assert found.quote == "Two of the 24 hangers show corrosion at the"


def test_an_output_that_breaks_off_and_that_nothing_rests_on_is_told_and_does_no_harm():
    outputs = (*OUTPUTS, {"id": "a3", "kind": "agent_output", "origin": "diver", "text": "The piers stand on rock and the"})  # fmt: skip
    record = verify(case(outputs=outputs), judge())
    assert record.outcome == "pass"
    assert [(f.severity, f.quote) for f in broken_off(record)] == [("warning", "The piers stand on rock and the")]


def test_a_synthesis_that_breaks_off_itself_does_not_pass():
    record = verify(case(f"{TESTER} Two of the 24 hangers show corrosion at the"), judge())
    assert (record.outcome, record.action) == ("partial", "retry")
    assert broken_off(record)[0].quote.endswith("show corrosion at the")


# --- what follows from figures that are there -----------------------------------------------------------------------


def follows(claim, sources):
    text = " ".join(sources)
    (wanted,) = without_dates(figures(claim), dates(claim))
    return way(claim, wanted, without_dates(figures(text), dates(text)), dates(text))


@pytest.mark.parametrize(
    ("claim", "sources"),
    [
        ("That is about 1,980 euros a year.", ["The price is 0.11 euros per kWh.", "It saves 18,000 kWh a year."]),
        ("The windows pay back after some 19 years.", ["38,400 euros are left.", "That is 1,980 euros a year."]),
        ("It found 30 % fewer events.", ["The relative risk was 0.70."]),
        ("Cherry trees bloom eleven days earlier.", ["22 April before, 11 April now."]),
        ("The grant is 25,600 euros.", ["The offer is 64,000 euros.", "The state pays 40 %."]),
        ("Together they have 570 beds.", ["North has 320 beds.", "South has 250 beds."]),
    ],
)
def test_a_figure_worked_out_from_two_stated_ones_is_found(claim, sources):
    assert follows(claim, sources) is not None


@pytest.mark.parametrize(
    ("claim", "sources"),
    [
        ("That is about 2,600 euros a year.", ["The price is 0.11 euros per kWh.", "It saves 18,000 kWh a year."]),
        ("It found 45 % fewer events.", ["The relative risk was 0.70."]),
        ("Cherry trees bloom fourteen days earlier.", ["22 April before, 11 April now."]),
        ("The grant is 52,600 euros.", ["The offer is 64,000 euros.", "The state pays 40 %."]),
        ("The mayor approved 914,000 kroner.", ["The load test held 5 kN for 24 hours.", "24 hangers, two corroded."]),
    ],
)
def test_any_other_figure_is_not(claim, sources):
    assert follows(claim, sources) is None


def test_a_claim_with_a_name_nobody_mentions_is_not_mended_by_arithmetic():
    outputs = [
        {"id": "p", "kind": "agent_output", "origin": "price", "text": "The gas price is 0.11 euros per kWh."},
        {"id": "s", "kind": "agent_output", "origin": "audit", "text": "New windows save 18,000 kWh a year."},
    ]
    told = "New windows save 18,000 kWh a year. At a price of 0.11 euros per kWh that is about 1,980 euros a year."
    text = told.replace("At a price", "By Halvorsen Energy, at a price")
    record = verify(case(text, outputs))
    assert not any("worked_out" in claim.details for claim in record.claims)
    plain = verify(case(told, outputs))
    assert [claim.details["worked_out"] for claim in plain.claims if "worked_out" in claim.details] == ["0.11 × 18000"]


def test_an_answer_of_conclusions_alone_is_not_waved_through():
    text = "All is well. Therefore nothing has to be done. So everybody can be happy. Because it went well, it will go well."
    record = verify(case(text))
    assert record.outcome != "pass"


# --- outputs that contradict each other ------------------------------------------------------------------------------

SILENT = "two agent outputs contradict each other, and the answer does not say so"


def merged(text, *outputs):
    evidence = [{"id": f"a{n}", "kind": "agent_output", "text": said} for n, said in enumerate(outputs, 1)]
    record = Verifier().verify_sync(Case(subject={"kind": "synthesis", "text": text}, evidence=evidence))
    return record.outcome, SILENT in [finding.message for finding in record.findings]


@pytest.mark.parametrize(("text", "outputs"), [
    ("The bridge is safe.", ("The bridge is safe.", "The bridge is not safe.")),
    ("The bridge is safe, and it was built in 1931.", ("The bridge is safe.", "The bridge is not safe. It was built in 1931.")),
    ("The launch is on 14 May.", ("The launch is on 14 May.", "The launch is on 21 May.")),
    ("The price is 40 euros. The price is 90 euros.", ("The price is 40 euros.", "The price is 90 euros.")),
])  # fmt: skip
def test_an_answer_that_is_silent_about_outputs_that_contradict_each_other_does_not_pass(text, outputs):
    assert merged(text, *outputs) == ("partial", True)


@pytest.mark.parametrize(("text", "outputs"), [
    ("One output says that the bridge is safe, the other that it is not.", ("The bridge is safe.", "The bridge is not safe.")),
    ("The price is 40 or 90 euros.", ("The price is 40 euros.", "The price is 90 euros.")),
    ("The price is 40 euros, whereas the shop asks 90 euros.", ("The price is 40 euros.", "The price is 90 euros.")),
    ("The fund holds 1.24 million euros.", ("The fund holds 1,243,900 euros.", "The fund holds 1.24 million euros.")),
    ("The server runs version 1.5.", ("The server runs version 1.4.", "The server was upgraded. The server runs version 1.5.")),
    ("The roof faces south.", ("The roof faces south. The price is 40 euros.", "The price is 90 euros.")),
])  # fmt: skip
def test_a_difference_that_is_named_that_changed_or_does_not_come_up_is_no_silence(text, outputs):
    assert not merged(text, *outputs)[1]
