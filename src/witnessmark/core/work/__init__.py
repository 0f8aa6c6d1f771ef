"""What a case may cost: limits on what it holds, and worker processes for checks whose cost depends on that."""
