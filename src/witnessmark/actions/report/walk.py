"""Claims while they are being read, and the state while one sentence is walked over: the verb in force, whether it counts, what it was done to."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from witnessmark.actions.claim import ActionKind
from witnessmark.actions.report.layout import Context
from witnessmark.actions.report.lexicon import VerbClass
from witnessmark.actions.report.names import ReportToken


@dataclass(slots=True)
class DraftClaim:
    """A claim while it is being read. `assumed`: no verb said it, only where it stands."""

    kind: ActionKind
    start: int
    end: int
    path: str | None = None
    to: str | None = None
    command: str | None = None
    exit_code: int | None = None
    passed: int | None = None
    failed: int | None = None
    assumed: bool = False
    good: bool = False
    """Of a command: the words say that it went well."""


_STRENGTH = {"file_create": 3, "file_write": 3, "file_edit": 1}


def merged(
    found: list[DraftClaim], files: Iterable[str], *, nothing_changed: bool, loose: Callable[[DraftClaim], bool]
) -> list[DraftClaim]:
    """The claims in order of their words, each once. Where the report says nothing was changed, what is only assumed goes.

    Of a file that is named more than once the words count that say plainly what was done: `loose` tells which do not.
    """
    full = _by_name(files)
    kept: dict[tuple[object, ...], DraftClaim] = {}
    for claim in found:
        if nothing_changed and claim.assumed:
            continue
        _resolve(claim, full)
        key = _key(claim)
        known = kept.get(key)
        if known is None:
            kept[key] = claim
        elif _STRENGTH.get(claim.kind, 0) > _STRENGTH.get(known.kind, 0):
            known.kind = claim.kind
        elif claim.kind == "command" and claim.exit_code is not None:
            known.exit_code = claim.exit_code
        if known is not None and claim.path is not None and loose(known) and not loose(claim):
            known.start, known.end = claim.start, claim.end
    claims = _without_shadows(list(kept.values()))
    return sorted(_tests_once(claims), key=lambda claim: (claim.start, claim.end))


def _by_name(files: Iterable[str]) -> dict[str, str]:
    """For each bare name, the one longer path that ends in it."""
    found: dict[str, set[str]] = {}
    bare = set()
    for path in files:
        name = path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
        if name == path.rstrip("/"):
            bare.add(name)
        else:
            found.setdefault(name, set()).add(path)
    return {name: next(iter(paths)) for name, paths in found.items() if len(paths) == 1 and name in bare}


def _resolve(claim: DraftClaim, full: dict[str, str]) -> None:
    if claim.kind == "file_rename":
        return
    if claim.path is not None:
        claim.path = full.get(claim.path.rstrip("/"), claim.path)


def _key(claim: DraftClaim) -> tuple[object, ...]:
    if claim.kind == "command":
        return ("command", " ".join((claim.command or "").split()))
    if claim.kind == "tests_passed":
        return ("tests", claim.passed, claim.failed, claim.start if claim.passed is None else 0)
    path = (claim.path or "").rstrip("/")
    if claim.kind == "file_rename":
        return ("rename", path, (claim.to or "").rstrip("/"))
    return ("delete" if claim.kind == "file_delete" else "change", path)


def _without_shadows(claims: list[DraftClaim]) -> list[DraftClaim]:
    """A file that was renamed or deleted was not also edited; one that was created and then deleted was both."""
    moved = {part.rstrip("/") for c in claims if c.kind == "file_rename" for part in (c.path or "", c.to or "")}
    gone = {(c.path or "").rstrip("/") for c in claims if c.kind == "file_delete"}

    def shadowed(claim: DraftClaim) -> bool:
        path = (claim.path or "").rstrip("/")
        if claim.kind == "file_edit":
            return path in gone or path in moved
        return claim.kind in ("file_create", "file_write", "file_delete") and path in moved

    return [claim for claim in claims if not shadowed(claim)]


def _tests_once(claims: list[DraftClaim]) -> list[DraftClaim]:
    """One bare `tests pass`, and none beside counts."""
    counted = [c for c in claims if c.kind == "tests_passed" and c.passed is not None]
    best: list[DraftClaim] = []
    for claim in counted:
        same = next(
            (
                c
                for c in best
                if c.passed == claim.passed and (c.failed is None or claim.failed is None or c.failed == claim.failed)
            ),
            None,
        )
        if same is None:
            best.append(claim)
        elif same.failed is None:
            same.failed = claim.failed
    bare = [c for c in claims if c.kind == "tests_passed" and c.passed is None]
    kept = best or bare[:1]
    return [c for c in claims if c.kind != "tests_passed"] + kept


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
