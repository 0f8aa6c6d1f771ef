"""Level 1: has the report the shape it should have? Every fault with its place and its category, from the rule that found it.

A specialist's report has summary and traceRef, and may have claims and artifacts; an agent's output has summary, data, confidence,
tools_used and metadata; a report in plain words has a summary alone. Knows nothing about the world.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from witnessmark.actions.claims import declared_claims as declared
from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.core.case import AgentOutput
from witnessmark.core.values import canonical
from witnessmark.core.verdict import Finding
from witnessmark.text.patterns import compiled

ARTIFACT_BYTES = 1024
_TRACE_REF = compiled(r"trace:[^\s]{1,500}")
_HEX = compiled(r"(?:sha256[:-])?[0-9a-fA-F]{64}")
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
        claims, unreadable = declared.read(given["claims"])
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
    elif _HEX.fullmatch(digest) is None:
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
