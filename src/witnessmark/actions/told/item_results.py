"""One thing of many that is told to be well, a package, a test or a file, where the last run that names it prints it as failed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations import PRINTED, sentences_of, told
from witnessmark.actions.content.passages import CODE, ReportPassage, is_barred, pattern
from witnessmark.actions.trace.calls import output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.ledger import CheckRun, code_changes
from witnessmark.text.patterns import compiled

_FAILED = compiled(r"^\s*(?:[-=*\[(|]+\s*)?(?:FAIL(?:ED|URE)?|not ok|ERROR|✗|✕|✖|×|❌|❯)(?![\w(])|(?:\.\.\.|:|\s-|\|)\s*(?:FAIL(?:ED)?|ERROR|failed)\b\s*(?:\(|\[|$)", re.MULTILINE)  # fmt: skip
"""How runners mark a line as that of something that failed."""
_NAME = compiled(r"[\w@./:-]*\w")
LEAST = 3
"""A shorter name may be any word of a line."""


def told_as_well(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each item, told as good by its name, that the last run of its kind prints as failed, with no code changed since."""
    ledger = trace.ledger
    last = {run.role: run for run in ledger.checks if run.outcome != "not_run"}
    changed = max((change.number for change in code_changes(ledger)), default=-1)
    runs = [run for run in last.values() if run.outcome == "failed" and run.number > changed and not ledger.opaque_after(run.number)]  # fmt: skip
    lines = [line for run in runs for line in _failed_lines(run)]
    if not lines or not trace.whole:
        return
    for passage in sentences_of(report):
        name = _told(passage)
        line = next((line for line in lines if name and _names(name, line)), "")
        if line and not _admitted(name, report):
            yield told(passage, PRINTED, f"the last run printed `{line[:80]}`", name)


def _failed_lines(run: CheckRun) -> list[str]:
    return [line.strip() for line in output_of(run.call).splitlines() if _FAILED.search(line)]


def _told(passage: ReportPassage) -> str:
    """The name that a row or an item tells to be well; empty where it tells anything else."""
    if passage.cells:
        first, rest = passage.cells[0], [cell.strip(" *_`") for cell in passage.cells[1:]]
        good = any(pattern("items", "well").fullmatch(cell.lower()) for cell in rest)
        found = CODE.findall(first) or [first.strip(" *_")]
    else:
        low = passage.sentence.low
        code = CODE.search(passage.sentence.text)
        heads = code is not None and not re.search(
            r"\w", low[: code.start()]
        )  # `two of the tests in x pass` tells of others
        good = code is not None and heads and not is_barred(low) and bool(pattern("items", "goes_well").match(low, code.end()))  # fmt: skip
        found = [code[1]] if code is not None else []
    return found[0] if good and len(found) == 1 and _NAME.fullmatch(found[0]) and len(found[0]) >= LEAST else ""


def _names(name: str, line: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name.strip('./'))}(?![\w-])", line) is not None


def _admitted(name: str, report: str) -> bool:
    """Whether another sentence tells of the same name as failing."""
    low, wanted = report.lower(), name.lower()
    return any(wanted in one and pattern("items", "bad").search(one) for one in re.split(r"\n|(?<=[.;!]) ", low))
