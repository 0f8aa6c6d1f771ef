"""The corrective loop: find what the claims lack, write again, verify with all the evidence in view, keep the best.

Bounded; every attempt is logged; it says why it stopped. New evidence counts for and against: the response at hand is
verified again with it before anything is rewritten, and versions are compared on the same evidence. Knows nothing about
how a response is verified.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from witnessmark.core.case import Evidence
from witnessmark.core.verdict import Claim
from witnessmark.retrieval.protocols import AnyGenerator, AnyRetriever, Revision, evidence_from, text_from
from witnessmark.retrieval.queries import gaps, targeted

Stop = Literal["grounded", "nothing to correct", "nothing new", "attempts used", "no attempts allowed"]
A_QUERY = 3
"""How many pieces of evidence are taken for one query."""


@dataclass(frozen=True, slots=True)
class ResponseCheck:
    """What verifying a response said: None for what could not be settled."""

    confidence: float | None
    grounded: bool | None
    claims: tuple[Claim, ...] = ()

    @property
    def rank(self) -> tuple[bool, float]:
        """Better is higher; what could not be verified is no better than what is not borne out."""
        return self.grounded is True, self.confidence or 0.0


Verify = Callable[[str, Sequence[Evidence]], Awaitable[ResponseCheck]]


@dataclass(frozen=True, slots=True)
class CorrectionAttempt:
    """One round: what was searched, what came of it, and whether this version was the best so far."""

    number: int
    queries: tuple[str, ...]
    found: tuple[str, ...]
    response: str
    checked: ResponseCheck
    kept: bool


@dataclass(frozen=True, slots=True)
class CorrectionResult:
    """The best version with its own verification, the log, and why the loop stopped."""

    response: str
    checked: ResponseCheck
    sources: tuple[Evidence, ...]
    attempts: tuple[CorrectionAttempt, ...]
    stop: Stop


@dataclass(slots=True)
class _Version:
    response: str
    checked: ResponseCheck


async def correct(
    query: str,
    response: str,
    first: ResponseCheck,
    sources: Sequence[Evidence],
    *,
    verify: Verify,
    retriever: AnyRetriever | None,
    generator: AnyGenerator,
    threshold: float = 0.7,
    max_attempts: int = 2,
) -> CorrectionResult:
    """Try to put a response right, at most `max_attempts` times."""
    view = tuple(sources)
    best = _Version(response, first)
    log: list[CorrectionAttempt] = []
    tried: frozenset[str] = frozenset()
    stop: Stop = "no attempts allowed"
    for number in range(1, max_attempts + 1):
        if _good(best.checked, threshold):
            break
        if not gaps(best.checked.claims) and view and best.checked.confidence is not None:
            stop = "nothing to correct"
            break
        queries = targeted(best.checked.claims, query, tried)
        tried |= frozenset(queries)
        found = await _more(retriever, queries, view)
        view += tuple(found)
        if found:
            best.checked = await verify(best.response, view)
        task = Revision(query, view, best.response, best.checked.claims)
        written = await text_from(generator, task)
        if written.strip() in ("", best.response.strip()) and not found:
            stop = "nothing new"
            break
        checked = await verify(written, view) if written.strip() else ResponseCheck(None, None)
        kept = checked.rank > best.checked.rank
        log.append(CorrectionAttempt(number, tuple(queries), tuple(e.id for e in found), written, checked, kept))
        best = _Version(written, checked) if kept else best
        stop = "attempts used"
    return CorrectionResult(
        best.response, best.checked, view, tuple(log), "grounded" if _good(best.checked, threshold) else stop
    )


def _good(checked: ResponseCheck, threshold: float) -> bool:
    return (
        checked.grounded is True
        and checked.confidence is not None
        and round(checked.confidence, 9) >= round(threshold, 9)
    )


async def _more(retriever: AnyRetriever | None, queries: Sequence[str], known: Sequence[Evidence]) -> list[Evidence]:
    """New evidence for the queries: nothing twice, no id twice."""
    if retriever is None:
        return []
    texts = {source.text for source in known}
    ids = {source.id for source in known}
    fresh: list[Evidence] = []
    for query in queries:
        for found in await evidence_from(retriever, query, A_QUERY):
            if not found.text or found.text in texts:
                continue
            number = len(ids)
            one = found if found.id not in ids else replace(found, id=f"{found.id}#{number}")
            texts.add(one.text)
            ids.add(one.id)
            fresh.append(one)
    return fresh
