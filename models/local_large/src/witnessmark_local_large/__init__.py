"""The larger embedded model of Witnessmark: slower than `witnessmark_local`, and clearly better."""

from __future__ import annotations

from pathlib import Path

from witnessmark_local import Shipped

__all__ = ["card", "load", "there"]

_model = Shipped(Path(__file__).parent / "files")
there, card, load = _model.there, _model.card, _model.load
