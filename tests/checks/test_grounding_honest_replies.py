"""Right answers in the words in which people give them, none of which may be contradicted; beside some of them the lie that still is."""

from __future__ import annotations

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.checks.grounding.claims import claims
from witnessmark.settings import Settings

RULES = Verifier.from_settings(Settings(verification={"model": "rules"}))  # type: ignore[arg-type]


def stated(question: str, source: str, answer: str) -> list[str]:
    case = Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))
    return [str(one.status) for one in RULES.verify_sync(case).claims]


@pytest.mark.parametrize(
    ("question", "source", "right", "wrong"),
    [
        ("Does the switch have 5 ports?", "The switch has 8 ports.", "No.", "Yes."),
        ("Does the switch have 5 ports?", "The switch has 8 ports.", "No, it has 8 ports, not 5.", "Yes, 5 ports."),
        ("Is the fee $10?", "The fee is $12.", "No, it is $12.", "Yes."),
        ("Is the limit 10 MB?", "The upload limit is 25 MB.", "No, the limit is 25 MB.", "Yes."),
        ("Is the deadline 3 May?", "The deadline is 9 May.", "No.", "Yes."),
        ("Was the weir built after 1950?", "The weir was built in 1938.", "No.", "Yes."),
        ("Was the weir built after 1950?", "The weir was built in 1968.", "Yes.", "No."),
        ("Did the mill open before the fire of 1921?", "The mill opened in 1919.", "Yes, it opened in 1919.", ""),
        ("Is the pass still valid on 5 May 2024?", "The pass is valid until 31 May 2024.", "Yes.", ""),
        ("Can 4 people sleep in the cabin?", "The cabin sleeps 6 people.", "Yes.", ""),
        ("Can 9 people sleep in the cabin?", "The cabin sleeps 6 people.", "No.", "Yes."),
        ("Can a 15-year-old join?", "Members must be at least 16 years old.", "No.", ""),
        ("How many eggs are needed in total?", "The dough needs 3 eggs. The filling needs 2 eggs.", "5", ""),
        ("How many seats are left?", "The bus has 50 seats. 38 are taken.", "12", ""),
        ("Is TLS on?", "tls: true\ndebug: false", "TLS is on and debug is off.", "TLS is off and debug is off."),
        ("Is the cache enabled?", "cache_enabled: false", "The cache is disabled.", ""),
        ("How far is it?", "The hut is 1.8 km away.", "It is 1800 m away.", "It is 1900 m away."),
    ],
)
def test_a_right_reply_is_not_contradicted_and_the_wrong_one_does_not_hold(question, source, right, wrong):
    assert "contradicted" not in stated(question, source, right)
    assert not wrong or "supported" not in stated(question, source, wrong)[:1]


def test_the_largest_of_several_units_is_told_by_what_they_measure():
    table = "| File | Size |\n|---|---|\n| a.zip | 900 KB |\n| b.zip | 2 MB |"
    assert stated("Which is bigger?", table, "b.zip has the largest size.") != ["contradicted"]
    assert stated("Which is bigger?", table, "a.zip has the largest size.") == ["contradicted"]


def test_all_but_one_is_not_held_against_the_flag_of_that_one():
    users = '[{"user": "ann", "active": true}, {"user": "bob", "active": false}, {"user": "cyd", "active": true}]'
    assert "contradicted" not in stated("Which users are active?", users, "All users except bob are active.")


def test_the_month_of_may_allows_nothing():
    assert stated("When?", "In May the bath shuts at 20:00.", "In May the bath shuts at 18:00.") == ["contradicted"]


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("server:\n  tls: true\ncache:\n  enabled: false", "TLS is enabled.", "The cache is enabled."),
        ('{"mfa": true, "trial": {"active": false}}', "MFA is active.", "The trial is active."),
    ],
)
def test_a_state_is_said_of_what_it_stands_under(source, right, wrong):
    assert "contradicted" not in stated("How is it set?", source, right)
    assert stated("How is it set?", source, wrong) == ["contradicted"]


def test_what_follows_a_yes_keeps_its_minus_and_its_dashes():
    texts = [one.text for one in claims("Yes, -15 °C is within the range.", "Is -15 °C allowed?")]
    assert any("-15" in text for text in texts[1:])
    assert any("--fast" in one.text for one in claims("Yes, --fast still works.", "Does --fast work?")[1:])


def test_a_but_that_goes_on_excepts_nothing():
    source = "The fund adjusts its pensions every two years but never by more than two percent."
    assert "contradicted" not in stated("How often?", source, "The fund adjusts its pensions every two years.")


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        (
            "Rent goes up from £48 to £54 in May.",
            "Rent is raised by £6 to £54 in May.",
            "Rent is raised from £42 to £54 in May.",
        ),
        (
            "Profit was 131 million (148 million a year earlier). Revenue was up 6%.",
            "Profit fell from 148 million to 131 million, although revenue grew by 6%.",
            "Profit fell from 148 million to 131 million, a fall of 6%.",
        ),
        (
            "| Plan | Price per user/month |\n|---|---|\n| Team | €12 |\n| Scale | €19 |",
            "The Scale plan costs €19 per user per month.",
            "The Scale plan costs €12 per user per month.",
        ),
    ],
)
def test_a_change_a_second_clause_and_a_rate_of_two_parts_are_not_contradicted(source, right, wrong):
    assert "contradicted" not in stated("What does it say?", source, right)
    assert "contradicted" in stated("What does it say?", source, wrong)


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("timeout_ms: 1500\nretries: 3", "The timeout is 1.5 seconds.", "The timeout is 15 seconds."),
        ('{"timeout_ms": 1500, "retries": 3}', "The timeout is 1,500 ms.", "The timeout is 150 ms."),
        ("ttl_seconds = 300\nname = a", "The TTL is 5 minutes.", "The TTL is 50 minutes."),
        ('{"gift_wrap": false, "id": 3}', "gift_wrap is false.", "gift_wrap is true."),
        ("debug: true\nlevel: 3", "Debug is on.", "Debug is off."),
    ],
)
def test_a_claim_that_says_nothing_but_a_field_and_its_value_is_borne_out_in_any_unit(source, right, wrong):
    assert stated("How is it set?", source, right) == ["supported"]
    assert stated("How is it set?", source, wrong) == ["contradicted"]
