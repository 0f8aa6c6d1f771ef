"""Small words that turn a claim, and tokens that hold as a whole: what the rules say by themselves."""

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.grounding import refusals
from witnessmark.checks.grounding.claims import claims
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


@pytest.mark.parametrize(
    ("question", "text", "refuses"),
    [
        ("Wer ist der Finanzchef?", "Dazu enthalten die Dokumente keine Angaben.", True),
        ("Wer ist der Finanzchef?", "Das geht aus den vorliegenden Unterlagen nicht hervor.", True),
        ("Wer ist der Finanzchef?", "Leider kann ich diese Frage anhand der Quellen nicht beantworten.", True),
        ("Wer ist der Finanzchef?", "Der Name des Finanzchefs wird in den Quellen nicht genannt.", True),
        ("Qui est le directeur ?", "Les sources ne précisent pas qui est le directeur.", True),
        ("Qui est le directeur ?", "Je n'ai pas trouvé cette information dans les documents.", True),
        ("Qui est le directeur ?", "Cela n'est pas précisé dans les documents.", True),
        ("¿Quién es el director?", "Las fuentes no indican quién es el director.", True),
        ("¿Quién es el director?", "No he encontrado esa información en los documentos.", True),
        ("¿Quién es el director?", "Eso no se menciona en los documentos.", True),
        ("Enthält es Zucker?", "Das Medikament enthält keinen Zucker.", False),
        ("Kann ich kündigen?", "Die Mieter können den Vertrag nicht kündigen.", False),
        ("Contient-il du sucre ?", "Le médicament ne contient pas de sucre.", False),
        ("C'est ouvert ?", "Le service n'est pas disponible le dimanche.", False),
        ("¿Contiene azúcar?", "El medicamento no contiene azúcar.", False),
    ],
)
def test_a_refusal_is_read_as_one_in_every_language(question, text, refuses):
    assert [refusals.readable(one, question).kind == "refusal" for one in claims(text, question)] == [refuses]


def test_a_refusal_in_german_holds_where_no_source_speaks_of_the_question():
    case = {"question": "Wer ist der Finanzchef?", "answer": "Dazu enthalten die Dokumente keine Angaben."}
    silent = Case.from_dict(case | {"sources": ["Das Büro ist in Gent. Es wurde 2011 eröffnet."]})
    answering = Case.from_dict(case | {"sources": ["Der Finanzchef ist Ana Costa."]})
    verifier = Verifier()
    assert [verifier.verify_sync(one).outcome for one in (silent, answering)] == ["pass", "unverified"]
