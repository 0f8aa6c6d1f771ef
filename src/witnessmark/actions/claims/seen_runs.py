"""Tests and failures that were seen, runs in CI, and the branches and commits that are told, against the trace and the repository's own files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from witnessmark.actions.claim import ActionClaim, Ruling, absent, contradicted, supported, unverifiable
from witnessmark.actions.claims.observations import FAILED_RUN
from witnessmark.actions.claims.run_scope import narrow
from witnessmark.actions.claims.test_runs import admits, said_of_tests
from witnessmark.actions.claims.wordings import says, wording
from witnessmark.actions.content.patterns import pattern, told_otherwise
from witnessmark.actions.report.passages import without_code
from witnessmark.actions.report.report import Report
from witnessmark.actions.report.runs import CheckMention, checks_told, mentions_in, other_checks, search_runs
from witnessmark.actions.trace.activities import activity_of, called, listed
from witnessmark.actions.trace.calls import ToolCall, command_of, output_of
from witnessmark.actions.trace.changes import is_test
from witnessmark.actions.trace.index import SessionRun, TraceIndex, normal
from witnessmark.actions.trace.ledger import CheckRun, Ledger, code_changes, output_summary
from witnessmark.actions.trace.test_runners import all_counts
from witnessmark.text.patterns import compiled


def has_ref(root: Path, kind: str, name: str) -> bool:
    """Whether a repository has a branch or a tag: a look at git's own files, no command."""
    folder, packed = root / ".git", root / ".git" / "packed-refs"
    listed = packed.read_text("utf-8", "replace") if packed.is_file() and packed.stat().st_size < 8_000_000 else ""
    return f" refs/{kind}/{name}\n" in listed or (folder / "refs" / kind / name).is_file()


def on_branch(claim: ActionClaim, root: Path, trace: TraceIndex) -> Ruling | None:
    """Work that is said to be on a branch which the repository does not have, or is not on; None where that is open."""
    name, low = claim.value or "", claim.text.lower()
    head = root / ".git" / "HEAD"
    before = low[: low.rfind(name.lower())]
    if not head.is_file() or ".." in name or not says("runs", "own_work", before):
        return None
    now = head.read_text("utf-8", "replace").strip().partition("refs/heads/")[2]
    if not now or now == name or not trace.whole or any(name in " ".join(entry[2].words) for entry in trace.ledger.git):
        return None
    known = has_ref(root, "heads", name) or (root / ".git" / "packed-refs").is_file()
    known = known or any((root / ".git" / "refs" / "remotes").glob(f"*/{name}"))
    if known and not _commits(trace.ledger):
        return None
    return contradicted("not_in_trace", f"git is on {now}" if known else f"git has no branch {name}", now)


def other_commit(claim: ActionClaim, root: Path, trace: TraceIndex) -> Ruling | None:
    """A commit of this session that is told with a message or a hash which neither the session nor git has; None where that is open."""
    log = root / ".git" / "logs" / "HEAD"
    if not _commits(trace.ledger) or not trace.whole or not log.is_file() or (root / ".git" / "worktrees").exists():
        return None
    made = log.read_text("utf-8", "replace")[-MAX_LOG:]
    known = " ".join((made, *trace.session_texts().shown, *trace.session_texts().given)).lower()
    last = made.rstrip().rpartition("\t")[2][:80]
    if claim.name and " ".join(claim.name.lower().split()) not in " ".join(known.split()):
        return contradicted("not_in_trace", "no commit has this message", last)
    objects = root / ".git" / "objects"
    packed = any((objects / "pack").glob("*.idx"))
    value = (claim.value or "").lower()
    if not value or packed or value[:7] in known or any((objects / value[:2]).glob(f"{value[2:]}*")):
        return None
    return contradicted("not_in_trace", "git has no such commit", last)


MAX_LOG = 200_000


def _commits(ledger: Ledger) -> Sequence[int]:
    """The places of the commits that went through."""
    entries = [entry for entry in ledger.git if entry[2].target == "commit" and "--dry-run" not in entry[2].words]
    return [entry[0] for entry in entries if entry[3].code == 0 or (entry[1].ok is not False and "nothing to commit" not in output_of(entry[1]))]  # fmt: skip


def _of_another(said: str) -> bool:
    """Whether a sentence about what was before does not speak of tests, or of another check too."""
    return not says("tests", "meant", said) or bool(other_checks(said.lower()))


def rule(claim: ActionClaim, trace: TraceIndex, report: Report) -> Ruling:
    """One claim about tests or failures that were seen."""
    ledger = trace.ledger
    only_read = ledger.turns == 1 and bool(ledger.calls) and claim.role == "tested"  # then nothing else can be meant
    if not trace.whole or not (ledger.active or only_read):
        return unverifiable("the trace does not show all that was done", there="not in the trace")
    if claim.role == "tested":
        runs = ledger.tests()
        less = (
            narrow(claim, said_of_tests(claim, report), runs, trace, report)
            if runs and not ledger.of("build")
            else None
        )
        return less if less is not None and less.wrong else _tested(trace)
    return _red_first(ledger) if claim.role == "red_first" else _older(claim, trace)


def _tested(trace: TraceIndex) -> Ruling:
    """Tests that are said to have been run at all: a build or a benchmark may have run them."""
    ran = [run for run in trace.ledger.checks if run.role in ("test", "build", "bench") and run.outcome != "not_run"]
    if ran:
        return supported("the trace has a call that may have shown it", ran[0].line)
    if trace.ledger.opaque:
        return unverifiable("the trace has calls whose results are unclear", there="not in the trace")
    return absent(trace, "the trace has no test run")


def _red_first(ledger: Ledger) -> Ruling:
    """A test that was seen failing is a run in the trace that failed."""
    runs = [run for run in ledger.checks if run.role == "test"]
    red = [run for run in runs if run.of_tests == "failed"]
    if red:
        return supported("a test run in the trace failed", red[0].line, red[0].call.id)
    if ledger.opaque or any(run.outcome != "passed" for run in runs):
        return unverifiable("the trace has no test run that failed, and others may have", there="not in the trace")
    if runs:
        return contradicted("wrong_counts", "no test run in the trace failed", "all passed", runs[-1].call.id)
    return contradicted("not_in_trace", "the trace has no test run", "not in the trace")


def _older(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    """A failure that is called older than the work, against the test runs before the first change."""
    ledger, runs = trace.ledger, trace.ledger.tests()
    first = min((change.number for change in code_changes(ledger) if not is_test(change.place) and change.turn == ledger.turns), default=None)  # fmt: skip
    back = any(entry[2].target in listed("git_goes_back") for entry in ledger.git)
    if first is None or not runs or ledger.opaque or back or read_of_ci(ledger) or _of_another(claim.text):
        return unverifiable("nothing shows how it was before", there="not in the trace")
    earlier = [run for run in runs if run.number < first]
    red = [run for run in earlier if run.outcome == "failed"]
    if red:
        return supported("a test run before the first change failed", output_summary(red[-1]), red[-1].call.id)
    mine = [run for run in earlier if run.turn == ledger.turns and run.outcome == "passed"]
    same = [run for run in mine if normal(run.line) == normal(runs[-1].line)]
    if runs[-1].outcome == "failed" and same and not says("tests", "otherwise", without_code(claim.text)):
        reason = "the same test run passed before the first change"
        return contradicted("wrong_counts", reason, output_summary(same[-1]), same[-1].call.id)
    return unverifiable("nothing shows how it was before", there="not in the trace")


def told_as_clean(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each linter or type checker that is told to be content, in any words, where every run since the last change failed.

    A sentence that limits what it says, or names a file that the run does not blame, is left alone.
    """
    checked = any(run.role in _LOOKS_AT and run.outcome == "failed" for run in trace.ledger.checks)
    if not checked or not trace.whole or admits(report, "other"):
        return
    words = report.language
    for passage in report.first:
        low = passage.sentence.low
        for mention, following in pairwise((*mentions_in(low), None)):
            run = _red(mention, trace.ledger) if mention is not None else None
            if (
                mention is None
                or run is None
                or any(code in report.text for code in _FINDING.findall(output_of(run.call)))
            ):
                continue
            begins = max(low.rfind(sign, 0, mention.start) for sign in ",;:.(—–|") + 1
            said = _CLAUSE_END.split(low[mention.end : following.start if following else None])[0]
            beside = without_code(f"{low[begins : mention.start]} {pattern('told', 'well').sub(' ', said)}")
            told_well = pattern("told", "well").search(said) and not pattern("told", "not_well").search(beside)
            read = any(claim.value == mention.tool for claim in checks_told(passage.sentence, words))
            if told_well and not read and not limited(passage.sentence.text, mention.tool, run):
                yield told_otherwise(passage, FAILED_RUN, f"the last run of {mention.tool} failed", mention.tool)


def limited(said: str, tool: str, run: CheckRun) -> bool:
    """Whether a sentence says only of new findings that a tool has none, or only of a place that its failed run does not blame."""
    places = wording("runs", "place").findall(_CLAUSE_END.split(said.partition(tool)[2])[0]) if tool else ()
    return says("runs", "no_new", said) or any(place not in output_of(run.call) for place in places)


_LOOKS_AT = frozenset({"lint", "types"})
_CLAUSE_END = compiled(r"[;.](?:\s|$)")
_FINDING = compiled(r"\b[A-Z]{1,4}\d{2,5}\b")
"""The code of a finding: a report that has one of a run tells of it."""


def _red(mention: CheckMention, ledger: Ledger) -> CheckRun | None:
    """The last run of the linter or type checker that a sentence names, where all since the last change failed; None elsewhere."""
    since = max([change.number for change in ledger.changes] + [run.number for run in ledger.of("format")], default=-1)
    sub = re.search(rf"(?<![\w-]){re.escape(mention.tool)} ([a-z][\w:-]*)", mention.typed)
    later = (run for run in ledger.checks if run.role in mention.roles & _LOOKS_AT and run.number > since)
    mine = [run for run in later if any(one.program == mention.tool and not one.target and (not sub or sub[1] in one.words) for one in run.activities)]  # fmt: skip
    red = mine and all(run.outcome == "failed" and run.sure for run in mine) and not ledger.opaque_after(mine[-1].number)  # fmt: skip
    return mine[-1] if red else None


# --- only tried out ----------------------------------------------------------------------------------------------


def only_tried(does: re.Pattern[str], trace: TraceIndex, report: Report) -> Ruling | None:
    """The ruling on an effect of which every command that `does` it only showed what it would do; None where one did it, or something unseen may have."""
    runs = [run for run in trace.session_runs() if run.program not in listed("shows") | listed("reads")]
    shown = [run for run in runs if _only_shows(run, runs)]
    mine = [run for run in runs if does.search(" ".join(run.words)) and not _only_checks(run, does)]
    tried = [run for run in mine if run in shown]
    real = any(run not in tried and listed("inert").isdisjoint(map(_task, run.words[1:4])) for run in mine)
    open_ = {run.call.id for run in runs if run not in mine and run not in shown}
    known = {run.call.id for run in (*mine, *shown)} - open_
    unseen = any(work.call.id not in known for work in trace.ledger.opaque)
    if not tried or real or unseen or not trace.whole or search_runs("unseen", "tried", report.low):
        return None
    line = " ".join(tried[-1].words)[:60]
    return contradicted("not_in_trace", f"`{line}` only shows what it would do, and nothing did it", "dry run", tried[-1].call.id)  # fmt: skip


def _task(word: str) -> str:
    """The last part of a task's name: `status` of `db:migrate:status`."""
    return word.rpartition(":")[2]


def _only_checks(run: SessionRun, does: re.Pattern[str]) -> bool:
    """Whether a command is a linter or a test run, of which a word alone (`rubocop db/migrate`) is about what is done."""
    return does.search(run.program) is None and not activity_of(run.words).roles.isdisjoint(_STATIC)


_STATIC = frozenset({"test", "lint", "types", "format"})


def _only_shows(run: SessionRun, runs: Sequence[SessionRun]) -> bool:
    """Whether a command shows what it would do: by an option, or, where its line has no other, by what is set before it or what it prints."""
    alone = sum(other.number == run.number for other in runs) == 1
    told = f"{command_of(run.call)}\n{run.output}" if alone else ""
    return not listed("dry").isdisjoint(run.words[1:]) or _DRY.search(told) is not None


_DRY = compiled(r"\bDRY_?RUN=(?:1|true|yes)|\[dry[- ]run\]|\(dry[- ]run\)", re.IGNORECASE)


# --- CI ----------------------------------------------------------------------------------------------------------

_LOGGED = compiled(r"^[^\n]*\t(?:[\dT:.-]+Z )?", re.MULTILINE)
"""The job, the step and the time that stand before each line of a log."""


def read_of_ci(ledger: Ledger) -> list[ToolCall]:
    """The calls that asked CI how its runs went."""
    return [call for call in ledger.calls if called("ci").search(command_of(call))]


def told_of_ci(claim: ActionClaim, ledger: Ledger, report: Report) -> Ruling | None:
    """The ruling on what is told of runs in CI, which no run here can show; None where CI was not asked or is not meant.

    Of a sentence that names CI and this place, what is named last before the end of the claim is meant, or else what comes first.
    """
    asked = read_of_ci(ledger) if claim.by == "report" and claim.span is not None else []
    said = report.part_of(claim, "stop") if asked else ""
    end = said.find(claim.text) + len(claim.text)
    names = ((wording("runs", "ci"), True), (wording("runs", "here"), False))
    places = [(found.start(), there) for name, there in names for found in name.finditer(said)]
    before = [place for place in places if place[0] < end]
    if not places or not (max(before) if before else min(places))[1]:
        return None
    seen = _LOGGED.sub("", "\n".join(map(output_of, asked)))
    counts = list(all_counts(seen))
    told = claim.passed is not None and re.search(rf"(?<![\w.]){claim.passed}(?!\w|\.\d)", seen)
    if counts and all(count.bad for count in counts) and not claim.failed and not told and not admits(report):
        return contradicted("wrong_counts", "the run in CI that was read failed", str(counts[-1]), asked[-1].id)
    return unverifiable("it is about CI, which ran elsewhere", there="not run here")


def known_to_git(claim: ActionClaim, root: Path) -> bool:
    """Whether the repository has the branch, tag or commit that is named: a look at git's own files, no command."""
    name, folder = claim.value or "", root / ".git"
    if not folder.is_dir() or ".." in name or name.startswith(("/", "-")):
        return False
    if claim.role == "commit":
        return (folder / "objects" / name[:2]).is_dir() and any((folder / "objects" / name[:2]).glob(f"{name[2:]}*"))
    return has_ref(root, "tags" if claim.role == "tag" else "heads", name)
