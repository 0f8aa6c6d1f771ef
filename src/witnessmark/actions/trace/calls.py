"""A trace, the events it is read from, and what one call was given, printed and returned."""

from __future__ import annotations

import functools
import posixpath
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from witnessmark.actions.trace.test_runners import RunnerCounts, counts_of
from witnessmark.core.values import Count, Value
from witnessmark.text.patterns import compiled
from witnessmark.text.words import listed


class ToolCall(Value, frozen=True):
    """One call of a tool. `ok` is None where the trace does not say whether it worked."""

    id: str
    name: str
    input: Any = None
    output: Any = None
    exit_code: int | None = None
    ok: bool | None = None
    at: float | None = None
    turn: Count = 0
    """Which message of the person it answers; 0 where the trace does not tell turns apart."""
    by: str = ""
    """The call of the subagent that made it; empty for the agent itself."""
    background: bool = False
    """Whether it was not waited for, so that its output is not what it printed."""
    folder: str = ""
    """Where it began, from the folder that the session began in; empty for that folder, and where the trace does not tell."""


class Trace(Value, frozen=True):
    """The calls of one run, in order, under the id that `trace:<id>` refers to. `whole`: all that was done is in it."""

    id: str
    calls: tuple[ToolCall, ...] = ()
    whole: bool = True
    turns: Count = 0
    """How many messages of the person are in it."""
    asked: str = ""
    """The beginning of the last of them."""
    said: str = ""
    """The beginnings of all of them; one that was cut ends with dots."""
    files: dict[str, str] | None = None
    """The digests of the files that all of it ran on, by their paths, where it is bound to them."""


@dataclass(frozen=True, slots=True)
class CallEvent:
    """A tool was called; what it returned may be known already."""

    id: str
    name: str
    input: Any = None
    output: Any = None
    exit_code: int | None = None
    ok: bool | None = None
    at: float | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """The person said something: a turn begins. `continued`: earlier turns stand elsewhere, and only their summary is here."""

    continued: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReturnEvent:
    """What an earlier call returned."""

    id: str
    output: Any = None
    exit_code: int | None = None
    ok: bool | None = None
    background: bool = False


@dataclass(frozen=True, slots=True)
class UnknownItem:
    """An item of a kind that is not known here; a trace of nothing else was not read."""

    kind: str


Event = CallEvent | ReturnEvent | TurnEvent | UnknownItem | str


_EXIT = compiled(
    r"\A\s{0,8}(?:Error: )?(?:Exit code:? |Process exited with code |Command failed with exit code )(-?\d{1,5})\b"
)
_EXIT_LATER = compiled(
    r"^(?:Process exited with code |[\[<]?exit(?:ed with)?(?: exit)?(?: code| status)?[:=]? ?)(-?\d{1,5})[\]>]?\s*$",
    re.MULTILINE,
)


def exit_code_in(output: Any) -> int | None:
    """The exit code that a tool's output states, in its data or in its own first or last words."""
    if isinstance(output, dict):
        inner = output.get("metadata")
        for holder in (output, inner if isinstance(inner, dict) else {}):
            for key in ("exit_code", "exitCode", "returncode", "return_code"):
                if is_int(holder.get(key)):
                    return int(holder[key])
        return None
    if not isinstance(output, str):
        return None
    match = _EXIT.match(output) or _EXIT_LATER.search(output[-400:])
    return int(match.group(1)) if match else None


def first(holder: dict[str, Any], *keys: str) -> Any:
    """The value of the first of these keys that has one."""
    return next((holder[key] for key in keys if holder.get(key) is not None), None)


def is_int(value: Any) -> bool:
    """Whether a value is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def text_of(value: Any) -> str:
    """A value as text; nothing is the empty text."""
    return value if isinstance(value, str) else "" if value is None else str(value)


def decoded(value: Any) -> Any:
    """Arguments that came as a JSON text, decoded; a text that is not JSON stays a text."""
    if not isinstance(value, str) or value[:1] not in "{[":
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return value


def time_of(value: Any) -> float | None:
    """Seconds since 1970 from a number or an ISO time."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp()
        except (ValueError, OverflowError):
            return None
    return None


def list_of(holder: Any, key: str) -> list[Any]:
    """The list under a key, or an empty one."""
    found = holder.get(key) if isinstance(holder, dict) else None
    return found if isinstance(found, list) else []


WRITES = listed("write write_file create_file file_write save_file create writefile notebookwrite")
EDITS = listed(
    "edit multiedit notebookedit edit_file replace str_replace file_edit search_replace str_replace_editor str_replace_based_edit_tool text_editor code_insert insert_edit_into_file"
)
DELETES = listed("delete delete_file remove_file file_delete")
RENAMES = listed("rename rename_file move_file file_rename move")
COMMANDS = listed("""bash shell sh zsh run_command run_terminal_cmd run_shell_command execute_command exec_command local_shell terminal
    execute_bash run command execute run_in_terminal exec cmd powershell run_tests""")
PATCHES = frozenset({"apply_patch", "patch"})
READS = listed("""read read_file grep glob ls list_dir list_directory search search_files codebase_search find todowrite todoread todo_write task agent view
    websearch web_search think plan update_plan write_todos exitplanmode askuserquestion bashoutput killshell killbash skill toolsearch
    read_many_files file_search get_errors lsp getdiagnostics taskstop croncreate sendmessage tasknotification enterworktree exitworktree monitor view_image
    list_mcp_resources read_mcp_resource save_memory update_goal taskcreate taskupdate taskget tasklist taskoutput enterplanmode slashcommand""")
"""Tools that leave the tree as it is."""
HTTP = listed("webfetch web_fetch fetch http http_request http_get http_post")
DELEGATES = frozenset({"task", "agent"})
"""Tools that give work to another agent, whose calls stand in a trace of its own."""
_REMOTE = compiled(
    r"mcp__.*(?:linear|github|gitlab|slack|jira|notion|sentry|gmail|asana|trello|confluence|figma|stripe|context7|search|docs?|fetch)|web",
    re.IGNORECASE,
)
"""Tools of servers that hold no working tree."""
MAX_COMMAND = 20_000
_OTHERS = WRITES | EDITS | DELETES | RENAMES | PATCHES | READS | HTTP
_COMMAND_KEYS = ("command", "cmd", "script", "commands")
_OUTPUT_KEYS = ("stdout", "output", "text", "content", "stderr")


def tool(call: ToolCall) -> str:
    """A tool's name without the server that brought it: mcp__files__write_file is write_file."""
    return _bare(call.name)


@functools.lru_cache(maxsize=1024)
def _bare(name: str) -> str:
    return name.rsplit("__", 1)[-1].rsplit(".", 1)[-1].lower()


def is_command(call: ToolCall) -> bool:
    """Whether the call ran a command: by the tool's name, or, of a tool not known here, by what it was given."""
    name, given = tool(call), call.input
    if name in COMMANDS:
        return not (isinstance(given, Mapping) and given.get("command") in ("create", "str_replace", "view"))
    return name not in _OTHERS and isinstance(given, Mapping) and bool(command_of(call))


def only_reads(call: ToolCall) -> bool:
    """Whether the call leaves the tree as it is and runs nothing, as far as its tool is known."""
    name = tool(call)
    return (
        name in READS
        or name in HTTP
        or name.startswith(("get_", "list_", "read_", "search_", "query", "resolve", "fetch_", "get-", "list-"))
    )


def is_remote(call: ToolCall) -> bool:
    """Whether the call went to a server and not to the working tree."""
    return _REMOTE.match(call.name) is not None


def command_of(call: ToolCall) -> str:
    """What was run: a text, or the words of a list joined; `bash -lc "x"` is x."""
    given = call.input
    found = field(given, _COMMAND_KEYS) if isinstance(given, Mapping) else given
    if isinstance(found, (list, tuple)) and all(isinstance(word, str) for word in found):
        found = found[2] if len(found) == 3 and found[1] in ("-lc", "-c") else shlex.join(found)
    return found[:MAX_COMMAND] if isinstance(found, str) else ""


_FOLDER_KEYS = ("workdir", "cwd", "dir_path", "directory", "working_directory", "working_dir")


def folder_of(call: ToolCall) -> str:
    """Where a command began: in the folder that the trace tells, or that the tool was given; empty for the session's."""
    return call.folder or folder_given(call.input)


def folder_given(given: Any) -> str:
    """The folder that a tool was told to work in; empty where it was told none."""
    folder = field(given, _FOLDER_KEYS)
    return posixpath.normpath(folder) if isinstance(folder, str) and folder not in ("", ".") else ""


def field(value: Any, names: tuple[str, ...]) -> Any:
    """The value of the first of these names that an object has; None where it has none, or is not an object."""
    return next((value[name] for name in names if name in value), None) if isinstance(value, Mapping) else None


def output_of(call: ToolCall) -> str:
    """What the call printed, as one text."""
    if isinstance(call.output, str):
        return call.output
    if isinstance(call.output, Mapping):
        parts = [call.output[key] for key in _OUTPUT_KEYS if isinstance(call.output.get(key), str)]
        return "\n".join(parts)
    if isinstance(call.output, (list, tuple)):
        parts = [part if isinstance(part, str) else field(part, ("text",)) for part in call.output]
        return "\n".join(part for part in parts if isinstance(part, str))
    return ""


def exit_code_of(call: ToolCall) -> int | None:
    """The exit code, where the trace has it; a call that is said to have worked ended with 0."""
    if call.exit_code is not None:
        return call.exit_code
    told = field(call.output, ("exit_code", "exitCode", "returncode"))
    if type(told) is int:
        return told
    return 0 if call.ok is True else None


def tests_of(call: ToolCall) -> RunnerCounts | None:
    """The counts that a test runner printed in this call."""
    return counts_of(output_of(call)) if is_command(call) else None
