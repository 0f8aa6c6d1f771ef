"""A command that is told as run with an option that no command of the session has: `I ran go test -race ./…` where it was `go test ./…`.

The tool itself was run, so only the option is in question. A short option may stand for a long one, a task or a script may hold it, and a file or an output that
has it leaves it open.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import sentences_of, told, untrue
from witnessmark.actions.claims.ruling import Ruling, unverifiable
from witnessmark.actions.content.evidence import evidence_of
from witnessmark.actions.content.passages import CODE, without_code
from witnessmark.actions.content.wording import pattern
from witnessmark.actions.report.language import Language, language_of
from witnessmark.actions.report.names import looks_like_command
from witnessmark.actions.report.runs.checks import went_well_after
from witnessmark.actions.trace.activities import activity_of
from witnessmark.actions.trace.changes import ending
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.session_runs import SessionRun, has_option
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

ROLE = "told_command"


def told_as_run(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each command told as run, with the option that nothing has."""
    if not trace.whole or "`" not in report or not trace.ledger.calls:
        return
    run: RunOptions | None = None
    words = language_of(report)
    for passage in sentences_of(report):
        text, low = passage.sentence.text, passage.sentence.low
        for code in CODE.finditer(text):
            if " " not in code[1] or not looks_like_command(code[1]) or not _told(low, code.start(), code.end(), words):
                continue
            run = run or RunOptions(trace.session_runs())
            option = run.foreign(code[1])
            if option:
                yield told(passage, ROLE, f"it was never run with `{option}`", value=code[1], old=option)


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
    return ending(path) not in ("md", "rst", "py", "ts", "tsx", "go", "rs", "java", "rb", "cs", "c", "cpp", "h")  # fmt: skip


def _told(low: str, start: int, end: int, words: Language) -> bool:
    """Whether the words around a command tell that it was run, or how it went."""
    plain = without_code(low[:start])
    if pattern("told", "not_so").search(re.split(r"[.;:]\s", plain)[-1]) or pattern("told", "advice").search(plain):
        return False
    if pattern("told", "ran").search(plain) or pattern("told", "ended_well").match(low, end):
        return True
    return went_well_after(low, start, end, words)


class RunOptions:
    """The options of every command of a session by its program, gathered once for all commands that a report tells of."""

    def __init__(self, runs: Sequence[SessionRun]) -> None:
        self._of: dict[str, dict[str, None]] = {}
        for run in runs:
            mine = self._of.setdefault(run.program, {})
            mine.update(dict.fromkeys(word for word in run.words[1:] if word.startswith("-")))
        calls = {run.number: run.call for run in runs}.values()
        self._typed = {word for call in calls for word in _OPTION.findall(f"{call.name} {call.input}")}

    def foreign(self, line: str) -> str:
        """The first option of a told command that no run of the same tool has; empty where the tool was not run or all are there."""
        try:
            activity = activity_of(tuple(shlex.split(line)))
        except ValueError:
            return ""
        mine = self._of.get(activity.program)
        if mine is None or not activity.program:
            return ""
        own = [word.partition("=")[0] for word in activity.words[1:] if _TOLD.fullmatch(word)]
        known = ("", *mine)
        return next((word for word in own if word not in self._typed and not has_option(word, known)), "")


_TOLD = compiled(r"--?[a-zA-Z][\w-]*(?:=.*)?")
_OPTION = compiled(r"(?<![\w-])--?[a-zA-Z][\w-]*")
