"""Words and patterns looked for by RE2 are those that a plain search finds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from witnessmark.core.patterns import finder, word_finder

WORDS = ("ab", "b ", "[", "ℹ a", "aba", ".*")
find = word_finder(WORDS)


@given(st.text(alphabet="ab [ℹ.*\ud800\n", max_size=20))
@settings(deadline=None)
def test_the_words_that_a_text_has_are_found_in_one_go(text):
    assert find(text) == {word for word in WORDS if word in text}


def test_half_a_character_is_no_word_and_no_fault():
    assert finder("a+")("\ud800a")
    assert not finder("b")("\ud800a")
