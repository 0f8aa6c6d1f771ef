"""Commands that take files away without naming each: patterns, loops, `xargs rm`, `find -delete`, `git clean`, a few lines of code.

Which files they took only the tree can tell; a removal says which of those that are gone may be its. Knows nothing about trees.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import pairwise

from witnessmark.actions.trace.activities import Activity, called, listed
from witnessmark.actions.trace.changes import is_scratch
from witnessmark.actions.trace.shell import ShellCommand, folder_worked_in
from witnessmark.text.patterns import compiled

MOST_PLACES = 200
"""So many places of one command are looked at."""
MOST_BRACES = 8


@dataclass(frozen=True, slots=True)
class Removal:
    """One command that may have taken files away. `places` are paths and patterns from where the session works; a folder stands for all in it."""

    turn: int
    places: tuple[str, ...]
    names: tuple[str, ...] = ()
    """Patterns of which the file's own name, or that of a folder it lies in, fits one; none where its name does not matter."""
    crosses: bool = False
    """Whether a star stands for folders as well, as git reads it."""
    guessed: bool = False
    """Whether its files came from elsewhere, as to `xargs rm`: the places are the words of its line, of which some may name them."""
    folder: str = "."
    """Where a command ran of which the files are guessed."""

    @property
    def elsewhere(self) -> bool:
        """Whether it only takes what lies where things are tried out."""
        return bool(self.places) and all(map(is_scratch, self.places))

    def covers(self, path: str) -> bool:
        """Whether a file that is gone, by its path from the same folder, may be one that it took."""
        if self.names and not any(fnmatchcase(part, name) for part in path.split("/") for name in self.names):
            return False
        return any(self._fits(path, place) for place in self.places)

    def _fits(self, path: str, place: str) -> bool:
        if place in (".", path) or path.startswith(f"{place}/"):
            return True
        if self.crosses or "**" in place:
            return fnmatchcase(path, place)
        wanted, parts = place.split("/"), path.split("/")
        return len(parts) >= len(wanted) and all(map(fnmatchcase, parts, wanted))


def removals_in(parts: Sequence[tuple[ShellCommand, Activity]], line: str, turn: int) -> Iterator[Removal]:
    """The removals of one command line, apart from commands that failed."""
    for part, activity in parts:
        found = _removal(part, activity, line, turn) if part.code in (0, None) else None
        if found is not None and found.guessed:
            searched = [_found(one, where.folder, turn) for where, one in parts if one.program == "find"]
            yield from searched or [replace(found, crosses=any(one.program == "git" for _, one in parts))]
        elif found is not None:
            yield found


def _removal(part: ShellCommand, activity: Activity, line: str, turn: int) -> Removal | None:
    part = replace(part, folder=folder_worked_in(part))
    words, folder = activity.words[1:], part.folder
    if activity.program in listed("takes_files") or (activity.program == "git" and activity.target in ("rm", "mv")):
        return _given(part, activity, line, turn)
    if activity.program == "git" and activity.target == "clean":
        options = [word for word in words if word.startswith("-")]
        swept = _from(folder, [word for word in words if word not in options] or ["."])
        return Removal(turn, swept, crosses=True) if all(map(called("sweeps").fullmatch, options)) else None
    if activity.program == "find":
        return _found(activity, folder, turn) if _finds_to_take(words) else None
    if activity.program == "rsync" and any(word.startswith("--delete") for word in words) and ":" not in words[-1]:
        return Removal(turn, _from(folder, words[-1:]))
    code = "\n".join((*words, part.fed)) if not activity.roles else ""
    return _by_code(code, folder, turn) if called("takes_by_code").search(code) else None


# --- what a command is given ---------------------------------------------------------------------------------------

_VARIABLE = compiled(r"\$\{[^{}]*\}|\$\w+|\$\([^()]*\)|`[^`]*`")
_EXPANDS = compiled(r"[*?\[{]")


def _given(part: ShellCommand, activity: Activity, line: str, turn: int) -> Removal | None:
    """What `rm` and the like are given by a pattern or a variable, and folders of which git takes only its own files.

    Other names in full are changes that the call shows; and what `mv` takes by a pattern may lie elsewhere in the tree.
    """
    names = [word for word in activity.words[1:] if not word.startswith("-")]
    places = [_VARIABLE.sub("*", called("here").sub("", name)) for name in names]
    by_git = activity.program == "git"
    looped = {name for pair in called("loop_variable").findall(line) for name in pair} if part.loop else set()
    if places == names and not (by_git or "xargs" in part.words or any(map(_EXPANDS.search, places))):
        return None
    if "mv" in (activity.program, activity.target):
        return Removal(turn, ())
    if "xargs" in part.words or any(name.strip("${}") in looped for name in names):
        return Removal(turn, _from(part.folder, _words(line)), guessed=True, folder=part.folder or ".")
    named = [place for name, place in zip(names, places, strict=True) if not _VARIABLE.fullmatch(name)]
    return Removal(turn, _from(part.folder, named), crosses=by_git) if named else None


_BETWEEN = compiled(r"[\s'\"`;|&()<>]+")


def _words(line: str) -> list[str]:
    """The words of a command line that may name files."""
    return [word for word in _BETWEEN.split(line) if word and not word.startswith(("-", "/dev/", "$"))]


def _from(folder: str, places: Sequence[str]) -> tuple[str, ...]:
    """Places from where the session works, each choice in braces for itself."""
    each = (one for place in places for one in _choices(place))
    return tuple(
        posixpath.normpath(posixpath.join(folder, one)) for one, _ in zip(each, range(MOST_PLACES), strict=False)
    )


_BRACES = compiled(r"\{([^{}]*,[^{}]*)\}")


def _choices(place: str) -> Iterator[str]:
    """`{a,b}.py` as a.py and b.py."""
    match = _BRACES.search(place)
    if match is None or place.count("{") > MOST_BRACES:
        yield place
        return
    for choice in match[1].split(","):
        yield from _choices(f"{place[: match.start()]}{choice}{place[match.end() :]}")


# --- find ----------------------------------------------------------------------------------------------------------

_RUNS, _NAMES, _PATHS = (
    frozenset({"-exec", "-execdir", "-ok", "-okdir"}),
    frozenset({"-name", "-iname"}),
    frozenset({"-path", "-wholename"}),
)


def _finds_to_take(words: Sequence[str]) -> bool:
    """Whether `find` is told to take away the files that it finds, and not only empty ones and folders."""
    first = next((at for at, word in enumerate(words) if word in _RUNS), len(words))
    run = (posixpath.basename(word) for given in words[first:] for word in given.split())
    if any(word in listed("takes_files") and word != "mv" for word in run):
        return True
    return "-delete" in words and "-empty" not in words and ("-type", "d") not in pairwise(words)


def _found(activity: Activity, folder: str, turn: int) -> Removal:
    """What `find` finds: below the folders it starts from, by the names it looks for."""
    words = activity.words[1:]
    first = next((at for at, word in enumerate(words) if word[:1] in ("-", "(", "!")), len(words))
    negated = {at + 2 for at, word in enumerate(words) if word in ("!", "-not")}
    given = [(words[at - 1], words[at]) for at in range(1, len(words)) if at not in negated]
    names = tuple(word for option, word in given if option in _NAMES)
    paths = [word for option, word in given if option in _PATHS]
    return Removal(turn, _from(folder, paths or words[:first] or ["."]), names, crosses=bool(paths))


# --- a few lines of code -------------------------------------------------------------------------------------------

_QUOTED = compiled(r"'([^'\n]+)'|\"([^\"\n]+)\"")


def _by_code(code: str, folder: str, turn: int) -> Removal:
    """What code takes away that a command was given: what its texts name, and below that what their patterns fit."""
    texts = [one or other for one, other in _QUOTED.findall(code)]
    patterns = [text for text in texts if _EXPANDS.search(text) and ("/" not in text or text.startswith("**/"))]
    places = [text for text in texts if text not in patterns]
    names = tuple(posixpath.basename(text) for text in patterns)
    return Removal(turn, _from(folder, places or ["."] if names else places), names)
