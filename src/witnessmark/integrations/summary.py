"""A record told in a few lines: which claim, which evidence, which reason, what to do. For people who read test output.

Judged text is hostile, so all of it is made harmless and short. Knows nothing about where the lines go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from witnessmark.core.case import Case
from witnessmark.core.explain import clipped
from witnessmark.core.record import Record
from witnessmark.core.verdict import Claim, EvidenceRef, Finding
from witnessmark.core.wrong_words import claim_sentence, harmless, lines, marked

AROUND = 60
LONGEST = 300
MOST = 20
"""How many claims and findings are told; more are counted."""


def summary_text(record: Record, case: Case | None = None) -> str:
    """The verdict and everything that speaks against it."""
    lines = [_head(record)]
    against = [claim for claim in record.claims if claim.status not in ("supported", "unverifiable")]
    texts = _texts(case)
    for claim in against[:MOST]:
        lines += _claim(claim, texts)
    about = {claim.text for claim in against}
    others = [finding for finding in record.findings if finding.quote not in about]
    for finding in others[:MOST]:
        lines += _finding(finding)
    more = max(0, len(against) - MOST) + max(0, len(others) - MOST)
    lines += [f"  and {more} more"] if more else []
    unsettled = [said for said in record.results if said.status in ("abstain", "error", "skipped")]
    lines += [f"  unsettled: {said.node}: {_short(said.reason)}" for said in unsettled]
    return "\n".join([*lines, f"  record {record.id[:12]}"])


def _head(record: Record) -> str:
    score = "none" if record.score is None else f"{record.score:.2f}"
    coverage = "none" if record.coverage is None else f"{record.coverage:.2f}"
    why = f" ({record.unverified_because})" if record.unverified_because else ""
    return f"Verdict: {record.outcome}{why} · next: {record.action} · {_short(record.headline)} [score {score}, coverage {coverage}]"


def _texts(case: Case | None) -> dict[str, str]:
    return {source.id: source.as_text() for source in case.evidence} if case is not None else {}


def _claim(claim: Claim, texts: Mapping[str, str]) -> Iterator[str]:
    yield f"  {claim.status}: “{_short(marked(claim))}”"
    yield f"    reason: {_short(claim_sentence(claim))}"
    for ref in claim.evidence[:3]:
        yield f"    evidence: {_place(ref, texts.get(ref.id, ''))}"


def _place(ref: EvidenceRef, text: str) -> str:
    if ref.span is None:
        return f"{_short(ref.id)}: “{_short(text)}”" if text else _short(ref.id)
    start, end = ref.span
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    cut = ("…" if start > AROUND else "") + before + text[start:end] + after + ("…" if end + AROUND < len(text) else "")
    return f"{_short(ref.id)} {start}–{end}" + (f": “{_short(cut)}”" if text else "")


def _finding(finding: Finding) -> Iterator[str]:
    first, *rest = lines(finding)
    yield f"  {finding.severity}: {_short(first)}"
    yield from (f"    {_short(line)}" for line in rest)


def _short(text: str) -> str:
    return clipped(harmless(text), LONGEST)
