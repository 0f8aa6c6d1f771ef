"""Rulings on what an agent says it saw while something ran."""
