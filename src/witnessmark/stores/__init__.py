"""Where records are kept: SQLite by path, PostgreSQL by URL, memory for tests. One set of tables for the first two."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from witnessmark.core.errors import ConfigError
from witnessmark.core.record import Store


def open_store(url: str) -> Store:
    """The store a URL names: sqlite:///path, postgresql://…, memory:, or the path of a SQLite file."""
    scheme, _, rest = url.partition(":")
    if scheme == "memory":
        from witnessmark.stores.memory import MemoryStore

        return MemoryStore()
    if scheme in ("postgresql", "postgres"):
        from witnessmark.stores.postgres import postgres_store

        return postgres_store(url)
    from witnessmark.stores.sqlite import sqlite_store

    if scheme == "sqlite":
        if not rest.startswith("///"):
            raise ConfigError(f"store {url!r}: write sqlite:///relative/path or sqlite:////absolute/path")
        return sqlite_store(rest[3:])
    if "://" in url:
        raise ConfigError(f"store {url!r}: write sqlite:///path, postgresql://user@host/database, or a file's path")
    return sqlite_store(url)


def default_url() -> str:
    """SQLite in the user's data folder."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return f"sqlite:///{base / 'witnessmark' / 'witnessmark.db'}"
