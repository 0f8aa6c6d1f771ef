"""The claims an agent should have made, from what its tools were called with: changes to files, commands, tests, requests.

Only calls that did not fail are claims about files; a command is one whatever its exit code. A call of a tool that is not known
here is listed, not guessed at. Which files a call changed is read in `changes`.
"""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterator

from witnessmark.actions.claim import ActionClaim, Anchor
from witnessmark.actions.trace.calls import (
    HTTP,
    ToolCall,
    Trace,
    command_of,
    exit_code_of,
    is_command,
    only_reads,
    tests_of,
    tool,
)
from witnessmark.actions.trace.changes import FileChange, changes_of
from witnessmark.core.values import Value


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
        if not made and call.ok is not False and not only_reads(call):
            unclear.append(call.id)
    return DerivedClaims(tuple(claims), tuple(unclear))


def relative(path: str, root: str) -> str:
    """A path as seen from the root where it lies under it; otherwise as it is. Textual: nothing is looked up."""
    plain = posixpath.normpath(path) if path else path
    base = posixpath.normpath(root).rstrip("/") if root else ""
    return plain[len(base) + 1 :] if base and plain.startswith(f"{base}/") else plain


def _claims_of(call: ToolCall, root: str) -> Iterator[ActionClaim]:
    command = command_of(call) if is_command(call) else ""
    if command.strip():
        yield ActionClaim("command", command=command, exit_code=exit_code_of(call), by="trace")
    if call.ok is not False and (not command or exit_code_of(call) == 0):
        yield from (_changed(change, root) for change in changes_of(call))
    found = tests_of(call) if command else None
    if found is not None:
        failed = None if found.failed is None and found.errors is None else found.bad
        yield ActionClaim("tests_passed", command=command, exit_code=exit_code_of(call), passed=found.passed, failed=failed, by="trace")  # fmt: skip
    url = call.input.get("url") if isinstance(call.input, dict) and tool(call) in HTTP else None
    if isinstance(url, str) and call.ok is not False:
        status = call.output.get("status") if isinstance(call.output, dict) else None
        yield ActionClaim("http", url=url, status=status if isinstance(status, int) else None, by="trace")


def _changed(change: FileChange, root: str) -> ActionClaim:
    """One change to a file as a claim, with what shows it: the digest of a content, the texts of an edit."""
    path, to = relative(change.path, root), relative(change.to, root) if change.to else None
    if change.kind == "write":
        new = change.new
        digest = hashlib.sha256(new.encode("utf-8", "surrogatepass")).hexdigest() if new is not None else None
        return ActionClaim("file_write", path=path, sha256=digest, by="trace")
    if change.kind == "edit":
        old, new = change.old or None, change.new or None
        anchored = bool((new or "").strip() or (old or "").strip())
        anchor = Anchor(before=old, after=new, replaces=old is not None) if anchored else None
        return ActionClaim("file_edit", path=path, anchor=anchor, by="trace")
    return ActionClaim("file_delete" if change.kind == "delete" else "file_rename", path=path, to=to, by="trace")
