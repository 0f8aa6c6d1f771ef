"""The settings in force, without secrets, and the two switches of the workspace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from witnessmark.core.errors import InputError, PolicyError
from witnessmark.core.plans.checkpoints import checkpoints
from witnessmark.core.policy import Policy, layered
from witnessmark.core.values import plain
from witnessmark.server.pages.access import Visit, see
from witnessmark.server.workspace_in_force import policy_in_force
from witnessmark.settings import Settings
from witnessmark.stores.workspaces import change_workspace, workspace_settings

SWITCHES = (
    (
        "verification",
        "Verification",
        "When off, nothing is checked: every case is kept as unverified, and nothing passes.",
    ),
    ("correction", "Correction", "When off, verdicts stay the same, but nothing is sent back to be corrected."),
)
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^@/]*@")
_SECRET = re.compile(r"(?i)(secret(?!_env$)|password|token$|api_key$)")
THEIRS = (
    "workspace", "policy", "limits", "inputs", "content", "judging", "verification", "calibration", "guardrail",
    "max_case_bytes",
)  # fmt: skip
"""What a workspace is told of the service's settings: what its own cases meet. The rest is for whoever runs the service."""


async def show(visit: Visit) -> Response:
    """What holds here."""
    on = await workspace_settings(visit.site.store, visit.caller.workspace)
    held = visit.site.settings.for_workspace(visit.caller.workspace)
    told = plain(held) | {"policy": _policy(policy_in_force(held, on))}
    del told["workspaces"]  # of the others nobody is told, and one's own hold already
    if not visit.runs_service:
        told = {name: told[name] for name in THEIRS}
    default = dict(flat(plain(Settings()) | {"policy": _policy({})}))
    now = [(name, value, default.get(name) != value) for name, value in flat(told)]
    return await visit.page("settings.html", "settings", switches=SWITCHES, on=on, now=now)


async def switched(visit: Visit) -> Response:
    """Turn one switch."""
    sent = await visit.form()
    name, value = sent.get("switch", ""), sent.get("to", "")
    if name not in ("verification", "correction") or value not in ("on", "off"):
        raise InputError("switch: verification or correction, to on or off")
    workspace = visit.caller.workspace
    question, words = (
        f"Switch {name} off in workspace {workspace}?",
        next(said for key, _, said in SWITCHES if key == name),
    )
    if value == "off" and (asked := await visit.unsure(question, words, "Switch it off", "/ui/settings")):
        return asked
    await change_workspace(visit.site.store, workspace, {name: value == "on"}, visit.caller.name)
    visit.site.settings_changed(workspace)
    await visit.site.note(visit.caller, f"switch {name} {value}", workspace)
    return see(f"/ui/settings?told={name}-{value}")


def _policy(given: Mapping[str, Any]) -> dict[str, Any]:
    """Every field of the policy that these make; what a checkpoint sets for itself stands beside the rest."""
    try:
        found = plain(layered(Policy(), {"workspace": given}))
    except PolicyError:  # told whoever verifies; here what is set is seen
        return dict(given)
    del found["layers"]
    usual, points = Policy(), checkpoints.all().values()
    for name in found.keys() - given:
        own = [(point.name, getattr(point.policy, name)) for point in points]
        apart = [f"; {_text(value)} in {point}" for point, value in own if value != getattr(usual, name)]
        found[name] = _text(found[name]) + "".join(apart)
    return found


def flat(value: Any, name: str = "") -> list[tuple[str, str]]:
    """Every setting by its path, as text; a password in a URL and whatever is called a secret is left out."""
    if isinstance(value, dict) and value:
        return [pair for key, inner in value.items() for pair in flat(inner, f"{name}.{key}" if name else str(key))]
    if _SECRET.search(name.rpartition(".")[2]) and value:
        return [(name, "set, not shown")]
    return [(name, _PASSWORD.sub(r"\1:…@", _text(value)))]


def _text(value: Any) -> str:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "none"
    return "none" if value == {} else str(value)
