"""What is copied as a whole: found in a text, and the same one however it is written."""

import pytest

from witnessmark.text.tokens import same, tokens


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Write to a.b+c@acme.co.uk.", [("mail", "a.b+c@acme.co.uk")]),
        ("Call 1-800-555-0199 now.", [("phone", "1-800-555-0199")]),
        ("Rufen Sie 030 7654321 an.", [("phone", "030 7654321")]),
        ("Téléphone : +33 1 23 45 67 89.", [("phone", "+33 1 23 45 67 89")]),
        ("Order AB-20931-X shipped.", [("id", "AB-20931-X")]),
        ("Upgrade from v3.8.2 to 3.9.0-rc1.", [("version", "v3.8.2"), ("version", "3.9.0-rc1")]),
        ("It ran from 1914-1918, and on 2024-05-01 and 12.03.2024.", []),
        ("It cost 1 234 567 euros, 0.75 % more than in FY2023 or Q4 2024.", []),
        ("COVID-19, GPT-4, A4, EUR149, CHF1200 and 3.14.", []),
        ("A range of 10 000 - 20 000 people, 1,200,300 in all.", []),
    ],
)
def test_tokens_are_found_and_figures_and_dates_are_none(text, found):
    assert [(one.kind, one.text) for one in tokens(text)] == found


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("+49 30 1234567", "+49 (0)30 123-4567", True),
        ("+49 30 1234567", "030 1234567", True),
        ("+49 30 1234567", "+49 30 1234568", False),
        ("Help@Acme.io", "help@acme.io", True),
        ("JIRA-4412", "JIRA-4421", False),
        ("v3.8.2", "3.8.2", True),
    ],
)
def test_the_same_token_is_the_same_however_it_is_written(one, other, alike):
    assert same(tokens(one)[0], tokens(other)[0]) is alike
