"""Figures that follow from the text are supported, wrong ones are not; the same number in another unit is contradicted."""

import pytest

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look, look_all
from witnessmark.checks.grounding.steps.arithmetic import by_one_step
from witnessmark.text.dates import dates
from witnessmark.text.numbers import figures

MAYE = "Ferdinand Maye was born in Lyon on 7 February 1841. He died of pneumonia in Geneva on 15 October 1906."
DOSE = "Mrs K. is to take Corbenal 25 mg, two tablets three times a day with meals."
TRIP = "The coach costs £420, regardless of numbers. Entry to the aquarium is £7 a head, and 30 pupils are coming."
MUSEUM = "The museum counted 83,400 visitors in 2023; in 2022 it had been 71,900."
FENWICK = "Revenue: 2020 £45m; 2021 £48m; 2022 £54m. Headcount was unchanged at 410."
VOTES = "In the election 12,000 valid votes were cast. Greta Holm received 6,600 of the votes."
BRIDGE = "The bridge was closed to road traffic on 3 April and reopened on 24 April."
STATION = "The station was opened in 1932, three years before the line to Ardley. It was rebuilt 41 years later."
PARK = "The park covers 640 square kilometres and its highest point reaches 612 metres."


def findings(claim, source):
    return {(p.rule, p.finding) for p in look(claim, Index([EvidenceSource("s", source)], claim)).points}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Maye was 65 when he died.", MAYE),
        ("Her daily dose of Corbenal comes to 150 mg.", DOSE),
        ("Coach and aquarium together cost £630.", TRIP),
        ("Visitor numbers were up by 11,500 on 2022.", MUSEUM),
        ("Revenue rose by £6 million to £54 million in 2022, an increase of 12.5%.", FENWICK),
        ("Greta Holm received 55% of the votes.", VOTES),
        ("The bridge stayed closed for three weeks.", BRIDGE),
        ("The station was rebuilt in 1973.", STATION),
    ],
)
def test_what_follows_is_found_and_nothing_is_missing(claim, source):
    found = findings(claim, source)
    assert {("derived", "same"), ("worked", "same")} & found
    assert not {finding for _, finding in found if finding in ("missing", "contradicted")}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Maye was 56 when he died.", MAYE),
        ("Visitor numbers were up by 21,500 on 2022.", MUSEUM),
        ("Greta Holm received 45.5% of the votes.", VOTES),
        ("The bridge stayed closed for five weeks.", BRIDGE),
        ("Coach and aquarium together cost £571.", TRIP),
        ("The station was rebuilt in 1891.", STATION),
        ("The station was rebuilt in 1974.", STATION),
    ],
)
def test_what_does_not_follow_is_not_supported(claim, source):
    found = findings(claim, source)
    assert not {("derived", "same"), ("worked", "same")} & found
    assert {finding for _, finding in found} & {"missing", "contradicted"}


@pytest.mark.parametrize("claim", ["The park covers 640 hectares.", "Its highest point reaches 612 kilometres."])
def test_the_same_number_in_another_unit_is_contradicted(claim):
    assert ("figure", "contradicted") in findings(claim, PARK)


def test_a_temperature_is_no_year_and_a_year_is_no_price():
    assert dates("Fire to cone 10 (approx. 1285 °C) in reduction.") == []
    assert [f.low for f in figures("2021 £48m; 2022 £54m.")] == [2021.0, 48e6, 2022.0, 54e6]
    assert [f.low for f in figures("from £48 million in 2021 to £54 million")] == [48e6, 2021.0, 54e6]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Put the form on line 6 of the return.", "There are 1 form and 5 copies of the form for the return."),
        ("Of the reviews 20% are bad.", "The reviews gave 5 stars, 4 stars and 4 stars."),
        ("It is 72 °F there now.", "It can be 32 °F in winter and 40 °F in spring there."),
        ("Wendt won by 38 seconds.", "pos 3, bib 114, Lukas Wendt, finish 1:06:12"),
        (
            "In total, 24 plots were followed.",
            "There were 8 plots at each bog. Emission rose by 21 %. The water table was 14 cm deeper.",
        ),
    ],
)
def test_a_figure_that_only_happens_to_add_up_is_not_taken_for_worked_out(claim, source):
    assert ("derived", "same") not in findings(claim, source)


def test_a_number_and_a_half_is_one_figure():
    assert [figure.low for figure in figures("It takes four and a half hours, not 2 and a quarter hours.")] == [
        16200,
        8100,
    ]


def test_minus_before_a_temperature_is_its_sign():
    assert [one.low for one in figures("It starts below minus 9 °C.")] == [-9.0]
    assert [one.low for one in figures("It starts below −9 °C.")] == [-9.0]
    assert [one.low for one in figures("10 minus 9 is 1")] == [10.0, 9.0, 1.0]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Garth paid 2.7 million euros for the pool itself.", "The pool of Garth cost 5.4 million euros, of which the state paid 1.8 million and a lottery 0.9 million."),
        ("A lorry of 5 tonnes may unload there.", "Lorries above 3.5 tonnes may unload there."),
    ],
)  # fmt: skip
def test_a_figure_that_could_follow_or_lies_within_a_bound_is_not_contradicted(claim, source):
    seen = look(claim, Index([EvidenceSource("d1", source)], claim))
    assert "contradicted" not in {point.finding for point in seen.points if point.rule == "figure"}


GRANTS = "| city | grant in euros a month |\n|---|---|\n| Turku | 480 |\n| Galway | 480 |\n| Porto | 420 |"


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("Turku pays 60 euros more than Porto.", False),
        ("Turku pays 70 euros more than Porto.", True),
        ("Two students in Turku and Porto get 900 euros.", False),
        ("Two students in Turku and Porto get 950 euros.", True),
    ],
)
def test_a_figure_that_two_others_come_to_is_no_finding_though_the_table_names_the_unit_in_its_head(claim, missing):
    found = findings(claim, GRANTS)
    assert (not {("figure", "missing"), ("cell", "contradicted")}.isdisjoint(found)) is missing, found


def test_in_a_text_full_of_figures_something_always_fits_so_a_strange_one_is_missing():
    crowded = "The items cost " + ", ".join(f"{n * 7 + 100}" for n in range(1, 40)) + " euros."
    assert ("figure", "missing") in findings("The repair costs 14 euros.", crowded)


# --- days between dates ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "source", "right"),
    [
        (28, "The bridge closed on 3 February 2023 and reopened on 3 March 2023.", True),
        (29, "The bridge closed on 3 February 2023 and reopened on 3 March 2023.", False),
        (29, "The bridge closed on 3 February 2024 and reopened on 3 March 2024.", True),
        (28, "The bridge closed on 3 February 2024 and reopened on 3 March 2024.", False),
        (28, "The bridge closed on 3 February and reopened on 3 March.", True),  # of a year that is not said
        (29, "The bridge closed on 3 February and reopened on 3 March.", True),
        (30, "The bridge closed on 3 February and reopened on 3 March.", False),
        (31, "The bridge closed on 20 December 2023 and reopened on 20 January 2024.", True),
        (334, "The bridge closed on 20 December 2023 and reopened on 20 January 2024.", False),
    ],
)
def test_days_are_counted_in_the_years_that_are_stated_and_in_either_kind_where_none_is(days, source, right):
    found = findings(f"The bridge stayed closed for {days} days.", source)
    assert found in ([{("derived", "same")}, {("worked", "same")}] if right else [{("figure", "missing")}])


# --- parts in words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("Half an hour later it rained.", 1800, "time"),
        ("a half-hour walk", 1800, "time"),
        ("an hour and a half", 5400, "time"),
        ("three quarters of an hour", 2700, "time"),
        ("a quarter of a kilometre", 250, "length"),
        ("half a million people", 500_000, ""),
        ("a million and a half people", 1_500_000, ""),
        ("half a dozen eggs", 6, ""),
    ],
)
def test_a_part_in_words_is_a_figure(text, value, dimension):
    (found,) = figures(text)
    assert (found.low, found.dimension) == (value, dimension)


@pytest.mark.parametrize("text", ["half of the members", "a quarter of the hours", "the second half", "half the hours"])
def test_a_part_of_what_is_not_one_unit_is_none(text):
    assert figures(text) == []


def test_quarters_of_a_year_are_counted_and_not_taken_for_a_length_of_time():
    assert [(one.low, one.dimension) for one in figures("It reports four quarters a year.")] == [(4.0, "")]


@pytest.mark.parametrize(
    ("claim", "source", "finding"),
    [
        ("The tour takes half an hour.", "The tour takes 30 minutes.", "same"),
        ("The tour takes half an hour.", "The tour takes 20 minutes.", "contradicted"),
        ("The tour takes half an hour.", "The tour takes one hour.", "missing"),
        ("The tour takes an hour and a half.", "The tour takes 90 minutes.", "same"),
        ("The tour takes an hour and a half.", "The tour takes 80 minutes.", "contradicted"),
        ("The tour takes three quarters of an hour.", "The tour takes 45 minutes.", "same"),
        ("The tour takes three quarters of an hour.", "The tour takes 55 minutes.", "missing"),
        ("Half a million people came to the fair.", "The fair had 500,000 people.", "same"),
        ("Half a million people came to the fair.", "700,000 people came to the fair.", "contradicted"),
    ],
)
def test_a_part_in_words_is_held_against_the_figure(claim, source, finding):
    assert ("figure", finding) in findings(claim, source)


# --- what a claim works out itself -------------------------------------------------------------------------------------

LIMIT = "The limit is 24,000 euros, and 4,500 euros for each further person."
SHARES = "Of 48 million euros, 12.5 % go to schools."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The limit is 24,000 + 2 × 4,500 = 33,000 euros.", LIMIT),
        ("The limit is 24,000 + 4,500 = 28,500 euros.", LIMIT),
        ("The limit is then €24,000 + 3 * €4,500 = €37,500.", LIMIT),
        ("Schools get 12.5% × 48 million = 6 million euros.", SHARES),
    ],
)
def test_an_equation_that_is_right_and_made_of_stated_figures_shows_its_result(claim, source):
    found = findings(claim, source)
    assert not {("derived", "same"), ("worked", "same")}.isdisjoint(found)
    assert not {finding for _, finding in found if finding in ("missing", "contradicted")}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The limit is 24,000 + 2 × 4,500 = 34,000 euros.", LIMIT),  # wrong
        ("The limit is 24,000 + 2 × 4,700 = 33,400 euros.", LIMIT),  # of a figure that nobody states
        ("The limit is 2 × 4,500 = 9,000 million euros.", LIMIT),  # a million times too much
        ("The limit is 4,500 / 0 = 4,500,000 euros.", LIMIT),
        ("Schools get 12.5% × 48 million = 7 million euros.", SHARES),
    ],
)
def test_an_equation_that_is_wrong_or_made_of_other_figures_is_found(claim, source):
    found = findings(claim, source)
    assert ("derived", "same") not in found
    assert {finding for _, finding in found} & {"missing", "contradicted"}


@pytest.mark.parametrize(
    "claim",
    [
        "The limit is 24,000 + 7 = 24,007 euros.",  # what is added is no factor
        "The distance is 4,500 euros × 2 = 9,000 kilometres.",
        "The limit for all is 11 × 7 = 77 euros.",  # nothing of it is stated
    ],
)
def test_an_equation_shows_nothing_by_what_no_source_gives(claim):
    assert ("derived", "same") not in findings(claim, LIMIT)


# --- figures do not prove each other --------------------------------------------------------------------------------

KILN = "The kiln holds 45 litres of clay. A firing costs 29 euros and the glaze 16 euros. It lasts 37 minutes."


@pytest.mark.parametrize(
    ("claim", "follows"),
    [
        ("A firing with glaze comes to 45 euros.", True),  # 29 + 16
        ("The glaze is 13 euros cheaper.", True),
        ("A firing comes to 66 euros.", False),  # 29 euros and 37 minutes are no euros
        ("The glaze is 21 euros cheaper.", False),
    ],
)
def test_what_is_added_or_taken_away_is_of_one_kind(claim, follows):
    (one,) = figures(claim)
    assert by_one_step(claim, one, figures(KILN)) is follows


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("The kiln weighs 410 kg, its lid 620 kg and both of them 1,030 kg.", True),  # nothing of it is stated
        ("A firing costs 29 euros, the glaze 16 euros and both of them 45 euros.", False),
    ],
)
def test_figures_of_a_claim_that_no_source_has_do_not_bear_each_other_out(claim, missing):
    assert (("figure", "missing") in findings(claim, KILN)) is missing


def test_figures_of_two_claims_that_no_source_has_do_not_bear_each_other_out():
    text = "The kiln weighs 410 kg and its lid 620 kg. With the lid the kiln weighs 1,030 kg."
    seen = look_all(claims(text, ""), Index([EvidenceSource("d1", KILN)], text))
    assert all(("figure", "missing") in {(one.rule, one.finding) for one in found.points} for found in seen)


LEAFLET = "Children from 6 to 11 years take half a tablet once a day. Adults take a whole one."


@pytest.mark.parametrize(("age", "finding"), [("ten", "elsewhere"), ("fifteen", "contradicted")])
def test_one_of_a_stated_range_is_not_against_it(age, finding):
    assert ("figure", finding) in findings(f"Children of {age} years take half a tablet once a day.", LEAFLET)


@pytest.mark.parametrize(
    ("claim", "source", "language"),
    [
        ("The school has 540 pupils in total.", "There are 148 pupils in year 6, 139 in year 7, 131 in year 8 and 122 in year 9.", "en"),
        ("The lab has 540 pipettes in total.", "The lab has 201 pipettes in room 20, 169 in room 30, 98 in room 50 and 72 in room 70.", "en"),
        ("Le collège accueille en tout 540 élèves.", "148 élèves en sixième, 139 en cinquième, 131 en quatrième et 122 en troisième.", "fr"),
    ],
)  # fmt: skip
def test_a_total_is_the_sum_of_a_row_whatever_numbers_its_parts(claim, source, language):
    seen = look(claim, Index([EvidenceSource("s", source)], claim, language), language)
    assert [(one.rule, one.finding) for one in seen.points if one.part.startswith("540")] == [("derived", "same")]
