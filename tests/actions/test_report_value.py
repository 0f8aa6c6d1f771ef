"""A report is read once, and a claim finds the words that it stands in."""

from __future__ import annotations

import pytest

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.claims import collect
from witnessmark.actions.report import report as readings
from witnessmark.actions.report.claims import unread_in
from witnessmark.actions.report.report import NO_REPORT, Report
from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.trace.index import index
from witnessmark.actions.tree.view import TreeState

TEXT = "I fixed `a.py`. The linter is clean; all tests pass.\nNothing was run after that! See below."


def claim(words: str) -> ActionClaim:
    at = TEXT.index(words)
    return ActionClaim("work", by="report", text=words, span=(at, at + len(words)))


@pytest.mark.parametrize(
    ("words", "to", "part"),
    [
        ("fixed", "stop", "I fixed `a.py`."),
        ("tests pass", "semicolon", "all tests pass."),
        ("tests pass", "stop", "The linter is clean; all tests pass."),
        ("clean; all", "semicolon", "The linter is clean; all tests pass."),
        ("below.", "semicolon", "See below."),
    ],
)
def test_a_claim_stands_in_the_sentence_around_it_which_ends_at_a_semicolon_where_one_asks_so(words, to, part) -> None:
    assert Report(TEXT).part_of(claim(words), to) == part


def test_the_sentence_after_it_may_be_asked_for_too() -> None:
    assert Report(TEXT).part_of(claim("tests pass"), following=1) == "all tests pass. Nothing was run after that!"


def test_the_same_words_later_in_a_report_are_not_taken_for_those_of_the_claim() -> None:
    twice = "All tests pass. First.\nAll tests pass. Second."
    at = twice.rindex("All")
    later = ActionClaim("tests_passed", by="report", text="All tests pass.", span=(at, at + 15))
    assert Report(twice).part_of(later, "stop", following=1) == "All tests pass. Second."


def test_a_claim_without_a_place_in_the_report_has_its_own_words() -> None:
    assert NO_REPORT.part_of(claim("tests pass")) == "tests pass"
    assert Report(TEXT).part_of(ActionClaim("work", text="done")) == "done"


def test_every_reading_of_a_report_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    for name in ("lines", "sentences", "passages", "language_of"):
        real = getattr(readings, name)
        monkeypatch.setattr(readings, name, lambda *given, real=real, name=name: (made.append(name), real(*given))[1])
    report = Report("I changed `a.py` and ran `pytest -q`: 3 passed, coverage is 80 %.\n\n- `b.py`: 12 lines\n")
    trace = index(Trace("t", (ToolCall("c", "Bash", {"command": "pytest -q"}, "3 passed", 0, ok=True),)))
    claims = [*collect.in_words(report), *collect.by_trace(report, trace)]
    collect.hold_all(claims, TreeState(), trace, "", report)
    unread_in(report, claims)
    assert sorted(made) == ["language_of", "lines", "passages", "sentences"]
