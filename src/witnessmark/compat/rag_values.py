"""The values of a retrieval pipeline's verifier stage, with the fields they are known by; `rag` fills them in."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from witnessmark.core.record import Record


class ClaimStatus(Enum):
    """What became of a claim; the last two are ours."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    PARTIALLY_SUPPORTED = "partially_supported"
    CONTRADICTED = "contradicted"
    UNVERIFIABLE = "unverifiable"

    @classmethod
    def _missing_(cls, value: object) -> ClaimStatus | None:
        """Read whatever the case; `partial` is partially_supported."""
        wanted = str(value).lower()
        wanted = "partially_supported" if wanted == "partial" else wanted
        return next((one for one in cls if one.value == wanted), None)

    @property
    def ours(self) -> str:
        """The word of our own vocabulary."""
        return "partial" if self is ClaimStatus.PARTIALLY_SUPPORTED else self.value


@dataclass
class VerifiedClaim:
    """One claim with its status, the words of the evidence and why."""

    claim: str
    status: ClaimStatus
    evidence: str | None
    reasoning: str
    span: tuple[int, int] | None = None
    source: str | None = None


@dataclass
class VerificationResult:
    """What verifying a response said. The last four are ours."""

    confidence: float | None
    is_grounded: bool | None
    claims: list[VerifiedClaim]
    suggested_corrections: list[str]
    level: str | None = None
    unverified_because: str | None = None
    judge_reported: float | None = None
    record: Record | None = field(default=None, repr=False)


@dataclass
class CRAGResult:
    """What the corrective loop came to; counts and confidence are those of `final_response`."""

    final_response: str
    confidence: float | None
    attempts: int
    verification_history: list[VerificationResult]
    additional_context_used: bool
    verification: VerificationResult
    stop_reason: str
    log: list[dict[str, Any]]
    original: str = ""


@dataclass
class CheckedResponse:
    """A response with its verification and, where it was corrected, the loop's receipt."""

    response: str
    confidence: float | None
    is_grounded: bool | None
    verification: VerificationResult | None
    crag_used: bool
    crag_attempts: int
    mode: str
    crag: CRAGResult | None = None


@dataclass
class ChatResponse:
    """A chat turn; `verification` holds the counts, and the claims where show_claims is set."""

    content: str
    model: str
    workspace: str
    verification: dict[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The response as JSON; without verification exactly the fields it had before there was any."""
        kept = asdict(self)
        return kept if self.verification is not None else {k: v for k, v in kept.items() if k != "verification"}
