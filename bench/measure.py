"""Small tools for measuring: CPU time, best of several, tables."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("WITNESSMARK_DATA", ROOT.parent / "shared" / "data"))
NO_DATA = "not measured: no data"


def cpu(work: Callable[[], Any], rounds: int = 5) -> float:
    """CPU seconds of the best of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def side_by_side(works: Sequence[Callable[[], Any]], rounds: int = 5) -> list[float]:
    """CPU seconds of each, best of several rounds taken in turns, so that noise falls on all alike."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for number, work in enumerate(works):
            started = time.process_time()
            work()
            best[number] = min(best[number], time.process_time() - started)
    return best


def process_cpu(*arguments: str, rounds: int = 3, **more: Any) -> float:
    """CPU seconds (user + system) of a command, best of several."""
    best = float("inf")
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(arguments, check=False, capture_output=True, **more)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return best


def python_cpu(code: str, rounds: int = 5) -> float:
    """CPU seconds of a line of Python in a fresh process, start of the interpreter included."""
    return process_cpu(sys.executable, "-c", code, rounds=rounds)


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def met(value: float, target: float, *, at_least: bool = False) -> str:
    """Whether a figure reaches its target."""
    good = value >= target if at_least else value <= target
    return "yes" if good else "**no**"
