"""What a heading or lead-in says about what stands under it: done (and which action), not done, only found, or about tests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from witnessmark.actions.claims.claim import ActionKind
from witnessmark.actions.report.lexicon import PATTERNS
from witnessmark.text.patterns import compiled

Mode = Literal["open", "done", "tests", "not", "found"]


@dataclass(frozen=True, slots=True)
class Context:
    """How a line is to be read: `open` says nothing, `not` and `found` hold no claims."""

    mode: Mode = "open"
    kind: ActionKind | None = None

    @property
    def silent(self) -> bool:
        """Whether what stands here is not a claim."""
        return self.mode in ("not", "found")


OPEN = Context()
_KINDS: tuple[tuple[re.Pattern[str], ActionKind], ...] = (
    (compiled(r"\b(?:renamed?|moved?|renames|moves|relocated)\b"), "file_rename"),
    (
        compiled(
            r"\b(?:deleted?|removed?|deletions?|removals?|gone|gelöscht|entfernt|supprimée?s?|eliminad[oa]s?|borrad[oa]s?)\b(?! from)"
        ),
        "file_delete",
    ),
    (
        compiled(
            r"\b(?:created?|new files?|added files?|files? (?:was |were |has been |have been |i )?(?:added|created)|new (?:modules?|tests?|components?|scripts?|classes))\b|^\W*(?:new|additions)\W*$"
        ),
        "file_create",
    ),
    (compiled(r"\b(?:wrote|written|generated|saved|outputs?|produced)\b"), "file_write"),
    (compiled(r"^\W*(?:(?:i|i've|we|also|files?|newly|just|have)\s+){0,3}added\W*$"), "file_create"),
    (
        compiled(
            r"\b(?:updated?|modified|changed|changes|edit(?:ed|s)?|fix(?:ed|es)?|replaced|refactored|touched|adjusted|migrated|converted|rewrote|improved|"
            r"bumped|switched|patched|corrected|adapted|extended|wired|swapped|reworked|applied)\b"
        ),
        "file_edit",
    ),
)


def context_of(words: str) -> Context:
    """What these words, a heading or a line that ends with a colon, say about the lines under them."""
    said = " ".join(PATTERNS.code.sub(" x ", words.lower().replace("’", "'").replace("*", "").replace("#", "")).split())
    said = PATTERNS.bracketed.sub(r"\1", PATTERNS.as_asked.sub("", said))
    if PATTERNS.first_person.search(said) and not re.search(
        r"\bnot\b|n't\b|\btried\b|\bwould\b|\bcould\b|\bbefore\b|\bwill\b", said
    ):
        return Context(
            "tests"
            if re.search(r"\b(?:tested|verified|ran|checked|executed|used the (?:following )?commands?)\b", said)
            else "done",
            kind_of(said),
        )
    if PATTERNS.applied.search(said) and not PATTERNS.doubted.search(said):
        return Context("done", "file_edit")
    if PATTERNS.over_undone.search(said):
        return Context("not")
    if PATTERNS.perfect.search(said) and not re.search(
        r"\b(?:found|identified|seen|reported|asked|discovered)\b", said
    ):
        return Context("done", kind_of(said))
    kind = kind_of(said)
    if PATTERNS.over_findings.search(said) and not _changes(said):
        return Context("found")
    if PATTERNS.over_tests.search(said) and kind is None:
        return Context("tests")
    if PATTERNS.over_tests.search(said) and re.match(r"\W*(?:tests?|testing|verification)\b", said):
        return Context("tests")
    if kind is not None:
        return Context("done", kind)
    return Context("done") if PATTERNS.over_done.search(said) else OPEN


def _changes(said: str) -> bool:
    return (
        re.search(
            r"\b(?:fixed|changed|changes|updated|implemented|refactored|created|added|removed|modified|edits|new files)\b",
            said,
        )
        is not None
    )


def kind_of(said: str) -> ActionKind | None:
    """The action that words name, if any; `added X to` files is an edit, `new files` a creation."""
    first: tuple[int, ActionKind] | None = None
    for pattern, kind in _KINDS:
        match = pattern.search(said)
        if match and (first is None or match.start() < first[0]):
            first = (match.start(), kind)
    if first is None:
        return "file_create" if PATTERNS.added_here.match(said) and len(said.split()) <= 4 else None
    if first[1] == "file_create" and re.search(
        r"\bchanges|\bwhat changed|\bnew (?:feature|behaviou?r|name|api|version|location|format)", said
    ):
        return None
    return first[1]
