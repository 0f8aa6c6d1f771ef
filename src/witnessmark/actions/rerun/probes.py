"""What a registered probe says about an effect outside of the tree."""

from __future__ import annotations

import subprocess
from typing import Literal

from witnessmark.actions.tree.probes import EffectProbe

ProbeState = Literal["confirmed", "refuted", "unknown"]
KEPT = 200_000


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
