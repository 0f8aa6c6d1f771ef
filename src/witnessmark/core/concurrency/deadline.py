"""When the check that is running now is cut off. Whoever waits inside it sets a clock of its own only for a shorter wait."""

from __future__ import annotations

import math
from contextvars import ContextVar

active: ContextVar[float] = ContextVar("witnessmark_deadline", default=math.inf)
"""The end of the check that is running now, as the event loop's clock tells time; endless where none is."""


def cut_off_within(now: float, seconds: float) -> bool:
    """Whether the check that is running now ends before a wait of so many seconds would, and is not over yet.

    One that is over holds nothing: what it left running must look to its own end.
    """
    return now < active.get() <= now + seconds
