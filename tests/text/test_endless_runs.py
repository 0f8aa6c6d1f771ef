"""Runs of one sign without end: patterns read them once, and not again from each of their places. Without that, these tests take minutes or longer."""

from __future__ import annotations

from witnessmark.text.markdown import CODE_SPAN


def test_a_code_span_opens_and_closes_with_the_same_marks():
    assert [one.group() for one in CODE_SPAN.finditer("Use `a`, ``b ` c`` and `d`.")] == ["`a`", "``b ` c``", "`d`"]


def test_a_line_of_marks_that_open_code_holds_none():
    assert CODE_SPAN.search("It is " + "`" * 20_000 + " tall.") is None
