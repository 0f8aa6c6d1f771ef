"""Whether a synthesis and the agent outputs that it rests on are whole.

What breaks off in the middle of a sentence says nothing about what would have followed, and no claim can be borne by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from witnessmark.checks.plain.endings import cut
from witnessmark.core.case import Case
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import EvidenceRef, Finding, Result, passed

ENDING = 80
"""Characters of the end that a finding shows."""


@check("synthesis_whole", version="1", cost="instant")
def synthesis_whole() -> Look:
    """Neither the synthesis nor an agent output that it rests on breaks off in the middle of a sentence."""

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        found = [*_own_end(case.text), *_ends_of_outputs(case, _unused(prior))]
        missing = [finding for finding in found if finding.severity == "error"]
        if not missing:
            return passed("nothing that it rests on breaks off", findings=tuple(found))
        return Result(status="partial", score=0.0, reason=missing[0].message, findings=tuple(found))

    return look


def _unused(prior: Mapping[str, Result]) -> frozenset[str]:
    """The outputs that no claim rests on, by their ids."""
    traced = prior.get("traceability")
    told = traced.details.get("unused_outputs") if traced is not None else None
    return frozenset(told) if isinstance(told, (list, tuple)) else frozenset()


def _own_end(text: str) -> Iterator[Finding]:
    why = cut(text)
    if why is not None:
        start, end = _ending(text)
        yield Finding(
            message=f"the answer breaks off: {why}",
            category="truncated",
            quote=text[start:end],
            span=(start, end),
            suggestion="Finish the last sentence, or leave it out.",
        )


def _ends_of_outputs(case: Case, unused: frozenset[str]) -> Iterator[Finding]:
    """Agent outputs that break off; one that nothing rests on is told and does no harm."""
    for source in case.evidence:
        text = said_in_words(source.text or "") if source.kind == "agent_output" else ""
        why = cut(text)
        if why is not None:
            start, end = _ending(text)
            yield Finding(
                message=f"an agent output breaks off: {why}",
                category="truncated",
                severity="warning" if source.id in unused else "error",
                quote=text[start:end],
                evidence=(EvidenceRef(id=source.id, span=(start, end)),),
                suggestion="Have the agent deliver the whole output, or leave out what rests on it.",
            )


def said_in_words(text: str) -> str:
    r"""An output without the data that follow its words as a last line of JSON.

    >>> said_in_words('All 24 hangers hold.\n{"hangers":24}')
    'All 24 hangers hold.'
    """
    words, _, last = text.rstrip().rpartition("\n")
    is_data = last[:1] in ("{", "[") and last[-1:] in ("}", "]")
    return words if is_data and words.strip() else text


def _ending(text: str) -> tuple[int, int]:
    """Where the last words of a text stand: those of its last line, at most as many as a finding shows."""
    end = len(text.rstrip())
    start = max(text.rfind("\n", 0, end) + 1, end - ENDING)
    if start and text[start - 1].isalnum():  # not in the middle of a word
        start = text.find(" ", start, end) + 1 or start
    return start, end
