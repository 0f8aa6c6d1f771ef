"""Minimal pairs: a statement that its sources support and one that differs from it by a few words and is wrong.

The pairs are JSON lines {"id", "kind", "question", "sources": [{"id", "text"}], "true", "false"} in the file that
WITNESSMARK_PAIRS or the first argument names: `python -m bench.bench_pairs FILE [MODE…]`. They are written by somebody who has not seen
the rules. A false one is caught where it does not pass; a true one is kept where it passes.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.measure import DATA, NO_DATA, table
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.settings import Settings
from witnessmark.verifier import Verifier

FILE = Path(os.environ.get("WITNESSMARK_PAIRS", DATA / "pairs.jsonl"))
MODES = ("rules", "local")
Counts = dict[str, list[int]]
"""By kind: pairs, false caught, true kept, true called wrong, pairs told apart by score."""


async def counted(rows: Sequence[dict[str, Any]], mode: str) -> Counts:
    """What became of the pairs in one mode."""
    found: Counts = defaultdict(lambda: [0, 0, 0, 0, 0])
    async with Verifier.from_settings(Settings(verification={"model": mode})) as verifier:  # type: ignore[arg-type]
        for row in rows:
            true, false = [await verifier.verify(_case(row, row[name])) for name in ("true", "false")]
            for name in (row["kind"], "all"):
                count = found[name]
                count[0] += 1
                count[1] += false.outcome != "pass"
                count[2] += true.outcome == "pass"
                count[3] += true.outcome == "fail"
                count[4] += (true.score or 0.0) > (false.score or 0.0)
    return found


def _case(row: dict[str, Any], text: str) -> Case:
    sources = tuple(Evidence(id=one["id"], text=one["text"]) for one in row["sources"])
    return Case(goal=row["question"], subject=Answer(text=text), evidence=sources)


def report(file: Path = FILE, modes: Sequence[str] = MODES) -> str:
    """The section of RESULTS.md."""
    if not file.is_file():
        return f"## Minimal pairs\n\n{NO_DATA}\n"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    parts = ["## Minimal pairs", "", f"{len(rows)} pairs written by somebody who had not seen the rules."]
    for mode in modes:
        found = asyncio.run(counted(rows, mode))
        lines = [
            (kind, n, f"{caught / n:.0%}", f"{kept / n:.0%}", hard, f"{apart / n:.0%}")
            for kind, (n, caught, kept, hard, apart) in sorted(found.items(), key=lambda one: (one[0] == "all", one[0]))
        ]
        columns = ("kind", "pairs", "false caught", "true kept", "true called wrong", "true scored above false")
        parts += ["", f"`{mode}`:", "", table(columns, lines)]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    given = sys.argv[1:]
    print(report(Path(given[0]) if given else FILE, given[1:] or MODES))
