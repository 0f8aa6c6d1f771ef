"""What a command of a done-contract may use, and what it can reach: limits for all of its processes together, and bubblewrap's walls."""

from __future__ import annotations

from pathlib import Path

import pytest

from witnessmark.actions.rerun import sandbox
from witnessmark.actions.rerun.contract import ContractCommand, DoneContract, RunLimits
from witnessmark.actions.rerun.rerun import rerun
from witnessmark.core.errors import InputError

LIMITS = RunLimits(seconds=600, memory_mb=512, processes=12, copy_mb=20)
FORKS = 'python3 -c "import os, time; [os.fork() for _ in range(4)]; kept = bytearray(60 << 20); time.sleep(600)"'


def held(tree: Path, command: str, *, uncontained: bool = True) -> tuple[bool, str]:
    contract = DoneContract(command=(ContractCommand(command),), limits=LIMITS)
    (item,) = rerun(tree, contract, "0" * 64, uncontained=uncontained).items
    return item.held, item.there


@pytest.mark.parametrize(
    ("command", "there"),
    [
        ("for i in $(seq 60); do sleep 600 & done; wait", "too many processes"),
        (FORKS, "too m"),
        ("head -c 60000000 /dev/zero > large || exit 3", "exit code 3"),
        ("yes", "exit code"),
        ("true", "exit code 0"),
    ],
)
def test_limits_hold_for_all_processes_of_a_command_together(tree: Path, command: str, there: str) -> None:
    found, told = held(tree, command)
    assert there in told
    assert found is (command == "true")
    assert not (tree / "large").exists()


@pytest.mark.parametrize(
    "command",
    [
        "test -z \"$(tail -n +3 /proc/net/dev | grep -v ' lo:')\"",
        "! touch /etc/x && ! touch /usr/x && ! touch /opt/x",
        "echo new > made.txt && test -e a.txt",
        "test $(ls -d /proc/[0-9]* | wc -l) -lt 10",
        'test -z "$(ls -A $HOME)" && touch $HOME/mine',
        "test -w . && ! mount -t tmpfs none /mnt",
    ],
)
def test_contained_a_command_reaches_its_copy_and_nothing_else(tree: Path, command: str) -> None:
    """Where this machine has no working bubblewrap, the same is refused: it never runs uncontained by itself."""
    if sandbox.bubblewrap() is None:
        with pytest.raises(InputError, match="--uncontained"):
            held(tree, command, uncontained=False)
        return
    assert held(tree, command, uncontained=False) == (True, "exit code 0")
    assert not (tree / "made.txt").exists()


def test_contained_the_copy_stands_where_the_tree_is(tree: Path) -> None:
    """Environments have full paths in them: those must lead to the copy, and never to the tree itself."""
    if sandbox.bubblewrap() is None:
        with pytest.raises(InputError, match="--uncontained"):
            held(tree, "true", uncontained=False)
        return
    place = tree.resolve()
    assert held(tree, f"test $(pwd -P) = {place} && echo changed > {place}/a.txt", uncontained=False)[0]
    assert (tree / "a.txt").read_text() != "changed\n"
