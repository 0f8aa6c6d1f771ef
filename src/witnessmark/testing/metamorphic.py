"""Is a pass earned? Cases that pass are damaged in named ways and verified again; none of them may pass then.

    >>> from witnessmark import Verifier
    >>> from witnessmark.testing import metamorphic
    >>> report = metamorphic.run(Verifier(), my_cases)             # doctest: +SKIP
    >>> print(report.table())                                      # doctest: +SKIP
    >>> assert not report.broken                                   # doctest: +SKIP

Damage that goes through is listed by its kind with its rate: what only a judge can tell shows there. Whatever reads, three
things must hold (`broken` lists where they do not): adding a false statement raises neither outcome nor score, nor the
confidence of a pass; and the repaired case has the very record of the one before.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.core.record import Record
from witnessmark.testing import faults
from witnessmark.testing.disguises import DAMAGES, Damage
from witnessmark.testing.judges import OneJudge
from witnessmark.testing.perfect_reader import PerfectReader
from witnessmark.verifier import Verifier

__all__ = ["ADDS", "DAMAGES", "Damage", "DamagedCase", "MetamorphicReport", "damage", "damages_of", "run"]

_RANK = {"pass": 3, "partial": 2, "unverified": 1, "fail": 0}
ADDS = frozenset(
    "invented_begin invented_middle invented_end hedged opinion instructed ordered_to_accept asked list_item heading quoted "
    "fenced table_row translated fake_citation refused_and_said about_answer asked_openly why_heading title_heading small_letter "
    "false_half data_text data_flag data_member".split()
)
"""Damage that only adds a false statement: it must never raise anything."""
TINY = 1e-6


@dataclass(frozen=True, slots=True)
class DamagedCase:
    """A case after a damage, with what is false in it and the case as it was."""

    damage: str
    case: Case
    false_words: str
    original: Case


def damage(case: Case, name: str, *, seed: int = 0) -> DamagedCase | None:
    """The case damaged in this way, or None where it has nothing for it; the same seed gives the same damage.

    Raises UnknownNameError where there is no damage of that name.
    """
    if name not in DAMAGES:
        raise UnknownNameError("damage", name, DAMAGES)
    rng = random.Random(f"{seed}:{name}:{case.digest()}")  # noqa: S311 - repeatable, no secret
    made = DAMAGES[name].apply(case, rng) if case.text or case.kind == "mission" else None
    return None if made is None or made[0] == case else DamagedCase(name, made[0], made[1], case)


def damages_of(case: Case, *, seed: int = 0) -> list[DamagedCase]:
    """The case damaged in every way that applies to it; plans and agent outputs also by the faults of their kind."""
    made = [one for name in DAMAGES if (one := damage(case, name, seed=seed)) is not None]
    for fault in faults.of(case.kind) if case.kind in ("decomposition", "agent_output") else ():
        broken = faults.try_inject(case, fault.name, seed=seed) if fault.caught_by != "judge" else None
        if broken is not None:
            made.append(DamagedCase(fault.name, broken, "", case))
    return made


@dataclass(frozen=True, slots=True)
class MetamorphicReport:
    """What came of a run: by kind how often damage was tried and went through, and which relations broke."""

    cases: int
    passing: int
    tried: Counter[str]
    accepted: Counter[str]
    broken: tuple[str, ...]

    @property
    def rate(self) -> float:
        """The share of all damaged cases that went through."""
        total = sum(self.tried.values())
        return sum(self.accepted.values()) / total if total else 0.0

    def table(self) -> str:
        """Every kind of damage with its rate as a Markdown table, what goes through most often first."""
        order = sorted(self.tried, key=lambda name: (-self.accepted[name] / self.tried[name], name))
        rows = [
            f"| {n} | {self.accepted[n]} of {self.tried[n]} | {self.accepted[n] / self.tried[n]:.0%} |" for n in order
        ]
        head = f"{self.passing} of {self.cases} cases pass undamaged; {self.rate:.1%} of the damaged ones still do."
        return "\n".join([head, "", "| damage | still passes | rate |", "|---|--:|--:|", *rows])


def run(
    verifier: Verifier,
    cases: Iterable[Case],
    *,
    damages: Sequence[str] | None = None,
    seeds: Sequence[int] = (0,),
    perfect_reader: bool = False,
) -> MetamorphicReport:
    """Damage every case that passes and verify again. Raises InputError where there is no case at all.

    `damages` names the ways to use, all by default. With `perfect_reader` a judge that knows what is false is asked in place
    of the verifier's own: then nothing may go through.
    """
    given = list(cases)
    if not given:
        raise InputError("cases: there are none to damage")
    tried: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    broken: list[str] = []
    passing = 0
    for case in given:
        before = _read(verifier, case, "", perfect_reader)
        if before.outcome != "pass":
            continue
        passing += 1
        for one in (made for seed in seeds for made in damages_of(case, seed=seed)):
            if damages is not None and one.damage not in damages:
                continue
            after = _read(verifier, one.case, one.false_words, perfect_reader)
            tried[one.damage] += 1
            accepted[one.damage] += after.outcome == "pass"
            broken += [
                f"{case.id or case.digest()[:12]}, {one.damage}: {what}" for what in _relations(one, before, after)
            ]
        if _read(verifier, case, "", perfect_reader).id != before.id:
            broken.append(f"{case.id or case.digest()[:12]}: the repaired case has another record")
    return MetamorphicReport(len(given), passing, tried, accepted, tuple(broken))


def _read(verifier: Verifier, case: Case, false_words: str, perfect_reader: bool) -> Record:
    if not perfect_reader:
        return verifier.verify_sync(case)
    judge = OneJudge(PerfectReader(false_words, case=case))
    return verifier.with_services({"judges": judge}).verify_sync(case)


_Relation = Callable[[Record, Record], str]


def _outcome(before: Record, after: Record) -> str:
    return f"outcome {before.outcome} became {after.outcome}" if _RANK[after.outcome] > _RANK[before.outcome] else ""


def _score(before: Record, after: Record) -> str:
    rose = (after.score or 0.0) > (before.score or 0.0) + TINY
    return f"score rose from {before.score} to {after.score}" if rose else ""


def _confidence(before: Record, after: Record) -> str:
    rose = after.outcome == "pass" and (after.confidence or 0.0) > (before.confidence or 0.0) + TINY
    return f"the pass grew surer, from {before.confidence} to {after.confidence}" if rose else ""


def _relations(one: DamagedCase, before: Record, after: Record) -> list[str]:
    """What must hold and does not: only of damage that adds a statement, since a swap may by chance read as well."""
    relations: tuple[_Relation, ...] = (_outcome, _score, _confidence) if one.damage in ADDS else (_outcome,)
    return [told for relation in relations if (told := relation(before, after))]
