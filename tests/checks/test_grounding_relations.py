"""How things stand to each other: who did what to whom, which is more, whose figure it is, and which row of a record says so."""

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.settings import Settings

DEAL = "In May the packaging group Corvex bought the printer Harland Press for 12 million."
COURT = "The singer Ida Moss sued the label Blue Gate in 2011. Both sides later settled."
HEIGHTS = "The Kell is higher than the Orm, and both are easy walks."
SCHOOLS = "Average class sizes are 24 at Elm Road, 19 at Low Street and 27 at Northgate."
INNS = "The Anchor displays a licence of 1702, the Bell was built in 1688, and the Crane dates from 1811."
SOUP = "One bowl has 15 g protein, 38 g carbohydrate and 9 g fibre."
COFFEE = "Last season members were paid 2.85 dollars per pound of coffee."
PRICES = "Breakfast is included; dinner is not and costs 19 euros."
STAFF = "id,name,office\n1,Eva Roth,Graz\n2,Sam Ott,Linz\n3,Nina Wolf,Vienna"
ROOMS = '[{"room": 11, "guest": "P. Lind", "contact": "K. Lind"}, {"room": 12, "guest": "M. Costa", "contact": null}]'
MIX = '{"allergens": ["wheat", "rye"], "may_contain": ["sesame", "soya"], "vegan": true}'
POOL = '{"hours": {"mon-fri": "8:0-18:30", "sat": "9:0-16:0", "sun": "closed"}}'


def findings(claim, source):
    seen = look(claim, Index([EvidenceSource("s", source)], claim))
    return {(point.rule, point.finding) for point in seen.points}


@pytest.mark.parametrize(
    ("true", "false", "source", "rule"),
    [
        ("Corvex acquired Harland Press.", "Harland Press acquired Corvex.", DEAL, "role"),
        ("Harland Press was bought by Corvex.", "Corvex was bought by Harland Press.", DEAL, "role"),
        ("Ida Moss sued Blue Gate.", "Blue Gate sued Ida Moss.", COURT, "role"),
        ("The Orm is lower than the Kell.", "The Orm is higher than the Kell.", HEIGHTS, "role"),
        ("Classes are smallest at Low Street.", "Classes are smallest at Elm Road.", SCHOOLS, "rank"),
        ("Classes are larger at Northgate than at Elm Road.", "Classes are larger at Elm Road than at Northgate.", SCHOOLS, "rank"),
        ("The oldest of the inns is the Bell.", "The oldest of the inns is the Anchor.", INNS, "rank"),
        ("One bowl has 9 grams of fibre.", "One bowl has 15 grams of fibre.", SOUP, "figure"),
        ("Members were paid $2.85 for each pound.", "Members were paid $2.85 for each kilogram.", COFFEE, "figure"),
        ("It covers breakfast but not dinner.", "It covers dinner but not breakfast.", PRICES, "denial"),
        ("Nina Wolf works in Vienna.", "Nina Wolf works in Graz.", STAFF, "cell"),
        ("The guest of room 12 is M. Costa.", "The contact for room 12 is K. Lind.", ROOMS, "cell"),
        ("The allergens are wheat and rye.", "The allergens are wheat and sesame.", MIX, "cell"),
        ("It opens at 9 am on Saturday.", "It opens at half past eight in the morning on Saturday.", POOL, "hours"),
        ("On Wednesdays it closes at half past six in the evening.", "On Wednesdays it closes at 4 pm.", POOL, "hours"),
        ("It is closed on Sunday.", "It is closed on Saturday.", POOL, "hours"),
    ],
)  # fmt: skip
def test_the_same_words_in_other_places_are_contradicted_and_in_theirs_are_not(true, false, source, rule):
    assert (rule, "contradicted") in findings(false, source)
    assert "contradicted" not in {finding for _, finding in findings(true, source)}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Moss was dropped from the label.", COURT),  # who dropped her is not said
        ("Recent reports about Corvex mention Harland Press.", DEAL),  # no verb of the source
        ("The third-largest school has 24 in a class at Elm Road.", SCHOOLS),  # it gives a figure of its own
        ("Unlike Eva Roth in Graz, Nina Wolf travels.", STAFF),  # things are set against each other
        ("They found no proof of harm, but not for lack of trying.", "They did not find any proof of harm."),
    ],
)
def test_where_two_sentences_are_not_built_alike_nothing_is_said(claim, source):
    assert not {rule for rule, finding in findings(claim, source) if finding == "contradicted"}


def test_swapped_roles_fail_an_answer_and_say_why():
    verifier = Verifier(Settings(verification={"model": "rules"}))
    case = Case(goal="Who bought whom?", subject={"kind": "answer", "text": "Harland Press bought Corvex."}, evidence=[{"id": "d", "text": DEAL}])  # fmt: skip
    record = verifier.verify_sync(case)
    assert (record.outcome, record.claims[0].status) == ("fail", "contradicted")
    assert record.claims[0].reason == "the source has the two the other way round"


FARES = "Breakfast is included; dinner is not and costs 19 euros."


@pytest.mark.parametrize(
    ("claim", "source", "crossed"),
    [
        ("It covers dinner but not breakfast.", FARES, True),
        ("It covers breakfast but not dinner.", FARES, False),
        ("Guests may swim in the cold mountain lake but not fish off the wooden pier.", "Do not swim after eating fish.", False),
        ("Guests may swim but not fish.", "Guests may fish, but guests may not swim.", True),
    ],
)  # fmt: skip
def test_a_denial_is_crossed_only_where_the_passage_speaks_of_both_sides(claim, source, crossed):
    assert (("denial", "contradicted") in findings(claim, source)) is crossed


@pytest.mark.parametrize(
    ("claim", "source", "opposed"),
    [
        ("The hall takes groups of at most 9 people.", "The hall takes groups of members of at least two years, up to 9 people.", False),
        ("The hall takes groups of at most 9 people.", "The hall takes groups of at least 9 people.", True),
        ("A group may book after at most two years.", "A group may book after at least two years.", True),
        ("A group may book after at most 24 months.", "A group may book after at least two years.", True),
    ],
)  # fmt: skip
def test_at_most_is_against_at_least_only_of_the_same_figure(claim, source, opposed):
    assert ("opposite" in {rule for rule, _ in findings(claim, source)}) is opposed
