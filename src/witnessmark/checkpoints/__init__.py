"""The ready-made graphs with their policies. Importing this package registers the built-in ones."""

from witnessmark.checkpoints import orchestrated, outputs

__all__ = ["orchestrated", "outputs"]
