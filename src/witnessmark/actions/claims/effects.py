"""Checks that passed, commits, pushes and effects elsewhere against the trace, and against git where the tree has it.

An effect outside of the tree has a state: asked (a call was made), submitted (it ended well), confirmed (a receipt came back),
refuted (it failed). Without a receipt it is unverifiable, never untrue. Knows nothing about files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path

from witnessmark.actions.claim import ActionClaim, Ruling, absent, contradicted, supported, unverifiable
from witnessmark.actions.claims import seen_runs
from witnessmark.actions.claims.observations import admitted
from witnessmark.actions.claims.test_runs import admits
from witnessmark.actions.claims.wordings import says, wording
from witnessmark.actions.report.report import Report
from witnessmark.actions.report.runs import OBSERVED
from witnessmark.actions.rerun.probes import ask
from witnessmark.actions.trace.activities import Activity, called, listed, programs_of
from witnessmark.actions.trace.calls import ToolCall, command_of, is_command, output_of, tool
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.ledger import CheckRun, Ledger, OpaqueWork, output_summary
from witnessmark.actions.trace.outputs import output_pattern, tells
from witnessmark.actions.trace.scope import may_hide, not_found
from witnessmark.actions.trace.shell import ShellCommand, commands_of
from witnessmark.actions.tree.probes import EffectProbe
from witnessmark.text.patterns import compiled

EARLY = 80
"""A report that is about a commit says so in its first words."""
_NAMES = {
    "commit": "git_commits", "branch": "git_branches", "on_branch": "git_branches", "merge": "git_merges", "rebase": "git_rebases",
}  # fmt: skip
"""The commands of git that do what a role says, where they are not called like it."""
_HASH = compiled(r"[0-9a-f]{7,40}")
_BY_GIT_FILES = {"on_branch": seen_runs.on_branch, "commit": seen_runs.other_commit}
_ROLE_WORDS = {"lint": "linter", "types": "type checker", "build": "build", "format": "formatter", "any": "check"}


def rule(
    claim: ActionClaim,
    trace: TraceIndex | None,
    why_not: str,
    root: str | None,
    report: Report,
    probes: Mapping[str, EffectProbe] | None,
) -> Ruling:
    """One claim about a check, git or an effect elsewhere; `root` is the tree, whose git may bear it out.

    `report` is the whole text that a claim in words was read from; `probes` are those that the user registered, by effect.
    """
    look = _BY_GIT_FILES.get(claim.role or "") if claim.kind == "git" and root and trace else None
    otherwise = look(claim, Path(root), trace) if look is not None and root and trace else None
    if otherwise is not None:
        return otherwise
    if claim.kind == "git" and claim.value and root is not None and seen_runs.known_to_git(claim, Path(root)):
        return supported("git has it", claim.value)
    probe = probes.get(claim.role or "") if claim.kind == "effect" and probes else None
    if probe is not None:
        state, why = ask(probe, root)
        if state == "confirmed":
            return supported(why, "confirmed", "probe")
        if state == "refuted":
            return contradicted("contradicted_claim", why, "refuted", "probe")
        why_not = why
    if trace is None:
        return unverifiable(f"{why_not}, so it cannot be shown", "trace_unresolved", "no trace")
    if claim.kind == "check_passed":
        if claim.role in ("coverage", "bench", "none_of"):
            return _figure(claim, trace)
        return seen_runs.rule(claim, trace, report) if claim.role in OBSERVED else _check(claim, trace, report)
    return _git(claim, trace) if claim.kind == "git" else _effect(claim, trace, report)


def _figure(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    from witnessmark.actions.claims import figures  # most reports tell none

    return figures.rule(claim, trace)


# --- linters, types, builds ------------------------------------------------------------------------------------


def _check(claim: ActionClaim, trace: TraceIndex, report: Report) -> Ruling:
    ledger, role = trace.ledger, claim.role or "any"
    what = claim.value or f"the {_ROLE_WORDS.get(role, role)}"
    runs = _covering(claim, _runs_of(claim, role, ledger))
    if not runs:
        names = _callable_as(claim, role)
        if claim.value and not_found(ledger, [claim.value], trace.root):
            return absent(trace, f"{what} was not found, so it did not run")
        open_to_all = role == "any" or (role in ("format", "build") and not claim.value)
        if open_to_all or _shown_by_others(role, ledger) or may_hide(ledger, names, trace.root):
            return unverifiable(f"no run of {what} is in the trace", there="not in the trace")
        return absent(trace, f"the trace has no run of {claim.value or what.replace('the', 'a', 1)}")
    last = _last_of_each(runs) if role == "any" else [*_elsewhere_red(runs, claim, ledger), runs[-1]]
    bad = [run for run in last if run.outcome == "failed" and run.sure and not ledger.opaque_after(run.number)]
    open_ = bad and (admits(report, "other") or seen_runs.limited(claim.text, claim.value or "", bad[-1]))
    if open_ and claim.by == "report":
        return unverifiable("the last run failed, and the report mentions failures or leaves room for them", there=output_summary(bad[-1]))  # fmt: skip
    if bad and claim.value and claim.value not in f"{bad[-1].line} {output_of(bad[-1].call)}":
        return unverifiable("a task that may have run it failed", there=output_summary(bad[-1]))
    if bad and role == "build" and _compiled_since(bad[-1], ledger):
        return unverifiable(
            "the last build failed, and something that needs it ran since", there=output_summary(bad[-1])
        )
    if bad and any(run.number > bad[-1].number for run in ledger.of("format")):
        return unverifiable("the last run failed, and a formatter may have fixed it", there=output_summary(bad[-1]))
    if bad and (trace.whole or ledger.rerun):  # what a contract ran again, it ran on this tree
        since = any(change.number > bad[-1].number for change in ledger.changes)
        reason = f"the last run of {what} failed" + (", and none was made after the changes since" if since else "")
        return contradicted("wrong_exit_code", reason, output_summary(bad[-1]), bad[-1].call.id)
    if any(run.outcome in ("failed", "unknown") for run in last):
        return unverifiable("the trace has a run, but how it ended is unclear", there=output_summary(last[-1]))
    part = wording("runs", "part").search(claim.text)
    if part and part["whole"] and claim.value and trace.whole and not any(_covers(one, part["path"]) for run in runs for one in run.activities):  # fmt: skip
        return contradicted("narrow_run", f"{what} was run over less than {part['path']}", last[-1].line, last[-1].call.id)  # fmt: skip
    return supported("the last run in the trace succeeded", output_summary(last[-1]), last[-1].call.id)


def _runs_of(claim: ActionClaim, role: str, ledger: Ledger) -> list[CheckRun]:
    """The runs that a claim can be about: of a command in its words, of the tool that it names, or of a task that may run it."""
    if not claim.value:
        typed = [" ".join(code.split()[:2]) for code in re.findall(r"`([a-z][^`\n]* [^`\n]*)`", claim.text)]
        own = [run for run in ledger.checks if run.outcome != "not_run" and any(code in run.line for code in typed)]
        if own:
            return own
    if role == "any":
        return sorted((run for name in ("lint", "types", "build", "test") for run in ledger.of(name)), key=_number)
    runs = ledger.of(role)
    if role == "build":
        boxed = [run for run in runs if called("container").search(run.line)]
        if boxed and says("runs", "container", claim.text):
            return boxed
        runs = runs or sorted((*ledger.tests(), *ledger.of("types")), key=_number)
    if role == "format":
        runs = sorted((*runs, *(run for run in ledger.of("lint") if any(map(_is_of_a_formatter, run.activities)))), key=_number)  # fmt: skip
    if not claim.value:
        return runs
    named = re.compile(rf"(?<![\w-]){re.escape(claim.value)}(?![\w-])")
    mine = [run for run in ledger.checks if run.outcome != "not_run" and named.search(f"{run.line} {output_of(run.call)}")]  # fmt: skip
    # `buf lint` is no `buf breaking`: another subcommand of the same tool ends as it likes.
    sub = re.search(rf"(?<![\w-]){re.escape(claim.value)} ([a-z][\w:-]*)", claim.command or "")
    same = [run for run in mine if sub and any(sub[1] in activity.words for activity in run.activities)]
    return same or mine or [run for run in ledger.checks if any(activity.target for activity in run.activities)]


def _is_of_a_formatter(activity: Activity) -> bool:
    return activity.program in programs_of("format") or "format" in activity.words or "fmt" in activity.words


def _covering(claim: ActionClaim, runs: list[CheckRun]) -> list[CheckRun]:
    """The runs over the part of the tree that a claim names (`clean for `tests/``); all of them where it names none, or none covers it."""
    part = wording("runs", "part").search(claim.text)
    covering = [run for run in runs if part and any(_covers(one, part["path"]) for one in run.activities)]
    return covering or runs


def _covers(activity: Activity, path: str) -> bool:
    given = [word.removeprefix("./").rstrip("/") for word in activity.words[1:] if not word.startswith("-")]
    places = [word for word in given if word not in _SUBCOMMANDS]
    return not places or any(f"{path.rstrip('/')}/".startswith(f"{word}/") or word == "." for word in places)


_SUBCOMMANDS = frozenset({"check", "lint", "run", "ci"})
_number = attrgetter("number")


def _callable_as(claim: ActionClaim, role: str) -> list[str]:
    """The words by one of which a script would call such a check."""
    return [claim.value] if claim.value else [*programs_of(role), *_ROLE_NOUNS.get(role, ())]


_ROLE_NOUNS = {"lint": ("lint", "check"), "types": ("types", "typecheck"), "build": ("build", "compile")}


def _shown_by_others(role: str, ledger: Ledger) -> bool:
    """Whether another run may show it: CI that was asked, or, since what was compiled was type-checked, a build."""
    if seen_runs.read_of_ci(ledger):
        return True
    built = (run for run in ledger.of("build") if role == "types" and run.outcome != "failed")
    return any(called("checks_types").search(f"{run.line} {output_of(run.call)}") for run in built)


def _compiled_since(bad: CheckRun, ledger: Ledger) -> bool:
    """Whether a later run of the same program went well, which it could not without the build."""
    program = bad.activities[-1].program
    if program in _RUNS_SCRIPTS:
        return False
    later = (run for name in ("test", "types") for run in ledger.of(name) if run.number > bad.number)
    return any(run.outcome == "passed" and run.activities[-1].program == program for run in later)


def _elsewhere_red(runs: Sequence[CheckRun], claim: ActionClaim, ledger: Ledger) -> list[CheckRun]:
    """A run of the same tool over other folders than the last one, which failed with nothing changed since; none where the words name a place."""
    last = runs[-1]
    changed = max((change.number for change in ledger.changes), default=-1)
    seen = {path.rstrip("/") for activity in last.activities for path in _paths_given(activity)}
    for run in reversed(runs[:-1]):
        paths = {path.rstrip("/") for activity in run.activities for path in _paths_given(activity)}
        same = run.role == last.role and {a.words[:2] for a in run.activities} == {a.words[:2] for a in last.activities}
        named = any(path in claim.text for path in paths | seen)
        over = any(path == other or path.startswith(f"{other}/") for path in paths for other in seen)
        if same and seen and paths and not over and not named and run.number > changed and run.outcome == "failed":
            return [run]
    return []


def _paths_given(activity: Activity) -> list[str]:
    """The files and folders that a linter was given; a dot stands for all, and is none of them."""
    return [word for word in activity.words[2:] if not word.startswith("-") and word != "."]


_RUNS_SCRIPTS = frozenset({"npm", "pnpm", "yarn", "bun"})
"""Programs whose tasks do not depend on each other: `npm test` needs no `npm run build`."""


def _last_of_each(runs: Sequence[CheckRun]) -> list[CheckRun]:
    return list({run.role: run for run in runs}.values())


# --- git -------------------------------------------------------------------------------------------------------

GitCall = tuple[int, ToolCall, Activity, ShellCommand]


def _git(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    ledger = trace.ledger
    turn = ledger.turns
    if not ledger.active and (claim.span is None or claim.span[0] > EARLY):
        return unverifiable("this turn did nothing, so the report may mean something else", there="not in the trace")
    mine = [entry for entry in ledger.git if entry[1].turn == turn]
    wanted = _wanted(claim.role or "")
    refused = {entry[1].id for entry in ledger.git if wanted(entry[2]) and _refused(claim.role or "", entry)}
    if claim.value and _shown(claim, [call for call in ledger.calls if call.id not in refused]):
        return supported("the trace shows it", claim.value)
    done = [entry for entry in mine if wanted(entry[2]) and not _refused(claim.role or "", entry)]
    if claim.role == "commit":  # an alias is known by what git prints
        done = done or [entry for entry in mine if tells("git", "commit", output_of(entry[1]))]
    if claim.role in ("branch", "on_branch") and claim.value:
        done = [entry for entry in done if claim.value in entry[2].words]
        where = _branch_shown(ledger.calls)
        if claim.role == "on_branch" and not done and (not where or where == claim.value):
            return unverifiable("nothing in the trace shows which branch it is on", there=where)
    elsewhere = any(work.turn == turn and _may_do_it(work) for work in ledger.opaque)
    other = _other_commit(claim, done)
    if other and trace.whole and not elsewhere:
        return contradicted("not_in_trace", "git printed another commit", other, done[-1][1].id)
    if done:
        return supported("the trace shows the command", "done", done[-1][1].id)
    if _before_this_turn(wanted, claim.role or "", ledger):
        return unverifiable("an earlier turn did it, and nothing was changed since", there="done before")
    failed = [entry for entry in mine if wanted(entry[2])]
    if (
        elsewhere
        or not trace.whole
        or any(
            called("git_by_others").search(f"{call.name} {command_of(call)}") for call in _of_turn(ledger.calls, turn)
        )
    ):
        return unverifiable("the trace has no such command, and something else may have done it", there="not in the trace")  # fmt: skip
    if failed:
        printed_last = output_of(failed[-1][1])[-80:].strip()
        return contradicted("wrong_exit_code", f"git {claim.role} failed", printed_last, failed[-1][1].id)
    return absent(trace, f"the trace has no git {claim.role} in this turn")


def _shown(claim: ActionClaim, calls: Sequence[ToolCall]) -> bool:
    """Whether something printed the name or the commit that is told."""
    value = claim.value or ""
    commit = _HASH.fullmatch(value) is not None
    named = re.compile(value[:7] if commit else re.escape(value) + r"(?![\w/-])")
    # A compiler prints `v0.3.0` too: the name of a branch or a tag counts where git, or a service for it, printed it.
    return any(named.search(output_of(call)) for call in calls if commit or called("git_like").search(_asked_of(call)))


def _asked_of(call: ToolCall) -> str:
    return command_of(call) or call.name


def _branch_shown(calls: Sequence[ToolCall]) -> str:
    """The branch that git last printed as the one it is on."""
    found = [
        match
        for call in calls
        if "git" in command_of(call)
        for match in output_pattern("git", "current").finditer(output_of(call))
    ]
    return next(filter(None, found[-1].groups()), "") if found else ""


def _may_do_it(work: OpaqueWork) -> bool:
    """Whether unseen work may have been git's: the hooks that a commit ran are not, and they may well have refused it."""
    return not tool(work.call).startswith("get") if work.kind == "tool" else work.writes or work.kind != "command"


def _before_this_turn(wanted: Callable[[Activity], bool], role: str, ledger: Ledger) -> bool:
    """Whether an earlier turn did it with nothing left to do it for: a report may tell of the whole session."""
    done = [entry for entry in ledger.git if wanted(entry[2]) and not _refused(role, entry)]
    last = max((change.number for change in (*ledger.changes, *ledger.refused)), default=-1)
    return bool(done) and done[-1][0] > last and not says("runs", "git", ledger.asked)


def _of_turn(calls: Sequence[ToolCall], turn: int) -> list[ToolCall]:
    return [call for call in calls if call.turn == turn]


def _other_commit(claim: ActionClaim, done: Sequence[GitCall]) -> str:
    """The commit that git printed where a report names another one; empty where one of them was made in silence."""
    if claim.role != "commit" or _HASH.fullmatch(claim.value or "") is None:
        return ""
    made = [output_pattern("git", "commit").findall(output_of(entry[1])) for entry in done]
    return made[-1][-1] if made and all(made) else ""


def _wanted(role: str) -> Callable[[Activity], bool]:
    """Whether a command is one that does it; one that only says what it would do is not."""
    names = listed(_NAMES[role]) if role in _NAMES else {role}
    return lambda activity: activity.target in names and not _only_tried(activity)


def _only_tried(activity: Activity) -> bool:
    if "--abort" in activity.words or "--dry-run" in activity.words:
        return True
    return activity.target == "push" and "-n" in activity.words


def _refused(role: str, entry: GitCall) -> bool:
    _, call, _, command = entry
    output = output_of(call)
    if command.code == 0:
        return False
    if role == "commit" and tells("git", "commit", output):
        return False
    refused = "no_commit" if role == "commit" else "rejected"
    return command.code not in (0, None) or call.ok is False or tells("git", refused, output)


# --- elsewhere -------------------------------------------------------------------------------------------------


def _effect(claim: ActionClaim, trace: TraceIndex, report: Report) -> Ruling:
    """The state of an effect outside of the tree, by the last call that may have brought it about."""
    pattern = called(claim.role or "")
    asked = [call for call in trace.ledger.calls if pattern.search(command_of(call) or "") or pattern.search(call.name)]
    if not asked:
        return unverifiable("the trace has no call that would have done it, and no probe confirms it", there="not in the trace")  # fmt: skip
    if tried := seen_runs.only_tried(pattern, trace, report):
        return tried
    last = asked[-1]
    waited = _waited_in_vain(trace) if claim.role == "deployed" else None
    if waited is not None and not admitted(report):
        return contradicted("wrong_exit_code", "waiting until it was there failed, and nothing showed it since", "refuted", waited.id)  # fmt: skip
    if _was_refused(last):
        # A merge with conflicts is finished by a commit; one that a service refused is not.
        for_good = claim.role != "merged" or called("merged_elsewhere").search(command_of(last) or last.name)
        if trace.whole and for_good and all(map(_was_refused, asked)) and not admitted(report):
            return contradicted("wrong_exit_code", "the last call for it failed", "refuted", last.id)
        return unverifiable("the last call for it failed", there="refuted")
    if tells("effects", "receipt", output_of(last)):
        return supported("the trace holds a receipt", "confirmed", last.id)
    if last.exit_code == 0 or last.ok is True:
        return unverifiable("the call succeeded but returned no receipt", there="submitted")
    return unverifiable("the trace has a call for it but not its result", there="asked")


def _waited_in_vain(trace: TraceIndex) -> ToolCall | None:
    """The last call that waited for something to be there, where each that did so failed and no command but git's followed; None elsewhere."""
    calls = trace.ledger.calls
    waits = [number for number, call in enumerate(calls) if called("waits").search(command_of(call))]
    if not trace.whole or not waits or not all(_was_refused(calls[number]) for number in waits):
        return None
    since = (command_of(call) for call in calls[waits[-1] + 1 :] if is_command(call))
    return calls[waits[-1]] if all(line.startswith("git ") for line in since) else None


def _was_refused(call: ToolCall) -> bool:
    """Whether a call failed, by its exit code or, where a pipe hides that, by what it printed last."""
    if call.ok is False or call.exit_code not in (0, None):
        return True
    own = [part.code for part in commands_of(command_of(call), call.exit_code)]
    return None in own and tells("effects", "refused", output_of(call)[-LAST:])


LAST = 600
"""So many signs of an output are its end, where a program says that it broke off."""
