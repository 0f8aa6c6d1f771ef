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
    listed = _ask(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    if listed is None:
        return None
    head = _ask(root, "rev-parse", "--verify", "--quiet", "HEAD")
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
    listed = _ask(root, "ls-tree", "-r", "-z", "-l", "HEAD")
    index = _ask(root, "rev-parse", "--git-path", "index")
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
    name = f"{commit}:./{path}"
    if not commit.isalnum():
        return None
    size = _ask(root, "cat-file", "-s", name)
    if size is None or not size.strip().isdigit() or int(size) > most:
        return None
    return _ask(root, "cat-file", "blob", name)


def run(
    root: str | os.PathLike[str], *arguments: str, timeout_s: float = TIMEOUT_S
) -> subprocess.CompletedProcess[bytes] | None:
    """What git did below a root, with nothing else started; None where there is no git, or no answer in time."""
    program = shutil.which("git")
    if program is None:
        return None
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    told = {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    command, quiet = [program, *_QUIET, *arguments], subprocess.DEVNULL
    try:
        return subprocess.run(
            command, cwd=root, env=kept | told, stdin=quiet, capture_output=True, timeout=timeout_s, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def _ask(root: str | os.PathLike[str], *arguments: str) -> bytes | None:
    done = run(root, *arguments)
    return done.stdout if done is not None and done.returncode == 0 else None
