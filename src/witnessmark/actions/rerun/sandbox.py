"""Commands in a throw-away copy of a tree: without network, with limits on time, memory and processes.

Contained by bubblewrap where it is there: the system is read-only, only the copy can be written, nothing else is reachable. Where
nothing contains it, it is refused, unless the caller allows that by name.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from witnessmark.actions.rerun.contract import RunLimits
from witnessmark.core.errors import InputError

KEPT_OUTPUT = 200_000
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TERM", "TZ")
REFUSED = (
    "the commands cannot be sandboxed: bubblewrap (bwrap) is missing or may not create namespaces; install it "
    "(apt install bubblewrap), or allow commands of this contract to run as you, with limits only: --uncontained"
)


@dataclass(frozen=True, slots=True)
class SandboxRun:
    """How a command ended. `exit_code` is None where it was ended for taking too long."""

    command: str
    exit_code: int | None
    output: str
    seconds: float


def bubblewrap() -> str | None:
    """The bubblewrap that works here, or None."""
    found = shutil.which("bwrap")
    if found is None:
        return None
    probe = [found, "--ro-bind", "/", "/", "--unshare-all", "--die-with-parent", "true"]
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        if subprocess.run(probe, capture_output=True, timeout=10, check=False).returncode == 0:
            return found
    return None


@contextlib.contextmanager
def copied(root: Path, limits: RunLimits) -> Iterator[Path]:
    """A copy of the tree that is thrown away afterwards; links stay links, pipes and devices are left out.

    Raises InputError where the tree is larger than the limits allow.
    """
    with tempfile.TemporaryDirectory(prefix="witnessmark-rerun-") as name:
        target = Path(name) / "tree"
        size = [0]

        def copy(source: str, place: str) -> str:
            size[0] += Path(source).stat().st_size
            if size[0] > limits.copy_mb << 20:
                raise InputError(
                    f"{root}: is larger than the {limits.copy_mb:,} MB that are copied; raise limits.copy_mb"
                )
            return str(shutil.copy2(source, place))

        def special(folder: str, names: list[str]) -> list[str]:
            return [each for each in names if not _plain(Path(folder) / each)]

        shutil.copytree(root, target, symlinks=True, copy_function=copy, ignore=special)
        yield target


def _plain(path: Path) -> bool:
    return path.is_symlink() or path.is_file() or path.is_dir()


def tree_digest(root: Path) -> str:
    """The sha256 of the tree's paths and bytes, apart from git's own folder: what a result is bound to."""
    total = hashlib.sha256()
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name != ".git" and not (Path(folder) / name).is_symlink())
        for name in sorted(files):
            path = Path(folder) / name
            if path.is_symlink():
                body = b"l" + os.fsencode(os.readlink(path))  # noqa: PTH115 - bytes are wanted
            elif path.is_file():
                with path.open("rb") as file:
                    body = b"f" + hashlib.file_digest(file, "sha256").digest()
            else:
                continue
            total.update(os.fsencode(path.relative_to(root)) + b"\0" + body + b"\0")
    return total.hexdigest()


def run(command: str, copy: Path, limits: RunLimits, contained_by: str | None) -> SandboxRun:
    """Run one command in the copy, contained by bubblewrap where its path is given."""
    words = ["bash", "-c", command] if shutil.which("bash") else ["sh", "-c", command]
    if contained_by is not None:
        words = [*_wrapped(contained_by, copy), *words]
    started = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            words,
            cwd=copy,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=_environment(copy),
            start_new_session=True,
            preexec_fn=lambda: _limit(limits),  # noqa: PLW1509 - no threads of ours run here
        )
        try:
            code: int | None = process.wait(limits.seconds)
        except subprocess.TimeoutExpired:
            code = None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        size = output.seek(0, os.SEEK_END)
        output.seek(max(0, size - KEPT_OUTPUT))
        text = output.read().decode("utf-8", "replace")
    return SandboxRun(command, code, text, round(time.monotonic() - started, 3))


def _wrapped(bwrap: str, copy: Path) -> list[str]:
    home = str(copy.parent / "home")
    Path(home).mkdir(exist_ok=True)
    return [
        bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run",  # noqa: S108 - inside
        "--bind", str(copy), str(copy), "--bind", home, home, "--unshare-all", "--die-with-parent", "--new-session", "--chdir", str(copy),
    ]  # fmt: skip


def _environment(copy: Path) -> dict[str, str]:
    """Nothing of ours but what programs need to be found; no keys."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    home = copy.parent / "home"
    home.mkdir(exist_ok=True)
    return kept | {"HOME": str(home), "CI": "1"}


def _limit(limits: RunLimits) -> None:
    memory = limits.memory_mb << 20
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    most = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    processes = limits.processes if most == resource.RLIM_INFINITY else min(limits.processes, most)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
