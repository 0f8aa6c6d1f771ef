"""The pages put onto a service: which address shows what, and who may see it. Each page has a file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trueline.web.door import Handler, guarded
from trueline.web.site import Role, Site

if TYPE_CHECKING:
    from starlette.applications import Starlette

PREFIX = "/ui"


def mount(app: Starlette, site: Site) -> None:
    """Add every page, the static files and the live updates to an application."""
    from starlette.staticfiles import StaticFiles

    from trueline.web import (
        calibration_page,
        experiments_page,
        overview_page,
        record_page,
        records_page,
        review_page,
        settings_page,
        verify_page,
    )  # fmt: skip

    def put(path: str, handler: Handler, need: Role = "verify", method: str = "GET") -> None:
        app.add_route(path, guarded(site, handler, need), methods=[method], include_in_schema=False)

    put("/", overview_page.show)
    put("/ui/changes", overview_page.changes)
    put("/ui/records", records_page.show)
    put("/ui/records/{id}", record_page.show)
    put("/ui/records/{id}/replay", record_page.replayed, method="POST")
    put("/ui/records/{id}/reverify", record_page.reverified, method="POST")
    put("/ui/records/{id}/override", record_page.overridden, "review", "POST")
    put("/ui/records/{id}/outcome", record_page.turned_out, "review", "POST")
    put("/ui/records/{id}/comment", record_page.commented, "review", "POST")
    put("/ui/review", review_page.show)
    put("/ui/review/{id}", review_page.decide, "review", "POST")
    put("/ui/verify", verify_page.show)
    put("/ui/verify", verify_page.verify, method="POST")
    put("/ui/calibration", calibration_page.show)
    put("/ui/calibration/fit", calibration_page.fitted, "admin", "POST")
    put("/ui/calibration/apply", calibration_page.applied, "admin", "POST")
    put("/ui/experiments", experiments_page.show)
    put("/ui/experiments/{id}", experiments_page.one)
    put("/ui/settings", settings_page.show)
    put("/ui/settings/switch", settings_page.switched, "admin", "POST")
    app.mount("/ui/static", StaticFiles(packages=[("trueline.web", "static")]), name="static")
