"""A look at files that never leaves its root."""

import os

import pytest

from trueline.world.claims import ActionClaim
from trueline.world.completion import hold
from trueline.world.peek import look_under, seen


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text("x")
    (folder / "a\nb.txt").write_text("x")
    (tmp_path / "secret.txt").write_text("x")
    (folder / "link").symlink_to(tmp_path)
    (folder / "alias.py").symlink_to(folder / "src" / "a.py")
    os.mkfifo(folder / "pipe")
    return str(folder)


def test_files_and_folders_are_seen(root):
    assert seen(root, "src/a.py") == "file"
    assert seen(root, f"{root}/src/a.py") == "file"
    assert seen(root, "./src//a.py") == "file"
    assert seen(root, "src\\a.py") == "file"
    assert seen(root, "src/") == "folder"
    assert seen(root, "a\nb.txt") == "file"
    assert seen(root, "src/none.py") == "nothing"
    assert seen(root, "none/none.py") == "nothing"


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "/etc/passwd", "/proc/self/environ", "link/secret.txt", "alias.py", "pipe", "src/../../secret.txt", "~/x", "C:\\x.txt", "", ".", "a\0b",
     "a/" * 200 + "b", "x" * 5000],
)  # fmt: skip
def test_what_is_outside_behind_a_link_or_no_file_cannot_be_told(root, path):
    assert seen(root, path) == "unknown"
    assert look_under(root)(ActionClaim("file_delete", path=path))[0] == "unverifiable"


def test_a_root_that_is_gone_cannot_be_told():
    assert seen("/no/such/root", "a.py") == "unknown"


def status(root, kind, path, to=None):
    return look_under(root)(ActionClaim(kind, path=path, to=to))[0]


def test_each_kind_is_held_against_what_is_there(root):
    assert status(root, "file_create", "src/a.py") == "supported"
    assert status(root, "file_create", "src/b.py") == "contradicted"
    assert status(root, "file_delete", "src/b.py") == "supported"
    assert status(root, "file_delete", "src/a.py") == "contradicted"
    assert status(root, "file_rename", "old.py", "src/a.py") == "supported"
    assert status(root, "file_rename", "src/a.py", "src/a.py") == "contradicted"
    assert status(root, "file_rename", "old.py", "new.py") == "contradicted"


def next_descriptor():
    """The number the next open file gets: the lowest that is free."""
    number = os.open(os.devnull, os.O_RDONLY)
    os.close(number)
    return number


def test_no_descriptor_is_left_open(root):
    before = next_descriptor()
    for path in ("src/a.py", "none/x", "link/x", "src/a.py/x"):
        seen(root, path)
    assert next_descriptor() == before


def test_a_command_without_a_trace_is_unverifiable_and_never_valid(root):
    (held,) = hold([ActionClaim("command", command="make")], None, look_under(root))
    assert held.status == "unverifiable"  # req: S3-016
