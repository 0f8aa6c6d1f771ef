"""The model that a package ships in its folder `files`. A package of weights says which folder, and no more."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from witnessmark_local import files
from witnessmark_local.runtime import OnnxSupport


@dataclass(frozen=True, slots=True)
class Shipped:
    """A model's folder, and what is asked of it."""

    folder: Path

    def there(self) -> bool:
        """Whether this build of the package has weights."""
        return files.there(self.folder)

    def card(self) -> dict[str, Any]:
        """What model.json says: id, version, words and tokens read, calibration, digests."""
        return files.card(self.folder)

    def load(
        self, *, fast: bool = False, threads: int = 1, words: int | None = None, device: str = "auto"
    ) -> OnnxSupport:
        """The model that the package ships, or its `fast` part; `words` of evidence are read for each claim (None: as measured)."""
        return OnnxSupport(self.folder, fast=fast, threads=threads, words=words, device=device)
