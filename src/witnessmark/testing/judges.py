"""A stand-in for the judges at hand: always the same one, and as independent as the test says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from witnessmark.core.case import Stakes
from witnessmark.core.protocols import Judge, Question
from witnessmark.core.verdict import Independence


class OneJudge:
    """Picks one judge for everything; `picked`, `purposes` and `named` say for whom and for what."""

    def __init__(self, judge: Judge, independence: Independence = "family") -> None:
        self.judge, self.level = judge, independence
        self.picked: list[tuple[str | None, Stakes]] = []
        self.purposes: list[str] = []
        self.named: list[str | None] = []

    def pick(
        self, executor_model: str | None, *, stakes: Stakes = "normal", purpose: str = "", named: str | None = None
    ) -> Judge:
        """The one judge."""
        self.picked.append((executor_model, stakes))
        self.purposes.append(purpose)
        self.named.append(named)
        return self.judge

    def independence(self, judge: Judge, executor_model: str | None) -> Independence:  # noqa: ARG002 - told, not found
        """As the test says."""
        return self.level


def scores(
    table: Mapping[str, Any], *, confidence: float = 0.9, reasoning: str = "as scripted"
) -> Callable[[Question], Any]:
    """A script that answers every entry a question asks about: by its key, or by `*` for all others."""

    def answer(question: Question) -> dict[str, Any]:
        return {
            key: {"reasoning": reasoning, "score": table.get(key, table.get("*")), "confidence": confidence}
            for key in question.reply_schema["required"]
        }

    return answer
