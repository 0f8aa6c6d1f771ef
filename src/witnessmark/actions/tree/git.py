"""What git says about a tree, where there is a git to ask. Never required, and never allowed to run anything else.

An agent may have written the repository's own configuration, so everything in it that could start a program or wait is
switched off, and an answer that does not come in time is not an answer. Knows nothing about snapshots.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_S = 20.0
_QUIET = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false",
    "-c", "core.pager=cat", "-c", "protocol.allow=never", "--no-pager", "--no-optional-locks", "--literal-pathspecs",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GitView:
    """The commit a tree stands on, and the files and folders below the root that git ignores."""

    head: str | None
    files: frozenset[str]
    folders: frozenset[str]


def look(root: str | os.PathLike[str]) -> GitView | None:
    """What git says about the tree below a root; None where there is no git, no repository, or no answer."""
    program = shutil.which("git")
    if program is None:
        return None
    listed = _ask(program, root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    if listed is None:
        return None
    head = _ask(program, root, "rev-parse", "--verify", "--quiet", "HEAD")
    names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
    return GitView(
        head=head.decode("ascii", "replace").strip() or None if head else None,
        files=frozenset(name for name in names if not name.endswith("/")),
        folders=frozenset(name.rstrip("/") for name in names if name.endswith("/")),
    )


def committed(root: str | os.PathLike[str]) -> tuple[dict[str, int], int] | None:
    """The sizes of the files that HEAD has below the root, and when git last wrote down how they stand (ns); None without an answer.

    Asked for without any comparison of contents: that would run the filters that a repository configures.
    """
    program = shutil.which("git")
    listed = _ask(program, root, "ls-tree", "-r", "-z", "-l", "HEAD") if program is not None else None
    index = _ask(program, root, "rev-parse", "--git-path", "index") if program is not None else None
    if listed is None or index is None:
        return None
    sizes: dict[str, int] = {}
    for line in filter(None, listed.split(b"\0")):
        told, _, name = line.partition(b"\t")
        size = told.split()[-1]
        if size.isdigit():
            sizes[os.fsdecode(name)] = int(size)
    try:
        return sizes, (Path(root) / os.fsdecode(index.strip())).stat().st_mtime_ns
    except OSError:
        return sizes, 0


def blob(root: str | os.PathLike[str], commit: str, path: str, most: int) -> bytes | None:
    """What a commit has at a path below the root, of at most so many bytes; None where it has nothing there."""
    program = shutil.which("git")
    name = f"{commit}:./{path}"
    if program is None or not commit.isalnum():
        return None
    size = _ask(program, root, "cat-file", "-s", name)
    if size is None or not size.strip().isdigit() or int(size) > most:
        return None
    return _ask(program, root, "cat-file", "blob", name)


def _ask(program: str, root: str | os.PathLike[str], *arguments: str) -> bytes | None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    told = {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            [program, *_QUIET, *arguments],
            cwd=root,
            env=kept | told,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
