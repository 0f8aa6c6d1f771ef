"""The coding agents whose stop is hooked: how each sends it, how each is told, and what belongs into its settings.

Written from the agents' documents. `tried` says whether the adapter has seen a real payload; where it has not, `--print-settings`
says so too.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAMES: Mapping[str, str] = {
    "sessionId": "session_id", "conversation_id": "session_id", "thread-id": "session_id", "transcriptPath": "transcript_path",
    "last-assistant-message": "last_assistant_message", "prompt_response": "last_assistant_message", "text": "last_assistant_message",
    "hookEventName": "hook_event_name", "eventName": "hook_event_name", "stopHookActive": "stop_hook_active", "stopReason": "stop_reason",
}  # fmt: skip
"""How other agents call the fields that Claude Code sends."""
STOPS = frozenset(
    {"Stop", "SubagentStop", "AfterAgent", "stop", "agentStop", "subagentStop", "agent-turn-complete", "session.idle"}
)
STARTS = frozenset({"SessionStart", "sessionStart", "session.created"})


@dataclass(frozen=True, slots=True)
class HookReply:
    """What the hook says to Claude Code, and on standard error to a person."""

    body: dict[str, Any] | None = None
    warning: str | None = None
    begins: bool = False
    """Whether it answers the start of a session."""


def broken(fault: BaseException) -> HookReply:
    """It broke itself: the agent may stop, and everybody can see that nothing was verified. Needs nothing but Python itself."""
    told = "".join(sign if sign.isprintable() else " " for sign in f"{type(fault).__name__}: {fault}")[:300]
    warning = f"UNVERIFIED: this report was not checked ({told}); the agent was let through"
    return HookReply({"systemMessage": f"Witnessmark: {warning}"}, warning)


@dataclass(frozen=True, slots=True)
class CodingAgent:
    """One agent: its settings, where they belong, and how it is told to go on."""

    name: str
    place: str
    settings: Callable[[str], str]
    tried: bool = False
    block: Callable[[str], dict[str, Any]] = lambda reason: {"decision": "block", "reason": reason}
    note: Callable[[str], dict[str, Any]] = lambda words: {"systemMessage": words}


def executable() -> str:
    """The full path of this command as a shell reads it, so that a hook finds it whatever PATH the agent has."""
    found = shutil.which("witnessmark") if Path(sys.argv[0]).name != "witnessmark" else sys.argv[0]
    path = Path(found).absolute() if found else None
    return shlex.join([str(path)] if path is not None else [sys.executable, "-m", "witnessmark"])


def read_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """A payload in Claude Code's words, which win over other names of the same; a list of workspaces stands for its first folder."""
    made = {NAMES[key]: value for key, value in given.items() if key in NAMES} | dict(given)
    roots = given.get("workspace_roots")
    if "cwd" not in made and isinstance(roots, list) and roots and isinstance(roots[0], str):
        made["cwd"] = roots[0]
    if given.get("type") == "agent-turn-complete":
        made["hook_event_name"] = "agent-turn-complete"
    if isinstance(given.get("loop_count"), int) and given["loop_count"] > 0:
        made["stop_hook_active"] = True
    return made


def _nested(command: str, *events: str) -> str:
    entry = [{"hooks": [{"type": "command", "command": command, "timeout": 30}]}]
    return json.dumps({"hooks": dict.fromkeys(events, entry)}, indent=2)


def _gemini(command: str) -> str:
    entry = [{"hooks": [{"name": "witnessmark", "type": "command", "command": command, "timeout": 30_000}]}]
    return json.dumps({"hooks": {"SessionStart": entry, "AfterAgent": entry}}, indent=2)


def _cursor(command: str) -> str:
    return json.dumps({"version": 1, "hooks": {"stop": [{"command": command, "timeout": 30}]}}, indent=2)


def _copilot(command: str) -> str:
    entry = [{"type": "command", "bash": command, "timeoutSec": 30}]
    return json.dumps({"version": 1, "hooks": {"sessionStart": entry, "agentStop": entry}}, indent=2)


def _opencode(command: str) -> str:
    return f"""// .opencode/plugins/witnessmark.js
export const Witnessmark = async ({{ client, $, directory }}) => ({{
  event: async ({{ event }}) => {{
    if (event.type !== "session.idle") return
    const id = event.properties.sessionID
    const file = `${{directory}}/.opencode/witnessmark-${{id}}.json`
    await $`opencode export ${{id}} > ${{file}}`.quiet()
    const payload = JSON.stringify({{ session_id: id, transcript_path: file, cwd: directory, hook_event_name: "session.idle" }})
    const said = await $`echo ${{payload}} | {command}`.quiet().json().catch(() => ({{}}))
    await $`rm -f ${{file}}`.quiet()
    if (said.reason) await client.session.prompt({{ path: {{ id }}, body: {{ parts: [{{ type: "text", text: said.reason }}] }} }})
  }},
}})"""


AGENTS: Mapping[str, CodingAgent] = {
    agent.name: agent
    for agent in (
        CodingAgent("claude-code", ".claude/settings.json", lambda command: _nested(command, "SessionStart", "Stop", "SubagentStop"), tried=True),
        CodingAgent("codex", "~/.codex/hooks.json", lambda command: _nested(command, "SessionStart", "Stop")),
        CodingAgent("gemini", ".gemini/settings.json", _gemini, block=lambda reason: {"decision": "deny", "reason": reason}),
        CodingAgent("cursor", ".cursor/hooks.json", _cursor, block=lambda reason: {"followup_message": reason}, note=lambda words: {"user_message": words}),
        CodingAgent("opencode", ".opencode/plugins/witnessmark.js", _opencode),
        CodingAgent("copilot", ".github/hooks/witnessmark.json", _copilot),
    )
}  # fmt: skip
