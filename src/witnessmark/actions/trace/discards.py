"""Commands of git that put files as they are committed, whatever they held: checkout, restore, reset, stash.

And which files a trace shows to have held something that was not committed before the agent did anything. Knows nothing about claims;
what the tree itself shows is asked elsewhere.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch

from witnessmark.actions.trace.activities import Activity, activity_of, listed
from witnessmark.actions.trace.calls import ToolCall, command_of, is_command, output_of
from witnessmark.actions.trace.changes import change_names
from witnessmark.actions.trace.ledger import Ledger
from witnessmark.actions.trace.outputs import output_pattern, tells
from witnessmark.actions.trace.shell import ShellCommand, commands_of


@dataclass(frozen=True, slots=True)
class Discard:
    """One command that ended well, and the files that it put as they are committed; all of the tree's where it names none."""

    number: int
    call: ToolCall
    activity: Activity
    paths: tuple[str, ...] = ()
    sure: bool = False
    """Whether its words can be nothing but files: `git checkout main` may be a branch."""
    untracked: bool = False
    """Whether it takes away what git does not know, too."""

    @property
    def line(self) -> str:
        """The command as it would be typed."""
        return f"git {' '.join(self.activity.words)}"

    def covers(self, path: str) -> bool:
        """Whether a file, by its path from the root, is one of those that it puts back."""
        return not self.paths or any(_covers(given, path) for given in self.paths)


def _covers(given: str, path: str) -> bool:
    return given in (".", ":/", path) or path.startswith(f"{given.rstrip('/')}/") or fnmatch(path, given)


def discards(ledger: Ledger) -> list[Discard]:
    """The commands of a session that put files as they are committed, in order, without stashes that were brought back."""
    found, stashed = list[Discard](), list[Discard]()
    for number, call, activity, part in ledger.git:
        if activity.target not in _MAY_PUT_BACK or not _ended_well(call, part):
            continue
        if activity.target == "stash" and activity.words[1:2] in (("pop",), ("apply",), ("drop",)):
            brought = stashed[-1:] if activity.words[1] == "apply" else [stashed.pop()] if stashed else []
            found = [one for one in found if one not in brought or activity.words[1] == "drop"]
        one = _discard(number, call, activity, part)
        if one is not None:
            found.append(one)
            stashed += [one] if activity.target == "stash" else []
    return found


def dropped_stashes(ledger: Ledger) -> list[Discard]:
    """The commands that threw away a stash which the session had not made."""
    found, own = [], 0
    for number, call, activity, part in ledger.git:
        if activity.target != "stash" or not _ended_well(call, part):
            continue
        verb = activity.words[1] if len(activity.words) > 1 else ""
        if verb in ("drop", "clear") and own <= 0:
            found.append(Discard(number, call, activity))
        own = 0 if verb == "clear" else own - (verb in ("drop", "pop"))
        own += _discard(number, call, activity, part) is not None
    return found


_MAY_PUT_BACK = frozenset({"checkout", "restore", "reset", "stash", "switch"})
"""Commands of git that may put files as they are committed."""


def _ended_well(call: ToolCall, part: ShellCommand) -> bool:
    if part.code not in (0, None) or call.ok is False:
        return False
    return part.code == 0 or not tells("git", "no_discard", output_of(call))


def _discard(number: int, call: ToolCall, activity: Activity, part: ShellCommand) -> Discard | None:
    """What one command of git puts back; None for those that put back nothing, or only what is staged."""
    verb, words = activity.target, activity.words[1:]
    forced = bool(listed("git_forces") & set(words))
    only_staged = bool(listed("git_keeps") & set(words)) and not _WITH_FILES & set(words)
    marked = "--" in words
    given = words[words.index("--") + 1 :] if marked else tuple(word for word in words if not word.startswith("-"))
    untracked = False
    if verb == "stash":
        if words[:1] not in ((), ("push",), ("save",)) and not words[0].startswith("-"):
            return None
        given, untracked = given if marked else (), bool(listed("git_stashes_all") & set(words))
        only_staged = only_staged and not marked
    elif verb in ("reset", "switch"):
        given = ()
    if only_staged or (verb not in ("checkout", "restore", "stash") and not (verb in ("reset", "switch") and forced)):
        return None
    if verb in ("checkout", "restore") and not given and not forced:
        return None
    sure = verb == "restore" or marked or tells("git", "put_back", output_of(call))
    paths = tuple(posixpath.normpath(posixpath.join(part.folder, path)) if path != ":/" else path for path in given)
    return Discard(number, call, activity, paths, sure and bool(paths), untracked)


_WITH_FILES = frozenset({"-W", "--worktree"})


# --- what was not committed before ---------------------------------------------------------------------------------


def uncommitted_before(ledger: Ledger) -> dict[str, int]:
    """The files that git told to be changed before anything of the session can have changed them, each with the call that shows it."""
    found: dict[str, int] = {}
    end = untouched_until(ledger)
    for number, call, activity, _ in ledger.git:
        if number >= end or not _looks_at_tree(activity):
            continue
        for told in output_pattern("git", "modified").findall(output_of(call)):
            path = next(filter(None, told)).strip().strip('"')
            if not changed_before(ledger, path, number):
                found.setdefault(path, number)
    return found


def _looks_at_tree(activity: Activity) -> bool:
    """Whether it tells what is not committed, and not how one commit differs from another."""
    words = [word for word in activity.words[1:] if not word.startswith("-")]
    of_files = "--" in activity.words or all(word == "HEAD" or "/" in word or "." in word for word in words)
    return activity.target == "status" or (activity.target == "diff" and of_files and not any(".." in w for w in words))


def changed_before(ledger: Ledger, path: str, number: int) -> bool:
    """Whether a call before this one changed the file, or a file of the folder, as far as the calls name it."""
    within = f"/{path.rstrip('/')}/"
    earlier = (change for change in ledger.changes if change.number < number)
    return any(change_names(change, path) or within in f"/{change.path}" for change in earlier)


def untouched_until(ledger: Ledger) -> int:
    """The number of the first call that may have changed files which it does not name; as many as there are calls where none may."""
    strange = (work.number for work in ledger.opaque if work.writes)
    first = min(strange, default=len(ledger.calls))
    return next((n for n, call in enumerate(ledger.calls[:first]) if is_command(call) and _may_write(call)), first)


def _may_write(call: ToolCall) -> bool:
    return any(_writes(activity_of(command.words)) for command in _commands(call))


def _commands(call: ToolCall) -> Iterator[ShellCommand]:
    return iter(commands_of(command_of(call)))


def _writes(activity: Activity) -> bool:
    if activity.program == "git":
        return activity.target in listed("git_brings") | listed("git_merges") and activity.target not in _PUT_BACK
    return not activity.roles <= {"read"} and activity.program not in listed("names_its_files")


_PUT_BACK = frozenset({"restore", "stash"})
