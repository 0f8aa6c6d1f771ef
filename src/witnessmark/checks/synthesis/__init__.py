"""A synthesis: what it rests on, and how coherent and complete it is."""
