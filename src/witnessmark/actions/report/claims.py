"""Claims in a plain-language report: what its writer says was created, changed, deleted, renamed, run, tested, committed and sent.

A file that is named only in passing (as a means, a source, a model, a purpose or a target) is not said to be changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from witnessmark.actions.claim import FILE_KINDS, ActionClaim
from witnessmark.actions.report.effects import asserted_in, effects_in
from witnessmark.actions.report.fragments import form_of
from witnessmark.actions.report.layout import MAX_CHARS
from witnessmark.actions.report.lexicon import PATTERNS, VERBS, WORDS, Language
from witnessmark.actions.report.reader import ReportReader
from witnessmark.actions.report.report import Report
from witnessmark.actions.report.walk import DraftClaim, merged
from witnessmark.core.values import Span, Unit, Value
from witnessmark.text.digits import ungrouped
from witnessmark.text.patterns import compiled

MAX_BEFORE = 400
"""So many letters before a name decide what it stands for."""
LONGEST_END = 2
"""So many signs may stand behind a name with which a statement ends."""
_CODE = compiled(r"`[^`\n]{1,200}`")
_TEST = compiled(r"(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)", re.IGNORECASE)
_WORD = compiled(r"[^\W\d][\w'’-]*|[,;:()–—]")
_BEGIN = compiled(r"[.!?:]\s|\n")


def in_passing(report: Report, path: str, start: int, end: int) -> bool:
    """Whether the words between two places of a report name a file without saying that it was changed."""
    text, name = report.text, path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    last = text.rfind(name, start, end)
    at = last if end - last - len(name) <= LONGEST_END else text.find(name, start, end)
    return bool(name) and at >= 0 and _passed(report, _begin(text, at), at + len(name))


def _begin(text: str, at: int) -> int:
    """Where the path begins whose last part stands at a place."""
    while at and (text[at - 1].isalnum() or text[at - 1] in "/._-@\\"):
        at -= 1
    return at


def _passed(report: Report, start: int, end: int) -> bool:
    text, words = report.text, report.language
    begin = max((match.end() for match in _BEGIN.finditer(text, max(0, start - MAX_BEFORE), start)), default=0)
    begin = max(begin, start - MAX_BEFORE)
    stop = _BEGIN.search(text, end, end + MAX_BEFORE)
    before = _plain(text[begin:start])
    after = _plain(text[end : stop.start() if stop else end + MAX_BEFORE].lstrip("`*"))
    if _says(words, "own_verb", after) and not _says(words, "joins", before):
        return True
    return _says(words, "entry", f"{before.rstrip()} |{after}") or _circumstance(words, before, text[start:end], after)


def _plain(text: str) -> str:
    """A text in small letters, with every name in code as `x`, and without the signs of emphasis."""
    return _CODE.sub("x", text.lower()).replace("*", "").replace("’", "'").rstrip("`")


def _circumstance(words: Language, before: str, name: str, after: str) -> bool:
    clause = _from_verb(before) if words.name == "en" else before
    if _says(words, "means", clause) or _says(words, "aside", clause):
        return True
    if _says(words, "source", clause) and not _says(
        words, "takes_out", clause if words.name == "en" else before + after
    ):
        return True
    own_test = _TEST.search(name) is not None and _says(words, "test", clause)
    return _says(words, "bound", clause) and not own_test


def _says(words: Language, key: str, text: str) -> bool:
    return words.search("roles", key, text) is not None


def _from_verb(before: str) -> str:
    """What stands after the last verb of doing, with that verb: `fixed the loop in a and the check in`.

    A participle behind its noun (`the columns listed in`) is no such verb.
    """
    last, previous = 0, ""
    for match in _WORD.finditer(before):
        word = match.group()
        heads = not last or previous in WORDS.subjects | WORDS.be | {",", ";", ":", "(", "—", "–", "and", "or", "but"}
        done = form_of(word) == "past" and VERBS[word][0] not in ("run", "verify") and heads
        if done or (form_of(word) == "ing" and previous == "by" and word not in WORDS.mentions_only):
            last = match.start()
        previous = word
    return before[last:]


MAX_CLAIMS = 10_000
_CHANGES = ("file_create", "file_write", "file_edit")


class UnreadStatement(Value, frozen=True):
    """A clause that asserts something and became no claim, or of which a part is in none."""

    text: str
    span: Span
    partly: bool = False

    @property
    def why(self) -> str:
        """What is the matter, in a few words."""
        return "only a part of it was read" if self.partly else "nothing in it can be checked"


class ReportClaims(Value, frozen=True):
    """What a report claims. `coverage` is the share of the text that was read; `unverifiable` names no file or command."""

    claims: tuple[ActionClaim, ...] = ()
    unverifiable: tuple[ActionClaim, ...] = ()
    coverage: Unit = 1.0


def claims_in(report: Report) -> ReportClaims:
    """The claims of a report, each with its exact place: files, commands and tests in the order of their words, then the others."""
    limit = min(len(report.text), MAX_CHARS)
    reader = ReportReader(report.own)
    for line in report.lines:
        reader.take(line)
        if len(reader.said.found) >= MAX_CLAIMS:
            limit = line.end
            break
    reader.close()
    coverage = max(limit - reader.unread, 0) / len(report.text) if report.text else 1.0
    nothing_changed = PATTERNS.no_edits.search(report.text[:limit].lower()) is not None
    drafts = merged(
        reader.said.found,
        reader.said.files,
        nothing_changed=nothing_changed,
        loose=lambda draft: in_passing(report, draft.path or "", draft.start, draft.end),
    )
    kept = [_claim(report.text, draft) for draft in drafts]
    others = [claim for claim in effects_in(report) if claim.span and claim.span[1] <= limit]
    run = {claim.command for claim in others if claim.kind == "command" and claim.role == "ran"}
    kept = [replace(claim, role="ran") if claim.kind == "command" and claim.command in run else claim for claim in kept]
    kept += _others(kept, others)
    kept += _others(kept, _told_by_titles(report.text[:limit]))
    unclear = tuple(_claim(report.text, draft) for draft in reader.said.unclear[:MAX_CLAIMS])
    return ReportClaims(tuple(kept[:MAX_CLAIMS]), unclear, min(coverage, 1.0))


_TITLE = compiled(
    r"\]\((?!\w{1,20}:)[^()\s]{1,400}\s{1,8}(?:\"(?P<title>[^\"\n\[\]]{8,400})\"|'(?P<title2>[^'\n\[\]]{8,400})')\)"
)
"""A link to a file with a title, which is shown to whoever rests on it; the title of a page elsewhere has the words of others."""


def _told_by_titles(text: str) -> Iterator[ActionClaim]:
    """The claims that the titles of links make: each is a small report of its own."""
    for match in _TITLE.finditer(text):
        start = match.start(match.lastgroup or 0)
        told = claims_in(Report(match[match.lastgroup or 0])).claims
        yield from (replace(claim, span=(start + claim.span[0], start + claim.span[1])) for claim in told if claim.span)


def _others(known: Sequence[ActionClaim], others: Iterable[ActionClaim]) -> list[ActionClaim]:
    """The claims of the sentences that the lines do not have: one claim that tests pass, and each file once."""
    tested = any(claim.kind == "tests_passed" for claim in known)
    changed = {path for claim in known if claim.kind in FILE_KINDS and claim.path for path in _ways(claim.path)}
    paths = {(claim.kind, claim.path) for claim in known} | {(kind, path) for kind in _CHANGES for path in changed}
    commands = {claim.command for claim in known}
    kept: dict[tuple[object, ...], ActionClaim] = {}
    for claim in others:
        if claim.kind == "command" and claim.command in commands:
            continue
        if (claim.kind == "tests_passed" and tested) or (
            claim.kind in FILE_KINDS and (claim.kind, claim.path) in paths
        ):
            continue
        role = claim.role if claim.kind != "command" else None
        kept.setdefault((claim.kind, role, claim.path, claim.value, claim.old, claim.command), claim)
    return list(kept.values())


def _ways(path: str) -> tuple[str, str]:
    """A path, and its bare name."""
    return path, path.rpartition("/")[2]


def unread_in(report: Report, claims: Sequence[ActionClaim]) -> tuple[UnreadStatement, ...]:
    """The clauses of a report that assert something of which no claim has anything, or not every name in code and every number."""
    placed = [claim for claim in claims if claim.span]
    found = []
    for at, end in asserted_in(report):
        mine = [claim for claim in placed if claim.span and claim.span[0] < end and at < claim.span[1]]
        if not mine or not all(_taken(part.group(), mine) for part in _PARTS.finditer(report.text, at, end)):
            found.append(UnreadStatement(report.text[at:end].strip(), (at, end), bool(mine)))
    return tuple(found)


_PARTS = compiled(r"`[^`\n]+`|(?<![\w.,#/:-])\d+(?:[.,]\d+)*(?![\w/]|-\w)")
"""What a clause says in figures and in code: that is what a claim can have, or leave out."""
_PLACE = compiled(r"`[^\s`()='\"]*[A-Za-z_/][^\s`()='\"]*(?:\(\))?`")
"""A name or a file: where something was done, which says nothing more by itself."""


def _taken(part: str, claims: Sequence[ActionClaim]) -> bool:
    """Whether one of these claims has a part of a clause among what it is held to."""
    if _PLACE.fullmatch(part) or any(claim.kind == "effect" for claim in claims):
        return True
    bare = ungrouped(part) if part[0] != "`" else part.strip("`").lower().removesuffix("()").removeprefix("./")
    for claim in claims:
        fields = (claim.path, claim.to, claim.command, claim.value, claim.old, claim.name, claim.url)
        numbers = (claim.passed, claim.failed, claim.exit_code, claim.status)
        held = "\n".join(filter(None, fields)).lower()
        if bare in held or (claim.path and bare.endswith(claim.path.lower())):
            return True
        if any(number is not None and bare == str(number) for number in numbers):
            return True
        total = (claim.passed or 0) + (claim.failed or 0)
        if claim.passed is not None and bare == str(total):
            return True
    return False


def _claim(report: str, found: DraftClaim) -> ActionClaim:
    return ActionClaim(
        kind=found.kind,
        path=found.path,
        to=found.to,
        command=found.command,
        exit_code=found.exit_code,
        passed=found.passed,
        failed=found.failed,
        by="report",
        text=report[found.start : found.end],
        span=(found.start, found.end),
    )
