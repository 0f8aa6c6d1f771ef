"""The corrective loop: find what the claims lack, write again, verify with all the evidence in view, keep the best.

It does no harm: a version takes the place of another only where it is better supported and still answers the question; a
refusal is right where the sources are silent, and then better than an answer they do not support. A generator or a retriever
that breaks ends the search, not the answer. Bounded; every attempt is logged; it says why it stopped. New evidence counts for and
against: versions are compared on the same evidence. Knows nothing about how a response is verified.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from witnessmark.core import thresholds
from witnessmark.core.case import Evidence
from witnessmark.core.verdict import Claim
from witnessmark.retrieval.protocols import AnyGenerator, AnyRetriever, Revision, evidence_from, text_from
from witnessmark.retrieval.queries import gaps, targeted

KEPT_FROM = thresholds.threshold("correction")

T = TypeVar("T")
Stop = Literal[
    "grounded",
    "nothing to correct",
    "nothing to write",
    "nothing new",
    "attempts used",
    "no attempts allowed",
    "generator failed",
]
A_QUERY = 3
"""How many pieces of evidence are taken for one query."""
ON_QUESTION = 0.5
"""How relevant a response must at least be, where that could be told, to take the place of another."""
OPEN_REFUSAL = 0.5
"""What a refusal counts for where nobody can tell whether the sources answer: better than an answer with less support than that."""


@dataclass(frozen=True, slots=True)
class ResponseCheck:
    """What verifying a response said: None for what could not be settled.

    `relevance` is how far it addresses the question, from 0 to 1.
    """

    confidence: float | None
    grounded: bool | None
    claims: tuple[Claim, ...] = ()
    relevance: float | None = None

    @property
    def refusal(self) -> bool:
        """Whether it says that the sources do not answer, and nothing else."""
        said = [claim.kind for claim in self.claims if claim.kind not in ("greeting", "heading", "about_answer")]
        return bool(said) and all(kind == "refusal" for kind in said)

    @property
    def off_question(self) -> bool:
        """Whether it answers something else, as far as that could be told."""
        return self.relevance is not None and self.relevance < ON_QUESTION and not self.refusal

    @property
    def rank(self) -> tuple[int, float, float]:
        """Better is higher: a supported answer, a right refusal, an answer with some support, one to another question."""
        if self.off_question:
            return 0, float(self.grounded is True), self.relevance or 0.0
        if self.grounded is True:
            return (2 if self.refusal else 3), self.confidence or 0.0, self.relevance or 0.0
        support = OPEN_REFUSAL if self.refusal and self.confidence is None else self.confidence or 0.0
        return 1, support, self.relevance or 0.0

    def better_than(self, other: ResponseCheck) -> bool:
        """Whether it may take the other's place: a higher rank, and no less of an answer to the question.

        Where both seem to miss the question alike, the one that is borne out is better than the one that is not.
        """
        if self.rank <= other.rank or (self.off_question and self.grounded is not True):
            return False
        if self.relevance is None or other.relevance is None or self.refusal:
            return not self.off_question
        return self.relevance >= min(other.relevance, ON_QUESTION)


Verify = Callable[[str, Sequence[Evidence]], Awaitable[ResponseCheck]]


@dataclass(frozen=True, slots=True)
class CorrectionAttempt:
    """One round: what was searched, what came of it, whether this version was the best so far, and what broke on the way."""

    number: int
    queries: tuple[str, ...]
    found: tuple[str, ...]
    response: str
    checked: ResponseCheck
    kept: bool
    fault: str = ""

    def as_json(self) -> dict[str, Any]:
        """One line of the log."""
        statuses = [claim.status for claim in self.checked.claims]
        counts = {name: statuses.count(name) for name in ("supported", "partial", "unsupported", "contradicted")}
        return {
            "attempt": self.number, "queries": list(self.queries), "found": list(self.found),
            "confidence": self.checked.confidence, "grounded": self.checked.grounded, "relevance": self.checked.relevance,
            "kept": self.kept, "fault": self.fault, **counts,
        }  # fmt: skip


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
    threshold: float = KEPT_FROM,
    max_attempts: int = 2,
) -> CorrectionResult:
    """Try to put a response right, at most `max_attempts` times; whatever breaks, the best verified version comes back."""
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
        found, fault = await _more(retriever, queries, view)
        view += tuple(found)
        if found:
            best.checked = await verify(best.response, view)
        task = Revision(query, view, best.response, best.checked.claims)
        reply = await _outcome(text_from(generator, task))
        if isinstance(reply, Exception):
            log.append(_failed(number, queries, found, best, f"generator: {_named(reply)}"))
            stop = "generator failed"
            break
        written = plain_reply(reply)
        if written in ("", best.response.strip()) and not found:
            stop = "nothing new" if written else "nothing to write"
            break
        checked = await verify(written, view) if written else ResponseCheck(None, None)
        kept = bool(written) and checked.better_than(best.checked)
        ids = tuple(one.id for one in found)
        log.append(CorrectionAttempt(number, tuple(queries), ids, written, checked, kept, fault))
        best = _Version(written, checked) if kept else best
        stop = "attempts used"
    return CorrectionResult(
        best.response, best.checked, view, tuple(log), "grounded" if _good(best.checked, threshold) else stop
    )


def _good(checked: ResponseCheck, threshold: float) -> bool:
    return (
        checked.grounded is True
        and not checked.off_question
        and checked.confidence is not None
        and round(checked.confidence, 9) >= round(threshold, 9)
    )


def _failed(
    number: int, queries: Sequence[str], found: Sequence[Evidence], best: _Version, fault: str
) -> CorrectionAttempt:
    return CorrectionAttempt(
        number, tuple(queries), tuple(one.id for one in found), best.response, best.checked, False, fault
    )


async def _outcome(work: Coroutine[Any, Any, T]) -> T | Exception:
    """What somebody else's retriever or generator gives, or what it raised: that must not lose the answer."""
    try:
        return await work
    except Exception as exc:  # noqa: BLE001 - somebody else's code, which may break in any way: told in the attempt
        return exc


def _named(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}"[:300]


async def _more(
    retriever: AnyRetriever | None, queries: Sequence[str], known: Sequence[Evidence]
) -> tuple[list[Evidence], str]:
    """New evidence for the queries (nothing twice, no id twice), and what the retriever raised, if it did."""
    if retriever is None:
        return [], ""
    texts = {source.text for source in known}
    ids = {source.id for source in known}
    fresh: list[Evidence] = []
    for query in queries:
        outcome = await _outcome(evidence_from(retriever, query, A_QUERY))
        if isinstance(outcome, Exception):
            return fresh, f"retriever: {_named(outcome)}"
        for found in outcome:
            if not found.text or found.text in texts:
                continue
            others = (f"{found.id}#{number}" for number in itertools.count(2))
            one = found if found.id not in ids else replace(found, id=next(name for name in others if name not in ids))
            texts.add(one.text)
            ids.add(one.id)
            fresh.append(one)
    return fresh, ""


_FENCE = re.compile(r"^```\w*\n(.*?)\n```$", re.DOTALL)
_LEAD = re.compile(
    r"^\s*(?:#{1,6}[^\n]*\n+|\*\*[^*\n]{1,60}\*\*:?[ \t]*\n+|"
    r"(?:sure|certainly|of course|okay|here(?:'s| is| are))\b[^\n:]{0,80}[:!.][ \t]*\n+|"
    r"(?:(?:corrected|revised|updated|final|new)\s+)?(?:answer|response|version)\s*:\s*)",
    re.IGNORECASE,
)


def plain_reply(text: str) -> str:
    """What a generator wrote without the heading, label or fence around it, which are nobody's claims."""
    bare = text.strip()
    fenced = _FENCE.match(bare)
    bare = fenced.group(1).strip() if fenced else bare
    for _ in range(4):
        led = _LEAD.match(bare)
        if led is None or not bare[led.end() :].strip():
            break
        bare = bare[led.end() :].strip()
    return bare
