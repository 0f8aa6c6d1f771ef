"""A moderator's conclusion against what was said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark import Case, Verifier
from witnessmark.checks.discussion import transcript
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.testing.judges import OneJudge

DATABASE = (
    ("Ana", "SQLite is enough: we have 20 writes a second."),
    ("Ben", "I disagree. We expect 2,000 writes a second by June, so PostgreSQL."),
    ("Ana", "With 2,000 writes I agree with PostgreSQL."),
)
PARK = (
    ("Mayor", "The car park should become a playground; 300 families live within ten minutes."),
    ("Shopkeeper", "I object. My customers come by car, and trade fell by 15 % when the street was closed in 2019."),
    ("Planner", "A survey of May counts 40 cars on an average day, in 120 spaces."),
    ("Mayor", "Then half of it could stay."),
    ("Shopkeeper", "I still object to losing any space before Christmas."),
)
DRUG = (
    ("Dr Silva", "The trial shows fewer strokes: 12 against 21 in 800 patients."),
    ("Dr Okafor", "I am not convinced. Bleeding rose from 4 to 11 cases."),
    ("Dr Silva", "You are right, we must report the bleeding first."),
)


def discussion(messages, conclusion, goal="What shall we do?"):
    return Case(
        subject={
            "kind": "discussion",
            "messages": [{"id": f"m{n}", "speaker": s, "text": t} for n, (s, t) in enumerate(messages, 1)],
            "conclusion": conclusion,
        },
        goal=goal,
    )


def points(case, *answers):
    services = {"judges": OneJudge(ScriptedJudge(list(answers)))} if answers else {}
    record = Verifier(services=services).verify_sync(case)
    return record, next(said for said in record.results if said.check == "discussion_points")


FAIR = [
    (DATABASE, "Ana first preferred SQLite at 20 writes a second; Ben expects 2,000 by June, and both now favour PostgreSQL."),
    (DATABASE, "All agreed on PostgreSQL in the end, because 2000 writes a second are expected by June."),
    (DATABASE, "Decision: PostgreSQL. Reason: the expected load of 2,000 writes. Ana was persuaded by Ben's figure."),
    (PARK, "No agreement. The Mayor wants a playground for 300 families and would keep half of the spaces. The Shopkeeper objects to losing any before Christmas."),
    (PARK, "The Shopkeeper agrees that half of the car park could stay, but objects to losing any space. The Mayor wants a playground."),
    (PARK, "The Planner counted 40 cars in 120 spaces. The Shopkeeper still objects, since trade fell by 15 % in 2019. The question stays open."),
    (DRUG, "Strokes fell from 21 to 12 of 800 patients, but bleeding rose from 4 to 11 cases; Dr Silva agreed with Dr Okafor to report the bleeding first."),
    (DRUG, "Both doctors agree that the bleeding is reported first."),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "conclusion"), FAIR)
def test_a_fair_conclusion_raises_no_alarm(messages, conclusion):
    record, said = points(discussion(messages, conclusion))
    assert said.status == "pass", [(f.message, f.quote) for f in record.findings]
    assert record.outcome == "partial", "without a judge the rest stays unsettled"
    assert record.action == "warn"


UNFAIR = {
    "invented name": (DATABASE, "They chose MySQL because of the writes.", "a name that nobody brought up"),
    "invented figure": (DATABASE, "Both favour PostgreSQL for 5,000 writes a second.", "a figure that nobody brought up"),
    "invented point": (
        DATABASE,
        "Both favour PostgreSQL. Licensing fees and vendor support decided the matter.",
        "a point that nobody brought up",
    ),
    "wrong speaker": (PARK, "The Planner says that customers come by car and trade fell. The Shopkeeper objects.", "another said"),
    "wrong speaker, figures": (DRUG, "Dr Okafor reports 12 against 21. Bleeding is reported first.", "another said"),
    "false consensus": (PARK, "Everyone agreed that half of the car park becomes a playground.", "all agreed"),
    "agreed from the start": (DATABASE, "Everyone agreed on PostgreSQL from the start.", "all agreed"),
    "objector said to agree": (PARK, "The playground is built for 300 families. The Planner and the Shopkeeper agree.", "never withdrawn is left out"),
    "objection left out": (PARK, "The playground is built for 300 families.", "never withdrawn is left out"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNFAIR)
def test_an_unfair_conclusion_is_caught_without_a_judge(name):
    messages, conclusion, expected = UNFAIR[name]
    record, said = points(discussion(messages, conclusion))
    assert said.status == "fail"
    assert any(expected in finding.message for finding in record.findings), [f.message for f in record.findings]
    assert (record.outcome, record.action) == ("fail", "retry")  # req: S1-004


def test_a_wrong_attribution_says_where_it_was_said_and_by_whom():
    record, _ = points(
        discussion(PARK, "The Planner says that customers come by car and trade fell. The Shopkeeper objects.")
    )
    (finding,) = [f for f in record.findings if "another said" in f.message]
    assert [ref.id for ref in finding.evidence] == ["m2", "m5"]
    assert finding.quote == "The Planner says that customers come by car and trade fell."


def test_a_position_that_flips_without_new_evidence_is_remarked_on():
    gave_in = (
        ("Ana", "Let us ship on Friday."),
        ("Ben", "I object, it is not tested."),
        ("Ana", "Come on."),
        ("Ben", "Fair enough."),
    )
    shown = (*gave_in[:2], ("Ana", "All 412 tests passed this morning."), ("Ben", "Fair enough."))
    flipped, said = points(discussion(gave_in, "Ana and Ben ship on Friday."))
    reasoned, _ = points(discussion(shown, "Ana and Ben ship on Friday."))
    assert said.status == "pass"
    assert [(f.severity, f.evidence[0].id) for f in flipped.findings if "gave up" in f.message] == [("warning", "m4")]
    assert not [f for f in reasoned.findings if "gave up" in f.message]


SHIPPING = (
    ("Ana", "Let us ship on Friday."),
    ("Ben", "I am against Friday: the migration takes 6 hours."),
    ("Cleo", "What about Tuesday?"),
)


@pytest.mark.parametrize(
    "gives_in",
    [
        "Fine, Tuesday.",
        "Tuesday is fine with me.",
        "Tuesday works for me.",
        "Agreed.",
        "Okay, let's do that.",
        "In Ordnung.",
    ],
)
def test_who_accepts_another_proposal_has_no_objection_left(gives_in):
    record, said = points(discussion((*SHIPPING, ("Ben", gives_in)), "All agreed on Tuesday."))
    assert (said.status, [f.message for f in record.findings if f.severity == "error"]) == ("pass", [])


@pytest.mark.parametrize(
    "stands",
    ["Fine, but the migration stays my concern.", "Tuesday is fine with me only if it rains.", "Who has lunch?"],
)
def test_who_accepts_it_with_a_reserve_still_objects(stands):
    _, said = points(discussion((*SHIPPING, ("Ben", stands)), "All agreed to ship."))
    assert (said.status, said.reason) == ("fail", "the conclusion says that all agreed, and somebody objected")


def test_a_conclusion_that_follows_the_objector_leaves_out_no_objection():
    followed = (("Ana", "Let us ship on Friday."), ("Ben", "I am against Friday."), ("Ben", "I would take Tuesday."))
    _, said = points(discussion(followed, "We ship on Tuesday."))
    _, passed_over = points(discussion((*followed[:2], ("Cleo", "I would take Monday.")), "We ship on Monday."))
    assert said.status == "pass"
    assert passed_over.reason == "an objection that was never withdrawn is left out"


@pytest.mark.parametrize(
    ("speaker", "conclusion"),
    [
        ("A", "We ship on Monday, with a full set of features."),
        ("A", "A plan to ship on Monday was made."),
        ("Will", "We will ship on Monday."),
    ],
)
def test_an_article_is_no_speaker_of_that_name(speaker, conclusion):
    said = (
        (speaker, "I disagree: the migration would lose data."),
        ("Ben", "Let us ship on Monday, with all features."),
    )
    record, _ = points(discussion(said, conclusion))
    wrong = [finding.message for finding in record.findings if finding.severity == "error"]
    assert wrong == ["an objection that was never withdrawn is left out"]


@pytest.mark.parametrize(
    "conclusion", ["A: ship on Monday.", "- **A:** ship on Monday", "A wants to ship on Monday.", "Monday is when A wants to ship.", "A's ship date is Monday, with all features."]
)  # fmt: skip
def test_a_speaker_called_by_one_letter_is_one(conclusion):
    said = (("A", "The migration would lose data."), ("Ben", "Let us ship on Monday, with all features."))
    record, _ = points(discussion(said, conclusion))
    wrong = [finding.message for finding in record.findings if finding.severity == "error"]
    assert wrong == ["the conclusion attributes to one speaker what another said"]


def test_nobody_flips_who_accepts_what_was_proposed_after_the_objection():
    accepted, _ = points(discussion((*SHIPPING, ("Ben", "Fine, Tuesday.")), "We ship on Tuesday."))
    gave_in, _ = points(
        discussion((*SHIPPING[:2], ("Ana", "Come on."), ("Ben", "Fine, Friday.")), "We ship on Friday.")
    )
    assert not [f for f in accepted.findings if "gave up" in f.message]
    assert [f.evidence[0].id for f in gave_in.findings if "gave up" in f.message] == ["m4"]


def test_nothing_to_compare_settles_nothing():
    nobody, _ = points(discussion((), "Everything is fine."))
    assert (nobody.outcome, nobody.unverified_because) == ("unverified", "no_evidence")
    empty, _ = points(discussion(DATABASE, "  "))
    assert empty.outcome == "fail", "an empty conclusion fails as empty"


# --- the reader --------------------------------------------------------------------------------------------------------


def heard(**faults):
    blank = {
        "reasoning": "read it",
        "missed": [],
        "invented": [],
        "misattributed": [],
        "flipped": [],
        "confidence": 0.9,
    }
    return blank | faults


FINE = FAIR[0]


def test_a_reader_that_finds_nothing_passes_it():
    record, _ = points(discussion(*FINE), heard())
    assert (record.outcome, record.action) == ("pass", "accept")


def test_a_missed_point_counts_if_its_quotation_stands_in_the_message():
    missed = {"message": 2, "quote": "2,000 writes a second by June", "what": "the load"}
    record, _ = points(discussion(DATABASE, "Both favour PostgreSQL."), heard(missed=[missed]))
    (finding,) = [f for f in record.findings if "left out" in f.message]
    assert (finding.quote, finding.evidence[0].id) == ("2,000 writes a second by June", "m2")
    assert record.action == "accept", "one fault, with all else well, is told and does not block"
    assert next(s for s in record.results if s.check == "discussion_read").score == 0.5


def test_two_faults_are_sent_back():
    faults = heard(
        missed=[{"message": 2, "quote": "by June", "what": "when"}],
        invented=[{"quote": "because of its speed", "what": "speed"}],
    )
    record, _ = points(discussion(DATABASE, "Both favour PostgreSQL because of its speed."), faults)
    assert (record.outcome, record.action) == ("partial", "retry")


@pytest.mark.parametrize(
    "fault",
    [
        {"missed": [{"message": 2, "quote": "nobody ever said this", "what": "x"}]},
        {"missed": [{"message": 9, "quote": "by June", "what": "x"}]},
        {"missed": [{"message": 0, "quote": "by June", "what": "x"}]},
        {"invented": [{"quote": "not in the conclusion", "what": "x"}]},
        {"invented": ["a text"]},
    ],
)
def test_a_quotation_that_does_not_stand_where_it_says_counts_for_nothing(fault):
    record, _ = points(discussion(*FINE), heard(**fault))
    said = next(s for s in record.results if s.check == "discussion_read")
    assert (said.status, said.details) == ("pass", {"unproven": 1})


@pytest.mark.parametrize("broken", [{"confidence": "high"}, {"missed": "none"}])
def test_an_answer_that_cannot_be_read_is_the_judges_error(broken):
    record, _ = points(discussion(*FINE), heard(**broken))
    said = next(s for s in record.results if s.check == "discussion_read")
    assert (said.status, said.cause) == ("error", "judge_error")


def test_the_reader_sees_messages_by_number_and_speaker():
    judge = ScriptedJudge([heard()])
    Verifier(services={"judges": OneJudge(judge)}).verify_sync(discussion(*FINE))
    assert "[2] Ben: I disagree." in judge.asked[0].user
    assert "conclusion⟧\nAna first preferred" in judge.asked[0].user


# --- the small parts --------------------------------------------------------------------------------------------------


ONE_FIGURE = {
    "in words": ("We should pay twelve hundred dollars for the venue.", "Ann proposed to pay 1,200 dollars for the venue."),
    "by its magnitude": ("The venue costs 1.5 million dollars.", "Ann says the venue costs 1,500,000 dollars."),
    "as Germans write it": ("Wir zahlen 1.200 Euro für den Saal.", "Ann will 1200 Euro für den Saal zahlen."),
    "in another unit": ("The review takes 90 minutes.", "Ann says the review takes 1.5 hours."),
    "rounded": ("The survey counted 1,987 cars.", "Ann says that about 2,000 cars were counted."),
    "as a date": ("We ship on 2026-06-03.", "Ann wants to ship on 3 June 2026."),
    "as a time of day": ("We meet at half past two in the afternoon.", "Ann wants to meet at 14:30."),
}  # fmt: skip


@pytest.mark.parametrize("how", ONE_FIGURE)
def test_a_figure_that_is_written_in_another_way_was_brought_up(how):
    message, conclusion = ONE_FIGURE[how]
    record, said = points(discussion((("Ann", message), ("Ben", "I agree with that.")), conclusion))
    assert said.status == "pass", [(f.message, f.quote) for f in record.findings]


@pytest.mark.parametrize(
    ("message", "conclusion"),
    [
        ("The venue costs 1.5 million dollars.", "Ann says the venue costs 1.5 billion dollars."),
        ("We should pay twelve hundred dollars.", "Ann proposed to pay 1,300 dollars."),
        ("We ship on 2026-06-03.", "Ann wants to ship on 4 June 2026."),
    ],
)
def test_another_figure_was_not(message, conclusion):
    _, said = points(discussion((("Ann", message), ("Ben", "I agree with that.")), conclusion))
    assert (said.status, said.reason) == ("fail", "the conclusion has a figure that nobody brought up")


def test_a_noun_is_no_name_where_every_noun_has_a_capital():
    messages = (("Ann", "Wir mieten den Saal für das Fest im Sommer."), ("Ben", "Einverstanden, das ist gut für alle."))
    _, said = points(discussion(messages, "Ann und Ben mieten den Raum für das Fest."))
    assert said.status == "pass"
    _, invented = points(discussion(messages, "Ann und Ben mieten den Saal von EventHaus für das Fest."))
    assert invented.status == "fail"


def test_a_title_does_not_end_a_sentence():
    (clause,) = transcript.clauses(discussion(DRUG, "Dr. Silva agreed to report it.").subject)
    assert clause.text == "Dr. Silva agreed to report it."


@given(st.text(), st.text())
def test_any_text_can_be_looked_at(one, other):
    case = discussion((("Ana", one), ("Ben", other)), other + one)
    _, said = points(case)
    assert said.status in ("pass", "fail", "abstain", "skipped")


def test_a_conclusion_that_repeats_every_message_is_never_called_invented():
    for messages in (DATABASE, PARK, DRUG):
        conclusion = " ".join(f"{speaker} said: {text}" for speaker, text in messages)
        _, said = points(discussion(messages, conclusion))
        assert said.status == "pass"


@pytest.mark.parametrize(
    ("conclusion", "status"),
    [
        ("Ana and Ben agree on PostgreSQL, and Ana will write the", "fail"),
        ("Ana and Ben agree on PostgreSQL for 2,000 writes a second.", "pass"),
        ("Ana and Ben agree on PostgreSQL", "pass"),
    ],
)
def test_a_conclusion_that_breaks_off_is_told(conclusion, status):
    record, said = points(discussion(DATABASE, conclusion))
    assert said.status == status
    assert ("truncated" in [finding.category for finding in record.findings]) == (status == "fail")


COSTS = (
    ("Ana", "The door costs 300 euros and needs 4 days."),
    ("Ben", "The window is 200 euros. We start on 3 March 2025."),
    ("Cleo", "Last year the same door was 240 euros."),
)


@pytest.mark.parametrize(
    "conclusion",
    [
        "Ana's door and Ben's window cost 500 euros in total.",
        "The door and the window cost 500 euros together.",
        "The door costs 100 euros more than the window.",
        "The door has become 25 % more expensive since last year.",
    ],
)
def test_a_figure_that_the_conclusion_works_out_was_brought_up(conclusion):
    record, said = points(discussion(COSTS, conclusion))
    assert (said.status, [f.quote for f in record.findings if f.severity == "error"]) == ("pass", [])


@pytest.mark.parametrize(
    ("conclusion", "figure"),
    [
        ("The door and the window cost 560 euros together.", "560 euros"),
        ("The door costs 130 euros more than the window.", "130 euros"),
        ("The door costs 500 euros.", "500 euros"),
    ],
)
def test_a_figure_that_does_not_follow_was_not(conclusion, figure):
    record, said = points(discussion(COSTS, conclusion))
    assert (said.reason, record.findings[0].quote) == ("the conclusion has a figure that nobody brought up", figure)
