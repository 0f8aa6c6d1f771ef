"""Where records are kept: SQLite by path, PostgreSQL by URL, memory for tests. One set of tables for the first two."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from pathlib import Path

from witnessmark.core.errors import ConfigError
from witnessmark.core.record import Store
from witnessmark.core.registry import StoreFactory, store_schemes


def open_store(url: str) -> Store:
    """The store a URL names: sqlite:///path, postgresql://…, memory:, what `@store` brought, or the path of a SQLite file.

    Raises ConfigError for a scheme that nobody registered.
    """
    scheme, colon, _ = url.partition(":")
    if not colon or Path(url).exists() or len(scheme) == 1:  # a path, a drive letter among them
        scheme, url = "sqlite", f"sqlite:///{url}"
    make = _ours(scheme) or _third_party(scheme)
    if make is None:
        others = "".join(f", {name}:…" for name in sorted(store_schemes.all()) if name not in OURS)
        raise ConfigError(
            f"store {url!r}: write sqlite:///path, postgresql://user@host/database, memory:, or a file's path{others}"
        )
    from witnessmark.stores import own_store  # here: most programs keep nothing

    made = own_store.checked(make(url), f"store {url!r}: its factory returned")
    # One of ours that a factory hands out needs no guard.
    return made if type(made).__module__.startswith(f"{__name__}.") else own_store.OwnStore(made)


def given_store(where: Store | str | os.PathLike[str] | None) -> Store | None:
    """The store that a caller hands in, or names by its URL or the path of its file; ConfigError where it is none."""
    if where is None:
        return None
    if isinstance(where, (str, os.PathLike)):
        return open_store(os.fspath(where))
    from witnessmark.stores import own_store  # here: as above

    return own_store.checked(where, "store: this is")


OURS = ("memory", "sqlite", "postgres", "postgresql")


def _ours(scheme: str) -> StoreFactory | None:
    """A store that is one module of this package, named after its scheme: `stores/jsonl.py` for `jsonl:…`."""
    module = f"{__name__}.{'postgres' if scheme == 'postgresql' else scheme}"
    if not scheme.isidentifier() or importlib.util.find_spec(module) is None:
        return None
    importlib.import_module(module)
    return store_schemes.known(scheme)


def _third_party(scheme: str) -> StoreFactory | None:
    for name, make in store_schemes.all().items():
        if scheme in (name, name.rpartition("/")[2]):
            return make
    return None


def without_password(url: str) -> str:
    """A store's URL as it may be shown: a password before the host or among the parameters is left out."""
    scheme, mark, rest = url.partition("://")
    if not scheme.startswith("postgres"):
        return url
    login, at, place = rest.rpartition("@")
    user, colon, _ = login.partition(":")
    return re.sub(r"(password=)[^&]*", r"\1***", f"{scheme}{mark}{user}{':***' if colon else ''}{at}{place}")


def default_url() -> str:
    """SQLite in the user's data folder."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return f"sqlite:///{base / 'witnessmark' / 'witnessmark.db'}"
