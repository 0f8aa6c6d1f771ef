"""Commands in a throw-away copy of a tree: without network, with limits on time, memory and processes.

Contained by bubblewrap where it is there: the system is read-only, only the copy can be written, nothing else is reachable. Where
nothing contains it, it is refused, unless the caller allows that by name.
"""

from __future__ import annotations

import contextlib
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
WATCHED_S = 0.1
"""How often it is looked at what a command uses."""
OWN_PROCESSES = 3
"""Bubblewrap's own, and the shell."""
MAX_COUNTED = 20_000
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TERM", "TZ")
REFUSED = (
    "the commands cannot be sandboxed: bubblewrap (bwrap) is missing or may not create namespaces; install it "
    "(apt install bubblewrap), or allow commands of this contract to run as you, with limits only: --uncontained"
)


@dataclass(frozen=True, slots=True)
class SandboxRun:
    """How a command ended. `exit_code` is None where it was ended, and `why` says what it took too much of."""

    command: str
    exit_code: int | None
    output: str
    seconds: float
    why: str = ""


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


def only_reading(bwrap: str, root: str | None = None) -> list[str]:
    """The words that run a command in a tree with the whole file system read-only and the network as it is: for probes.

    The tree is shown where it is even if that is below /tmp, which is an empty folder for the command.
    """
    here = str(Path(root).resolve()) if root is not None else ""
    place = ["--ro-bind", here, here, "--chdir", here] if here else []
    return [
        bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", *place,  # noqa: S108 - inside
        "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session", "--",
    ]  # fmt: skip


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


def run(command: str, copy: Path, limits: RunLimits, contained_by: str | None, place: Path | None = None) -> SandboxRun:
    """Run one command in the copy, contained by bubblewrap where its path is given.

    Contained, the copy stands at `place`, where the tree itself is, so that environments with full paths in them find the copy.
    """
    words = ["bash", "-c", command] if shutil.which("bash") else ["sh", "-c", command]
    if contained_by is not None:
        words = [*_wrapped(contained_by, copy, place or copy), *words]
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
        why = _waited(process, limits, started)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
        size = output.seek(0, os.SEEK_END)
        output.seek(max(0, size - KEPT_OUTPUT))
        text = output.read().decode("utf-8", "replace")
    return SandboxRun(command, None if why else code, text, round(time.monotonic() - started, 3), why)


def _waited(process: subprocess.Popen[bytes], limits: RunLimits, started: float) -> str:
    """Wait for the end; why it must be ended before, where it must."""
    pause = 0.01
    while True:
        try:
            process.wait(pause)
        except subprocess.TimeoutExpired:
            pause = min(pause * 2, WATCHED_S)
        else:
            return ""
        if time.monotonic() - started > limits.seconds:
            return "it took too long"
        count, memory = _used(process.pid)
        if count > limits.processes + OWN_PROCESSES:
            return "it started too many processes"
        if memory > limits.memory_mb << 20:
            return "it used too much memory"


def _used(top: int) -> tuple[int, int]:
    """How many processes there are below one, itself among them, and the memory that they hold together.

    Limits of the system are for one process, or for all that the user runs, and do not bind root.
    """
    waiting, count, pages = [top], 0, 0
    while waiting and count <= MAX_COUNTED:
        here = waiting.pop()
        count += 1
        with contextlib.suppress(OSError, ValueError, IndexError):
            pages += int(Path(f"/proc/{here}/statm").read_text().split()[1])
            for task in Path(f"/proc/{here}/task").iterdir():
                waiting += [int(word) for word in (task / "children").read_text().split()]
    return count, pages * resource.getpagesize()


def _wrapped(bwrap: str, copy: Path, place: Path) -> list[str]:
    home = str(copy.parent / "home")
    Path(home).mkdir(exist_ok=True)
    return [
        bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run",  # noqa: S108 - inside
        "--bind", str(copy), str(place.resolve()), "--bind", home, home, "--unshare-all", "--cap-drop", "ALL", "--die-with-parent",
        "--new-session", "--chdir", str(place.resolve()),
    ]  # fmt: skip


def _environment(copy: Path) -> dict[str, str]:
    """Nothing of ours but what programs need to be found; no keys."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    home = copy.parent / "home"
    home.mkdir(exist_ok=True)
    return kept | {"HOME": str(home), "CI": "1"}


def _limit(limits: RunLimits) -> None:
    """What the system itself can hold one process to; the rest is watched."""
    memory, disk = limits.memory_mb << 20, limits.copy_mb << 20
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (disk, disk))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
