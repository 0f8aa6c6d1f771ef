"""The small embedded model of Trueline: is a claim borne out by a text, on a CPU, offline.

>>> model = load()  # doctest: +SKIP
>>> model.support([("Revenue grew 14 % in 2023.", "Revenue grew by 14 percent.")])  # doctest: +SKIP
[0.97...]
"""

from __future__ import annotations

from pathlib import Path

from trueline_local.evidence import select, sentences
from trueline_local.runtime import OnnxSupport

__all__ = ["OnnxSupport", "load", "select", "sentences"]


def load(*, threads: int = 1, words: int | None = None) -> OnnxSupport:
    """The model that this package ships; `words` of evidence are read for each claim (None: as it was measured)."""
    return OnnxSupport(Path(__file__).parent / "files", threads=threads, words=words)
