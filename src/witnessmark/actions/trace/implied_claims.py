"""The claims an agent should have made, from what its tools were called with: writes, edits, deletes, renames, commands, tests.

Only calls that did not fail are claims about files; a command is one whatever its exit code. A call of a tool that is not known
here is listed, not guessed at.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import shlex
from collections.abc import Iterator
from typing import Any

from witnessmark.actions.claims.claim import ActionClaim, Anchor
from witnessmark.actions.trace.calls import (
    DELETES,
    EDITS,
    HTTP,
    PATCHES,
    READS,
    RENAMES,
    WRITES,
    command_of,
    exit_code_of,
    is_command,
    tests_of,
    tool,
)
from witnessmark.actions.trace.trace import ToolCall, Trace
from witnessmark.core.values import Value

MAX_TEXT = 4_000_000


class DerivedClaims(Value, frozen=True):
    """Claims in the order of the calls, and the ids of calls that could not be turned into claims."""

    claims: tuple[ActionClaim, ...] = ()
    unclear: tuple[str, ...] = ()


def claims_from(trace: Trace, root: str = "") -> DerivedClaims:
    """The claims of a trace; paths under `root` are given relative to it."""
    claims: list[ActionClaim] = []
    unclear: list[str] = []
    for call in trace.calls:
        made = list(_claims_of(call, root))
        claims += made
        if not made and call.ok is not False and tool(call) not in READS:
            unclear.append(call.id)
    return DerivedClaims(tuple(claims), tuple(unclear))


def file_claims(call: ToolCall, root: str = "") -> Iterator[ActionClaim]:
    """What one call did to files, as far as it says so itself; of a call that failed, nothing."""
    if not is_command(call):
        yield from (claim for claim in _claims_of(call, root) if claim.path is not None)
    elif exit_code_of(call) in (0, None) and call.ok is not False:
        yield from _files_of_command(command_of(call), root)


def _claims_of(call: ToolCall, root: str) -> Iterator[ActionClaim]:
    name, given = tool(call), call.input if isinstance(call.input, dict) else {}
    if is_command(call):
        yield from _command(call, root)
    elif call.ok is False:
        return
    elif name in PATCHES:
        yield from _patched(call.input, root)
    elif name in WRITES or (name in EDITS and given.get("command") == "create"):
        yield from _written(given, root)
    elif name in EDITS and given.get("command") not in ("view", "undo_edit"):
        yield from _edited(given, root)
    elif name in DELETES and _path(given):
        yield _claim("file_delete", _path(given), root)
    elif name in RENAMES and _path(given):
        yield _claim("file_rename", _path(given), root, to=_target(given))
    elif name in HTTP and isinstance(given.get("url"), str):
        status = call.output.get("status") if isinstance(call.output, dict) else None
        yield ActionClaim("http", url=given["url"], status=status if isinstance(status, int) else None, by="trace")


def _claim(kind: Any, path: str, root: str, *, to: str | None = None, **more: Any) -> ActionClaim:
    return ActionClaim(kind, path=relative(path, root), to=relative(to, root) if to else None, by="trace", **more)


def relative(path: str, root: str) -> str:
    """A path as seen from the root where it lies under it; otherwise as it is. Textual: nothing is looked up."""
    plain = posixpath.normpath(path) if path else path
    base = posixpath.normpath(root) if root else ""
    if base and plain.startswith(base.rstrip("/") + "/"):
        return plain[len(base.rstrip("/")) + 1 :]
    return plain


def _path(given: dict[str, Any]) -> str:
    for key in (
        "file_path",
        "path",
        "filePath",
        "target_file",
        "filename",
        "file",
        "notebook_path",
        "old_path",
        "source",
        "from",
    ):
        if isinstance(given.get(key), str) and given[key]:
            return str(given[key])
    return ""


def _target(given: dict[str, Any]) -> str | None:
    for key in ("new_path", "to", "destination", "target", "new_name"):
        if isinstance(given.get(key), str):
            return str(given[key])
    return None


def _written(given: dict[str, Any], root: str) -> Iterator[ActionClaim]:
    path = _path(given)
    content = next(
        (given[key] for key in ("content", "contents", "file_text", "text") if isinstance(given.get(key), str)), None
    )
    if path:
        digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest() if content is not None else None
        yield _claim("file_write", path, root, sha256=digest)


def _edited(given: dict[str, Any], root: str) -> Iterator[ActionClaim]:
    path = _path(given)
    if not path:
        return
    edits = given["edits"] if isinstance(given.get("edits"), list) else [given]
    for edit in edits:
        if isinstance(edit, dict):
            before = next(
                (
                    edit[key]
                    for key in ("old_string", "old_str", "old_text", "search")
                    if isinstance(edit.get(key), str)
                ),
                None,
            )
            after = next(
                (
                    edit[key]
                    for key in ("new_string", "new_str", "new_text", "replace", "new_source", "insert_text")
                    if isinstance(edit.get(key), str)
                ),
                None,
            )
            anchored = bool((after or "").strip() or (before or "").strip())
            anchor = Anchor(before=before or None, after=after or None, replaces=bool(before)) if anchored else None
            yield _claim("file_edit", path, root, anchor=anchor)


_PATCH = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+?)\s*$(?:\n\*\*\* Move to: (.+?)\s*$)?", re.MULTILINE)


def _patched(given: Any, root: str) -> Iterator[ActionClaim]:
    """The files of an apply_patch envelope."""
    text = (
        given
        if isinstance(given, str)
        else next((v for v in given.values() if isinstance(v, str) and "*** " in v), "")
        if isinstance(given, dict)
        else ""
    )
    for verb, path, to in _PATCH.findall(text[:MAX_TEXT]):
        if to:
            yield _claim("file_rename", path, root, to=to)
        else:
            yield _claim({"Add": "file_create", "Update": "file_edit", "Delete": "file_delete"}[verb], path, root)


# --- commands ----------------------------------------------------------------------------------------------------


def _command(call: ToolCall, root: str) -> Iterator[ActionClaim]:
    command = command_of(call)
    if not command.strip():
        return
    yield ActionClaim("command", command=command, exit_code=exit_code_of(call), by="trace")
    if exit_code_of(call) == 0:
        yield from _files_of_command(command, root)
    found = tests_of(call)
    if found is not None:
        failed = None if found.failed is None and found.errors is None else found.bad
        yield ActionClaim(
            "tests_passed",
            command=command,
            exit_code=exit_code_of(call),
            passed=found.passed,
            failed=failed,
            by="trace",
        )


_SIMPLE = re.compile(r"[$`*?{}\[\]]|\$\(|<<")


def _files_of_command(command: str, root: str) -> Iterator[ActionClaim]:
    """rm, mv and a redirection say which file they change, from where cd led; what a shell would expand is left alone."""
    at = ""
    for part in re.split(r"\s*(?:&&|;|\n)\s*", command[:10_000]):
        if not part or _SIMPLE.search(part) or "|" in part:
            continue
        try:
            words = shlex.split(part)
        except ValueError:
            continue
        if words[:1] == ["cd"]:
            at = posixpath.join(at, words[1]) if len(words) == 2 else at
        else:
            yield from _files_of_words(words, at, root)


def _files_of_words(words: list[str], at: str, root: str) -> Iterator[ActionClaim]:
    if words[:1] == ["git"] and words[1:2] in (["rm"], ["mv"]):
        words = words[1:]
    names = [posixpath.join(at, word) for word in words[1:] if not word.startswith("-")]
    if words[:1] and words[0] in ("rm", "unlink", "rmdir", "trash") and names:
        yield from (_claim("file_delete", name, root) for name in names)
    elif words[:1] == ["mv"] and len(names) == 2:
        yield _claim("file_rename", names[0], root, to=names[1])
    elif len(words) > 2 and words[-2] in (">", ">>") and not words[-1].startswith(("/dev/", "&")):
        yield _claim("file_write" if words[-2] == ">" else "file_edit", posixpath.join(at, words[-1]), root)
