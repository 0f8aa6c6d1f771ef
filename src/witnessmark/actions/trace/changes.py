"""What a call did to files: written, edited, deleted, renamed, with the old and the new text where the call has them.

Reads the tools of coding agents, patches, and commands that say which file they change. What a shell would expand is left alone.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

from witnessmark.actions.trace import calls
from witnessmark.actions.trace.activities import activity_of
from witnessmark.actions.trace.calls import ToolCall, command_of, exit_code_of, folder_of
from witnessmark.actions.trace.shell import ShellCommand, commands_of, folder_worked_in
from witnessmark.text.files import CODE
from witnessmark.text.patterns import compiled

ChangeKind = Literal["write", "edit", "delete", "rename"]
MAX_TEXT = 4_000_000
MANIFEST = compiled(
    r"(?:^|/)(?:package\.json|pyproject\.toml|requirements[\w.-]*\.(?:txt|in)|setup\.(?:py|cfg)|cargo\.toml|go\.mod|gemfile|pipfile|composer\.json|pom\.xml|"
    r"build\.gradle(?:\.kts)?|pubspec\.yaml|mix\.exs)$",
    re.IGNORECASE,
)
"""Files that ask for packages."""
_NAMED = {
    "setting": compiled(r"(?:^|/)settings[\w.-]*$|(?:^|/)settings/", re.IGNORECASE),
    "config": compiled(r"(?:^|/)[\w.-]*config(?:uration)?[\w.-]*$|(?:^|/)config/", re.IGNORECASE),
    "schema": compiled(r"(?:^|/)[\w.-]*schema[\w.-]*$|\.sql$|(?:^|/)migrations/", re.IGNORECASE),
    "migration": compiled(r"(?:^|/)(?:migrations|migrate)/", re.IGNORECASE),
    "readme": compiled(r"(?:^|/)readme[\w.]*$", re.IGNORECASE),
    "changelog": compiled(r"(?:^|/)(?:changelog|changes|history)[\w.]*$", re.IGNORECASE),
    "lock": compiled(r"(?:^|/)(?:package-lock\.json|[\w.-]*\.lock|go\.sum|pnpm-lock\.yaml|bun\.lockb?|[\w-]*lock\.\w+)$", re.IGNORECASE),
    "dockerfile": compiled(r"(?:^|/)(?:[\w.-]*dockerfile[\w.-]*|containerfile)$", re.IGNORECASE),
    "makefile": compiled(r"(?:^|/)(?:gnu)?makefile$", re.IGNORECASE),
    "doc": compiled(r"(?:^|/)(?:docs?|documentation)/(?:.*/)?[^/]+\.(?:mdx?|rst|adoc|txt)$", re.IGNORECASE),
    "manifest": MANIFEST,
}  # fmt: skip
"""Which files are meant where a report names no file: `settings are untouched`."""


def files_called(noun: str) -> re.Pattern[str]:
    """The files that a noun stands for; dependencies are asked for in manifests."""
    return next((pattern for key, pattern in _NAMED.items() if key in noun), _NAMED["manifest"])


_TESTS = compiled(
    r"(?:^|/)(?:tests?|__tests__|specs?|e2e|testdata|test_data|__snapshots__|integration[_-]?tests?)/|(?:^|/)test_[^/]+\.\w+$|(?:^|/)conftest\.py$|"
    r"_tests?\.\w+$|_spec\.\w+$|\.(?:test|spec|cy|e2e)\.\w+$|(?:^|/)[^/]*(?:Tests?|IT|Spec)\.(?:java|kt|scala|cs|swift|php|groovy)$"
)

TEST_STARTS = compiled(
    r"^[^\S\n]*(?:(?:async )?def test_?\w*(?:\(|$)|(?:it|test)(?:\.\w+)?\(|(?:public )?function test\w*\(|fun test\w*\(|(?:public |private )?func test\w*\(|(?:it|scenario|specify) ['\"])|^func (?:Test|Fuzz|Benchmark)\w*\(|#\[(?:\w+::)?test|@(?:Parameterized)?Test\b",
    re.MULTILINE,
)
"""The first lines of tests, in the languages whose tests begin with a line of their own."""
MANY_CASES = compiled(
    r"parametrize|\.each\b|t\.Run\(|@ParameterizedTest|tests? := |testCases|for _, tt|subTest|rstest|test_case\("
)
"""Signs of a test that stands for several."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """One change to a file. `old` and `new` are the texts of an edit, or the whole new content of a write."""

    kind: ChangeKind
    path: str
    number: int
    turn: int
    call: str
    old: str | None = None
    new: str | None = None
    to: str | None = None
    by: str = ""
    source: str | None = None
    """The file that this one is a copy of, where a command says so."""

    @property
    def place(self) -> str:
        """Where the file lies after the change."""
        return self.to or self.path

    @property
    def is_code(self) -> bool:
        """Whether the file holds code, by its name."""
        return is_code(self.place)

    @property
    def cosmetic(self) -> bool:
        """Whether only comments and space differ."""
        return (
            self.kind == "edit" and self.old is not None and self.new is not None and _bare(self.old) == _bare(self.new)
        )


def change_names(change: FileChange, path: str) -> bool:
    """Whether a change is about a file, named in whole or by the end of its path."""
    return any(part is not None and (part == path or part.endswith(f"/{path}")) for part in (change.path, change.to))


def lasting(changes: Iterable[FileChange]) -> list[FileChange]:
    """The changes, in order, without those that a later one changed back and without files that were made and deleted again."""
    open_: dict[tuple[str, str | None, str | None], list[FileChange]] = defaultdict(list)
    for change in changes:
        undone = open_[change.path, change.new, change.old] if change.kind == "edit" and change.old else []
        if undone:
            undone.pop()
        else:
            open_[change.path, change.old, change.new].append(change)
    left = sorted((change for alike in open_.values() for change in alike), key=lambda change: change.number)
    made = {change.path for change in left if change.kind == "write" or (change.kind == "edit" and change.old is None)}
    gone = {change.path for change in left if change.kind == "delete"}
    return [change for change in left if change.path not in made & gone]


SCRATCH = ("/tmp/", "/private/tmp/", "/var/folders/", "/private/var/")  # noqa: S108 - only compared


def is_scratch(path: str, root: str = "") -> bool:
    """Whether a file lies where things are only tried out, and not in the tree itself, which may lie there too."""
    return path.startswith(SCRATCH) and not (root and path.startswith(f"{root.rstrip('/')}/"))


def ending(path: str) -> str:
    """The ending of a file's name in small letters, or the name of one that has none."""
    return path.rpartition("/")[2].rpartition(".")[2].lower()


def is_code(path: str) -> bool:
    """Whether a file holds code, by its ending."""
    return ending(path) in CODE


def tests_in(text: str) -> int:
    """How many tests a text has, by their first lines."""
    return len(TEST_STARTS.findall(text))


def is_test(path: str) -> bool:
    """Whether a file holds tests, by its name or folder."""
    return _TESTS.search(path) is not None


_COMMENT = compiled(r"^[^\S\n]*(?://|#(?!\[|!|include|define|if|end|pragma)|--|\*|/\*|<!--|;;|%).*$", re.MULTILINE)
_TRAILING = compiled(r"\s(?://|#) [^\n\"'`]*$", re.MULTILINE)
_BLOCK = compiled(r"/\*.*?\*/", re.DOTALL)


def _bare(text: str) -> str:
    """A text without comments and space."""
    without = _TRAILING.sub("", _COMMENT.sub("", _BLOCK.sub("", text)))
    return "".join(without.split())


def changes_of(call: ToolCall, number: int = 0) -> Iterator[FileChange]:
    """What one call says it does to files; whether the tool did it is the call's `ok`."""
    name, given = calls.tool(call), call.input if isinstance(call.input, Mapping) else {}
    if calls.is_command(call):
        yield from _by_command(call, number)
    elif name in calls.PATCHES:
        yield from _patched(call, number, call.input)
    elif name in calls.WRITES or (name in calls.EDITS and given.get("command") == "create"):
        for path in paths_of(given):
            yield FileChange("write", path, number, call.turn, call.id, None, _first(given, _CONTENT), by=call.by)
    elif name in calls.EDITS and given.get("command") not in ("view", "undo_edit"):
        yield from _edited(call, number, given)
    elif name in calls.DELETES:
        for path in paths_of(given):
            yield FileChange("delete", path, number, call.turn, call.id, by=call.by)
    elif name in calls.RENAMES and path_of(given):
        to = _first(given, ("new_path", "to", "destination", "target", "new_name"))
        yield FileChange("rename", path_of(given), number, call.turn, call.id, to=to, by=call.by)


_FILE = ("file_path", "path", "filePath", "target_file", "filename", "file", "notebook_path", "absolute_path")
_PATHS = (*_FILE, "old_path", "source", "from")
_CONTENT = ("content", "contents", "file_text", "text", "code_edit")
_OLD = ("old_string", "old_str", "old_text", "search", "oldString")
_NEW = ("new_string", "new_str", "new_text", "replace", "new_source", "insert_text", "newString")


def path_of(given: Mapping[str, Any]) -> str:
    """The file that a tool was given; empty where it was given none."""
    return _first(given, _PATHS) or ""


def paths_of(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The same, and others that it was given by other names: which of them the tool took is not known."""
    first = path_of(given)
    named = [first, *(given[key] for key in _FILE if isinstance(given.get(key), str))]
    return tuple(dict.fromkeys(one for one in named if one and (one == first or not _is_part(one, first))))


def _is_part(one: str, other: str) -> bool:
    """Whether one path is the end of the other, as `a.py` is of `/src/a.py`."""
    short, long = sorted((one, other), key=len)
    return long.endswith(f"/{short.removeprefix('./')}")


def _first(given: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((given[key] for key in keys if isinstance(given.get(key), str)), None)


def _edited(call: ToolCall, number: int, given: Mapping[str, Any]) -> Iterator[FileChange]:
    edits = given["edits"] if isinstance(given.get("edits"), list) else [given]
    for path, edit in product(paths_of(given), edits):
        if isinstance(edit, Mapping):
            yield FileChange(
                "edit", path, number, call.turn, call.id, _first(edit, _OLD), _first(edit, _NEW), by=call.by
            )


_PATCH = compiled(r"^\*\*\* (Add|Update|Delete) File: (.+?)\s*$(?:\n\*\*\* Move to: (.+?)\s*$)?", re.MULTILINE)


def _patched(call: ToolCall, number: int, given: Any) -> Iterator[FileChange]:
    """The files of an apply_patch envelope, each hunk an edit of its own."""
    text = patch_text(given)[:MAX_TEXT]
    heads = list(_PATCH.finditer(text))
    for at, head in enumerate(heads):
        verb, path, to = head.groups()
        body = text[head.end() : heads[at + 1].start() if at + 1 < len(heads) else len(text)]
        if verb == "Delete":
            yield FileChange("delete", path, number, call.turn, call.id, by=call.by)
        elif verb == "Add":
            new = "".join(line[1:] + "\n" for line in body.splitlines() if line.startswith("+"))
            yield FileChange("write", path, number, call.turn, call.id, None, new, by=call.by)
        else:
            if to:
                yield FileChange("rename", path, number, call.turn, call.id, to=to, by=call.by)
            for old, new in _hunks(body):
                yield FileChange("edit", to or path, number, call.turn, call.id, old, new, by=call.by)


def patch_text(given: Any) -> str:
    """The envelope that a patch tool was given, as a text or in one of its fields."""
    if isinstance(given, str):
        return given
    values = given.values() if isinstance(given, Mapping) else ()
    return next((value for value in values if isinstance(value, str) and "*** " in value), "")


def _hunks(body: str) -> Iterator[tuple[str, str]]:
    for hunk in re.split(r"^@@.*$", body, flags=re.MULTILINE):
        old, new = [], []
        for line in hunk.splitlines():
            if line[:1] in (" ", "-") and not line.startswith("***"):
                old.append(line[1:])
            if line[:1] in (" ", "+"):
                new.append(line[1:])
        if old != new:
            yield "\n".join(old), "\n".join(new)


# --- commands --------------------------------------------------------------------------------------------------

_EXPANDS = compiled(r"[$`*?{}\[\]]")


def _by_command(call: ToolCall, number: int) -> Iterator[FileChange]:
    """`rm`, `mv`, `cp`, `touch`, `sed -i`, a redirection and a patch fed to apply_patch say which file they change."""
    code = exit_code_of(call)
    if call.ok is False and code in (None, 0):
        code = 1
    for command in commands_of(command_of(call), code, folder_of(call)):
        if command.code in (0, None) and not (command.code is None and code not in (0, None)):
            yield from (_from_folder(command.folder, change) for change in _written_to(call, number, command))
            yield from (_from_folder(folder_worked_in(command), change) for change in _by_words(call, number, command))


def _from_folder(folder: str, change: FileChange) -> FileChange:
    """A change that is named from a folder, named from where the session began."""
    names = (change.path, change.to, change.source)
    path, to, source = (posixpath.normpath(posixpath.join(folder, name)) if name else name for name in names)
    return replace(change, path=path or "", to=to, source=source)


def _written_to(call: ToolCall, number: int, command: ShellCommand) -> Iterator[FileChange]:
    """The files that a command's output goes to."""
    for path in command.writes:
        if not _EXPANDS.search(path):
            fed = command.fed if command.words[0] == "cat" else None
            kind: ChangeKind = "write" if fed is not None else "edit"
            yield FileChange(kind, path, number, call.turn, call.id, None, fed, by=call.by)


def _by_words(call: ToolCall, number: int, command: ShellCommand) -> Iterator[FileChange]:
    """The files that a command changes by its words, or by the patch that it is fed."""
    for kind, path, to in _files(command):
        if kind == "rename" or to is None:
            yield FileChange(kind, path, number, call.turn, call.id, to=to, by=call.by)
        else:
            yield FileChange(kind, to, number, call.turn, call.id, by=call.by, source=path)
    if command.words[0] in ("apply_patch", "applypatch"):
        yield from _patched(call, number, command.fed or " ".join(command.words[1:]))


def _files(command: ShellCommand) -> Iterator[tuple[ChangeKind, str, str | None]]:
    """Each file that a command changes by its words; of one that is moved or copied, where to."""
    words = activity_of(command.words).words if command.words[0] != "git" else command.words
    if not words:
        return
    if words[:1] == ("git",):
        words = activity_of(command.words).words
        if words[:1] not in (("rm",), ("mv",)):
            return
    names = [word for word in words[1:] if not word.startswith("-")]
    program = posixpath.basename(words[0])
    if program in ("rm", "unlink", "rmdir", "trash"):
        yield from (("delete", name, None) for name in names if not _EXPANDS.search(name))
    if any(_EXPANDS.search(name) for name in (names[1:] if program == "sed" else names)):  # what sed does is no file
        return
    if program in _PUT:
        kind = _PUT[program]
        yield from ((kind, source, to) for source, to in _put(words))
    elif program in ("touch", "tee"):
        yield from (("edit", name, None) for name in names)
    elif program == "sed" and any(word.startswith("-i") or word == "--in-place" for word in words):
        yield from (("edit", name, None) for name in names[1:] if "/" in name or "." in name)


_PUT: Mapping[str, ChangeKind] = {"mv": "rename", "cp": "edit", "install": "edit", "ln": "edit"}
"""Programs whose last word is where they put what the others name, and what that does to it."""
_PUT_VALUED = frozenset({"-S", "--suffix", "-m", "--mode", "-o", "--owner", "-g", "--group"})
_INTO = ("-t", "--target-directory")


def _put(words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """What a command puts where: into a folder, under its own name, where the words can mean nothing but a folder."""
    if {"-d", "--directory"} & set(words):
        return
    names, folder, before = list[str](), "", ""
    for word in words[1:]:
        option, _, value = word.partition("=")
        if before in _INTO or (option == _INTO[1] and value):
            folder = value or word
        elif not word.startswith("-") and before not in _PUT_VALUED:
            names.append(word)
        before = word
    if not folder and len(names) > 1:
        *names, last = names
        if len(names) == 1 and not last.endswith("/") and last not in (".", ".."):
            yield names[0], last
            return
        folder = last
    yield from ((name, in_folder(folder, name)) for name in names if folder)


def in_folder(folder: str, name: str) -> str:
    """Where a file lies that was put into a folder under its own name; `src/.` is put there by what it holds, and has none."""
    own = posixpath.basename(name.rstrip("/"))
    return folder if own in (".", "..") else posixpath.join(folder, own)
