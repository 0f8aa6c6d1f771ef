"""One thing a response says, and whether it can be checked. Knows nothing about how it was found."""

from __future__ import annotations

from dataclasses import dataclass

from witnessmark.text.sentences import Span


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing a response says; `why_not` is empty where it can be checked."""

    span: Span
    text: str
    kind: str = "text"
    citations: tuple[str, ...] = ()
    why_not: str = ""

    @property
    def checkable(self) -> bool:
        """Whether evidence could bear it out or not."""
        return not self.why_not
