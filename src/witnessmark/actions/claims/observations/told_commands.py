"""A command that is told as run with an option that no command of the session has: `I ran go test -race ./…` where it was `go test ./…`.

The tool itself was run, so only the option is in question. A short option may stand for a long one, a task or a script may hold it, and a file or an output that
has it leaves it open.
"""

from __future__ import annotations

import re
import shlex

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.session_runs import (
    SessionRun,
    has_option,
    runs_of,
    sentences_of,
    told,
    untrue,
)
from witnessmark.actions.claims.ruling import Ruling, unverifiable
from witnessmark.actions.content.evidence import evidence_of
from witnessmark.actions.content.passages import CODE
from witnessmark.actions.content.wording import pattern
from witnessmark.actions.report.names import looks_like_command
from witnessmark.actions.trace.activities import activity_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

ROLE = "told_command"


def told_as_run(report: str, trace: TraceIndex) -> list[ActionClaim]:
    """A claim for each command told as run, with the option that nothing has."""
    if not trace.whole or "`" not in report or not trace.ledger.calls:
        return []
    runs: list[SessionRun] = []
    found = []
    for passage in sentences_of(report):
        text, low = passage.sentence.text, passage.sentence.low
        for code in CODE.finditer(text):
            before, after = low[: code.start()], low[code.end() :]
            if " " not in code[1] or not looks_like_command(code[1]) or not _told(before, after):
                continue
            runs = runs or runs_of(trace)
            option = _foreign(code[1], runs)
            if option:
                found.append(told(passage, ROLE, f"it was never run with `{option}`", value=code[1], old=option))
    return found


def rule(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim, against the files: a task or a setting that has the option may have given it."""
    if scene is None or trace is None:
        return unverifiable("there is no tree to look at", there="not looked at")
    option = re.compile(rf"(?<!\w){re.escape((claim.old or '').lstrip('-'))}(?![\w-])")
    known = evidence_of(scene, trace)
    if not known.all_seen or any(option.search(text.new) for text in known.files() if _may_set(text.path)):
        return unverifiable("a file may set the option", there="not known")
    return untrue(claim)


def _may_set(path: str) -> bool:
    """Whether a file may give options to programs: no source and no document does."""
    return path.rpartition(".")[2].lower() not in ("md", "rst", "py", "ts", "tsx", "go", "rs", "java", "rb", "cs", "c", "cpp", "h")  # fmt: skip


def _told(before: str, after: str) -> bool:
    plain = re.sub(r"`[^`]*`", " x ", before)
    if pattern("told", "not_so").search(re.split(r"[.;:]\s", plain)[-1]) or pattern("told", "advice").search(plain):
        return False
    return pattern("told", "ran").search(plain) is not None or pattern("told", "ended_well").match(after) is not None


def _foreign(line: str, runs: list[SessionRun]) -> str:
    """The first option of a told command that no run of the same tool has; empty where the tool was not run or all are there."""
    try:
        words = tuple(shlex.split(line))
    except ValueError:
        return ""
    activity = activity_of(words)
    program, own = activity.program, [word for word in activity.words[1:] if re.fullmatch(r"--?[a-zA-Z][\w-]*(?:=.*)?", word)]  # fmt: skip
    mine = [run for run in runs if run.program == program]
    typed = " ".join(" ".join((run.call.name, str(run.call.input))) for run in runs)
    if not mine or not own or not program:
        return ""
    for word in own:
        bare = word.partition("=")[0]
        if not any(has_option(bare, run.words) for run in mine) and not re.search(
            rf"(?<![\w-]){re.escape(bare)}(?![\w-])", typed
        ):
            return bare
    return ""
