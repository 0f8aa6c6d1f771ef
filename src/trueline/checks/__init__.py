"""The checks, a family per file. Importing this package registers the built-in ones."""

from trueline.checks import consistency, discussions, goals, missions, rubric, schema, text, writing

__all__ = ["consistency", "discussions", "goals", "missions", "rubric", "schema", "text", "writing"]
