"""Measures of a retrieval step."""
