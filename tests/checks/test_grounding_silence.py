"""What a source leaves unsaid: whatever it is called, in four languages, borne out, wrong or open."""

from __future__ import annotations

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.decision import ClaimDecision
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.reading.silence import silence
from witnessmark.checks.grounding.refusals import aside, is_open, readable, unmentioned
from witnessmark.checks.grounding.statement import Statement
from witnessmark.settings import Settings


def stated(answer: str, source: str) -> list[str]:
    case = Case(goal="What does it say?", subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))
    record = Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case)  # type: ignore[arg-type]
    return [str(one.status) for one in record.claims]


FERRY = "Harbour Bulletin\nThe ferry leaves at 7.45 from pier 2. Dogs are not allowed on deck. Tickets for children cost 3 euros."
FAEHRE = "Die Fähre fährt um 7 Uhr ab dem Anleger 2. Hunde dürfen nicht mit an Deck. Kinder zahlen 3 Euro."
BAC = "Le bac part à 7 heures du quai 2. Les chiens sont interdits sur le pont. Les enfants paient 3 euros."
BARCA = "El barco sale a las 7 del muelle 2. Los perros no pueden subir a cubierta. Los niños pagan 3 euros."


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        (FERRY, "The timetable says nothing about bicycles.", "The timetable says nothing about dogs."),
        (FERRY, "The menu on board is silent on wheelchairs.", "The sailing plan is silent on dogs."),
        (FERRY, "Harbour Bulletin does not mention parking.", "Harbour Bulletin does not mention tickets."),
        (FERRY, "There is nothing about bicycles in the booklet.", "There is nothing about dogs in the booklet."),
        (FERRY, "Bicycles are not mentioned on the board.", "Children are not mentioned on the board."),
        (FAEHRE, "Der Fahrplan sagt nichts über Fahrräder.", "Der Fahrplan sagt nichts über Hunde."),
        (FAEHRE, "Im Aushang steht nichts über Parkplätze.", "Im Aushang steht nichts über Kinder."),
        (BAC, "L'horaire ne dit rien sur les vélos.", "L'horaire ne dit rien sur les chiens."),
        (BAC, "Le dépliant ne mentionne pas les vélos.", "Le dépliant ne mentionne pas les enfants."),
        (BARCA, "El horario no dice nada sobre las bicicletas.", "El horario no dice nada sobre los perros."),
        (BARCA, "El folleto guarda silencio sobre el equipaje.", "El folleto guarda silencio sobre los niños."),
    ],
)
def test_whatever_a_source_is_called_it_leaves_out_what_it_has_no_word_of_and_not_what_it_speaks_of(
    source, right, wrong
):
    assert stated(right, source) == ["supported"]
    assert stated(wrong, source) == ["unsupported"]


@pytest.mark.parametrize(
    "answer",
    [
        "The captain says nothing about bicycles.",  # somebody may be silent without a source for it
        "Zoltan Kovacs does not mention bicycles.",
        "The company did not mention bicycles.",
        "The ship does not cover bicycles.",
    ],
)
def test_what_somebody_or_something_else_than_a_text_leaves_out_is_no_word_about_the_sources(answer):
    assert silence(answer) is None or "supported" not in stated(answer, FERRY)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        (
            "The timetable says nothing about tickets for dogs.",
            FERRY,
        ),  # of each it speaks, of both together perhaps not
        ("The timetable does not mention whether dogs pay.", FERRY),
        ("Der Fahrplan sagt nichts über Hundemarken.", FAEHRE),
        ("The report says nothing about costs.", "The bridge is 40 m long. Costs are not mentioned in this report."),
    ],
)
def test_where_its_words_stand_apart_in_another_form_or_are_denied_it_stays_open(answer, source):
    index = Index([EvidenceSource("d1", source)], answer)
    assert silence(answer) is not None
    assert unmentioned(Statement((0, len(answer)), answer, "text"), index) is None


@pytest.mark.parametrize(
    ("answer", "borne_out"),
    [
        ("The bulletin does not mention where the ferry is repaired.", True),  # of the ferry all of it speaks
        ("The abstract does not report adverse events.", True),
        ("The bulletin does not mention where the ferry leaves.", False),
        ("The bulletin does not mention the ferry.", False),
    ],
)
def test_what_the_question_is_about_is_no_sign_that_a_source_speaks_of_more(answer, borne_out):
    found = unmentioned(
        Statement((0, 1), answer, "text"), Index([EvidenceSource("d1", FERRY)], "en"), "When does the ferry go?"
    )
    assert (found is not None and found.status == "supported") == borne_out


@pytest.mark.parametrize(
    ("answer", "question", "status"),
    [
        ("The bulletin does not say whether bicycles are carried.", "When does the ferry go?", "supported"),
        ("The bulletin does not say whether dogs are allowed.", "When does the ferry go?", "unverifiable"),
        ("The bulletin does not say how much tickets for children cost.", "When does the ferry go?", "unverifiable"),
        ("The bulletin does not say who owns the ferry.", "Who owns the ferry?", "unverifiable"),
        ("The bulletin names a pier but does not say where bicycles go.", "When does the ferry go?", "unverifiable"),
    ],
)
def test_a_caveat_beside_the_answer_is_borne_out_where_a_word_of_it_stands_nowhere(answer, question, status):
    text = f"The ferry leaves at 7.45 from pier 2. {answer}"
    case = Case(goal=question, subject=Answer(text=text), evidence=(Evidence(id="d1", text=FERRY),))
    record = Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case)  # type: ignore[arg-type]
    assert str(record.claims[-1].status) == status


KETTLE = "Fill the kettle to the mark and boil it twice with the Limex powder. Then rinse it. Boil no milk in it."


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("The recipe does not say whether bicycles are carried.", "supported"),  # any kind of text
        ("The sections quoted do not say whether bicycles are carried.", "supported"),
        ("Whether bicycles are carried, the sources do not say.", "supported"),
        ("There is no information on bicycles.", "supported"),
        ("The bulletin does not say whether it counts as a bicycle or as luggage.", "supported"),
        ("Der Fahrplan sagt nicht, ob Fahrräder mitdürfen.", "supported"),
        ("Ob Fahrräder mitdürfen, geht aus den Unterlagen nicht hervor.", "supported"),
        ("Les documents n'indiquent pas si les vélos sont admis.", "supported"),
        ("El folleto no indica si hay aparcamiento.", "supported"),
        ("The captain does not say whether bicycles are carried.", "other"),  # a person is no source
        ("The recipe does not say whether dogs are allowed on deck.", "unverifiable"),
        ("There is no information on tickets for children.", "unsupported"),  # of which it plainly speaks
        ("There is no information on tickets for grown dogs.", "supported"),
        ("The bulletin does not say whether bicycles are carried because the deck is wet.", "unverifiable"),
    ],
)
def test_whatever_text_a_caveat_speaks_of_it_holds_where_a_word_of_it_stands_nowhere(answer, status):
    source, language = (FAEHRE, "de") if "Fahr" in answer else (FERRY, "en")
    statement = readable(claims(answer)[0], "When does the ferry go?")
    found = aside(statement, Index([EvidenceSource("d1", source)], answer, language), "When does the ferry go?")
    assert (found.status if found is not None else "unverifiable") == (status if status != "other" else "unverifiable")
    assert status == "other" or statement.kind in ("untold", "refusal")


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("The manual does not say how Limex is disposed of.", True),  # a name that the source has
        ("The manual does not say how Brightex is disposed of.", False),  # none has it: that it is there is claimed
        ("The manual does not say why the 9 million were paid.", False),
    ],
)
def test_a_caveat_may_take_for_granted_what_a_source_has_and_nothing_else(answer, holds):
    statement = readable(claims(answer)[0], "How do I descale the kettle?")
    found = aside(statement, Index([EvidenceSource("d1", KETTLE)], answer), "How do I descale the kettle?")
    assert (found is not None) == holds


@pytest.mark.parametrize(
    ("source", "question", "holds"),
    [
        (KETTLE, "How do I descale the kettle?", True),
        (KETTLE, "What does the powder cost?", False),  # the answer itself: only a reader tells
        (f"{KETTLE} The powder is free.", "How do I descale the kettle?", False),
        (f"{KETTLE} Powder: 4 euros.", "How do I descale the kettle?", False),
    ],
)
def test_what_a_thing_costs_is_left_open_by_sources_without_any_money(source, question, holds):
    answer = "The manual does not say what the powder costs."
    statement = readable(claims(answer)[0], question)
    assert (aside(statement, Index([EvidenceSource("d1", source)], answer), question) is not None) == holds


def test_another_form_of_what_is_asked_is_no_word_of_its_own():
    said, index = "The documents say nothing about early cancellation.", Index([EvidenceSource("d1", FERRY)], "")
    asked = "Can I cancel the ticket early?"
    assert unmentioned(Statement((0, 1), said, "text"), index, asked) is None
    assert unmentioned(Statement((0, 1), said, "text"), index, "When does the ferry go?").status == "supported"


RECALL = (
    "A routine test found listeria in batch L4074. Take the cheese back to the shop for a full refund; no receipt is needed. "
    "Employees with shorter service are paid at 60% of base pay during parental leave."
)


@pytest.mark.parametrize(
    "answer",
    [
        "Listeria was found in batch L4074; the notice does not say whether customers get a refund.",
        "The handbook does not say what employees with shorter service are paid during parental leave.",
        "Whether the shop gives a full refund cannot be told from the text.",
        "Listeria was found in batch L4074, but neither the notice nor the handbook tells where to take the cheese back.",
        "The notice gives no information on a refund for the cheese.",
        "Whether the shop gives a full refund remains unanswered by the leaflet.",
        "As to the refund at the shop, no sum is named in it.",
    ],
)
def test_words_that_a_source_has_do_not_bear_out_that_it_leaves_something_open(answer):
    case = Case(goal="Is there a refund?", subject=Answer(text=answer), evidence=(Evidence(id="d1", text=RECALL),))
    record = Verifier().verify_sync(case)
    assert record.outcome in ("unverified", "partial")
    assert all(one.status != "supported" for one in record.claims)


BORNE_OUT = ClaimDecision("supported", 0.9, "overlap", None, ())


@pytest.mark.parametrize(
    "answer",
    [
        "Listeria was found in batch L4074. The notice does not say how many goats the dairy has.",
        "The museum does not tell visitors the price.",  # no source is spoken of
        "The report does not include delivery.",  # what a text covers, not what it leaves open
    ],
)
def test_what_no_source_speaks_of_and_what_is_said_of_no_source_is_read_as_before(answer):
    index = Index([EvidenceSource("d1", RECALL)], answer)
    assert not any(is_open(readable(one, ""), BORNE_OUT, "", index) for one in claims(answer))


def test_what_is_left_open_is_what_the_question_asks_where_the_words_do_not_name_it():
    told = "Regarding that, the letter stays vague: no amount is named in it."
    index = Index([EvidenceSource("d1", RECALL)], told)
    assert all(
        is_open(readable(one, ""), BORNE_OUT, "Is there a refund for the cheese?", index) for one in claims(told)
    )
    assert not any(is_open(readable(one, ""), BORNE_OUT, "How many goats are there?", index) for one in claims(told))


def test_only_the_source_that_is_meant_need_be_silent():
    sources = [EvidenceSource("timetable", "Boats leave at 8."), EvidenceSource("house-rules", "Dogs stay on deck.")]
    index = Index(sources, "")
    right, wrong = "The timetable says nothing about dogs.", "The house rules say nothing about dogs."
    assert unmentioned(Statement((0, 1), right, "text"), index) is None  # words alone do not bear it out
    assert unmentioned(Statement((0, 1), wrong, "text"), index).status == "unsupported"


@pytest.mark.parametrize("text", ["a " * 190 + "says nothing about", "the " + "a.-" * 130, "x " * 150 + "is not mentioned in y"])  # fmt: skip
def test_a_hostile_sentence_is_read_to_its_end(text):
    """A pattern that goes back again and again would not be done in an hour."""
    assert silence(text[:399]) is None


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("**What to do:**\n\n- Tickets for children cost 3 euros.", "pass"),
        ("**What to do:**\n\n- Tickets for children cost 5 euros.", "fail"),
        ("It does so.", "unverified"),
    ],
)
def test_a_title_without_a_word_of_its_own_leaves_nothing_open(answer, outcome):
    case = Case(goal="What do I pay?", subject=Answer(text=answer), evidence=(Evidence(id="d1", text=FERRY),))
    assert Verifier().verify_sync(case).outcome == outcome


def outcome(answer: str, question: str, source: str) -> tuple[str, list[str]]:
    case = Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))
    record = Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case)  # type: ignore[arg-type]
    return str(record.outcome), [str(one.status) for one in record.claims]


POOL = "The pool is in Mill Street. Lockers are available next to the showers. Hats cost 5 euros."
BAD = "Das Bad liegt am Markt. Neben den Duschen gibt es Schließfächer."
PISCINE = "La piscine est au centre. Il y a des consignes près des douches."
PISCINA = "La piscina está en el centro. Hay taquillas junto a las duchas."


@pytest.mark.parametrize("question", ["Is there parking?", "Can I leave my bag somewhere?", "Are there lockers?", ""])
@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("The notice does not say whether there are lockers.", "unsupported"),
        ("There is no information about lockers.", "unsupported"),
        ("The notice does not say what hats cost.", "unverifiable"),
        ("I don't know whether there are lockers.", "unverifiable"),
        ("I could not find any information about lockers in the sources.", "unverifiable"),
    ],
)
def test_a_refusal_is_not_borne_out_where_a_source_has_the_words_of_what_it_names_whatever_was_asked(
    answer, status, question
):
    found, claimed = outcome(answer, question, POOL)
    assert found != "pass"
    assert claimed == [status] or (question == "Are there lockers?" and claimed == ["unverifiable"])  # what is asked


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Der Aushang sagt nicht, ob es Schließfächer gibt.", BAD),
        ("L'avis ne dit pas s'il y a des consignes.", PISCINE),
        ("El aviso no dice si hay taquillas.", PISCINA),
    ],
)
def test_that_nothing_is_said_of_whether_there_is_a_thing_is_wrong_where_a_source_speaks_of_it(answer, source):
    assert outcome(answer, "", source)[1] == ["unsupported"]


@pytest.mark.parametrize(
    ("answer", "question", "passes"),
    [
        ("I don't know.", "Is there parking?", True),  # held to the question alone
        ("The notice does not say whether there is parking.", "Is there parking?", True),
        ("The notice does not say whether there is parking.", "Can I come by car?", True),
        ("I don't know whether there is parking.", "", True),  # held to what it names
        ("I don't know.", "Are there lockers?", False),
        ("I don't know.", "", False),  # held to nothing
        ("The sources do not answer this.", "", False),
    ],
)
def test_a_refusal_is_held_to_the_question_and_to_what_it_names_and_passes_for_neither_of_them_missing(
    answer, question, passes
):
    assert (outcome(answer, question, POOL)[0] == "pass") == passes


@pytest.mark.parametrize(
    ("source", "passes"),
    [
        ("The letter is from May. Your iron has fallen further.", True),  # what is so tells no reason
        ("The letter is from May. Your iron has fallen because of the diet.", False),
    ],
)
def test_that_no_reason_is_given_holds_where_what_is_so_stands_without_a_word_of_reasons(source, passes):
    answer = "The letter does not say why the iron has fallen."
    assert (outcome(answer, "Which pills are advised?", source)[0] == "pass") == passes


WARD = (
    "Ramipril was reduced from 10 mg to 5 mg because of low blood pressure. Amlodipine: paused. Metformin is unchanged."
)


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("Amlodipine was paused; the summary doesn't give a reason for that.", True),
        ("Amlodipine was paused. The summary doesn't give a reason for that.", True),
        ("Ramipril was reduced to 5 mg; the summary doesn't give a reason for that.", False),
        ("Ramipril was reduced to 5 mg. The summary does not give a reason for that.", False),
    ],
)
def test_that_no_reason_is_given_holds_where_nothing_told_of_the_thing_is_one(answer, holds):
    case = Case(goal="What changed?", subject=Answer(text=answer), evidence=(Evidence(id="d1", text=WARD),))
    record = Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case)  # type: ignore[arg-type]
    assert [one.status == "supported" for one in record.claims] == [True, holds]
