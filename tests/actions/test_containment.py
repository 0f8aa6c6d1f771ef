"""Nothing outside of the root is ever read or revealed, whatever a path, a link or a file does."""

from __future__ import annotations

import os
import socket
import sys
import threading
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.actions.tree import containment
from witnessmark.actions.tree.containment import ReadLimits, Root, inside
from witnessmark.core.errors import InputError, UsageError


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_bytes(b"secret\n")
    return path


def test_a_file_is_hashed_by_its_bytes(tree: Path) -> None:
    (tree / "binary").write_bytes(b"\xff\xfe\x00raw")
    with Root(tree) as root:
        assert root.sha256("binary").sha256 == _sha(b"\xff\xfe\x00raw")
        assert root.content("binary").content == b"\xff\xfe\x00raw"


def _sha(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def test_hostile_absolute_path(tree: Path, secret: Path) -> None:
    with Root(tree) as root:
        for path in ("/etc/passwd", str(secret), "//etc/passwd", "~/.ssh/id_rsa", "~"):
            assert root.sha256(path).state == "outside"
        assert root.sha256(str(tree / "a.txt")).state == "file", "an absolute path inside is the same file"


def test_hostile_dot_dot(tree: Path, secret: Path) -> None:
    with Root(tree) as root:
        for path in ("../secret.txt", "src/../../secret.txt", "src/../a.txt", "..", "a/..", f"{tree}/../secret.txt"):
            assert root.sha256(path).state == "outside"


def test_hostile_symlink_in_the_last_component(tree: Path, secret: Path) -> None:
    (tree / "link.txt").symlink_to(secret)
    with Root(tree) as root:
        seen = root.sha256("link.txt")
    assert (seen.state, seen.sha256, seen.content) == ("link", "", b"")


def test_hostile_symlink_in_any_component(tree: Path, secret: Path) -> None:
    (tree / "out").symlink_to(secret.parent)
    (tree / "src" / "deep").symlink_to("/")
    with Root(tree) as root:
        assert root.sha256("out/secret.txt").state == "link"
        assert root.content("src/deep/etc/passwd").state == "link"
        assert root.state("out/nothing-there").state == "link", "not even whether a file exists outside is told"


def test_hostile_hard_link_out(tree: Path, secret: Path) -> None:
    os.link(secret, tree / "mine.txt")
    with Root(tree) as root:
        seen = root.sha256("mine.txt")
    assert (seen.state, seen.sha256) == ("linked", "")


def test_hostile_case_tricks(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Root(tree) as root:
        assert root.sha256("A.TXT").state == "absent"
    monkeypatch.setattr(containment, "CASE_MATTERS", False)
    with Root(tree) as root:
        assert root.sha256("a.txt").state == "file"
        monkeypatch.setattr(
            containment.os, "listdir", lambda _: ["A.txt"]
        )  # as where case is ignored: it opens all the same
        assert root.sha256("a.txt").state == "absent", "a system that ignores case does not decide"
        assert root.state("a.txt").state == "absent"


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc elsewhere")
def test_hostile_proc() -> None:
    with Root("/") as root:
        for path in ("proc/self/environ", "proc/kmsg", "dev/zero", "sys/kernel/version"):
            assert root.sha256(path).state in ("elsewhere", "absent", "unreadable")


def test_hostile_fifo_device_and_socket(tree: Path) -> None:
    os.mkfifo(tree / "pipe")
    with socket.socket(socket.AF_UNIX) as listening, Root(tree) as root:
        here = Path.cwd()
        os.chdir(tree)
        try:
            listening.bind("sock")
        finally:
            os.chdir(here)
        assert root.sha256("pipe").state == "special"
        assert root.content("sock").state == "special"
    with Root("/dev") as devices:
        assert devices.sha256("null").state == "special"


def test_hostile_sparse_terabyte_file(tree: Path) -> None:
    with (tree / "huge").open("wb") as file:
        file.truncate(1 << 40)
    with Root(tree) as root:
        assert root.sha256("huge").state == "too_large"
        assert root.content("huge").state == "too_large"


def test_a_file_that_takes_too_long_is_given_up(tree: Path) -> None:
    with (tree / "big").open("wb") as file:
        file.truncate(8 << 20)
    with Root(tree, ReadLimits(file_s=0.0)) as root:
        seen = root.sha256("big")
    assert seen.state == "too_large"
    assert "longer" in seen.why


def test_hostile_file_that_changes_while_it_is_read(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = containment.os.read

    def racing(fd: int, size: int) -> bytes:
        data = real(fd, size)
        with (tree / "a.txt").open("ab") as file:
            file.write(b"x")
        return data

    monkeypatch.setattr(containment.os, "read", racing)
    with Root(tree) as root:
        seen = root.sha256("a.txt")
    assert (seen.state, seen.sha256) == ("changing", "")


def test_a_file_swapped_for_another_is_not_taken_for_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def swapping(path: str, flags: int, *args: int, **more: int) -> int:
        if path == "a.txt":
            (tree / "a.txt").unlink()
            (tree / "a.txt").symlink_to("/etc/passwd")
        return real(path, flags, *args, **more)

    with Root(tree) as root:
        monkeypatch.setattr(containment.os, "open", swapping)
        seen = root.content("a.txt")
    assert seen.state == "link"
    assert seen.content == b""


def test_hostile_names_with_newlines_and_invalid_utf8(tree: Path) -> None:
    (tree / "two\nlines").write_bytes(b"1")
    raw = os.fsencode(tree) + b"/caf\xe9"
    Path(os.fsdecode(raw)).write_bytes(b"2")
    with Root(tree) as root:
        assert root.content("two\nlines").content == b"1"
        assert root.content("caf\udce9").content == b"2"
        assert root.content("lone\ud800").state == "outside"
        assert root.content("zero\0byte").state == "outside"
        assert root.content("x" * 5000).state == "outside"
        assert root.content("x" * 300).state == "absent"


def test_memory_stays_flat_for_a_large_file(tree: Path) -> None:
    with (tree / "large").open("wb") as file:
        file.truncate(64 << 20)
    with Root(tree) as root:
        tracemalloc.start()
        assert root.sha256("large").state == "file"
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 4 << 20


def test_many_directories_do_not_use_up_descriptors(tree: Path) -> None:
    for number in range(300):
        (tree / "many" / f"d{number}").mkdir(parents=True)
        (tree / "many" / f"d{number}" / "f").write_bytes(b"")
    before = len(list(Path("/dev/fd").iterdir()))
    with Root(tree) as root:
        assert all(root.sha256(f"many/d{number}/f").state == "file" for number in range(300))
        assert len(list(Path("/dev/fd").iterdir())) - before <= containment.DIRECTORIES_OPEN + 3


def test_a_folder_on_the_way_that_is_a_file(tree: Path) -> None:
    with Root(tree) as root:
        assert root.sha256("a.txt/inside").state == "absent"
        assert root.sha256("src").state == "directory"


def test_a_root_that_is_none_is_bad_input(tree: Path) -> None:
    with pytest.raises(InputError, match="not a directory"):
        Root(tree / "a.txt")
    with pytest.raises(InputError, match="not a directory"):
        Root(tree / "missing")


def test_windows_is_refused_with_a_clear_word(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containment.os, "supports_dir_fd", set())
    with pytest.raises(UsageError, match="Linux or macOS"):
        Root(tree)


def test_two_threads_can_look_at_once(tree: Path) -> None:
    seen: list[str] = []

    def look() -> None:
        with Root(tree) as root:
            seen.append(root.sha256("src/calc.py").sha256)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 4
    assert len(set(seen)) == 1


@given(st.text(min_size=1, max_size=60))
def test_what_is_inside_never_leads_out(path: str) -> None:
    found = inside(path)
    if found is not None:
        assert not found.startswith("/")
        assert ".." not in found.split("/")
        assert "" not in found.split("/")
        assert "\0" not in found
