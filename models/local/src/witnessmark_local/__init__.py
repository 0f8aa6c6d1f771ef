"""The small embedded model of Witnessmark: is a claim borne out by a text, on a CPU, offline.

>>> model = load()  # doctest: +SKIP
>>> model.support([("Revenue grew 14 % in 2023.", "Revenue grew by 14 percent.")])  # doctest: +SKIP
[0.9...]
"""

from __future__ import annotations

from pathlib import Path

from witnessmark_local.evidence import select, sentences
from witnessmark_local.runtime import OnnxSupport, Reading
from witnessmark_local.shipped import Shipped

__all__ = ["OnnxSupport", "Reading", "Shipped", "card", "load", "select", "sentences", "there"]

_model = Shipped(Path(__file__).parent / "files")
there, card, load = _model.there, _model.card, _model.load
