"""The older scoring systems and which of our words comes nearest to each of their dimensions. A map, not a converter.

They answer other questions and stay as they are: nothing here reads their numbers into a verdict or writes one back.
docs/task.md has the same table with the reasons.
"""

from __future__ import annotations

from collections.abc import Mapping

NEAREST: Mapping[str, Mapping[str, str | None]] = {
    "report grading": {"grade": "override"},
    "recipe quality": {
        "completeness": "completeness",
        "accuracy": "accuracy",
        "efficiency": "usage",
        "reliability": "metrics",
        "cost": "usage",
    },
    "quality assessor": {
        "completeness": "completeness",
        "coherence": "clarity",
        "accuracy": "accuracy",
        "professionalism": "professionalism",
        "clarity": "clarity",
    },
    "live traffic scoring": {"completeness": "completeness", "is_helpful": "relevance", "is_concise": "clarity"},
    "RAG quality scorer": {"avg_similarity": None, "source_diversity": None, "coverage": "coverage", "freshness": None},
    "prompt assessment": {},
    "prompt optimisation": {},
    "safety check": {"safety": "safety"},
}
"""For each system its dimensions, each with our nearest word, or None where it is about something else."""
