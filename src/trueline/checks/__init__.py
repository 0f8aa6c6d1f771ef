"""The checks, a family per file. Importing this package registers the built-in ones."""

from trueline.checks import grounding, measures, rubric, schema, text, writing

__all__ = ["grounding", "measures", "rubric", "schema", "text", "writing"]
