"""Counts kept beside the records: what a verification counts for, how the tables change, how they are read."""
