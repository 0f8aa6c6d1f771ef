"""API keys: read from the environment or a file when a call is made, never kept, shown, logged or put in an error."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from witnessmark.core.errors import ConfigError


class JudgeKey:
    """Where a key is found. Says where, never what."""

    __slots__ = ("_environ", "env", "file")

    def __init__(self, env: str = "", file: str = "", environ: Mapping[str, str] | None = None) -> None:
        self.env, self.file = env, file
        self._environ = environ

    @property
    def where(self) -> str:
        """The place, for messages."""
        return f"the file {self.file}" if self.file else self.env

    @property
    def needed(self) -> bool:
        """Whether a place was named at all; a local endpoint often needs no key."""
        return bool(self.env or self.file)

    def read(self) -> str:
        """The key; empty where none is needed, ConfigError where it is missing."""
        if not self.needed:
            return ""
        found = (
            self._from_file() if self.file else (os.environ if self._environ is None else self._environ).get(self.env)
        )
        if not found or not found.strip():
            raise ConfigError(
                f"the judge needs an API key: set {self.env}" if self.env else f"{self.file} holds no key"
            )
        key = found.strip()
        if not key.isascii() or not key.isprintable():
            raise ConfigError(f"the API key in {self.where} holds characters no key has; copy it again")
        return key

    def _from_file(self) -> str:
        try:
            return Path(self.file).expanduser().read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as exc:
            raise ConfigError(f"the key file {self.file} cannot be read ({type(exc).__name__})") from None

    def __repr__(self) -> str:
        return f"Key(in {self.where or 'nowhere'})"
