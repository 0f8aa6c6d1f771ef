"""The checks, a folder for each family. `builtin` finds and registers them all."""
