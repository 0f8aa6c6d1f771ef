"""A case as a judge is shown it: the output whole, or part by part where it is long, each with the evidence that fits.

What is left out is marked and told (`judges.windows`). Pure and deterministic; asks nobody.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import msgspec

from witnessmark.core.case import AgentOutput, Case, Evidence, Mission
from witnessmark.core.values import canonical
from witnessmark.judges import windows
from witnessmark.judges.ask import phrase

MOST_PARTS = 8
"""Questions one output may be split into; what is beyond them counts as not seen."""


class Part(msgspec.Struct, frozen=True):
    """One part of the output with the evidence that goes with it, and what the judge is told about the rest."""

    output: str
    evidence: str
    note: str


class CaseParts(msgspec.Struct, frozen=True):
    """All that is shown of a case, and which share of output and evidence that is."""

    parts: tuple[Part, ...]
    output_seen: float
    evidence_seen: float

    @property
    def whole(self) -> bool:
        """Whether one question holds everything."""
        return len(self.parts) == 1 and self.output_seen == 1.0 and self.evidence_seen == 1.0

    @property
    def seen(self) -> float:
        """The least share of anything: what caps the judge's confidence."""
        return min(self.output_seen, self.evidence_seen)


def parts_of(case: Case, judge: object = None) -> CaseParts:
    """What a judge is shown of the case: half of its window for the output, half for the evidence."""
    room = windows.room(judge) // 2
    output = output_text(case)
    if not case.evidence and len(output) <= room:
        return CaseParts((Part(output, "", ""),), 1.0, 1.0)  # most cases: nothing to split, nothing to choose
    pieces = windows.split(output, room) or [""]
    taken = pieces[:MOST_PARTS]
    seen = 1.0 if len(taken) == len(pieces) else round(sum(map(len, taken)) / len(output), 6)
    chosen = [windows.fit(evidence_texts(case.evidence), part, room) for part in taken]
    share = min(one.coverage for one in chosen)
    shown = tuple(
        Part(part, listed(one.material), _note(number, len(taken), min(seen, one.coverage)))
        for number, (part, one) in enumerate(zip(taken, chosen, strict=True), start=1)
    )
    return CaseParts(shown, seen, share)


def _note(number: int, count: int, seen: float) -> str:
    told = [phrase("_shared", "part", number=number, count=count)] if count > 1 else []
    return " ".join([*told, *filter(None, [windows.coverage_note(seen)])])


def output_text(case: Case) -> str:
    """The words of an output: an agent's as JSON, a mission's task by task."""
    subject = case.subject
    if isinstance(subject, Mission):
        return "\n\n".join(f"Task {task.id}: {task.description}\n{task.output}" for task in subject.tasks)
    if not isinstance(subject, AgentOutput):
        return case.text
    given = {key: value for key, value in subject.present().items() if key != "kind"}
    return json.dumps(json.loads(canonical(given)), ensure_ascii=False, indent=1)


def evidence_texts(evidence: Sequence[Evidence]) -> dict[str, str]:
    """All that each piece of evidence holds by its id: its text, and as JSON what it holds beside."""
    return {source.id: _evidence_text(source) for source in evidence}


def _evidence_text(source: Evidence) -> str:
    fields = {name: getattr(source, name) for name in ("data", "name", "input", "output", "exit_code")}
    beside = {name: value for name, value in fields.items() if value is not None}
    if source.text is not None and not beside:
        return source.text
    told = canonical(beside).decode()
    return told if source.text is None else f"{source.text}\n{told}"


def listed(texts: Mapping[str, str]) -> str:
    """Texts by id as one piece of material: the ids are somebody else's words too, so they stand inside the fence."""
    return "\n\n".join(f"[{ident}]\n{text}" for ident, text in texts.items())
