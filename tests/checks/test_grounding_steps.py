"""Values that follow from a stated one and a stated distance, each beside the value of the other thing and a wrong one.

What follows is never called wrong; another value is contradicted where it is plain what it is said of, and never bears the claim out.
"""

from __future__ import annotations

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.settings import Settings


def standing(answer: str, source: str, question: str = "What does it say?") -> tuple[str, str]:
    """(status of the claim, what settled it) by rules alone."""
    case = Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))
    record = Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case)  # type: ignore[arg-type]
    (claim,) = record.claims
    return str(claim.status), str(claim.details["by"])


AVENUE = "Mrs Okoro planted the lime avenue in 1911, two years before the glasshouse was built."
BOOKSHOP = "Five years before he became mayor in 2010, Karl Brandt opened a bookshop."
SISTERS = "Sara was born in 1990 and has a sister who is four years older."
BIKES = "In 2020 the shop sold 400 bicycles. In 2021 sales rose by 25 %."
FOLLOWS = [
    # years
    (AVENUE, "The glasshouse was built in {}.", "1913", ("1911", "1909")),
    (AVENUE, "Mrs Okoro planted the lime avenue in {}.", "1911", ("1913", "1909")),
    (BOOKSHOP, "Karl Brandt opened a bookshop in {}.", "2005", ("2010",)),
    (BOOKSHOP, "Karl Brandt became mayor in {}.", "2010", ("2005",)),
    ("The mill opened in 1874. Three years later the railway reached the village.", "The railway reached the village in {}.", "1877", ("1874", "1871")),
    ("A decade after the bridge was opened in 1932, it was closed for repairs.", "The bridge was closed for repairs in {}.", "1942", ("1932",)),
    ("The choir was founded in 1998. It gave its first concert the following year.", "The choir gave its first concert in {}.", "1999", ("1998",)),
    ("The chapel dates from 1650; the tower was added a century later.", "The tower was added in {}.", "1750", ("1650",)),
    ("The law was passed in 2012 and came into force the next year, before the vote of 2014.", "The law came into force in {}.", "2013", ("2012",)),
    ("The hospital was founded in 1890 and celebrated its centenary with a concert.", "The hospital celebrated its centenary in {}.", "1990", ("1890",)),
    (SISTERS, "Sara's sister was born in {}.", "1986", ("1994",)),
    (SISTERS, "Sara was born in {}.", "1990", ("1986",)),
    # days
    ("The market is held the day after the parade on 11 May.", "The market is held on {}.", "12 May", ("11 May", "10 May")),
    ("The meeting was on 28 February 2023; the report came out the next day.", "The report came out on {}.", "1 March 2023", ("28 February 2023",)),
    ("Tim arrived on 30 December and left three days later.", "Tim left on {}.", "2 January", ("30 December",)),
    ("The strike began on Monday, 3 May, and ended four days later.", "The strike ended on {}.", "7 May", ("3 May",)),
    ("The board meets on Tuesday. Minutes are sent out two days later.", "The minutes are sent out on {}.", "Thursday", ("Tuesday", "Sunday")),
    # times of day
    ("Doors open at 18:30, an hour before the film starts.", "The film starts at {}.", "19:30", ("18:30", "17:30")),
    ("The pool opens at 7 am; on Sundays it opens two hours later.", "On Sundays the pool opens at {}.", "9 am", ("7 am",)),
    ("The room opens a quarter of an hour before the lecture starts at 14:15.", "The room opens at {}.", "14:00", ("14:15",)),
    # amounts
    ("A single ticket costs 4 euros and a day ticket costs twice as much.", "A day ticket costs {}.", "8 euros", ("4 euros",)),
    ("A large pizza is 14 euros, twice as much as a small one.", "A large pizza costs {}.", "14 euros", ("7 euros",)),
    ("The basic plan is 20 dollars. The family plan costs 10 % more.", "The family plan costs {}.", "22 dollars", ("20 dollars", "18 dollars")),
    ("The red bike costs 300 euros. The blue one costs 50 euros less.", "The blue bike costs {}.", "250 euros", ("300 euros", "350 euros")),
    ("Entry is 6 euros; children under ten pay half.", "A child of eight pays {}.", "3 euros", ("6 euros",)),
    ("Maria is 34. Her brother Paul is three years younger.", "Paul is {}.", "31", ("34", "37")),
    ("The north tower is 90 metres high, 15 metres higher than the south tower.", "The south tower is {} high.", "75 metres", ("105 metres",)),
    ("The lake is 3 km wide and twice as long.", "The lake is {} long.", "6 km", ("3 km",)),
    (BIKES, "In 2021 the shop sold {} bicycles.", "500", ("400",)),
    (BIKES, "In 2020 the shop sold {} bicycles.", "400", ("500",)),
]  # fmt: skip


@pytest.mark.parametrize(("source", "claim", "right", "wrong"), FOLLOWS)
def test_a_value_is_held_to_what_it_is_of(source, claim, right, wrong):
    assert standing(claim.format(right), source)[0] in ("supported", "partial")
    for other in wrong:
        assert standing(claim.format(other), source) in (("contradicted", "rule"), ("unsupported", "rule")), other


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        # what is not said with the sources' words, or is only a border, is not held against it
        (AVENUE, "The glasshouse was put up in 1913."),
        (AVENUE, "The glasshouse was built before 1920."),
        (AVENUE, "The glasshouse was built after 1911."),
        (AVENUE, "The limes were there in 1911, before the glasshouse was built."),
        ("The mill opened in 1874. Three years later it burned down.", "The mill, opened in 1874, burned down."),
        # which way it goes, or from where, is not said
        ("Work on the tunnel began in March 2015 and lasted six months.", "Work on the tunnel ended in September 2015."),
        ("Invoices are due 14 days after issue. This invoice was issued on 3 April.", "The invoice is due on 17 April."),
        ("The club celebrated its 50th anniversary in 1973.", "The club was founded in 1923."),
        ("The tank holds 2,000 litres and is three quarters full.", "The tank contains 1,500 litres."),
        ("Rent was 800 euros and has risen by 5 %.", "The rent is now 840 euros."),
        ("The train takes 4 hours; the plane is twice as fast.", "The plane takes 2 hours."),
        # a bound is no distance
        ("The pier was built in 1851 and rebuilt in 1983, more than a century later.", "The pier was rebuilt in 1983."),
        ("Forms must arrive at least two weeks before the course starts on 20 May.", "Forms may arrive on 2 May."),
        # another place has it
        (f"{AVENUE} The glasshouse was built again in 1950.", "The glasshouse was built again in 1950."),
        # whom the condition does not meet
        ("Entry is 6 euros; children under ten pay half.", "A child of twelve pays 6 euros."),
        ("Entry is 6 euros; children under ten pay half.", "Adults pay 6 euros."),
        # parts of a currency add up with it
        ("A loaf costs 3.50 euros and a roll costs 60 cents.", "A loaf and a roll cost 4.10 euros together."),
        # the opposite word is that of the other thing
        ("The old tower was 40 metres high. The new one is half as high again.", "The new tower is 60 metres high."),
    ],
)  # fmt: skip
def test_where_it_is_not_plain_what_a_value_is_of_nothing_is_held_against_it(source, claim):
    assert standing(claim, source)[0] != "contradicted"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("Entry is 6 euros; children under ten pay half.", "A child of twelve pays 3 euros."),
        ("The stamp was issued in 1925. The coin is 20 years older.", "The coin dates from 1925."),
        ("The trail is 12 km long; the hut stands halfway.", "It is 12 km to the hut."),
        ("Of the 200 members, 40 % voted by post.", "40 members voted by post."),
    ],
)
def test_a_value_that_the_sources_have_of_something_else_alone_bears_nothing_out(source, claim):
    assert standing(claim, source)[0] in ("unsupported", "contradicted", "partial")


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("Die Mühle wurde 1874 eröffnet, drei Jahre vor dem Bau der Brücke.", "Der Bau der Brücke war 1877.", "Der Bau der Brücke war 1871."),
        ("Le moulin a ouvert en 1874. Trois ans plus tard, le train est arrivé.", "Le train est arrivé en 1877.", "Le train est arrivé en 1871."),
        ("El molino abrió en 1874. Tres años más tarde llegó el tren.", "El tren llegó en 1877.", "El tren llegó en 1871."),
    ],
)  # fmt: skip
def test_other_languages_have_words_for_it_too(source, right, wrong):
    assert standing(right, source)[0] != "contradicted"
    assert standing(wrong, source)[0] == "contradicted"


def test_a_rise_in_per_cent_is_of_what_it_rose_from():
    source = "Sales rose from 400 units in May to 500 units in June."
    assert standing("Sales rose by 25 % from May to June.", source)[0] == "supported"
    assert standing("Sales rose by 20 % from May to June.", source)[0] != "supported"


def test_the_claim_says_what_it_was_worked_out_from():
    case = Case(
        goal="When was it built?",
        subject=Answer(text="The glasshouse was built in 1913."),
        evidence=(Evidence(id="d1", text=AVENUE),),
    )
    (claim,) = (
        Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case).claims  # type: ignore[arg-type]
    )
    assert claim.reason == "its figure is not stated but follows from figures that are"
    assert claim.details["worked_out"] == "1911, two years before"
