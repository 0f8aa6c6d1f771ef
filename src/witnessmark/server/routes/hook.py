"""A coding agent's stop hook over HTTP: the same function as `witnessmark hook claude-code`, for an agent on this machine.

It reads the transcript and the working folder that the payload names, so it is for whoever runs the service: without a key on
loopback, and with one only as an admin of the service's own workspace where `hook_roots` says which folders may be read.
Whatever goes wrong lets the agent stop and says that its report is unverified.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from witnessmark.server.http.endpoints import ApiRequest, Endpoint, Response, json_reply, read_object
from witnessmark.server.http.errors import RefusedError

if TYPE_CHECKING:
    from witnessmark.integrations.hook.agents import HookReply

SECONDS = 20.0
MOST_BLOCKS = 3
MOST_TRANSCRIPT = 32_000_000


async def claude_code(ask: ApiRequest) -> Response:
    """What to say to a stop: nothing, a note, or a block that has not been said before."""
    from witnessmark.integrations.hook.agents import broken
    from witnessmark.integrations.hook.memory import HookMemory, default_state
    from witnessmark.integrations.hook.reply import reply_to

    roots = _roots(ask)
    read_object(ask.body)
    told = (ask.body, HookMemory(default_state()), MOST_BLOCKS)
    work = asyncio.ensure_future(_replied(ask, functools.partial(reply_to, *told, roots=roots, most=MOST_TRANSCRIPT)))
    done, _ = await asyncio.wait([work], timeout=SECONDS)
    if not done:
        work.cancel()
    fault = work.exception() if done else TimeoutError(f"no answer within {SECONDS:g} s")
    answer = broken(fault) if fault is not None else work.result()
    return json_reply(answer.body or {}, audit=("hook", "claude-code"))


async def _replied(ask: ApiRequest, call: Callable[[], HookReply]) -> HookReply:
    """In a worker process: how long it takes depends on the transcript and the folder."""
    workers = ask.state.workers
    return await asyncio.to_thread(call) if workers is None else await workers.call(ask.caller.workspace, call)


def _roots(ask: ApiRequest) -> tuple[str, ...]:
    """The folders that may be read for this caller; 403 where that is none."""
    settings = ask.state.settings
    if ask.caller.keyless:
        return settings.service.hook_roots or (str(Path.home()), str(Path.cwd()))
    if not settings.service.hook_roots or ask.caller.workspace != settings.workspace:
        raise RefusedError(
            403,
            "the hook reads files of this machine: with a key it is served to admins of the service's own workspace, "
            "where service.hook_roots names folders",
        )
    return settings.service.hook_roots


_PAYLOAD: dict[str, Any] = {
    "type": "object",
    "required": ["session_id"],
    "properties": {
        "session_id": {"type": "string"},
        "transcript_path": {"type": "string"},
        "cwd": {"type": "string"},
        "hook_event_name": {"type": "string", "enum": ["Stop", "SubagentStop"]},
        "stop_hook_active": {"type": "boolean"},
        "last_assistant_message": {"type": ["string", "null"]},
    },
}
_ANSWER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "decision": {"type": "string", "enum": ["block"]},
        "reason": {"type": "string"},
        "systemMessage": {"type": "string"},
    },
}
ENDPOINTS = (
    Endpoint(
        "POST",
        "/hook/claude-code",
        claude_code,
        "Check a coding agent's report when it stops.",
        "admin",
        _PAYLOAD,
        {200: ("What Claude Code receives; an empty object lets it stop.", _ANSWER)},
    ),
)
