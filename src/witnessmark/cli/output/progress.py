"""How far a long run is, on standard error: one line that moves on a terminal, a plain line now and then in a pipe."""

from __future__ import annotations

import sys
import time

from witnessmark.batch.job import BatchStep

EVERY_S = 0.25
EVERY_S_IN_PIPES = 10.0


class ProgressLine:
    """Shows steps; silent where it was asked to be."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet, self._drawn = quiet, False
        self._moves = sys.stderr.isatty()
        self._last = time.monotonic()

    def show(self, step: BatchStep) -> None:
        """Say how far it is, where that was not said just now."""
        now = time.monotonic()
        if self._quiet or now - self._last < (EVERY_S if self._moves else EVERY_S_IN_PIPES):
            return
        self._last = now
        self._drawn = self._moves
        sys.stderr.write(f"\r\x1b[K{told(step)}" if self._moves else f"witnessmark: {told(step)}\n")
        sys.stderr.flush()

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def told(step: BatchStep) -> str:
    """Rows, rate, cost and time left."""
    made = step.rows - step.resumed_rows
    rate = made / step.seconds if step.seconds > 0 else 0.0
    parts = [f"{step.rows:,} rows", f"{rate:,.0f}/s"]
    cost = step.tally.usage.cost_usd
    parts.append("price unknown" if cost is None else f"${cost:.2f}")
    left = _left(step, made)
    if left is not None:
        parts.append(f"{_span(left)} left")
    return ", ".join(parts)


def _left(step: BatchStep, made: int) -> float | None:
    """Seconds to go, as far as the size of the input tells."""
    if not step.share or not made or not step.rows:
        return None
    whole = step.rows / min(1.0, step.share)
    return (whole - step.rows) * step.seconds / made


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
