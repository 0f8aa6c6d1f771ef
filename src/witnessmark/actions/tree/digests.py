"""The digests of a tree's files: what the result of a run is bound to, and which files are other ones since."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from witnessmark.actions.tree import git as gitinfo
from witnessmark.actions.tree.capture import matcher
from witnessmark.actions.tree.snapshot import quoted

DROPPINGS = (
    "__pycache__/", "*.pyc", ".pytest_cache/", ".mypy_cache/", ".ruff_cache/", ".hypothesis/", ".coverage", ".DS_Store",
    ".tox/", ".nox/", "*.egg-info/", ".eslintcache", ".gradle/", "*.tsbuildinfo",
)  # fmt: skip
"""What tools leave behind when they run: nobody needs to say so."""


def tree_digest(root: Path) -> str:
    """The sha256 of the tree's paths and bytes, apart from git's own folder."""
    total = hashlib.sha256()
    for name, body in _bodies(root):
        total.update(os.fsencode(name) + b"\0" + body + b"\0")
    return total.hexdigest()


def file_digests(root: Path) -> dict[str, str]:
    """The sha256 of each file by its path as snapshots write it, apart from what git ignores and what tools leave behind."""
    view, dropped = gitinfo.look(root), matcher(DROPPINGS)

    def left_out(path: str) -> bool:
        ignored = view is not None and (path in view.files or path in view.folders)
        return ignored or (dropped is not None and dropped(quoted(path)))

    found = {}
    for name, body in _bodies(root, left_out):
        kind, digest = body[:1], body[1:]
        found[quoted(name)] = digest.hex() if kind == b"f" else hashlib.sha256(body).hexdigest()
    return found


def other_files(then: Mapping[str, str], root: Path, aside: Collection[str] = ()) -> list[str]:
    """The files that are not as they were, that are new, or gone, by their paths; those that are `aside` do not count."""
    now, left_out = file_digests(root), set(map(quoted, aside))
    return sorted(name for name in {*then, *now} - left_out if then.get(name) != now.get(name))


def _bodies(root: Path, left_out: Callable[[str], bool] = lambda _: False) -> Iterator[tuple[str, bytes]]:
    """Each file and link of a tree, in order, with the digest of its bytes or with what it points to."""
    for folder, folders, files in os.walk(root):
        here = "" if Path(folder) == root else f"{os.path.relpath(folder, root)}/"
        names = sorted(name for name in folders if name != ".git" and not left_out(f"{here}{name}"))
        links = [name for name in names if (Path(folder) / name).is_symlink()]
        folders[:] = [name for name in names if name not in links]
        for name in sorted([*(each for each in files if not left_out(f"{here}{each}")), *links]):
            path = Path(folder) / name
            if path.is_symlink():
                yield f"{here}{name}", b"l" + os.fsencode(os.readlink(path))  # noqa: PTH115 - bytes are wanted
            elif path.is_file():
                with path.open("rb") as file:
                    yield f"{here}{name}", b"f" + hashlib.file_digest(file, "sha256").digest()
