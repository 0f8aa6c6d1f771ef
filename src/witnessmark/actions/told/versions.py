"""Versions that a report says something is on, against every version that the session and the files have of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim, Ruling, contradicted, unverifiable
from witnessmark.actions.claims.observations import sentences_of
from witnessmark.actions.content.evidence import evidence_of
from witnessmark.actions.content.passages import content_claim, is_barred, pattern
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

VERSION = "told_version"


def versions_told(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each version of three parts that something is said to have been put on, and that no text of the session has."""
    texts = trace.session_texts()
    if not trace.whole or not trace.ledger.active or not texts.complete:
        return
    for passage in sentences_of(report):
        low = passage.sentence.low
        match = pattern("versions", "told").search(low)
        if match is None or is_barred(low[: match.end()]) or pattern("versions", "other").search(low):
            continue
        name, version = match["name"], match["version"]
        held = _held(name, texts.everything)
        if held and version not in texts.everything:
            yield content_claim(passage, VERSION, name=name, value=version, old=held[-1], path=None)


def _held(name: str, text: str) -> list[str]:
    """The versions of three parts that stand beside a name."""
    return re.findall(rf"(?i)(?<![\w-]){re.escape(name)}[\"'`]?[\s@:=~^v\"'-]{{1,6}}(\d+\.\d+\.\d+)", text)


def rule_version(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim: untrue where no file has the version either."""
    known = evidence_of(scene, trace) if scene is not None else None
    version = claim.value or ""
    if known is None or not known.all_seen or any(version in text.new or version in text.old for text in known.files()):
        return unverifiable("a file may have the version", there="not known")
    there = f"{claim.name} {claim.old}"
    return contradicted("contradicted_claim", f"nothing in the session has {version}; what it has is {there}", there)
