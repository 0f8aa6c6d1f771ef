"""`witnessmark hook AGENT --install`: the settings written into a project, beside what is there already."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from witnessmark.cli.hook.agents import CodingAgent
from witnessmark.core.errors import InputError


def installed(agent: CodingAgent, text: str, root: Path) -> str:
    """Write the settings of an agent under a project and say where; what the file already holds is kept.

    Raises InputError where the file is there and cannot be read as JSON.
    """
    place = Path(agent.place).expanduser() if agent.place.startswith("~") else root / agent.place
    if place.suffix != ".json":
        made = text
    else:
        known = _known(place)
        try:
            merged = _merged(known, json.loads(text))
        except InputError as exc:
            raise InputError(f"{place}: {exc}") from None
        if merged == known:
            return f"{place}: already has it"
        made = json.dumps(merged, indent=2) + "\n"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(made, encoding="utf-8")
    return f"{place}: written"


def _known(place: Path) -> dict[str, Any]:
    if not place.exists():
        return {}
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise InputError(f"{place}: is not JSON ({exc}); fix it, or print the settings and add them yourself") from None
    if not isinstance(found, dict):
        raise InputError(f"{place}: should be a JSON object; print the settings and add them yourself")
    return found


def _merged(known: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Both, with lists put together; an entry that stands there already, with whatever path of the command, is not repeated.

    Raises InputError where something of another shape stands in the way.
    """
    made = dict(known)
    for key, value in more.items():
        old = made.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            made[key] = _merged(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            made[key] = old if any("witnessmark" in json.dumps(entry) for entry in old) else [*old, *value]
        elif old is None:
            made[key] = value
        elif isinstance(value, (dict, list)):
            raise InputError(f"{key}: holds something else than hooks; print the settings and add them yourself")
    return made
