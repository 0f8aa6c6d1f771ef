"""The larger embedded model of Trueline: slower than `trueline_local`, and clearly better."""

from __future__ import annotations

from pathlib import Path

from trueline_local import OnnxSupport

__all__ = ["load"]


def load(*, threads: int = 1, words: int | None = None) -> OnnxSupport:
    """The model that this package ships; `words` of evidence are read for each claim (None: as it was measured)."""
    return OnnxSupport(Path(__file__).parent / "files", threads=threads, words=words)
