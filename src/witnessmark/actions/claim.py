"""What an agent says it did, in one form, whoever said it (its own list, its trace, a report in plain words), and what is said about one such claim."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from witnessmark.core.values import Count, Span, Value

ActionKind = Literal[
    "file_create", "file_write", "file_edit", "file_delete", "file_rename", "code_insert", "command", "tests_passed", "http",
    "check_passed", "git", "effect", "content", "untouched", "reverted", "work",
]  # fmt: skip
ClaimedBy = Literal["declared", "trace", "report"]


class Anchor(Value, frozen=True):
    """Text that shows an edit: `after` must be there; `before`, the replaced text, must be gone where it is a replacement."""

    before: str | None = None
    after: str | None = None
    replaces: bool = False
    line: Count | None = None


class ActionClaim(Value, frozen=True):
    """One action somebody says was done. Which fields are used depends on the kind."""

    kind: ActionKind
    path: str | None = None
    to: str | None = None
    sha256: str | None = None
    size: Count | None = None
    anchor: Anchor | None = None
    command: str | None = None
    exit_code: int | None = None
    passed: Count | None = None
    failed: Count | None = None
    url: str | None = None
    status: int | None = None
    role: str | None = None
    """Which check passed (lint, types, build), what git did (commit, push), which effect (deployed), what a content claim adds, an edit that was refused."""
    value: str | None = None
    """The commit, branch or version that is named; the new name or text of a content claim."""
    old: str | None = None
    """The old name or text of a content claim."""
    name: str | None = None
    """What in code a content claim is about; several names stand on lines of their own."""
    by: ClaimedBy = "declared"
    text: str = ""
    """The words of the claim, where it was made in words."""
    span: Span | None = None
    """Where those words stand in the report."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name in code that a content claim is about."""
        return tuple(self.name.split("\n")) if self.name else ()

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path the claim names."""
        if self.to is None:
            return () if self.path is None else (self.path,)
        return (self.to,) if self.path is None else (self.path, self.to)


FILE_KINDS: frozenset[str] = frozenset(
    {"file_create", "file_write", "file_edit", "file_delete", "file_rename", "code_insert"}
)


UNREAD = 200
"""So many characters are shown of a text that was not read, as a claim that cannot be verified."""


def unread(report: str, at: int) -> ActionClaim:
    """What a report says from a place on, where nobody read it: a change without a path, which stays unverified."""
    return ActionClaim("file_edit", by="report", text=report[at : at + UNREAD], span=(at, len(report)))


def is_unread(claim: ActionClaim, report: str) -> bool:
    """Whether a claim stands for what nobody read up to the end of a report."""
    return claim.kind == "file_edit" and claim.path is None and claim.span is not None and claim.span[1] == len(report)


def words(claim: ActionClaim) -> str:
    """The claim as one short line: its own words where it was made in words."""
    if claim.text:
        return claim.text
    if claim.kind == "file_rename":
        return f"file_rename {claim.path} → {claim.to}"
    if claim.kind == "tests_passed":
        counts = [
            f"{count} {word}"
            for count, word in ((claim.passed, "passed"), (claim.failed, "failed"))
            if count is not None
        ]
        return " ".join(["tests_passed", ", ".join(counts)]).strip()
    if claim.role is not None:
        return " ".join(part for part in (claim.kind, claim.role, claim.old, claim.value, claim.path) if part)
    end = "" if claim.exit_code is None else f" (exit code {claim.exit_code})"
    return f"{claim.kind} {claim.path or claim.command or claim.url or ''}{end}".strip()


Ruled = Literal["supported", "unsupported", "contradicted", "unverifiable", "superseded"]


class Ruling(msgspec.Struct, frozen=True):
    """One claim held against the world. `there` is what was found, in a few words; `by` is the evidence that says so."""

    status: Ruled
    reason: str
    category: str = ""
    there: str = ""
    by: str = ""

    @property
    def wrong(self) -> bool:
        """Whether it was looked at and is not so."""
        return self.status in ("unsupported", "contradicted")


def supported(reason: str, there: str = "", by: str = "") -> Ruling:
    """It is so."""
    return Ruling("supported", reason, "", there, by)


def unsupported(category: str, reason: str, there: str = "nothing") -> Ruling:
    """Nothing shows it, where something would have to."""
    return Ruling("unsupported", reason, category, there)


def contradicted(category: str, reason: str, there: str = "", by: str = "") -> Ruling:
    """What is there says otherwise."""
    return Ruling("contradicted", reason, category, there, by)


def unverifiable(reason: str, category: str = "unverifiable_claim", there: str = "") -> Ruling:
    """It cannot be said."""
    return Ruling("unverifiable", reason, category, there)


class Completeness(Protocol):
    """Anything that says whether it holds everything that was done."""

    @property
    def whole(self) -> bool:
        """Whether what is not in it was not done."""


def absent(trace: Completeness, why: str) -> Ruling:
    """Not in the trace: untrue where the trace holds everything that was done."""
    if trace.whole:
        return unsupported("not_in_trace", why, "not in the trace")
    of_trace = why.removeprefix("the trace ")
    if of_trace != why:
        reason = f"the trace, which does not contain everything that was done, {of_trace}"
    else:
        reason = f"{why}, as far as the trace shows, which does not contain everything that was done"
    return unverifiable(reason, there="not in the trace")


SUPERSEDED = Ruling("superseded", "a later claim on the same path replaces it")
