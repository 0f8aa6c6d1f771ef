"""What can be set, as one frozen value. Nothing here reads a file or the environment; `config` does."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from witnessmark.actions.tree.probes import EffectProbe
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.core.redact import Content
from witnessmark.core.run import Limits
from witnessmark.core.values import Count, NotNegative, Value
from witnessmark.core.work.inputs import InputLimits
from witnessmark.core.work.offload import WorkSettings
from witnessmark.insight.values import AlertSettings
from witnessmark.judges.pool import JudgingSettings
from witnessmark.judges.specs import JudgeSpec


class WorkspaceQuota(Value, frozen=True):
    """What one workspace may have of the service at once, over all processes of a store; 0 is without limit."""

    requests: Count = 64
    streams: Count = 32
    open_jobs: Count = 200
    job_bytes: Count = 256_000_000
    """Bytes of the cases of its jobs that are not done."""
    bytes_at_once: Count = 96_000_000
    """Bytes of the bodies that are being served, in one process."""
    bytes_per_minute: Count = 2_000_000_000


class ServiceSettings(Value, frozen=True):
    """What the HTTP service asks of a caller, and how much one may ask of it."""

    require_key: bool = False
    """Whether a key is needed on loopback too: behind a proxy on the same machine, say yes."""
    hosts: tuple[str, ...] = ()
    """Further names under which the service may be asked without a key; loopback's own are known."""
    rate_per_minute: Count = 120_000
    """Requests a minute for each key, where the key itself says nothing; 0 is without limit."""
    concurrency: Count = 256
    request_s: NotNegative = 150.0
    head_s: NotNegative = 10.0
    """How long the head of a request may take to arrive."""
    connections: Count = 2_000
    """Connections at once, in one process."""
    bytes_at_once: Count = 256_000_000
    """Bytes of all bodies that are being served, in one process."""
    quota: WorkspaceQuota = WorkspaceQuota()
    body_s: NotNegative = 30.0
    """How long a request's body may take to arrive, on every route."""
    hook_roots: tuple[str, ...] = ()
    """Folders below which POST /hook/claude-code may read; left out: the home of whoever runs the service, and where it runs."""
    job_concurrency: Count = 8
    job_tries: Annotated[int, msgspec.Meta(ge=1)] = 5
    """How often a case may end or outlast the process that verifies it before it is refused with a record."""
    max_job_cases: Count = 100_000
    idempotency_h: NotNegative = 24.0
    session_h: NotNegative = 12.0
    retention_days: NotNegative | None = None
    """After how many days content is removed, where the workspace itself says nothing; left out, it stays."""


class TelemetrySettings(Value, frozen=True):
    """What is told to OpenTelemetry: nothing unless `otel`; of what was judged nothing unless `content`."""

    otel: bool = False
    content: bool = False


class GuardrailSettings(Value, frozen=True):
    """What a gateway's guardrail does with an answer; a request may say otherwise unless `params` is false."""

    on_fail: Literal["block", "allow"] = "block"
    on_wrong_claims: Literal["block", "allow"] = "block"
    """What becomes of an answer with a claim that is wrong by its sources, whatever the outcome is called."""
    on_partial: Literal["block", "allow"] = "allow"
    """What becomes of any other answer that is verified only in part."""
    on_unverified: Literal["block", "allow"] = "allow"
    on_error: Literal["block", "allow"] = "allow"
    """What becomes of an answer that is unverified because nobody could look: time or budget ran out, or a judge or a check broke."""
    correct: bool = False
    """Whether an answer that does not hold is put right by what its sources say, where that passes."""
    evidence: tuple[Any, ...] = ()
    """Texts, or {id, text} each, that every answer may rest on beside its messages."""
    evidence_from: tuple[str, ...] = ("system", "developer", "tool", "function")
    """The roles whose messages an answer may rest on; what a user says is not evidence unless named here."""
    quote_from: tuple[str, ...] = ("tool", "function")
    """The roles whose messages may be quoted to users, in a correction or a reason, beside `evidence`: instructions are not meant for them."""
    criteria: tuple[Any, ...] = ()
    policy: dict[str, Any] = {}
    params: bool = True


class WorkspaceOverrides(Value, frozen=True):
    """What one workspace has in place of what holds for all: fields of its policy, and how it uses judges."""

    policy: dict[str, Any] = {}
    judging: JudgingSettings | None = None


class Settings(Value, frozen=True):
    """Everything a Verifier is made from."""

    workspace: str = "default"
    store: str | None = None
    policy: dict[str, Any] = {}
    users: dict[str, dict[str, Any]] = {}
    """What a person wants stricter or looser than the workspace, by the name in `context.user` of a case."""
    limits: Limits = Limits()
    inputs: InputLimits = InputLimits()
    """The most that one case may hold."""
    work: WorkSettings = WorkSettings()
    """Worker processes for checks, and what one check may use there."""
    content: Content = Content()
    judges: dict[str, JudgeSpec] = {}
    judging: JudgingSettings = JudgingSettings()
    verification: Verification = Verification()
    calibration: str | None = None
    """name@version of a fitted calibration, `none`, or left out for the one applied in the workspace."""
    telemetry: TelemetrySettings = TelemetrySettings()
    alerting: AlertSettings = AlertSettings()
    guardrail: GuardrailSettings = GuardrailSettings()
    max_case_bytes: int = 32 * 1024 * 1024
    service: ServiceSettings = ServiceSettings()
    probes: dict[str, EffectProbe] = {}
    """Commands that only look, by the effect that they show: deployed, merged, opened, published, emailed, migrated, posted."""

    workspaces: dict[str, WorkspaceOverrides] = {}
    """Settings that differ for single workspaces, by name."""

    def for_workspace(self, name: str) -> Settings:
        """The settings as they hold in this workspace."""
        own = self.workspaces.get(name)
        if own is None:
            return self if self.workspace == name else msgspec.structs.replace(self, workspace=name)
        return msgspec.structs.replace(
            self,
            workspace=name,
            policy=self.policy | own.policy,
            judging=own.judging or self.judging,
        )

    def with_judging(self, **changed: Any) -> Settings:
        """The same with judges used otherwise in its own workspace, over what is said of that workspace alone."""
        own = self.workspaces.get(self.workspace)
        if own is None or own.judging is None:
            return msgspec.structs.replace(self, judging=msgspec.structs.replace(self.judging, **changed))
        own = msgspec.structs.replace(own, judging=msgspec.structs.replace(own.judging, **changed))
        return msgspec.structs.replace(self, workspaces=self.workspaces | {self.workspace: own})

    def verification_in_force(self) -> Verification:
        """The settings of the answer check; the policy's profile holds for it where it says nothing else."""
        if self.policy.get("profile") == "original" and self.verification.profile == "default":
            return msgspec.structs.replace(self.verification, profile="original")
        return self.verification

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """The JSON Schema of a settings file."""
        return msgspec.json.schema(cls)
