"""Edits that the tool refused and nothing made up for, where a report tells of what they would have brought.

A sentence is known by the words in code that only the refused edit has, whatever else it says: it states that the file was changed.
What a report says itself about the refusal is honest. Holds nothing against anybody: the claim is ruled like every other.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from msgspec.structs import replace

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, contradicted
from witnessmark.actions.trace.changes import FileChange
from witnessmark.actions.trace.ledger import Ledger

ROLE = "refused"
_WORD = re.compile(r"[^\W\d][\w-]{2,}|\d+(?:\.\d+)+|\d{2,}")
_ADMITS = re.compile(
    r"\b(?:refused?|rejected|denied|fail(?:s|ed|ing|ure)?|could(?:n't| not)|can(?:not|'t)|unable|(?:did|does|has|was|were|is)(?:n't| not)|not (?:yet|made|applied|found|changed|done|possible)|"
    r"manually|by hand|yourself|instead|skipped|left|permission|verweigert|abgelehnt|nicht|fehlgeschlagen|refusé\w*|échoué|pas|rechazad\w*|falló|no (?:pude|se pudo))\b",
    re.IGNORECASE,
)


def without_words(claim: ActionClaim) -> ActionClaim:
    """Such a claim as it is ruled: what it states is known from the trace, so nothing of its wording leaves it in doubt."""
    return replace(claim, text="", span=None) if claim.role == ROLE else claim


def named(claim: ActionClaim, ruling: Ruling) -> Ruling:
    """A ruling on such a claim that says which edit is missing: its words need not name the file."""
    if claim.role != ROLE or not ruling.wrong:
        return ruling
    reason = f"the tool refused the edit of {claim.path}, and nothing made it since"
    return contradicted("not_in_trace", reason, ruling.there, ruling.by)


def told_as_made(report: str, ledger: Ledger) -> list[ActionClaim]:
    """A claim that the file was edited, for each refused edit of which a sentence tells; the first such sentence of each file."""
    found: dict[str, ActionClaim] = {}
    for change in _never_made(ledger):
        own = _only_there(change, ledger)
        if not own or change.path in found or _admitted(report, change, own):
            continue
        claim = _told(report, change, own)
        found |= {change.path: claim} if claim is not None else {}
    return list(found.values())


def _never_made(ledger: Ledger) -> list[FileChange]:
    """The refused edits of this turn to files that no later call changed."""
    last = {change.to or change.path: change.number for change in ledger.changes}
    return [
        change
        for change in ledger.refused
        if change.turn == ledger.turns and change.new and change.number > last.get(change.path, -1)
    ]


def _only_there(change: FileChange, ledger: Ledger) -> set[str]:
    """The words that an edit would have brought, and that nothing which was done or asked for has."""
    others: Sequence[str] = [change.old or "", ledger.asked, *(other.new or "" for other in ledger.changes)]
    return set(_WORD.findall((change.new or "").lower())).difference(*(_WORD.findall(text.lower()) for text in others))


def _admitted(report: str, change: FileChange, own: set[str]) -> bool:
    """Whether the report speaks of the file or of what the edit would have brought, and says that it was not done."""
    name = posixpath.basename(change.path).lower()
    return any(
        _ADMITS.search(part) and (name in part or own & set(_WORD.findall(part)))
        for part in re.split(r"(?<=[.!?;])\s+|\n", report.lower())
    )


def _told(report: str, change: FileChange, own: set[str]) -> ActionClaim | None:
    """The first sentence with a word in code that only the refused edit has."""
    from witnessmark.actions.content.passages import CODE, passages  # most edits are made
    from witnessmark.actions.content.wording import clause_at, is_barred

    for passage in passages(report):
        sentence = passage.sentence
        for code in CODE.finditer(sentence.low):
            if own.isdisjoint(_WORD.findall(code[1])) or is_barred(clause_at(sentence.low, code.start(), code.end())):
                continue
            span = (sentence.start, sentence.end)
            return ActionClaim(
                "file_edit", path=change.path, role=ROLE, by="report", text=sentence.text[:300], span=span
            )
    return None
