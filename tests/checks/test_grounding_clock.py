"""Times of day, spans of time and sums that a source has in other words, each beside the same sentence with a wrong figure."""

from __future__ import annotations

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.checks.grounding.claims import claims
from witnessmark.settings import Settings
from witnessmark.text.clock import times
from witnessmark.text.numbers import figures

THOUSANDS = "Budget (thousand euros)\n\n| Item | 2024 |\n|---|---|\n| Roof | 41 |\n| Paths | 17 |"


def flagged(answer: str, source: str) -> list[str]:
    """The claims that a rule by itself calls unsupported or contradicted."""
    case = Case(goal="What does it say?", subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))
    record = Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case)  # type: ignore[arg-type]
    return [one.text for one in record.claims if one.details.get("by") == "rule" and str(one.status) != "supported"]


PAIRS = [
    # one of a unit, and parts of it
    ("Soak the peas for half an hour.", "The peas soak for 0.5 h.", "The peas soak for 0.8 h."),
    ("The break is a quarter of an hour.", "The break is 15 minutes.", "The break is 25 minutes."),
    ("A crate holds a dozen jars.", "A crate holds 12 jars.", "A crate holds 18 jars."),
    # times in words
    ("Supper is at half past seven.", "Supper is at 19:30.", "Supper is at 18:30."),
    ("Supper is at half past seven.", "Supper is at 7.30.", "Supper is at 7.45."),
    ("Supper is at half past seven in the evening.", "Supper is at 19:30.", "Supper is at 7:30 in the morning."),
    ("The gate shuts at a quarter to nine.", "The gate shuts at 20:45.", "The gate shuts at 21:15."),
    ("The bar serves from six to ten in the evening.", "The bar serves from 18.00 to 22.00.", "The bar serves from 18.00 to 23.00."),
    ("Lunch begins at midday.", "Lunch begins at 12:00.", "Lunch begins at 12:30."),
    ("Supper is at 19:30.", "Supper is at half past seven.", "Supper is at half past six."),
    ('{"opens": "18:00", "seats": 40}', "It opens at six in the evening.", "It opens at half past seven in the evening."),
    ('{"opens": "07:15", "closes": "12:00"}', "It opens at a quarter past seven.", "It opens at half past seven."),
    ("The kiosk opens at 9:15.", "It does not open at half past eight but at 9:15.", "The kiosk opens at half past eight."),
    ("Quay dep. 0945\nIslet arr. 1035", "It leaves the quay at 09:45.", "It leaves the quay at 10:45."),
    # worked out of times
    ("Mass begins at 5.30 instead of 6.00 in winter.", "In winter Mass begins half an hour sooner.", "In winter Mass begins two hours sooner."),
    ("Rolls on weekdays from 06:30, on fair days from 06:00.", "On fair days rolls start half an hour earlier.", "On fair days rolls start an hour and a half earlier."),
    # sums
    ("Rent 840 euros, electricity 45 euros.", "Both come to 885 euros.", "Both come to 875 euros."),
    (THOUSANDS, "The roof costs €41,000.", "The roof costs €47,000."),
    ("Costs\n\n| Item | EUR '000 |\n|---|---|\n| Roof | 41 |\n| Paths | 17 |", "The roof costs EUR 41,000.", "The roof costs EUR 47,000."),
]  # fmt: skip


@pytest.mark.parametrize(("source", "right", "wrong"), PAIRS)
def test_what_follows_is_let_stand_and_what_does_not_is_flagged(source, right, wrong):
    assert flagged(right, source) == []
    assert flagged(wrong, source)


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        # a rate is no span, another place in the text no span beside a time, an hour by 24 no afternoon
        ("The room costs 30 euros a month. The lease runs on.", "The lease runs for one month."),
        ("They read ten pages a day of the play.", "The play lasts one day."),
        ("The class meets twice a week in the barn.", "The class in the barn lasts one week."),
        ("The museum is open from 9:00 to 17:00.", "The museum is open from 21:00."),
        ("The bath shuts at 20:00; in May half an hour earlier.", "In May the bath shuts at 19:00."),
        ("Rent 760, heating 95, water 20, electricity 45.", "The flat has 920 windows."),
        ("The lamp costs 41 euros. A thousand were sold.", "The lamp costs 43,000 euros."),
    ],
)  # fmt: skip
def test_what_only_happens_to_fit_is_still_flagged(source, claim):
    assert flagged(claim, source)


@pytest.mark.parametrize(
    ("answer", "second"),
    [
        ("Cover 2 kg of plums with sugar. It is ready when it sets.", "It is ready when it sets."),
        ("Whisk 3 eggs with milk. It must rest.", "It must rest."),
        ("Add nuts and stir. It is ready in an hour.", "It is ready in an hour."),
        ("Apollo 8 was launched in winter. It carried three men.", "Apollo 8 carried three men."),
        ("The jam is red. It keeps for a year.", "The jam keeps for a year."),
    ],
)
def test_a_pronoun_takes_no_order_for_its_subject(answer, second):
    assert claims(answer)[1].text == second


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("at twenty past two", [{140, 860}]),
        ("7.30 pm, then 9am", [{1170}, {540}]),
        ("10:40-11:09 and 14:00", [{640}, {669}, {840}]),
        ("It costs 5.30 and grew from six to ten people, 4.20 % in 1945.", []),
        ("um 19.30 Uhr", [{1170}]),
        ("midnight", [{0}]),
    ],
)
def test_times_have_every_reading_that_their_words_allow(text, found):
    assert [set(one.readings) for one in times(text)] == found


def test_a_fortnight_is_a_unit():
    assert [(one.low, one.dimension) for one in figures("two fortnights")] == [(4 * 604_800, "time")]


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("Saturday: 9:00-22:00", "It is open for 13 hours on Saturday.", "It is open for 11 hours on Saturday."),
        ("The night shift is from 22:00 to 6:00.", "The night shift lasts 8 hours.", "The night shift lasts 9 hours."),
    ],
)
def test_a_span_goes_over_midnight_only_where_it_ends_earlier_than_it_begins(source, right, wrong):
    assert not flagged(right, source)
    assert flagged(wrong, source)


def test_a_span_in_a_table_is_one_of_the_column_that_is_named():
    source = "| Stop | Train A | Train B |\n|---|---|---|\n| Brook | 06:10 | 07:10 |\n| Harbour | 06:51 | 07:55 |"
    assert not flagged("Train A takes 41 minutes from Brook to Harbour.", source)
    assert flagged("Train A takes 45 minutes from Brook to Harbour.", source)
