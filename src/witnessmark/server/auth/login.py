"""The door for browsers: a page that takes a key, and a cookie that stands for it until it is over.

The cookie is HttpOnly and SameSite=Strict; a change asked for by cookie must come from a page of ours (see middleware.py).
"""

from __future__ import annotations

from urllib.parse import parse_qs, quote, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from witnessmark.server.auth import keys
from witnessmark.server.http.errors import RefusedError, later, title
from witnessmark.server.state import COOKIE, ServiceState, session_of

PER_MINUTE = 30


async def login_page(request: Request) -> Response:
    """The form."""
    revoked = request.query_params.get("told") == "revoked"
    said = "The key that you signed in with is revoked: sign in with another one." if revoked else ""
    return _page(_inside(request.query_params.get("next", "/")), said)


async def login(request: Request) -> Response:
    """A good key starts a session; a bad one gets the form again."""
    state: ServiceState = request.app.state.service
    wait = state.rates.wait_s(f"login {request.client.host if request.client else ''}", PER_MINUTE)
    if wait:
        raise later(429, "too many attempts to sign in", wait)
    body = await request.body()
    form = parse_qs(body.decode("utf-8", "replace"), max_num_fields=10)
    secret, target = form.get("key", [""])[0].strip(), _inside(form.get("next", ["/"])[0])
    key = await state.ring.look_up("key", secret.encode("utf-8", "replace")) if secret else None
    if key is None:
        return _page(target, "This key is not valid; it is wrong or was revoked.", 401)
    session = await keys.start_session(state.store, key, state.settings.service.session_h)
    await state.note(key.caller(), "sign in", key.id)
    answer = RedirectResponse(target, 303)
    answer.set_cookie(
        COOKIE, session, httponly=True, samesite="strict", secure=request.url.scheme == "https", path="/",
        max_age=int(state.settings.service.session_h * 3600),
    )  # fmt: skip
    return answer


async def logout(request: Request) -> Response:
    """The session is over, here and in the store."""
    state: ServiceState = request.app.state.service
    session = session_of(dict(request.scope["headers"]))
    if session is not None:
        await keys.end_session(state.store, session)
        state.ring.forget()
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return answer


def refused(request: Request, exc: RefusedError) -> Response:
    """A page that somebody may not see leads a browser to the door, any other refusal is a page to it; programs get JSON."""
    wants_page = "text/html" in request.headers.get("accept", "")
    if wants_page and exc.status == 401 and request.method == "GET":
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/login?next={quote(request.url.path + query, safe='')}", 303)
    if wants_page and (request.method == "GET" or request.url.path.startswith("/ui/")):
        from witnessmark.server.pages.render import page

        shown = page("bare.html", exc.status, title=title(exc.status), message=exc.detail)
        shown.headers.update(exc.headers)
        return shown
    return Response(exc.body(), exc.status, exc.headers, "application/problem+json")


def _inside(target: str) -> str:
    """Where to go after signing in: a path of ours, never another site."""
    if not target.isprintable() or "\\" in target or not target.startswith("/") or target.startswith("//"):
        return "/"
    parts = urlsplit(target)
    return "/" if parts.scheme or parts.netloc else target


def _page(target: str, said: str = "", status: int = 200) -> Response:
    # With the headers of a page: under `no-referrer` a browser would send the form without saying where it comes from.
    from witnessmark.server.pages.render import page

    return page("login.html", status, next=target, wrong=said)
