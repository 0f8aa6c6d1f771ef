"""Checks that passed, commits, pushes and effects elsewhere against the trace, and against git where the tree has it.

An effect outside of the tree has a state: asked (a call was made), submitted (it ended well), confirmed (a receipt came back),
refuted (it failed). Without a receipt it is unverifiable, never untrue. Knows nothing about files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.probes import EffectProbe, ask
from witnessmark.actions.claims.ruling import Ruling, absent, contradicted, supported, unverifiable
from witnessmark.actions.claims.test_runs import admits, printed
from witnessmark.actions.trace.activities import Activity
from witnessmark.actions.trace.calls import command_of, output_of, tool
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.ledger import CheckRun, Ledger, OpaqueWork, code_changes
from witnessmark.actions.trace.shell import ShellCommand
from witnessmark.actions.trace.trace import ToolCall

EARLY = 80
"""A report that is about a commit says so in its first words."""
_COMMITS = frozenset({"commit", "merge", "rebase", "cherry-pick", "revert", "am", "pull"})
_NAMES = {"commit": _COMMITS, "branch": frozenset({"branch", "checkout", "switch", "worktree"})}
"""The commands of git that do what a role says, where they are not called like it."""
_HASH = re.compile(r"[0-9a-f]{7,40}")
_MADE = re.compile(r"^\[[^\]\n]{1,200} (?:\(root-commit\) )?([0-9a-f]{7,40})\]", re.MULTILINE)
_NOTHING = re.compile(
    r"nothing to commit|no changes added to commit|nothing added to commit|^error: |^fatal: |hook failed", re.MULTILINE
)
_REJECTED = re.compile(r"\[rejected\]|failed to push|^fatal: |^error: |Everything up-to-date", re.MULTILINE)
_ASKED = re.compile(r"\b(?:commit|push|tag|branch)", re.IGNORECASE)
_BY_SERVER = re.compile(
    r"^mcp__\S*(?:git|commit|push)|\bgh (?:pr (?:merge|create)|repo sync|release)|\bgh api\b.*(?:contents|merges|git/)|\bjj\b|\bgt\b"
)
"""Other ways to commit and push than git itself."""
_RECEIPT = re.compile(
    r"https?://\S+|\b(?:merged|sent|created|published|deployed|posted|succeeded|\"id\"|\"ok\":\s*true|status\W{1,3}2\d\d)\b",
    re.IGNORECASE,
)
_EFFECTS = {
    "deployed": r"\bdeploy|\bvercel\b|\bnetlify\b|\bfly\b|\bheroku\b|kubectl (?:apply|rollout)|helm (?:upgrade|install)|terraform apply|serverless|gcloud|wrangler",
    "merged": r"\bgh pr merge|\bgit merge|merge_pull_request|glab mr merge",
    "opened": r"\bgh (?:pr|issue) create|\bgh api|create_pull_request|create_issue|glab (?:mr|issue) create|hub pull-request",
    "published": r"\bpublish\b|\bgh release create|twine upload|goreleaser|docker push|create_release",
    "emailed": r"mail|smtp|send|notify|slack|message",
    "migrated": r"migrat|alembic|flyway|prisma|knex|rake db|manage\.py",
    "posted": r"comment|reply|review|\bgh (?:api|pr|issue)|post|curl",
}
_ROLE_WORDS = {"lint": "linter", "types": "type checker", "build": "build", "format": "formatter", "any": "check"}


def rule(
    claim: ActionClaim,
    trace: TraceIndex | None,
    why_not: str,
    root: str | None = None,
    report: str = "",
    probes: Mapping[str, EffectProbe] | None = None,
) -> Ruling:
    """One claim about a check, git or an effect elsewhere; `root` is the tree, whose git may bear it out.

    `report` is the whole text that a claim in words was read from; `probes` are those that the user registered, by effect.
    """
    if claim.kind == "git" and claim.value and root is not None and _known_to_git(claim, Path(root)):
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
        return _figure(claim, trace) if claim.role in ("coverage", "bench") else _check(claim, trace, report)
    return _git(claim, trace) if claim.kind == "git" else _effect(claim, trace)


def _figure(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    from witnessmark.actions.claims import figures  # most reports tell none

    return figures.rule(claim, trace)


# --- linters, types, builds ------------------------------------------------------------------------------------


def _check(claim: ActionClaim, trace: TraceIndex, report: str) -> Ruling:
    ledger, role = trace.ledger, claim.role or "any"
    roles = (
        ("lint", "types", "build", "test")
        if role == "any"
        else ("build", "test", "types")
        if role == "build"
        else (role,)
    )
    runs = sorted((run for name in roles for run in ledger.of(name)), key=lambda run: run.number)
    if not runs:
        hidden = any(work.testlike or work.kind != "tool" for work in ledger.opaque)
        if hidden or role in ("any", "format") or not _says_so(claim):
            return unverifiable(f"the trace has no run of a {_ROLE_WORDS.get(role, role)}", there="not in the trace")
        return absent(trace, f"the trace has no run of a {_ROLE_WORDS.get(role, role)}")
    last = _last_of_each(runs) if role == "any" else [runs[-1]]
    bad = [run for run in last if run.outcome == "failed" and run.sure and not ledger.opaque_after(run.number)]
    if bad and claim.by == "report" and admits(report):
        return unverifiable("the last run failed, and the report speaks of failures itself", there=printed(bad[-1]))
    mended = [change.number for change in code_changes(ledger)]
    mended += [run.number for run in ledger.of("format")]  # it mends much of what a linter finds
    if bad and any(number > bad[-1].number for number in mended):
        return unverifiable("the last run failed, and code was changed since", there=printed(bad[-1]))
    if bad and trace.whole:
        return contradicted(
            "wrong_exit_code",
            f"the last run of the {_ROLE_WORDS.get(role, role)} failed",
            printed(bad[-1]),
            bad[-1].call.id,
        )
    if any(run.outcome in ("failed", "unknown") for run in last):
        return unverifiable("the trace has a run, but how it ended is unclear", there=printed(last[-1]))
    return supported("the last run in the trace succeeded", printed(last[-1]), last[-1].call.id)


def _says_so(claim: ActionClaim) -> bool:
    """Whether the words are about a check of its own; a build may be shown by anything that ran."""
    return claim.role in ("lint", "types")


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
    if claim.value and any(claim.value[:7] in output_of(call) for call in ledger.calls):
        return supported("the trace shows it", claim.value)
    wanted = _wanted(claim.role or "")
    done = [entry for entry in mine if wanted(entry[2]) and not _refused(claim.role or "", entry)]
    if claim.role == "commit":  # an alias is known by what git prints
        done = done or [entry for entry in mine if _MADE.search(output_of(entry[1]))]
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
        or any(_BY_SERVER.search(f"{call.name} {command_of(call)}") for call in _of_turn(ledger.calls, turn))
    ):
        return unverifiable(
            "the trace has no such command, and something else may have done it", there="not in the trace"
        )
    if failed:
        return contradicted(
            "wrong_exit_code", f"git {claim.role} failed", output_of(failed[-1][1])[-80:].strip(), failed[-1][1].id
        )
    return absent(trace, f"the trace has no git {claim.role} in this turn")


def _may_do_it(work: OpaqueWork) -> bool:
    """Whether unseen work may have been git's: the hooks that a commit ran are not, and they may well have refused it."""
    return not tool(work.call).startswith("get") if work.kind == "tool" else work.writes or work.kind != "command"


def _before_this_turn(wanted: Callable[[Activity], bool], role: str, ledger: Ledger) -> bool:
    """Whether an earlier turn did it with nothing left to do it for: a report may tell of the whole session."""
    done = [entry for entry in ledger.git if wanted(entry[2]) and not _refused(role, entry)]
    last = max((change.number for change in (*ledger.changes, *ledger.refused)), default=-1)
    return bool(done) and done[-1][0] > last and _ASKED.search(ledger.asked) is None


def _of_turn(calls: Sequence[ToolCall], turn: int) -> list[ToolCall]:
    return [call for call in calls if call.turn == turn]


def _other_commit(claim: ActionClaim, done: Sequence[GitCall]) -> str:
    """The commit that git printed where a report names another one; empty where one of them was made in silence."""
    if claim.role != "commit" or _HASH.fullmatch(claim.value or "") is None:
        return ""
    made = [_MADE.findall(output_of(entry[1])) for entry in done]
    return made[-1][-1] if made and all(made) else ""


def _wanted(role: str) -> Callable[[Activity], bool]:
    """Whether a command is one that does it; one that only says what it would do is not."""
    names = _NAMES.get(role, frozenset({role}))
    return lambda activity: activity.target in names and not _only_tried(activity)


def _only_tried(activity: Activity) -> bool:
    return "--dry-run" in activity.words or (activity.target == "push" and "-n" in activity.words)


def _refused(role: str, entry: GitCall) -> bool:
    _, call, _, command = entry
    output = output_of(call)
    if command.code == 0:
        return False
    if role == "commit" and _MADE.search(output):
        return False
    pattern = _NOTHING if role == "commit" else _REJECTED
    return command.code not in (0, None) or call.ok is False or pattern.search(output) is not None


def _known_to_git(claim: ActionClaim, root: Path) -> bool:
    """Whether the repository has the branch, tag or commit that is named: a look at git's own files, no command."""
    name, folder = claim.value or "", root / ".git"
    if not folder.is_dir() or ".." in name or name.startswith(("/", "-")):
        return False
    if claim.role == "commit":
        return (folder / "objects" / name[:2]).is_dir() and any((folder / "objects" / name[:2]).glob(f"{name[2:]}*"))
    kind = "tags" if claim.role == "tag" else "heads"
    packed = folder / "packed-refs"
    listed = (
        packed.is_file()
        and packed.stat().st_size < 8_000_000
        and f" refs/{kind}/{name}\n" in packed.read_text("utf-8", "replace")
    )
    return listed or (folder / "refs" / kind / name).is_file()


# --- elsewhere -------------------------------------------------------------------------------------------------


def _effect(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    """The state of an effect outside of the tree, by the last call that may have brought it about."""
    pattern = re.compile(_EFFECTS.get(claim.role or "", r"$^"), re.IGNORECASE)
    asked = [call for call in trace.ledger.calls if pattern.search(command_of(call) or "") or pattern.search(call.name)]
    if not asked:
        return unverifiable(
            "the trace has no call that would have done it, and no probe confirms it", there="not in the trace"
        )
    last = asked[-1]
    if last.ok is False or last.exit_code not in (0, None):
        reason = "the last call for it failed"
        if trace.whole and len(asked) == 1 and claim.role != "merged":  # a merge with conflicts is finished by a commit
            return contradicted("wrong_exit_code", reason, "refuted", last.id)
        return unverifiable(reason, there="refuted")
    if _RECEIPT.search(output_of(last)):
        return supported("the trace holds a receipt", "confirmed", last.id)
    if last.exit_code == 0 or last.ok is True:
        return unverifiable("the call succeeded but returned no receipt", there="submitted")
    return unverifiable("the trace has a call for it but not its result", there="asked")
