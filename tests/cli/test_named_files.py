"""Files that a person names beside a transcript: a device or a pipe is refused at once, wherever it is named."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from witnessmark.actions.tree import capture
from witnessmark.actions.tree.view import TreeState
from witnessmark.cli.app import command_line
from witnessmark.core.errors import InputError
from witnessmark.integrations.hook.agents import executable
from witnessmark.integrations.hook.memory import HookMemory
from witnessmark.integrations.hook.reply import reply_to


@pytest.fixture(params=["device", "pipe"])
def endless(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "device":
        return "/dev/zero"
    os.mkfifo(tmp_path / "pipe")
    return str(tmp_path / "pipe")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.txt").write_text("a\n")
    (tmp_path / "s.snap").write_bytes(capture.take(root).write())
    (tmp_path / "rep.md").write_text("All tests pass.")
    return root


@pytest.mark.parametrize(
    "words",
    [
        "verify --report {place}/rep.md --root {root} --before {file} --store memory:",
        "snapshot --root {root} -o {place}/t.snap --earlier {file}",
        "diff {file} --root {root}",
        "diff {place}/s.snap --root {root} --claims {file}",
        "rerun {file} --root {root}",
    ],
)
def test_a_command_refuses_what_is_no_regular_file(words: str, endless: str, tree: Path) -> None:
    given = words.format(place=tree.parent, root=tree, file=endless).split()
    found = CliRunner().invoke(command_line(), given)
    assert isinstance(found.exception, (InputError, SystemExit))
    assert "is not a regular file" in f"{found.exception} {found.output}"


def test_the_hook_refuses_it_too(endless: str, tree: Path) -> None:
    payload = b'{"session_id": "s", "cwd": "%s", "last_assistant_message": "Done."}' % os.fsencode(tree)
    with pytest.raises(InputError, match="is not a regular file"):
        reply_to(payload, HookMemory(tree.parent / "state"), 3, endless)


def test_a_large_new_file_is_not_hashed_to_say_that_it_is_new(tree: Path) -> None:
    before = capture.take(tree)
    with (tree / "big.bin").open("wb") as file:
        file.truncate(capture.LARGE + 1)
    after = capture.take(tree, earlier=before, to_compare=True)
    assert [entry.sha256 for entry in after.entries if entry.path == "big.bin"] == [""]
    assert [change.kind for change in TreeState(root=tree, before=before).changes() or ()] == ["created"]


def test_a_large_file_of_the_same_size_is_hashed_so_that_a_rename_is_seen(tree: Path) -> None:
    with (tree / "big.bin").open("wb") as file:
        file.truncate(capture.LARGE + 1)
    before = capture.take(tree)
    (tree / "big.bin").rename(tree / "large.bin")
    after = capture.take(tree, earlier=before, to_compare=True)
    assert [entry.sha256 for entry in after.entries if entry.path == "large.bin"] == [before.get("big.bin").sha256]


def test_the_command_in_printed_settings_is_one_for_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "my dir" / "witnessmark"
    place.parent.mkdir()
    place.write_text("#!/bin/sh\necho ran\n")
    place.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(place)])
    assert shlex.split(executable()) == [str(place)]
    assert subprocess.run(["sh", "-c", executable()], capture_output=True, text=True, check=True).stdout == "ran\n"
