"""What kind of text is verified, told from the input alone: each kind is wrong for reasons and at rates of its own.

>>> kind_of("Who built it?", record=False), kind_of("Summarise the report.", record=False), kind_of("I love bowling!", record=False)
('answer', 'summary', 'dialogue')
"""

from __future__ import annotations

from typing import Literal

from witnessmark.checks.grounding.reading.questions import is_question
from witnessmark.checks.grounding.reading.speech import instructs
from witnessmark.text import lang, words

TextKind = Literal["record", "summary", "answer", "dialogue", "statement"]


def kind_of(goal: str, *, record: bool) -> TextKind:
    """A text over a record; a summary; an answer; a turn in a talk; or a statement, where nothing was asked."""
    if record:
        return "record"
    if not goal.strip():
        return "statement"
    if lang.speech("asks_for_summary").search(goal):
        return "summary"
    return "dialogue" if _talks(goal) else "answer"


def _talks(goal: str) -> bool:
    """Whether a goal is what somebody says in a talk: turns with speakers, or words of one's own that ask for nothing."""
    if lang.speech("turns").search(goal):
        return True
    asks = is_question(goal) or instructs(goal)
    return not asks and not lang.words("first_person").isdisjoint(words.words(goal))
