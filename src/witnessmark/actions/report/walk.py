"""The state while one sentence is walked over: the verb in force, whether it counts, what it was already done to."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from witnessmark.actions.claims.claim import ActionKind
from witnessmark.actions.report.contexts import Context
from witnessmark.actions.report.drafts import DraftClaim
from witnessmark.actions.report.lexicon import VerbClass
from witnessmark.actions.report.tokens import ReportToken

NOWHERE = sys.maxsize
"""Where a verb starts that is not there."""


@dataclass(slots=True)
class State:
    """The verb in force while a sentence is walked over."""

    cls: VerbClass | None = None
    word: str = ""
    counts: bool = False
    taken: int = 0
    stopped: bool = False
    preposition: str = ""
    between: list[str] = field(default_factory=list)
    between_all: set[str] = field(default_factory=set)
    direct: str | None = None
    passive: bool = False
    other: bool = False
    fresh: bool = False
    start: int = NOWHERE
    end: int = 0


class Walk:
    """One walk over the fragments of one sentence; what it found so far."""

    def __init__(self, text: str, context: Context, named: list[str], *, imperative: bool) -> None:
        self.text, self.context, self.named, self.imperative = text, context, named, imperative
        self.state = State()
        self.kept: list[State] = []
        self.found: list[DraftClaim] = []
        self.subjects: list[ReportToken] = []
        self.waiting: list[ReportToken] = []
        self.changed = False
        self.first = True
        self.appositive = False
        self.within = False
        self.spoken: list[str] = []
        self.commands: list[ReportToken] = []
        self.told = 0
        self.previous: list[str] = []
        self.next = ""
        """What leads into the fragment after this one."""
        self.then: list[str] = []
        """The words of the fragment after this one."""
        self.last_path: ReportToken | None = None
        self.culprit: str | None = None
        """The file that was said to hold the bug, until something is said to have been done about it."""
        self.first_person = False
        """Whether the writer speaks of himself in this sentence."""
        self.previous_path = False
        """Whether the fragment before ended with a file."""
        self.outside: list[tuple[str, list[str]]] = []
        """Of each bracket that is open: the lead and the words of the fragment before it, where that had no verb."""
        self.open: tuple[str, list[str]] = ("", [])

    @property
    def barred(self) -> bool:
        """Whether the verb in force was not done, by the writer at least."""
        return self.state.cls is not None and not self.state.counts and not self.state.other

    def claim(self, kind: ActionKind | None, token: ReportToken, source: str | None = None) -> None:
        """Keep a claim about a file, from the verb in force to the file's name."""
        if kind is None or (kind == "file_edit" and token.text.endswith("/") and not self.every_file()):
            return
        start = min(self.state.start, token.start)
        if source is not None:
            self.found.append(DraftClaim(kind, start, token.end, path=source, to=token.text))
        else:
            self.found.append(DraftClaim(kind, start, token.end, path=token.text))
        self.changed = True

    def every_file(self) -> bool:
        """`in all the workflows under x/`, `tests added under x/`: a folder whose files were changed."""
        state = self.state
        every = bool(state.between_all & {"all", "every", "each"}) and state.preposition in ("in", "under", "across")
        return every or (state.cls == "add" and state.preposition == "under")

    def ran(self, token: ReportToken, *, good: bool = False) -> DraftClaim:
        """Keep a command that was run."""
        raw = self.text[token.start : token.end].strip("`").strip().removeprefix("$ ")
        claim = DraftClaim("command", min(self.state.start, token.start), token.end, command=raw, good=good)
        self.found.append(claim)
        self.state.taken += self.state.cls == "run"
        return claim


CLASS_KIND: dict[str, ActionKind] = {
    "create": "file_create",
    "write": "file_write",
    "add": "file_create",
    "edit": "file_edit",
    "delete": "file_delete",
    "move": "file_edit",
}
"""What each class of verb does to the file it is done to."""
