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

import subprocess
from typing import Annotated, Literal

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.values import Value

ProbeState = Literal["confirmed", "refuted", "unknown"]
KEPT = 200_000
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

    from witnessmark.actions.tree.regular import read_named

    try:
        found = tomllib.loads(read_named(path, MAX_SETTINGS).decode("utf-8"))
        return msgspec.convert(found.get("probes", {}), dict[str, EffectProbe])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as exc:
        raise InputError(f"{path}: its probes cannot be read ({exc})") from None


def ask(probe: EffectProbe, root: str | None = None) -> tuple[ProbeState, str]:
    """What the probe says, and why, in a few words."""
    words = list(probe.run)
    if probe.contained:
        from witnessmark.actions.rerun.sandbox import bubblewrap, only_reading  # only where there is a probe

        program = bubblewrap()
        if program is None:
            return "unknown", "nothing here can keep the probe from writing, so it was not run (bubblewrap is missing)"
        words = [*only_reading(program, root), *words]
    try:
        done = subprocess.run(
            words,
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=probe.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "unknown", f"the probe gave no answer within {probe.seconds} s"
    except OSError as exc:
        return "unknown", f"the probe cannot be run ({exc.strerror})"
    if done.returncode not in (0, 1):
        return "unknown", f"the probe ended with exit code {done.returncode}"
    if done.returncode == 1:
        return "refuted", "the probe says that it is not there"
    if probe.contains is not None and probe.contains not in done.stdout[:KEPT].decode("utf-8", "replace"):
        return "refuted", f"the probe does not show {probe.contains!r}"
    return "confirmed", "the probe shows it"
