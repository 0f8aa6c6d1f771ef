"""An OpenAI-compatible endpoint on this machine that answers as it is told, faults included. Needs no model.

    async with StubServer(answer={"score": 4}) as stub:
        judge = f"{stub.url}#stub"

`faults` says how often which fault happens, by a seed: the same seed, the same faults. `hangs_at` holds an answer back for as long as
it says so of what was asked.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

import msgspec
from aiohttp import web

Fault = Literal["malformed", "empty", "prose", "truncated", "refusal", "500", "429", "dropped", "hang"]
FAULTS: tuple[Fault, ...] = get_args(Fault)
Answer = Mapping[str, Any] | Callable[[dict[str, Any]], Mapping[str, Any] | str]


class StubServer:
    """The endpoint; an async context manager. What it was asked is in `asked`, each with its headers in `headers`."""

    def __init__(
        self,
        answer: Answer,
        *,
        delay_s: float = 0.0,
        faults: Mapping[Fault, float] | None = None,
        script: list[Fault | None] | None = None,
        retry_after: str = "0.05",
        hang_s: float = 30.0,
        usage: bool = True,
        keep: bool = True,
        seed: int = 1,
    ) -> None:
        self._answer, self._delay_s, self._retry_after, self._hang_s = answer, delay_s, retry_after, hang_s
        self._faults, self._script, self._usage, self._keep = dict(faults or {}), list(script or ()), usage, keep
        self._random = random.Random(seed)  # noqa: S311 - the same every time
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.calls = 0
        self.in_flight = self.most_in_flight = 0
        self.connections: set[int] = set()
        self.url = ""
        self.refuse: Callable[[dict[str, Any]], tuple[int, Any] | None] = lambda body: None
        self.hangs_at: Callable[[dict[str, Any]], bool] = lambda body: False
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> StubServer:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/messages", self._messages)
        app.router.add_get("/v1/models", self._models)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _models(self, request: web.Request) -> web.Response:
        self.headers.append(dict(request.headers))
        return web.json_response({"data": [{"id": "stub"}]})

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        return await self._served(request, _as_chat)

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        return await self._served(request, _as_message)

    async def _served(self, request: web.Request, shape: Callable[[str, bool], dict[str, Any]]) -> web.StreamResponse:
        body = msgspec.json.decode(await request.read())
        self.calls += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        self.connections.add(id(request.transport))
        if self._keep:
            self.asked.append(body)
            self.headers.append(dict(request.headers))
        try:
            if self._delay_s:
                await asyncio.sleep(self._delay_s)
            refused = self.refuse(body)
            if refused is not None:
                return web.json_response(refused[1], status=refused[0])
            return await self._answered(request, body, shape)
        finally:
            self.in_flight -= 1

    async def _answered(
        self, request: web.Request, body: dict[str, Any], shape: Callable[[str, bool], dict[str, Any]]
    ) -> web.StreamResponse:
        while self.hangs_at(body):  # noqa: ASYNC110 - a test lets go from any thread
            await asyncio.sleep(0.01)
        fault = self._fault()
        answer = self._answer(body) if callable(self._answer) else self._answer
        text = answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()
        if fault == "500":
            return web.json_response({"error": {"message": "internal"}}, status=500)
        if fault == "429":
            return web.json_response({"error": {}}, status=429, headers={"Retry-After": self._retry_after})
        if fault == "hang":
            await asyncio.sleep(self._hang_s)
        if fault == "dropped" and request.transport is not None:
            request.transport.abort()
        made = shape(_broken(text, fault), fault == "refusal")
        if not self._usage:
            del made["usage"]
        return web.Response(body=msgspec.json.encode(made), content_type="application/json")

    def _fault(self) -> Fault | None:
        if self._script:
            return self._script.pop(0)
        roll = self._random.random()
        for fault, share in self._faults.items():
            roll -= share
            if roll < 0:
                return fault
        return None


def evenly(share: float) -> dict[Fault, float]:
    """Every fault equally often, so that this share of all answers is faulty."""
    return dict.fromkeys(FAULTS, share / len(FAULTS))


def _broken(text: str, fault: Fault | None) -> str:
    if fault == "malformed":
        return text.replace('"', "'").replace("}", ",}")
    if fault == "prose":
        return "I have read the material with great care, and I find it rather good on the whole."
    if fault == "truncated":
        return text[: len(text) // 2]
    return "" if fault in ("empty", "refusal") else text


def _as_chat(text: str, refused: bool) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": "I cannot help with that." if refused else None}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"id": "stub", "object": "chat.completion", "model": "stub-1", "choices": [choice], "usage": usage}


def _as_message(text: str, refused: bool) -> dict[str, Any]:
    try:
        parts = [{"type": "tool_use", "name": "reply", "id": "t1", "input": msgspec.json.decode(text)}]
    except msgspec.DecodeError:
        parts = [{"type": "text", "text": text}]
    reason = "refusal" if refused else "end_turn"
    usage = {"input_tokens": 100, "output_tokens": 20}
    return {"id": "m1", "model": "stub-1", "content": parts, "stop_reason": reason, "usage": usage}
