"""How much work something is: the same on every machine and however busy it is, which no clock says."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

PER_MS = 1_000
"""Calls that a plain machine makes in a millisecond of CPU time, at least; between 1,000 and 3,000 were seen."""


def calls(work: Callable[[], Any]) -> int:
    """How many functions are called, Python's and C's, in this thread. What one call of C does, as a pattern's search, is not seen."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
