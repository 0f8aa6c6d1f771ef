"""Judges put together from the settings: floor 3's knowledge of that room."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from trueline.errors import ConfigError
from trueline.judges import metering, prompting
from trueline.judges.choosing import Bench
from trueline.judges.specs import Maker
from trueline.protocols import Judge, Notes
from trueline.record import Store
from trueline.settings import Settings

NAMED_KEPT = 64


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
    return _bench(settings, store, made.named(wanted) if wanted else made.all(), named=bool(wanted))


class ByName:
    """Finds the judge of a name, such as a request's verifier_model; close it when done.

    A name that comes with a request is no URL: whoever sends it could have our key and the work sent to a place of theirs.
    """

    def __init__(self, settings: Settings, store: Store | None = None) -> None:
        self._settings, self._store = settings, store
        self._maker = maker(settings, store)
        self._found = functools.lru_cache(maxsize=NAMED_KEPT)(self._made)

    def __call__(self, name: str) -> Bench:
        """The judge as a bench of one; made once, and those of one endpoint share its limits."""
        return self._found(name)

    def _made(self, name: str) -> Bench:
        if "://" in name and name not in self._settings.judges:
            raise ConfigError(
                "a request names a judge of the configuration, openai/MODEL or anthropic/MODEL, never a URL"
            )
        return _bench(self._settings, self._store, self._maker.named([name]), named=True)

    async def close(self) -> None:
        """Let go of the connections of every judge that was found, forgotten ones too."""
        await self._maker.close()


def _bench(settings: Settings, store: Store | None, judges: Sequence[Judge], *, named: bool) -> Bench:
    chosen = settings.judging
    return Bench(judges, named=named, allow_same_family=chosen.allow_same_family, use=chosen.use, notes=notes_of(store))


def services(bench: Bench | None) -> dict[str, Any]:
    """What checks are handed: how to put a question, and who answers it at what price where there is anyone."""
    asked = {"compose": prompting.ask_about}
    return asked if bench is None else asked | {"judges": bench, "price": bench.price}


async def prepare(judges: object) -> None:
    """Look up what a bench has to know before a judge is picked; judges of somebody else's need nothing."""
    if isinstance(judges, Bench):
        await judges.prepare()
