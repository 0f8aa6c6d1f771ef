"""A coding agent's stop hook over HTTP: the same function as `witnessmark hook claude-code`, for an agent on this machine.

It reads the transcript and the working folder that the payload names, so it is served without a key only on loopback, and to
admins otherwise. Whatever goes wrong lets the agent stop and says that its report is unverified.
"""

from __future__ import annotations

import asyncio
from typing import Any

from witnessmark.server.http.endpoints import ApiRequest, Endpoint, Response, json_reply, read_object

SECONDS = 20.0
MOST_BLOCKS = 3


async def claude_code(ask: ApiRequest) -> Response:
    """What to say to a stop: nothing, a note, or a block that has not been said before."""
    from witnessmark.cli.hook.command import default_state
    from witnessmark.cli.hook.memory import HookMemory
    from witnessmark.cli.hook.reply import broken, reply_to

    read_object(ask.body)
    work = asyncio.ensure_future(asyncio.to_thread(reply_to, ask.body, HookMemory(default_state()), MOST_BLOCKS))
    done, _ = await asyncio.wait([work], timeout=SECONDS)
    fault = work.exception() if done else TimeoutError(f"no answer within {SECONDS:g} s")
    answer = broken(fault) if fault is not None else work.result()
    return json_reply(answer.body or {}, audit=("hook", "claude-code"))


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
        "Hold a coding agent that stops to its report.",
        "admin",
        _PAYLOAD,
        {200: ("What Claude Code is told; an empty object lets it stop.", _ANSWER)},
    ),
)
