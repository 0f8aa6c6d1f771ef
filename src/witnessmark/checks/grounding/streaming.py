"""Claims of a response verified while it arrives, sentence by sentence; in hold-back mode nothing is let through unverified.

Knows the evidence from the start and the response never as a whole: statements come out of `stream` once nothing after them
can change them, and are read in the language of what came so far. Marks differ for a response of one claim and of several: by
rules alone, a first claim that would be told otherwise by itself waits for a second, or for the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from witnessmark.checks.grounding.claim_reader import ClaimReader
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.checks.grounding.evidence import Index, sources_of
from witnessmark.checks.grounding.findings import unverifiable
from witnessmark.checks.grounding.grounding_check import claim_of
from witnessmark.checks.grounding.reading.language import language_of
from witnessmark.checks.grounding.statement import Statement
from witnessmark.checks.grounding.stream import Stream
from witnessmark.core.case import Evidence
from witnessmark.core.errors import InputError
from witnessmark.core.protocols import Models, SupportModel
from witnessmark.core.verdict import Claim

WITHHELD = "[…]"
BAD = frozenset({"contradicted", "unsupported"})


@dataclass(frozen=True, slots=True)
class StreamPart:
    """What a piece let through: text to show, and the claims that were settled."""

    text: str
    claims: tuple[Claim, ...]


class Watch:
    """Watches one response against its evidence. Without `hold_back` the text passes at once and only claims are late.

    `Verifier.watch` makes one that reads with the embedded model the settings name; by itself it goes by rules alone.
    """

    def __init__(
        self,
        evidence: Sequence[Evidence],
        goal: str = "",
        *,
        hold_back: bool = False,
        model: SupportModel | None = None,
        models: Models | None = None,
        verification: Verification | None = None,
    ) -> None:
        sources = sources_of(evidence)
        if not sources:
            raise InputError("evidence: a stream cannot be verified without any; pass the retrieved context")
        language, why = language_of("", sources)
        if language is None:
            raise InputError(f"evidence: {why}")
        self._sources, self._goal, self._hold_back = sources, goal, hold_back
        self._reader = ClaimReader(model, models, verification or Verification())
        self._read_in: dict[str, tuple[Index, SupportModel | None]] = {}
        self._stream = Stream(goal)
        self._shown = 0
        self._waiting: tuple[Statement, ...] = ()
        self._count = 0

    def feed(self, piece: str) -> StreamPart:
        """The next piece of the response."""
        return self._passed(self._stream.feed(piece), piece, last=False)

    def close(self) -> StreamPart:
        """The response is complete."""
        return self._passed(self._stream.close(), "", last=True)

    def _passed(self, new: Sequence[Statement], piece: str, last: bool) -> StreamPart:
        found = (*self._waiting, *new)
        language, why = language_of(self._stream.text, self._sources) if found else (None, "")
        count = self._count + sum(one.checkable for one in found)
        waits = count == 1 and not last and any(self._depends(one, language) for one in found)
        self._waiting, found = (found, ()) if waits else ((), found)
        self._count = self._count if waits else count
        claims = tuple(self._claim(one, language, why, single=last and count == 1) for one in found)
        unread = language is None
        return StreamPart(self._released(claims, last, unread) if self._hold_back else piece, claims)

    def _depends(self, one: Statement, language: str | None) -> bool:
        """Whether rules alone tell a statement otherwise as the only claim of a response than as one of several."""
        if language is None or not one.checkable or self._read(language)[1] is not None:
            return False  # no model reads a claim twice only to find that out
        return self._claim(one, language, "").status != self._claim(one, language, "", single=True).status

    def _claim(self, one: Statement, language: str | None, why: str, *, single: bool = False) -> Claim:
        if language is None:
            return unverifiable(one, one.why_not or why)
        index, model = self._read(language)
        return claim_of(one, index, language, self._goal, model, single=single)

    def _read(self, language: str) -> tuple[Index, SupportModel | None]:
        """The evidence and the model for a response in this language; made once."""
        if language not in self._read_in:
            self._read_in[language] = Index(self._sources, self._goal, language), self._reader.model(language)
        return self._read_in[language]

    def _released(self, claims: Sequence[Claim], last: bool, unread: bool) -> str:
        """The text up to the last settled statement, with what is not borne out withheld, and what could not be read."""
        text, parts = self._stream.text, []
        for claim in claims:
            assert claim.span is not None
            parts.append(text[self._shown : claim.span[0]])
            parts.append(WITHHELD if unread or claim.status in BAD else text[slice(*claim.span)])
            self._shown = claim.span[1]
        if last:
            parts.append(text[self._shown :])
            self._shown = len(text)
        return "".join(parts)
