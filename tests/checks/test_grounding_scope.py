"""How far a statement reaches: what it denies, bounds or allows, what a source excepts, and what a question takes as given."""

from __future__ import annotations

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.settings import Settings

RULES = Verifier.from_settings(Settings(verification={"model": "rules"}))  # type: ignore[arg-type]


def stated(answer: str, source: str, question: str = "What does it say?") -> list[str]:
    case = Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))
    return [str(one.status) for one in RULES.verify_sync(case).claims]


SAUNA = "A towel costs 4 euros at the desk. The sauna closes at 21:00. The new steam room opened in March 2024."


@pytest.mark.parametrize(
    "right",
    [
        "A towel does not cost 6 euros at the desk.",
        "A towel costs 4 euros at the desk, not 6.",
        "A towel costs 4 euros rather than 6 euros at the desk.",
        "The sauna doesn't close at 23:00.",
        "The new steam room did not open in May 2024.",
        "The new steam room opened in March 2024, not in May.",
        "A towel costs more than 1 euro at the desk.",
        "A towel costs less than 10 euros at the desk.",
        "The new steam room opened after January 2024.",
        "The new steam room opened before June 2024.",
    ],
)
def test_a_value_that_a_claim_denies_or_only_bounds_is_not_held_against_it(right):
    assert stated(right, SAUNA) == ["supported"]


@pytest.mark.parametrize(
    "wrong",
    [
        "A towel costs 6 euros at the desk.",
        "A towel costs more than 6 euros at the desk.",
        "A towel costs less than 2 euros at the desk.",
        "The new steam room opened in May 2024.",
        "The new steam room opened before January 2024.",
        "No, a towel costs 6 euros at the desk.",
        "The desk is not closed, but a towel costs 6 euros at the desk.",
    ],
)
def test_a_denial_of_something_else_excuses_no_value(wrong):
    assert stated(wrong, SAUNA, "Is a towel free?")[-1] == "contradicted"


def test_a_no_is_right_where_the_source_has_another_value_and_wrong_where_it_has_this_one():
    question = "Does a towel cost 6 euros at the desk?"
    assert stated("No.", SAUNA, question) == ["supported"]
    assert stated("No, it costs 4 euros.", SAUNA, question)[0] == "supported"
    assert stated("Yes.", SAUNA, question) == ["contradicted"]
    assert stated("No.", SAUNA, "Does a towel cost more than 3 euros at the desk?") == ["contradicted"]
    assert stated("No.", SAUNA, "Does a towel cost more than 5 euros at the desk?") == ["supported"]


LIMIT = "Guests can book at most six courts a week."


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Guests can book 4 courts a week.", "supported"),
        ("Guests cannot book 9 courts a week.", "supported"),
        ("Booking 9 courts a week is not possible.", "supported"),
        ("Guests can book 9 courts a week.", "contradicted"),
        ("Guests cannot book 4 courts a week.", "contradicted"),
        ("Guests can book at most nine courts a week.", "contradicted"),
    ],
)
def test_what_can_be_done_is_held_against_a_stated_limit(answer, status):
    found = stated(answer, LIMIT)
    assert found == [status]


def test_a_rough_figure_is_right_within_a_tenth_and_not_contradicted_by_one_that_is_close():
    source = "The choir has 47 singers."
    assert "contradicted" not in stated("The choir has nearly 50 singers.", source)
    assert stated("The choir has about 90 singers.", source) == ["contradicted"]


@pytest.mark.parametrize(
    ("source", "wrong", "right"),
    [
        ("All ferries except ferry 6 stop at Tarn.", "Ferry 6 stops at Tarn.", "Ferry 6 does not stop at Tarn."),
        ("Everyone but Odile passed the exam.", "Odile passed the exam.", "Odile did not pass the exam."),
        ("Every shop apart from Lund is closed.", "The Lund shop is closed.", "The Lund shop is open."),
        (
            "The bath opens every day except Fridays.",
            "The bath opens on Fridays.",
            "The bath does not open on Fridays.",
        ),
        ("Alle Läden außer Ulm bleiben offen.", "Der Laden in Ulm bleibt offen.", ""),
        ("La piscine est ouverte tous les jours sauf le lundi.", "La piscine est ouverte le lundi.", ""),
        ("La tienda abre todos los días excepto los martes.", "La tienda abre los martes.", ""),
    ],
)
def test_what_a_source_excepts_is_not_what_it_says_of_all_the_others(source, wrong, right):
    assert stated(wrong, source) == ["contradicted"]
    assert not right or stated(right, source) == ["supported"]


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("All ferries except ferry 6 stop at Tarn.", "Ferry 8 stops at Tarn."),
        ("He cooks every day except Sundays, when his niece visits.", "On Sundays his niece visits."),
        ("All materials are included except for pottery, where clay is extra.", "For pottery, clay is extra."),
        ("Every hall but the cellar was dry.", "Every hall was dry except the cellar."),
        ("All three kits can be joined, but a kit must hold at least one large pump.", "A kit must hold a large pump."),
    ],
)
def test_what_is_said_of_others_or_of_the_exception_itself_is_not_contradicted(source, answer):
    assert "contradicted" not in stated(answer, source)


def test_what_a_question_takes_as_given_is_not_held_against_its_answer():
    dose = "Children of 15 to 25 kg take 5 millilitres. Each millilitre holds 20 milligrams of the active substance."
    assert "contradicted" not in stated("A child of 20 kg takes 5 millilitres.", dose, "How much for a child of 20 kg?")
    config = "bind: 127.0.0.1  # if it is no loopback address, a token must be set"
    asked = "What happens if I bind to 0.0.0.0?"
    assert "contradicted" not in stated("If you bind to 0.0.0.0, a token must be set.", config, asked)


def test_a_question_that_yes_or_no_answers_takes_nothing_as_given():
    asked = "Is ticket OPS-7741 fixed?"
    assert stated("Ticket OPS-7741 is fixed.", "Ticket OPS-7715 is fixed.", asked) == ["contradicted"]


def test_a_table_that_leaves_a_column_out_is_not_contradicted_by_the_order_of_its_names():
    source = "Class | Tutor | Evening | Fee\nWeaving | F. Orme | Tue | £130\nJoinery | J. Tull | Wed | £60"
    table = "| Class | Evening | Fee |\n|---|---|---|\n| Weaving | Tue | £130 |\n| Joinery | Wed | £60 |"
    assert "contradicted" not in stated(table, source)


def test_a_number_of_things_is_no_amount_with_a_unit():
    source = "A mail may be no larger than 25 MB. Up to 12 files can be attached."
    assert stated("The limit for a mail is 12 MB.", source) != ["supported"]


def test_a_difference_is_not_contradicted_by_what_it_is_a_difference_of():
    source = "The first stage took five hours, the second seven."
    assert "contradicted" not in stated("The second stage took two hours longer than the first.", source)


def test_not_more_than_bounds_and_not_with_a_comparison_later_denies():
    source = "The coating did not slow rust more than plain paint did."
    assert stated("The coating slowed rust more than plain paint did.", source) == ["contradicted"]


@pytest.mark.parametrize("wrong", ["Both mills are certified.", "Neither mill is certified."])
def test_both_and_neither_are_held_against_what_is_said_of_each(wrong):
    assert stated(wrong, "Arden is certified. Boyle is not certified yet.", "Which mill is certified?") == [
        "contradicted"
    ]


def test_both_is_right_where_the_source_says_so_of_both():
    assert "contradicted" not in stated(
        "Both mills are certified.", "Both mills are certified, the shop is not certified."
    )


def test_a_family_name_with_another_first_name_is_not_the_person_of_the_source():
    source = "She learned engraving from Oscar Perrin in Tours."
    assert stated("In Tours she learned engraving from Olivia Perrin.", source) == ["unsupported"]
    assert stated("She learned engraving from Captain Perrin in Tours.", source) != ["unsupported"]
    assert stated("She learned engraving from Oscar Perrin in Tours.", source) == ["supported"]


def test_none_allowed_is_all_banned_and_a_condition_may_bound_from_the_other_side():
    assert "contradicted" not in stated("No kites are allowed on the pier.", "Kites are banned on the pier.")
    source = "The lock needs at least two bars of signal; otherwise use the relay."
    assert "contradicted" not in stated("If the signal is below two bars, use the relay.", source)
    assert stated("The lock needs at most two bars of signal.", source) == ["contradicted"]


def test_a_bare_number_answers_how_many_only_where_so_many_of_them_are_told():
    pool = "The pool has eight lanes and is 25 metres long."
    assert stated("25", pool, "How many lanes does the pool have?") == ["contradicted"]
    assert "contradicted" not in stated("8", pool, "How many lanes does the pool have?")


def test_not_since_a_year_is_right_where_it_was_before_and_a_figure_that_a_source_has_is_not_held_against_another():
    assert stated("No.", "Mount Vell last erupted in 1912.", "Has Mount Vell erupted since 1950?") == ["supported"]
    assert stated("No.", "Mount Vell erupted in 1971.", "Has Mount Vell erupted since 1950?") == ["contradicted"]
    source = "Delivery is free if the order is over £60. Orders to the islands always carry a £9 charge."
    assert "contradicted" not in stated("Orders over £60 are free, but not to the islands.", source)


def test_what_is_said_of_all_but_one_is_not_said_of_all():
    source = "The bath is open from 7:00 to 21:00 every day except Monday, when it is closed."
    assert stated("The bath is open every day.", source) == ["contradicted"]
    assert stated("The bath is open every day except Monday.", source) == ["supported"]
    assert stated("The bath is open on Mondays.", source) == ["contradicted"]
    assert "contradicted" not in stated("The bath is closed on Mondays.", source)
    assert "contradicted" not in stated(
        "All halls are dry.", "All halls are dry. All halls except the cellar are heated."
    )


def test_a_question_among_the_sources_says_nothing_to_the_contrary():
    text = "**Can I freeze the dried starter?** There is no need to. Freezing draws in moisture and makes it clump."
    found = look("The dried starter shouldn't be frozen.", Index([EvidenceSource("d1", text)]))
    assert [point for point in found.points if point.finding == "contradicted"] == []


CATALOGUE = "The new catalogue is open to members on the second floor. Two scanners are missing. The shelves are finished. The lift was in use on the upper floor."


@pytest.mark.parametrize(
    "wrong",
    [
        "The new catalogue is not open to members on the second floor, two scanners are missing.",
        "The new catalogue is no longer open to members on the second floor.",
        "Two scanners are missing, and the shelves are not finished.",
        "Two scanners are missing, the new catalogue is no longer open to members on the second floor.",
    ],
)
def test_a_clause_that_denies_what_a_source_says_in_its_words_is_contradicted_whatever_stands_beside_it(wrong):
    assert "contradicted" in stated(wrong, CATALOGUE)


def test_what_holds_no_more_is_told_in_every_language():
    for wrong, source in (
        ("Der Katalog ist am neuen Standort nicht mehr erreichbar, zwei Scanner fehlen noch.", "Der Katalog ist am neuen Standort erreichbar. Zwei Scanner fehlen noch."),
        ("Le catalogue n’est plus ouvert aux membres le lundi.", "Le catalogue est ouvert aux membres le lundi."),
        ("El catálogo ya no está abierto a los socios los lunes.", "El catálogo está abierto a los socios los lunes."),
    ):  # fmt: skip
        assert stated(wrong, source) == ["contradicted"]


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("The lift is no longer in use on the upper floor.", CATALOGUE),  # it was
        ("The card stays valid if it was activated within 30 days, and it is free.", "If the card was not activated within 30 days, it is lost."),
        ("No more than £250 for each single item, the limit of the policy.", "Baggage: up to £1,500, for each single item £250. The limit of the policy holds."),
        ("Tickets are sold at the gate, and they are not refundable online.", "They are refundable online. Tickets are sold at the gate."),  # who knows which
        ("In hall B the lights are not switched off at night, the doors are locked.", "In hall A the lights are switched off at night. In hall B the lights are not switched off at night."),
    ],
)  # fmt: skip
def test_what_was_what_depends_and_what_is_only_bounded_denies_nothing(answer, source):
    assert "contradicted" not in stated(answer, source)
