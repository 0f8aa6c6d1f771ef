"""Snapshots: exact, stable, safe for any name, and never taking over a digest that may be stale."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.actions.tree import capture, containment, snapshot
from witnessmark.actions.tree import git as gitinfo
from witnessmark.actions.tree.snapshot import Snapshot, SnapshotEntry, diff, quoted, unquoted
from witnessmark.core.errors import InputError

from .conftest import git  # type: ignore[import-not-found]


def _later(made: Snapshot) -> Snapshot:
    """The same snapshot as if it had been taken ten seconds later, so that nothing in it is racy."""
    return Snapshot(made.entries, taken_ns=made.taken_ns + 10**10, git=made.git, ignore=made.ignore)


def test_every_regular_file_is_there_with_its_facts(tree: Path) -> None:
    made = capture.take(tree)
    entry = made.get("src/calc.py")
    info = (tree / "src" / "calc.py").stat()
    assert entry == SnapshotEntry(
        "src/calc.py", "f", info.st_mode & 0o7777, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino,
        hashlib.sha256((tree / "src" / "calc.py").read_bytes()).hexdigest(), "",
    )  # fmt: skip
    assert [e.path for e in made.entries] == ["a.txt", "src", "src/calc.py"]


def test_the_file_format_is_exact_and_stable(tree: Path) -> None:
    made = capture.take(tree)
    data = made.write()
    first, *lines = data.decode().splitlines()
    header = json.loads(first)
    assert header == {
        "format": "witnessmark-snapshot", "version": 1, "taken_ns": made.taken_ns, "count": 3, "git": None, "ignore": [],
        "text_bytes": 0,
        "digest": hashlib.sha256(data.partition(b"\n")[2]).hexdigest(),
    }  # fmt: skip
    assert [json.loads(line)[0] for line in lines] == ["a.txt", "src", "src/calc.py"]
    again = snapshot.read(data)
    assert again.entries == made.entries
    assert again.write() == data
    assert capture.take(tree).digest == made.digest, "the same tree, the same digest"


def test_a_snapshot_that_was_tampered_with_is_refused(tree: Path) -> None:
    data = capture.take(tree).write()
    first, _, body = data.partition(b"\n")
    swapped = b"\n".join([*reversed(body.splitlines())]) + b"\n"
    digest = hashlib.sha256(swapped).hexdigest().encode()
    reordered = first.replace(hashlib.sha256(body).hexdigest().encode(), digest) + b"\n" + swapped
    for wrong in (data.replace(b"a.txt", b"b.txt"), data[:-10], b"", b"{}", b"[1]\n", first + b"\n", reordered):
        with pytest.raises(InputError):
            snapshot.read(wrong)


def test_names_with_newlines_and_invalid_utf8_survive(tree: Path) -> None:
    names = [b"two\nlines", b"caf\xe9", b"100%", b"caf\xc3\xa9", b'quote"', b"tab\t"]
    for name in names:
        Path(os.fsdecode(os.fsencode(tree) + b"/" + name)).write_bytes(name)
    made = snapshot.read(capture.take(tree).write())
    for name in names:
        entry = made.get(os.fsdecode(name))
        assert entry is not None
        assert entry.sha256 == hashlib.sha256(name).hexdigest()


@given(st.binary(min_size=1, max_size=40).filter(lambda name: b"\0" not in name))
def test_every_name_has_exactly_one_spelling(name: bytes) -> None:
    path = os.fsdecode(name)
    written = quoted(path)
    assert unquoted(written) == path
    assert os.fsencode(unquoted(written)) == name
    written.encode()


def test_a_digest_is_taken_over_only_where_nothing_moved(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    earlier = _later(capture.take(tree))
    read: list[str] = []
    real = containment.read
    monkeypatch.setattr(containment, "read", lambda fd, name, *a, **k: (read.append(name), real(fd, name, *a, **k))[1])
    assert capture.take(tree, earlier=earlier).entries == earlier.entries
    assert read == [], "unchanged and not racy: nothing is read again"
    (tree / "a.txt").write_bytes(b"omega\n")
    os.utime(tree / "a.txt", ns=(10**18, 10**18))
    now = capture.take(tree, earlier=earlier)
    assert read == ["a.txt"], "same size and mtime, but ctime tells"
    assert now.get("a.txt").sha256 == hashlib.sha256(b"omega\n").hexdigest()


def test_a_racy_digest_is_not_taken_over(tree: Path) -> None:
    """Changed in the moment the snapshot was taken: the same times, other bytes."""
    earlier = capture.take(tree)
    forged = Snapshot(
        [_with_digest(e, "0" * 64) if e.path == "a.txt" else e for e in earlier.entries],
        taken_ns=earlier.taken_ns,
        ignore=(),
    )
    assert capture.take(tree, earlier=forged).get("a.txt").sha256 != "0" * 64
    assert capture.take(tree, earlier=_later(forged)).get("a.txt").sha256 == "0" * 64, (
        "the other way round it would be reused"
    )


def _with_digest(entry: SnapshotEntry, digest: str) -> SnapshotEntry:
    import msgspec

    return msgspec.structs.replace(entry, sha256=digest)


def test_git_is_asked_where_it_is(repository: Path) -> None:
    (repository / ".gitignore").write_text("build/\n*.log\n")
    (repository / "build").mkdir()
    (repository / "build" / "out.bin").write_bytes(b"1")
    (repository / "x.log").write_bytes(b"2")
    (repository / "new.txt").write_bytes(b"3")
    made = capture.take(repository)
    assert made.git.head == git(repository, "rev-parse", "HEAD").strip()
    ignored = {e.path for e in made.entries if e.ignored}
    assert ignored == {"build", "build/out.bin", "x.log"}
    assert made.get("build/out.bin").sha256, "ignored files are hashed too"
    assert not made.get("new.txt").ignored, "untracked is not ignored"
    assert made.get(".git/config") is not None, "what changes how git behaves is looked at"
    assert made.get(".git/HEAD") is None


def test_fine_without_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gitinfo.shutil, "which", lambda name: None)
    made = capture.take(repository)
    assert made.git is None
    assert made.get("a.txt") is not None


def test_a_hostile_repository_runs_nothing(repository: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    trap.chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(trap))
    git(repository, "config", "core.pager", str(trap))
    git(repository, "config", "core.hooksPath", str(tmp_path))
    capture.take(repository)
    assert not (tmp_path / "ran").exists()


def test_witnessmarkignore_leaves_out_and_cannot_be_added_later(tree: Path) -> None:
    (tree / ".witnessmarkignore").write_text("# logs\n*.log\n/cache/\n!keep.log\n")
    (tree / "cache").mkdir()
    for name in ("x.log", "keep.log", "cache/1", "src/cache"):
        (tree / name).write_bytes(b"1")
    before = capture.take(tree)
    assert {e.path for e in before.entries} == {
        ".witnessmarkignore",
        "a.txt",
        "keep.log",
        "src",
        "src/cache",
        "src/calc.py",
    }
    (tree / ".witnessmarkignore").write_text("*\n")
    (tree / "sneaky").write_bytes(b"2")
    after = capture.take(tree, earlier=before)
    assert {(c.kind, c.path) for c in diff(before, after)} == {
        ("modified", ".witnessmarkignore"),
        ("created", "sneaky"),
    }


def test_changes_and_renames(tree: Path) -> None:
    (tree / "gone.txt").write_bytes(b"gone")
    (tree / "old-name.txt").write_bytes(b"the same bytes")
    (tree / "touched.txt").write_bytes(b"same")
    before = capture.take(tree)
    (tree / "gone.txt").unlink()
    (tree / "old-name.txt").rename(tree / "new-name.txt")
    (tree / "a.txt").write_bytes(b"omega\n")
    (tree / "new.txt").write_bytes(b"new")
    (tree / "touched.txt").write_bytes(b"same")
    (tree / "src" / "calc.py").chmod(0o755)
    found = {(c.kind, c.path, c.old) for c in diff(before, capture.take(tree, earlier=before))}
    assert found == {
        ("deleted", "gone.txt", None), ("renamed", "new-name.txt", "old-name.txt"), ("modified", "a.txt", None),
        ("created", "new.txt", None), ("mode", "src/calc.py", None),
    }  # fmt: skip


def test_a_file_made_a_link_is_a_change(tree: Path) -> None:
    before = capture.take(tree)
    (tree / "a.txt").unlink()
    (tree / "a.txt").symlink_to("/etc/passwd")
    (change,) = diff(before, capture.take(tree, earlier=before))
    assert (change.kind, change.path, change.after.type) == ("retyped", "a.txt", "l")
    assert change.after.sha256 == hashlib.sha256(b"/etc/passwd").hexdigest(), "the link itself, never what it leads to"


def test_hard_links_are_read_only_where_all_names_are_inside(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    os.link(tmp_path / "secret", tree / "out")
    (tree / "one").write_bytes(b"both names are here")
    os.link(tree / "one", tree / "two")
    made = capture.take(tree)
    assert (made.get("out").sha256, made.get("out").mark) == ("", "h")
    assert made.get("one").sha256 == made.get("two").sha256 == hashlib.sha256(b"both names are here").hexdigest()


def test_special_files_and_sparse_giants_do_not_stop_it(tree: Path) -> None:
    os.mkfifo(tree / "pipe")
    with (tree / "huge").open("wb") as file:
        file.truncate(1 << 40)
    made = capture.take(tree)
    assert (made.get("pipe").type, made.get("huge").mark, made.get("huge").sha256) == ("s", "u", "")


def test_a_tree_that_is_too_large_or_too_deep_is_said_so(tree: Path) -> None:
    with pytest.raises(InputError, match="witnessmarkignore"):
        capture.take(tree, limits=capture.TreeLimits(entries=1))
    deep = tree
    for _ in range(12):
        deep /= "d"
        deep.mkdir()
    made = capture.take(tree, limits=capture.TreeLimits(depth=5))
    assert max(e.path.count("/") for e in made.entries) == 5
    assert [e.path.count("/") for e in made.entries if "u" in e.mark] == [5], "where it stopped is marked"


@pytest.mark.parametrize(
    "patterns",
    [("*.log", "!keep.log"), ("/build", "docs/**/*.md"), ("[ab]/", "x.l[o-p]g"), ("a/*/c", "**/z"), (r"\!odd", "b?")],
)
def test_patterns_mean_what_they_mean_to_git(repository: Path, patterns: tuple[str, ...]) -> None:
    paths = [
        "x.log", "keep.log", "a/keep.log", "build/x", "src/build/x", "docs/n/r.md", "docs/r.md", "r.md", "a/x", "c/x", "a/b/c",
        "a/b/d/c", "q/z", "z", "!odd", "b1", "bee",
    ]  # fmt: skip
    (repository / ".gitignore").write_text("\n".join(patterns) + "\n")
    told = git(repository, "check-ignore", "--no-index", "--verbose", "--non-matching", *paths).splitlines()
    by_git = {line.split("\t")[1]: not line.startswith("::") and ":!" not in line.split("\t")[0] for line in told}
    matches = capture.matcher(patterns)
    assert matches is not None
    assert {path: matches(path) for path in paths} == {path: by_git[path] for path in paths}


@pytest.mark.parametrize("pattern", ["/", "!", "[z-a]", "\\"])
def test_a_pattern_that_is_none_is_refused(pattern: str) -> None:
    with pytest.raises(InputError, match="pattern"):
        capture.matcher([pattern])


def test_a_hostile_pattern_is_matched_in_linear_time() -> None:
    matches = capture.matcher(["*a" * 60 + "b"])
    assert matches is not None
    assert not matches("a" * 5_000)
