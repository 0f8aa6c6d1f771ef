"""What was run, by command, by address, by test run and by file, and everything that a session was given and printed."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from witnessmark.actions.trace import calls
from witnessmark.actions.trace.activities import Activity, activity_of, listed, unwrapped
from witnessmark.actions.trace.calls import ToolCall, Trace, command_of, exit_code_of, is_command, output_of
from witnessmark.actions.trace.changes import FileChange, in_folder
from witnessmark.actions.trace.ledger import Ledger, ledger_of
from witnessmark.actions.trace.options import arguments
from witnessmark.actions.trace.outcomes import with_crash
from witnessmark.actions.trace.removals import Removal
from witnessmark.actions.trace.shell import ShellCommand, commands_of
from witnessmark.text.patterns import compiled


@dataclass(frozen=True, slots=True)
class SessionRun:
    """One simple command: its place among the calls, its words behind whatever runs it, and its own exit code where that is known."""

    number: int
    call: ToolCall
    program: str
    words: tuple[str, ...]
    code: int | None
    last: bool
    """Whether the last turn ran it."""
    verb: str
    """What the program was told to do: its first word that is no option, and no option's value."""

    @property
    def output(self) -> str:
        """What the call printed."""
        return output_of(self.call)


def commands_run(ledger: Ledger) -> Iterator[SessionRun]:
    """Every simple command of a session, in order."""
    for number, call in enumerate(ledger.calls):
        if not is_command(call):
            continue
        code = exit_code_of(call)
        code = 1 if code is None and call.ok is False else code
        for part in with_crash(commands_of(command_of(call), None if call.background else code), output_of(call)):
            program, words = run_by(part.words)
            yield SessionRun(number, call, program, words, part.code, call.turn == ledger.turns, verb_of(words))


def run_by(typed: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The program of a command as it is typed, and its words behind whatever runs it."""
    activity = activity_of(typed)
    return activity.program, ("git", *activity.words) if activity.program == "git" else activity.words


def verb_of(words: Sequence[str]) -> str:
    """What a program is told to do: its first word that is no option, and no option's value."""
    return next(iter(arguments(posixpath.basename(words[0]), words[1:])), "") if words else ""


def has_option(option: str, words: Sequence[str]) -> bool:
    """Whether a command has an option: as it is, among others of one letter, or in its long or short form."""
    for word in words[1:]:
        bare = word.partition("=")[0]
        if not word.startswith("-"):
            continue
        if bare.lstrip("-") == option.lstrip("-"):
            return True
        long, short = (bare, option) if bare.startswith("--") else (option, bare)
        if len(long) > 2 and long.startswith("--") and not short.startswith("--") and long[2] in short[1:].lower():
            return True
        if not option.startswith("--") and len(option) <= 3 and set(option[1:]) <= set(bare.lstrip("-")):
            return True
    return False


CUT = compiled(
    r"\b(?:truncated|left out|omitted|elided)\b|(?<![\d,.])[,.]*+\d[\d,.]*+k? (?:\w+ )?characters\b|\bmore lines\b|\[\.\.\.|…\s*$",
    re.IGNORECASE | re.MULTILINE,
)
"""Words that stand for a part of an output that is not shown: what nobody sees may have stood in it."""


MAX_SEARCHED = 1_000_000
"""So many characters of a session are looked through; a longer one is not known to lack anything."""


@dataclass(frozen=True)
class SessionTexts:
    """The texts of some calls: what they were given, and what they printed."""

    calls: Sequence[ToolCall]
    said: str = ""
    """What the person said."""

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """What each call printed."""
        return tuple(map(output_of, self.calls))

    @cached_property
    def given(self) -> tuple[str, ...]:
        """Every text and figure that the calls were given, and the names of the fields: a file may be one."""
        return tuple(text for call in self.calls for text in _texts(call.input))

    @cached_property
    def cut(self) -> bool:
        """Whether a part of what was printed is not shown."""
        return any(CUT.search(text) for text in self.shown)

    @cached_property
    def everything(self) -> str:
        """All that was printed, given and said."""
        return "\n".join((*self.shown, *self.given, self.said))

    @cached_property
    def complete(self) -> bool:
        """Whether all of it is here, and not too much to look through."""
        size = sum(len(text) + 1 for text in (*self.shown, *self.given)) + len(self.said)
        return size < MAX_SEARCHED and not self.said.endswith("…") and "…\n" not in self.said and not self.cut

    def has(self, words: str) -> bool:
        """Whether these words, as they are written, were given or printed."""
        return any(words in text for text in (*self.shown, *self.given))


def _texts(value: Any) -> Iterator[str]:
    """The texts and figures in a value, and the names of its fields."""
    stack = [value]
    while stack:
        inner = stack.pop()
        if isinstance(inner, dict):
            stack += inner.values()
            yield from inner
        elif isinstance(inner, list | tuple):
            stack += inner
        elif isinstance(inner, str | int | float):
            yield str(inner)


@dataclass(frozen=True, slots=True)
class CommandRun:
    """One run of a command: which call, at which place in the trace, and its own exit code where that can be told."""

    call: ToolCall
    number: int
    exit_code: int | None
    told: bool
    crashed: bool = False
    """Whether a part of it was ended by an exception, though the whole ended with 0."""

    @property
    def failed(self) -> bool:
        """Whether it certainly failed."""
        return (
            self.crashed
            or self.exit_code not in (0, None)
            or (self.exit_code is None and self.told and self.call.ok is False)
        )


@dataclass(slots=True)
class TraceIndex:
    """What was run, requested and changed. `whole`: what is not in it was not done; `opaque`: a call may have changed any file."""

    ledger: Ledger
    whole: bool = True
    opaque: bool = False
    root: str = ""
    """The tree that the trace worked in, where it is known."""
    commands: dict[str, list[CommandRun]] = field(default_factory=lambda: defaultdict(list))
    requests: dict[str, list[ToolCall]] = field(default_factory=lambda: defaultdict(list))
    deletions: dict[str, str] = field(default_factory=dict)
    written: dict[str, list[tuple[str, str | None]]] = field(default_factory=lambda: defaultdict(list))
    """By path, each call that wrote there, in order, with what the file held after it where the calls tell all of it."""
    by_word: dict[str, dict[str, None]] = field(default_factory=dict)
    """The command lines that have each word, made when first asked for."""
    runs: tuple[SessionRun, ...] | None = None
    """Every simple command, made when first asked for."""

    gathered: SessionTexts | None = None
    """What the calls were given and printed, gathered when first asked for."""

    @property
    def shows_changes(self) -> bool:
        """Whether what was changed is in its calls: nothing was done elsewhere, and no call may have changed just any file."""
        return self.whole and not self.opaque

    def session_texts(self) -> SessionTexts:
        """What the calls of the session were given and printed."""
        if self.gathered is None:
            self.gathered = SessionTexts(self.ledger.calls, self.ledger.said)
        return self.gathered

    def session_runs(self) -> tuple[SessionRun, ...]:
        """Every simple command of the session, in order."""
        if self.runs is None:
            self.runs = tuple(commands_run(self.ledger))
        return self.runs

    def place(self, root: str, relative: Callable[[str], str | None], is_there: Callable[[str], bool]) -> None:
        """Say which tree the trace worked in: what it changed there is named from its root, however the calls named it.

        Rules go by the names of folders (`tests/`, `build/`), and how those above the tree are called says nothing about a file in it.
        What a command put into a folder (`cp a.py lib`) has the name that it has there.
        """
        if root != self.root:
            self.root = root
            named = (_named_from_root(change, relative) for change in self.ledger.changes)
            self.ledger.changes = [_put_in_folder(change, is_there) for change in named]
            self.look_up_changes()
            self.ledger.git = [(*entry[:3], _run_from_root(entry[3], relative)) for entry in self.ledger.git]
            self.ledger.removals = [_removal_from_root(one, relative) for one in self.ledger.removals]

    def look_up_changes(self) -> None:
        """By path, the calls that took files away and those that wrote them."""
        self.deletions.clear()
        self.written.clear()
        for change in self.ledger.changes:
            if change.kind in ("delete", "rename"):
                self.deletions[change.path] = change.call
            if change.kind != "delete":
                known = self.written[change.place]
                known.append((change.call, _content(change, known[-1][1] if known else None)))

    def lines_with(self, words: str) -> list[str]:
        """The command lines that have all of these words, by way of the rarest of them."""
        known = self._lines_by_word()
        having = sorted((known.get(word, {}) for word in set(words_of(words))), key=len)
        return [line for line in having[0] if all(line in others for others in having[1:])] if having else []

    def _lines_by_word(self) -> dict[str, dict[str, None]]:
        if not self.by_word:
            for line in self.commands:
                for word in words_of(line):
                    self.by_word.setdefault(word, {})[line] = None
        return self.by_word


def _named_from_root(change: FileChange, relative: Callable[[str], str | None]) -> FileChange:
    to = relative(change.to) if change.to is not None else None
    return replace(change, path=relative(change.path) or change.path, to=to or change.to)


def _put_in_folder(change: FileChange, is_there: Callable[[str], bool]) -> FileChange:
    """A change whose target is a folder that holds what was put there, as a change of that."""
    source = change.path if change.kind == "rename" else change.source
    inner = in_folder(change.place, source) if source else change.place
    if inner == change.place or not is_there(inner):
        return change
    return replace(change, to=inner) if change.kind == "rename" else replace(change, path=inner)


def _run_from_root(command: ShellCommand, relative: Callable[[str], str | None]) -> ShellCommand:
    if not command.folder.startswith("/"):
        return command
    return replace(command, folder=_folder_from_root(command.folder, relative))


def _removal_from_root(removal: Removal, relative: Callable[[str], str | None]) -> Removal:
    folder, *places = (_folder_from_root(one, relative) or "." for one in (removal.folder, *removal.places))
    return replace(removal, folder=folder, places=tuple(places))


def _folder_from_root(folder: str, relative: Callable[[str], str | None]) -> str:
    """A folder, or what stands for several, named from the root; empty for the root itself, as it is where it lies elsewhere."""
    inner = relative(f"{folder}/_")  # the root itself has no name from the root, what lies in it has one
    return posixpath.dirname(inner) if inner is not None else folder


def index(trace: Trace) -> TraceIndex:
    """What was run, by command, by address, by test run and by file, in the order of the trace."""
    ledger = ledger_of(trace)
    delegated = any(work.kind == "subagent" for work in ledger.opaque)
    made = TraceIndex(ledger, whole=trace.whole and not delegated)
    made.opaque = any(work.writes for work in ledger.opaque)
    for number, call in enumerate(trace.calls):
        if calls.is_command(call):
            _add_command(made, call, number)
        url = calls.field(call.input, ("url", "uri", "href"))
        if isinstance(url, str):
            made.requests[url].append(call)
    made.look_up_changes()
    return made


def _content(change: FileChange, before: str | None) -> str | None:
    """What a file holds after a change, where the call has all of it, or edits a text that is known."""
    if change.kind == "write":
        return change.new
    if change.kind == "edit" and before is not None and change.old and change.new is not None:
        return before.replace(change.old, change.new, 1) if before.count(change.old) == 1 else None
    return None


def _add_command(made: TraceIndex, call: ToolCall, number: int) -> None:
    line, code = command_of(call), exit_code_of(call)
    parts = with_crash(commands_of(line, code), output_of(call))
    crashed = code == 0 and any(part.code == 1 for part in parts)
    made.commands[normal(line)].append(CommandRun(call, number, None if crashed else code, True, crashed))
    for part in parts:
        told = part.code not in (0, None) or (not part.hidden and (part.code is not None or code is None))
        names = dict.fromkeys((" ".join(part.words), " ".join(unwrapped(part.words))))
        for name in names:
            if name and name != normal(line):
                made.commands[name].append(CommandRun(call, number, part.code, told))
        made.opaque = made.opaque or _hidden_write(part)


_SHELL_SIGNS = compiled(r"[$`*?{}\[\]]")


def _hidden_write(part: ShellCommand) -> bool:
    """Whether a command may change what files say without naming them: a generator, git, a loop over names.

    A formatter changes how code is set and not what it says, so it makes no change that a report would claim.
    """
    activity = activity_of(part.words)
    if "write" not in activity.roles:
        return False
    if activity.program == "git":
        return _git_brings(activity)
    return activity.program not in listed("names_its_files") or any(
        _SHELL_SIGNS.search(word) for word in part.words[1:] if not word.startswith("s/")
    )


def _git_brings(activity: Activity) -> bool:
    """Whether a git command brings changes that a report may tell as its own.

    Going to another commit (`reset`, `pull`, `switch`, `checkout main`) and committing make none.
    """
    names = [word for word in activity.words[1:] if not word.startswith("-")]
    if activity.target == "checkout":
        return "--" in activity.words or len(names) > 1 + ("-b" in activity.words or "-B" in activity.words)
    if activity.target == "stash":
        return names[:1] in (["pop"], ["apply"], ["branch"])
    return activity.target in listed("git_brings")


_BETWEEN = compiled(r"[\s/;&|()'\"]+")


def words_of(line: str) -> list[str]:
    """The words of a command line, apart from what joins commands and folders."""
    return [word for word in _BETWEEN.split(line) if word]


def normal(command: str) -> str:
    """A command with single spaces."""
    return " ".join(command.split())
