"""What only the trace explains: a command told with an option that no run had, a failed run told as good, an import told as removed.

Each command is known by its words. Nothing is said where the report speaks of a failure, where a file may have given the option, or where the same went well later.
"""

from __future__ import annotations

import functools
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, unread, unverifiable
from witnessmark.actions.claims.wordings import words
from witnessmark.actions.content.evidence import evidence_of
from witnessmark.actions.content.patterns import PRINTED, is_barred, pattern, told_otherwise
from witnessmark.actions.report.lexicon import Language
from witnessmark.actions.report.names import looks_like_command
from witnessmark.actions.report.passages import CODE, names_in, paths_in, without_code
from witnessmark.actions.report.report import Report
from witnessmark.actions.report.runs import went_well_after
from witnessmark.actions.trace.activities import activity_of, called, listed
from witnessmark.actions.trace.changes import change_names, ending
from witnessmark.actions.trace.index import SessionRun, TraceIndex, has_option, run_by, verb_of
from witnessmark.actions.trace.outcomes import ENDED
from witnessmark.actions.trace.outputs import tells
from witnessmark.actions.trace.parts import before_parts
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from witnessmark.actions.session_claims.finders import Finder


def untrue(claim: ActionClaim) -> Ruling:
    """The ruling on such a claim."""
    return contradicted("contradicted_claim", claim.name or "", (claim.name or "")[:80])


def admitted(report: Report) -> bool:
    """Whether a report speaks of anything that failed or was not done for good; `0 failures` and what was mended are no such thing."""
    low = without_code(report.low)
    return pattern("told", "admits").search(pattern("told", "none_of").sub(" ", low)) is not None


def names(word: str, text: str) -> bool:
    """Whether a text in small letters has a word of a command, or the last part of a path."""
    short, whole = _named(word)
    return short in text and whole.search(text) is not None


@functools.lru_cache(maxsize=4096)
def _named(word: str) -> tuple[str, re.Pattern[str]]:
    """A word as it is looked for, and the pattern of it as a whole word."""
    short = (word.rstrip("/").rpartition("/")[2] if word.count("/") != 1 else word).lower()
    bare = re.escape(short)
    return short, re.compile(rf"(?<![\w/-]){bare}(?![\w/-]|\.\w)" if "/" not in word else rf"(?<![\w-]){bare}(?![\w-])")


TOLD_COMMAND = "told_command"


def told_as_run(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each command told as run, with the option that nothing has."""
    if not trace.whole or "`" not in report.text or not trace.ledger.calls:
        return
    run: RunOptions | None = None
    words = report.language
    for passage in report.first:
        text, low = passage.sentence.text, passage.sentence.low
        for code in CODE.finditer(text):
            if " " not in code[1] or not looks_like_command(code[1]) or not _told(low, code.start(), code.end(), words):
                continue
            run = run or RunOptions(trace.session_runs())
            option = run.foreign(code[1])
            if option:
                yield told_otherwise(passage, TOLD_COMMAND, f"it was never run with `{option}`", code[1], option)


def rule_options(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim, against the files: a task or a setting that has the option may have given it."""
    if view is None or trace is None:
        return unverifiable("there is no tree to look at", there="not looked at")
    option = re.compile(rf"(?<!\w){re.escape((claim.old or '').lstrip('-'))}(?![\w-])")
    known = evidence_of(view, trace)
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
        """The first option of a told command that no run of the same tool has; empty where the tool was not run or all are there.

        One that only names a part of the project is not among them: a run over everything has that part.
        """
        try:
            activity = activity_of(tuple(shlex.split(line)))
        except ValueError:
            return ""
        mine = self._of.get(activity.program)
        if mine is None or not activity.program:
            return ""
        own = [word.partition("=")[0] for word in activity.words[1:] if _TOLD.fullmatch(word)]
        own = [word for word in own if word not in before_parts(activity.words)]
        known = ("", *mine)
        return next((word for word in own if word not in self._typed and not has_option(word, known)), "")


_TOLD = compiled(r"--?[a-zA-Z][\w-]*(?:=.*)?")
_OPTION = compiled(r"(?<![\w-])--?[a-zA-Z][\w-]*")

FAILED_RUN = "failed_run"
LEAST = 4
"""A shorter word of a command may be anything in a sentence."""
MAX_WORDS = 100
"""So many words of one command are looked for."""


def told_as_good(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each sentence that tells of a failed command as done."""
    if not trace.whole or (not trace.ledger.active and not trace.ledger.calls):
        return
    failed = _failed_for_good(trace)
    if not failed or admitted(report):
        return
    sentences = report.first
    whole = "\n".join(passage.sentence.low for passage in sentences)
    written = "\n".join(change.new or "" for change in trace.ledger.changes).lower()
    deeds = [_deeds_in(passage.sentence.low) for passage in sentences]
    every = frozenset[Deed]().union(*deeds)
    failed = [
        run for run in failed if run.typed_in(every) or any(names(word, whole) for word in (*run.about, *run.tasks))
    ]  # of the others nothing is told
    for passage, typed in zip(sentences, deeds, strict=True):
        low = passage.sentence.low
        good = pattern("told", "good").search(low) is not None
        brings = None if good else pattern("told", "brings").match(low)
        if not (good or brings) or pattern("told", "not_so").search(without_code(low)):
            continue
        brought = _deeds_in(brings.group()) if brings else frozenset[Deed]()
        for run in reversed(failed):
            if brings:  # what was written for it may only be described
                told = run.typed_in(brought) and not any(names(word, written) for word in run.run.words[1:])  # fmt: skip
            else:
                told = any(names(word, low) for word in run.own) or run.typed_in(typed) or run.well_in(low, report.language)  # fmt: skip
            if told:
                line = " ".join(run.run.words)[:60]
                yield told_otherwise(passage, FAILED_RUN, f"`{line}` failed, and was not run again", line)
                failed.remove(run)
                break


@dataclass(frozen=True)
class FailedRun:
    """A run that failed, with the words of its errors, by which a sentence may mean it."""

    run: SessionRun
    errors: str
    only: bool = False
    """Whether no other run of the session was told to do the same."""
    tasks: tuple[str, ...] = ()
    """The tasks that it was given and that no other program was; of several, those that failed."""

    @cached_property
    def blamed(self) -> list[str]:
        """The words of the command that an error speaks of."""
        return [word for word in _words(self.run) if names(word, self.errors)]

    @cached_property
    def about(self) -> list[str]:
        """The words by which a sentence can mean it: those that its error speaks of, else its own."""
        run = self.run
        known = ("make", "docker", "kubectl")
        program = [run.program] if len(run.program) >= LEAST and run.program not in known else []
        plain = [word for word in _words(run) if re.fullmatch(r"[\w./@:+-]+", word) and not word.isdigit()]
        elsewhere = self.only and run.program != "git" and run.verb in listed("told_by_verb")
        done = [f"{run.verb}{'d' if run.verb.endswith('e') else 'ed'}"] if run.program == "git" or elsewhere else []
        books = [word for word in run.words if word.endswith(".ipynb")]
        books += sorted(words("runs", "notebook")) if books else ()
        return (
            [*self.blamed, *books, *(done if elsewhere else ())] if self.blamed else [*program, *plain, *books, *done]
        )

    @cached_property
    def own(self) -> list[str]:
        """The words that are no common ones; none of a check, since how those ended is read elsewhere."""
        if _CHECKS & activity_of(self.run.words).roles or self.run.program == _COMPOSE:
            return []  # of a service by its name much else is told
        return [word for word in self.about if word not in words("runs", "common")]

    def typed_in(self, deeds: frozenset[Deed]) -> bool:
        """Whether it is among what is told in code, however common its words are."""
        run = self.run
        told = bool(run.verb) and (run.program.lower(), run.verb.lower()) in deeds
        return told and not _CHECKS & activity_of(run.words).roles

    def well_in(self, low: str, words: Language) -> bool:
        """Whether a sentence has one of its tasks in code, alone or in a list, and right behind it that it went well."""
        codes = [(found, _bare(found[1])) for found in CODE.finditer(low)] if self.tasks else []
        listed_to = ((found.start(), pattern("told", "listed").match(low, found.end()), name) for found, name in codes)
        tasks = {task.lower() for task in self.tasks}
        return any(
            name in tasks and end and went_well_after(low, start, end.end(), words) for start, end, name in listed_to
        )


Deed = tuple[str, str]
"""A program, and what it was told to do."""


def _deeds_in(low: str) -> frozenset[Deed]:
    """What a text in small letters has in code as done: each program with its verb, whatever runs it; what is advised is not done."""
    found = []
    for code in CODE.finditer(low) if "`" in low else ():
        if " " in code[1] and not pattern("told", "advice").search(without_code(low[: code.start()])):
            program, typed = run_by(tuple(code[1].split()))
            found.append((program, verb_of(typed)))
    return frozenset(found)


def _failed_for_good(trace: TraceIndex) -> list[FailedRun]:
    """The runs of the last turn that failed, with nothing since that could have mended or repeated them."""
    runs = trace.session_runs()
    changed = max((change.number for change in trace.ledger.changes), default=-1)
    # By what it is, the last place where each thing was run: one pass over the session for all that failed.
    again = {(run.program, run.verb): run.number for run in runs}
    named = {word: run.number for run in runs for word in run.words}
    git = {run.verb: run.number for run in runs if run.program == "git" and "--abort" not in run.words}
    verbs = Counter(run.verb for run in runs)
    programs: dict[str, set[str]] = {}
    for run in runs:
        for word in run.words[1:]:
            programs.setdefault(word, set()).add(run.program)
    containers = max((run.number for run in runs if run.program in _CONTAINERS and _may_start(run)), default=-1)
    errors: dict[int, str] = {}
    found = []
    for run in runs:
        if run.code in (0, *ENDED) or not run.last or run.program in listed("answers") or _only_looks(run):
            continue
        if changed > run.number and run.verb not in listed("outside"):
            continue
        if _repeated(run, again, named, git) or (run.program == _COMPOSE and containers > run.number):
            continue
        if run.number not in errors:
            lines = (line for line in run.output.splitlines() if tells("runs", "error", line))
            errors[run.number] = "\n".join(lines).lower()
        tasks = [_bare(word) for word in _tasks(run, errors[run.number]) if len(programs[word]) == 1]
        failed = FailedRun(run, errors[run.number], verbs[run.verb] == 1, tuple(tasks))
        in_vain = called("waits").search(" ".join(run.words)) and tells("effects", "waited_in_vain", run.output)
        if run.code is None and (run.call.ok is not False or not (failed.blamed or in_vain)):
            continue  # of a line that failed, the command that the error speaks of did
        found.append(failed)
    return found


def _bare(task: str) -> str:
    """A task without the project that it is of: `lintDebug` of `:app:lintDebug`."""
    return task.rpartition(":")[2] if task.startswith(":") else task


def _tasks(run: SessionRun, errors: str) -> list[str]:
    """The tasks that a runner of tasks was given; of several those that its errors name."""
    given = [word for word in run.words[1:MAX_WORDS] if re.fullmatch(r":?[a-zA-Z][\w:-]*", word) and word != "run"]
    tasks = given if activity_of(run.words).target in given else []
    return tasks if len(tasks) == 1 else [task for task in tasks if names(task, errors)]


def _repeated(
    run: SessionRun, again: Mapping[tuple[str, str], int], named: Mapping[str, int], git: Mapping[str, int]
) -> bool:
    """Whether the same was run later, or, of git, what finishes it."""
    if run.program == "git":
        return any(git.get(verb, -1) > run.number for verb in listed("git_mends") | {run.verb})
    own = (word for word in run.words[1:] if not word.startswith("-"))
    return again[run.program, run.verb] > run.number or any(named[word] > run.number for word in own)


_CHECKS = frozenset({"test", "lint", "types", "build", "format"})


def _only_looks(run: SessionRun) -> bool:
    """Whether a command answers a question by its exit code."""
    if run.program == "git":
        return run.verb not in listed("git_does")
    return not listed("looks").isdisjoint(run.words[1:3]) or run.verb == "status" or "--check" in run.words


_COMPOSE = "docker-compose"
_CONTAINERS = ("docker", _COMPOSE)


def _may_start(run: SessionRun) -> bool:
    """Whether a command about containers may have started some, or shows that some run."""
    return not _only_looks(run) or tells("effects", "containers_up", run.output)


def _takes_value(option: str) -> bool:
    """Whether the word behind an option is most likely its value: a namespace, a message; a file that is run is none."""
    return option in ("-n", "-m", "-C", "-c", "-o", "-p", "-t", "-w", "-u", "-e") or (
        option.startswith("--") and "=" not in option
    )


def _words(run: SessionRun) -> list[str]:
    given = (word.strip("'\"") for option, word in pairwise(run.words) if not _takes_value(option))
    return [word for word in dict.fromkeys(given) if not word.startswith("-") and len(word) >= LEAST][:MAX_WORDS]


MAX_CLAIMS = 60
"""So many claims are taken from one reading; what it would have read after them is listed as not read."""
NO_IMPORT = "no_import_removed"
_BRINGS_IN = compiled(
    r"import|require|include|using|\buse\b|\bwith\b|\balias\b|library\(|source\("
)  # whichever the language


def told_as_removed(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each import told as removed, where every change of the files that are meant is known and none had one."""
    ledger = trace.ledger
    if ledger.turns > 1 or not trace.shows_changes or any(run.role in ("lint", "format") for run in ledger.checks):
        return  # an earlier turn or a linter may have removed it
    for passage in report.first:
        match = pattern("imports", "removed").search(passage.sentence.low)
        if match is None or passage.cells or is_barred(passage.sentence.low) or names_in(passage.sentence.text):
            continue  # what is named is held against the statements of the file
        own = paths_in(passage.sentence.text)
        mine = [change for change in ledger.changes if not own or any(change_names(change, path) for path in own)]
        if mine and not any(change.old is None or _BRINGS_IN.search(change.old) for change in mine):
            yield told_otherwise(passage, NO_IMPORT, "no change took out an import", match.group())


SETTLED = (FAILED_RUN, NO_IMPORT, PRINTED)
"""Of these the trace alone says that they are not so."""


def found_by_trace(report: Report, trace: TraceIndex, finders: Sequence[Finder]) -> list[ActionClaim]:
    """The claims of a report that only the trace explains, and, where a reading came to its bound, the rest as one that was not read."""
    found: list[ActionClaim] = []
    ends = [report.read_until]
    for finder in finders:
        mine = list(islice(finder(report, trace), MAX_CLAIMS + 1))
        ends += [claim.span[0] for claim in mine[MAX_CLAIMS:] if claim.span]
        found += mine[:MAX_CLAIMS]
    return [*found, unread(report.text, min(ends))] if min(ends) < len(report.text) else found
