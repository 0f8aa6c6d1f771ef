"""Small words that turn a claim, and tokens that hold as a whole: what the rules say by themselves."""

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.grounding import refusals
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.decision import decide, fitted, shaped
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look, look_all
from witnessmark.core.protocols import Reading


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
        (f"The hall has {'1' * 16} seats.", "The hall has 12 seats and two doors."),
        (f"The hall has {'1' * 2000} seats.", "The hall has 12 seats and two doors."),
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
        ("The card is 4111111111111111.", "The card is 4111 1111 1111 1111."),
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


@pytest.mark.parametrize(
    ("claim", "source", "language"),
    [
        ("Die Kaution wird nicht verzinst.", "Die Kaution wird verzinst.", "de"),
        ("Das Zimmer ist ohne Frühstück.", "Das Zimmer ist mit Frühstück.", "de"),
        ("Le petit-déjeuner n'est pas inclus.", "Le petit-déjeuner est inclus.", "fr"),
        ("Les animaux sont autorisés.", "Les animaux ne sont pas autorisés.", "fr"),
        ("El desayuno no está incluido.", "El desayuno está incluido.", "es"),
        ("La habitación es sin desayuno.", "La habitación es con desayuno.", "es"),
        (
            "Leave of more than three days does not require a note.",
            "Leave of more than three days requires a note.",
            "en",
        ),
        ("Your data is shared with third parties.", "We never share your data with third parties.", "en"),
        ("Refunds are never given after 30 days.", "Refunds are given after 30 days.", "en"),
        ("The table has an index on orders.", "The table lacks an index on orders.", "en"),
        ("The flat lacks a balcony.", "The flat has a balcony.", "en"),
        ("The room comes with breakfast.", "The room comes without breakfast.", "en"),
    ],
)
def test_a_denial_in_the_same_words_contradicts_in_every_language(claim, source, language):
    found = decided(claim, source, language)
    assert (found.status, found.deterministic, found.point.rule) == ("contradicted", True, "denial")


@pytest.mark.parametrize(
    ("claim", "source", "language"),
    [
        ("The flat has no balcony.", "The flat lacks a balcony.", "en"),
        ("The flat has a garden.", "The flat has a garden and lacks a balcony.", "en"),
        ("The table orders has been scanned.", "The table orders, which lacks an index, has been scanned.", "en"),
        ("A room with breakfast costs more.", "A room with breakfast costs more than one without breakfast.", "en"),
        ("You may visit with a guide.", "You may visit without a guide.", "en"),
        ("The hall holds at most 300 people.", "The hall must not hold more than 300 people.", "en"),
        ("Pets over 10 kg are not allowed.", "No pets over 10 kg are allowed.", "en"),
        ("The hall holds no more than 300 people.", "The hall holds up to 300 people.", "en"),
        ("Haustiere sind nicht erlaubt.", "Haustiere sind nicht erlaubt.", "de"),
        ("Such effects are n't obvious.", "Such effects are not obvious.", "en"),
    ],
)
def test_what_only_looks_like_a_denial_contradicts_nothing(claim, source, language):
    assert decided(claim, source, language).status != "contradicted"


@pytest.mark.parametrize(
    ("claim", "source", "language"),
    [
        (
            "Der Vertrag verlängert sich nicht automatisch.",
            "Der Vertrag verlängert sich automatisch um ein Jahr.",
            "de",
        ),
        ("Le contrat ne se renouvelle pas automatiquement.", "Le contrat se renouvelle automatiquement d'un an.", "fr"),
        ("El contrato no se renueva automáticamente.", "El contrato se renueva automáticamente por un año.", "es"),
    ],
)
def test_a_plain_negation_speaks_against_a_claim_whatever_a_model_says(claim, source, language):
    index = Index([EvidenceSource("d1", source)], claim, language)
    found = decide(look(claim, index, language), Reading(0.95), None, shaped(fitted("local"), single=True))
    assert found.status == "contradicted"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Take at least 4 tablets per day.", "Take at most 4 tablets per day."),
        ("Requests must come at most 14 days in advance.", "Requests must come at least 14 days in advance."),
        ("The hall holds more than 300 people.", "The hall holds up to 300 people."),
        ("The hall holds no less than 300 people.", "The hall holds up to 300 people."),
    ],
)
def test_the_same_figure_bounded_from_the_other_side_contradicts(claim, source):
    found = decided(claim, source)
    assert (found.status, found.point.rule) == ("contradicted", "figure")


GYM = "The gym is open daily from 6:00 to 22:00. Towels are free."


@pytest.mark.parametrize(
    ("claim", "source", "language", "status"),
    [
        ("The gym is not open on Sundays.", GYM, "en", "contradicted"),
        ("The gym is open on Sundays.", GYM, "en", "supported"),
        ("It is open on Sundays.", "Open Monday to Saturday. Closed on Sundays.", "en", "contradicted"),
        ("The pool is open on Mondays.", "The pool is open Tuesday to Sunday.", "en", "unsupported"),
        ("The pool is closed on Sundays.", "The pool is closed on Sundays and the gym on Mondays.", "en", "supported"),
        ("Der Dienst ist auch sonntags erreichbar.", "Der Dienst ist montags bis freitags erreichbar.", "de", "unsupported"),
        ("Das Museum ist montags geöffnet.", "Das Museum ist dienstags geöffnet und montags geschlossen.", "de", "contradicted"),
        ("Das Museum ist dienstags geöffnet.", "Das Museum ist dienstags geöffnet und montags geschlossen.", "de", "supported"),
        ("Der Dienst ist freitags erreichbar.", "Der Dienst ist montags bis freitags erreichbar.", "de", "supported"),
    ],
)  # fmt: skip
def test_a_claim_about_open_days_is_held_to_the_days_that_are_stated(claim, source, language, status):
    assert decided(claim, source, language).status == status


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The gym is not open on Sundays.", "In winter holidays the pool is open daily."),
        ("The shop is open on Mondays.", "The shop is open daily except Mondays."),
        (
            "The bar is open from Monday to Sunday.",
            '{"name": "bar", "hours": {"Monday": "9:0-17:0", "Sunday": "9:0-17:0"}}',
        ),
        ("The café is not open on Mondays.", "The museum is open every day. The café is open Tuesday to Sunday."),
    ],
)
def test_the_days_of_another_thing_contradict_nothing(claim, source):
    found = decided(claim, source)
    assert found.point is None or found.point.rule != "days"


def first_of(answer, source, language="en", goal="What holds?"):
    """What becomes of the first claim of an answer, read beside its others."""
    found = claims(answer)
    index = Index([EvidenceSource("d1", source)], answer, language)
    return decide(look_all(found, index, language, goal)[0])


@pytest.mark.parametrize(
    ("answer", "source", "language"),
    [
        ("Dana Fox is the CEO.", "Dana Fox is the former CEO. Lee Park is the CEO.", "en"),
        ("Maria Lopes is the director of the institute.", "Maria Lopes is the acting director of the institute.", "en"),
        ("You get a full refund.", "You get a full refund only if you cancel 48 hours in advance.", "en"),
        ("You get a full refund.", "If you cancel 48 hours in advance, you get a full refund.", "en"),
        ("Parking is free.", "Parking is free unless there is a match.", "en"),
        ("Eva Horn ist Leiterin des Amtes.", "Eva Horn ist ehemalige Leiterin des Amtes.", "de"),
        ("Der Eintritt ist frei.", "Der Eintritt ist frei, sofern Sie unter zwölf sind.", "de"),
        ("L'entrée est gratuite.", "L'entrée est gratuite sauf le dimanche.", "fr"),
        ("La entrada es gratuita.", "La entrada es gratuita salvo los domingos.", "es"),
    ],
)
def test_a_qualifier_beside_the_words_that_is_left_out_keeps_a_claim_from_being_supported(answer, source, language):
    found = first_of(answer, source, language)
    assert (found.status, found.point.rule) == ("unsupported", "qualifier")


@pytest.mark.parametrize(
    ("answer", "source", "goal"),
    [
        ("You get a full refund. You must cancel 48 hours in advance.", "You get a full refund only if you cancel 48 hours in advance.", ""),
        ("You get a full refund.", "You get a full refund only if you cancel in advance.", "Do I get a refund if I cancel in advance?"),
        ("The patch is on all servers except web-3.", "The patch is on all servers except web-3.", ""),
        ("Lee Park is the CEO.", "Lee Park is the CEO and Dana Fox is the former CEO.", ""),
        ("Dana Fox is the former CEO.", "Dana Fox is the former CEO. Lee Park is the CEO.", ""),
        ("The museum was built in 1900.", "The museum was built in 1900 and is open daily except Mondays.", ""),
        ("Parking is free.", "Parking is free unless there is a match. Parking is free.", ""),
        ("Call support.", "Call support if the error persists.", ""),
    ],
)  # fmt: skip
def test_a_qualifier_that_is_told_or_belongs_to_something_else_is_not_left_out(answer, source, goal):
    found = first_of(answer, source, goal=goal)
    assert found.point is None or found.point.rule != "qualifier"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("SELECT email FROM users WHERE email IS NOT NULL;", False),
        ("SELECT COUNT(*) FROM Users GROUP BY email;", False),
        ("SELECT email FROM Invoices;", True),
    ],
)
def test_words_of_a_programming_language_are_no_names_in_code(line, named):
    index = Index([EvidenceSource("d1", "CREATE TABLE users (id INT, email TEXT);")], line)
    found = look(line, index, statement=claims(f"```sql\n{line}\n```")[0])
    assert any(point.rule == "name" and point.finding == "missing" for point in found.points) is named


@pytest.mark.parametrize(
    ("claim", "against"),
    [
        ("The paint layer was not affected.", False),
        ("The paint layer was affected.", True),
        ("The paint layer was unaffected.", False),
    ],
)
def test_a_word_that_is_denied_is_its_opposite_whatever_else_a_passage_denies(claim, against):
    index = Index([EvidenceSource("d1", "Paint layer unaffected, no treatment planned.")], claim)
    found = [one for one in look(claim, index).points if one.rule == "denial" and one.finding == "contradicted"]
    assert bool(found) is against
