"""Exit codes that scripts can trust."""

from __future__ import annotations

from collections.abc import Iterable

PIPE_CLOSED = 141  # as shells say it: 128 and the signal
PASS, FAIL, USAGE, PARTIAL, UNVERIFIED = 0, 1, 2, 3, 4
OF_OUTCOME = {"pass": PASS, "fail": FAIL, "partial": PARTIAL, "unverified": UNVERIFIED}
_WORST_FIRST = (USAGE, FAIL, UNVERIFIED, PARTIAL, PASS)


def worst(codes: Iterable[int]) -> int:
    """The code that counts where there are several; no case at all is bad input."""
    found = set(codes)
    return next((code for code in _WORST_FIRST if code in found), USAGE)
