"""Set-ups for an experiment: a policy, a judge, a checkpoint, a settings file, or what was recorded before, each over the same cases.

A live side verifies in the shadow: its records are kept nowhere, so that no figure counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from witnessmark import config
from witnessmark.cli import options as opt
from witnessmark.core.case import Case
from witnessmark.core.errors import ConfigError, InputError, UnknownNameError, UsageError, WitnessmarkError
from witnessmark.core.explain import explain
from witnessmark.core.plans.checkpoints import checkpoints
from witnessmark.core.policy import Policy
from witnessmark.insight.experiments import SetupVerdict
from witnessmark.settings import Settings
from witnessmark.verifier import Verifier

OPTIONS: dict[str, Literal["A", "B"]] = {"option:a": "A", "option:b": "B"}
"""How a plan is reviewed: A by a self-review, B by an adversarial one; a side of an experiment by this word."""


@dataclass(frozen=True, slots=True)
class Setup:
    """One side: what verifies, or what was recorded."""

    name: str
    verifier: Verifier | None = None
    checkpoint: str | None = None
    recorded: tuple[SetupVerdict, ...] | None = None


@dataclass(frozen=True, slots=True)
class Base:
    """What both sides share: settings, what options say over the settings of a file, and what checks are given."""

    settings: Settings
    over: Callable[[Settings], Settings] = lambda found: found
    services: Mapping[str, Any] | None = None

    def verifier(self, found: Settings, **parts: Any) -> Verifier:
        """A verifier with these settings that keeps nothing."""
        return Verifier.from_settings(msgspec.structs.replace(found, store=None), services=self.services, **parts)


def setup(word: str, base: Base) -> Setup:
    """What a word stands for: a file (policy, settings, or records as JSON lines), a checkpoint, an option of plan review, or a judge."""
    file = Path(word)
    if file.suffix == ".jsonl" and file.is_file():
        return Setup(file.stem, recorded=recorded(file))
    if file.is_file():
        return _of_file(file, base)
    if file.suffix in (".toml", ".yaml", ".yml", ".json", ".jsonl"):
        raise UsageError(f"{word}: there is no such file")
    if word.lower() in OPTIONS:
        return Setup(word, base.verifier(base.settings, policy={"plan_review": OPTIONS[word.lower()]}))
    if word.removeprefix("checkpoint:") in checkpoints.all():
        return Setup(word, base.verifier(base.settings), word.removeprefix("checkpoint:"))
    try:
        return Setup(word, base.verifier(base.settings.with_judging(**opt.judging_with([word]))))
    except UnknownNameError as exc:
        other = f"no file and no checkpoint (`witnessmark checkpoints` lists them), and an {exc}"
        raise UsageError(f"{word}: {other}; a policy or settings file and records as .jsonl do as well") from None


def _of_file(file: Path, base: Base) -> Setup:
    data = config.read_mapping(file)
    if set(data) <= set(Policy.__struct_fields__):
        shadow = msgspec.structs.replace(base.settings, store=None)
        return Setup(file.stem, opt.with_policy(shadow, file, data, base.services))
    try:
        found = msgspec.convert(data, Settings)
    except msgspec.ValidationError as exc:
        raise ConfigError(f"{file.name}: neither a policy nor settings: {explain(exc, Settings)}") from None
    return Setup(file.stem, base.verifier(base.over(found)))


def recorded(file: Path) -> tuple[SetupVerdict, ...]:
    """What records in a file say: lines of `witnessmark verify --json` or of `witnessmark records export`."""
    found = []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        if line.strip():
            found.append(_seen(line, number, file.name))
    return tuple(one for one in found if one is not None)


def _seen(line: bytes, number: int, where: str) -> SetupVerdict | None:
    try:
        data: dict[str, Any] = msgspec.json.decode(line)
        runs = data.get("runs") or [{}]
        record = data["record"] if "witnessmark_export" in data else data
        if record is None or record.get("kind", "verification") != "verification":
            return None
        usage = runs[0].get("usage") or record.get("usage") or {}
        return SetupVerdict(
            case=record["case_id"],
            outcome=record["outcome"],
            action=record["action"],
            score=record.get("score"),
            cost_usd=usage.get("cost_usd", 0.0),
            judge_calls=usage.get("judge_calls", 0),
            seconds=runs[0].get("seconds", 0.0),
            record=record.get("id", ""),
        )
    except (msgspec.DecodeError, UnicodeDecodeError, InputError, KeyError, AttributeError, TypeError) as exc:
        raise InputError(f"{where}: line {number} is not a record ({exc})") from None


async def setup_verdicts(side: Setup, cases: Sequence[Case]) -> list[SetupVerdict]:
    """What a side says about each case; one that it cannot take is unverified, and stops nothing."""
    if side.recorded is not None:
        return list(side.recorded)
    assert side.verifier is not None
    async with side.verifier as verifier:
        return [await _verified(verifier, case, side.checkpoint) for case in cases]


async def _verified(verifier: Verifier, case: Case, checkpoint: str | None) -> SetupVerdict:
    name = case.id or case.digest()
    try:
        entry = await verifier.evaluate(case, checkpoint=checkpoint)
    except WitnessmarkError:
        return SetupVerdict(case=name, outcome="unverified", action="escalate")
    record, run = entry.record, entry.runs[0]
    assert record is not None
    return SetupVerdict(
        case=name,
        outcome=record.outcome,
        action=record.action,
        score=record.score,
        cost_usd=run.usage.cost_usd,
        judge_calls=run.usage.judge_calls,
        seconds=run.seconds,
        record=record.id,
    )


def labels_of(cases: Sequence[Case]) -> dict[str, str]:
    """What the cases themselves say about how good the work is: `context.expected`, pass or fail."""
    return {
        case.id or case.digest(): case.context["expected"]
        for case in cases
        if case.context.get("expected") in ("pass", "fail")
    }
