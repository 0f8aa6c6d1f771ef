"""Checks that need no judge: text, schema, exact, similarity, counts, tools, consent, writing."""
