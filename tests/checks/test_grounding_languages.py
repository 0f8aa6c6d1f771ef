"""German, French and Spanish offline: one passage must say all of a claim; what no rule reads is refused."""

from __future__ import annotations

import unicodedata

import pytest

from witnessmark.checks.grounding.grounding_check import grounding
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.core.verdict import Result
from witnessmark.text import lang
from witnessmark.text.language import detect, detect_short, foreign
from witnessmark.text.sentences import sentences


def examined(text: str, source: str) -> Result:
    found = grounding()(Case(goal="?", subject=Answer(text=text), evidence=(Evidence(id="s", text=source),)), {})
    assert isinstance(found, Result)
    return found


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Ja, das Museum ist montags geöffnet.", "Das Museum ist montags geschlossen."),
        ("Der Antrag wurde genehmigt.", "Der Antrag wurde abgelehnt."),
        ("Die Tür ist offen.", "Die Tür ist zu."),
        ("Die Sitzung ist am Donnerstag.", "Die Sitzung ist am Dienstag."),
        ("Le musée est ouvert le lundi.", "Le musée est fermé le lundi."),
        ("La réunion a lieu jeudi.", "La réunion a lieu mardi."),
        ("El museo está abierto.", "El museo está cerrado."),
        ("La reunión es el jueves.", "La reunión es el martes."),
    ],
)
def test_an_opposite_or_another_weekday_is_contradicted(text: str, source: str) -> None:
    found = examined(text, source)
    assert found.claims[-1].status == "contradicted"
    assert found.status != "pass"
    assert found.claims[-1].probability is None or found.claims[-1].probability < 0.5


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Montags ist das Museum geschlossen.", "Das Museum ist montags geschlossen."),
        ("Das Museum ist montags geschlossen.", "Das Museum ist dienstags geöffnet und montags geschlossen."),
        ("Le lundi, le musée est fermé.", "Le musée est fermé le lundi."),
        ("El museo está cerrado.", "El museo está cerrado los lunes."),
        ("Die Firma hat 1.200 Mitarbeiter.", "Die Firma beschäftigt 1200 Mitarbeiter."),
        ("Die Firma hat 1200 Mitarbeiter.", "Die Firma beschäftigt 1.200 Mitarbeiter."),
        ("L'entreprise compte 1 200 salariés.", "L'entreprise compte 1200 salariés."),
        ("La empresa tiene 1.200 empleados.", "La empresa tiene 1200 empleados."),
    ],
)
def test_what_one_passage_says_is_supported_in_any_order(text: str, source: str) -> None:
    assert examined(text, source).claims[0].status == "supported"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Das Museum ist montags geöffnet.", "Das Museum ist dienstags geöffnet und montags geschlossen."),
        ("Der Vertrag gilt.", "Der Vertrag gilt nicht für Kinder."),
        ("Das Museum ist nicht geöffnet.", "Das Museum ist geschlossen."),
        ("Der Turm ist aus Holz.", "Der Turm ist aus Stein."),
        ("Die Firma hat 1.300 Mitarbeiter.", "Die Firma beschäftigt 1200 Mitarbeiter."),
    ],
)
def test_what_no_passage_says_is_not_supported(text: str, source: str) -> None:
    found = examined(text, source)
    assert found.claims[0].status != "supported"
    assert found.status != "pass"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Het museum is open.", "Het museum is gesloten."),
        ("Museet är öppet.", "Museet är stängt."),
        ("Il museo è aperto.", "Il museo è chiuso."),
        ("O museu está aberto.", "O museu está fechado."),
        ("Muzeum jest otwarte.", "Muzeum jest zamknięte."),
        ("Museet er åbent.", "Museet er lukket."),
    ],
)
def test_a_short_text_in_a_language_that_is_not_read_stays_unverified(text: str, source: str) -> None:
    found = examined(text, source)
    assert (found.status, found.cause) == ("abstain", "language")


@pytest.mark.parametrize("text", ["The museum is open.", "Paid.", "Ludwig van Beethoven died.", "Het Loo is a palace."])
def test_short_english_is_never_refused(text: str) -> None:
    assert detect_short(text) == "en"


def test_no_telling_word_is_a_small_word_of_a_language_that_is_read() -> None:
    told = {word for words in lang.distinctive_words().values() for word in words.split()}
    assert not told & (lang.words("small") | lang.words("stop"))


LOAN = "Die Leihfrist beträgt 28 Tage und kann zweimal verlängert werden, sofern keine Vormerkung vorliegt."
FARES = "Le tarif plein est de 13 euros et le tarif réduit de 9 euros."
FINES = "El abono mensual cuesta 42 euros. Las multas por viajar sin billete son de 100 euros."


@pytest.mark.parametrize(
    ("text", "source", "passes"),
    [
        ("Die Leihfrist kann nicht verlängert werden.", LOAN, False),
        ("Die Leihfrist kann zweimal verlängert werden, sofern keine Vormerkung vorliegt.", LOAN, True),
        (
            "Die Leihfrist kann nicht verlängert werden.",
            "Die Leihfrist beträgt 28 Tage und kann nicht verlängert werden.",
            True,
        ),
        ("Le tarif réduit est de 13 euros.", FARES, False),
        ("Le tarif réduit est de 9 euros.", FARES, True),
        ("Le tarif plein est de 13 euros.", FARES, True),
        ("Las multas por viajar sin billete son de 42 euros.", FINES, False),
        ("Las multas por viajar sin billete son de 100 euros.", FINES, True),
    ],
)
def test_a_negation_or_a_figure_of_another_clause_or_sentence_bears_nothing_out(
    text: str, source: str, passes: bool
) -> None:
    assert (examined(text, source).status == "pass") is passes


@pytest.mark.parametrize(
    "text",
    [
        "Use PUT /v2/transfers to create a transfer.",
        "Go to /i/o to do a v2 rollback by hand.",
        "POST a JSON body to /o/v1/za to create a pod.",
        "Ice cream cones come in many different varieties.",
    ],
)
def test_short_english_is_never_refused_for_small_words_that_another_language_has_too(text: str) -> None:
    assert examined(text, "POST /v2/transfers creates a transfer.").cause != "language"


def test_paths_and_addresses_are_of_no_language() -> None:
    assert detect("Se https://x.example/och/att/det och /som/en/på, men det var inte vi som kan det.")[0] == "sv"
    assert detect("See https://x.example/och/att/det and /som/en/inte for what we have to say.")[0] == "en"


def test_an_exception_turns_an_opposite_round() -> None:
    source = "Das Museum öffnet täglich außer Montag um 9 Uhr."
    found = examined("Das Museum macht um 9 Uhr auf und ist montags zu.", source)
    assert all(claim.status != "contradicted" for claim in found.claims)


@pytest.mark.parametrize(
    "sentence",
    [
        "Die Jahresgebühr beträgt 24 Euro, ermäßigt 12 Euro.",
        "Der Vertrag verlängert sich um ein Jahr, sofern er nicht drei Monate vorher gekündigt wird.",
        "Der Umsatz stieg um 4,5 % auf 12,3 Mio. Euro.",
        "Le train part à 8 h 15 et arrive à 11 h 40.",
        "Le musée est ouvert tous les jours sauf le mardi, de 9 h 30 à 18 h.",
        "La entrada cuesta 8 euros, 5 euros con descuento.",
    ],
)
def test_a_whole_sentence_of_a_source_is_word_for_word_in_every_language(sentence: str) -> None:
    found = examined(sentence, f"{sentence} Alles andere bleibt offen.")
    assert [(one.text, one.status, one.details["by"]) for one in found.claims] == [(sentence, "supported", "rule")]
    assert found.status == "pass"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (
            "Die Jahresgebühr beträgt 12 Euro, ermäßigt 24 Euro.",
            "Die Jahresgebühr beträgt 24 Euro, ermäßigt 12 Euro.",
        ),
        (
            "Der Verein fordert 24 Projekte, davon 12 neue.",
            "Der Verein fördert 24 Projekte, davon 12 neue.",
        ),
        ("Le train part à 11 h 40 et arrive à 8 h 15.", "Le train part à 8 h 15 et arrive à 11 h 40."),
        ("La entrada cuesta 5 euros, 8 euros con descuento.", "La entrada cuesta 8 euros, 5 euros con descuento."),
    ],
)
def test_figures_that_change_places_and_an_accent_that_is_left_out_are_not_word_for_word(
    text: str, source: str
) -> None:
    assert examined(text, source).status != "pass"


def test_an_accent_that_is_composed_is_the_same_accent() -> None:
    source = "Die Jahresgebühr beträgt 24 Euro, ermäßigt 12 Euro."
    assert examined(unicodedata.normalize("NFD", source), source).status == "pass"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Der Umsatz stieg auf 12,3 Mio. Euro.", 1),
        ("Der Preis liegt inkl. Mehrwertsteuer bei 200 Euro.", 1),
        ("El Sr. Ruiz dirige el departamento.", 1),
        ("Die Kabine fasst max. 18 Personen.", 1),
        ("Der Verlust lag bei 3 Mio. Die Firma gab auf.", 2),
        ("It was founded by John Smith Sr. He left in 1990.", 2),
    ],
)
def test_an_abbreviation_before_a_capital_ends_a_sentence_only_where_another_one_opens(text: str, count: int) -> None:
    assert len(sentences(text)) == count


@pytest.mark.parametrize(
    "other",
    [
        "Maják byl zbořen v minulém století a už nikdy nebyl obnoven.",
        "Latarnia została zburzona i nigdy jej nie odbudowano.",
        "Маяк был снесён.",
        "灯台は取り壊されました。",
    ],
)
def test_a_sentence_in_a_language_that_is_not_read_stays_open_in_an_english_answer(other: str) -> None:
    found = examined(f"The lighthouse is 32 metres tall. {other}", "The lighthouse is 32 metres tall.")
    assert [one.status for one in found.claims] == ["supported", "unverifiable"]
    assert found.coverage == 0.5


@pytest.mark.parametrize(
    "plain", ["She ordered żurek and pierogi.", "It is in Kraków.", "Use it to do a reset by hand."]
)
def test_a_foreign_word_makes_no_sentence_foreign(plain: str) -> None:
    assert foreign(plain) == ""


@pytest.mark.parametrize(
    "row", ["Area; Halle: 12,400 m²; Erfurt: 10,900 m²", "Delay; Halle: 12 µs; Erfurt: 8 µs", "Catchment; Halle: 9 km²"]
)
def test_the_sign_of_a_unit_makes_no_row_of_a_table_foreign(row: str) -> None:
    assert foreign(row) == ""


def test_what_a_source_says_word_for_word_is_read_whatever_it_is_in() -> None:
    motto = "Nikdy se nevzdávej, příteli můj."
    assert examined(f"{motto} It is a motto.", f"It is a motto. {motto}").claims[0].status == "supported"


def test_what_is_forbidden_is_not_allowed() -> None:
    found = examined("Lastwagen über 7,5 Tonnen sind verboten.", "Lastwagen über 7,5 Tonnen sind nicht erlaubt.")
    assert found.claims[0].status != "contradicted"
    against = examined("Lastwagen über 7,5 Tonnen sind verboten.", "Lastwagen über 7,5 Tonnen sind erlaubt.")
    assert against.claims[0].status == "contradicted"
