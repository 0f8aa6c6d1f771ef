"""Read-only probes: commands that a user registers to see whether an effect outside of the tree is there.

    [probes.deployed]
    run = ["curl", "-fsS", "https://app.example/version"]
    contains = "1.4"         # what it must print; left out, its exit code decides
    seconds = 10

Exit code 0 (with the text, where one is asked for) confirms the effect; 1, or another text, refutes it; anything else says nothing.
A probe is run by its words, without a shell, with the file system read-only (bubblewrap) and the network as it is; where nothing can
keep it from writing it is not run, unless the user says `contained = false`.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.values import Value

MAX_SETTINGS = 1_000_000


class EffectProbe(Value, frozen=True):
    """How one effect (deployed, merged, published, migrated …) can be looked at."""

    run: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    contains: str | None = None
    seconds: Annotated[int, msgspec.Meta(ge=1, le=60)] = 10
    contained: bool = True


def probes_in(path: str) -> dict[str, EffectProbe]:
    """The probes of a settings file (TOML), by effect; InputError where it cannot be read or a probe is not one."""
    import tomllib  # like the reader of files: only where the hook is given probes, since every import of the package loads this module

    from witnessmark.actions.tree.regular_files import read_named

    try:
        found = tomllib.loads(read_named(path, MAX_SETTINGS).decode("utf-8"))
        return msgspec.convert(found.get("probes", {}), dict[str, EffectProbe])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as exc:
        raise InputError(f"{path}: its probes cannot be read ({exc})") from None
