"""Whether a goal was achieved."""
