"""Files that a report tells of as changed without saying so by a verb of its own: rows of a table of changes, places of a change, names moved out of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import by_texts, sentences_of
from witnessmark.actions.content.evidence import TextEvidence
from witnessmark.actions.content.passages import CODE, ReportPassage, names_in, paths_in, without_code
from witnessmark.actions.content.regions import definitions
from witnessmark.actions.content.wording import content_claim, pattern
from witnessmark.actions.trace.calls import only_reads, output_of
from witnessmark.actions.trace.index import TraceIndex

TOUCHED = "touched"
MOVED = "moved_out"


def told_of_files(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each file that is told as changed, and for names that are told as moved."""
    if not trace.ledger.changes:
        return
    for passage in sentences_of(report):
        yield from _row(passage) if passage.cells else (*_placed(passage), *_moved(passage))


def _row(passage: ReportPassage) -> Iterator[ActionClaim]:
    """A row of a table whose columns are files and what was changed in them."""
    paths = paths_in(passage.cells[0])
    rest = " ".join(passage.cells[1:]).lower()
    if len(paths) != 1 or not pattern("touched", "file_column").search(passage.head[0]):
        return
    if not any(pattern("touched", "change_column").search(head) for head in passage.head[1:]):
        return
    if re.search(r"\w", rest) and not pattern("touched", "not_so").search(without_code(rest)):
        yield content_claim(passage, TOUCHED, path=paths[0])


def _placed(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`linked in the navigation (mkdocs.yml)`, `the callers in users.js now await it`: the place of something that was done."""
    low, text = passage.sentence.low, passage.sentence.text
    for code in CODE.finditer(text):
        paths = paths_in(code.group())
        before = re.sub(r"`[^`]*`", "x", low[: code.start()])
        after = re.sub(r"`[^`]*`", "x", low[code.end() :])
        if not paths:
            continue
        if pattern("touched", "place").search(before) or (
            pattern("touched", "in_place").search(before) and pattern("touched", "now").match(after)
        ):
            if pattern("touched", "not_so").search(without_code(low)):
                return
            yield content_claim(passage, TOUCHED, path=paths[0])


def _moved(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`moved isoDay and addDays from utils.js to dates.js`: names that stand no more where they stood."""
    low, text = passage.sentence.low, passage.sentence.text
    match = pattern("touched", "moved").search(low)
    if match is None or pattern("touched", "not_so").search(without_code(low)):
        return
    source = re.search(r"\b(?:from|out of|aus|von|de|desde)\b[^`]{0,20}(`[^`]+`)", low[match.start() :])
    at = match.start() + (source.start() if source else len(low))
    paths = paths_in(text[match.start() + source.start(1) : match.start() + source.end(1)]) if source else ()
    names = names_in(text[match.start() : at])
    if names and paths:
        yield content_claim(passage, MOVED, name="\n".join(names), path=paths[0])


def _untouched(claim: ActionClaim, known: TextEvidence) -> str:
    path = claim.path or ""
    called = [text for text in known.called(path) if text.new]
    if any(text.old != text.new for text in called) or any(_ends(other, path) for other in known.changed):
        return ""
    if called or _only_shown(path, known.trace):
        return f"{called[0].path if called else path} is as it was"
    return ""


def _only_shown(path: str, trace: TraceIndex | None) -> bool:
    """Whether a file that lies out of sight was printed by a call, and no call that could have changed it names it."""
    name = path.rpartition("/")[2]
    if trace is None or not trace.shows_changes or "/" not in path:
        return False
    if any(name in str(call.input) for call in trace.ledger.calls if not only_reads(call)):
        return False
    return any(path in output_of(call) for call in trace.ledger.calls)


def _ends(path: str, name: str) -> bool:
    return path.rpartition("/")[2] == name.rpartition("/")[2]


def _still_there(claim: ActionClaim, known: TextEvidence) -> str:
    """Names that stand in the new place, and as they did in the old one."""
    for text in known.called(claim.path or ""):
        for name in claim.names:
            old = definitions(name, text.old)
            copied = any(definitions(name, other.new) for other in known.changed.values() if other.path != text.path)
            if old and copied and definitions(name, text.new) == old and len(old[0].strip().splitlines()) > 1:
                return f"{text.path} still has `{name}` as it was: it was copied"
    return ""


RULES = by_texts({TOUCHED: _untouched, MOVED: _still_there})
