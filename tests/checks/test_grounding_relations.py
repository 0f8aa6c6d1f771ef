"""Values, names and hours that belong to something else: which row of a record says so, per what, on which day."""

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.settings import Settings

DEAL = "In May the packaging group Corvex bought the printer Harland Press for 12 million."
COURT = "The singer Ida Moss sued the label Blue Gate in 2011. Both sides later settled."
SCHOOLS = "Average class sizes are 24 at Elm Road, 19 at Low Street and 27 at Northgate."
COFFEE = "Last season members were paid 2.85 dollars per pound of coffee."
STAFF = "id,name,office\n1,Eva Roth,Graz\n2,Sam Ott,Linz\n3,Nina Wolf,Vienna"
ROOMS = '[{"room": 11, "guest": "P. Lind", "contact": "K. Lind"}, {"room": 12, "guest": "M. Costa", "contact": null}]'
POOL = '{"hours": {"mon-fri": "8:0-18:30", "sat": "9:0-16:0", "sun": "closed"}}'


def findings(claim, source):
    seen = look(claim, Index([EvidenceSource("s", source)], claim))
    return {(point.rule, point.finding) for point in seen.points}


@pytest.mark.parametrize(
    ("true", "false", "source", "rule"),
    [
        ("Members were paid $2.85 for each pound.", "Members were paid $2.85 for each kilogram.", COFFEE, "figure"),
        ("Nina Wolf works in Vienna.", "Nina Wolf works in Graz.", STAFF, "cell"),
        ("The guest of room 12 is M. Costa.", "The contact for room 12 is K. Lind.", ROOMS, "cell"),
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


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The appointment of the Warden needs the House.", "The Warden is appointed by a resolution of the House."),
        ("Elm is one of the largest schools.", "Classes are 24 at Elm, 19 at Low and 27 at North."),
        ("The library is open.", "The library is not open on Sundays."),
        ("Red tickets are valid.", "Tickets of last year are not valid."),
        ("Visitors may enter without a badge.", "Staff may enter only with a badge. Visitors need none."),
        (
            "Breathing out does not require any effort from you unless you are ill.",
            "Breathing out requires no effort from you unless you are ill.",
        ),
        (
            "If you are a new customer, you do not need to swap your SIM.",
            "If you’re new to O2, you don’t need to swap your sim-you’ll already have the right one.",
        ),
        ("Choose it from the installed programs.", "Uninstall it: choose it from the programs."),
        ("Alva met Boro in Riga.", "Boro met Alva in Riga."),
        ("Okoye was defeated by Lindqvist.", "Lindqvist defeated Okoye in straight sets."),
    ],
)
def test_where_the_words_do_not_settle_it_nothing_is_contradicted(claim, source):
    assert "contradicted" not in {finding for _, finding in findings(claim, source)}


def test_another_name_at_the_beginning_of_a_longer_sentence_is_contradicted():
    source = "The Landlord returns the deposit within 30 days of moving out. The Tenant deposits two months' rent."
    verifier = Verifier(Settings(verification={"model": "rules"}))
    answer = {"kind": "answer", "text": "The Tenant returns the deposit within 30 days."}
    record = verifier.verify_sync(Case(goal="Who?", subject=answer, evidence=[{"id": "d", "text": source}]))  # type: ignore[arg-type]
    assert (record.outcome, record.claims[0].details["stated"]) == ("fail", "Landlord")
