"""Small words that turn a claim, and tokens that hold as a whole: what the rules say by themselves."""

import pytest

from witnessmark.checks.grounding.decision import decide
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look


def decided(claim, source, language="en", goal=""):
    """What rules and overlap alone make of one claim."""
    return decide(look(claim, Index([EvidenceSource("d1", source)], claim, language), language, goal))


@pytest.mark.parametrize(
    ("claim", "source", "rule", "stated"),
    [
        ("Write to support@acme.com.", "Write to support@acme.io for help.", "address", "support@acme.io"),
        ("See https://acme.io/v3 for details.", "See https://acme.io/v2 for details.", "address", "https://acme.io/v2"),
        ("Call +49 30 1234568.", "Call +49 30 1234567 for help.", "phone", "+49 30 1234567"),
        ("The ticket is JIRA-4412.", "The ticket is JIRA-4421.", "identifier", "JIRA-4421"),
        ("The API ran version 3.8.2.", "The API ran version 3.2.8 then.", "identifier", "3.2.8"),
        ("The Team plan costs €149.", "The Team plan costs $149.", "figure", "$149"),
    ],
)
def test_another_token_of_its_kind_in_the_same_place_contradicts(claim, source, rule, stated):
    found = decided(claim, source)
    assert (found.status, found.deterministic, found.point.rule, found.point.stated) == (
        "contradicted",
        True,
        rule,
        stated,
    )


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Invoices go to bills@acme.com.", "Complaints go to help@acme.io, orders to shop@acme.io."),
        ("Dial 030 7654321 for sales.", "Our opening hours are from nine to five."),
        ("The refund is tracked as JIRA-4412.", "We fixed JIRA-17001 and JIRA-17002 last week."),
    ],
)
def test_a_token_that_no_source_has_is_not_supported(claim, source):
    found = decided(claim, source)
    assert (found.status, found.deterministic) == ("unsupported", True)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Write to Support@Acme.io for help.", "Write to support@acme.io for help."),
        ("Call +49 (30) 123-4567 for help.", "Call +49 30 1234567 for help."),
        ("It follows RFC7231 to the letter.", "It follows RFC 7231 to the letter."),
        ("It is not ticket JIRA-4412.", "The ticket is JIRA-4421."),
    ],
)
def test_a_token_written_otherwise_is_not_held_against_a_claim(claim, source):
    found = decided(claim, source, goal="Is the ticket JIRA-4412?")
    assert found.point is None or found.point.rule not in ("address", "phone", "identifier", "figure")
