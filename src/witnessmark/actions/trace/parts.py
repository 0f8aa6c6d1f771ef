"""Which part of a project a command works on: a package, module, project or folder, by its options, its words and where it runs.

What has parts is data, by program (`tools.toml`). A part is known by the words of its name and of its path, since one package is
called by its name, its folder or its manifest: whoever asks whether two are one is told so where they have a word in common.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from witnessmark.actions.trace.activities import activity_of, called, listed
from witnessmark.actions.trace.calls import output_of
from witnessmark.actions.trace.ledger import CheckRun
from witnessmark.actions.trace.options import DATA
from witnessmark.actions.trace.shell import ShellCommand, commands_of
from witnessmark.text.patterns import compiled, table_in

_WORD = compiled(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


@dataclass(frozen=True, slots=True)
class ProjectPart:
    """A part of a project: the words of its own name, and those of its whole path. Without words it may be anything."""

    name: frozenset[str]
    path: frozenset[str]

    def meets(self, other: ProjectPart) -> bool:
        """Whether the other may be this part, lie in it, or hold it."""
        return not (self.path and other.path) or bool(self.name & other.path or other.name & self.path)


ANYTHING = ProjectPart(frozenset(), frozenset())


def part_called(name: str) -> ProjectPart | None:
    """The part of a name or path; None for the whole, or a name that only says where sources or tests lie."""
    if called("several").search(name):
        return ANYTHING
    path = [_words(piece) - listed("of_no_part") for piece in re.split(r"[/\\:]", _bare(name))]  # fmt: skip
    named = [words for words in path if words]
    return ProjectPart(named[-1], frozenset[str]().union(*named)) if named else None


def _words(text: str) -> frozenset[str]:
    return frozenset(map(str.lower, _WORD.findall(text)))


def _bare(name: str) -> str:
    """A path without what stands around the part: `./web/...`, `//web:all`, `web/Cargo.toml`, `tests/web.py::test_a`, `@org/web`."""
    return called("around_part").sub("", name)


def parts_of(command: ShellCommand, root: str = "") -> Iterator[ProjectPart]:
    """The parts that a command works on; none where it goes over everything that is there. `root` is the project's folder."""
    folder = posixpath.normpath(command.folder) if command.folder else ""
    inner = folder.removeprefix(root).lstrip("/") if root and f"{folder}/".startswith(f"{root}/") else folder
    names = ["*" if inner.startswith(("/", "..")) else inner, *_named_in(command.words)]
    yield from (part for name in names if (part := part_called(name)) is not None)


def _named_in(words: tuple[str, ...]) -> Iterator[str]:
    activity = activity_of(words)
    valued, named = before_parts(words), called(f"parts_{activity.program}")
    given = activity.words[1 + (activity.program in listed("takes_parts_behind_a_word")) :]
    given = given if activity.program in listed("takes_parts") else ()
    for number, word in enumerate(words[1:], 1):
        option, is_, value = word.partition("=")
        before = words[number - 1]
        if option in valued and option.startswith("-"):
            yield from (value if is_ else (words[number + 1 : number + 2] or ("",))[0]).split(",")
        elif before in valued:
            if not before.startswith("-"):
                yield word
        elif found := named.fullmatch(word):
            yield found[1]
        elif word in given and not word.startswith("-"):
            yield from _given(word, before)


def _given(word: str, before: str) -> Iterator[str]:
    """A word that is no option, as a part: behind an option that nobody listed it may be the value of that."""
    if not before.startswith("-") or "=" in before or before in listed("without_value"):
        yield word
    elif "/" in word:
        yield "*"


@functools.lru_cache(maxsize=1024)
def before_parts(words: tuple[str, ...]) -> frozenset[str]:
    """The options and words behind which a part stands, of the programs that a command names."""
    data = table_in(DATA)["parts"]
    return frozenset(" ".join(data.get(posixpath.basename(word), "") for word in words).split())


def parts_in(run: CheckRun, root: str = "") -> list[ProjectPart]:
    """The parts that a run worked on; none where it, or one of its commands, went over everything."""
    each = [list(parts_of(command, root)) for command in run.commands]
    return [part for parts in each for part in parts] if all(each) else []


def beside(typed: str, runs: Sequence[CheckRun], root: str = "") -> bool:
    """Whether a command names a part of the project that none of the runs, each of certain parts, worked on or printed the name of."""
    return _beside(_named_by(typed, root), runs, root)


def folder_of_other(name: str, runs: Sequence[CheckRun], root: str) -> bool | None:
    """Whether none of the runs, each of certain parts, worked on the project's folder of this name; None where it has none."""
    part, inner = part_called(name), name.strip("./")
    places = [Path(root, inner), *Path(root).glob(f"*/{inner}")] if root and part and inner and ".." not in inner else []  # fmt: skip
    return _beside([part], runs, root) if part is not None and any(place.is_dir() for place in places) else None


def _beside(wanted: Iterable[ProjectPart], runs: Sequence[CheckRun], root: str) -> bool:
    given = [parts_in(run, root) for run in runs]
    ran = [part for parts in given for part in parts]
    others = [part for part in wanted if not any(map(part.meets, ran))] if ran and all(given) else []
    printed = {word for run in runs for word in _words(output_of(run.call))} if others else set[str]()
    return any(part.name.isdisjoint(printed) for part in others)


def may_cover(typed: str, runs: Iterable[CheckRun], root: str = "") -> bool:
    """Whether a command names parts of the project, and one of the runs, in the same manner, may have worked on each of them."""
    manner = _manner(commands_of(typed))
    given = [parts_in(run, root) for run in runs if manner <= _manner(run.commands)]
    wanted = _named_by(typed, root)
    return bool(wanted and given) and all(any(not ran or any(map(part.meets, ran)) for ran in given) for part in wanted)


def _manner(commands: Iterable[ShellCommand]) -> set[str]:
    """The options of commands but for those that name parts."""
    each = ((word, before_parts(command.words)) for command in commands for word in command.words[1:])
    return {word for word, valued in each if word.startswith("-") and word.partition("=")[0] not in valued}


def _named_by(typed: str, root: str) -> list[ProjectPart]:
    return [part for command in commands_of(typed) for part in parts_of(command, root)]


def left_aside(runs: Iterable[CheckRun], tests: Iterable[str], root: str = "") -> str:
    """The first of these files of tests that lies in no part that one of the runs worked on; empty where none does, or where a part has no file."""
    given = [parts_in(run, root) for run in runs]
    ran = {part for parts in given for part in parts}
    if not ran or not all(given):
        return ""
    outside, met = "", set[ProjectPart]()
    for path in tests:
        place = part_called(path) or ANYTHING
        mine = {part for part in ran if not part.path or part.name & place.path}
        met |= mine
        outside = outside or ("" if mine else path)
        if outside and met == ran:
            return outside
    return ""
