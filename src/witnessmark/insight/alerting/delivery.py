"""Alerts to where people see them: the log, and a webhook that can tell they are ours.

A webhook is signed, tried again with growing pauses, and never sent to an address that is not public unless that is allowed:
the name is looked up first, the address that was looked at is the one connected to, and no redirect is followed.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import logging
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from witnessmark.core.errors import ConfigError, TransientError
from witnessmark.core.values import plain
from witnessmark.insight.alerts import Alert, current_alerts
from witnessmark.insight.values import AlertSettings

_log = logging.getLogger("witnessmark.alerts")
NAMESPACE, UNDER_WAY = "alerts-raised", "alerts-under-way"
POST_S = 10.0
"""How long a receiver may take to answer."""
SIGNATURE, MOMENT = "X-Witnessmark-Signature", "X-Witnessmark-Timestamp"
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
Post = Callable[[str, str, bytes, dict[str, str]], Awaitable[int]]
"""URL, the address to connect to, body, headers; gives the status."""


async def watch(
    store: Any, workspace: str, how: AlertSettings, *, calibration: str | None = None, **delivery: Any
) -> tuple[Alert, ...]:
    """What is raised now; what was not told yet is delivered, at the next look again where nobody took it.

    A figure that recovers may raise again. Of several processes that look at once, one tells; should it end over that, another
    one does once its time is over.
    """
    found = await current_alerts(store, workspace, time.time(), calibration)
    raised = {_name(alert): alert for alert in found}
    before = await _told(store, workspace)
    mine = await _taken(store, workspace, sorted(raised.keys() - before), how)
    try:
        new = mine - await _told(store, workspace) if mine else mine  # by whoever was at it a moment ago
        told = bool(new) and await deliver([raised[name] for name in raised if name in new], workspace, how, **delivery)
        done = new if told else set()
        if done or before - raised.keys():
            await _amended(store, NAMESPACE, workspace, lambda was: sorted((_names(was) & raised.keys()) | done))
    finally:
        if mine:
            await _amended(
                store, UNDER_WAY, workspace, lambda was: {n: end for n, end in _ends(was).items() if n not in mine}
            )
    return found


async def _taken(store: Any, workspace: str, names: Sequence[str], how: AlertSettings) -> set[str]:
    """Those of the alerts that are ours to tell from now on: nobody else is at it."""
    now, mine = time.time(), set[str]()
    until = now + how.tries * POST_S + how.backoff_s * 2.0**how.tries + POST_S

    def taken(was: bytes | None) -> dict[str, float]:
        held = {name: end for name, end in _ends(was).items() if end > now}
        mine.clear()
        mine.update(name for name in names if name not in held)
        return held | dict.fromkeys(mine, until)

    if names:
        await _amended(store, UNDER_WAY, workspace, taken)
    return mine


async def _told(store: Any, workspace: str) -> set[str]:
    return _names(await store.recall(NAMESPACE, workspace))


def _names(body: bytes | None) -> set[str]:
    return set(msgspec.json.decode(body or b"[]"))


def _ends(body: bytes | None) -> dict[str, float]:
    return msgspec.json.decode(body or b"{}", type=dict[str, float])


async def _amended(store: Any, namespace: str, key: str, change: Callable[[bytes | None], Any]) -> None:
    """Change a note in one go, where the store can."""
    if hasattr(store, "amend"):
        await store.amend(namespace, key, lambda was: msgspec.json.encode(change(was)))
    else:
        await store.remember(namespace, key, msgspec.json.encode(change(await store.recall(namespace, key))))


def _name(alert: Alert) -> str:
    """What makes an alert the same as one that was raised before."""
    return alert.name if alert.figure is not None else f"{alert.name}: {alert.message}"


async def deliver(
    new: Sequence[Alert],
    workspace: str,
    how: AlertSettings,
    *,
    secret: str = "",
    post: Post | None = None,
    resolve: Resolve | None = None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> bool:
    """To the log always, to the webhook where there is one; says whether that took it. One out of reach is logged."""
    for alert in new:
        level = logging.ERROR if alert.severity == "high" else logging.WARNING
        _log.log(level, "%s (%s): %s %s", alert.title, workspace, alert.message, alert.advice)
    if how.webhook is None:
        return True
    body = msgspec.json.encode({"workspace": workspace, "alerts": [plain(alert) for alert in new]})
    address = await safe_address(how.webhook, allow_private=how.allow_private, resolve=resolve or _resolved)
    for tries in range(how.tries):
        told = await _sent(how.webhook, address, body, secret, post or post_json)
        if told != "again":
            break
        if tries + 1 < how.tries:
            await sleep(how.backoff_s * 2.0**tries)
    if told != "done":
        _log.error("the webhook did not accept the alerts of %s (%s)", workspace, told)
    return told == "done"


async def safe_address(url: str, *, allow_private: bool, resolve: Resolve) -> str:
    """The address to connect to, or ConfigError: every address that the name has must be public."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"alerting.webhook: {url!r} is not an http or https address")
    if parts.username or parts.password:
        raise ConfigError("alerting.webhook: leave name and password out of it; the signature tells who we are")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = await resolve(parts.hostname, port)
    if not addresses:
        raise ConfigError(f"alerting.webhook: {parts.hostname} has no address")
    private = [address for address in addresses if not public(address)]
    if private and not allow_private:
        raise ConfigError(
            f"alerting.webhook: {parts.hostname} is {private[0]}, which is not a public address; "
            "set alerting.allow_private = true if that is intended"
        )
    return addresses[0]


def public(address: str) -> bool:
    """Whether anyone on the internet has this address; one that wraps another counts as that one."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if found in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return public(str(inner))
    return found.is_global and not found.is_multicast


async def _resolved(host: str, port: int) -> Sequence[str]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as exc:
        raise ConfigError(f"alerting.webhook: {host} cannot be looked up ({exc})") from None
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def signature(body: bytes, secret: str, at: int) -> str:
    """What the receiver computes anew: HMAC-SHA256 over moment and body, so that an old message cannot be sent again."""
    return "sha256=" + hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()


async def _sent(url: str, address: str, body: bytes, secret: str, post: Post) -> Literal["done", "again", "refused"]:
    at = int(time.time())
    headers = {"Content-Type": "application/json", "User-Agent": "witnessmark", MOMENT: str(at)}
    if secret:
        headers[SIGNATURE] = signature(body, secret, at)
    try:
        status = await post(url, address, body, headers)
    except TransientError as exc:
        _log.warning("the webhook did not answer: %s", exc)
        return "again"
    if 200 <= status < 300:
        return "done"
    return "again" if status == 429 or status >= 500 else "refused"


async def post_json(url: str, address: str, body: bytes, headers: dict[str, str]) -> int:
    """POST the body to the URL by connecting to this address and no other; gives the status, and follows no redirect."""
    import aiohttp
    from aiohttp.abc import AbstractResolver, ResolveResult

    class PinnedResolver(AbstractResolver):
        """Gives the address that was looked at, whatever the name says by now."""

        async def resolve(
            self,
            host: str,
            port: int = 0,
            family: socket.AddressFamily = socket.AF_INET,  # noqa: ARG002 - the address says which it is
        ) -> list[ResolveResult]:
            found = socket.AF_INET6 if ":" in address else socket.AF_INET
            return [ResolveResult(hostname=host, host=address, port=port, family=found, proto=0, flags=0)]

        async def close(self) -> None:
            """Nothing is open."""

    try:
        connector = aiohttp.TCPConnector(resolver=PinnedResolver(), use_dns_cache=False)
        timeout = aiohttp.ClientTimeout(total=POST_S)
        async with (
            aiohttp.ClientSession(connector=connector, timeout=timeout) as session,
            session.post(url, data=body, headers=headers, allow_redirects=False) as answer,
        ):
            return answer.status
    except (aiohttp.ClientError, TimeoutError, OSError) as exc:
        raise TransientError(type(exc).__name__) from None
