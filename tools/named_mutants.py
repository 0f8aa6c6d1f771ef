"""Changes of the source that a person named, for ids whose behaviour the small changes of tools/mutants.py do not touch: data of
a module, a statement of SQL, the text of a prompt, the path that a test reaches in a process of its own.

tools/mutations.toml holds them by id: a file, the text that stands there once, and what is put in its place. Each is made in a
copy of the tree, so that whatever reads the file sees it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.coverage_map import Shown

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tools" / "mutations.toml"
STATES = ("green", "red", "raised", "broke", "hung")
"""What a run of one assertion can come to; the exit code of such a run is the place in here."""
COPIED = ("src", "tests", "tools", "bench", "docs", "examples")
LIMIT_S = 120


@dataclass(frozen=True)
class Named:
    """One change of one file."""

    file: str
    old: str
    new: str

    @property
    def words(self) -> str:
        """Where and what, in one line."""
        return f"{self.file}: named: {self.old.strip()[:80]!r} becomes {self.new.strip()[:80]!r}"


def named() -> dict[str, list[Named]]:
    """Every change by id."""
    return {key: [Named(**one) for one in listed] for key, listed in tomllib.loads(DATA.read_text("utf-8")).items()}


class Copy:
    """A copy of the tree in which a change can be made and unmade."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def state(self, one: Shown, change: Named | None = None) -> str:
        """What becomes of an assertion that stands alone, in a process of its own, with the change or as it is.

        `stale` where what the change replaces does not stand in its file exactly once.
        """
        if change is None:
            return self._run(one)
        path = self.root / change.file
        text, stat = path.read_text(encoding="utf-8"), path.stat()
        if text.count(change.old) != 1:
            return "stale"
        path.write_text(text.replace(change.old, change.new), encoding="utf-8")
        try:
            return self._run(one, changed=True)
        finally:
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # its bytecode holds again

    def _run(self, one: Shown, *, changed: bool = False) -> str:
        """Bytecode is kept of what stands as it is, which saves a third of a run; never of a change, which shows by its time."""
        packages = [self.root / "src", *(self.root / "models").glob("*/src")]
        env = os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, packages)),
            "PYTHONDONTWRITEBYTECODE": "1" if changed else "",
        }
        command = [sys.executable, "tools/mutate_map.py", "--to", ".", "--alone", f"{one.file}:{one.line}:{one.test}"]
        try:
            ended = subprocess.run(command, cwd=self.root, env=env, capture_output=True, timeout=LIMIT_S, check=False)
        except subprocess.TimeoutExpired:
            return "hung"
        return STATES[ended.returncode] if 0 <= ended.returncode < len(STATES) else "broke"


@contextmanager
def copy() -> Iterator[Copy]:
    """A copy of what is read and tested; the rest is linked."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        root = Path(folder)
        for path in ROOT.iterdir():
            if path.name in COPIED:
                shutil.copytree(path, root / path.name, ignore=shutil.ignore_patterns("__pycache__"))
            elif path.name != ".git" and not path.name.endswith("_cache"):
                (root / path.name).symlink_to(path)
        yield Copy(root)
