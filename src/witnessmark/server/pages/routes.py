"""The pages put onto a service: which address shows what, who may see it, and what the menu calls it. Each page has a file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # read where no web framework is installed, too
    from starlette.applications import Starlette

    from witnessmark.server.pages.access import Handler
    from witnessmark.server.pages.site import Role, Site

PREFIX = "/ui"


def mount(app: Starlette, site: Site) -> None:
    """Add every page, the static files and the live updates to an application."""
    from starlette.responses import RedirectResponse
    from starlette.staticfiles import StaticFiles

    from witnessmark.server.pages import (  # fmt: skip
        calibration,
        experiments,
        operations,
        overview,
        record,
        records,
        review,
        settings,
        verify,
    )
    from witnessmark.server.pages.access import MenuItem, guarded

    items: list[MenuItem] = []

    def put(path: str, handler: Handler, need: Role = "verify", method: str = "GET", *, menu: str = "") -> None:
        app.add_route(path, guarded(site, handler, need, items), methods=[method], include_in_schema=False)
        if menu:
            items.append(MenuItem(path.rpartition("/")[2] or "overview", path, menu, need))

    put("/", overview.show, menu="Overview")
    app.add_route(PREFIX, lambda _: RedirectResponse("/", 307), include_in_schema=False)
    put("/ui/changes", overview.changes)
    put("/ui/records", records.show, menu="Records")
    put("/ui/records/{id}", record.show)
    put("/ui/records/{id}/replay", record.replayed, method="POST")
    put("/ui/records/{id}/reverify", record.reverified, "review", "POST")
    put("/ui/records/{id}/override", record.overridden, "review", "POST")
    put("/ui/records/{id}/outcome", record.turned_out, "review", "POST")
    put("/ui/records/{id}/comment", record.commented, "review", "POST")
    put("/ui/review", review.show, menu="Review")
    put("/ui/review/several", review.decide_several, "review", "POST")
    put("/ui/review/undo", review.undo, "review", "POST")
    put("/ui/review/{id}", review.decide, "review", "POST")
    put("/ui/review/{id}/comment", review.commented, "review", "POST")
    put("/ui/verify", verify.show, menu="Verify a case")
    put("/ui/verify", verify.verify, method="POST")
    put("/ui/calibration", calibration.show, menu="Calibration")
    put("/ui/calibration/fit", calibration.fitted, "admin", "POST")
    put("/ui/calibration/apply", calibration.applied, "admin", "POST")
    put("/ui/experiments", experiments.show, menu="Experiments")
    put("/ui/experiments/{id}", experiments.one)
    put("/ui/jobs", operations.jobs, menu="Jobs")
    put("/ui/jobs/{id}", operations.job)
    put("/ui/jobs/{id}/cancel", operations.cancelled, method="POST")
    put("/ui/keys", operations.all_keys, "admin", menu="Keys")
    put("/ui/keys", operations.key_made, "admin", "POST")
    put("/ui/keys/{id}/revoke", operations.key_revoked, "admin", "POST")
    put("/ui/audit", operations.audit, "admin", menu="Audit log")
    put("/ui/settings", settings.show, menu="Settings")
    put("/ui/settings/switch", settings.switched, "admin", "POST")
    app.mount("/ui/static", StaticFiles(packages=[("witnessmark.server.pages", "static")]), name="static")
