"""What `doctor` says about the embedded models: which are there, which is used, what to do about one that is missing."""

from __future__ import annotations

import importlib.util

import typer

from witnessmark.checks.grounding.confidence import Verification
from witnessmark.core.errors import WitnessmarkError
from witnessmark.judges import local


def say_at_hand(verification: Verification) -> int:
    """Say it of each model; 1 where one is named in the settings and not there or not whole."""
    wanted = verification.model
    short = 0
    for name in local.PACKAGES:
        why = local.missing(name)
        # The large one is asked beside the small one. Whoever installed the runtime wants the small one.
        needed = wanted in (name, "local-large") or (wanted == "auto" and name == "local" and _runtime())
        short += bool(why) and needed
        word = "missing " if why and needed else "optional" if why else "ok      "
        typer.echo(f"{word} model {name}: {why or local.described(name)}")
    used = "local" if wanted == "auto" and not local.missing("local") else "rules" if wanted == "auto" else wanted
    alone = " alone: no embedded model reads them" if used == "rules" else ""
    typer.echo(f"ok       answers are checked by {used}{alone} (verification.model = {wanted!r})")
    return int(short > 0) or _broken(verification, used)


def _runtime() -> bool:
    return all(importlib.util.find_spec(module) is not None for module in local.RUNTIME)


def _broken(verification: Verification, used: str) -> int:
    """Load the model that would be used, so that a damaged file is found here and not at the first answer."""
    try:
        local.choose(used, device=verification.device)
    except WitnessmarkError as exc:
        typer.echo(f"missing  {exc}")
        return 1
    return 0
