"""What a response asserts, and where: exact spans in any Unicode, checkable apart from not checkable."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.stream import Stream
from witnessmark.text.sentences import sentences

PIECES = st.sampled_from(
    ["Ada was born in 1815. ", "She wrote [1] programs! ", "\n\n", "- item one\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "```\ncode.\n```\n",
     "> quoted. Text.\n", "# Head\n", "Dr. Lee, e.g. 3.5 %; and so on, but it is true and it was done. ", "日本語です。次の文。", "…", "\u2028", "\r\n", "«Oui, c’est vrai.» ",
     "e\u0301. ", "👩‍👩‍👧 ok. ", "**bold** _it_ `x` "]
)  # fmt: skip


@settings(deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=25).map("".join)))
def test_spans_slice_the_text_and_never_overlap(text):
    found = claims(text)
    end = 0
    for one in found:
        assert 0 <= one.span[0] < one.span[1] <= len(text)
        assert one.span[0] >= end
        assert not text[one.span[0]].isspace()
        assert not text[one.span[1] - 1].isspace()
        end = one.span[1]


@settings(deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join), st.integers(0, 2**32))
def test_a_stream_says_the_same_as_the_whole_wherever_it_is_cut(text, seed):
    rng = random.Random(seed)
    stream, got, at = Stream(), [], 0
    while at < len(text):
        step = rng.randint(1, 12)
        got += stream.feed(text[at : at + step])
        at += step
    got += stream.close()
    assert "".join(text[slice(*one.span)] for one in got) == "".join(text[slice(*one.span)] for one in claims(text))
    assert stream.text == text


@given(st.text(max_size=400))
def test_sentences_keep_every_word(text):
    covered = "".join(text[a:b] for a, b in sentences(text))
    assert "".join(covered.split()) == "".join(text.split())


def words_of(text):
    return [one.text for one in claims(text) if one.checkable]


def test_markdown_is_followed():
    text = "# Title\n\n**Sales** rose [1].\n\nThe founders were:\n- Alice Smith\n- Bob Jones\n\n| Year | Sales |\n|--|--|\n| 2019 | 40 % |\n\n```\nx = 1.\n```\n> Costs are *said* to be low.\n"
    assert words_of(text) == [
        "Sales rose.",
        "The founders were: Alice Smith",
        "The founders were: Bob Jones",
        "Year: 2019; Sales: 40 %",
        "Costs are said to be low.",
    ]


def test_citations_stand_beside_the_words():
    found = claims("Sales rose 4 % [1, d2]. Costs fell.[^3] Profit fell【4†source】.")
    assert [one.citations for one in found] == [("1", "d2"), ("3",), ("4",)]
    assert found[1].text == "Costs fell."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("How much did it cost?", "question"),
        ("Hope this helps!", "greeting"),
        ("I think it is the nicest town.", "opinion"),
        ("Perhaps they left early.", "hedge"),
        ("Please contact your bank.", "instruction"),
        ("I cannot answer that from the passages.", "refusal"),
        ("Unable to answer based on given passages.", "refusal"),
        ("Ich glaube, das ist schön.", "opinion"),
        ("Here is a summary in 70 words:", "lead-in"),
    ],
)
def test_what_is_no_assertion_is_not_checkable(text, why):
    assert [one.why_not for one in claims(text)] == [why]


def test_a_figure_makes_advice_checkable():
    assert claims("Please add 350 grams of sugar.")[0].checkable


def test_a_pronoun_carries_its_antecedent_and_the_span_stays():
    text = "Maria Lopes leads the firm. She joined in 2019. Her team grew."
    found = claims(text)
    assert [one.text for one in found] == [
        "Maria Lopes leads the firm.",
        "Maria Lopes joined in 2019.",
        "Maria Lopes's team grew.",
    ]
    assert text[slice(*found[1].span)] == "She joined in 2019."


def test_two_statements_in_one_sentence_are_two_claims():
    text = "The firm opened an office in Lyon in 2020, but the company closed its plant in Porto."
    assert [text[slice(*one.span)] for one in claims(text)] == [
        "The firm opened an office in Lyon in 2020",
        "but the company closed its plant in Porto.",
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dr. Lee met Mr. Fox. They left.", 2),
        ("Am 3. März kam er. Er blieb.", 2),
        ("It costs 3.5 % of U.S. output. Fine.", 2),
        ("See e.g. Lee. Ok.", 2),
    ],
)
def test_abbreviations_do_not_end_a_sentence(text, count):
    assert len(sentences(text)) == count


def test_an_antecedent_is_never_a_piece_of_a_word():
    found = claims("The last release, 3.2, is from March 2024. Its tests pass on Python 3.11.")
    assert not found[1].text.startswith("la's")


def test_a_letter_that_names_a_thing_ends_a_sentence_and_stays_with_its_noun():
    text = "Tool B makes few errors. It costs twice as much as A. Neither tool kept our terms. J. Smith tested both."
    found = [one.text for one in claims(text)]

    assert found == [
        "Tool B makes few errors.",
        "Tool B costs twice as much as A.",
        "Neither tool kept our terms.",
        "J. Smith tested both.",
    ]
