"""The overview over a million records, and whether certified thresholds keep their promise on real recorded judges."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import random
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from bench.measure import DATA, NO_DATA, met, table

COUNT = 1_000_000
DAYS = 90
CHUNK = 20_000
RESAMPLES = 200
MOST_MS = 150


def report() -> str:
    """The section."""
    return f"## Insight\n\n{_overview()}\n\n{_promises()}"


# --- the overview -----------------------------------------------------------------------------------------------------


def _overview() -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.db"
        rows = fill(path, COUNT)
        everything, month = spent(path, None), spent(path, 30)
        size = path.stat().st_size
    found = [
        (
            f"overview of all {DAYS} days",
            f"{everything * 1000:.0f} ms",
            f"{MOST_MS} ms",
            met(everything * 1000, MOST_MS),
        ),
        ("overview of the last 30 days", f"{month * 1000:.0f} ms", f"{MOST_MS} ms", met(month * 1000, MOST_MS)),
    ]
    told = (
        f"{COUNT:,} records of {DAYS} days, ten checkpoints, four complexities, 20 agents, three judges, in one SQLite file of "
        f"{size / 1e6:,.0f} MB; {rows:,} rows of counts. Server CPU, all threads, best of five, connection open."
    )
    return f"{told}\n\n" + table(["", "CPU", "at most", "met"], found)


def fill(path: Path, count: int) -> int:
    """A store with so many records: rows made from a few hundred templates, counted as the store counts them."""
    from witnessmark.stores import migrations, rows
    from witnessmark.stores.rollups import tally, update
    from witnessmark.stores.sqlite import Sqlite

    db = Sqlite(str(path))
    db.begin()
    migrations.migrate(db)
    db.commit()
    made = _templates()
    drawn = random.Random(5)
    now = float(int(time.time()))
    for start in range(0, count, CHUNK):
        records, runs, counts = [], [], tally.TallyCounts()
        for number in range(start, min(start + CHUNK, count)):
            entry = drawn.choice(made)
            record, run = entry.record, entry.runs[0]
            at = now - drawn.random() * DAYS * 86_400
            name = f"{number:064x}"
            row = rows.record_row(entry)
            records.append((row[0], name, *row[2:15], at))
            cells = rows.run_rows(entry)[0]
            runs.append((name, cells[1], name, at, *cells[4:]))
            tally.count_run(counts, record, _at(run, at))
        db.begin()
        db.insert("records", rows.RECORD_COLUMNS, records)
        db.insert("runs", rows.RUN_COLUMNS, runs)
        update.write(db, counts)
        db.commit()
    labels = tally.TallyCounts()
    for number in range(2_000):
        key = json.dumps(["task", f"agent-{number % 20}", "pass", "through", None, ("pass", "fail")[number % 9 == 0]])
        labels.mark("default", "label", int(now // 86_400 - number % DAYS) * 86_400, key.replace(", ", ","))
    db.begin()
    update.write(db, labels)
    db.commit()
    ((kept,),) = db.execute("SELECT (SELECT count(*) FROM rollup_runs) + (SELECT count(*) FROM rollup_marks)")
    db.close()
    return int(kept)


def _at(run: Any, at: float) -> Any:
    from msgspec.structs import replace

    return replace(run, at=at)


def _templates() -> list[Any]:
    from witnessmark.core.record import ResultRecord
    from witnessmark.testing.records import entry, made

    drawn = random.Random(3)
    checkpoints = ("task", "answer", "actions", "goal", "synthesis", "decomposition", "agent_output", "discussion", "consistency", "mission")  # fmt: skip
    ends = (("pass", "accept"), ("pass", "warn"), ("partial", "retry"), ("fail", "abort"), ("unverified", "escalate"))
    found = []
    for checkpoint, (outcome, action), _ in itertools.product(checkpoints, ends, range(12)):
        said = ResultRecord(
            node="rubric", check="rubric", version="1", status="pass", judge=f"judge-{drawn.randrange(3)}"
        )
        record = made(
            checkpoint=checkpoint,
            outcome=outcome,
            action=action,
            score=None if outcome == "unverified" else drawn.random(),
            confidence=None if outcome == "unverified" else drawn.random(),
            confidence_source=drawn.choice(["deterministic", "reported", "agreement", "calibrated"]),
            attempt=drawn.choice([1, 1, 1, 2, 3]),
            categories=drawn.sample(["truncated", "criterion_unmet", "unsupported_claim", "wrong_format"], 2),
            results=(said,) * 3,
        )
        complexity = drawn.choice(["SIMPLE", "MEDIUM", "COMPLEX", "CRITICAL"])
        found.append(
            entry(record, complexity=complexity, agent=f"agent-{drawn.randrange(20)}", work_usd=0.05, cost_usd=0.002)
        )
    return found


def spent(path: Path, days: int | None) -> float:
    """CPU seconds of one overview, best of five."""
    from witnessmark.insight.overview import overview
    from witnessmark.stores import open_store

    async def work() -> float:
        store: Any = open_store(f"sqlite:///{path}")
        since = None if days is None else time.time() - days * 86_400
        best = float("inf")
        for _ in range(5):
            started = time.process_time()
            await overview(store, "default", since)
            best = min(best, time.process_time() - started)
        await store.close()
        return best

    return asyncio.run(work())


# --- promises on real judges ------------------------------------------------------------------------------------------


def _promises() -> str:
    judges = DATA / "judges"
    if not judges.is_dir():
        return f"Risk-controlled thresholds: {NO_DATA}"
    out = []
    for name, verdicts in [*_llmbar(judges), *_pandalm(judges), *_devai(judges)]:
        for risk in (0.05, 0.10, 0.20):
            out.append((name, *_resampled(verdicts, risk)))
    columns = [
        "judge",
        "tasks",
        "wrong",
        "risk",
        "promised in",
        "untrue of the whole set",
        "violated on the other half",
        "at most",
        "met",
        "coverage where promised",
    ]
    told = (
        "Certified cut-offs (`insight.thresholds.certify`, 90 % confidence) on recorded judges, half of the tasks to certify "
        f"on, the other half to look at, {RESAMPLES} times. A judge's sureness is the share of its own replies (prompts and "
        "orders, or two recorded judges) that say the same. Violated: the error among the accepted verdicts of the "
        "other half lies above the risk. That error is measured on few tasks, and where one half has fewer wrong verdicts the other has "
        "more, so it is stricter than the promise; beside it stands how often the promise was untrue of all tasks together."
    )
    return f"{told}\n\n" + table(columns, out)


Verdicts = dict[str, list[tuple[float, bool]]]
"""Of each task: how sure a verdict was, and whether it was right."""


def _resampled(verdicts: Verdicts, risk: float) -> tuple[str, ...]:
    from witnessmark.insight.thresholds import certify

    drawn = random.Random(11)
    tasks = sorted(verdicts)
    every = [right for some in verdicts.values() for _, right in some]
    violated, untrue, covered = 0, 0, []
    for _ in range(RESAMPLES):
        drawn.shuffle(tasks)
        half = len(tasks) // 2
        seen = [(task, pair) for task in tasks[:half] for pair in verdicts[task]]
        held_out = [pair for task in tasks[half:] for pair in verdicts[task]]
        made = certify([pair for _, pair in seen], risk=risk, groups=[task for task, _ in seen])
        if made.threshold is None:
            continue
        accepted = [right for sureness, right in held_out if sureness >= made.threshold]
        covered.append(len(accepted) / len(held_out))
        violated += bool(accepted) and accepted.count(False) / len(accepted) > risk
        at_large = [right for some in verdicts.values() for sureness, right in some if sureness >= made.threshold]
        untrue += at_large.count(False) / len(at_large) > risk
    share = violated / RESAMPLES
    coverage = f"{statistics.mean(covered):.0%}" if covered else "–"
    return (
        f"{len(tasks)}", f"{every.count(False) / len(every):.0%}", f"{risk:.0%}", f"{len(covered)} of {RESAMPLES}", f"{untrue / RESAMPLES:.1%}",
        f"{share:.1%}", "10 %", met(share, 0.10), coverage,
    )  # fmt: skip


def _read(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _llmbar(judges: Path) -> list[tuple[str, Verdicts]]:
    better = {pair["id"]: str(pair["winner"]) for pair in _read(judges / "llmbar_pairs.jsonl.gz")}
    votes: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for row in _read(judges / "llmbar_verdicts.jsonl.gz"):
        if str(row["winner"]) in ("1", "2"):
            votes[row["judge"]][row["id"]][str(row["winner"])] += 1
    return [
        (f"LLMBar, {judge}", {task: [_majority(counted, better[task])] for task, counted in by_task.items()})
        for judge, by_task in sorted(votes.items())
    ]


def _majority(counted: Counter[str], truth: str) -> tuple[float, bool]:
    winner, n = counted.most_common(1)[0]
    return n / counted.total(), winner == truth


def _pandalm(judges: Path) -> list[tuple[str, Verdicts]]:
    """Two recorded judges read as one panel: sure where they agree, right where most of three people say the same."""
    found: Verdicts = {}
    for row in _read(judges / "pandalm.jsonl.gz"):
        people = Counter(str(row[f"annotator{n}"]) for n in (1, 2, 3))
        truth, n = people.most_common(1)[0]
        said = [
            str(row["recorded"]["gpt-3.5-turbo"]["gpt_result"]),
            str(row["recorded"]["pandalm-7b"]["pandalm_result"]),
        ]
        if n >= 2:
            found.setdefault(row["instruction"], []).append((1.0 if said[0] == said[1] else 0.5, said[0] == truth))
    return [("PandaLM, two judges", found)]


def _devai(judges: Path) -> list[tuple[str, Verdicts]]:
    """A judge that says yes or no and nothing about how sure it is: all or nothing can be promised."""
    kinds: dict[str, Verdicts] = {}
    for row in _read(judges / "devai_requirements.jsonl.gz"):
        for kind, said in (row["agent_judge"] or {}).items():
            if said is not None:
                kinds.setdefault(kind, {}).setdefault(row["task"], []).append((1.0, bool(said) == bool(row["human"])))
    return [(f"DevAI, agent judge ({kind.replace('_', ' ')})", found) for kind, found in sorted(kinds.items())]
