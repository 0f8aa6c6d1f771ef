"""Judges put together from the settings: floor 3's knowledge of that room."""

from __future__ import annotations

from typing import Any

from trueline.judges import metering, prompting
from trueline.judges.choosing import Bench
from trueline.judges.specs import Maker
from trueline.protocols import Notes, Store
from trueline.settings import Settings


def maker(settings: Settings, store: Store | None = None) -> Maker:
    """What makes judges, with prices and a memory where there is a store for it."""
    chosen = settings.judging
    return Maker(settings.judges, prices=metering.load(chosen.prices), notes=notes_of(store), cache=chosen.cache)


def notes_of(store: object) -> Notes | None:
    """The store as a place for notes, where it is one; a store of somebody else's need not be."""
    return store if isinstance(store, Notes) else None


def bench(settings: Settings, store: Store | None = None) -> Bench | None:
    """The judges at hand, or None where none is configured or named. `none` as a name means none."""
    chosen = settings.judging
    wanted = [name for name in chosen.judges if name != "none"]
    if not wanted and (chosen.judges or not settings.judges):
        return None
    made = maker(settings, store)
    return Bench(
        made.named(wanted) if wanted else made.all(),
        named=bool(wanted),
        allow_same_family=chosen.allow_same_family,
        use=chosen.use,
        notes=notes_of(store),
    )


def services(bench: Bench | None) -> dict[str, Any]:
    """What checks are handed: how to put a question, and who answers it where there is anyone."""
    return {"compose": prompting.ask_about} | ({"judges": bench} if bench is not None else {})
