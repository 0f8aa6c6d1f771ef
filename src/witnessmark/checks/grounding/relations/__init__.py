"""How things of a claim stand to each other against what a passage says: who does what to whom, which is more, which comes first."""
