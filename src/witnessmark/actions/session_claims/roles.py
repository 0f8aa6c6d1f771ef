"""The roles of claims that are ruled on by what a whole session shows."""

MEASURED, COUNTED, DEED, TOLD_FAILURE = "measured_nowhere", "measured_count", "told_deed", "told_failure"
CHANGED, READ_ALL = "changed_nowhere", "read_all"
ROLES = frozenset({MEASURED, COUNTED, DEED, TOLD_FAILURE, CHANGED, READ_ALL})
"""All of them."""
