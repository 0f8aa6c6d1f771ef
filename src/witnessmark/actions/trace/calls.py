"""One tool call: which kind of tool it was, what it ran, what it printed, how it ended. Knows nothing about claims."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any

from witnessmark.actions.trace.test_runners import RunnerCounts, counts_of
from witnessmark.actions.trace.trace import ToolCall
from witnessmark.text.patterns import compiled
from witnessmark.text.word_sets import listed

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
    return call.name.rsplit("__", 1)[-1].rsplit(".", 1)[-1].lower()


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
