"""Claims of a synthesis against the agent outputs: who bears what, what nobody bears, and what a name is worth."""

from __future__ import annotations

import pytest
from bench.bench_blame import suspects

from witnessmark import Case, Verifier
from witnessmark.insight.lineage import brought_in, drawn, threads
from witnessmark.settings import Settings
from witnessmark.testing import faults

INSPECTOR = (
    "Main beams: no cracks found by ultrasonic testing. Two of the 24 hangers show corrosion at the lower anchor."
)
TESTER = "The load test held 5 kN per square metre for 24 hours without lasting deflection."
GOOD = (
    "No cracks were found in the main beams by ultrasonic testing. Two of the 24 hangers show corrosion at the lower anchor. "
    "The load test held 5 kN per square metre for 24 hours."
)


def case(text=GOOD, evidence=None, **more):
    outputs = [
        {"id": "a1", "kind": "agent_output", "origin": "structural-inspector", "text": INSPECTOR},
        {"id": "a2", "kind": "agent_output", "origin": "load-tester", "text": TESTER},
    ]
    return Case(
        goal="Is the bridge safe?", subject={"kind": "synthesis", "text": text}, evidence=evidence or outputs, **more
    )


def verify(made, **more):
    return Verifier().verify_sync(made, **more)


def errors(record):
    return [f for f in record.findings if f.severity == "error"]


def test_every_claim_is_linked_to_the_output_and_the_place_that_bear_it():
    record = verify(case())
    assert (record.outcome, record.action) == ("pass", "accept")  # req: S0-081
    assert len(record.claims) == 3
    sources = {"a1": INSPECTOR, "a2": TESTER}
    borne = [{ref.id for ref in claim.evidence} for claim in record.claims]
    assert borne == [{"a1"}, {"a1"}, {"a2"}]  # req: S0-076
    for claim in record.claims:
        assert all(sources[ref.id][slice(*ref.span)] for ref in claim.evidence)
        assert GOOD[slice(*claim.span)]
    assert record.claims[0].details["agents"] == ["structural-inspector"]
    assert record.claims[2].details["agents"] == ["load-tester"]


def test_what_no_output_bears_is_named_and_tried_again_however_low():
    record = verify(
        case(
            "An audit by Halvorsen and Partners confirmed this on 17 August 2031. The mayor Velasquez approved 914,000 kroner."
        )
    )
    assert (record.outcome, record.action) == ("partial", "retry")  # req: S0-082
    assert len([f for f in errors(record) if f.category == "unsupported_claim" and f.span]) == 2
    assert any("Halvorsen" in issue for issue in record.feedback.issues)


LONG = f"{GOOD} An audit by Halvorsen and Partners confirmed this on 17 August 2031."


def test_one_invented_claim_among_many_good_ones_is_sent_back_by_name():
    assert verify(case(GOOD)).score == 1.0
    record = verify(case(LONG))
    assert record.score == 0.75  # req: S0-077
    twice = verify(case(f"{LONG} The mayor Velasquez approved 914,000 kroner."))
    assert (twice.score, len(errors(twice))) == (0.6, 2)  # req: S0-077
    assert (record.outcome, record.action) == ("partial", "retry")
    assert any("Halvorsen" in issue for issue in record.feedback.issues)


def test_to_the_letter_seven_tenths_pass_and_the_invented_claim_is_still_told():
    record = Verifier(Settings(policy={"profile": "original"})).verify_sync(case(LONG))
    assert (record.outcome, record.score) == ("pass", 0.75)
    assert ["Halvorsen" in f.quote for f in errors(record)] == [True]


def test_when_the_tries_are_spent_it_goes_on_with_a_warning_unless_a_claim_is_surely_wrong():
    made = case("An audit by Halvorsen and Partners confirmed this on 17 August 2031.")
    record = Verifier(Settings(policy={"profile": "original"})).verify_sync(made, attempt=3)
    assert (record.action, record.degraded) == ("warn", True)  # req: S0-083
    assert (verify(made, attempt=3).action, verify(made, attempt=3).degraded) == ("escalate", False)


@pytest.mark.parametrize(
    "words",
    ["According to the load-tester, two of the 24 hangers show corrosion at the lower anchor.", "Two of the 24 hangers show corrosion at the lower anchor [a2]."],
)  # fmt: skip
def test_a_name_or_a_mark_is_no_citation_unless_that_output_says_it(words):
    record = verify(
        case(f"{words} The load test held 5 kN per square metre for 24 hours. No cracks were found in the main beams.")
    )
    wrong = [f for f in errors(record) if "attributed" in f.message]
    assert len(wrong) == 1  # req: S0-078
    right = verify(
        case(words.replace("load-tester", "structural-inspector").replace("[a2]", "[a1]") + " The load test held 5 kN.")
    )
    assert not [f for f in errors(right) if "attributed" in f.message]


SITES = [
    {"id": "a1", "kind": "agent_output", "origin": "north", "text": "Halle: 12,400 square metres, rent 5.10 euros, 4 km to the motorway."},
    {"id": "a2", "kind": "agent_output", "origin": "south", "text": "Erfurt: 10,900 square metres, rent 4.60 euros, 11 km to the motorway."},
]  # fmt: skip


def test_two_values_of_a_row_that_the_outputs_give_of_the_other_thing_each_are_contradicted():
    table = "| | Halle | Erfurt |\n|---|---|---|\n| Kilometres to the motorway | {} km | {} km |\n"
    found = [
        verify(Case(goal="Compare.", subject={"kind": "synthesis", "text": table.format(*row)}, evidence=SITES))
        for row in ((4, 11), (11, 4))
    ]
    assert [record.claims[0].status == "contradicted" for record in found] == [False, True]


REVIEWS = [
    {"id": "a1", "kind": "agent_output", "origin": "reviewer-b", "text": "Recommendation: reject. The baseline numbers are taken from a 2019 paper."},
    {"id": "a2", "kind": "agent_output", "origin": "reviewer-c", "text": "Recommendation: accept. Clear writing and a useful data set."},
    {"id": "a3", "kind": "agent_output", "origin": "editor", "text": "Reviewer C recommends a shorter title."},
]  # fmt: skip


def ascribed(text):
    record = verify(Case(goal="Sum up.", subject={"kind": "synthesis", "text": text}, evidence=REVIEWS))
    return [claim.text for claim in record.claims if "ascribed" in claim.details]


@pytest.mark.parametrize("said", ["Reviewer {} recommends rejection: the baseline numbers are taken from a 2019 paper.", "Reviewer {} points out that the baseline numbers are taken from a 2019 paper.", "As noted by reviewer {}, the baseline numbers are taken from a 2019 paper."])  # fmt: skip
def test_what_an_agent_recommends_praises_or_notes_must_stand_in_its_own_output(said):
    assert ascribed(said.format("C"))
    assert not ascribed(said.format("B"))


NUMBERED = [
    {"id": "a1", "kind": "agent_output", "origin": "reviewer-1", "text": "Score 7 of 10. The work plan is convincing."},
    {
        "id": "a2",
        "kind": "agent_output",
        "origin": "reviewer-2",
        "text": "Score 4 of 10. No preliminary data are shown.",
    },
]


@pytest.mark.parametrize(
    ("text", "borne"),
    [
        ("Reviewer 2 gives a score of 4 of 10.", True),
        ("Reviewer 2 finds that no preliminary data are shown.", True),
        ("Reviewer 2 gives a score of 7 of 10.", False),  # the other's
        ("Reviewer 2 finds 2 mistakes and no preliminary data.", False),  # a figure of its own, too
        ("Reviewer 3 finds that no preliminary data are shown.", False),  # nobody
    ],
)
def test_the_number_in_an_agents_name_needs_no_source(text, borne):
    record = verify(Case(goal="Sum up.", subject={"kind": "synthesis", "text": text}, evidence=NUMBERED))
    assert (record.claims[0].status == "supported") == borne


def test_what_another_output_tells_of_an_agent_may_be_told_of_it():
    assert not ascribed("Reviewer C recommends a shorter title.")


def test_sentences_that_deny_each_other_are_told():
    record = verify(case(f"{GOOD} It is not true that the load test held 5 kN per square metre for 24 hours."))
    assert "consistency_conflict" in [f.category for f in errors(record)]  # req: S0-079
    assert record.outcome != "pass"


def test_outputs_left_out_and_gaps_not_admitted_are_told():
    silent = [
        {"id": "a1", "kind": "agent_output", "origin": "inspector", "text": "Two of the 24 hangers show corrosion. The northern foundation was not inspected."},
        {"id": "a2", "kind": "agent_output", "origin": "tester", "text": TESTER},
    ]  # fmt: skip
    record = verify(case("Two of the 24 hangers show corrosion.", silent))
    messages = [f.message for f in record.findings]
    assert any("nothing in the answer rests on the agent output '" in m for m in messages)  # req: S0-080
    assert any("admits no gap" in m for m in messages)
    admitted = verify(case("Two of the 24 hangers show corrosion; the northern foundation was not inspected.", silent))
    assert not any("admits no gap" in f.message for f in admitted.findings)
    in_german = verify(case("Two of the 24 hangers show corrosion. Der Zustand des Fundaments ist unbekannt.", silent))
    assert not any("admits no gap" in f.message for f in in_german.findings)


def test_most_outputs_left_out_keeps_it_from_passing():
    more = [
        {"id": f"x{n}", "kind": "agent_output", "origin": f"agent {n}", "text": f"Harbour {n} handles {n + 3}7 ships."}
        for n in range(4)
    ]
    record = verify(case(TESTER, [{"id": "a2", "kind": "agent_output", "origin": "tester", "text": TESTER}, *more]))
    assert record.score == 1.0
    assert (record.outcome, record.action, len(errors(record))) == ("partial", "retry", 4)


def test_without_agent_outputs_nothing_is_said():
    record = verify(case(evidence=[{"id": "p", "kind": "passage", "text": INSPECTOR}]))
    assert (record.outcome, record.unverified_because) == ("unverified", "no_evidence")


# --- where it comes from ----------------------------------------------------------------------------------------------


def with_calls(exit_code):
    return [
        {"id": "t1", "kind": "tool_call", "name": "ultrasound", "output": "ok", "exit_code": exit_code},
        {"id": "a1", "kind": "agent_output", "origin": "structural-inspector", "text": INSPECTOR, "data": {"rests_on": ["t1"], "subgoal": "sg1"}},
        {"id": "a2", "kind": "agent_output", "origin": "load-tester", "text": TESTER, "data": {"subgoal": "sg2"}},
    ]  # fmt: skip


def test_who_brought_a_sentence_in_is_one_question():
    made = case(f"{GOOD} The mayor Velasquez approved 914,000 kroner on 3 May 2031.", with_calls(0))
    record = verify(made)
    assert brought_in(made, record, "corrosion at the lower") == ["structural-inspector"]
    assert brought_in(made, record, "5 kN") == ["load-tester"]
    assert brought_in(made, record, "Velasquez") == []
    assert brought_in(made, record, "words that are not there") == []


def test_what_nobody_brought_in_is_nobodys_though_the_rest_of_its_sentence_is_somebodys():
    said = {
        "movers": "The movers charge 4,200 euros for one day.",
        "painters": "Painting the old office costs 1,800 euros.",
    }
    outputs = [{"id": name, "kind": "agent_output", "origin": name, "text": text} for name, text in said.items()]
    made = case("The movers charge 4,200 euros and the painters 1,800 euros, 7,000 euros together.", outputs)
    record = verify(made)
    assert brought_in(made, record, "7,000") == []
    assert brought_in(made, record, "movers charge") == ["movers"]


def test_a_sentence_is_followed_back_to_its_subgoal():
    made = case(evidence=with_calls(0))
    first = threads(made, verify(made))[0]
    assert (first.agent, first.output, first.calls, first.subgoal, first.broken) == (
        "structural-inspector",
        "a1",
        ("t1",),
        "sg1",
        (),
    )


def test_a_call_without_an_exit_code_failed_where_it_says_so():
    told = {"id": "t1", "kind": "tool_call", "name": "ultrasound", "output": "ConnectionError: refused"}
    record = verify(case(evidence=[told, *with_calls(0)[1:]]))
    assert [claim.details["rests_on_broken"] for claim in record.claims if "rests_on_broken" in claim.details] == [
        "t1",
        "t1",
    ]


def test_a_broken_leaf_marks_every_sentence_that_rests_on_it():
    made = case(evidence=with_calls(1))
    record = verify(made)
    marked = [claim for claim in record.claims if "rests_on_broken" in claim.details]
    assert [claim.details["rests_on_broken"] for claim in marked] == ["t1", "t1"]
    assert {(claim.status, claim.reason) for claim in marked} == {
        ("partial", "it rests on the tool call t1, which failed")
    }
    assert [one.suggestion for one in record.findings if "failed" in one.message] == [
        "Make the tool call again and say what it gives, or leave the claim out."
    ] * 2
    lines = drawn(made, record)
    assert [line[0] for line in lines if not line.startswith(" ")] == ["✗", "✗", "✓"]
    assert any("t1 (failed)" in line for line in lines)


@pytest.mark.parametrize("name", ["blank_text", "swap_outputs"])
def test_gross_faults_are_caught(name):
    assert errors(verify(faults.inject(case(), name)))


def test_of_a_failed_run_the_graph_says_whom_to_look_at_first():
    made = case(evidence=with_calls(0))
    assert [name for name, _ in suspects(made, verify(made))] == ["structural-inspector", "load-tester"]
    tested = case(TESTER, with_calls(0))
    assert suspects(tested, verify(tested))[0] == ("load-tester", 1.0)
    broken = case(TESTER, with_calls(1))
    assert suspects(broken, verify(broken))[0] == ("structural-inspector", 2.0)


def test_what_nobody_bears_points_at_the_author_of_the_answer():
    made = case("The mayor Velasquez approved 914,000 kroner on 3 May 2031.", with_calls(0))
    assert suspects(made, verify(made), author="writer")[0] == ("writer", 1.0)
    assert all(points == 0 for _, points in suspects(made, verify(made)))


def test_a_synthesis_with_one_claim_that_is_more_likely_wrong_does_not_pass_however_much_else_is_borne():
    record = verify(case(f"{GOOD} The handrails were repainted in October."))
    assert [claim.status for claim in record.claims].count("supported") == 3
    assert record.claims[-1].status == "unsupported"
    assert record.outcome == "partial"


PLANT = (
    "The plant would yield 61,000 kWh a year.",
    "The plant costs 71,000 euros. It pays back in nine years.",
    "The roof faces south.",
)
REST = "It costs 71,000 euros. The roof faces south."


def outcome_of(text, outputs, goal="Sum up the findings."):
    evidence = [
        {"id": f"a{n}", "kind": "agent_output", "origin": f"agent-{n}", "text": one} for n, one in enumerate(outputs, 1)
    ]
    record = verify(
        Case(checkpoint="synthesis", goal=goal, subject={"kind": "synthesis", "text": text}, evidence=evidence)
    )
    return record.outcome, [finding.message for finding in record.findings if finding.quote]


HANGERS = ("Two of the 24 hangers show corrosion.", "The load test held.")
SLOW = ("Sales fell by 8 %.", "The new website was slow.")


@pytest.mark.parametrize(
    ("text", "outputs", "why"),
    [
        (f"The plant would yield 61,000 MWh a year. {REST}", PLANT, "another unit"),
        ("All of the hangers show corrosion. The load test held.", HANGERS, "of some of them only"),
        ("Sales fell by 8 % because the new website was slow.", SLOW, "no output gives this cause"),
        ("Sales fell by 8 % due to the new website, which was slow.", SLOW, "no output gives this cause"),
        (f"We should not build the plant. {REST}", PLANT, "no output gives this advice"),
        ("Alle Träger zeigen Rost. Der Lasttest hielt.", ("Zwei der 24 Träger zeigen Rost.", "Der Lasttest hielt."), "of some of them only"),
    ],
    ids=["unit", "all", "cause", "due to", "advice", "German"],
)  # fmt: skip
def test_what_a_sentence_adds_to_an_output_is_not_borne_by_it_however_alike_they_are(text, outputs, why):
    outcome, told = outcome_of(text, outputs)
    assert outcome != "pass"
    assert [message for message in told if why in message], told


@pytest.mark.parametrize(
    ("text", "outputs"),
    [
        (f"The plant would yield 61,000 kWh a year. {REST}", PLANT),
        ("The route is 12 km long. The gap is 12 m wide.", ("The route is 12 km long.", "The gap is 12 m wide.")),
        ("The dose is 20 mg. The bar has 20 g of sugar.", ("The dose is 20 mg.", "The bar has 20 grams of sugar.")),
        ("Two of the 24 hangers show corrosion. The load test held.", HANGERS),
        ("All 24 hangers show corrosion. The load test held.", ("All 24 hangers show corrosion.", "The load test held.")),
        ("All of the hangers were painted. Two of the 24 show corrosion.", ("All of the hangers were painted.", HANGERS[0])),
        ("Sales fell by 8 % because the new website was slow.", ("Sales fell by 8 %.", "The slow website led to fewer sales. The new website was slow.")),
        ("Sales fell by 8 %. The new website was slow.", SLOW),
        ("Sales fell by 8 % because the new website was slow.", ("Sales fell by 8 %. The new website was slow.", "Costs rose.")),
        ("We should not build the plant. It costs 71,000 euros.", (*PLANT, "We should not build the plant: it is too dear.")),
        ("We should not build the plant. It costs 71,000 euros.", (*PLANT, "I advise against the plant.")),
    ],
    ids=["unit", "two units", "spelled", "two", "all", "all of another", "led to", "side by side", "one output", "advised", "advised in other words"],
)  # fmt: skip
def test_what_an_output_says_itself_is_no_addition(text, outputs):
    added = ("another unit", "some of them only", "gives this cause", "gives this advice")
    _, told = outcome_of(text, outputs)
    assert [message for message in told if any(why in message for why in added)] == []


KWH = ("The plant yields 18,000 kWh.", "A kWh costs 0.11 euros.")
VISITS = ("The first inspection was on 11 April.", "The second inspection was on 22 April.")


@pytest.mark.parametrize(
    ("text", "outputs", "status"),
    [
        ("18,000 kWh at 0.11 euros are 1,980 euros.", KWH, "partial"),
        ("The plant yields 18,000 kWh, worth 1,980 euros at 0.11 euros a kWh.", KWH, "supported"),
        ("18,000 kWh at 0.11 euros are 2,980 euros.", KWH, "unsupported"),
        ("The two inspections are eleven days apart.", VISITS, "partial"),
        ("The two inspections are nine days apart.", VISITS, "unsupported"),
    ],
)
def test_a_figure_one_step_from_those_that_outputs_state_is_borne_at_least_in_part_and_a_wrong_one_is_not(
    text, outputs, status
):
    evidence = [{"id": f"a{n}", "kind": "agent_output", "text": one} for n, one in enumerate(outputs, 1)]
    record = verify(Case(goal="Sum up.", subject={"kind": "synthesis", "text": text}, evidence=evidence))
    (claim,) = record.claims
    assert claim.status == status or (status == "unsupported" and claim.status == "contradicted"), claim
    assert ("worked_out" in claim.details) == (status != "unsupported")
