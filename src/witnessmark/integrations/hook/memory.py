"""What the hook has said before: a folder with an empty file for each thing said in a session.

Files are made with "fail if it is there", so two hooks at once cannot both say the same thing. No content of a session is kept,
only digests and, where the hook is told of a session's start, a snapshot of the tree as it was, with the texts that git does not have.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from witnessmark.core.values import digest, text_digest

Told = Literal["block", "said", "enough"]


class HookMemory:
    """Remembers by session and by the digest of each complaint."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep_snapshot(self, session: str, data: bytes) -> None:
        """Keep how the tree was when a session began; a session that is resumed keeps its first."""
        place = self._snapshot(session)
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if _made(place):
            place.write_bytes(data)

    def snapshot_of(self, session: str) -> str | None:
        """The file with the snapshot that was kept for a session, or None."""
        place = self._snapshot(session)
        return str(place) if place.is_file() and place.stat().st_size else None

    def _snapshot(self, session: str) -> Path:
        return self.folder / "snapshots" / f"{text_digest(session)[:32]}.snap"

    def claim_block(self, session: str, complaints: Sequence[Any], most: int) -> Told:
        """Whether to block now: only for something not said in this session, and at most `most` times."""
        folder = self.folder / text_digest(session)[:32]
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        names = [digest(complaint)[:32] for complaint in complaints]
        fresh = [name for name in dict.fromkeys(names) if not (folder / name).exists()]
        if not fresh:
            return "said"
        if not any(_made(folder / f"block-{number}") for number in range(1, most + 1)):
            return "enough"
        made = [_made(folder / name) for name in fresh]
        return "block" if any(made) else "said"


def _made(path: Path) -> bool:
    """Whether this call made the file."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return False
    return True


def default_state() -> Path:
    """The user's state folder."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "witnessmark" / "hook"
