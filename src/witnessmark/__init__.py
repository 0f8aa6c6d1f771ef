"""Witnessmark: whether a plan, a report, an output, an answer or a synthesis can be trusted, why, and what to do next.

    from witnessmark import Case, Verifier
    record = Verifier().verify_sync(Case(goal="…", subject={"kind": "task_output", "text": "…"}, criteria=[…]))

Names are loaded when they are first used; importing has no effects.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from witnessmark._version import __version__ as __version__

if TYPE_CHECKING:
    from witnessmark.core.case import (
        AgentOutput,
        Answer,
        Case,
        Decomposition,
        Discussion,
        Evidence,
        Executor,
        Mission,
        Subgoal,
        Synthesis,
        TaskOutput,
    )
    from witnessmark.core.errors import InputError, UsageError, WitnessmarkError
    from witnessmark.core.plans.checkpoints import Checkpoint, CheckRef, checkpoint
    from witnessmark.core.plans.criteria import Criterion
    from witnessmark.core.policy import Policy
    from witnessmark.core.record import Record
    from witnessmark.core.registry import check, judge, store
    from witnessmark.core.verdict import (
        Claim,
        Decision,
        EvidenceRef,
        Feedback,
        Finding,
        Result,
        SourceWords,
        Usage,
        Verdict,
        WrongWords,
    )
    from witnessmark.integrations.answers import check_answer
    from witnessmark.integrations.decorator import revise, verified
    from witnessmark.integrations.tables import to_arrow, to_pandas
    from witnessmark.loop.mission import MissionRun
    from witnessmark.loop.orchestration import Orchestration
    from witnessmark.retrieval.folder import FolderRetriever
    from witnessmark.settings import Settings
    from witnessmark.verifier import Verifier

_HOME = {
    "verifier": ["Verifier"],
    "core.case": [
        "AgentOutput", "Answer", "Case", "Decomposition", "Discussion", "Evidence", "Executor", "Mission", "Subgoal",
        "Synthesis", "TaskOutput",
    ],
    "core.errors": ["InputError", "UsageError", "WitnessmarkError"],
    "core.plans.criteria": ["Criterion"],
    "core.policy": ["Policy"],
    "core.record": ["Record"],
    "core.plans.checkpoints": ["Checkpoint", "CheckRef", "checkpoint"],
    "core.registry": ["check", "judge", "store"],
    "integrations.answers": ["check_answer"],
    "loop.mission": ["MissionRun"],
    "retrieval.folder": ["FolderRetriever"],
    "integrations.tables": ["to_arrow", "to_pandas"],
    "integrations.decorator": ["revise", "verified"],
    "loop.orchestration": ["Orchestration"],
    "settings": ["Settings"],
    "core.verdict": ["Claim", "Decision", "EvidenceRef", "Feedback", "Finding", "Result", "SourceWords", "Usage", "Verdict", "WrongWords"],
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "AgentOutput",
    "Answer",
    "Case",
    "CheckRef",
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
    "FolderRetriever",
    "InputError",
    "Mission",
    "MissionRun",
    "Orchestration",
    "Policy",
    "Record",
    "Result",
    "Settings",
    "SourceWords",
    "Subgoal",
    "Synthesis",
    "TaskOutput",
    "Usage",
    "UsageError",
    "Verdict",
    "Verifier",
    "WitnessmarkError",
    "WrongWords",
    "check",
    "check_answer",
    "checkpoint",
    "judge",
    "revise",
    "store",
    "to_arrow",
    "to_pandas",
    "verified",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'witnessmark' has no attribute {name!r}")
    return getattr(import_module(f"witnessmark.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULE_OF])
