"""The questions that the measures of a retrieval step put to a judge where words cannot tell, and how its answers are read.

An answer that names no quote which is there, or says that it cannot tell, is not an answer. Makes no result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from witnessmark.checks.grounding.evidence import EvidenceSource
from witnessmark.core.allowance import bypass
from witnessmark.core.case import Case
from witnessmark.core.errors import BudgetError, JudgeReplyError, UsageError
from witnessmark.core.policy import Policy
from witnessmark.core.protocols import Asks, Judge, Judges, Question
from witnessmark.core.verdict import Independence, Usage
from witnessmark.judges import windows
from witnessmark.judges.ask import ask_about
from witnessmark.judges.choice import choose
from witnessmark.text import quotes

_WORDS = ("yes", "partly", "no", "unclear")
_RELEVANCY_REPLY: dict[str, Any] = {
    "type": "object",
    "properties": {"addresses": {"type": "string", "enum": list(_WORDS)}},
    "required": ["addresses"],
}
_PRECISION_REPLY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "sources": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "needed": {"type": "string", "enum": list(_WORDS)},
                    "quote": {"type": "string"},
                },
                "required": ["number", "needed", "quote"],
            },
        }
    },
    "required": ["sources"],
}
MOST_TOKENS = 600


@dataclass(frozen=True, slots=True)
class MeasureReply:
    """Who answered, under which prompt, at what cost."""

    judge: str
    prompt: str
    usage: Usage
    independence: Independence


def judge_for(case: Case, judges: Judges | None, policy: Policy | None) -> tuple[Judge | None, Independence]:
    """The judge to ask about this case and how far it stands from the work; None where none is at hand or none may be asked."""
    if judges is None or (policy is not None and bypass(policy, case) is not None):
        return None, "unknown"
    try:
        chosen = choose(judges, case, "measures")
    except UsageError:
        return None, "unknown"
    return chosen.judge, chosen.independence


async def relevancy(case: Case, judge: Judge, far: Independence) -> tuple[float | None, MeasureReply | None]:
    """How far the answer addresses the question, by the judge; None where it cannot tell."""
    data, heard = await _asked(judge, far, _relevancy_question(case, judge))
    said = data.get("addresses") if data is not None else None
    if data is not None and said not in _WORDS:
        raise JudgeReplyError(f"addresses: is not one of {', '.join(_WORDS)}")
    return {"yes": 1.0, "partly": 0.5, "no": 0.0}.get(str(said)), heard


def _relevancy_question(case: Case, judge: object = None) -> Question:
    fitted = windows.fit({"answer": case.text}, case.goal, windows.room(judge))
    return ask_about(
        "relevancy",
        ours=fitted.note,
        material={"question": case.goal, **fitted.material},
        reply_schema=_RELEVANCY_REPLY,
        max_tokens=MOST_TOKENS,
    )


def relevancy_asks(case: Case, options: Mapping[str, Any]) -> Asks:
    """What `answer_relevancy` would ask where words cannot tell."""
    return Asks([_relevancy_question(case)], surely=False)


async def needed(
    case: Case, sources: Sequence[EvidenceSource], judge: Judge, far: Independence
) -> tuple[dict[str, bool], MeasureReply | None]:
    """Which sources are needed, as far as the judge could say and show: a `yes` without a quote that is there is no word."""
    data, heard = await _asked(judge, far, precision_question(case, sources, judge))
    listed = data.get("sources", []) if data is not None else []
    if not isinstance(listed, list) or not all(isinstance(one, Mapping) for one in listed):
        raise JudgeReplyError("sources: should be a list with one entry for each source")
    texts = [quotes.key(source.text) for source in sources]
    found: dict[str, bool] = {}
    for one in listed:
        number, word, quote = one.get("number"), one.get("needed"), quotes.key(str(one.get("quote", "")))
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(sources):
            continue
        if word == "no" or (word in ("yes", "partly") and quote and quote in texts[number - 1]):
            found[sources[number - 1].id] = word != "no"
    return found, heard


def precision_question(case: Case, sources: Sequence[EvidenceSource], judge: object = None) -> Question:
    """Which of these sources are needed? They are numbered, because their ids are somebody else's words."""
    texts = {f"source{number}": source.text for number, source in enumerate(sources, 1)}
    fitted = windows.fit(texts, f"{case.goal} {case.text}", max(windows.room(judge) - len(case.text), 1))
    return ask_about(
        "precision",
        ours=fitted.note,
        material={"question": case.goal, "answer": case.text, **fitted.material},
        reply_schema=_PRECISION_REPLY,
        max_tokens=MOST_TOKENS,
    )


async def _asked(
    judge: Judge, far: Independence, question: Question
) -> tuple[dict[str, Any] | None, MeasureReply | None]:
    """The judge's reply; None where it does not fit into what is left to spend."""
    try:
        reply = await judge.ask(question)
    except BudgetError:
        return None, None
    return reply.data, MeasureReply(reply.judge, question.prompt, reply.usage, far)
