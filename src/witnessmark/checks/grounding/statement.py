"""One thing a response says, and whether it can be checked. Knows nothing about how it was found."""

from __future__ import annotations

from dataclasses import dataclass

from witnessmark.core.verdict import Hedge
from witnessmark.text.sentences import Span


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing a response says; `why_not` is empty where it can be checked.

    `kind` is where it stands (text, item, table, title, code) or what it is: `short` for an answer that is read with its
    question, `refusal`, `untold` for one that says among other things what the sources leave open, or one of the few things that assert nothing (greeting, question, about_answer, heading).
    """

    span: Span
    text: str
    kind: str = "text"
    citations: tuple[str, ...] = ()
    why_not: str = ""
    hedge: Hedge = ""
    """How it is put, where not as a plain statement. It is checked all the same."""

    code: tuple[str, ...] = ()
    """What stands in it as code, to the letter."""
    heads: tuple[str, str] | None = None
    """The names of the two columns that a row of a table has."""
    beside: bool = False
    """Whether it is said in a clause beside the main one: what is about its subject comes in the same clause."""
    breaks_off: bool = False
    """Whether the text ends in it without saying it to its end."""
    working: str = ""
    """How it is worked out, in the words that the text has behind it."""
    is_working: bool = False
    """Whether it is that of a figure before it."""

    @property
    def checkable(self) -> bool:
        """Whether evidence could bear it out or not."""
        return not self.why_not
