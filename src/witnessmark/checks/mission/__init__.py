"""A mission by its tasks, and related outputs against each other."""
