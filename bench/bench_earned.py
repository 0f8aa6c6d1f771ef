"""Is a pass earned? Good cases and the same cases damaged in a known way: who passes, offline and with a perfect reader as judge.

The cases are JSON lines {"id", "label": good|damaged, "damage": kind or null, "case": …, "false_words": …} in the file that
WITNESSMARK_EARNED or the first argument names: `python -m bench.bench_earned FILE`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.measure import DATA, NO_DATA, met, table
from witnessmark.core.case import Case
from witnessmark.core.record import Record
from witnessmark.testing import OneJudge
from witnessmark.testing.perfect_reader import PerfectReader
from witnessmark.verifier import Verifier

APART = ("role_swap", "order_swap", "multi_hop")
"""Kinds that are held to the figures of grounding and counted apart."""
ACCEPTED, PASSED, HARD = 0.15, 0.80, 0.01
FILE = Path(os.environ.get("WITNESSMARK_EARNED", DATA / "earned.jsonl"))


@dataclass(frozen=True, slots=True)
class EarnedRow:
    """One case with its label and what came of it."""

    id: str
    damage: str | None
    record: Record

    @property
    def accepted(self) -> bool:
        """Whether it goes through as verified."""
        return self.record.outcome == "pass" or self.record.action == "accept"


def rows(path: Path, *, judged: bool = False) -> list[EarnedRow]:
    """Every case of the file verified, alone or with a judge that knows which words are false."""
    given = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return asyncio.run(_verified(given, judged=judged))


async def _verified(given: Sequence[dict[str, Any]], *, judged: bool) -> list[EarnedRow]:
    plain = Verifier()
    made = []
    for row in given:
        case = Case.from_dict(row["case"])
        judge = OneJudge(PerfectReader(row.get("false_words") or "", case=case)) if judged else None
        verifier = plain if judge is None else plain.with_services({"judges": judge})
        record = await verifier.verify(case)
        made.append(EarnedRow(row["id"], row.get("damage"), record))
    return made


def report() -> str:
    """The section."""
    if not FILE.is_file():
        return f"## Is a pass earned?\n\n{NO_DATA}"
    return "\n\n".join(
        ["## Is a pass earned?", *(sections(rows(FILE, judged=judged), judged) for judged in (False, True))]
    )


def sections(made: Sequence[EarnedRow], judged: bool) -> str:
    """One set-up by its own targets: with the perfect reader nothing may go wrong."""
    if judged:
        return section("With a perfect reader as judge", made, accepted=0.0, passed=1.0, hard=0.0)
    return section("Offline, with defaults", made)


def section(
    title: str, made: Iterable[EarnedRow], accepted: float = ACCEPTED, passed: float = PASSED, hard: float = HARD
) -> str:
    """One set-up: the three figures, then every kind of damage."""
    made = list(made)
    undamaged = [row for row in made if row.damage is None]
    good = [row for row in undamaged if row.record.unverified_because != "no_claims"]
    damaged = [row for row in made if row.damage is not None]
    held = [row for row in damaged if row.damage not in APART]
    apart = [row for row in damaged if row.damage in APART]
    figures = [
        _figure("damaged, accepted", [row.accepted for row in held], accepted),
        _figure(f"damaged, accepted: {', '.join(APART)}", [row.accepted for row in apart], None),
        _figure("undamaged, passed", [row.record.outcome == "pass" for row in good], passed, at_least=True),
        _figure("undamaged, failed outright", [row.record.outcome == "fail" for row in good], hard),
        ("undamaged that assert nothing: unverified, not counted above", str(len(undamaged) - len(good)), "", "", ""),
    ]
    through = Counter(str(row.damage) for row in damaged if row.accepted)
    kinds = Counter(str(row.damage) for row in damaged)
    listed = [(kind, f"{through[kind]} of {n}", f"{through[kind] / n:.0%}") for kind, n in sorted(kinds.items())]
    parts = [f"### {title}", table(["", "n", "share", "wanted", "met"], figures)]
    return "\n\n".join([*parts, table(["damage", "accepted", "share"], listed)])


def _figure(name: str, hits: Sequence[bool], wanted: float | None, *, at_least: bool = False) -> tuple[str, ...]:
    share = sum(hits) / len(hits) if hits else 0.0
    told = (
        ("–", "–")
        if wanted is None
        else (f"{'≥' if at_least else '≤'} {wanted:.0%}", met(share, wanted, at_least=at_least))
    )
    return (name, f"{sum(hits)} of {len(hits)}", f"{share:.1%}", *told)


def main() -> int:
    """Print both sections for the file that is named; `--ids` adds which cases went wrong."""
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    path = Path(arguments[0]) if arguments else FILE
    for is_judged in (False, True):
        made = rows(path, judged=is_judged)
        print(sections(made, is_judged), flush=True)
        if "--ids" in sys.argv:
            print("accepted:", *(f"{r.id}({r.damage})" for r in made if r.damage and r.accepted))
            print("refused:", *(f"{r.id}({r.record.outcome})" for r in made if not r.damage and not r.accepted))
    return 0


if __name__ == "__main__":
    sys.exit(main())
