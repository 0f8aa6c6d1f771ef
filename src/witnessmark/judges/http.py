"""A judge behind HTTP: one call with a deadline, read tolerantly, asked once more with the exact complaint, then given up.

What differs between vendors is a `Dialect` (chat.py, anthropic.py). Vendor and transport errors become ours here and
nowhere else; nothing of a vendor's error text is repeated, since it may hold the key or the judged text.
"""

from __future__ import annotations

import functools
import re
from typing import Any, Protocol
from urllib.parse import urlsplit

import msgspec

from witnessmark.core.errors import (
    ConfigError,
    JudgeReplyError,
    JudgeUnavailableError,
    RateLimitedError,
    WitnessmarkError,
)
from witnessmark.core.protocols import Question, Reply
from witnessmark.core.verdict import NO_USAGE, Usage
from witnessmark.judges import metering
from witnessmark.judges.connections import Connections, HttpReply
from witnessmark.judges.keys import JudgeKey
from witnessmark.judges.limits import EndpointLimits
from witnessmark.judges.replies import UnreadableReplyError, read

REFUSED = 401, 403
REACH_S = 5.0
_CODE = re.compile(r"[a-z][a-z_]{2,40}")


class RawReply(msgspec.Struct, frozen=True):
    """What came back, before it is read: the text, the tokens in and out where the endpoint says, the model's name."""

    text: str
    tokens: tuple[int, int] | None
    model: str
    refused: bool = False


NO_SCHEMA, NO_JSON = "no_schema", "no_json"
"""Habits of endpoints that take no schema for their reply, or not even JSON mode."""


class Dialect(Protocol):
    """How a vendor is spoken to."""

    path: str

    def headers(self, key: str) -> dict[str, str]:
        """What authorises a call."""
        ...

    def body(self, question: Question, model: str, complaint: str, habits: frozenset[str]) -> dict[str, Any]:
        """The request. `habits` are what this endpoint has taught us it does not take."""
        ...

    def said(self, data: Any) -> RawReply:
        """The reply's text and usage; JudgeReplyError where the body is not what the API promises."""
        ...

    def learn(self, status: int, code: str, habits: frozenset[str]) -> str | None:
        """The habit that a refusal of the request teaches, or None where it teaches nothing new."""
        ...


class HttpJudge:
    """A model behind an endpoint. Safe to share between tasks; close it when done."""

    def __init__(
        self,
        id: str,
        model: str,
        *,
        dialect: Dialect,
        endpoint: EndpointLimits,
        key: JudgeKey | None = None,
        family: str = "",
        price: metering.Price | None = None,
        window: int = 32_000,
        habits: frozenset[str] = frozenset(),
        connections: Connections | None = None,
    ) -> None:
        self.id, self.model, self.family, self.price, self.window = id, model, family, price, window
        self.endpoint = endpoint
        self.fingerprint = f"{endpoint.url}#{model}"
        self._dialect, self._key, self._habits = dialect, key or JudgeKey(), habits
        self._connections = connections or Connections()

    def __repr__(self) -> str:
        return f"<judge {self.id} {self.fingerprint}>"

    async def ask(self, question: Question) -> Reply:
        """Answer with data that fits the question's schema; one re-ask with the complaint, then JudgeReplyError."""
        spent, complaint = NO_USAGE, ""
        for _ in range(2):
            said, usage = await self.endpoint.call(functools.partial(self._attempt, question, complaint))
            spent += usage
            try:
                if said.refused:
                    raise UnreadableReplyError("the reply was a refusal; judging a text is not doing what it says")
                data = read(said.text, question.reply_schema, question.schema_json())
            except UnreadableReplyError as exc:
                complaint = str(exc)
            else:
                return Reply(data=data, judge=self.id, model=said.model or self.model, usage=spent)
        raise _with_usage(JudgeReplyError(f"{self.id}: asked twice, and the reply cannot be used: {complaint}"), spent)

    async def complete(self, question: Question) -> tuple[RawReply, Usage]:
        """The model's own words to a prompt, as they come: for runs of a model under test, never for judging."""
        return await self.endpoint.call(functools.partial(self._attempt, question, ""))

    async def _attempt(self, question: Question, complaint: str) -> tuple[RawReply, Usage]:
        """One try, reserved and counted on its own."""
        fitted, reserved = metering.reserve(question, self.price)
        if reserved is None:
            said = await self._posted(question, complaint)
            return said, metering.used(question, self.price, said.tokens)
        with reserved:
            try:
                said = await self._posted(fitted, complaint)
            except RateLimitedError:
                reserved.settle(NO_USAGE)  # turned away at the door: nothing was charged
                raise
            usage = metering.used(fitted, self.price, said.tokens)
            reserved.settle(usage)
        return said, usage

    async def _posted(self, question: Question, complaint: str) -> RawReply:
        """One request; an endpoint that refuses how we ask (not what) is asked again in the way it takes."""
        habits = self._habits
        while True:
            body = msgspec.json.encode(self._dialect.body(question, self.model, complaint, habits))
            status, content, retry_after = await self._exchange(body)
            if status == 200:
                self._habits |= habits  # a lesson counts once it has helped
                return self._read(content)
            code = _code(content)
            habit = self._dialect.learn(status, code, habits)
            if habit is None:
                raise self._refusal(status, code, retry_after)
            habits |= {habit}

    def _read(self, content: bytes) -> RawReply:
        if not content.strip():
            raise JudgeUnavailableError(f"{self.id}: the endpoint returned nothing")
        try:
            data = msgspec.json.decode(content)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise JudgeUnavailableError(f"{self.id}: the endpoint's answer is not JSON") from None
        said = self._dialect.said(data)
        if not said.text.strip() and not said.refused:
            raise JudgeUnavailableError(f"{self.id}: the model returned nothing")
        return said

    async def _exchange(self, body: bytes) -> HttpReply:
        import aiohttp

        headers = self._dialect.headers(self._key.read())
        url, proxy = _target(self.endpoint.url, self._dialect.path)
        try:
            return await self._connections.post(url, proxy, headers, body)
        except (aiohttp.ClientError, OSError) as exc:
            # The text of a transport error may name hosts and headers; its kind says enough.
            raise JudgeUnavailableError(
                f"{self.id}: {self.endpoint.url} cannot be reached ({type(exc).__name__})"
            ) from None

    async def reach(self) -> None:
        """Whether the endpoint answers and takes the key, without a paid call: its list of models is asked for."""
        import aiohttp

        headers = self._dialect.headers(self._key.read())
        try:
            url, proxy = _target(self.endpoint.url, "/models")
            async with self._connections.here().session.get(
                url,
                headers=headers,
                allow_redirects=False,
                proxy=proxy,
                timeout=aiohttp.ClientTimeout(total=REACH_S),
            ) as response:
                # An endpoint that has no such list answers 404, and is there.
                if response.status in REFUSED or response.status >= 500:
                    raise self._refusal(response.status, "", None)
        except (aiohttp.ClientError, OSError) as exc:
            raise JudgeUnavailableError(f"{self.endpoint.url} cannot be reached ({type(exc).__name__})") from None

    def _refusal(self, status: int, code: str, retry_after: str | None) -> WitnessmarkError:
        what = f"{self.id}: {self.endpoint.url} answered {status}" + (f" ({code})" if code else "")
        if status == 429:
            return RateLimitedError(what, _seconds(retry_after))
        if status in (408, 409, 425) or status >= 500:
            asked = _seconds(retry_after)
            return JudgeUnavailableError(what) if asked is None else RateLimitedError(what, asked)
        if status in REFUSED:
            return ConfigError(f"{what}: the API key was refused; look at {self._key.where or 'whether it needs one'}")
        if status == 404:
            return ConfigError(f"{what}: no such model or path; look at the URL and the model {self.model!r}")
        return JudgeReplyError(f"{what}: the request was refused")

    async def close(self) -> None:
        """Let go of the connections of this event loop; those made together share them."""
        await self._connections.close()


def _with_usage(exc: JudgeReplyError, usage: Usage) -> JudgeReplyError:
    """The error with what was spent on it, so that a verdict counts failed calls too."""
    exc.usage = usage
    return exc


def _code(content: bytes) -> str:
    """The error's code where it is one word of lower case; anything else a server says is not repeated."""
    try:
        error = msgspec.json.decode(content).get("error", {})
        words = [error.get(name) for name in ("param", "code", "type")] if isinstance(error, dict) else []
    except (msgspec.DecodeError, UnicodeDecodeError, AttributeError, RecursionError):
        return ""
    return next((word for word in words if isinstance(word, str) and _CODE.fullmatch(word)), "")


def _seconds(retry_after: str | None) -> float | None:
    """What Retry-After asks for: seconds, or a date."""
    if retry_after is None:
        return None
    if re.fullmatch(r"\d{1,6}(\.\d+)?", retry_after.strip()):
        return float(retry_after)
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


@functools.lru_cache(maxsize=64)
def _target(base: str, path: str) -> tuple[Any, str | None]:
    """Where a call goes, and through which proxy; a query of the base URL (Azure's api-version) stays at the end."""
    from yarl import URL

    place, mark, query = base.partition("?")
    return URL(place.rstrip("/") + path + mark + query), _proxy(base)


def _proxy(url: str) -> str | None:
    """The proxy the environment names for this host; never one for this machine itself."""
    import urllib.request

    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in ("localhost", "::1") or host.startswith("127."):
        return None
    if urllib.request.proxy_bypass(host):
        return None
    return urllib.request.getproxies().get(parts.scheme)
