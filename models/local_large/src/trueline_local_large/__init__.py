"""The larger embedded model of Trueline: slower than `trueline_local`, and clearly better."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trueline_local import OnnxSupport, files

__all__ = ["card", "load", "there"]

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
