"""Familiar names and shapes on top of ours; thin."""
