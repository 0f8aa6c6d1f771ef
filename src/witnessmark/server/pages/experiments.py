"""Experiments: two set-ups on the same cases, side by side. They are run from the command line and read here."""

from __future__ import annotations

from starlette.responses import Response

from witnessmark.core.errors import UnknownNameError
from witnessmark.core.verdict import OUTCOMES
from witnessmark.insight import experiments
from witnessmark.server.pages.access import Visit


async def show(visit: Visit) -> Response:
    """All of them, newest first, and the newest in full."""
    known = await experiments.stored_experiments(visit.site.store, visit.caller.workspace)
    return await visit.page(
        "experiments.html", "experiments", known=known, chosen=known[0] if known else None, outcomes=OUTCOMES
    )


async def one(visit: Visit) -> Response:
    """One of them."""
    wanted = str(visit.request.path_params["id"])
    known = await experiments.stored_experiments(visit.site.store, visit.caller.workspace)
    chosen = next((found for found in known if found.id == wanted), None)
    if chosen is None:
        raise UnknownNameError("experiment", wanted, [found.id for found in known])
    return await visit.page("experiments.html", "experiments", known=known, chosen=chosen, outcomes=OUTCOMES)
