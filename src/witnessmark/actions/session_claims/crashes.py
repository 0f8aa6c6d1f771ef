"""Scripts told to run well, where their last run in the session failed: by an exception that ended it, or by an exit code that the words deny.

A script that went well with other arguments, of which the report names the error, or that may have been run again unseen is let through.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.content.patterns import PRINTED, pattern, told_otherwise
from witnessmark.actions.report.lexicon import language
from witnessmark.actions.report.passages import without_code
from witnessmark.actions.report.report import Report
from witnessmark.actions.report.runs import went_well_after
from witnessmark.actions.trace.activities import called
from witnessmark.actions.trace.index import SessionRun, TraceIndex
from witnessmark.actions.trace.outcomes import ENDED
from witnessmark.actions.trace.outputs import tells

MAX_READ = 4_000
"""An error that ended a script stands within the last so many characters of what it printed."""


def told_to_run(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for the first sentence that says of a script which failed last that it runs well."""
    failed = _failed(trace) if trace.whole else {}
    if not failed or _admits(report, failed):
        return
    for passage in report.first:
        low = passage.sentence.low
        if pattern("told", "not_so").search(without_code(low)):
            continue
        for name, run in failed.items():
            for start, end in _named(low, name, alone=_only(trace)):
                if went_well_after(low, start, end, language("en")) and (_crashed(run) or pattern("crashes", "ended_well").match(low, end)):  # fmt: skip
                    line = " ".join(run.words)[:60]
                    yield told_otherwise(passage, PRINTED, f"`{line}` failed, and was not run again", line)
                    return


def _failed(trace: TraceIndex) -> dict[str, SessionRun]:
    """By its name, the last run of each script that failed in the last turn, with nothing since that may have mended or repeated it."""
    last: dict[str, SessionRun] = {}
    well: set[str] = set()
    changed = max((change.number for change in trace.ledger.changes), default=-1)
    for run in trace.session_runs():
        name = _script(run)
        if name:
            last[name] = run
            if run.code == 0 and run.number > changed:
                well.add(name)
    return {name: run for name, run in last.items() if name not in well and run.last and run.number > changed
            and run.code not in (None, 0, *ENDED) and trace.ledger.opaque_after(run.number) is None}  # fmt: skip


def _script(run: SessionRun) -> str:
    """The file that a command runs, as it was typed; empty where it runs none."""
    found = called("runs_script").match(" ".join(run.words))
    return found["script"] if found else ""


def _only(trace: TraceIndex) -> bool:
    """Whether the session ran one script, which is meant by `the script`."""
    return len({name for name in map(_script, trace.session_runs()) if name}) == 1


def _named(low: str, name: str, *, alone: bool) -> Iterator[tuple[int, int]]:
    """Where a sentence names a script, by its file or, where there is one only, by what it is."""
    file = re.escape(posixpath.basename(name).lower())
    yield from (match.span() for match in re.finditer(rf"`?(?<![\w.-])(?:[\w./~-]+/)?{file}(?![\w/-]|\.\w)`?", low))
    if alone:
        yield from (match.span() for match in pattern("crashes", "script").finditer(low))


def _crashed(run: SessionRun) -> bool:
    return tells("runs", "crashed", run.output[-MAX_READ:])


def _admits(report: Report, failed: dict[str, SessionRun]) -> bool:
    """Whether a report says that something failed, or names an error that such a run ended by."""
    plain = pattern("told", "none_of").sub(" ", report.low)
    errors = {
        name.lower() for run in failed.values() for name in pattern("crashes", "error").findall(run.output[-MAX_READ:])
    }
    return pattern("told", "admits").search(plain) is not None or any(name in report.low for name in errors)
