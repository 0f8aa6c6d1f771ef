"""What differs by language is data: a further language for the grounding rules is one file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from witnessmark.checks.grounding.grounding_check import grounding
from witnessmark.checks.output.data_fields import wrong_fields
from witnessmark.checks.plain.consent import agrees
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.core.verdict import Result
from witnessmark.text import lang
from witnessmark.text.dates import dates
from witnessmark.text.language import detect
from witnessmark.text.numbers import figures
from witnessmark.text.sentences import sentence_texts
from witnessmark.text.words import stems

ITALIAN = Path(__file__).parents[1] / "fixtures" / "lang" / "it.toml"
SOURCE = (
    "Il ponte di Vallorba è stato inaugurato il 12 maggio 1998 dopo quattro anni di lavori. È lungo 340 metri ed è costato "
    "2,5 milioni di euro. Il traffico è aumentato del 12 per cento nel primo anno. La gestione non è affidata al comune."
)


@pytest.fixture
def italian() -> Iterator[str]:
    code = lang.add(ITALIAN)
    yield code
    lang.remove(code)


def examined(text: str) -> Result:
    found = grounding()(Case(goal="Il ponte", subject=Answer(text=text), evidence=(Evidence(id="p", text=SOURCE),)), {})
    assert isinstance(found, Result)
    return found


def status(text: str) -> str:
    return examined(text).claims[0].status


def test_a_language_that_nobody_added_stays_unverified() -> None:
    found = examined("Il ponte di Vallorba è lungo 340 metri ed è costato 2,5 milioni di euro al comune.")
    assert (found.status, found.cause) == ("abstain", "language")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Il ponte di Vallorba è stato inaugurato il 12 maggio 1998 dopo quattro anni di lavori.", "supported"),
        ("Il ponte di Vallorba è stato inaugurato il 12 giugno 1998 dopo quattro anni di lavori.", "contradicted"),
        ("Il ponte è lungo 430 metri ed è costato 2,5 milioni di euro.", "contradicted"),
        ("La gestione è affidata al comune.", "contradicted"),
        ("Il traffico è diminuito del 12 per cento nel primo anno.", "contradicted"),
    ],
)
def test_one_file_lets_the_rules_read_a_further_language(italian: str, text: str, expected: str) -> None:
    assert status(text) == expected


def test_its_numbers_dates_and_abbreviations_are_read_too(italian: str) -> None:
    assert [f.low for f in figures("oltre trenta chilometri e 2,5 milioni", italian)] == [30_000.0, 2_500_000.0]
    assert [(d.day, d.month) for d in dates("il 3 ottobre")] == [(3, 10)]
    assert sentence_texts("Il dott. Rossi è qui. Parla.") == ["Il dott. Rossi è qui.", "Parla."]


def test_taking_it_out_leaves_no_trace() -> None:
    before = lang.words("stop")
    lang.add(ITALIAN)
    assert "gli" in lang.words("stop")
    lang.remove("it")
    assert lang.words("stop") == before
    assert dates("il 3 ottobre") == []


def test_a_file_without_what_the_language_is_told_by_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "xx.toml"
    file.write_text('name = "X"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="small"):
        lang.add(file)
    assert "xx" not in lang.codes()


def test_a_list_may_be_made_of_others(tmp_path: Path) -> None:
    (tmp_path / "xx.toml").write_text(
        'name = "Made"\n[words]\nsmall = "a"\nlarger = "more"\nexceeds = "{larger} ahead"\n'
    )
    code = lang.add(tmp_path / "xx.toml")
    assert lang.words("exceeds", code) == {"more", "ahead"}
    lang.remove(code)


@pytest.mark.parametrize(
    "text",
    [
        "Guns N Roses came together in 1985 in Los Angeles and to this day do a tour by bus.",
        "A man, a plan, a canal: to do so by boat was a relief to all in Panama.",
        "Ein Gedi is a popular bottled water brand in Israel and is sold by many a shop.",
        "He is as old as I am, so to do it I go by car or on foot.",
    ],
)
def test_short_english_is_english(text: str) -> None:
    assert detect(text)[0] in ("en", None)


def answered(text: str, *sources: str) -> Result:
    evidence = tuple(Evidence(id=f"s{n}", text=source) for n, source in enumerate(sources))
    found = grounding()(Case(goal="", subject=Answer(text=text), evidence=evidence), {})
    assert isinstance(found, Result)
    return found


GERMAN = "Die Brücke wurde im Mai 1998 nach vier Jahren Bauzeit für den Verkehr geöffnet und ist 340 Meter lang."
ENGLISH = "The museum in the old mill was founded in 1972 and has been open to the public since that year."


def test_a_mixed_context_is_read_for_what_is_in_the_texts_language() -> None:
    told = "Die Brücke ist 340 Meter lang und wurde im Mai 1998 für den Verkehr geöffnet."
    assert answered(told, ENGLISH, ENGLISH, GERMAN).cause is None
    assert answered(told, ENGLISH + "\n" + ENGLISH + "\n" + GERMAN).cause is None
    wrong = answered(told.replace("340", "430"), ENGLISH, ENGLISH, GERMAN)
    assert [claim.status for claim in wrong.claims] == ["contradicted"]


def test_a_text_without_a_passage_in_its_language_stays_unverified() -> None:
    told = "Die Brücke ist 340 Meter lang und wurde im Mai 1998 für den Verkehr geöffnet."
    assert answered(told, ENGLISH).cause == "language"


def test_a_short_german_sentence_is_not_portuguese() -> None:
    source = "Das Museum öffnet täglich um 10 Uhr und schließt um 18 Uhr."
    assert detect(source)[0] == "de"
    assert answered("Das Museum öffnet um 10 Uhr.", source).cause is None


def test_what_says_yes_is_data_of_its_language(tmp_path):
    """A language that is added agrees and disagrees in its own words, and is forgotten with them."""
    file = tmp_path / "it.toml"
    words = "[speech]\nagrees = ['''\\b(?:sì|va bene)\\b''']\ndisagrees = ['''\\bnon\\b''']\n"
    file.write_text(ITALIAN.read_text(encoding="utf-8") + words, encoding="utf-8")
    assert not agrees("Va bene, procedi")
    lang.add(file)
    try:
        assert agrees("Va bene, procedi")
        assert not agrees("Va bene, ma non ora")
    finally:
        lang.remove("it")
    assert not agrees("Va bene, procedi")


def test_what_was_read_before_a_language_came_is_read_anew_with_it(tmp_path):
    """Stems of words, and the figures by which an output's data is held against a record."""
    file = tmp_path / "it.toml"
    italian = ITALIAN.read_text(encoding="utf-8")
    file.write_text(italian.replace("[words]\n", '[words]\nsuffixes = "issimi"\n'), encoding="utf-8")
    data, record = {"id": "V-17", "cost": "3,5 milioni"}, [("r1", '[{"id": "V-17", "cost": "3500000"}]')]

    def read():
        return stems("altissimi"), [claim.status for claim in wrong_fields(data, record, "")]

    before = read()
    lang.add(file)
    try:
        assert read() == (("alt",), [])
    finally:
        lang.remove("it")
    assert read() == before == (("altissimi",), ["contradicted"])
