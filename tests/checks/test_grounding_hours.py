"""Opening hours: of which place they are, of which part of the year, and what a source says of them word for word."""

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.checks.grounding.claims import claims
from witnessmark.settings import Settings

LIBRARY = """Millbrook Public Library

Opening hours
Monday: closed
Tuesday to Thursday: 10:00–19:00
Friday: 10:00–17:00
Saturday: 9:30–13:30
Sunday: closed

During the summer holidays (1 July to 31 August) the library is closed on Saturdays."""
BRANCH = "Eastgate Branch Library\n\nSaturday: 10:00–14:00. Sunday: closed. The branch has no children's section."
TWO = """Opening hours

Millbrook Library
Monday: closed
Friday: 10:00–17:00
Saturday: 9:30–13:30

Eastgate Branch
Monday: closed
Saturday: 10:00–14:00"""
RULES = Verifier.from_settings(Settings(verification={"model": "rules"}))  # type: ignore[arg-type]


def stated(answer: str, *sources: str) -> list[str]:
    evidence = tuple(Evidence(id=f"d{n}", text=text) for n, text in enumerate(sources, 1))
    record = RULES.verify_sync(Case(goal="What are the hours?", subject=Answer(text=answer), evidence=evidence))
    return [str(one.status) for one in record.claims]


@pytest.mark.parametrize(
    "answer",
    [
        "During the summer holidays (1 July to 31 August) the library is closed on Saturdays.",
        "The library is open from 9:30 to 13:30 on Saturdays, except during the summer holidays (1 July to 31 August), when it is closed on Saturdays.",
        "In July and August it stays closed on Saturdays.",
        "*Closed on Saturdays from 1 July to 31 August* [1]",
        "During the summer holidays it is closed on Saturdays.",
    ],
)
def test_weekly_hours_do_not_speak_against_those_of_a_part_of_the_year(answer):
    assert "contradicted" not in stated(answer, LIBRARY, BRANCH)


@pytest.mark.parametrize(
    "answer",
    [
        "The library is open from 10:00 to 13:30 on Saturdays, except during the summer holidays (1 July to 31 August), when it is closed on Saturdays.",
        "The library is closed on Saturdays.",
        "The library is open on Sundays and public holidays.",
        "The library is open from 9:30 to 15:00 on Saturdays.",
    ],
)
def test_what_is_said_of_the_whole_year_is_held_to_weekly_hours(answer):
    assert stated(answer, LIBRARY, BRANCH) == ["contradicted"]


@pytest.mark.parametrize("sources", [(LIBRARY, BRANCH), (TWO,)])
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The Eastgate Branch is open from 10 am to 2 pm on Saturdays.", "The Eastgate Branch is open from 9:30 to 13:30 on Saturdays."),
        ("Millbrook is open from 9:30 to 13:30 on Saturdays, unlike the rest.", "On Saturdays Millbrook is open from 10:00 to 14:00."),
    ],
)  # fmt: skip
def test_a_place_is_held_to_its_own_hours(right, wrong, sources):
    assert "contradicted" not in stated(right, *sources)
    assert stated(wrong, *sources) == ["contradicted"]


def test_a_claim_that_cites_a_source_is_held_to_that_source():
    assert "contradicted" not in stated("It is open from 10:00 to 14:00 on Saturdays [2].", LIBRARY, BRANCH)
    assert stated("It is open from 10:00 to 14:00 on Saturdays [1].", LIBRARY, BRANCH) == ["contradicted"]


def test_a_sentence_of_a_source_is_not_contradicted_by_the_hours_of_another():
    notice = "Until further notice the library is closed on Saturdays."
    assert stated(notice, LIBRARY, notice) == ["supported"]
    assert stated("Until further notice the library is closed on Fridays.", LIBRARY, notice) == ["contradicted"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The cloakroom fee for adults is €5 a day.", "supported"),
        ("The cloakroom fee for adults is $5 a day.", "contradicted"),
    ],
)
def test_what_a_source_says_word_for_word_is_not_contradicted_by_another(answer, expected):
    sources = ("The cloakroom fee for adults is €5 a day.", "The cloakroom fee for adults is €7 a day.")
    assert stated(answer, *sources) == [expected]


BIBLIOTECA = (
    "Biblioteca\n\nSábados: 9:30–13:30\n\nDel 1 de julio al 31 de agosto la biblioteca está cerrada los sábados."
)


def test_what_is_closed_for_a_part_of_the_year_is_no_opposite_of_what_is_open():
    assert "contradicted" not in stated("La biblioteca está abierta los sábados de 9:30 a 13:30.", BIBLIOTECA)
    always = "La biblioteca está cerrada los sábados."
    assert stated("La biblioteca está abierta los sábados.", always) == ["contradicted"]


def test_a_day_is_nothing_that_a_pronoun_stands_for():
    found = claims("From October on, it is open Sundays. It is open on Fridays until 18:00.")
    assert found[-1].text == "It is open on Fridays until 18:00."


CAFE = '{"name": "Café Meridian", "hours": {"Monday": "closed", "Saturday": "9:0-22:0", "Sunday": "10:0-14:0"}}'
POSTED = "Café Meridian\n\nMonday: closed\nSaturday: 9:00-22:00\nSunday: 10:00-14:00"


@pytest.mark.parametrize("source", [CAFE, POSTED])
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("It is not open on Mondays.", "It is not open on Sundays."),
        ("On Mondays it is closed.", "On Saturdays it is closed."),
        ("It isn't open on Monday, but it is on Sunday.", "It isn't open on Sunday, but it is on Monday."),
        ("It is closed on Mondays, and on Saturdays it is open until 10 pm.", "It is closed on Saturdays, and on Sundays it is open until 2 pm."),
        ("It is closed on Mondays, but on Sundays it opens at 10 am.", "It is closed on Mondays, but on Sundays it opens at 11 am."),
    ],
)  # fmt: skip
def test_what_is_not_open_on_a_day_is_closed(right, wrong, source):
    assert set(stated(right, source)) == {"supported"}
    assert "contradicted" in stated(wrong, source)


@pytest.mark.parametrize("source", [CAFE, POSTED])
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("It is open at 1 pm on Sunday.", "It is open at 3 pm on Sunday."),
        ("It is not open at 3 pm on Sunday.", "It is not open at 1 pm on Sunday."),
        ("On Sunday at 3 pm it is closed.", "On Sunday at 1 pm it is closed."),
    ],
)
def test_open_at_a_time_is_within_the_hours_of_that_day(right, wrong, source):
    assert stated(right, source) == ["supported"]
    assert stated(wrong, source) == ["contradicted"]


def test_what_denies_hours_tells_none():
    assert "contradicted" not in stated("On Sunday it is not open until 5 pm.", CAFE)
