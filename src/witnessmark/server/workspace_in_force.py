"""What holds in a workspace: what its admin has set, over what the settings file says."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from witnessmark.core.values import NotNegative
from witnessmark.settings import Settings
from witnessmark.stores.workspaces import Workspace


class WorkspaceInForce(Workspace, frozen=True):
    """What an admin has set, and what comes of it together with the settings file."""

    policy_in_force: dict[str, Any] = {}
    """The fields of the policy that differ from the default, whoever set them."""
    retention_days_in_force: NotNegative | None = None


def policy_in_force(held: Settings, on: Workspace) -> dict[str, Any]:
    """The fields of a policy that are set for a workspace: in the settings file, for it alone, and by its admin."""
    return {**held.policy, **on.policy, **({} if on.correction else {"max_revisions": 0})}


def in_force(settings: Settings, workspace: str, on: Workspace) -> WorkspaceInForce:
    """What is set for the workspace, with what holds there."""
    days = settings.service.retention_days if on.retention_days is None else on.retention_days
    policy = policy_in_force(settings.for_workspace(workspace), on)
    return WorkspaceInForce(**structs.asdict(on), policy_in_force=policy, retention_days_in_force=days)
