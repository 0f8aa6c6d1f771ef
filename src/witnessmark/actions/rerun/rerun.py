"""A contract run again: each command in a throw-away copy, each file looked at, and the result bound to the tree's digest.

The result is a trace of its own (`id`, `calls`), so that `verify --trace` can hold a report against it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from witnessmark.actions.rerun import sandbox
from witnessmark.actions.rerun.contract import ContractCommand, ContractFile, DoneContract
from witnessmark.actions.rerun.sandbox import SandboxRun
from witnessmark.actions.trace.ledger import RERUN
from witnessmark.actions.trace.test_runners import counts_of
from witnessmark.actions.tree.containment import Root
from witnessmark.actions.tree.digests import file_digests, tree_digest
from witnessmark.core.errors import InputError
from witnessmark.core.verdict import counted

LINE_LENGTH = 200


class RerunItem(msgspec.Struct, frozen=True):
    """One thing that the contract asks for, and whether it holds."""

    what: str
    held: bool
    there: str


class RerunResult(msgspec.Struct, frozen=True):
    """What a rerun found: bound to the tree and to the contract by their digests."""

    tree: str
    contract: str
    contained: str
    items: tuple[RerunItem, ...]
    calls: tuple[dict[str, Any], ...] = ()
    files: dict[str, str] = {}
    """The digest of each file, so that whoever reads the result can say which was changed since."""
    id: str = "rerun"
    whole: bool = False

    @property
    def held(self) -> bool:
        """Whether everything holds."""
        return all(item.held for item in self.items)


def rerun(root: Path, contract: DoneContract, digest: str, *, uncontained: bool = False) -> RerunResult:
    """Run the contract against a tree.

    Raises InputError where the root is no folder, and where nothing contains the commands and `uncontained` does not allow that.
    """
    contained = sandbox.bubblewrap() if contract.command else None
    if contract.command and contained is None and not uncontained:
        raise InputError(sandbox.REFUSED)
    with Root(root) as looked_into:
        items = [_file(one, looked_into) for one in contract.file]
    tree, files = tree_digest(root), file_digests(root)
    calls: list[dict[str, Any]] = []
    for number, command in enumerate(contract.command, 1):
        # A copy of its own for each: what one command leaves behind must not help the next.
        with sandbox.copied(root, contract.limits) as copy:
            done = sandbox.run(command.run, copy, contract.limits, contained, root)
        items.append(_command(command, done))
        code = -1 if done.exit_code is None else done.exit_code
        calls.append({"id": f"{RERUN}{number}", "name": "bash", "input": {"command": done.command}, "output": done.output, "exit_code": code})  # fmt: skip
    how = "bubblewrap" if contained else "limits only" if contract.command else "nothing was run"
    return RerunResult(tree, digest, how, tuple(items), tuple(calls), files)


def _command(wanted: ContractCommand, done: SandboxRun) -> RerunItem:
    what = f"{wanted.run} ends with {wanted.exit_code}"
    if done.exit_code is None:
        return RerunItem(what, held=False, there=f"ended after {done.seconds:.0f} s because {done.why}")
    counts = counts_of(done.output)
    there = f"exit code {done.exit_code}" + (f", {counts}" if counts is not None else "")
    held = done.exit_code == wanted.exit_code
    if not held and counts is None:
        there += f": {last}" if (last := _last_line(done.output)) else ", nothing printed"
    if wanted.at_least is not None:
        what += f" and at least {counted(wanted.at_least, 'test passes', 'tests pass')}"
        held = held and counts is not None and (counts.passed or 0) >= wanted.at_least and not counts.bad
    return RerunItem(what, held, there)


def _last_line(output: str) -> str:
    """The last thing a command printed, which mostly says why it ended as it did."""
    return next((line.strip()[:LINE_LENGTH] for line in reversed(output.splitlines()) if line.strip()), "")


def _file(wanted: ContractFile, tree: Root) -> RerunItem:
    seen = tree.content(wanted.path)
    if not wanted.exists:
        return RerunItem(f"{wanted.path} is not there", seen.state == "absent", seen.state)
    what = f"{wanted.path} is there"
    if seen.state != "file":
        return RerunItem(what, held=False, there=seen.state)
    text = seen.content.decode("utf-8", "replace")
    held = (wanted.contains is None or wanted.contains in text) and (
        wanted.without is None or wanted.without not in text
    )
    there = f"sha256 {hashlib.sha256(seen.content).hexdigest()[:12]}…" if held else "another text"
    told = [
        f"with {wanted.contains!r}" if wanted.contains else "",
        f"without {wanted.without!r}" if wanted.without else "",
    ]
    return RerunItem(" ".join([what, *(part for part in told if part)]), held, there)
