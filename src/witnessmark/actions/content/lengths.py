"""How many lines a file is said to have, or rows where it holds data, against how many it has and had; and how many were added to it or removed, against the diff."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import suppress
from difflib import SequenceMatcher

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, supported
from witnessmark.actions.content.evidence import TextEvidence
from witnessmark.actions.content.patterns import clause_at, content_claim, first_match, is_barred, pattern
from witnessmark.actions.report.passages import ReportPassage
from witnessmark.actions.report.report import Report
from witnessmark.text.digits import ungrouped
from witnessmark.text.numerals import one_word
from witnessmark.text.patterns import compiled

ROUNDED, FEW = 1.25, 5
"""A file is said to be longer than it is only by more than this part, and by more lines than these."""
_PATH = compiled(r"(?:[\w@.-]+/)*[\w@.-]*\w\.\w{1,9}")


def lengths_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`wrote docs/guide.md (400 lines)`, `app.py is 120 lines long now`: a file, and right behind it how long it is."""
    low, text = passage.sentence.low, passage.sentence.text
    for match in pattern("counts", "lines").finditer(low) if " line" in low or "-line" in low else ():
        start, end = match.span("path" if match["path"] else "path2")
        count = ungrouped(match["count"] or match["count2"])
        clause = clause_at(low, match.start(), match.end())
        if len(low) == len(text) and _PATH.fullmatch(text[start:end]) and not is_barred(clause):
            yield content_claim(passage, "lines", value=count, path=text[start:end])


def rows_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`out.csv` has 5 rows: a file of data, and how many rows are in it."""
    low, text = passage.sentence.low, passage.sentence.text
    match = first_match("counts", "rows", low) if len(low) == len(text) else None
    if match is None or pattern("counts", "rows_of_a_part").search(low, 0, match.start()):
        return
    digits = ungrouped(match["count"])
    count = int(digits) if digits.isdigit() else one_word(digits)
    if count is not None and not is_barred(clause_at(low, match.start(), match.end())):
        yield content_claim(passage, "rows", value=str(count), path=text[slice(*match.span("path"))])


def rule_rows(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """A file of data that has other rows, with its head or without, and had others before."""
    texts = known.called(claim.path or "")
    if len(texts) != 1 or not texts[0].new:
        return None
    now, wanted = _rows(texts[0].new, texts[0].path), int(claim.value or 0)
    if wanted in now:
        return supported("the file has so many", f"{wanted} rows")
    if wanted in _rows(texts[0].old, texts[0].path):
        return None  # it may be told of what it had
    return contradicted("wrong_counts", f"{texts[0].path} has {min(now)} rows", f"{min(now)} rows")


def _rows(text: str, path: str) -> set[int]:
    """How many rows a text of data has: its lines or the records in them, all or those that are no remarks, with the first one or without."""
    lines = [line for line in text.splitlines() if line.strip()]
    counts = {len(lines), sum(not line.startswith("#") for line in lines)}
    if path.endswith("csv"):
        with suppress(csv.Error):  # a field may be longer than the reader takes
            counts.add(sum(any(cells) for cells in csv.reader(io.StringIO(text))))
    elif not path.endswith("tsv"):
        return counts
    return counts | {max(count - 1, 0) for count in counts}


MAX_LINES = 5_000
"""Texts of more lines are not compared line by line."""


def line_changes_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`added 40 lines to README.md`, `removed 25 lines from app.py`: a file, and by how many lines it grew or shrank."""
    low, text = passage.sentence.low, passage.sentence.text
    if len(low) != len(text) or " lines " not in low:
        return
    for match in pattern("counts", "line_changes").finditer(low):
        role = "lines_added" if match["added"] else "lines_removed"
        if not is_barred(clause_at(low, match.start(), match.end())):
            yield content_claim(passage, role, value=ungrouped(match["count"]), path=text[slice(*match.span("path"))])


def rule_line_changes(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """More lines than any change added to a file, or took out of it; what an earlier turn left may be undone by a later one."""
    texts, trace = known.called(claim.path or ""), known.trace
    if len(texts) != 1 or not known.knows_old or (trace is not None and trace.ledger.turns > 1):
        return None
    old, new = (text.splitlines() for text in (texts[0].old, texts[0].new))
    if claim.role == "lines_removed":
        old, new = new, old  # what was removed is what going back would add
    if max(len(old), len(new)) > MAX_LINES:
        return None
    steps = SequenceMatcher(None, old, new).get_opcodes()
    changed = sum(end - start for kind, _, _, start, end in steps if kind != "equal")
    wanted = int(claim.value or 0)
    if wanted <= changed * ROUNDED + FEW:
        return None
    verb = "adds" if claim.role == "lines_added" else "removes"
    return contradicted("wrong_counts", f"the diff of {texts[0].path} {verb} {changed} lines", f"{changed} lines")


def rule_lines(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """A file that never had so many lines; fewer may be those that were changed."""
    texts = known.called(claim.path or "")
    if len(texts) != 1 or not texts[0].new:
        return None
    wanted, lines = int(claim.value or 0), [len(text.splitlines()) for text in (texts[0].old, texts[0].new)]
    if wanted > max(lines) * ROUNDED + FEW:
        return contradicted("wrong_counts", f"{texts[0].path} has {lines[1]} lines", f"{lines[1]} lines")
    return supported("the file is that long", f"{lines[1]} lines") if wanted == lines[1] else None
