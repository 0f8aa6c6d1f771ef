"""The kinds of training pairs, by the number they are packed under. Knows nothing of how they are made."""

KINDS = ("human", "verbatim", "reworded", "merged", "edited", "removed", "similar", "record", "written")
PEOPLE = (KINDS.index("human"), KINDS.index("written"))
"""What people or a large model wrote."""
REWORDED = (KINDS.index("reworded"), KINDS.index("merged"))
