"""The figures as Prometheus reads them: text exposition, made from the store's counts. No client library is needed."""

from __future__ import annotations

from collections.abc import Sequence

from trueline.tallies import Counted

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


async def text(store: Counted, workspaces: Sequence[str] | None = None) -> str:
    """Counters and gauges of these workspaces, or of all."""
    raise NotImplementedError
