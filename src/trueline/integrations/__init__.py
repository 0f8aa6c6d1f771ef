"""Where people already work: each integration in a file of its own, imported where it is used."""
