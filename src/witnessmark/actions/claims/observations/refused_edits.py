"""Edits that the tool refused and nothing made up for, where a report tells of what they would have brought.

A sentence is known by the words in code that only the refused edit has, whatever else it says: it states that the file was changed.
What a report says itself about the refusal is honest. Holds nothing against anybody: the claim is ruled like every other.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, contradicted
from witnessmark.actions.trace.changes import FileChange
from witnessmark.actions.trace.ledger import Ledger
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from witnessmark.actions.content.passages import ReportPassage

ROLE = "refused"
_WORD = compiled(r"[^\W\d][\w-]{2,}|\d+(?:\.\d+)+|\d{2,}")
_ADMITS = compiled(
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
    refused = _never_made(ledger)
    if not refused:
        return []
    done = {word for text in (ledger.asked, *(one.new or "" for one in ledger.changes)) for word in _words(text)}
    admits = "\n".join(part for part in re.split(r"(?<=[.!?;])\s+|\n", report.lower()) if _ADMITS.search(part))
    admitted, in_code = _words(admits), _in_code(report)
    for change in refused:
        if change.path in found:
            continue
        own = _words(change.new or "") - _words(change.old or "") - done
        if not own or own & admitted or posixpath.basename(change.path).lower() in admits:
            continue  # nothing of its own, or the report says itself that it was not done
        claim = _told(change, own, in_code)
        found |= {change.path: claim} if claim is not None else {}
    return list(found.values())


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _never_made(ledger: Ledger) -> list[FileChange]:
    """The refused edits of this turn to files that no later call changed."""
    last = {change.place: change.number for change in ledger.changes}
    return [
        change
        for change in ledger.refused
        if change.turn == ledger.turns and change.new and change.number > last.get(change.path, -1)
    ]


def _in_code(report: str) -> dict[str, list[tuple[int, ReportPassage, re.Match[str]]]]:
    """By word, the places in code that have it, each with its number and its sentence."""
    from witnessmark.actions.claims.observations.report_sentences import sentences_of  # most edits are made
    from witnessmark.actions.content.passages import CODE

    found: dict[str, list[tuple[int, ReportPassage, re.Match[str]]]] = {}
    codes = ((passage, code) for passage in sentences_of(report) for code in CODE.finditer(passage.sentence.low))
    for number, (passage, code) in enumerate(codes):
        for word in _words(code[1]):
            found.setdefault(word, []).append((number, passage, code))
    return found


def _told(
    change: FileChange, own: set[str], in_code: dict[str, list[tuple[int, ReportPassage, re.Match[str]]]]
) -> ActionClaim | None:
    """The first sentence with a word in code that only the refused edit has."""
    from witnessmark.actions.content.wording import clause_at, is_barred

    places = {place[0]: place for word in own for place in in_code.get(word, ())}
    for number in sorted(places):
        _, passage, code = places[number]
        sentence = passage.sentence
        if not is_barred(clause_at(sentence.low, code.start(), code.end())):
            return sentence.claim("file_edit", path=change.path, role=ROLE)
    return None
