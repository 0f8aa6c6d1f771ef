"""Importing this module registers the built-in checks; nothing else does, so one family can be had without the others."""

from witnessmark.checks.discussion import conclusion
from witnessmark.checks.goal import achievement
from witnessmark.checks.grounding import grounding_check, reference
from witnessmark.checks.judged import rubric
from witnessmark.checks.measures import retrieval_measures
from witnessmark.checks.mission import consistency, tasks
from witnessmark.checks.output import backing, content, form
from witnessmark.checks.plain import consent, exact, schema, similarity, text, tools, writing
from witnessmark.checks.plan import dimensions, review, routing, structure
from witnessmark.checks.synthesis import coherence, traceability, truncation

__all__ = [
    "achievement",
    "backing",
    "coherence",
    "conclusion",
    "consent",
    "consistency",
    "content",
    "dimensions",
    "exact",
    "form",
    "grounding_check",
    "reference",
    "retrieval_measures",
    "review",
    "routing",
    "rubric",
    "schema",
    "similarity",
    "structure",
    "tasks",
    "text",
    "tools",
    "traceability",
    "truncation",
    "writing",
]
