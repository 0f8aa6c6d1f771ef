"""A done-contract: what must hold when a task is done, fixed before the work starts.

    [limits]
    seconds = 600            # each command
    memory_mb = 4096
    processes = 256

    [[command]]
    run = "pytest -q"
    exit_code = 0            # the default
    at_least = 12            # tests that must pass, where the runner prints counts

    [[file]]
    path = "src/app.py"
    exists = true            # the default
    contains = "def main"    # optional; `without` is its contrary

`witnessmark rerun --fix` keeps the contract's digest; one that was changed afterwards is refused.
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Annotated

import msgspec

from witnessmark.actions.tree.regular_files import read_regular
from witnessmark.core.errors import InputError
from witnessmark.core.explain import explain

NAME = "done.toml"
MAX_BYTES = 256_000
Positive = Annotated[int, msgspec.Meta(ge=1)]


class RunLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much one command may use."""

    seconds: Annotated[int, msgspec.Meta(ge=1, le=7200)] = 600
    memory_mb: Positive = 4096
    processes: Positive = 256
    copy_mb: Positive = 4096


class ContractCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command that must end as said."""

    run: Annotated[str, msgspec.Meta(pattern=r"\S")]
    exit_code: int = 0
    at_least: Positive | None = None


class ContractFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that must be there, or must not, and what it holds."""

    path: str
    exists: bool = True
    contains: str | None = None
    without: str | None = None


class DoneContract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must hold; `digest` is of the file's bytes."""

    command: tuple[ContractCommand, ...] = ()
    file: tuple[ContractFile, ...] = ()
    limits: RunLimits = RunLimits()


def load(path: Path) -> tuple[DoneContract, str]:
    """A contract and the sha256 of its file.

    Raises InputError, with the field, where it is no contract.
    """
    try:
        data = read_regular(path, MAX_BYTES)
    except OSError as exc:
        raise InputError(f"{path}: cannot be read ({exc.strerror}); `witnessmark rerun --init` writes one") from None
    try:
        made = msgspec.convert(tomllib.loads(data.decode()), DoneContract)
    except msgspec.ValidationError as exc:
        raise InputError(f"{path}: {explain(exc, DoneContract)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise InputError(f"{path}: {exc}") from None
    if not made.command and not made.file:
        raise InputError(f"{path}: requires nothing; write at least one [[command]] or [[file]]")
    return made, hashlib.sha256(data).hexdigest()


TEMPLATE = """# What must hold when the task is done. Fix it before the work starts: witnessmark rerun --fix
[limits]
seconds = 600
memory_mb = 4096
processes = 256

[[command]]
run = "pytest -q"

# [[file]]
# path = "CHANGELOG.md"
# contains = "## "
"""
