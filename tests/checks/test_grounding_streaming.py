"""A response verified while it arrives."""

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.grounding.streaming import WITHHELD, Watch
from witnessmark.core.case import Evidence
from witnessmark.core.errors import InputError
from witnessmark.settings import Settings

EVIDENCE = [Evidence(id="d1", text="Revenue grew 14 % in 2025. The company opened offices in Lyon and Porto.")]
PIECES = ["Reve", "nue grew 40 % in 20", "25. The comp", "any opened offices in Lyon", " and Porto. Is", " that all?"]


def test_claims_come_as_sentences_are_complete():
    watch = Watch(EVIDENCE)
    seen = [watch.feed(piece) for piece in PIECES]
    seen.append(watch.close())
    assert "".join(passed.text for passed in seen) == "".join(PIECES)
    assert [[claim.status for claim in passed.claims] for passed in seen] == [
        [], [], ["contradicted"], [], ["supported"], [], ["unverifiable"],
    ]  # fmt: skip


def test_held_back_nothing_contradicted_gets_through():
    watch = Watch(EVIDENCE, hold_back=True)
    shown = [watch.feed(piece).text for piece in PIECES] + [watch.close().text]
    assert "".join(shown) == f"{WITHHELD} The company opened offices in Lyon and Porto. Is that all?"
    assert shown[:2] == ["", ""]


def test_a_stream_without_evidence_is_refused():
    with pytest.raises(InputError, match="evidence: a stream cannot be verified without any"):
        Watch([])


GERMAN = Evidence(id="de", text="Der Umsatz stieg 2025 um 14 %. Die Firma eröffnete Büros in Lyon und Porto.")
FRENCH = Evidence(
    id="fr", text="Le chiffre d'affaires a augmenté de 14 % en 2025. La société a ouvert des bureaux à Lyon et à Porto."
)
ANSWERS = {
    "en": "Revenue grew 40 % in 2025. The company opened offices in Lyon and Porto.",
    "de": "Der Umsatz stieg 2025 um 40 %. Die Firma eröffnete Büros in Lyon und Porto.",
}


def streamed(text, evidence, **how):
    """The claims of a response that comes letter by letter, and what was let through of it."""
    watch = Watch(evidence, **how)
    parts = [*(watch.feed(letter) for letter in text), watch.close()]
    return [claim for part in parts for claim in part.claims], "".join(part.text for part in parts)


@pytest.mark.parametrize("evidence", [[*EVIDENCE, GERMAN], [GERMAN, FRENCH], [FRENCH], EVIDENCE], ids=range(4))
@pytest.mark.parametrize("language", ANSWERS)
def test_a_stream_is_read_in_the_language_that_the_whole_is_read_in(language, evidence):
    text = ANSWERS[language]
    whole = Verifier().verify_sync(Case(subject={"kind": "answer", "text": text}, evidence=evidence))
    claims, _ = streamed(text, evidence)
    assert [claim.text for claim in claims] == [claim.text for claim in whole.claims]
    assert [one.status == "unverifiable" for one in claims] == [one.status == "unverifiable" for one in whole.claims]
    assert claims[0].status == whole.claims[0].status


def test_held_back_what_cannot_be_read_against_the_evidence_does_not_get_through():
    claims, shown = streamed(ANSWERS["de"], [FRENCH], hold_back=True)
    assert {claim.status for claim in claims} == {"unverifiable"}
    assert "they can only be compared in one language" in claims[0].reason
    assert shown == f"{WITHHELD} {WITHHELD}"


@pytest.mark.parametrize("line", ["=====", "-----"])
def test_of_a_line_that_is_underlined_afterwards_no_sentence_is_lost(line):
    text = f"Revenue grew 14 % in 2025. The company opened offices in Riga.\n{line}\nIt is known."
    claims, shown = streamed(text, EVIDENCE, hold_back=True)
    assert [claim.text for claim in claims[:2]] == ["Revenue grew 14 % in 2025.", "The company opened offices in Riga."]
    assert "Riga" not in shown


@pytest.mark.parametrize(("question", "reply", "read", "status"), [
    ("Did the company open offices in Lyon?", "Yes.", "The company opened offices in Lyon.", "supported"),
    ("Did the company open offices in Lyon?", "Yes. Revenue grew 40 % in 2025.", "The company opened offices in Lyon.", "supported"),
    ("How much did revenue grow in 2025?", "40 %.", "How much did revenue grow in 2025? 40 %.", "contradicted"),
])  # fmt: skip
def test_a_short_reply_is_read_with_its_question_as_in_the_whole(question, reply, read, status):
    claims, shown = streamed(reply, EVIDENCE, goal=question, hold_back=True)
    whole = Verifier().verify_sync(Case(goal=question, subject={"kind": "answer", "text": reply}, evidence=EVIDENCE))
    assert (claims[0].text, claims[0].status) == (read, status)
    assert [(one.text, one.status) for one in claims] == [(one.text, one.status) for one in whole.claims]
    assert (WITHHELD in shown) == any(one.status == "contradicted" for one in claims)


DENIED = "The company did not open offices in Lyon."


@pytest.mark.parametrize("evidence", ["The company opened offices in Lyon and Porto.", EVIDENCE[0].text])
@pytest.mark.parametrize("rest", ["", " Is that all?", " Revenue grew 14 % in 2025."])
def test_by_rules_alone_a_stream_says_of_a_denial_what_the_whole_says(rest, evidence):
    sources = [Evidence(id="d1", text=evidence)]
    case = Case(subject={"kind": "answer", "text": DENIED + rest}, evidence=sources)
    whole = Verifier(Settings(verification={"model": "rules"})).verify_sync(case)
    claims, shown = streamed(DENIED + rest, sources, hold_back=True)
    assert [(one.text, one.status) for one in claims] == [(one.text, one.status) for one in whole.claims]
    assert (DENIED in shown) == (whole.claims[0].status == "supported")


def test_a_denial_by_itself_is_not_supported_and_does_not_get_through():
    claims, shown = streamed(DENIED, EVIDENCE, hold_back=True)
    assert [claim.status for claim in claims] == ["contradicted"]
    assert shown == WITHHELD
