"""What a batch would verify and cost at most, without asking anybody."""

from __future__ import annotations

from dataclasses import dataclass, field

from witnessmark.batch.estimate import Estimate, QuestionKey, estimate
from witnessmark.batch.job import BatchJob, opened, rows
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError
from witnessmark.core.verdict import amount
from witnessmark.verifier import Verifier


@dataclass(slots=True)
class BatchPrice:
    """Cases by checkpoint, rows that are none, and what judges would be asked."""

    cases: int = 0
    errors: int = 0
    first_error: str = ""
    groups: int = 0
    judged: bool = False
    checkpoints: dict[str, int] = field(default_factory=dict)
    asked: Estimate = field(default_factory=Estimate)

    def __str__(self) -> str:
        points = ", ".join(f"{name} {count:,}" for name, count in sorted(self.checkpoints.items()))
        judged = str(self.asked) if self.judged else "no judge is configured: no paid calls"
        errors = (
            f"; {amount(self.errors, 'row is not a case', 'rows are not cases')}{self.first_error}"
            if self.errors
            else ""
        )
        groups = f" in {amount(self.groups, 'group')} (their consistency is not in the price)" if self.groups else ""
        return f"{amount(self.cases, 'case')}{groups} ({points or 'none'}){errors}; {judged}"


def batch_price(job: BatchJob) -> BatchPrice:
    """Go through every row and price it; nothing is written, kept or asked."""
    verifier = Verifier.from_settings(job.settings, policy=job.policy, services=job.tree.services(job.settings.probes))
    told = BatchPrice(judged=verifier.service("judges") is not None)
    price = verifier.service("price")
    groups, before = set(), set[QuestionKey]()
    for row in rows(job, opened(job)):
        try:
            if row.problem:
                raise UsageError(row.problem)
            case = Case.from_json(row.data)
            name = verifier.checkpoint_of(case, job.checkpoint).name
            if told.judged:
                told.asked += estimate(verifier, case, job.checkpoint, price, before)
        except UsageError as exc:
            told.errors += 1
            told.first_error = told.first_error or f" (first: row {row.number:,}: {exc})"
            continue
        told.cases += 1
        told.checkpoints[name] = told.checkpoints.get(name, 0) + 1
        groups.add(row.group)
    told.groups = len(groups - {None})
    return told
