"""Actions: claims against files, a large file, level 1, and snapshots, each beside what the same costs in plain Python or git."""

from __future__ import annotations

import hashlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.measure import met
from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.claims import declared_claims
from witnessmark.actions.claims.verify_claims import verify_claims
from witnessmark.actions.tree import capture, snapshot
from witnessmark.actions.tree.containment import Root
from witnessmark.actions.tree.view import TreeState, TreeView
from witnessmark.core.case import AgentOutput, Case
from witnessmark.verifier import Verifier

FILES = int(os.environ.get("WITNESSMARK_BENCH_FILES", "50000"))
LARGE = int(os.environ.get("WITNESSMARK_BENCH_LARGE", str(1 << 30)))


def _cpu() -> float:
    """CPU time of this process and of the programs it waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _best(times: int, *works: Callable[[], object]) -> list[float]:
    """The best of several for each work, taken in turns so that all see the same machine."""
    found = [float("inf")] * len(works)
    for _ in range(times):
        for number, work in enumerate(works):
            started = _cpu()
            work()
            found[number] = min(found[number], _cpu() - started)
    return found


def _row(what: str, ours: float, floor: float, floor_is: str, target: float | None) -> str:
    ratio = ours / floor if floor else float("inf")
    wanted = "– | –" if target is None else f"≤ {target:g}× | {met(ratio, target)}"
    return f"| {what} | {ours * 1000:.1f} ms | {floor * 1000:.1f} ms ({floor_is}) | {ratio:.2f}× | {wanted} |"


def _claims(folder: Path) -> list[str]:
    claims = []
    for number in range(1000):
        data = os.urandom(4096)
        (folder / f"f{number}.bin").write_bytes(data)
        claims.append(ActionClaim(kind="file_write", path=f"f{number}.bin", sha256=hashlib.sha256(data).hexdigest()))
    world = TreeState(root=folder)

    def ours() -> None:
        with TreeView(world) as view:
            assert all(ruling.status == "supported" for ruling in verify_claims(claims, view))

    def floor() -> None:
        for claim in claims:
            with open(f"{folder}/{claim.path}", "rb") as file:  # noqa: PTH123 - the plain way
                assert hashlib.sha256(file.read()).hexdigest() == claim.sha256

    said = [{"kind": "file-write", "filePath": claim.path, "contentHash": claim.sha256} for claim in claims]
    case = Case(subject=AgentOutput(summary="Done.", trace_ref="trace:t", claims=said))
    verifier = Verifier(services={"world": world})

    def whole() -> None:
        assert verifier.verify_sync(case).outcome == "pass"

    mine, all_of_it, plain = _best(9, ours, whole, floor)
    return [
        _row("1,000 file_write claims over 4 KiB files, held", mine, plain, "open, read, hash", 2.0),
        _row("the same through the whole Verifier, to a record", all_of_it, plain, "open, read, hash", None),
    ]


def _level1() -> str:
    claim = {"kind": "file-edit", "filePath": "a.py", "anchor": {"beforeSnippet": "a", "afterSnippet": "b"}}
    output = AgentOutput(
        summary="Done.", trace_ref="trace:t", claims=[claim] * 5, artifacts=[{"contentHash": "0" * 64}]
    )

    def ours() -> None:
        for _ in range(1000):
            declared_claims.look(output)

    (spent,) = _best(5, ours)
    return f"| level 1, five claims and an artifact | {spent * 1000:.1f} µs | – | – | ≤ 100 µs | {met(spent, 0.1)} |"


def _large(folder: Path) -> str:
    file = folder / "large.bin"
    with file.open("wb") as handle:
        block = os.urandom(1 << 20)
        for _ in range(LARGE >> 20):
            handle.write(block)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def ours() -> None:
        with Root(folder) as root:
            assert root.sha256("large.bin").state == "file"

    def floor() -> None:
        with file.open("rb") as handle:
            hashlib.file_digest(handle, "sha256")

    mine, plain = _best(3, ours, floor)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / (
        1 << 20 if sys.platform == "darwin" else 1 << 10
    )
    file.unlink()
    what = f"a file of {LARGE / (1 << 30):g} GiB (memory grown by {grown:.0f} MiB)"
    return _row(what, mine, plain, "hashlib.file_digest", 1.05)


def _tree(folder: Path) -> None:
    for number in range(FILES // 100):
        place = folder / f"d{number % 25}" / f"e{number}"
        place.mkdir(parents=True)
        for each in range(100):
            (place / f"f{each}.py").write_text(f"x = {number * each}\n" * 40)
    for arguments in (
        ["init", "-q", "."],
        ["add", "-A"],
        ["-c", "user.email=a@b", "-c", "user.name=a", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *arguments], cwd=folder, check=True)


def _walk(folder: Path) -> int:
    """A plain loop: scandir, open, sha256."""
    waiting, count = [str(folder)], 0
    while waiting:
        with os.scandir(waiting.pop()) as found:
            for item in found:
                if item.name == ".git":
                    continue
                if item.is_dir(follow_symlinks=False):
                    waiting.append(item.path)
                else:
                    with open(item.path, "rb") as file:  # noqa: PTH123 - the plain way
                        hashlib.sha256(file.read()).hexdigest()
                    count += 1
    return count


def _snapshots(folder: Path) -> list[str]:
    _tree(folder)
    first, plain = _best(3, lambda: capture.take(folder), lambda: _walk(folder))
    time.sleep(2.5)  # so that nothing is racy
    data = capture.take(folder).write()
    earlier = snapshot.read(data)

    def second() -> None:
        capture.take(folder, earlier=earlier)

    def whole() -> None:
        capture.take(folder, earlier=snapshot.read(data)).write()

    def status() -> None:
        subprocess.run(["git", "status", "--porcelain"], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    again, again_whole, git = _best(7, second, whole, status)
    label = f"{FILES:,} files"
    return [
        _row(f"snapshot of {label}, first", first, plain, "scandir, open, sha256", 1.5),
        _row(f"snapshot of {label}, second, unchanged", again, git, "git status", 4.0),
        _row("the same, with reading and writing snapshot files", again_whole, git, "git status", 4.0),
    ]


def report() -> str:
    """Figures for claims about actions, as a Markdown section."""
    lines = ["## Actions", "", "CPU time, children included, best of several taken in turns.", ""]
    lines += ["| what | ours | floor | ratio | target | met |", "|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines += [*_claims(folder), _level1(), _large(folder)]
    if shutil.which("git") is None:
        return "\n".join([*lines, "", "not measured: no git for the snapshots' floor"])
    with tempfile.TemporaryDirectory() as name:
        lines += _snapshots(Path(name))
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
