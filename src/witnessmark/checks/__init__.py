"""The checks, a family per file. `builtin` registers them all."""
