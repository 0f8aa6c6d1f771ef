"""The checks, a family per file. Importing this package registers the built-in ones."""

from trueline.checks import (
    consistency,
    grounding,
    measures,
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
    traceability,
    writing,
)

__all__ = [
    "consistency",
    "grounding",
    "measures",
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
    "traceability",
    "writing",
]
