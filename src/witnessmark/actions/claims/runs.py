"""Claims about what was run against the trace: commands and requests here, test runs in `test_runs`. Without a trace they cannot be said.

A trace that does not hold everything that was done says nothing by what it lacks. A command told in words is not held to the
letter. Knows nothing about files.
"""

from __future__ import annotations

import re
from typing import Any

from witnessmark.actions.claim import ActionClaim, Ruling, absent, contradicted, supported, unverifiable
from witnessmark.actions.claims import seen_runs, test_runs
from witnessmark.actions.claims.wordings import says, wording
from witnessmark.actions.report.lexicon import language
from witnessmark.actions.report.report import NO_REPORT, Report
from witnessmark.actions.report.runs import mentions_in, search_runs, went_well_after
from witnessmark.actions.trace.activities import activity_of, listed
from witnessmark.actions.trace.calls import ToolCall, command_of, field
from witnessmark.actions.trace.changes import is_test
from witnessmark.actions.trace.index import CommandRun, TraceIndex, has_option, normal, words_of
from witnessmark.actions.trace.ledger import CheckRun
from witnessmark.actions.trace.parts import beside, may_cover
from witnessmark.actions.trace.scope import may_hide, narrowed, tasks_name
from witnessmark.actions.trace.shell import commands_of
from witnessmark.text.patterns import compiled

_STATUS_KEYS = ("status", "status_code", "statusCode", "code")
_TYPED = compiled(r"[a-z./][\w./-]* \S|[\w./-]+\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl|php|ps1)$")
"""A program with something that it was given, or a script."""


def rule(
    claim: ActionClaim, trace: TraceIndex | None, why_not: str, later_same: bool = False, report: Report = NO_REPORT
) -> Ruling:
    """One claim about something that was run; `later_same` says that a later claim is about the same thing.

    `report` is the whole text that a claim in words was read from.
    """
    if trace is None:
        return unverifiable(f"{why_not}, so it cannot be shown that this was run", "trace_unresolved", "no trace")
    if claim.kind == "command":
        return _only_shown(claim, trace, report) or _command(claim, trace, later_same, report)
    if claim.kind == "tests_passed":
        return seen_runs.told_of_ci(claim, trace.ledger, report) or test_runs.rule(claim, trace, report)
    return _request(claim, trace)


def _command(claim: ActionClaim, trace: TraceIndex, later_same: bool, report: Report) -> Ruling:
    wanted = normal(claim.command or "")
    if not wanted:
        return _of_kind(claim, trace)
    runs = trace.commands.get(wanted) or (_told(wanted, trace) if claim.by == "report" else None)
    if not runs:
        alike = _alike(wanted, trace)
        of_others = beside(wanted, alike, trace.root)
        if claim.by == "report" and not of_others and _same_kind(wanted, trace):
            return unverifiable("the trace has another command of the same tool", there="another command")
        whole = is_test(wanted) and any(not narrowed(run) for run in trace.ledger.of("test"))
        if claim.by == "report" and not of_others and (whole or may_cover(wanted, alike, trace.root)):
            return unverifiable("a run over more may have had these", there="another command")
        if claim.by == "report" and _only_mentioned(claim, trace, report):
            return unverifiable(
                "the trace has no such command, and the words may only mention it", there="not in the trace"
            )
        unseen = _hidden if of_others else _out_of_sight
        if (claim.role == "ran" or _bare_tool(claim)) and unseen(_tool(wanted), trace):
            return unverifiable("the trace has no such command, and a script may have run it", there="not in the trace")
        return absent(trace, "the trace has no such command")
    last = runs[-1]
    if claim.exit_code is None:
        if claim.by == "report" and _told_well(claim, report) and _failed_for_good(_tool(wanted), last, trace):
            return contradicted("wrong_exit_code", "the trace shows that it failed", "failed", last.call.id)
        return supported("the trace shows that it ran", "run", last.call.id)
    fitting = [run for run in runs if run.exit_code == claim.exit_code]
    if last.exit_code == claim.exit_code or (later_same and fitting):
        return supported(
            f"the trace shows that it ended with {claim.exit_code}",
            f"exit code {claim.exit_code}",
            (fitting or runs)[-1].call.id,
        )
    if last.exit_code is None:
        there = "no exit code" if last.told else "part of a line whose exit code is not its own"
        seen = [run.outcome for run in trace.ledger.checks if run.call.id == last.call.id]
        failed = claim.exit_code == 0 and (last.failed or "failed" in seen)
        if failed:
            return contradicted("wrong_exit_code", "the trace shows that it failed", "failed", last.call.id)
        return unverifiable("the trace shows that it ran, but not how it ended", "unverifiable_claim", there)
    return contradicted(
        "wrong_exit_code",
        "the trace shows that it ended with another exit code",
        f"exit code {last.exit_code}",
        last.call.id,
    )


def _only_shown(claim: ActionClaim, trace: TraceIndex, report: Report) -> Ruling | None:
    """The ruling on a command told as run of which every run had an option to only show what it would do; None where that is open.

    A check that only looks is told of without as well, and a report that has a word for it anywhere says what was done.
    """
    typed = tuple((claim.command or "").split())
    own, before = activity_of(typed), claim.text.partition(claim.command or "\n")[0].lower()
    if claim.by != "report" or len(typed) < 2 or own.roles - _REACHES_OUT or not trace.whole:
        return None
    if any(has_option(word, typed) or word in typed for word in listed("dry")) or not search_runs(
        "commands", "only_runs", before
    ):
        return None
    if any(search_runs("unseen", name, report.low) for name in ("tried", "looked")):
        return None
    runs = [run for run in trace.session_runs() if run.program == own.program]
    options = [
        next((word for word in run.words if word.startswith("--") and word in listed("dry")), "") for run in runs
    ]
    open_ = not all(options) or may_hide(trace.ledger, [own.program], trace.root) is not None
    if open_ or not runs:
        return None
    return contradicted("not_in_trace", f"it was only run with `{options[-1]}`", "dry run", runs[-1].call.id)


_REACHES_OUT = frozenset({"deploy", "publish"})


def _of_kind(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    """A claim that names no command: `I ran the tests` is borne out where the trace has a run of each check that it names."""
    roles = {role for each in mentions_in(claim.text.lower()) for role in each.roles}
    ran = [run for run in trace.ledger.checks if run.role in roles and run.outcome != "not_run"]
    if claim.by == "report" and roles and roles == {run.role for run in ran}:
        return supported("the trace shows that it ran", "run", ran[-1].call.id)
    return unverifiable("the claim names no command", there="not looked at")


def _bare_tool(claim: ActionClaim) -> bool:
    """Whether a claim in words names a tool by its name alone, without signs, that is no plain word too: `I ran mypy`."""
    named = list(mentions_in((claim.command or "").lower())) if "`" not in claim.text else []
    return claim.by == "report" and len(named) == 1 and named[0].tool == (claim.command or "").lower()


def _out_of_sight(tool: str, trace: TraceIndex) -> bool:
    """Whether a script, a task of the project or a program that nobody knows may have run a tool."""
    return _hidden(tool, trace) or tasks_name(trace.ledger, [tool], trace.root)


def _hidden(tool: str, trace: TraceIndex) -> bool:
    return may_hide(trace.ledger, [tool], trace.root) is not None


def _told_well(claim: ActionClaim, report: Report) -> bool:
    """Whether the words after a command say that it went well, and nothing near them says otherwise."""
    if claim.span is None:
        return False
    said = report.part_of(claim).lower()
    at = said.find((claim.command or "\n").lower())
    return at >= 0 and went_well_after(said, at, at + len(claim.command or ""), language("en"))


NOT_FOUND = 127


def _failed_for_good(tool: str, last: CommandRun, trace: TraceIndex) -> bool:
    """Whether the last run of a command certainly failed, with nothing after it that could have mended or repeated it."""
    since = any(change.number > last.number for change in trace.ledger.changes)
    if last.exit_code == NOT_FOUND:
        return trace.whole and may_hide(trace.ledger, [tool], trace.root, last.number, bare=False) is None
    if not listed("code_tells").isdisjoint(command_of(last.call).split()):
        return False
    return last.failed and trace.whole and not since and trace.ledger.opaque_after(last.number) is None


def _same_kind(wanted: str, trace: TraceIndex) -> bool:
    """Whether the trace has another command of the same tool that may be the one that is meant: `cargo test` is no `cargo clippy`."""
    if _foreign(wanted, trace):
        return False
    roles = activity_of(tuple(wanted.split())).roles
    others = (activity_of(tuple(line.split())) for line in trace.lines_with(_tool(wanted)))
    return any(not roles or not other.roles or other.roles & roles for other in others)


def _alike(wanted: str, trace: TraceIndex) -> list[CheckRun]:
    """The runs of the kind of check that a command is."""
    roles = {role for part in commands_of(wanted) for role in activity_of(part.words).roles}
    return [run for run in trace.ledger.checks if run.role in roles and run.outcome != "not_run"]


_JOINTS = frozenset({"run", "exec", "compose"})
"""Words of a command that only lead to what it runs."""


def _foreign(wanted: str, trace: TraceIndex) -> bool:
    """Whether a command has an option or a subcommand that nothing in the trace has: `bazel test --config=asan`, `manage.py migrate`."""
    own = [word for word in words_of(wanted)[1:] if word.startswith("--") and len(word) > 4]
    second = words_of(wanted)[1:2]
    least = 3 if activity_of(tuple(wanted.split())).roles == {"read"} else 5  # a shorter one may be a file or a name
    if any("." in word or "/" in word for word in second) or not all(
        word.isalpha() and len(word) >= least for word in second
    ):
        second = []
    if words_of(wanted)[:1] == ["git"]:
        second = words_of(wanted)[1:2]
    elif not activity_of(tuple(wanted.split())).roles:
        second = [word for word in words_of(wanted)[1:4] if re.fullmatch(r"[a-z][\w:-]+", word) and word not in _JOINTS]
    if not {"./...", "//..."}.isdisjoint(wanted.split()) and _of_packages(wanted, trace):
        return True
    given = [word.partition("=")[0] for word in own[:1]]
    if any(not any(has_option(option, line.split()) for line in trace.commands) for option in given):
        return True
    return any(not trace.lines_with(word) for word in second)


def _of_packages(wanted: str, trace: TraceIndex) -> bool:
    """Whether a command that goes over all packages was only run for some that it was given by name: `go test ./cache/`."""
    told = activity_of(tuple(wanted.split()))
    mine = trace.lines_with(" ".join(wanted.split()[:2]))
    named = all(any("/" in word for word in line.split()[2:]) for line in mine)
    by_others = any(one.program != told.program for run in trace.ledger.checks if run.role in told.roles for one in run.activities)  # fmt: skip
    return bool(mine) and named and not by_others and not any("..." in line for line in mine)


def _only_mentioned(claim: ActionClaim, trace: TraceIndex, report: Report) -> bool:
    """Whether the words say no more than the command's name, or the turn did nothing that it could be part of."""
    named = claim.text.find(claim.command or "")
    before = claim.text[: named if named > 0 else None]
    by_me = says("runs", "by_me", before)
    mine = by_me and _TYPED.match(claim.command or "") is not None
    alone = " " not in (claim.command or "") and not (_bare_tool(claim) and by_me)
    if alone and (f"`{claim.command}`" not in report.text or (claim.command or "").isupper()):
        return True  # one word that is no code, or one in capitals, is a word of something else
    if claim.role == "ran" and trace.ledger.active:
        return False
    if not activity_of(tuple((claim.command or "").split())).roles and not mine:
        return True  # a program that is not known here may be a name for something else
    after = report.text[claim.span[1] : claim.span[1] + 40] if claim.span is not None else ""
    told = mine or says("runs", "ran", before) or wording("runs", "result").match(after)
    # Where the only turn did nothing at all, whoever says `I ran x` means this one.
    return not told or not (trace.ledger.active or not trace.ledger.turns or (mine and trace.ledger.turns == 1))


def _told(wanted: str, trace: TraceIndex) -> list[CommandRun]:
    """Runs of a command that was told in words: with all of the words, whatever else it was typed with.

    Of a line with several commands the shortest part that has them all counts, since its exit code is the one that is meant. A file that
    is said to be run was not run by a look at it, or by git, where something else ran with it.
    """
    best: dict[int, tuple[int, CommandRun]] = {}
    having = trace.lines_with(wanted)
    looks = listed("shows") if " " not in wanted else frozenset()
    ran = [line for line in having if activity_of(tuple(line.split())).program not in looks]
    for line in ran or having:
        for run in trace.commands[line]:
            if run.number not in best or len(line) < best[run.number][0]:
                best[run.number] = (len(line), run)
    return [best[number][1] for number in sorted(best)]


def _tool(command: str) -> str:
    return next((word for word in words_of(command) if word[0].isalnum()), command)


# --- requests ----------------------------------------------------------------------------------------------------


def _request(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    calls = trace.requests.get(claim.url or "")
    if not calls:
        return absent(trace, "the trace has no request to this address")
    if claim.status is None:
        return supported("the trace shows the request", "requested", calls[-1].id)
    codes = [(_status(call), call.id) for call in calls]
    for code, call_id in reversed(codes):
        if code == claim.status:
            return supported(f"the trace shows status {code}", f"status {code}", call_id)
    code, call_id = codes[-1]
    if code is None:
        return unverifiable("the trace shows the request, but not its status", there="no status")
    return contradicted("contradicted_claim", "the trace shows another status", f"status {code}", call_id)


def _status(call: ToolCall) -> int | None:
    told: Any = field(call.output, _STATUS_KEYS)
    return told if type(told) is int else None
