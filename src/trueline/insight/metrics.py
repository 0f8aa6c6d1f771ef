"""The metric dictionary, and its figures from a store's counts: the same for the command line, the API, Prometheus and pages."""

from __future__ import annotations

from trueline.insight.figure import Figure, Metric
from trueline.tallies import Counted

DICTIONARY: tuple[Metric, ...] = ()


async def figures(
    store: Counted, workspace: str, since: float | None = None, until: float | None = None
) -> dict[str, Figure]:
    """Every metric of the dictionary, by name."""
    raise NotImplementedError
