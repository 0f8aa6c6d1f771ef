"""Criteria in words, settled by a judge."""
