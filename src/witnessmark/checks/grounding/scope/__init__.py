"""How far a statement reaches: what it denies, bounds or allows, what it excepts, and of how many it speaks."""
