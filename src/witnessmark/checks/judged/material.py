"""What a judge is shown of long material: never cut silently. Whole where it fits; otherwise the output in parts and the
evidence by what is nearest to the output, with how much that is. Pure and deterministic; knows no judge and no prompt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from witnessmark.core.case import AgentOutput, Case, Evidence, Mission
from witnessmark.core.values import canonical

WINDOW = 24_000
"""Characters of output in one question, and as many of evidence: about 12,000 tokens together."""
MOST_PARTS = 8
PIECE = 2_000
CAPPED = 0.6
"""The most a judge that did not see everything may be sure."""


@dataclass(frozen=True, slots=True)
class MaterialPart:
    """One part of the output with the evidence that goes with it, and what the judge is told about the rest."""

    output: str
    evidence: str
    note: str


@dataclass(frozen=True, slots=True)
class Material:
    """All that is shown of a case, and which share of output and evidence that is."""

    parts: tuple[MaterialPart, ...]
    output_seen: float
    evidence_seen: float

    @property
    def whole(self) -> bool:
        """Whether one question holds everything."""
        return len(self.parts) == 1 and self.output_seen == 1.0 and self.evidence_seen == 1.0


def material(case: Case, window: int = WINDOW) -> Material:
    """What a judge is shown of the case, a window at a time."""
    output = output_text(case)
    if not case.evidence and len(output) <= window:
        return Material((MaterialPart(output, "", ""),), 1.0, 1.0)  # most cases: nothing to split, nothing to choose
    pieces = list(split(output, window)) or [""]
    taken = pieces[:MOST_PARTS]
    seen = 1.0 if len(taken) == len(pieces) else round(sum(map(len, taken)) / len(output), 6)
    chosen = [nearest(case.evidence, part, window) for part in taken]
    share = min(share for _, share in chosen)
    shown = tuple(
        MaterialPart(part, evidence, _note(number, len(taken), seen, share))
        for number, (part, (evidence, _)) in enumerate(zip(taken, chosen, strict=True), start=1)
    )
    return Material(shown, seen, share)


def _note(number: int, count: int, seen: float, evidence: float) -> str:
    said = []
    if count > 1 or seen < 1:
        said.append(f"The output is long: this is part {number} of {count}. Judge what this part shows.")
    if seen < 1:
        said.append(f"The parts hold {seen:.0%} of the output; the rest is not shown.")
    if evidence < 1:
        said.append(
            f"Of the evidence, the {evidence:.0%} closest to the output are shown; absence here proves nothing."
        )
    return " ".join(said)


def output_text(case: Case) -> str:
    """The words of an output: an agent's as JSON, a mission's task by task."""
    subject = case.subject
    if isinstance(subject, Mission):
        return "\n\n".join(f"Task {task.id}: {task.description}\n{task.output}" for task in subject.tasks)
    if not isinstance(subject, AgentOutput):
        return case.text
    given = {key: value for key, value in subject.present().items() if key != "kind"}
    return json.dumps(json.loads(canonical(given)), ensure_ascii=False, indent=1)


def split(text: str, size: int) -> Iterator[str]:
    """The text in pieces of at most this many characters, at a paragraph, line or space where there is one."""
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        if end < len(text):
            for mark in ("\n\n", "\n", " "):
                at = text.rfind(mark, start + size // 2, end)
                if at > 0:
                    end = at + len(mark)
                    break
        yield text[start:end]
        start = end


def nearest(evidence: tuple[Evidence, ...], output: str, window: int) -> tuple[str, float]:
    """The evidence that fits, by words shared with the output, in its own order; and the share of all that it is."""
    pieces = [(source.id, part) for source in evidence for part in split(_words_of(source), PIECE)]
    total = sum(len(part) for _, part in pieces)
    if total <= window:
        return _listed(pieces), 1.0
    about = _terms(output)
    ranked = sorted(range(len(pieces)), key=lambda n: (-len(about & _terms(pieces[n][1])), n))
    kept: list[int] = []
    room = window
    for number in ranked:
        if len(pieces[number][1]) <= room:
            kept.append(number)
            room -= len(pieces[number][1])
    shown = [pieces[number] for number in sorted(kept)]
    return _listed(shown), round(sum(len(part) for _, part in shown) / total, 6)


def _words_of(source: Evidence) -> str:
    if source.text is not None:
        return source.text
    told = {"data": source.data, "name": source.name, "input": source.input, "output": source.output}
    return canonical({key: value for key, value in told.items() if value is not None}).decode()


def _listed(pieces: list[tuple[str, str]]) -> str:
    return "\n\n".join(f"[{source}]\n{part}" for source, part in pieces)


def _terms(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.casefold()))
