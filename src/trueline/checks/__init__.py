"""The checks, a family per file. Importing this package registers the built-in ones."""

from trueline.checks import rubric, schema, text, writing

__all__ = ["rubric", "schema", "text", "writing"]
