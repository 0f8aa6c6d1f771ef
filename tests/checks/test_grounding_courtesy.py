"""Closings, wishes, thanks, offers of help and signatures assert nothing, in each language that is read; with content they do."""

import pytest

from witnessmark.checks.grounding.claims import claims

EMPTY = [
    "Have a great day.", "Have a nice weekend!", "Feel free to reach out.", "Please don't hesitate to contact us.", "Cheers!", "Best regards, Ava",
    "Enjoy the rest of your day!", "Safe travels!", "Glad I could help.", "Looking forward to hearing from you.", "I'm here if you need anything else.",
    "If you have any other questions, just ask.", "Thank you for contacting Acme Support.", "Warm regards,\nDr. Lee Park\nHead of Customer Success",
    "Sincerely,\n\nTom Okafor", "We're always happy to help.", "Wishing you all the best.",
    "Mit freundlichen Grüßen", "Viele Grüße, Ava", "Schönen Tag noch!", "Ein schönes Wochenende!", "Ich hoffe, das hilft.", "Zögern Sie nicht, uns zu kontaktieren.",
    "Melden Sie sich gern bei weiteren Fragen.", "Bei Fragen stehe ich Ihnen gerne zur Verfügung.", "Vielen Dank für Ihre Anfrage.", "Liebe Grüße\nIhr Support-Team",
    "Bonne journée !", "Cordialement, Ava", "N'hésitez pas à nous contacter.", "J'espère que cela vous aide.", "Je reste à votre disposition pour toute question.",
    "Merci pour votre message.", "Bien cordialement,\nMarie Dubois",
    "¡Que tenga un buen día!", "Saludos cordiales, Ava", "No dude en contactarnos.", "Espero que esto le ayude.", "Quedo a su disposición para cualquier consulta.",
    "Un saludo", "Gracias por su mensaje.",
]  # fmt: skip
TELLING = [
    "Feel free to cancel until Friday.", "Have a passport ready.", "Enjoy your free breakfast from seven.", "Don't hesitate to use the 24-hour hotline.",
    "Take care of the filter weekly.", "If you need a refund, contact the bank.", "We are happy to announce a refund.", "Let us know your IBAN.",
    "Best results come from cold water.", "Cheers is a bar in Boston.", "Best regards, the plan includes a free phone.", "You are welcome to bring pets.",
    "Schöne Aussichten gibt es vom Turm.", "Gute Fahrer zahlen weniger.", "Melden Sie den Schaden bis Freitag.", "Wenn Sie Fragen haben, zahlen Sie nichts.",
    "Bon nombre de clients paient moins.", "N'hésitez pas à annuler avant vendredi.", "À vous de payer les frais.",
    "No dude en cancelar antes del viernes.", "Para cualquier retraso hay reembolso.", "Si tiene perro, paga más.",
]  # fmt: skip


@pytest.mark.parametrize("text", EMPTY)
def test_a_courtesy_asserts_nothing(text):
    assert {one.why_not for one in claims(text)} == {"greeting"}


@pytest.mark.parametrize("text", TELLING)
def test_what_begins_like_a_courtesy_and_says_something_is_a_claim(text):
    assert any(one.checkable for one in claims(text))


def test_a_signature_ends_a_letter_and_no_list():
    found = claims("Team costs $149.\n\nBest regards,\n\nTom Okafor\n\nHead of Support")
    assert [one.checkable for one in found] == [True, False, False, False]
    assert claims("Best regards,\n\nTom Okafor\n\nTeam costs nothing.")[-1].checkable


@pytest.mark.parametrize(
    "wish", ["Enjoy your hike!", "Enjoy!", "Good luck with the exam!", "Happy baking!", "Viel Spaß beim Wandern!"]
)
def test_a_wish_asserts_nothing_whatever_is_wished(wish):
    assert [one.checkable for one in claims(f"The hut is open. {wish}")] == [True, False]


@pytest.mark.parametrize(
    "said", ["Enjoy free parking behind the station.", "Happy customers get a refund.", "Have a ticket ready."]
)
def test_what_begins_like_a_wish_and_tells_something_is_a_claim(said):
    assert [one.checkable for one in claims(f"The hut is open. {said}")] == [True, True]
