"""What calibration learns from: each word of a judge about work whose end is known, kept apart by who said it and how.

Reads labels from a store's verifications or from a file of JSON lines. Knows nothing about fitting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.explain import explain
from witnessmark.core.record import ResultRecord
from witnessmark.core.tallies import LabelledVerification, TallyStore
from witnessmark.core.values import Unit, Value
from witnessmark.core.verdict import ConfidenceSource

Status = Literal["pass", "partial", "fail"]


class JudgeSource(Value, frozen=True):
    """What is calibrated on its own: never two checks, judges, versions or kinds of confidence together."""

    check: str
    version: str
    judge: str = ""
    kind: ConfidenceSource = "reported"

    @property
    def name(self) -> str:
        """The source in one line."""
        return f"{self.check} {self.version}{f' by {self.judge}' if self.judge else ''} ({self.kind})"


class Sample(Value, frozen=True):
    """One word of a source, and whether the work was good. `group` is what belongs together, such as a task."""

    source: JudgeSource
    status: Status
    score: Unit | None
    confidence: Unit | None
    good: bool
    group: str = ""


async def labelled(
    store: TallyStore, workspace: str, since: float | None = None, until: float | None = None
) -> tuple[Sample, ...]:
    """What a store knows: every word of a judge, and every verdict, about work whose end is known."""
    return tuple(sample for one in await store.labelled(workspace, since, until) for sample in samples_of(one))


def samples_of(one: LabelledVerification) -> Iterator[Sample]:
    """The verdict as a whole, and each judged result; work that ended in part says nothing about either."""
    if one.truth not in ("pass", "fail"):
        return
    record, good = one.record, one.truth == "pass"
    if record.outcome != "unverified" and record.confidence_source is not None:
        source = JudgeSource(check=f"verdict:{record.checkpoint}", version="1", kind=record.confidence_source)
        yield Sample(
            source=source,
            status=record.outcome,
            score=record.score,
            confidence=record.confidence,
            good=good,
            group=record.case_id,
        )
    for said in record.results:
        sample = _of_result(said, good, record.case_id)
        if sample is not None:
            yield sample


def _of_result(said: ResultRecord, good: bool, group: str) -> Sample | None:
    """What a check said before any calibration touched it."""
    raw: dict[str, Any] = said.details.get("calibration") or {}
    kind = raw.get("kind", said.confidence_source)
    status = raw.get("status", said.status)
    if kind == "deterministic" or status not in ("pass", "partial", "fail"):
        return None
    source = JudgeSource(check=said.check, version=said.version, judge=said.judge or "", kind=kind)
    score, confidence = raw.get("score", said.score), raw.get("confidence", said.confidence)
    return Sample(source=source, status=status, score=score, confidence=confidence, good=good, group=group)


class SampleRow(Value, frozen=True):
    """A sample in a file: flat, so that anyone can write one."""

    check: str
    good: bool
    status: Status
    version: str = "1"
    judge: str = ""
    kind: ConfidenceSource = "reported"
    score: Unit | None = None
    confidence: Unit | None = None
    group: str = ""


def read(lines: Iterable[bytes]) -> tuple[Sample, ...]:
    """Samples from JSON lines; what is wrong is an InputError that names the line and the field."""
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            found.append(_sample(line, number))
    if not found:
        raise InputError("no sample at all; a line reads {'check': …, 'judge': …, 'status': …, 'score': …, 'good': …}")
    return tuple(found)


def _sample(line: bytes, number: int) -> Sample:
    try:
        told = msgspec.json.decode(line, type=SampleRow)
    except msgspec.ValidationError as exc:
        raise InputError(f"line {number}: {explain(exc, SampleRow)}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise InputError(f"line {number}: not JSON ({exc})") from None
    if told.score is None and told.confidence is None:
        raise InputError(f"line {number}: score: give a score or a confidence; there is nothing to calibrate otherwise")
    source = JudgeSource(check=told.check, version=told.version, judge=told.judge, kind=told.kind)
    group = told.group or str(number)
    return Sample(
        source=source, status=told.status, score=told.score, confidence=told.confidence, good=told.good, group=group
    )


def by_source(samples: Sequence[Sample]) -> dict[JudgeSource, list[Sample]]:
    """Samples of each source on its own."""
    found: dict[JudgeSource, list[Sample]] = {}
    for sample in samples:
        found.setdefault(sample.source, []).append(sample)
    return dict(sorted(found.items(), key=lambda pair: pair[0].name))
