"""The checks, a family per file. Importing this package registers the built-in ones."""

from trueline.checks import consistency, missions, rubric, schema, text, writing

__all__ = ["consistency", "missions", "rubric", "schema", "text", "writing"]
