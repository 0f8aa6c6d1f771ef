"""The ready-made graphs with their policies. Importing this package registers the built-in ones."""

from witnessmark.checkpoints import orchestration_stages, outputs

__all__ = ["orchestration_stages", "outputs"]
