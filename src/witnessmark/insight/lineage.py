"""Where the sentences of a synthesis come from: subgoal → tool call → agent output → sentence, as one small graph.

Made from a case and its record; nothing is looked up or judged here. A broken leaf, a tool call that failed, marks every
sentence that rests on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from witnessmark.core.case import Case, Evidence
from witnessmark.core.record import Record
from witnessmark.core.values import canonical
from witnessmark.core.verdict import Claim
from witnessmark.text.failures import call_failed


@dataclass(frozen=True, slots=True)
class Thread:
    """One sentence back to where it began. `agent` is None where no agent output bears it.

    `against` are the sources that contradict it, each by its origin and its id.
    """

    claim: Claim
    agent: str | None = None
    output: str | None = None
    calls: tuple[str, ...] = ()
    subgoal: str | None = None
    broken: tuple[str, ...] = ()
    against: tuple[tuple[str, str], ...] = ()


def threads(case: Case, record: Record) -> list[Thread]:
    """Every claim with each agent output that bears it, in the order of the text; one with none stands alone."""
    sources = {source.id: source for source in case.evidence}
    failed = {s.id for s in case.evidence if s.kind == "tool_call" and call_failed(s)}
    return [thread for claim in record.claims for thread in _of(claim, sources, failed)]


def _of(claim: Claim, sources: Mapping[str, Evidence], failed: set[str]) -> Iterator[Thread]:
    bears = claim.status in ("supported", "partial") or "agents" in claim.details
    found = dict.fromkeys(ref.id for ref in claim.evidence if ref.id in sources) if bears else {}
    if not found:
        named = [sources[ref.id] for ref in claim.evidence if ref.id in sources and claim.status == "contradicted"]
        yield Thread(claim, against=tuple((source.origin or source.id, source.id) for source in named))
    for name in found:
        source = sources[name]
        told = source.data if isinstance(source.data, Mapping) else {}
        calls = tuple(call for call in told.get("rests_on") or () if isinstance(call, str))
        subgoal = told.get("subgoal")
        yield Thread(
            claim,
            agent=source.origin or name,
            output=name,
            calls=calls,
            subgoal=subgoal if isinstance(subgoal, str) else None,
            broken=tuple(call for call in calls if call in failed),
        )


def brought_in(case: Case, record: Record, words: str) -> list[str]:
    """Which agents brought in the sentences that hold these words; none where no agent did.

    Those whose own output has the words go first. Without any, a sentence that is borne out says it in other words; of one that
    is borne out in part, these may be the part that nobody brought in.
    """
    wanted = _plain(words)
    hits = [one for one in threads(case, record) if one.agent is not None and wanted in _plain(one.claim.text)]
    said = {source.id for source in case.evidence if wanted in _plain(_said_by(source))}
    own = [one for one in hits if one.output in said] or [one for one in hits if one.claim.status == "supported"]
    return list(dict.fromkeys(one.agent for one in own if one.agent is not None))


def _said_by(source: Evidence) -> str:
    return f"{source.text or ''} {canonical(source.data).decode() if source.data else ''}"


def _plain(words: str) -> str:
    return " ".join(words.split()).casefold()


def drawn(case: Case, record: Record) -> list[str]:
    """The graph as lines of text: each sentence, and under it what it rests on."""
    lines: list[str] = []
    last: Claim | None = None
    for thread in threads(case, record):
        if thread.claim is not last:
            mark = "✗" if thread.broken or thread.agent is None else "✓" if thread.claim.status == "supported" else "~"
            lines.append(f"{mark} {thread.claim.text}")
            last = thread.claim
        lines.append(f"    {_path(thread)}")
    return lines


def _path(thread: Thread) -> str:
    if thread.agent is None:
        return f"← no agent output ({thread.claim.status})"
    parts = [f"{thread.agent} [{thread.output}]"]
    parts += [f"{call} (failed)" if call in thread.broken else call for call in thread.calls]
    parts += [thread.subgoal] if thread.subgoal else []
    return "← " + " ← ".join(parts)
