"""A generator that needs no model: it keeps what is borne out and says the rest in the words of the sources, marked.

A contradicted or unlikely claim is replaced by the sentence of the source that speaks about it, with the source's id in
brackets; a claim that no source speaks about is taken out, and `[…]` stands in its place, unless it is likely borne out all the
same: to cut it would do more harm than good, and its doubt stands in the record. A value of a record (`false`, a row of a table) is
no sentence and never stands for one: where the sources answer by such a value alone, nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from witnessmark.core.case import Evidence
from witnessmark.core.thresholds import threshold
from witnessmark.core.verdict import Claim, EvidenceRef
from witnessmark.retrieval.protocols import Revision
from witnessmark.text import asked
from witnessmark.text.records import fields
from witnessmark.text.sentences import Span

REMOVED = "[…]"
NEAR_ENOUGH = 0.45
"""The share of a claim's words that a sentence must have to stand in for it."""
ABOUT = 0.5
"""The share of a question's words that a sentence must have to be given as its answer."""
LIKELY = threshold("correction")
"""How likely a doubtful claim must be borne out to stay: on labelled answers less cuts true ones and mends no more false ones."""
NO_ANSWER = "The sources do not say."
Nearest = Callable[[str, Sequence[Evidence]], Sequence[tuple[float, EvidenceRef]]]


class ExtractiveGenerator:
    """Puts a response right by cutting and quoting; answers a bare question with what the sources say about it."""

    def __init__(self, nearest: Nearest) -> None:
        self._nearest = nearest

    def generate(self, task: Revision) -> str:
        """The response with everything that is not borne out replaced or taken out; empty where no sentence of the sources would do."""
        texts = {source.id: source.text or "" for source in task.sources}
        made = self._repaired(task, texts) if task.response else ""
        return made or self._answer(task, texts)

    def _repaired(self, task: Revision, texts: dict[str, str]) -> str:
        pieces: list[str] = []
        said: set[str] = {
            task.response[slice(*c.span)].strip() for c in task.claims if c.span and c.status == "supported"
        }
        at, kept = 0, bool(said)
        for claim in task.claims:
            if claim.span is None or claim.status in ("supported", "unverifiable"):
                continue
            quoted = self._instead(claim, task, texts)
            if not quoted and _likely(claim):
                kept = True
                continue
            pieces.append(task.response[at : claim.span[0]])
            fresh = quoted if quoted and quoted not in said else REMOVED
            said.add(quoted)
            pieces.append(fresh)
            kept = kept or fresh != REMOVED
            at = claim.span[1]
        pieces.append(task.response[at:])
        return "".join(pieces).strip() if kept else ""

    def _instead(self, claim: Claim, task: Revision, texts: dict[str, str]) -> str:
        for share, ref in self._nearest(claim.text, task.sources)[:1]:
            if share >= NEAR_ENOUGH:
                return _quoted(ref, texts)
        return ""

    def _answer(self, task: Revision, texts: dict[str, str]) -> str:
        about = " ".join(asked.subject(task.query)) or task.query
        near = [ref for share, ref in self._nearest(about, task.sources)[:2] if share >= ABOUT]
        said = " ".join(dict.fromkeys(part for ref in near if (part := _quoted(ref, texts))))
        contradicted = any(claim.status == "contradicted" for claim in task.claims)
        return said or ("" if near or contradicted else NO_ANSWER)


def _likely(claim: Claim) -> bool:
    """Whether a doubtful claim is likely right all the same."""
    return claim.status != "contradicted" and claim.probability is not None and claim.probability >= LIKELY


def _quoted(ref: EvidenceRef, texts: dict[str, str]) -> str:
    """The words of a source with its id; empty where they are no sentence but a value of a record."""
    whole = texts.get(ref.id, "")
    part = " ".join((whole[slice(*ref.span)] if ref.span else whole).split())
    if not part or _is_value(whole, ref.span):
        return ""
    end = part[-1] if part[-1] in ".!?" else ""
    return f"{part.removesuffix(end) if end else part} [{ref.id}]{end or '.'}"


def _is_value(text: str, span: Span | None) -> bool:
    """Whether a place in a source holds a value of its JSON or a row of its table, and no sentence."""
    start, end = span or (0, len(text))
    data = text.lstrip()[:1] in ("{", "[")
    values = [one for one in fields(text) if (data or one.table) and start <= one.span[0] < end]
    return bool(values) and not any(
        one.value.rstrip().endswith((".", "!", "?")) and " " in one.value.strip() for one in values
    )
