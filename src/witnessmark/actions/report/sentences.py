"""The sentences of a report, apart from code and quotations, each with what the headings and lines over it say about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from witnessmark.actions.claims.claim import ActionClaim, ActionKind
from witnessmark.actions.report.contexts import OPEN, Context, context_of
from witnessmark.actions.report.layout import lines
from witnessmark.actions.report.lexicon import PATTERNS, WORDS
from witnessmark.actions.trace.changes import CODE
from witnessmark.text.patterns import compiled

MAX_CHARS = 300_000
MAX_SENTENCE = 1_000
MAX_LEAD = 8
"""A line of more words than these tells something, and is no title of the list under it."""
_ENDS = compiled(r"(?<=[.!?])(?<!\.[ge]\.)\s+(?=[^a-z]|[\w@-]+[./]\w)|\n|(?<=;)\s")
_MARKS = compiled(
    r"(?P<code>`[^`\n]{1,200}`)|\*{1,3}|(?<![\w`/.-])_{1,2}(?=\w)(?!_\w+__\.)|(?<=\w)_{1,2}(?![\w`/.])|^#+ "
)
"""Signs of Markdown, outside of code: `__init__.py` is a name."""
_CHECKED = compiled(
    r"[#*_\s]*(?:i (?:have |also )?|we )?(?:checked|verified|tested|validated|ran|verification|checks(?: run)?|validation|geprüft|überprüft|vérifi\w+|comprobad\w+|verificad\w+)\b(?! (?:steps|plan|needed|to ))",
    re.IGNORECASE,
)
_BY_OTHERS = compiled(
    r"\b(?:from|by) (?:the |its |my |our |both |all )?(?:other )?(?:workers?|(?:sub-?)?agents?|reviewers?|maintainers?|colleagues?)\b|\b(?:it|they|he|she|worker|(?:sub-?)?agents?|codex|claude|reviewer) (?:also |then )?(?:ran|did|reported|executed|validated|verified)\b",
    re.IGNORECASE,
)
"""Somebody else ran it, whose calls are not in the trace."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a report: its words in lower case without Markdown signs, as they are written, and where they stand."""

    low: str
    text: str
    start: int
    end: int
    silent: bool = False
    """Whether it stands under a heading of things that were not done."""
    kind: ActionKind | None = None
    """What the heading or line over a list says was done to what is in it."""
    checked: bool = False
    """Whether it is an item of a list of what was run to check the work."""
    done: bool = False
    """Whether it is an item that is ticked off."""
    others: bool = False
    """Whether the line over it says that somebody else ran it."""
    raw: str = ""
    """The words as they stand in the report, with their signs."""

    def claim(self, kind: ActionKind, **fields: Any) -> ActionClaim:
        """A claim of one kind that this sentence makes."""
        return ActionClaim(kind, by="report", text=self.text[:300], span=(self.start, self.end), **fields)


_ENDINGS = "|".join(sorted(CODE | WORDS.text_endings, key=lambda ending: (-len(ending), ending)))
_BARE = compiled(rf"`[^`\n]*`|(?<![\w`/.@:-])(?P<file>(?:[\w@.-]+/)*[\w@.-]*\w\.(?:{_ENDINGS}))(?![\w/`(:-]|\.\w)|(?<=\bbranch )(?P<branch>[\w.-]*[/\d_-][\w./-]*\w)", re.IGNORECASE)  # fmt: skip


def coded(text: str) -> str:
    """A text in which every file and branch that is named without signs is in code."""
    return _BARE.sub(lambda name: f"`{name[name.lastgroup]}`" if name.lastgroup else name.group(), text)


def sentences(report: str) -> Iterator[Sentence]:
    """The sentences of a report, apart from code and quotations."""
    heading = lead = OPEN
    lists_checks = (False, False)  # by its heading, by the line over it
    over, above = "", ""
    for line in lines(report, min(len(report), MAX_CHARS)):
        words = report[line.start : line.end]
        if line.role == "heading":
            heading, lead = context_of(words), OPEN
            over, above = words, ""
            lists_checks = (_CHECKED.match(words) is not None, False)
        elif line.role in ("blank", "code", "quote"):
            continue
        silent = heading.mode == "not" or lead.mode == "not" or line.mark in ("open", "later", "no")
        kind = (lead.kind or heading.kind) if line.role == "item" else None
        checked = line.role == "item" and not silent and (lists_checks[0] or lists_checks[1])
        others = _BY_OTHERS.search(f"{over} {above}" if line.role == "item" else words) is not None
        if PATTERNS.names_added.match(words.lower()):
            heading = Context(heading.mode, "file_create")
        at = 0
        for part in [*_ENDS.finditer(words), None]:
            end = part.start() if part else len(words)
            text = words[at:end]
            if text.strip() and len(text) <= MAX_SENTENCE:
                plain = (
                    _MARKS.sub(lambda mark: mark["code"] or "", text)
                    .replace("’", "'")
                    .replace("**", "")
                    .strip(" \t-•|")
                )
                plain = coded(plain)
                done = line.mark in ("done", "yes")
                raw, begins = text.strip(), line.start + at + len(text) - len(text.lstrip())
                yield Sentence(
                    plain.lower(), plain, begins, begins + len(raw), silent, kind, checked, done, others, raw
                )
            at = part.end() if part else end
        if line.role == "words":
            above = words if words.rstrip(" *_").endswith(":") else ""
            lead = context_of(words) if above else OPEN
            lead = replace(lead, kind=None) if len(words.split()) > MAX_LEAD else lead
            title = words.rstrip(" *_").endswith(":") and len(words.split()) <= MAX_LEAD
            lists_checks = (lists_checks[0], title and _CHECKED.match(words) is not None)
