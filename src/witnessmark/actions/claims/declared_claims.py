"""The agent's own list of claims in one form: lenient about spelling, strict about meaning.

camelCase, kebab-case and snake_case are read as the same, and so are the names of the older vocabulary (`filePath`,
`contentHash`, `code-inserted`, `command-executed`). A claim that cannot be read is a finding with its place and category;
it is never dropped.

And the shape of the report around it: a specialist's has summary and traceRef, and may have claims and artifacts; an agent's output
has summary, data, confidence, tools_used and metadata; a report in plain words has a summary alone. Knows nothing about the world.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import msgspec

from witnessmark.actions.claim import FILE_KINDS, ActionClaim, ActionKind, Anchor
from witnessmark.actions.claims import manifest
from witnessmark.core.case import AgentOutput
from witnessmark.core.errors import InputError
from witnessmark.core.values import canonical
from witnessmark.core.verdict import Finding
from witnessmark.text.patterns import compiled

_KINDS = {kind: kind for kind in get_args(ActionKind)} | {
    "create": "file_create", "created": "file_create", "file_created": "file_create", "write": "file_write",
    "file_written": "file_write", "edit": "file_edit", "file_edited": "file_edit", "file_modified": "file_edit",
    "delete": "file_delete", "file_deleted": "file_delete", "rename": "file_rename", "file_renamed": "file_rename",
    "file_move": "file_rename", "code_inserted": "code_insert", "command_executed": "command", "command_run": "command",
    "test_passed": "tests_passed", "tests_run": "tests_passed", "http_request": "http", "http_receipt": "http",
}  # fmt: skip
_FIELDS = {
    "path": "path", "file_path": "path", "file": "path", "from": "path", "old_path": "path",
    "to": "to", "to_path": "to", "new_path": "to",
    "sha256": "sha256", "content_hash": "sha256", "hash": "sha256",
    "size": "size", "bytes": "size", "anchor": "anchor", "command": "command", "cmd": "command",
    "exit_code": "exit_code", "passed": "passed", "failed": "failed", "url": "url",
    "status": "status", "status_code": "status", "text": "text",
    "role": "role", "value": "value", "old": "old", "check": "role", "effect": "role", "name": "value", "commit": "value",
}  # fmt: skip
_SNIPPETS = {"before": "before", "before_snippet": "before", "after": "after", "after_snippet": "after"}
_ANCHOR = _SNIPPETS | {
    "replaces": "replaces", "replace": "replaces", "line": "line", "line_hint": "line",
}  # fmt: skip
_TYPES: dict[str, type] = {
    "path": str, "to": str, "sha256": str, "command": str, "url": str, "text": str, "before": str, "after": str, "role": str, "value": str, "old": str,
    "size": int, "exit_code": int, "passed": int, "failed": int, "status": int, "line": int, "replaces": bool,
}  # fmt: skip
_WORDS = {str: "text", int: "a whole number", bool: "true or false"}
_NEEDS = dict.fromkeys(FILE_KINDS, ("path",)) | {
    "file_rename": ("path", "to"), "command": ("command",), "http": ("url",), "tests_passed": (), "check_passed": ("role",), "git": ("role",),
    "effect": ("role",), "content": ("role",), "untouched": (), "reverted": ("path",), "work": (),
}  # fmt: skip
_EDITS = ("file_edit", "code_insert")
"""Kinds whose `before` and `after` may stand in the claim itself, without an anchor around them."""
_HEX = compiled(r"[0-9a-f]{64}")
MAX_CLAIMS = 200_000


class UnreadableClaimError(InputError):
    """A claim that cannot be read, with its category."""

    def __init__(self, field: str, message: str, category: str) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.category = category


def read(given: Any) -> tuple[list[ActionClaim], list[Finding]]:
    """The claims that can be read, in order, and a finding for each that cannot."""
    try:
        items = manifest.unpack(given) if isinstance(given, Mapping) else given
    except InputError as exc:
        return [], [Finding(message=f"claims: {exc}", category="wrong_format")]
    if not isinstance(items, Sequence) or isinstance(items, str):
        return [], [Finding(message="claims: should be a list of claims, or a manifest", category="invalid_type")]
    if len(items) > MAX_CLAIMS:
        return [], [
            Finding(
                message=f"claims: {len(items):,} are more than the {MAX_CLAIMS:,} that are read at once",
                category="wrong_length",
            )
        ]
    claims: list[ActionClaim] = []
    findings: list[Finding] = []
    for number, item in enumerate(items):
        try:
            claims.append(one(item))
        except UnreadableClaimError as exc:
            findings.append(Finding(message=f"claims[{number}]: {exc}", category=exc.category, suggestion=_FIX))
    return claims, findings


_FIX = 'Write a claim as {"kind": "file_write", "path": "a.txt", "sha256": "…"}; the documentation lists all kinds.'


def one(item: Any) -> ActionClaim:
    """One claim."""
    if type(item) is not dict and not isinstance(item, Mapping):
        raise UnreadableClaimError("", "should be an object", "invalid_type")
    kind = item.get("kind", item.get("type"))
    if kind is None:
        raise UnreadableClaimError("kind", "is missing", "missing_field")
    if not isinstance(kind, str):
        raise UnreadableClaimError("kind", "should be text", "invalid_type")
    known = _KINDS.get(snake(kind))
    if known is None:
        raise UnreadableClaimError("kind", f"is not one of {', '.join(get_args(ActionKind))}", "unknown")
    fields = _fields(item, _FIELDS, "")
    if (given := fields.get("anchor", item if known in _EDITS else None)) is not None:
        fields["anchor"] = _anchor(given, item)
    for needed in _NEEDS[known]:
        if not fields.get(needed):
            raise UnreadableClaimError(needed, "is missing", "missing_field")
    if fields.get("sha256") is not None:
        fields["sha256"] = _digest(fields["sha256"])
    return ActionClaim(kind=known, **fields)


def _anchor(given: Any, item: Mapping[Any, Any]) -> Anchor | None:
    """The text that shows an edit: of `anchor`, or of the claim itself where the new text stands there; None where it has none."""
    if not isinstance(given, Mapping):
        raise UnreadableClaimError("anchor", "should be an object with beforeSnippet and afterSnippet", "invalid_type")
    beside = given is item
    found = _fields(given, _SNIPPETS if beside else _ANCHOR, "" if beside else "anchor.")
    if beside and "after" not in found:
        return None
    return Anchor(**({"replaces": item.get("replaces", item.get("replace")) is True} | found))


def _fields(item: Mapping[Any, Any], names: Mapping[str, str], at: str) -> dict[str, Any]:
    """The fields we know, each of the type it should have; what else the agent wrote beside them is its own business."""
    found: dict[str, Any] = {}
    for key, value in item.items():
        name = names.get(key) or names.get(snake(key)) if isinstance(key, str) else None
        if name is None or value is None:
            continue
        wanted = _TYPES.get(name)
        if wanted is not None and type(value) is not wanted:
            raise UnreadableClaimError(f"{at}{name}", f"should be {_WORDS[wanted]}", "invalid_type")
        if wanted is int and name != "exit_code" and value < 0:
            raise UnreadableClaimError(f"{at}{name}", "cannot be negative", "invalid_type")
        if not _same(name, found.setdefault(name, value), value):
            raise UnreadableClaimError(
                f"{at}{name}", f"is given twice and differs, here as {key[:40]!r}", "wrong_format"
            )
    return found


def _same(name: str, one: Any, other: Any) -> bool:
    """Whether two values of a field say the same; a path may be written in several ways."""
    return one == other or (name in ("path", "to") and posixpath.normpath(one) == posixpath.normpath(other))


def _digest(text: str) -> str:
    bare = text.lower().removeprefix("sha256:").removeprefix("sha256-")
    if _HEX.fullmatch(bare) is None:
        raise UnreadableClaimError("sha256", "is not a sha256 in hex, 64 characters of 0-9a-f", "wrong_format")
    return bare


@functools.lru_cache(maxsize=1024)
def snake(name: str) -> str:
    """A name in snake_case, however it was written.

    >>> snake("filePath"), snake("code-inserted"), snake("exit_code")
    ('file_path', 'code_inserted', 'exit_code')
    """
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name[:80]).replace("-", "_").replace(" ", "_").lower()


# --- the report around the list ---------------------------------------------------------------------------------

ARTIFACT_BYTES = 1024
_TRACE_REF = compiled(r"trace:[^\s]{1,500}")
_DIGEST = compiled(r"(?:sha256[:-])?[0-9a-fA-F]{64}")
_SPECIALIST = frozenset({"traceRef", "claims", "artifacts"})
_PLAIN_OUTPUT = frozenset({"data", "confidence", "tools_used", "metadata"})


def look(output: AgentOutput, *, words: bool = False) -> tuple[list[ActionClaim], list[Finding]]:
    """The claims that can be read, and everything that is wrong with the shape; `words` allows a summary alone."""
    given = output.present()
    findings = [*_summary(given)]
    if _SPECIALIST & given.keys() or not (words or _PLAIN_OUTPUT & given.keys()):
        findings += _trace_ref(given)
        findings += _artifacts(given.get("artifacts"))
    elif _PLAIN_OUTPUT & given.keys():
        findings += _agent_output(given)
    claims: list[ActionClaim] = []
    if given.get("claims") is not None:
        claims, unreadable = read(given["claims"])
        findings += unreadable
    return claims, findings


def _missing(field: str, fix: str) -> Finding:
    return Finding(message=f"{field}: is missing", category="missing_field", suggestion=fix)


def _wrong_type(field: str, wanted: str) -> Finding:
    return Finding(
        message=f"{field}: should be {wanted}", category="invalid_type", suggestion=f"Give {field} as {wanted}."
    )


def _summary(given: Mapping[str, Any]) -> list[Finding]:
    summary = given.get("summary", msgspec.UNSET)
    if summary is msgspec.UNSET or summary is None:
        return [_missing("summary", "Say in a sentence what was done.")]
    if not isinstance(summary, str):
        return [_wrong_type("summary", "text")]
    return [] if summary.strip() else [_missing("summary", "Say in a sentence what was done; it is empty.")]


def _trace_ref(given: Mapping[str, Any]) -> list[Finding]:
    ref = given.get("traceRef")
    if ref is None:
        return [_missing("traceRef", 'Name the trace the work is recorded in, as "trace:<id>".')]
    if not isinstance(ref, str):
        return [_wrong_type("traceRef", 'text, "trace:<id>"')]
    if _TRACE_REF.fullmatch(ref) is None:
        fix = 'Write it as "trace:<id>", with the id of the trace.'
        return [Finding(message="traceRef: does not have the form trace:<id>", category="wrong_format", suggestion=fix)]
    return []


def _artifacts(artifacts: Any) -> list[Finding]:
    if artifacts is None:
        return []
    if not isinstance(artifacts, list | tuple):
        return [_wrong_type("artifacts", "a list")]
    return [finding for number, one in enumerate(artifacts) for finding in _artifact(one, f"artifacts[{number}]")]


def _artifact(artifact: Any, at: str) -> list[Finding]:
    """Metadata of at most 1,024 bytes (not characters), with the digest of the large thing it stands for."""
    if not isinstance(artifact, Mapping):
        return [_wrong_type(at, "an object")]
    found = []
    size = len(canonical(artifact))
    if size > ARTIFACT_BYTES:
        message = f"{at}: has {size:,} bytes, and an artifact is metadata of at most {ARTIFACT_BYTES:,}"
        fix = "Leave the content out and give its sha256 as contentHash."
        found.append(Finding(message=message, category="wrong_length", suggestion=fix))
    digest = next(
        (artifact[key] for key in ("contentHash", "content_hash", "sha256") if artifact.get(key) is not None), None
    )
    if digest is None:
        found.append(_missing(f"{at}.contentHash", "Give the sha256 of the thing the artifact stands for."))
    elif not isinstance(digest, str):
        found.append(_wrong_type(f"{at}.contentHash", "text"))
    elif _DIGEST.fullmatch(digest) is None:
        found.append(Finding(message=f"{at}.contentHash: is not a sha256 in hex", category="wrong_format"))
    return found


def _agent_output(given: Mapping[str, Any]) -> list[Finding]:
    found = [] if "data" in given else [_missing("data", "Give the data, empty where there is none.")]
    confidence = given.get("confidence")
    if confidence is None:
        found.append(_missing("confidence", "Give a number between 0 and 1."))
    elif isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        found.append(_wrong_type("confidence", "a number between 0 and 1"))
    tools = given.get("tools_used")
    if tools is None:
        found.append(_missing("tools_used", "List the tools, an empty list where there were none."))
    elif not isinstance(tools, list | tuple) or not all(isinstance(tool, str) for tool in tools):
        found.append(_wrong_type("tools_used", "a list of texts"))
    metadata = given.get("metadata")
    if metadata is None:
        found.append(_missing("metadata", "Give an object, empty where there is nothing to add."))
    elif not isinstance(metadata, Mapping):
        found.append(_wrong_type("metadata", "an object"))
    return found
