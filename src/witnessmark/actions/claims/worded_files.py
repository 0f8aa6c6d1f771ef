"""A file claim made in words, where the tree alone cannot settle it: what the trace adds, and what loose words leave open.

Words say that a file was changed and not how. Where no snapshot from before shows a change, the call that made it does. Not
knowing is never held against the report: a folder, a name that may be a branch or an idea, a file that a command may have
changed. Knows nothing about claims that an agent declares: those say exactly what they mean.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from witnessmark.actions.claim import (
    ActionClaim,
    Ruling,
    absent,
    contradicted,
    supported,
    unverifiable,
)
from witnessmark.actions.claims.wordings import says, source
from witnessmark.actions.report.claims import in_passing
from witnessmark.actions.report.effects import WITHIN
from witnessmark.actions.report.lexicon import language_of
from witnessmark.actions.report.names import shortened
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.activities import Activity, activity_of, called, listed
from witnessmark.actions.trace.calls import ToolCall, command_of, folder_of, is_command, only_reads, output_of
from witnessmark.actions.trace.changes import change_names, path_of
from witnessmark.actions.trace.index import SessionRun, TraceIndex
from witnessmark.actions.trace.shell import commands_of
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

Written = dict[str, list[tuple[str, str | None]]]
"""By path from the root, each call that wrote there, with what the file held after it where that is known."""
NOT_CHANGED = "the file is there, and no call in the trace changed it"
_AS_BEFORE = ("unchanged", "a file at the new path")
_COMES = ("file_create", "file_write", "file_edit", "code_insert")
_MADE = ("file_create", "file_write")
_WAS_THERE = ("file_edit", "code_insert", "file_rename")
_NAMED = compiled(
    r"(?:^|/)(?:[^/]+\.[A-Za-z][\w-]{0,11}|\.[\w.-]+|[A-Z][A-Za-z]+file|LICENSE|README|CHANGELOG|go\.mod)$"
)


def in_words(
    claim: ActionClaim, ruling: Ruling, view: TreeView, trace: TraceIndex | None, written: Written, report: Report
) -> Ruling:
    """The ruling on a claim told in words, after a look at the trace; `report` is the text that it stands in."""
    passing = _in_passing(claim, report) or _barred(claim, report)
    claim = replace(claim, text=report.part_of(claim, "stop"))
    path = claim.to or claim.path or ""
    if ruling.wrong and passing and (ruling.there in _AS_BEFORE or ruling.there == "file" or claim.kind in _WAS_THERE):
        return unverifiable("the file is named in passing, and may not be what was changed", there=ruling.there)
    if ruling.wrong and ruling.category != "outside_root":
        open_ = _left_open(claim, ruling, path, view, trace, written)
        if open_ is not None:
            return open_
    if ruling.status != "unverifiable" or claim.kind not in _COMES or ruling.there != "a file":
        return ruling
    found = _by_trace(claim, ruling, view, trace, written)
    if found.wrong and passing:
        return unverifiable("no call changed it, and the words name it in passing", there=ruling.there)
    return found


def _in_passing(claim: ActionClaim, report: Report) -> bool:
    """Whether the words of a claim name its file as a means, a source, a model or a target of what was done."""
    if claim.span is None or claim.span[1] > len(report.text) or claim.kind == "file_rename":
        return False
    return in_passing(report, claim.path or "", *claim.span)


def _barred(claim: ActionClaim, report: Report) -> bool:
    """Whether a report in another language than English denies, plans or asks in the sentence that names a file."""
    words = report.language
    return (
        words.name != "en"
        and claim.role != WITHIN
        and words.barred.search(report.part_of(claim, "stop").lower()) is not None
    )


def _left_open(
    claim: ActionClaim, ruling: Ruling, path: str, view: TreeView, trace: TraceIndex | None, written: Written
) -> Ruling | None:
    """Why what looks wrong may be no untruth; None where it is one."""
    taken = trace is not None and _taken_away(path, view, trace)
    if _stands_for_files(path, view):
        return unverifiable(
            "the name stands for several files or a part of a path, and there are such files", there=ruling.there
        )
    if ruling.there in ("directory", "a folder"):
        return unverifiable("it is a folder, and words do not say what was done in it", there=ruling.there)
    gone = trace is not None and claim.kind in _WAS_THERE and _may_be_gone(path, view, trace)
    if gone and says("files", "taken", claim.text):
        return unverifiable("a call took the file away, and the words may say so", there=ruling.there)
    if ruling.category == "file_not_found" and not taken:
        return _not_there(claim, ruling, path, view, trace)
    if claim.kind == "file_delete":
        return _still_there(ruling, path, view, trace, written)
    if trace is not None and ruling.there in _AS_BEFORE:
        return _only_told(claim, ruling, view, trace)
    return None


def _stands_for_files(path: str, view: TreeView) -> bool:
    """Whether a name stands for several files, or is the end of a path, of which some are there or were."""
    meant = shortened(path)
    before = view.world.before.by_path if view.world.before is not None else ()
    return meant is not None and any(meant.fullmatch(one) is not None for one in (*before, *view.paths()))


def named_for_git(claims: Sequence[ActionClaim], rulings: Sequence[Ruling]) -> list[Ruling]:
    """The rulings, where a name that was read as a file is told as a branch or a tag as well: nothing says that it is a file."""
    names = {claim.value for claim in claims if claim.kind == "git" and claim.value}
    open_ = unverifiable("it is the name of a branch or a tag", there="nothing")
    missing = (claim.by == "report" and ruling.category == "file_not_found" and claim.path in names for claim, ruling in zip(claims, rulings, strict=True))  # fmt: skip
    return [open_ if none else ruling for none, ruling in zip(missing, rulings, strict=True)]


def _not_there(
    claim: ActionClaim, ruling: Ruling, path: str, view: TreeView, trace: TraceIndex | None
) -> Ruling | None:
    """Why a file that is not there may be no untruth: it is no file, lies elsewhere, or is only described."""
    if not _NAMED.search(path) or path.endswith("/"):
        return unverifiable("nothing with that name is there, and it may not be a file", there=ruling.there)
    if path == ".git" or path.startswith(".git/"):
        return unverifiable("it lies in git's own folder, which is not looked at", there=ruling.there)
    if _folder_unknown(claim):
        return unverifiable("no such file is at the root, and its folder is not named", there=ruling.there)
    if claim.kind in _WAS_THERE and not (
        trace is not None and trace.ledger.active and says("files", "first_person", claim.text)
    ):
        return unverifiable("no such file is there, and the words may describe it", there=ruling.there)
    if trace is not None and trace.ledger.idle and not says("files", "i_made", claim.text):
        return unverifiable("the file is not there, and this turn changed nothing", there=ruling.there)
    if trace is not None and _elsewhere(claim, trace):
        return unverifiable("the file is not there; the trace works in another tree too", there=ruling.there)
    if trace is not None and any(work.kind == "subagent" for work in trace.ledger.opaque):
        return unverifiable("the file is not there; a subagent may have worked elsewhere", there=ruling.there)
    if trace is not None and any(_is_of(path, call, view) for call in trace.ledger.calls if is_command(call)):
        return unverifiable("the file is not there; a command that names it ran outside of the tree", there=ruling.there)  # fmt: skip
    if trace is not None and _was_read(path, view, trace) and not _may_be_gone(path, view, trace):
        return unverifiable("the file is not there; a call read it after one that was given its name", there=ruling.there)  # fmt: skip
    return None


def _was_read(path: str, view: TreeView, trace: TraceIndex) -> bool:
    """Whether a command that was given the name of a file ended well, and a later call showed what is in it: it was there then."""
    well = [run for run in trace.session_runs() if run.code == 0]
    given = (run.number for run in well if path in _places(run) and "read" not in activity_of(run.words).roles)
    first = next(given, len(trace.ledger.calls))
    shown = (run for run in well if run.number > first and run.output.strip() and _shows(run, path))
    later = trace.ledger.calls[first + 1 :]
    looked = (call for call in later if only_reads(call) and call.ok is not False and isinstance(call.input, Mapping))
    return any(shown) or any(view.relative(path_of(call.input)) == path and output_of(call) for call in looked)


def _places(run: SessionRun) -> set[str]:
    """The words of a command that may be paths, and the values of its options."""
    return {posixpath.normpath(word.rpartition("=")[2] or ".") for word in run.words[1:]}


def _shows(run: SessionRun, path: str) -> bool:
    """Whether a command shows what is in a file: a program that does, or code that it was given."""
    if run.program in listed("shows") and run.program != "echo":
        return path in _places(run)
    return "-c" in run.words and any(f"{quote}{path}{quote}" in word for word in run.words for quote in "'\"")


def _is_of(path: str, call: ToolCall, view: TreeView) -> bool:
    """Whether a command that ran outside of the tree, or where a variable led it, names a file or prints its name."""
    line = command_of(call)
    if path not in line and path not in output_of(call):
        return False
    parts = commands_of(line, None, folder_of(call))
    return any(_leads_on(part.words) or (part.folder and view.relative(part.folder) is None) for part in parts)


def _leads_on(words: tuple[str, ...]) -> bool:
    """`cd "$work"`: nobody can tell where the commands behind it run."""
    return words[:1] in (("cd",), ("pushd",)) and "$" in words[-1]


def _still_there(
    ruling: Ruling, path: str, view: TreeView, trace: TraceIndex | None, written: Written
) -> Ruling | None:
    """Why a file that is said to be deleted may be no untruth: a part of it is meant, or what was deleted is no file."""
    if ruling.there == "file":
        old = view.before(path)
        changed = old is not None and old.sha256 != view.sha256(path).sha256
        tried = old is not None and trace is not None and bool(trace.lines_with(f"rm {path}"))  # and did not succeed
        shown = trace is not None and (
            trace.shows_changes or (old is not None and trace.whole and _only_removes(trace))
        )
        partly = written.get(path) or not (shown or tried)
        if changed or (partly and (trace is not None or not view.knows_before)):
            return unverifiable("the file is there, and a part of it may be meant", there=ruling.there)
    elif trace is not None and (_may_be_gone(path, view, trace) or not _NAMED.search(path)):
        return unverifiable("it is not there, and it may have been made and deleted again, or be no file")
    return None


def _only_removes(trace: TraceIndex) -> bool:
    """Whether all that may have changed any file are commands that take files away, and so leave none in part."""
    works = trace.ledger.opaque
    lines = [commands_of(command_of(work.call)) for work in works if work.kind == "command"]
    return len(lines) == len(works) and all(_removes(part.words) for line in lines for part in line)


def _removes(words: tuple[str, ...]) -> bool:
    activity = activity_of(words)
    return activity.program == "rm" or activity.roles == {"read"}


def _only_told(claim: ActionClaim, ruling: Ruling, view: TreeView, trace: TraceIndex) -> Ruling | None:
    """Why a file that is as it was before may be no untruth: the words do not say that this turn changed it."""
    if trace.ledger.idle:
        return unverifiable("the file is as it was, and this turn changed nothing", there=ruling.there)
    if not (trace.ledger.changed or says("files", "first_person", claim.text)) or _only_modifies(claim):
        return unverifiable("the file is as it was, and the words may only describe it", there=ruling.there)
    mine = [one for one in trace.ledger.changes if view.relative(one.place) == claim.path]
    if (
        mine
        and mine[-1].new
        and mine[-1].new.encode("utf-8", "surrogatepass") in view.content(claim.path or "").content
    ):
        return unverifiable("the file is as it was: what the calls changed was changed back", there=ruling.there)
    if _changed_before(claim, trace) or (not mine and _elsewhere(claim, trace)):
        return unverifiable("the file is as it was, and may have been changed before or elsewhere", there=ruling.there)
    return None


def _elsewhere(claim: ActionClaim, trace: TraceIndex) -> bool:
    """Whether the work may lie in another working tree: a file of that name was changed there, or commands went there."""
    name = claim.to or claim.path or ""
    ends = any(change_names(one, name) for one in trace.ledger.changes)
    return ends or any(
        called("other_trees").search(command_of(call)) for call in trace.ledger.calls if is_command(call)
    )


def _in_kept_folder(path: str, trace: TraceIndex) -> bool:
    """Whether a call changed a file of that name, and one before it went to its folder: some shells stay there for the next call, others do not."""
    alike = [change for change in trace.ledger.changes if path.endswith(f"/{change.place}")]
    return any(
        run.number < change.number and _went_to(posixpath.dirname(path.removesuffix(change.place)), run)
        for change in alike
        for run in trace.session_runs()
    )


def _went_to(folder: str, run: SessionRun) -> bool:
    target = posixpath.normpath(run.words[-1]) if run.program in ("cd", "pushd") else ""
    return bool(target) and posixpath.basename(target) == posixpath.basename(folder)


def _taken_away(path: str, view: TreeView, trace: TraceIndex) -> bool:
    """Whether a call of the trace took a file away, by its name."""
    return any(view.relative(taken) == path for taken in trace.deletions)


def _may_be_gone(path: str, view: TreeView, trace: TraceIndex) -> bool:
    """Whether a call of the trace took a file away, or may have by a pattern."""
    return _taken_away(path, view, trace) or any(one.covers(path) for one in view.removals(trace.ledger))


def _folder_unknown(claim: ActionClaim) -> bool:
    """A bare name may mean a file in any folder, or one that only a program makes when it runs."""
    return claim.kind in _WAS_THERE and "/" not in (claim.to or claim.path or "")


def _taken_back(claim: ActionClaim, view: TreeView, trace: TraceIndex) -> bool:
    """Whether git took back what the calls did to a file: it holds nothing of what they brought, and the text that they replaced."""
    mine = [change for change in trace.ledger.changes if view.relative(change.place) == claim.path]
    undone = (entry for entry in trace.ledger.git if mine and entry[0] > mine[-1].number)
    if not any(_undoes(entry[2], claim.path or "") for entry in undone) or says("files", "discarded", claim.text):
        return False
    now = view.content(claim.path or "").content.decode("utf-8", "replace")
    return all(change.kind == "edit" and change.old and change.old in now and change.new and change.new not in now for change in mine)  # fmt: skip


def _undoes(git: Activity, path: str) -> bool:
    """Whether a command of git puts a file back as it was in a commit."""
    if git.target == "reset":
        return "--hard" in git.words
    named = any(path == word or path.startswith(f"{word.rstrip('/')}/") or word == "." for word in git.words[1:])
    return git.target in ("checkout", "restore") and named


_MENDS = compiled(r"--fix\S*|--unsafe-fixes|--auto-?correct\S*")


def _by_trace(claim: ActionClaim, ruling: Ruling, view: TreeView, trace: TraceIndex | None, written: Written) -> Ruling:
    """The file is there; whether it was changed the trace can say, and the contrary only where no command could have done it."""
    if trace is None:
        return ruling
    calls = written.get(claim.path or "")
    if calls and _taken_back(claim, view, trace):
        return contradicted("filesystem_mismatch", "git took back what was changed in it", "unchanged")
    if calls:
        return supported("the file is there, and the trace has the call that wrote it", "a file", calls[-1][0])
    if claim.kind in _MADE and any(str(folder) in written for folder in PurePosixPath(claim.path or "").parents):
        return unverifiable("a call put the folder there that it lies in", there=ruling.there)
    if _elsewhere(claim, trace):
        return unverifiable("a file of that name was changed in another working tree", there=ruling.there)
    if _in_kept_folder(claim.path or "", trace):
        return unverifiable("a call changed a file of that name, maybe where an earlier call led", there=ruling.there)
    refused = [
        one for one in trace.ledger.refused if posixpath.basename(one.path) == posixpath.basename(claim.path or "")
    ]
    if refused and not trace.opaque:
        return contradicted("not_in_trace", "the tool refused the only change to it", "not changed", refused[-1].call)
    mended = (word for run in trace.ledger.of("lint") for part in run.activities for word in part.words)
    if trace.opaque or any(map(_MENDS.fullmatch, mended)):
        reason = "the file is there; no call in the trace names it, and a command may have changed it"
        return unverifiable(reason, there=ruling.there)
    idle = trace.ledger.idle
    if idle or not (trace.ledger.changed or says("files", "first_person", claim.text)):
        return unverifiable(
            "the file is there; no call in the trace changed it, and the words may only describe it", there=ruling.there
        )
    if _only_modifies(claim) or _changed_before(claim, trace):
        return unverifiable("no call in the trace changed it, and it may have been changed before", there=ruling.there)
    return absent(trace, NOT_CHANGED)


def in_doubt(claims: Sequence[ActionClaim], rulings: Sequence[Ruling], trace: TraceIndex | None) -> list[Ruling]:
    """The rulings, where several files that no call changed are named and no more that one did: open, and not untrue.

    One file among others that were changed is the shape of a false statement; half of them or more is a report that tells of
    more than this trace (earlier work, a review), or one that was misread.
    """
    words = [number for number, claim in enumerate(claims) if claim.by == "report" and claim.kind in _COMES]
    missing = [number for number in words if rulings[number].wrong and _not_changed(rulings[number])]
    held = sum(rulings[number].status == "supported" for number in words)
    if len(missing) < 2 or len(missing) < held or trace is None or not trace.ledger.changed:
        return list(rulings)
    open_ = unverifiable("no call in the trace changed it, nor others that are named with it", there="a file")
    return [open_ if number in missing else ruling for number, ruling in enumerate(rulings)]


def self_denied(claims: Sequence[ActionClaim], rulings: Sequence[Ruling]) -> list[Ruling]:
    """The rulings, where a report that was read to say that a file was changed says itself that it was left alone: open."""
    kept = {
        posixpath.basename(claim.path)
        for claim in claims
        if claim.kind == "untouched" and claim.path and claim.role != "only"
    }
    open_ = unverifiable("the report says of the same file that it was left alone", there="unchanged")
    return [
        open_
        if ruling.wrong
        and claim.kind in _COMES
        and _not_changed(ruling)
        and posixpath.basename(claim.path or "") in kept
        else ruling
        for claim, ruling in zip(claims, rulings, strict=True)
    ]


def _not_changed(ruling: Ruling) -> bool:
    return ruling.reason == NOT_CHANGED or ruling.there == "unchanged"


def _only_modifies(claim: ActionClaim) -> bool:
    """`Changed .claude/settings.json hooks handling`: the file stands before what was changed."""
    name = re.escape(posixpath.basename(claim.path or ""))
    after = rf"{name}{source('files', 'modifies')}"
    return language_of(claim.text).name == "en" and re.search(after, claim.text) is not None


def _changed_before(claim: ActionClaim, trace: TraceIndex) -> bool:
    """Whether git showed the file as changed before this turn did anything, or the words tell of another time."""
    first = next((change.number for change in trace.ledger.changes), len(trace.ledger.calls))
    name = posixpath.basename(claim.path or "")
    looked = [
        entry for entry in trace.ledger.git if entry[2].target in ("status", "diff", "show", "log") and entry[0] < first
    ]
    before, after, earlier = (source("files", key) for key in ("when", "was", "earlier"))
    then = rf"{before}[`'\"]?[^\s`]*{re.escape(name)}[`'\"]? {after}|{earlier}"
    return any(name in output_of(call) for _, call, _, _ in looked) or re.search(then, claim.text) is not None
