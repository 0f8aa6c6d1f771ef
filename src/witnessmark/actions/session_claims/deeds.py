"""Calls that a report says were made, where a session that shows all of its calls has none that could be meant: a browser, a request, a file.

The table is `[deeds]` of `lang/content.toml`: words that tell of it, and what any call for it has. A call that has it, whatever it
did, bears the report out; so does a program or script of which nobody can say what it ran.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from witnessmark.actions.claim import ActionClaim, Ruling, absent, contradicted, unverifiable
from witnessmark.actions.content.patterns import PRINTED, first_match, is_barred, number_of, pattern, told_otherwise
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.report.names import path_kind
from witnessmark.actions.report.passages import ReportPassage
from witnessmark.actions.report.report import Report
from witnessmark.actions.report.runs import mentions_in
from witnessmark.actions.session_claims.roles import DEED, READ_ALL
from witnessmark.actions.trace.activities import called, programs_of
from witnessmark.actions.trace.calls import ToolCall, command_of, output_of
from witnessmark.actions.trace.changes import is_code
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.scope import may_hide, tasks_name
from witnessmark.actions.tree.view import TreeView
from witnessmark.core.verdict import counted
from witnessmark.text.failures import failure
from witnessmark.text.patterns import compiled

MAX_INPUT = 20_000


@functools.cache
def _deeds() -> Mapping[str, dict[str, Any]]:
    return {name: deed for name, deed in table("content")["deeds"].items() if isinstance(deed, dict)}


def never_done(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each deed that a sentence tells of and that no call of the session can have been."""
    if not trace.whole or not trace.ledger.active:
        return
    low = report.low
    for name, deed in _deeds().items():
        if not any(word in low for word in deed["needs"]):
            continue
        said = ((passage, match) for passage in report.first if (match := _said(name, passage)) is not None)
        passage, match = next(said, (None, None))
        if passage is not None and match is not None and not _done(name, report, trace):
            yield passage.sentence.claim("content", role=DEED, value=match.group()[:120].strip(), old=name)


def _done(name: str, report: Report, trace: TraceIndex) -> bool:
    """Whether a call of the session may have been it: one that did not fail, where it must come back, or any if the report tells of such a failure."""
    deed = _deeds()[name]
    shown = compiled(deed["shown"], re.IGNORECASE)
    made = [call for call in trace.ledger.calls if shown.search(_asked(call))]
    failed = deed.get("comes_back") and all(map(_failed, made))
    return bool(made) and (not failed or any(_tells_of_failure(part, name) for part in report.parts("stop")))


def _tells_of_failure(part: str, name: str) -> bool:
    """Whether a sentence that speaks of such a thing, or of reaching anything, tells of a failure."""
    low = part.lower()
    about = any(word in low for word in _deeds()[name]["needs"]) or pattern("deeds", "reaching").search(low) is not None
    return about and pattern("told", "admits").search(low) is not None


def _failed(call: ToolCall) -> bool:
    """Whether a call visibly came back with nothing but an error."""
    return call.ok is False or bool(call.exit_code) or failure(output_of(call)) is not None


def _asked(call: ToolCall) -> str:
    """A call as it was made: its tool, and what it was given; of a file that it read or wrote, only the name."""
    given = command_of(call) or (call.input.get("file_path", call.input) if isinstance(call.input, Mapping) else "")
    return f"{call.name} {str(given)[:MAX_INPUT]}{' in the background' if call.background else ''}"


def _said(name: str, passage: ReportPassage) -> re.Match[str] | None:
    """Where a sentence says that its writer did it; nothing where it plans, denies or supposes it, or somebody else did it."""
    low = passage.sentence.low
    match = compiled(_deeds()[name]["said"]).search(low)
    if match is None or passage.sentence.others:
        return None
    clause = low[max(low.rfind(". ", 0, match.start()), low.rfind("; ", 0, match.start()), 0) : match.end()]
    return None if is_barred(clause) or pattern("deeds", "others").search(clause) else match


def rule_deed(claim: ActionClaim, _view: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim: untrue where no script and no unknown program of the session may have done it."""
    deed = _deeds()[claim.old or ""]
    if trace is None or _hidden(trace, deed["programs"].split()):
        return unverifiable("something in the session may have done it out of sight", there="not known")
    return absent(
        trace,
        f"no call of the session {deed['why']}, or each that tried failed"
        if deed.get("comes_back")
        else f"no call of the session {deed['why']}",
    )


def _hidden(trace: TraceIndex, programs: list[str]) -> bool:
    return may_hide(trace.ledger, programs, trace.root) is not None or tasks_name(trace.ledger, programs, trace.root)


# --- what was read ---------------------------------------------------------------------------------------------------

_LISTS = compiled(r"(?:glob|ls|list_?(?:dir|directory|files)|listdir)", re.IGNORECASE)
"""A tool, or a program, that prints the names of files and nothing that is in them."""


def _only_lists(call: ToolCall) -> bool:
    """Whether a call shows which files there are, and none of them."""
    lines = [word for part in re.split(r"&&|;", command_of(call)) if (word := part.split()[:1])]
    return all(_LISTS.fullmatch(word[0]) for word in lines) if lines else _LISTS.fullmatch(call.name) is not None


def all_read(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each folder of which the writer says to have read every file."""
    if not trace.whole or (not trace.ledger.active and not trace.ledger.calls):
        return
    for passage in report.first:
        low = passage.sentence.low
        match = first_match("deeds", "read_all", low)
        if match is not None and not is_barred(low[: match.end()]) and not passage.sentence.others:
            yield passage.sentence.claim("content", role=READ_ALL, value=match["path"], old=match["count"])


def rule_read_all(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim against the files of the folder: untrue where one of them stands in no call and in no output but a list."""
    texts = trace.session_texts() if trace is not None else None
    if view is None or trace is None or texts is None or texts.cut or any(map(called("reads_many").search, map(command_of, trace.ledger.calls))):  # fmt: skip
        return unverifiable("something in the session may have shown every file", there="not known")
    place = (claim.value or "").strip("./").removesuffix("*").rstrip("/")
    here = [path for path in view.paths() if f"/{path}".find(f"/{place}/") >= 0 and is_code(path)]
    told = number_of(claim.old) if claim.old else len(here)
    shown = "\n".join((*(output_of(call) for call in trace.ledger.calls if not _only_lists(call)), *texts.given, texts.said)).lower()  # fmt: skip
    left = [path for path in here if path.rpartition("/")[2].lower() not in shown]
    if not left or told != len(here):
        return unverifiable("the session has each of the files that are there", there="not known")
    return contradicted("contradicted_claim", f"no call of the session opened {left[0]}", left[0])


def never_read(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each file that the writer says to have read, where no call of the session names it, or prints its name but in a list."""
    if not trace.whole or not trace.ledger.active:
        return
    told = [(passage, path) for passage in report.first if (path := _told_as_read(passage.sentence.low))]
    texts = trace.session_texts()
    if not told or texts.cut or any(map(called("reads_many").search, map(command_of, trace.ledger.calls))):
        return
    printed = (output_of(call) for call in trace.ledger.calls if not _only_lists(call))
    shown = "\n".join((*printed, *texts.given, texts.said)).lower()
    for passage, path in told:
        if _bare_name(path) not in shown:
            yield told_otherwise(passage, PRINTED, f"no call of the session opened {path}", path)


def _told_as_read(low: str) -> str:
    """The file that a sentence says its writer read; empty where it says so of none."""
    match = first_match("deeds", "read", low)
    if match is None or is_barred(low[: match.end()]) or pattern("deeds", "others").search(low[: match.end()]):
        return ""
    path = match["path"]
    return path if path_kind(path, in_code=True) == "path" and len(_bare_name(path)) > 2 else ""


def _bare_name(path: str) -> str:
    """The name of a file without its endings."""
    return path.rstrip("/").rpartition("/")[2].partition(".")[0]


# --- with which options, and how often -----------------------------------------------------------------------------

LEAST_TIMES = 5


def never_so(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each run told with options, or repeated so often, as no command of the session has it."""
    if not trace.whole or not trace.ledger.active:
        return
    lines = [command_of(call) for call in trace.ledger.calls]
    opaque = any(work.kind in ("subagent", "command") for work in trace.ledger.opaque)
    for passage in report.first:
        low = passage.sentence.low
        match = first_match("deeds", "with_options", low)
        if match is not None and not is_barred(low[: match.end()]):
            foreign = [
                option for option in match["options"].split() if not any(option in line.lower() for line in lines)
            ]
            if foreign and not opaque:
                yield told_otherwise(passage, PRINTED, f"no command of the session has {foreign[0]}", foreign[0])
        match = first_match("deeds", "times", low)
        if match is None or is_barred(low[: match.end()]) or any(map(called("loops").search, lines)) or opaque:
            continue
        times = next((number_of(told_times) for told_times in match.groups() if told_times), 2)  # else `twice`
        if any(re.search(rf"\b{times}\b", line) for line in lines):
            continue
        checked = _runs_told(match, trace)
        if times >= LEAST_TIMES and times > len(lines):
            yield told_otherwise(passage, PRINTED, f"no command of the session ran anything {times} times", str(times))
        elif checked is not None and 0 < checked[1] < times and not any(map(called("repeats").search, lines)):
            reason = f"no command of the session ran {checked[0]} {times} times; it has {counted(checked[1], 'run')}"
            yield told_otherwise(passage, PRINTED, reason, str(times))


def _runs_told(match: re.Match[str], trace: TraceIndex) -> tuple[str, int] | None:
    """The checks that are told to have been run so often, and how many runs the session has of the one that was run most; None where nobody can say."""
    said, start, end = match.string, match.start(), match.end()
    roles = {role for each in mentions_in(said) if start <= each.start < end for role in each.roles}
    if not roles or "any" in roles or _hidden(trace, [name for role in roles for name in programs_of(role)]):
        return None
    likely = roles | {"build", "bench"} if "test" in roles else roles  # a build may run tests
    runs = [run for run in trace.ledger.checks if run.role in likely]
    often = max((sum(len(run.activities) for run in runs if run.role in (role, "build", "bench")) for role in roles), default=0)  # fmt: skip
    return "the tests" if "test" in roles else "it", often
