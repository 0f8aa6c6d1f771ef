"""Many cases from file to file: rate, memory, workers, Ray, and what kill -9 leaves.

WITNESSMARK_BENCH_CASES=20000 makes it small: everything shrinks in proportion to the million.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.bench_flow import case_bytes
from bench.measure import ROOT, met, table

CASES = int(os.environ.get("WITNESSMARK_BENCH_CASES", "1000000"))
SHARE = CASES / 1_000_000
KILLS = 10
MARK = "WITNESSMARK_BENCH_RUN"
WITNESSMARK = (sys.executable, "-m", "witnessmark", "batch")


def report() -> str:
    """The section."""
    with tempfile.TemporaryDirectory(prefix="witnessmark-batch-") as folder:
        place = Path(folder)
        parts = ["## Batches", _million(place), _workers(place), _grounding(place), _killed(place)]
    return "\n\n".join(parts)


# --- one million ---------------------------------------------------------------------------------------------------


def _million(place: Path) -> str:
    count = max(20_000, CASES)
    given = _write(place / "million.jsonl", count, case_bytes)
    ran = _run(place, given, "million-out.jsonl")
    floor = _cpu_of(lambda: _json_through(given, place / "floor.jsonl"))
    start = _start_up(place)
    size = (place / "million-out.jsonl").stat().st_size
    rate, later = count / ran.cpu, ran.peak_mb - ran.early_mb
    rows = [
        ("cases a CPU second (read, verify, write)", f"{rate:,.0f}", "at least 5,000", met(rate, 5_000, at_least=True)),
        ("µs each", f"{1e6 * ran.cpu / count:.0f}", "", ""),
        ("memory after the first 10,000, MB", f"{ran.early_mb:.0f}", "", ""),
        ("growth from there to the peak, MB", f"{later:.1f}", "at most 100", met(later, 100)),
        ("of which starting up, CPU s", f"{start:.2f}", "", ""),
        ("floor: the same bytes through `json.loads` and `json.dumps`, a CPU second", f"{count / floor:,.0f}", "", ""),
    ]
    for name in ("million.jsonl", "million-out.jsonl", "floor.jsonl"):
        (place / name).unlink()
    head = f"{count:,} deterministic cases (4 criteria; {given.name} to {size / 1e9:.2f} GB of records), one process"
    return table([head, "measured", "target", "met"], rows)


def _json_through(given: Path, out: Path) -> None:
    with given.open("rb") as file, out.open("w", encoding="utf-8") as made:
        for line in file:
            made.write(json.dumps(json.loads(line)) + "\n")


# --- workers --------------------------------------------------------------------------------------------------------


def _workers(place: Path) -> str:
    count = max(10_000, int(200_000 * SHARE))
    given = _write(place / "workers.jsonl", count, case_bytes)
    few = _write(place / "two-chunks.jsonl", 1_001, case_bytes)
    one = _run(place, given, "one.jsonl").cpu
    two = _run(place, given, "two.jsonl", "--workers", "2").cpu
    ray_start = _run(place, few, "ray-few.jsonl", "--engine", "ray", "--workers", "2").cpu
    ray = _run(place, given, "ray.jsonl", "--engine", "ray", "--workers", "2").cpu
    same = (
        (place / "one.jsonl").read_bytes() == (place / "two.jsonl").read_bytes() == (place / "ray.jsonl").read_bytes()
    )
    start = _start_up(place)
    alone = (one - start) * (count - 1_001) / count
    rows = [
        ("one process (floor)", f"{one:.1f}", "1.00", "", ""),
        ("two workers", f"{two:.1f}", f"{two / one:.2f}", "1.15", met(two / one, 1.15)),
        (
            f"two Ray actors, without the {ray_start:.1f} s that Ray takes to start and stop",
            f"{ray - ray_start:.1f}",
            f"{(ray - ray_start) / alone:.2f}",
            "1.4",
            met((ray - ray_start) / alone, 1.4),
        ),
    ]
    told = f"All three outputs are the same bytes: {'yes' if same else '**no**'}."
    head = f"{count:,} deterministic cases"
    return table([head, "CPU s, all processes", "of one process", "at most", "met"], rows) + "\n\n" + told


# --- grounding ------------------------------------------------------------------------------------------------------


def answer_bytes(number: int) -> bytes:
    """An answer of two sentences over two passages; every third has a wrong figure."""
    said = 82 + (number % 3 == 0)
    case = {
        "id": f"answer-{number}",
        "goal": "How did the company do in 2025?",
        "subject": {
            "kind": "answer",
            "text": f"Revenue grew 14 % to {said} million euros in 2025 [d1]. The company had {number} employees "
            "at the end of the year [d2].",
        },
        "evidence": [
            {"id": "d1", "text": "Revenue grew 14 % in 2025, to 82 million euros. Offices opened in Lyon and Porto."},
            {"id": "d2", "text": f"Headcount was {number} at the end of 2025. Maria Lopes leads the firm since 2019."},
        ],
    }
    return json.dumps(case).encode()


def _grounding(place: Path) -> str:
    rows = []
    for model, count in (("rules", max(500, int(100_000 * SHARE))), ("local", max(100, int(2_000 * SHARE)))):
        setting, why = _model(place, model)
        what = f"{count:,} answers, {'rules only' if model == 'rules' else 'the embedded model'}"
        if why:
            rows.append((what, f"not measured: {why}", "", "", ""))
            continue
        given = _write(place / f"{model}.jsonl", count, answer_bytes)
        few = _write(place / "few.jsonl", 1, answer_bytes)
        start = _run(place, few, "few-out.jsonl", *setting).cpu
        one = _run(place, given, f"{model}-one.jsonl", *setting).cpu
        two = _run(place, given, f"{model}-two.jsonl", "--workers", "2", *setting).cpu
        rows.append((what, f"{count / (one - start):,.0f}", f"{start:.2f}", f"{two / one:.2f}", met(two / one, 1.15)))
    floor = _write(place / "floor.jsonl", 2_000, answer_bytes)
    loads = _cpu_of(lambda: _json_through(floor, place / "floor-out.jsonl"))
    rows.append(("floor: `json.loads` and `json.dumps` of the same", f"{2_000 / loads:,.0f}", "", "", ""))
    head = ["grounding", "a CPU second", "starting up, CPU s", "two workers / one (at most 1.15)", "met"]
    return table(head, rows)


def _model(place: Path, name: str) -> tuple[tuple[str, ...], str]:
    """The option that asks for the model, or why it cannot be asked for."""
    from witnessmark.checks.grounding.confidence import Verification

    if "model" not in Verification.__struct_fields__:
        return (), "" if name == "rules" else "no embedded model in this version"
    file = place / f"{name}.toml"
    file.write_text(f'[verification]\nmodel = "{name}"\n', encoding="utf-8")
    if name != "rules":
        from witnessmark.judges import local  # type: ignore[attr-defined,unused-ignore]

        if why := local.missing(name):
            return (), str(why)
    return ("--config", str(file)), ""


# --- killed ---------------------------------------------------------------------------------------------------------


def _killed(place: Path) -> str:
    """Kill -9 at ten random points, resume each time, compare with a run that nobody disturbed."""
    count = max(20_000, int(100_000 * SHARE))
    given = _write(place / "killed.jsonl", count, case_bytes)
    undisturbed = _run(place, given, "undisturbed.jsonl")
    chosen = random.Random(7)
    size = (place / "undisturbed.jsonl").stat().st_size
    spent, kills = 0.0, 0
    for share in sorted(chosen.random() for _ in range(KILLS)):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        kills += _kill_at(place, given, size * share)
        spent += _since(before)
    last = _run(place, given, "killed-out.jsonl")
    one, other = (
        sorted((place / name).read_bytes().splitlines()) for name in ("undisturbed.jsonl", "killed-out.jsonl")
    )
    rows = [
        ("killed with kill -9", kills, KILLS, met(kills, KILLS - 2, at_least=True)),
        ("rows of output", f"{len(other):,}", f"{count:,}", met(abs(len(other) - count), 0)),
        ("byte-identical after sorting", "yes" if one == other else "no", "yes", "yes" if one == other else "**no**"),
        ("CPU of all runs / of one undisturbed (floor 1.0)", f"{(spent + last.cpu) / undisturbed.cpu:.2f}", "", ""),
    ]
    return table([f"resumed, {count:,} cases, points at random", "measured", "target", "met"], rows)


def _kill_at(place: Path, given: Path, size: float) -> bool:
    process = subprocess.Popen(
        [*WITNESSMARK, str(given), "killed-out.jsonl", "-q"], cwd=place, env=_environment(), start_new_session=True
    )
    lines = place / "killed-out.jsonl.batch" / "lines.jsonl"
    while process.poll() is None and not (lines.exists() and lines.stat().st_size > size):
        time.sleep(0.005)
    killed = process.poll() is None
    if killed:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return killed


# --- running and watching ---------------------------------------------------------------------------------------------


@dataclass
class Ran:
    """What a run took: CPU seconds of all its processes, and the memory of the first one as it went."""

    cpu: float = 0.0
    early_mb: float = 0.0
    peak_mb: float = 0.0
    seen: dict[int, float] = field(default_factory=dict)


def _environment(mark: str = "") -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("WITNESSMARK_")}
    return kept | {"PYTHONPATH": str(ROOT / "src"), MARK: mark}


def _run(place: Path, given: Path, out: str, *options: str) -> Ran:
    """Run the command and watch it; CPU of processes it does not wait for (Ray's) is read while they live."""
    mark, ran = uuid.uuid4().hex, Ran()
    command = [*WITNESSMARK, str(given), out, "--quiet", "--fail-on", "never", "--fresh", *options]
    if (place / f"{out}.batch").exists():
        command.remove("--fresh")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, cwd=place, env=_environment(mark))
    with _watching(ran, process, place / f"{out}.batch" / "journal.jsonl", mark, everything="ray" in options):
        process.wait()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    waited = _since(before)
    ran.cpu = max(waited, sum(ran.seen.values())) if "ray" in options else waited
    return ran


@contextmanager
def _watching(ran: Ran, process: Any, journal: Path, mark: str, *, everything: bool) -> Iterator[None]:
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.1):
            now = _memory_mb(process.pid)
            if ran.early_mb or _rows(journal) >= 10_000:
                ran.early_mb = ran.early_mb or now
                ran.peak_mb = max(ran.peak_mb, now)
            if everything:
                ran.seen.update(_cpu_by_process(mark))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _rows(journal: Path) -> int:
    try:
        last = journal.read_bytes().splitlines()[-1]
        return int(json.loads(last).get("rows", 0))
    except (OSError, IndexError, ValueError):
        return 0


def _memory_mb(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1e3 for line in text.splitlines() if line.startswith("VmRSS")), 0.0)


def _cpu_by_process(mark: str) -> dict[int, float]:
    """CPU seconds of every process that carries the mark in its environment, wherever it was started from."""
    found, tick = {}, os.sysconf("SC_CLK_TCK")
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                fields = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                found[int(entry.name)] = (int(fields[11]) + int(fields[12])) / tick
        except OSError:
            continue
    return found


def _since(before: resource.struct_rusage) -> float:
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _cpu_of(work: Callable[[], Any]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _start_up(place: Path) -> float:
    few = _write(place / "few.jsonl", 1, case_bytes)
    return min(_run(place, few, "few-out.jsonl").cpu for _ in range(3))


def _write(path: Path, count: int, make: Callable[[int], bytes]) -> Path:
    with path.open("wb") as file:
        for number in range(count):
            file.write(make(number) + b"\n")
    return path
