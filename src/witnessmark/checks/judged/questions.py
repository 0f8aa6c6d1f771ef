"""What a judge is asked about a few criteria: the rubric in our words, the material, and the form of the reply.

Pure: the same case, criteria and sample give the same question, the fence's nonce apart. Asks nobody.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from typing import Any

import msgspec

from witnessmark.checks.judged import scales
from witnessmark.checks.judged.case_parts import Part
from witnessmark.core.case import Case
from witnessmark.core.plans.criteria import CriterionKind, Scale
from witnessmark.core.protocols import Question
from witnessmark.core.values import Value
from witnessmark.judges.ask import ask_about, phrase, seed_of

SPREAD = 0.7
"""The temperature of further samples; the first is taken at 0."""
TOKENS_EACH = 350


class CriterionItem(Value, frozen=True):
    """One criterion as a judge is asked about it."""

    key: str
    text: str
    scale: Scale | None = None
    met_threshold: float | None = None
    principle: bool = False
    kind: CriterionKind | None = None
    resample: bool = True
    must_pass: bool = False
    beside: bool = False
    """Whether a checkpoint asks it beside the criteria of the case, so that nobody misses a judge for it."""
    reading: str | None = None
    """The node that asks about it together with others; it is asked about by itself where there is none."""

    @property
    def met_from(self) -> float:
        """The score from which it is met."""
        return scales.met_from(self.text, self.met_threshold)


def question_about(case: Case, items: Sequence[CriterionItem], part: Part, *, sample: int) -> Question:
    """One question about these items, in an order that depends on the case and the sample."""
    seed = seed_of(case) + sample
    order = _shuffled(items, seed)
    template, words, schema = _asked(order)
    return ask_about(
        template,
        ours=f"{words}\n{part.note}".strip(),
        material=_materials(case, part, swapped=sample % 2 == 1),
        reply_schema=schema,
        seed=seed,
        max_tokens=TOKENS_EACH * len(order) + 150,
        temperature=SPREAD if sample else 0.0,
    )


def _shuffled(items: Sequence[CriterionItem], seed: int) -> tuple[CriterionItem, ...]:
    """The items in an order that depends on the seed alone; one alone needs no dice."""
    if len(items) == 1:
        return tuple(items)
    return tuple(random.Random(seed).sample(list(items), len(items)))  # noqa: S311 - a shuffle, no secret


@functools.lru_cache(maxsize=1024)
def _asked(items: tuple[CriterionItem, ...]) -> tuple[str, str, msgspec.Raw]:
    """The prompt, the rubric in words and the form of the reply, made once: the same criteria are asked about again and again."""
    template = "principle" if all(item.principle for item in items) else "rubric"
    return template, rubric_words(items), msgspec.Raw(msgspec.json.encode(reply_schema(items)))


def _materials(case: Case, part: Part, *, swapped: bool) -> dict[str, str]:
    """What is judged, by name; every other sample has the evidence before the output."""
    pairs = [("task", case.goal), ("output", part.output), ("evidence", part.evidence)]
    if swapped:
        pairs.reverse()
    return {name: text for name, text in pairs if text or name == "output"}


def rubric_words(items: Sequence[CriterionItem]) -> str:
    """The rubric as the judge reads it: the levels of each scale, and each entry with what it is about."""
    used = sorted({scale_of(item) for item in items})
    levels = [f"Scale {scale}: {phrase('_rubric', scale)}" for scale in used]
    entries = [
        phrase("_rubric", "entry", key=item.key, scale=item.scale, about=_about(item), text=item.text) for item in items
    ]
    return "\n".join([*levels, phrase("_rubric", "heading"), *entries])


def _about(item: CriterionItem) -> str:
    return phrase("_rubric", "principle" if item.principle else item.kind or "criterion")


def reply_schema(items: Sequence[CriterionItem]) -> dict[str, Any]:
    """What the judge must answer: for each item the reasoning first, then the score on its scale, then how sure it is."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [item.key for item in items],
        "properties": {item.key: _entry_schema(item) for item in items},
    }


def _entry_schema(item: CriterionItem) -> dict[str, Any]:
    words: dict[str, Any] = {"type": "string"}
    entry: dict[str, Any] = {"critique": words, "revision": words} if item.principle else {"reasoning": words}
    entry |= {
        "score": scales.REPLY_SCHEMA[scale_of(item)],
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    }
    return {"type": "object", "additionalProperties": False, "required": list(entry), "properties": entry}


def scale_of(item: CriterionItem) -> Scale:
    """The scale of an item that has one by now."""
    assert item.scale is not None
    return item.scale
