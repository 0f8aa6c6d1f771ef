"""A store filled with thirty believable days: good and bad work, retries, overrides, outcomes, some of it left to a person.

Every record is made by a real Verifier from a real case; only the times are put back, and the judge is scripted. The same
seed gives the same records. For screenshots, for demonstrations, and for tests that need more than a handful.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace
from tools.demo_cases import WEAK, DemoWork, works

from witnessmark.core.case import Case
from witnessmark.core.errors import JudgesDisagreeError
from witnessmark.core.protocols import Question
from witnessmark.core.record import Entry, Record, Store
from witnessmark.core.verdict import GOES_ON, Usage
from witnessmark.insight import review
from witnessmark.insight.experiments import Experiment, SetupVerdict, compare
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.settings import Settings
from witnessmark.testing.judges import OneJudge
from witnessmark.verifier import Verifier

DAY_S = 86_400.0
PRICE_USD = 0.0021


class BackdatedStore:
    """A store in which everything happens at the time that was set last."""

    def __init__(self, store: Store) -> None:
        self._store, self.at = store, 0.0
        self._number = 0

    async def append(self, entries: Sequence[Entry]) -> None:
        """Keep these as of then."""
        self._number += 1
        made = [
            replace(
                entry,
                runs=tuple(replace(run, at=self.at, id=f"demo-{self._number}-{n}") for n, run in enumerate(entry.runs)),
            )
            for entry in entries
        ]
        await self._store.append(made)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


async def fill(
    store: Store, *, days: int = 30, now: float | None = None, seed: int = 7, workspace: str = "default"
) -> int:
    """Fill the store; says how many verifications it made."""
    end = time.time() if now is None else now
    chance = random.Random(seed)
    then = BackdatedStore(store)
    judge = ScriptedJudge(
        _marks, id="demo/judge-1", family="demo", usage=Usage(judge_calls=1, tokens=640, cost_usd=PRICE_USD)
    )
    alone = Verifier.from_settings(Settings(), store=then, workspace=workspace)
    judged = alone.with_services({"judges": OneJudge(judge)})
    made = 0
    for number, work in enumerate(works(chance, days)):
        at = end - DAY_S * (days - work.day) + 3_600 * (8 + 9 * chance.random())
        # What rests on sources is settled without a judge; a task in words and a goal are not.
        verifier = judged if work.needs_judge else alone
        made += await _tell(verifier, then, chance, work, min(at, end - 60 * (1 + number % 50)))
    return made


async def _tell(verifier: Verifier, then: BackdatedStore, chance: random.Random, work: DemoWork, at: float) -> int:
    """One piece of work: attempts until it goes on, and what people and the world said about the last one."""
    parent: str | None = None
    record: Record | None = None
    for attempt, data in enumerate(work.attempts, 1):
        then.at = at + 95 * (attempt - 1)
        record = await verifier.verify(Case.from_dict(data), attempt=attempt, parent=parent)
        parent = record.id
        if record.action in ("accept", "warn", "escalate", "abort"):
            break
        await _looked_into(then, chance, record, at + 600 * attempt)
    assert record is not None
    await _later(then, chance, work, record, at + 7_200 * (1 + chance.random()))
    return record.attempt


async def _looked_into(then: BackdatedStore, chance: random.Random, record: Record, at: float) -> None:
    """Now and then somebody looks at what was sent back: mostly it was wrong indeed."""
    then.at = at
    draw = chance.random()
    if draw < 0.5:
        good = draw < 0.07
        said = "It was fine as it stood." if good else "Wrong, as the verdict says."
        await review.outcome(then, record.id, outcome="pass" if good else "fail", reason=said, facts={"accurate": good})
        if good:
            await review.override(then, record.id, outcome="pass", reason=said, by="joris")


async def _later(then: BackdatedStore, chance: random.Random, work: DemoWork, record: Record, at: float) -> None:
    then.at = at
    good = work.good[min(record.attempt, len(work.good)) - 1]
    wrong = good != (record.action in GOES_ON)
    if record.action != "escalate" and wrong and chance.random() < 0.5:
        said = "The figure is right, in another unit." if good else "The customer found a mistake that was let through."
        await review.override(
            then, record.id, outcome="pass" if good else "fail", reason=said, by=chance.choice(["ana", "joris"])
        )
    if chance.random() < 0.45:
        said = "Delivered, no complaint." if good else "Had to be done again."
        await review.outcome(then, record.id, outcome="pass" if good else "fail", reason=said, facts={"accurate": good})


def _marks(question: Question) -> dict[str, Any] | Exception:
    """A judge that is mostly right, and says how sure it is; asked about anything but a score, it is of two minds."""
    if "score" not in str(question.reply_schema):
        return JudgesDisagreeError(
            "the two judges of the panel disagree: one says it is ready, one that nobody has tried it"
        )
    chance = random.Random(question.key)
    weak = WEAK in question.user
    return {key: _mark(chance, weak) for key in question.reply_schema["required"]}


def _mark(chance: random.Random, weak: bool) -> dict[str, Any]:
    said = "It is thin on what was asked." if weak else "It does what was asked."
    score = chance.choice([1, 2, 2, 3]) if weak else chance.choice([4, 4, 4.5, 5])
    return {"reasoning": said, "score": score, "confidence": round(0.55 + 0.4 * chance.random(), 2)}


def experiment(workspace: str = "default") -> Experiment:
    """Two judges on the same two hundred cases, with labels: the dear one is right a little more often."""
    chance = random.Random(5)
    labels, sides = {}, (list[SetupVerdict](), list[SetupVerdict]())
    for number in range(200):
        name, good = f"case-{number + 1:03d}", chance.random() < 0.7
        labels[name] = "pass" if good else "fail"
        for side, (right, usd, seconds) in zip(sides, ((0.82, 0.0009, 0.6), (0.91, 0.0064, 1.9)), strict=True):
            says = good if chance.random() < right else not good
            outcome = "pass" if says else chance.choice(["fail", "fail", "partial"])
            took = seconds * (0.6 + chance.random())
            side.append(
                SetupVerdict(
                    case=name,
                    outcome=outcome,
                    action="accept" if says else "retry",
                    cost_usd=usd,
                    judge_calls=1,
                    seconds=took,
                )
            )
    return compare(*sides, labels, names=("small judge", "large judge"), workspace=workspace)
