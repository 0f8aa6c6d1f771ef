"""How a request gets to a page: who asks, whether they may, and what an error looks like. Knows no page.

A form is taken only from a page of ours: browsers say where a request comes from, and a request that comes from
elsewhere is refused before anything is read. Whoever sends neither header is not a browser and carries no session.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from witnessmark.core.errors import StoreError, UnknownNameError, WitnessmarkError
from witnessmark.server.http.errors import RefusedError
from witnessmark.server.pages import render
from witnessmark.server.pages.site import Caller, Role, Site
from witnessmark.stores import browse

RANK: dict[str, int] = {"verify": 0, "review": 1, "admin": 2}
TOLD = {
    "revoked": "The key is revoked and no longer works.",
    "cancelled": "The job is cancelled: what has not begun is not begun.",
    "verification-off": "Verification is off: nothing passes until it is on again.",
    "verification-on": "Verification is on.",
    "correction-off": "Correction is off: nothing is sent back to be corrected.",
    "correction-on": "Correction is on.",
    "applied": "The calibration is in force from now on.",
    "unapplied": "No calibration holds any more.",
}
"""What was just done, by the word that the address has for it."""
MAX_FIELD = 8 * 1024 * 1024


class MenuItem(NamedTuple):
    """A page in the menu: what it calls itself, its address, its words, and who may see it."""

    key: str
    href: str
    label: str
    need: Role


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of one caller."""

    request: Request
    site: Site
    caller: Caller
    menu: Sequence[MenuItem]

    def may(self, role: Role) -> bool:
        """Whether the caller may do what this role may."""
        return RANK[self.caller.role] >= RANK[role]

    @property
    def base(self) -> str:
        """Where the caller reached us: what a command they copy has to name."""
        return str(self.request.base_url).rstrip("/")

    @property
    def runs_service(self) -> bool:
        """Whether the caller is who runs the service: on its machine without a key, or an admin of its own workspace."""
        own = self.caller.workspace == self.site.settings.workspace
        return self.caller.keyless or (self.may("admin") and own)

    @property
    def store(self) -> str:
        """The options that name our store and the workspace on a command line; no address with a password, and to nobody else's eyes."""
        url, space = self.site.settings.store, self.caller.workspace
        here = f"--store {url} " if url and "@" not in url and self.runs_service else ""
        return here if space == self.site.settings.workspace else f"{here}--workspace {space} "

    @property
    def bearer(self) -> str:
        """What a command over HTTP needs so that it is let in; nothing where no key is asked for."""
        return "" if self.caller.keyless else '-H "authorization: Bearer $WITNESSMARK_KEY" '

    def asked(self, name: str, default: str = "") -> str:
        """A parameter of the address."""
        return self.request.query_params.get(name, default)

    async def form(self) -> dict[str, str]:
        """The fields of a form, as text; a file is not expected anywhere."""
        sent = await self._sent()
        return {name: value for name, value in sent.items() if isinstance(value, str)}

    async def several(self, name: str) -> list[str]:
        """Every value of a field that may be there more than once."""
        return [value for value in (await self._sent()).getlist(name) if isinstance(value, str)]

    async def _sent(self) -> FormData:
        return await self.request.form(max_files=0, max_fields=200, max_part_size=MAX_FIELD)

    async def unsure(self, question: str, words: str, do: str, back: str) -> Response | None:
        """The page that asks first, with the form as it was sent; None where the answer was yes."""
        sent = await self.form()
        if sent.get("sure") == "yes":
            return None
        return await self.page(
            "confirm.html", "", title=question, words=words, do=do, back=back, sent=sent, action=self.request.url.path
        )

    async def page(self, template: str, here: str, status: int = 200, **context: Any) -> HTMLResponse:
        """A whole page, with the frame around it."""
        queue = await browse.waiting(self.site.store, self.caller.workspace)
        more = {
            "here": here,
            "nav": [item for item in self.menu if self.may(item.need)],
            "caller": self.caller,
            "queue": queue,
            "may": self.may,
            "base": self.base,
            "store": self.store,
            "bearer": self.bearer,
            "told": TOLD.get(self.asked("told"), ""),
        }
        return render.page(template, status, **(more | context))

    async def failed(self, status: int, title: str, message: str) -> HTMLResponse:
        """The page that says what went wrong, with the way back to where it was asked for."""
        path = self.request.url.path
        record = re.match(r"(/ui/records/\w+)/", path)
        about = record.group(1) if record else ""
        return await self.page("error.html", "", status, title=title, message=message, path=path, about=about)


Handler = Callable[[Visit], Awaitable[Response]]


def see(path: str) -> RedirectResponse:
    """Go and look there; a reload does not send the form again."""
    return RedirectResponse(path, status_code=303, headers={"Cache-Control": "no-store"})


def guarded(
    site: Site, handler: Handler, need: Role, menu: Sequence[MenuItem]
) -> Callable[[Request], Awaitable[Response]]:
    """The handler behind its door; `menu` is that of every page."""

    async def answer(request: Request) -> Response:
        caller = await site.caller(request, need)
        visit = Visit(request, site, caller, menu)
        try:
            return await handler(visit)
        except RefusedError:
            raise
        except UnknownNameError as exc:
            return await visit.failed(404, "Not found", str(exc))
        except StoreError as exc:
            return _refused(503, "The store cannot be read", str(exc))
        except WitnessmarkError as exc:
            return await visit.failed(422, "That did not work", str(exc))

    return answer


def _refused(status: int, title: str, message: str) -> HTMLResponse:
    return render.page("bare.html", status, title=title, message=message)
