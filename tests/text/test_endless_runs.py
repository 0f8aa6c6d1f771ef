"""Runs of one sign without end: patterns read them once, and not again from each of their places. Without that, these tests take minutes or longer."""

from __future__ import annotations

from witnessmark.actions.trace.index import CUT
from witnessmark.text import lang
from witnessmark.text.markdown import CODE_SPAN, is_table_rule


def test_a_code_span_opens_and_closes_with_the_same_marks():
    assert [one.group() for one in CODE_SPAN.finditer("Use `a`, ``b ` c`` and `d`.")] == ["`a`", "``b ` c``", "`d`"]


def test_a_line_of_marks_that_open_code_holds_none():
    assert CODE_SPAN.search("It is " + "`" * 20_000 + " tall.") is None


def test_a_line_under_a_table_head_is_told_from_a_line_of_spaces():
    assert all(map(is_table_rule, ["|---|:-:|", "--- | ---", "  | -- |", ":--"]))
    assert not any(
        map(is_table_rule, [" " * 50_000 + "x", "--" + " " * 50_000 + "x", "|" + " " * 50_000 + "x", "| - |"])
    )


def test_turns_of_a_talk_stand_at_the_beginning_of_lines():
    turns = lang.speech("turns")
    assert turns.search("Hello.\n\n  User : how are you?")
    assert not turns.search("The user: a person.")
    assert not turns.search("a" + "\n" * 50_000 + "b")


def test_an_output_says_how_much_of_it_is_left_out():
    assert CUT.search("… 12,345 more characters")
    assert CUT.search("[1.5k characters]")
    assert not CUT.search("1,000." * 20_000)
