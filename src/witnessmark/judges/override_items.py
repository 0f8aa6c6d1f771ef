"""People's words on verdicts as questions with known answers: what a prompt or a judge is tried on before it is changed.

Where people said that work is good, each of its judged criteria is met; where they said that it is bad and one criterion was judged,
that one is not. Everything else would be a guess, and is left out.
"""

from __future__ import annotations

from witnessmark.core.case import Case
from witnessmark.core.plans.criteria import Criterion
from witnessmark.core.record import Store
from witnessmark.core.tallies import LabelledVerification, TallyStore
from witnessmark.judges.qualification import QualificationItem


async def override_items(store: Store, labels: TallyStore, workspace: str) -> tuple[QualificationItem, ...]:
    """Every criterion of work whose end is known and whose case was kept, with what people's word says about it."""
    found: list[QualificationItem] = []
    for one in await labels.labelled(workspace, None, None):
        if one.truth in ("pass", "fail"):
            entry = await store.get(one.record.id, workspace)
            if entry.case is not None and not entry.redacted:
                found += _items(one, Case.from_json(entry.case))
    return tuple(found)


def _items(one: LabelledVerification, case: Case) -> list[QualificationItem]:
    judged = [said for said in one.record.results if said.check == "rubric" and said.judge is not None]
    asked = [criterion for criterion in case.criteria if isinstance(criterion, Criterion) and criterion.text]
    if len(judged) != len(asked) or (one.truth == "fail" and len(asked) != 1):
        return []
    sources = "\n\n".join(source.text for source in case.evidence if source.text)
    return [
        QualificationItem(
            id=f"{one.record.id[:12]}:{number}",
            kind="completeness",
            goal=case.goal,
            work=case.text,
            criterion=str(criterion.text),
            met=one.truth == "pass",
            source=sources,
        )
        for number, criterion in enumerate(asked, 1)
    ]
