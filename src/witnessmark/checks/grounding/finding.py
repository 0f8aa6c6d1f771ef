"""What a rule found about one part of a claim: the same, elsewhere, contradicted or missing, and where it looked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.text.records import Field
from witnessmark.text.sentences import Span

Finding = Literal["same", "elsewhere", "contradicted", "missing"]


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """What a rule found about one part of a claim."""

    rule: str
    finding: Finding
    part: str
    passage: Passage | None = None
    place: Span | None = None
    stated: str = ""


def looked(rule: str, part: str, near: Sequence[tuple[float, Passage]]) -> RuleFinding:
    """That a part of a claim is mentioned nowhere, with the passage that was nearest."""
    best = near[0][1] if near else None
    return RuleFinding(rule, "missing", part, best, best.span if best else None)


def at_field(rule: str, finding: Finding, part: str, source: str, field: Field, index: Index) -> RuleFinding:
    """What a value of a record says of a part of a claim."""
    stated = f"{' '.join(field.path[-2:])}: {field.value}"[:120]
    return RuleFinding(rule, finding, part, index.passage_at(source, field.span), field.span, stated)
