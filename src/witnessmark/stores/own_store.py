"""A store of somebody's own making: what it lacks is named when it is opened, and an id that it does not have is a word of ours."""

from __future__ import annotations

from typing import Any

from witnessmark.core.errors import ConfigError, UnknownNameError
from witnessmark.core.record import Entry, Store

METHODS = ("append", "get", "find", "scan", "purge", "children", "close")


class OwnStore:
    """Wraps such a store; all but `get` it leaves to it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # What further protocols it has is asked of the instance itself.
        known = {name: getattr(type(store), name, None) for name in dir(type(store))} | getattr(store, "__dict__", {})
        methods = [name for name, part in known.items() if callable(part) and not name.startswith("_")]
        self.__dict__ |= {name: getattr(store, name) for name in methods if name != "get"}

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What its factory made, for whoever asks what was opened."""
        return type(self._store)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def get(self, record_id: str, workspace: str | None = None) -> Entry:
        """The entry; UnknownNameError where the store raises a LookupError, as mappings do, or returns nothing."""
        entry: Any = None
        try:
            entry = await self._store.get(record_id, workspace)
        except LookupError as exc:
            raise UnknownNameError("record", record_id, ()) from exc
        if entry is None:
            raise UnknownNameError("record", record_id, ())
        return entry  # type: ignore[no-any-return]


def checked(store: Any, what: str) -> Store:
    """The store itself; ConfigError that names what it lacks where it is none."""
    missing = [name for name in METHODS if not callable(getattr(store, name, None))]
    if missing:
        told = "nothing" if store is None else f"{type(store).__name__} without {', '.join(missing)}"
        raise ConfigError(f"{what} {told}; a store has the methods of witnessmark.core.record.Store")
    kept: Store = store
    return kept
