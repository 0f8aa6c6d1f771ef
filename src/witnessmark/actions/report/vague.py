"""Statements that look like a claim and name nothing that could be looked up: `I removed the old config file`."""

from __future__ import annotations

import re

from witnessmark.actions.claims.claim import ActionKind
from witnessmark.actions.report.draft_claim import DraftClaim
from witnessmark.actions.report.tokens import ReportToken

_VAGUE = re.compile(
    r"(?:^|\b(?:i|we|i've|we've|also|then|and)\s+(?:have\s+|also\s+|then\s+|now\s+)*)"
    r"(?P<verb>created|wrote|added|updated|modified|changed|edited|fixed|deleted|removed|renamed|moved|ran|executed|generated|rewrote)\s+"
    r"(?:\w+\s+){0,4}?(?:files?|scripts?|modules?|director(?:y|ies)|folders?|configs?|configuration|tests?|documentation|docs|readme|changelog|linters?|suite|build|"
    r"migrations?|workflows?|templates?|packages?|components?|benchmarks?|type ?checker)\b"
)
_BARRED = re.compile(r"\b(?:not|never|would|will|could|should|can|if|tried|failed|no)\b|n't\b")
_KIND: dict[str, ActionKind] = {
    "created": "file_create", "added": "file_create", "wrote": "file_write", "generated": "file_write", "deleted": "file_delete",
    "removed": "file_delete", "renamed": "file_rename", "moved": "file_rename", "ran": "command", "executed": "command",
}  # fmt: skip


def vague(text: str, sentence: list[ReportToken], *, imperative: bool) -> list[DraftClaim]:
    """The claim of a sentence that names no file and no command, if it makes one."""
    start, end = sentence[0].start, sentence[-1].end
    match = _VAGUE.search(text[start:end].lower())
    if match is None or _BARRED.search(text[start:end].lower(), 0, match.end()):
        return []
    return [DraftClaim(_KIND.get(match.group("verb"), "file_edit"), start + match.start(), start + match.end())]
