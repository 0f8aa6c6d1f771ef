"""A judge that reads perfectly, because it was told which words of a case are false: shows that no path leads around a judge.

With such a judge no damaged case may pass and every undamaged one must; what still goes wrong then is the fault of the rules
by which results become verdicts, not of how well anybody reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from witnessmark.checks.grounding.claims import claims
from witnessmark.core.case import Case
from witnessmark.core.protocols import Question
from witnessmark.judges.ask import material_of
from witnessmark.judges.scripted_judge import ScriptedJudge

ALIKE = 0.8
"""The share of the shorter text's words that two texts must have in common, in order, to be about the same thing."""


class PerfectReader(ScriptedJudge):
    """Answers every question rightly: a claim is unsupported where it says the false words, all others are supported.

    With the `case` it also knows which claims they are in where a claim is put in other words than the text, as short answers
    are. `scores` are answers to criteria by their key, in place of the best or the worst that their scale allows.
    """

    def __init__(
        self, false_words: str = "", scores: Mapping[str, Any] | None = None, case: Case | None = None
    ) -> None:
        super().__init__(self._answered, id="perfect-reader")
        self.false_words, self.scores = _words(false_words), dict(scores or {})
        self.false_claims = set(_false_claims(case, false_words)) if case is not None else set()

    def _answered(self, question: Question) -> dict[str, Any]:
        asked = material_of(question).get("claims")
        if asked is not None and "claims" in question.reply_schema["properties"]:
            return {"claims": [self._claim(one) for one in json.loads(asked)]}
        entries = question.reply_schema["properties"]
        told = {name: self._entry(schema) for name, schema in entries.items()}
        return told | {name: told[name] | {"score": score} for name, score in self.scores.items() if name in told}

    def _claim(self, asked: dict[str, Any]) -> dict[str, Any]:
        said = str(asked["claim"])
        wrong = said in self.false_claims or (bool(self.false_words) and alike(self.false_words, _words(said)))
        quote = "" if wrong else " ".join(str(asked["passages"]).split()[:3])
        return {"number": asked["number"], "status": "unsupported" if wrong else "supported", "evidence": quote}

    def _entry(self, schema: dict[str, Any]) -> Any:
        """The worst or the best that a schema allows; lists (of contradictions) are empty, since they need quotes."""
        if schema.get("type") == "object":
            told = {name: self._entry(inner) for name, inner in schema["properties"].items()}
            return told | ({"confidence": 1.0} if "confidence" in told else {})
        if schema.get("type") == "array":
            return []
        if "enum" in schema:
            return schema["enum"][0 if self.false_words else -1]
        if schema.get("type") in ("number", "integer"):
            return schema.get("minimum", 0) if self.false_words else schema.get("maximum", 1)
        if schema.get("type") == "boolean":
            return not self.false_words
        return "as told"


def _false_claims(case: Case, false_words: str) -> Iterator[str]:
    """The claims of a case's text that hold any of the false words."""
    start = case.text.find(false_words) if false_words else -1
    if start >= 0:
        end = start + len(false_words)
        yield from (one.text for one in claims(case.text, case.goal) if one.span[0] < end and start < one.span[1])


def alike(one: list[str], other: list[str]) -> bool:
    """Whether two texts are about the same thing: most words of the shorter one stand in the longer one."""
    short, long = sorted((one, other), key=len)
    return bool(short) and sum(word in long for word in short) >= ALIKE * len(short)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
