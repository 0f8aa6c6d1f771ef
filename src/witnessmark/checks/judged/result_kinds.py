"""The right questions for the kind of result: code is not read like an analysis, nor a translation like a table.

The kind is what the case says (`context.result_type`); where it says nothing, plain marks of the request and the result
decide, and `general` where they do not. Third parties add kinds with `add`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from witnessmark.core.case import AgentOutput, Case
from witnessmark.core.errors import InputError
from witnessmark.judges.ask import phrase
from witnessmark.text.markdown import blocks, lines

_KINDS = ("general", "code", "analysis", "summary", "translation", "data", "writing", "decision", "validation")
_RUBRICS: dict[str, tuple[str, ...]] = {kind: tuple(phrase("_result_kinds", kind).splitlines()) for kind in _KINDS}
_MARKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("translation", re.compile(r"\btranslat|\bübersetz|\btradu[icz]", re.IGNORECASE)),
    (
        "code",
        re.compile(
            r"\b(?:implement|refactor|debug|(?:write|fix|add|create)\s+(?:\w+\s+){0,3}(?:function|class|script|test|tests|endpoint|bug|code|module|query))\b",
            re.IGNORECASE,
        ),
    ),
    ("summary", re.compile(r"\bsummar[iy]|\bzusammenfass|\brésum", re.IGNORECASE)),
    ("validation", re.compile(r"\b(?:validate|verify that|check whether|audit)\b", re.IGNORECASE)),
    ("decision", re.compile(r"\b(?:should (?:we|i)|recommend|which .{1,60}\b(?:choose|should|better|best))\b", re.IGNORECASE)),
    ("analysis", re.compile(r"\b(?:analy[sz]|assess|evaluat|compar|investigat|why (?:did|does|do|is|was|are))", re.IGNORECASE)),
    ("writing", re.compile(r"\b(?:write|draft|compose)\b", re.IGNORECASE)),
)  # fmt: skip


def add(kind: str, questions: tuple[str, ...]) -> None:
    """Make a further kind of result known, with what to ask about it."""
    if kind in _RUBRICS:
        raise InputError(f"result kind {kind!r} already exists; choose another name")
    _RUBRICS[kind] = questions


def remove(kind: str) -> None:
    """Forget a kind that was added; unknown ones are left alone."""
    _RUBRICS.pop(kind, None)


def known() -> Mapping[str, tuple[str, ...]]:
    """Every kind with its questions."""
    return dict(_RUBRICS)


def kind_of(case: Case) -> str:
    """The kind of result this case is about."""
    told = case.context.get("result_type")
    if told is not None:
        if told not in _RUBRICS:
            raise InputError(f"context.result_type: {told!r} is not one of {', '.join(_RUBRICS)}")
        return str(told)
    for kind, mark in _MARKS:
        if mark.search(case.goal):
            return kind
    if not isinstance(case.subject, AgentOutput) and _mostly_code(case.text):
        return "code"
    return "data" if case.text.lstrip()[:1] in ("{", "[") else "general"


def _mostly_code(text: str) -> bool:
    prose = sum(len(line.text.strip()) for line in lines(text) if not line.fenced)
    return sum(len(block.text.strip()) for block in blocks(text)) > prose


def questions(kind: str) -> str:
    """What a reader is told to look at for this kind of result."""
    listed = "\n".join(f"- {question}" for question in _RUBRICS[kind])
    return f"{phrase('_result_kinds', 'lead', kind=kind)}\n{listed}"
