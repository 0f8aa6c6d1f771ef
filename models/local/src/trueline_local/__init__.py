"""The small embedded model of Trueline: is a claim borne out by a text, on a CPU, offline.

>>> model = load()  # doctest: +SKIP
>>> model.support([("Revenue grew 14 % in 2023.", "Revenue grew by 14 percent.")])  # doctest: +SKIP
[0.97...]
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trueline_local import files
from trueline_local.evidence import select, sentences
from trueline_local.runtime import OnnxSupport

__all__ = ["OnnxSupport", "card", "load", "select", "sentences", "there"]

FOLDER = Path(__file__).parent / "files"


def there() -> bool:
    """Whether this build of the package has weights."""
    return files.there(FOLDER)


def card() -> dict[str, Any]:
    """What model.json says: id, version, words and tokens read, calibration, digests."""
    return files.card(FOLDER)


def load(*, threads: int = 1, words: int | None = None, device: str = "auto") -> OnnxSupport:
    """The model that this package ships; `words` of evidence are read for each claim (None: as it was measured)."""
    return OnnxSupport(FOLDER, threads=threads, words=words, device=device)
