"""What a done-contract may ask of commands and files, a row each: what holds, how it is told, and what is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from witnessmark.actions.rerun import sandbox
from witnessmark.actions.rerun.contract import ContractCommand, ContractFile, DoneContract, RunLimits
from witnessmark.actions.rerun.rerun import rerun
from witnessmark.core.errors import InputError


def item(tree: Path, wanted: ContractCommand | ContractFile, **limits: int) -> tuple[bool, str, str]:
    """Whether one thing that a contract asks for holds, how it is told, and what is there."""
    field = {"command": (wanted,)} if isinstance(wanted, ContractCommand) else {"file": (wanted,)}
    made = rerun(tree, DoneContract(**field, limits=RunLimits(seconds=600, **limits)), "0" * 64, uncontained=True)  # type: ignore[arg-type]
    (only,) = made.items
    assert made.held == only.held
    return only.held, only.what, only.there


class TestCommands:
    @pytest.mark.parametrize(
        ("wanted", "held", "there"),
        [
            (ContractCommand("true"), True, "exit code 0"),
            (ContractCommand("exit 3"), False, "exit code 3"),
            (ContractCommand("exit 3", exit_code=3), True, "exit code 3"),
            (ContractCommand("true", exit_code=3), False, "exit code 0"),
            (ContractCommand("no-such-program-anywhere"), False, "exit code 127"),
            (ContractCommand("kill -9 $$"), False, "exit code"),
            (ContractCommand("echo '12 passed in 0.1s'", at_least=12), True, "12 passed"),
            (ContractCommand("echo '12 passed in 0.1s'", at_least=13), False, "12 passed"),
            (ContractCommand("echo '12 passed, 1 failed in 0.1s'", at_least=12), False, "1 failed"),
            (ContractCommand("echo '12 passed in 0.1s'; exit 1", at_least=12), False, "exit code 1"),
            (ContractCommand("echo fine", at_least=1), False, "exit code 0"),
            (ContractCommand("echo '1 failed in 0.1s' >&2; exit 1"), False, "1 failed"),
        ],
        ids=[
            "ends well", "ends badly", "is to end badly", "was to end badly", "not found", "killed", "enough tests", "too few",
            "enough, and one failed", "enough, and it ended badly", "no counts", "printed as an error",
        ],
    )  # fmt: skip
    def test_one(self, tree: Path, wanted: ContractCommand, held: bool, there: str) -> None:
        found = item(tree, wanted)
        assert found[0] is held
        assert there in found[2]

    def test_it_is_told_as_it_was_asked(self, tree: Path) -> None:
        assert item(tree, ContractCommand("true"))[1] == "true ends with 0"
        assert item(tree, ContractCommand("true", at_least=2))[1] == "true ends with 0 and at least 2 tests pass"

    @pytest.mark.parametrize(
        "line",
        [
            'test "$CI" = 1',
            'test -n "$PATH"',
            'test -d "$HOME" && test -z "$(ls -A "$HOME")"',
            'test "$HOME" != "$PWD"',
            'test -z "$(env | grep -i -e secret -e token)"',
            "! read -t 1 line",
        ],
        ids=["as in CI", "programs are found", "an empty home", "beside the tree", "no keys", "nothing to read"],
    )
    def test_what_a_command_finds_around_it(self, tree: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SERVICE_TOKEN", "t")
        monkeypatch.setenv("AWS_SECRET", "s")
        assert item(tree, ContractCommand(line))[0], line

    def test_a_tree_that_is_larger_than_allowed_is_not_copied(self, tree: Path) -> None:
        with (tree / "large").open("wb") as file:
            file.truncate(3 << 20)
        with pytest.raises(InputError, match="raise limits.copy_mb"):
            item(tree, ContractCommand("true"), copy_mb=2)
        assert item(tree, ContractCommand("true"), copy_mb=4)[0]

    def test_only_the_end_of_a_long_output_is_kept(self, tree: Path) -> None:
        wanted = DoneContract(command=(ContractCommand("seq 100000; echo the end"),))
        (call,) = rerun(tree, wanted, "0" * 64, uncontained=True).calls
        assert len(call["output"]) <= sandbox.KEPT_OUTPUT
        assert call["output"].endswith("100000\nthe end\n")


class TestFiles:
    @pytest.mark.parametrize(
        ("wanted", "held", "there"),
        [
            (ContractFile("a.txt"), True, "sha256"),
            (ContractFile("a.txt", contains="alp"), True, "sha256"),
            (ContractFile("a.txt", contains="omega"), False, "another text"),
            (ContractFile("a.txt", without="omega"), True, "sha256"),
            (ContractFile("a.txt", without="alpha"), False, "another text"),
            (ContractFile("a.txt", contains="alpha", without="omega"), True, "sha256"),
            (ContractFile("a.txt", exists=False), False, "file"),
            (ContractFile("never.txt"), False, "absent"),
            (ContractFile("never.txt", exists=False), True, "absent"),
            (ContractFile("src"), False, "directory"),
            (ContractFile("link"), False, "link"),
            (ContractFile("link", exists=False), False, "link"),
            (ContractFile("../a.txt"), False, "outside"),
            (ContractFile("../never.txt", exists=False), False, "outside"),
            (ContractFile("/etc/hostname"), False, "outside"),
        ],
    )
    def test_one(self, tree: Path, wanted: ContractFile, held: bool, there: str) -> None:
        (tree / "link").symlink_to("a.txt")
        found = item(tree, wanted)
        assert found[0] is held
        assert found[2].startswith(there)

    def test_it_is_told_as_it_was_asked(self, tree: Path) -> None:
        assert (
            item(tree, ContractFile("a.txt", contains="al", without="om"))[1] == "a.txt is there with 'al' without 'om'"
        )
        assert item(tree, ContractFile("x", exists=False))[1] == "x is not there"

    def test_bytes_that_are_no_text_are_looked_into_all_the_same(self, tree: Path) -> None:
        (tree / "data.bin").write_bytes(b"\xff\xfe magic \x00")
        assert item(tree, ContractFile("data.bin", contains=" magic "))[0]

    def test_files_alone_need_no_sandbox_and_run_nothing(self, tree: Path) -> None:
        made = rerun(tree, DoneContract(file=(ContractFile("a.txt"),)), "d" * 64)
        assert (made.held, made.contained, made.calls, made.contract) == (True, "nothing was run", (), "d" * 64)
