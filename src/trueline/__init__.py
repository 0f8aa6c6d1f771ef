"""Trueline: whether a plan, a report, an output, an answer or a synthesis can be trusted, why, and what to do next.

    from trueline import Case, Verifier
    record = Verifier().verify_sync(Case(goal="…", subject={"kind": "task_output", "text": "…"}, criteria=[…]))

Names are loaded when they are first used; importing has no effects.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from trueline._version import __version__ as __version__

if TYPE_CHECKING:
    from trueline.api import Verifier
    from trueline.case import (
        AgentOutput,
        Answer,
        Case,
        Criterion,
        Decomposition,
        Discussion,
        Evidence,
        Executor,
        Mission,
        Subgoal,
        Synthesis,
        TaskOutput,
    )
    from trueline.errors import TruelineError, UsageError
    from trueline.policy import Policy
    from trueline.record import Record
    from trueline.registry import Checkpoint, Place, check, checkpoint
    from trueline.revising import revise, verified
    from trueline.settings import Settings
    from trueline.verdict import Claim, Decision, EvidenceRef, Feedback, Finding, Result, Usage, Verdict

_HOME = {
    "api": ["Verifier"],
    "case": [
        "AgentOutput", "Answer", "Case", "Criterion", "Decomposition", "Discussion", "Evidence", "Executor", "Mission",
        "Subgoal", "Synthesis", "TaskOutput",
    ],
    "errors": ["TruelineError", "UsageError"],
    "policy": ["Policy"],
    "record": ["Record"],
    "registry": ["Checkpoint", "Place", "check", "checkpoint"],
    "revising": ["revise", "verified"],
    "settings": ["Settings"],
    "verdict": ["Claim", "Decision", "EvidenceRef", "Feedback", "Finding", "Result", "Usage", "Verdict"],
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "AgentOutput",
    "Answer",
    "Case",
    "Checkpoint",
    "Claim",
    "Criterion",
    "Decision",
    "Decomposition",
    "Discussion",
    "Evidence",
    "EvidenceRef",
    "Executor",
    "Feedback",
    "Finding",
    "Mission",
    "Place",
    "Policy",
    "Record",
    "Result",
    "Settings",
    "Subgoal",
    "Synthesis",
    "TaskOutput",
    "TruelineError",
    "Usage",
    "UsageError",
    "Verdict",
    "Verifier",
    "check",
    "checkpoint",
    "revise",
    "verified",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'trueline' has no attribute {name!r}")
    return getattr(import_module(f"trueline.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULE_OF])
