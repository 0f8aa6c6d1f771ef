"""Claims from plain words, against reports that people wrote with the claims in them; the last set was opened after the first rules were done."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.report.claims import claims_in
from witnessmark.actions.report.report import Report

DATA = Path(__file__).resolve().parent / "data"
SETS = (
    ("seen", "reports_seen.jsonl"),
    ("second half, blind at first", "reports_seen2.jsonl"),
    ("blind", "reports_blind.jsonl"),
)
CLASS = {
    "created": "write", "wrote": "write", "updated": "edit", "deleted": "delete", "renamed": "rename", "ran": "ran",
    "tests_passed": "tests", "file_create": "write", "file_write": "write", "file_edit": "edit", "file_delete": "delete",
    "file_rename": "rename", "command": "ran",
}  # fmt: skip


@dataclass
class Score:
    """What was found of what is there, and what was found besides."""

    reports: int = 0
    hits: int = 0
    missed: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.hits / max(self.hits + len(self.extra), 1)

    @property
    def recall(self) -> float:
        return self.hits / max(self.hits + len(self.missed), 1)


def plain_path(path: str | None) -> str:
    """No leading ./, no trailing slash, no :line."""
    bare = (path or "").strip()
    while bare.startswith("./"):
        bare = bare[2:]
    head, _, line = bare.rpartition(":")
    return (head if head and line.isdigit() else bare).rstrip("/")


def agrees(claim: ActionClaim, gold: dict[str, Any]) -> bool:
    if CLASS[claim.kind] != CLASS[gold["verb"]]:
        return False
    if claim.kind == "command":
        said, meant = " ".join((claim.command or "").split()), " ".join(gold["command"].split())
        return bool(said) and (said in meant or meant in said)
    if claim.kind == "tests_passed":
        pairs = ((claim.passed, gold.get("passed")), (claim.failed, gold.get("failed")))
        return all(a is None or b is None or a == b for a, b in pairs)
    same = plain_path(claim.path) == plain_path(gold["path"])
    return same and (claim.kind != "file_rename" or plain_path(claim.to) == plain_path(gold["to"]))


def score(path: Path) -> Score:
    total = Score()
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        total.reports += 1
        waiting = list(row["claims"])
        for claim in (claim for claim in claims_in(Report(row["report"])).claims if claim.kind in CLASS):
            match = next((gold for gold in waiting if agrees(claim, gold)), None)
            if match is None:
                total.extra.append(f"{row['id']}: {_told(claim)}")
            else:
                waiting.remove(match)
                total.hits += 1
        total.missed += [f"{row['id']}: {json.dumps(gold, ensure_ascii=False)}" for gold in waiting]
    return total


def _told(claim: ActionClaim) -> str:
    parts = [claim.kind, claim.path, claim.to, claim.command, claim.passed, claim.failed]
    return " ".join(str(part) for part in parts if part is not None)


def _speed() -> str:
    rows = [
        json.loads(line)["report"] for line in (DATA / "reports_seen.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    size = sum(len(row.encode()) for row in rows)
    spent = []
    for _ in range(5):
        started = time.process_time()
        for row in rows:
            claims_in(Report(row))
        spent.append(time.process_time() - started)
    whole = "\n".join(rows) + "\n"
    million = whole * (1_000_000 // whole.count("\n") + 1)
    started = time.process_time()
    read = claims_in(Report(million))
    long = time.process_time() - started
    return (
        f"{len(rows)} reports, {size / 1000:.0f} kB: {min(spent) * 1e3:.0f} ms ({min(spent) / len(rows) * 1e6:.0f} µs a report). "
        f"A report of a million lines ({len(million) / 1e6:.0f} MB): {long:.1f} s for the first {read.coverage:.1%} of it (the cap), as its coverage states."
    )


def report() -> str:
    """Precision and recall on every set, and everything that was missed or made up."""
    out = [
        "## Claims from plain words",
        "",
        "| set | reports | precision | recall | target | met |",
        "|---|---|---|---|---|---|",
    ]
    told: list[str] = []
    for name, half in SETS:
        if not (DATA / half).exists():
            out.append(f"| {name} | not measured: no data | | | | |")
            continue
        got = score(DATA / half)
        met = "yes" if got.precision >= 0.95 and got.recall >= 0.85 else "no"
        out.append(f"| {name} | {got.reports} | {got.precision:.3f} | {got.recall:.3f} | ≥ 0.95, ≥ 0.85 | {met} |")
        told += [f"- {name}, missed: {line}" for line in got.missed] + [
            f"- {name}, made up: {line}" for line in got.extra
        ]
    how = (
        "The blind set was written by somebody who had not seen the rules and opened after they were finished and committed: precision 0.958, "
        "recall 0.859 when opened. The rules have been changed since for real messages (see the reader on real messages), not for this set. On the other two the rules were developed; the second half was blind at first: precision 0.969, recall 0.830 when "
        "first opened."
    )
    return "\n".join([*out, "", how, "", _speed(), "", "Misses:", "", *told, ""])


if __name__ == "__main__":
    print(report())
