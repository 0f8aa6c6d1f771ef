"""What a verification says: Finding, Claim, Result, Verdict, Decision, Feedback, Usage.

`fail` (looked, it is wrong), `abstain` (looked, cannot say) and `error` (could not look) are three values.
`score` (how good the work is), `confidence` (how sure we are) and `coverage` (how much we settled) are three
fields. Knows nothing about how any of them came about.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Literal, get_args

from witnessmark.core.errors import InputError
from witnessmark.core.values import Count, NotNegative, Span, Unit, Value

Status = Literal["pass", "partial", "fail", "abstain", "error", "skipped"]
Outcome = Literal["pass", "partial", "fail", "unverified"]
Action = Literal["accept", "warn", "retry", "switch", "correct", "escalate", "abort"]
Severity = Literal["info", "warning", "error"]
Hedge = Literal["", "hedge", "opinion", "note", "instruction", "question", "quote"]
"""How a claim is put where it is not said plainly: softened, as somebody's view, as something to note or to do, taken for granted by a question, quoted."""
ClaimStatus = Literal["supported", "partial", "unsupported", "contradicted", "unverifiable"]
ConfidenceSource = Literal["deterministic", "calibrated", "agreement", "reported"]
Independence = Literal["unknown", "none", "prompt", "model", "family", "deterministic"]
Cause = Literal[
    "no_evidence", "no_claims", "no_criteria", "no_judge", "judge_error", "check_error", "check_missing", "budget",
    "deadline", "language", "skipped", "undecided",
]  # fmt: skip
"""Why a check did not settle its question, and so why a verdict is unverified."""

GOES_ON: frozenset[str] = frozenset({"accept", "warn"})
"""The actions after which the work may be used."""
SETTLED: frozenset[str] = frozenset({"pass", "partial", "fail"})
CATEGORIES: frozenset[str] = frozenset(
    {
        # the eight of an agent's own claims (S3)
        "missing_field", "invalid_type", "schema_mismatch", "hash_mismatch", "anchor_mismatch", "file_not_found",
        "filesystem_mismatch", "unknown",
        # further ones of an agent's own claims
        "outside_root", "not_in_trace", "wrong_exit_code", "wrong_counts", "trace_unresolved", "unverifiable_claim",
        "undisclosed_change", "no_claims", "stale_run", "narrow_run", "weakened_test", "secret_written",
        # claims in words, judges, criteria
        "judge_error", "judge_malformed", "unsupported_claim", "contradicted_claim", "criterion_unmet",
        "consistency_conflict", "placeholder_left", "non_answer", "budget_exceeded",
        # the deterministic checks and the flow itself
        "wrong_format", "wrong_length", "missing_section", "missing_keyword", "invalid_url", "truncated",
        "wrong_language", "empty_output", "check_error", "check_missing", "deadline_exceeded", "policy",
    }
)  # fmt: skip
"""What several checks find, so that it can be counted together. One that is a check's own is declared there (`@check(categories=…)`)."""
REPORTED_CAP = 0.75
"""The most that a confidence nobody measured may count for."""
ASSERTS_NOTHING: frozenset[str] = frozenset({"greeting", "question", "about_answer", "heading"})
"""The kinds of what a text says without asserting anything; all else is a claim, and lowers coverage where it is not settled."""


class EvidenceRef(Value, frozen=True):
    """A place in the evidence: which source, and where in it (code points, end excluded)."""

    id: str
    span: Span | None = None


class SourceWords(Value, frozen=True):
    """Words of a source, as it writes them: which source, and where in it (code points, end excluded)."""

    id: str
    text: str
    span: Span | None = None


class WrongWords(Value, frozen=True):
    """Words of the output that are wrong, where they stand in it, and the source's words nearest to them.

    `closest` is what a source says in that place or comes nearest to it; None where nothing comes near.
    """

    text: str
    span: Span | None = None
    closest: SourceWords | None = None
    absent: bool = False
    """Whether they stand in no source; what else is not supported may well do, and be said there of something else."""


class Finding(Value, frozen=True):
    """Something a person or an agent can act on.

    `message` is in our words and never repeats what was judged; `quote` is the judged text itself and `words` are those
    of it that are wrong, so that both can be left out or redacted without losing the finding.
    """

    message: str
    category: str = "criterion_unmet"
    """One of CATEGORIES, one that the check declares, or `package/name`."""
    severity: Severity = "error"
    suggestion: str | None = None
    quote: str | None = None
    span: Span | None = None
    evidence: tuple[EvidenceRef, ...] = ()
    check: str = ""
    words: tuple[WrongWords, ...] = ()
    judged: bool = False
    """Whether the message goes on with a judge's own words."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.span is not None and self.span[0] > self.span[1]:
            raise InputError(f"span: starts at {self.span[0]}, after its end {self.span[1]}")


class Claim(Value, frozen=True):
    """One thing the output asserts and, once checked, whether it holds, what says so, and which words of it are wrong."""

    text: str
    kind: str = "text"
    status: ClaimStatus = "unverifiable"
    span: Span | None = None
    evidence: tuple[EvidenceRef, ...] = ()
    reason: str = ""
    probability: Unit | None = None
    """How probable it is that the claim is right, calibrated; None where nobody measured."""
    details: dict[str, Any] = {}
    check: str = ""
    words: tuple[WrongWords, ...] = ()
    hedge: Hedge = ""

    def surely_wrong(self, at: float) -> bool:
        """Whether it does not hold with at least this probability; what is plainly contradicted needs none."""
        if self.status in ("supported", "unverifiable"):
            return False
        if self.probability is None:
            return self.status == "contradicted"
        return round(1 - self.probability, 9) >= round(at, 9)

    @property
    def open(self) -> bool:
        """Whether it asserts something that was not settled."""
        return self.status == "unverifiable" and self.kind not in ASSERTS_NOTHING


class Usage(Value, frozen=True):
    """What a verification cost."""

    judge_calls: Count = 0
    tokens: Count = 0
    cost_usd: NotNegative | None = 0.0
    cached: Count = 0

    def __add__(self, other: Usage) -> Usage:
        if self is NO_USAGE:
            return other
        unknown = self.cost_usd is None or other.cost_usd is None
        return Usage(
            judge_calls=self.judge_calls + other.judge_calls,
            tokens=self.tokens + other.tokens,
            cost_usd=None if unknown else (self.cost_usd or 0.0) + (other.cost_usd or 0.0),
            cached=self.cached + other.cached,
        )


NO_USAGE = Usage()


class Result(Value, frozen=True):
    """What one check says. The run adds which node, check and version said it.

    `details` holds what a particular check has to add, as JSON; the record keeps it and its identity covers it.
    """

    status: Status
    score: Unit | None = None
    reason: str = ""
    cause: Cause | None = None
    coverage: Unit = 1.0
    """The share of what asserts something that a settled result could settle."""
    confidence: Unit | None = None
    """How probable it is that this status is right."""
    confidence_source: ConfidenceSource = "deterministic"
    independence: Independence = "deterministic"
    judge: str | None = None
    prompt: str | None = None
    findings: tuple[Finding, ...] = ()
    claims: tuple[Claim, ...] = ()
    usage: Usage = NO_USAGE
    details: dict[str, Any] = {}
    node: str = ""
    check: str = ""
    version: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.score is None:
            if self.status == "partial":
                raise InputError("score: a partial result says how much was met; give a score between 0 and 1")
        elif self.status not in SETTLED:
            raise InputError(f"score: status {self.status!r} settled nothing, so it carries no score")

    @property
    def settled(self) -> bool:
        """Whether the check could say how it stands."""
        return self.status in SETTLED


class Verdict(Value, frozen=True):
    """All results of a case as one outcome."""

    outcome: Outcome
    unverified_because: Cause | None = None
    score: Unit | None = None
    confidence: Unit | None = None
    confidence_source: ConfidenceSource | None = None
    coverage: Unit | None = None
    independence: Independence = "deterministic"


class Feedback(Value, frozen=True):
    """What to tell whoever made the output; rendered per target."""

    level: Literal["basic", "detailed"] = "basic"
    attempt: Count = 1
    max_attempts: Count = 1
    previous_score: Unit | None = None
    failed: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()


class Decision(Value, frozen=True):
    """What to do next, and which rule of which policy layer said so."""

    action: Action
    because: str
    layer: str = "default"
    degraded: bool = False
    questions: tuple[str, ...] = ()
    feedback: Feedback | None = None


OUTCOMES: tuple[str, ...] = get_args(Outcome)
ACTIONS: tuple[str, ...] = get_args(Action)


@functools.lru_cache(maxsize=4096)
def _passed(reason: str) -> Result:
    return Result(status="pass", score=1.0, reason=reason)


def counted(count: int, noun: str, plural: str = "") -> str:
    """So many of a thing, in words: `1 test run`, `2 test runs`."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def is_digest(text: str) -> bool:
    """Whether a text is a sha256 in hex, as ids of records are, and of cases that were given none."""
    return len(text) == 64 and all(letter in "0123456789abcdef" for letter in text)


def amount(count: int, noun: str, plural: str = "") -> str:
    """The same as a summary has it, where numbers grow large: `1 case`, `1,200 cases`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def passed(reason: str = "", **more: Any) -> Result:
    """The check looked, and all is well. Results are frozen, so the frequent ones are shared."""
    return Result(status="pass", score=1.0, reason=reason, **more) if more else _passed(reason)


def failed(reason: str, *findings: Finding, **more: Any) -> Result:
    """The check looked, and it is wrong."""
    return Result(status="fail", score=0.0, reason=reason, findings=findings, **more)


def abstained(cause: Cause, reason: str, *findings: Finding, **more: Any) -> Result:
    """The check looked, or tried to, and cannot say."""
    return Result(status="abstain", cause=cause, reason=reason, findings=findings, **more)


def log_odds(share: float) -> float:
    """The log odds of a probability, kept within reason."""
    kept = min(max(share, 1e-4), 1 - 1e-4)
    return math.log(kept / (1 - kept))


_GRADES = (
    (0.85, "excellent"), (0.75, "good, minor improvements possible"), (0.70, "acceptable, proceed with caution"),
    (0.60, "needs improvement, likely fixable"), (0.50, "significant issues, may fail again"),
    (0.30, "major issues, salvageable by a person"), (0.0, "fundamentally flawed, reformulate the query"),
)  # fmt: skip


def grade(score: float | None) -> str:
    """The label of a score; bands are half open, [0.85, 1] down to [0, 0.3)."""
    if score is None:
        return "not scored"
    exact = round(score, 9)
    return next(label for floor, label in _GRADES if exact >= floor)
