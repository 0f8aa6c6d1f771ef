"""A sentence that says two things is two claims; one that says one thing is never cut, and no claim is broken by the cut."""

from __future__ import annotations

import pytest

from witnessmark import check_answer
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.reading.compound import states
from witnessmark.text.sentences import sentence_texts

TRUE = "The lighthouse was finished in 1871"


def said(text: str) -> list[str]:
    return [one.text for one in claims(text)]


@pytest.mark.parametrize(
    ("rest", "other"),
    [
        ("; the cellar is flooded.", "The cellar is flooded."),
        (" (the cellar is flooded).", "The cellar is flooded"),
        (" – the cellar is flooded.", "The cellar is flooded."),
        (": the king himself opened it.", "The king himself opened it."),
        (" and children enter free.", "Children enter free."),
        (" and a smuggler designed it.", "A smuggler designed it."),
        (", but nobody likes it.", "Nobody likes it."),
        (", while the auditor resigned.", "The auditor resigned."),
        (", whereas Riga gained 35.", "Riga gained 35."),
        (" and the harbour lost two ships.", "The harbour lost two ships."),
        ("; the cellar isn't heated.", "The cellar isn't heated."),
        (" and the navy won't sell.", "The navy won't sell."),
    ],
)
def test_two_whole_statements_are_two_claims_however_they_are_joined(rest: str, other: str) -> None:
    assert said(TRUE + rest) == [TRUE, other]


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        (f"{TRUE}, after the storm had killed two men.", "The storm had killed two men."),
        (f"{TRUE}, because the old one had burned down.", "The old one had burned down."),
        (f"{TRUE}, so the navy bought it.", "The navy bought it."),
        (f"{TRUE}, whose architect drowned.", "The lighthouse’s architect drowned."),
        ("The house was sold to Peter Lang, who restored it.", "Peter Lang restored it."),
        ("The tower (the navy owns it) is tall.", "The navy owns it."),
    ],
)
def test_a_clause_beside_the_main_one_is_a_claim_and_the_sentence_keeps_its_words(text: str, beside: str) -> None:
    found = claims(text)
    whole = [one for one in found if one.text != beside]
    assert len(found) == 2
    assert [one.text.rstrip(".") for one in whole] in ([text.rstrip(".")], [text.partition(", who ")[0]])
    assert found[0].span[0] == 0
    assert found[0].span[1] <= found[1].span[0]
    assert len(text) - found[1].span[1] <= 2


def test_a_clause_that_opens_a_sentence_is_a_claim_before_it() -> None:
    text = "Although the staff went on strike, revenue was 4.2 million euros."
    assert said(text) == ["The staff went on strike.", text]


@pytest.mark.parametrize(
    "text",
    [
        "He said the roof and the cellar are damp.",
        "It opens when the school is over and the library is closed.",
        "The museum has a garden and a cafe that opens at nine.",
        "There is one rule: children enter free.",
        "Staff: 11; office: Ghent; loan: repaid.",
        "The house and the barn were sold.",
        "The firm owns a mill (a gift of the queen).",
        "The tour is free, so you can join it.",
        "You can return goods after they were delivered.",
        "The main difference between ligaments and tendons is that they differ.",
        "Following a chase, an officer and the suspect were wounded.",
        "The chase ended with an officer and the suspect injured.",
        "The time it is between 41 and 165 degrees should not exceed two hours.",
        "Cover the moulds brushed with oil while it is hot.",
        "You may have a guest for three nights running and eight nights a month.",
        "The state paid half of it and the city a third.",
        "She said eleven posts were vacant and that the number would double.",
        "Most servers were resold or reused, and the rest recycled.",
        "The offer left out the foundation, which Ms Strand said would cost around 1,500 more.",
    ],
)
def test_what_is_one_statement_is_not_cut(text: str) -> None:
    assert said(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Mara Lind recommends rejection, since the figures come from an old paper and were not checked again.",
        "Mara Lind recommends rejection because the figures come from an old paper and were not checked again.",
        "Mara Lind reviewed the study that the institute had paid for and published in May.",
    ],
)
def test_what_may_be_said_in_a_clause_beside_is_not_said_of_the_subject(text: str) -> None:
    assert not any(one.startswith(("Mara Lind were", "Mara Lind published")) for one in said(text))


def test_a_clause_beside_that_has_ended_leaves_the_second_verb_to_the_subject() -> None:
    text = "Mara Lind, who joined in May, reviewed more than forty studies and published a report."
    assert "Mara Lind published a report." in said(text)


def test_whose_a_thing_is_that_follows_an_and_is_never_somebody_of_an_earlier_sentence() -> None:
    text = "Jill is a midwife. After a long day brother Josh left, and his wife stayed at home."
    assert "Jill" not in said(text)[-1]


@pytest.mark.parametrize(
    ("words", "whole"),
    [
        ("the cellar is flooded", True),
        ("visitors may sleep in it", True),
        ("eBay bought it", True),
        ("three sailors drowned there", True),
        ("a tower designed by Holm", False),
        ("the results of tests", False),
        ("the cellar are damp", False),
    ],
)
def test_a_clause_has_a_subject_and_a_verb_that_is_bound_to_it(words: str, whole: bool) -> None:
    assert states(words) is whole


@pytest.mark.parametrize(
    "small", ["the cellar is flooded.", "a smuggler designed it!", "visitors may sleep in it.", "eBay bought it."]
)
def test_a_sentence_may_begin_with_a_small_letter(small: str) -> None:
    assert sentence_texts(f"It is 32 metres tall. {small}") == ["It is 32 metres tall.", small]


@pytest.mark.parametrize(
    "text",
    [
        "The govt. bonds of 1990 fell.",
        "She joined Yahoo! in May of 2001.",
        "It costs approx. the same as before.",
        "They sell cakes, pies, etc. and drinks.",
        "He waited ... the door of the mill opened.",
        "iPads by Apple Inc. are lent to visitors.",
    ],
)
def test_a_full_stop_inside_a_sentence_ends_none(text: str) -> None:
    assert sentence_texts(text) == [text]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Father Klee lived in the chapel. It was built in 1610.", "It was built in 1610."),
        ("The chapel was built in 1610, after the mill had burned down. It has a bell.", "The chapel has a bell."),
        ("Half of the beta users reported a crash. It is caused by a font.", "It is caused by a font."),
        ("The lighthouse was finished in 1871 and not in 1870.", "The lighthouse was finished in 1871."),
    ],
)
def test_no_claim_is_broken(text: str, last: str) -> None:
    assert said(text)[-1] == last


@pytest.mark.parametrize(
    ("text", "hedge"),
    [
        ("Probably it is 32 metres tall.", "hedge"),
        ("I believe it is 32 metres tall.", "opinion"),
        ("Please note that it is 32 metres tall.", "note"),
        ("Did you know that it is 32 metres tall?", "question"),
        ("> It is 32 metres tall.", "quote"),
        ("“It is 32 metres tall.”", "quote"),
        ("It is 32 metres tall.", ""),
    ],
)
def test_how_a_claim_is_put_is_noted_in_the_record(text: str, hedge: str) -> None:
    record = check_answer("How tall is it?", text, ["It is 32 metres tall."])
    assert [one.hedge for one in record.claims] == [hedge]


def test_a_lie_that_is_joined_to_a_truth_stands_for_itself() -> None:
    record = check_answer("Tell me.", f"{TRUE} (the cellar is flooded).", [f"{TRUE}. It is 32 metres tall."])
    assert [one.status for one in record.claims] == ["supported", "unsupported"]
    assert record.outcome != "pass"
