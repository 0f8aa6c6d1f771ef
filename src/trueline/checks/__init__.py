"""The checks, a family per file. Importing this package registers the built-in ones."""

from trueline.checks import (
    consistency,
    discussions,
    goals,
    missions,
    output_content,
    output_format,
    plan_dimensions,
    plan_review,
    plan_routing,
    plan_structure,
    rubric,
    schema,
    text,
    writing,
)

__all__ = [
    "consistency",
    "discussions",
    "goals",
    "missions",
    "output_content",
    "output_format",
    "plan_dimensions",
    "plan_review",
    "plan_routing",
    "plan_structure",
    "rubric",
    "schema",
    "text",
    "writing",
]
