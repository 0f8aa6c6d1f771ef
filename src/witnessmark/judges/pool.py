"""The judges at hand: put together from the settings, and who of them judges this work.

A judge is of another family than the maker of the work, and qualified, unless it was named. A judge of the maker's own
family is an error unless the settings allow it, and then the result says so. Knows nothing about prompts or cases.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, Protocol

from witnessmark.core.errors import ConfigError
from witnessmark.core.protocols import Judge, Notes
from witnessmark.core.record import Store
from witnessmark.core.values import Value
from witnessmark.core.verdict import Independence
from witnessmark.judges import families, metering
from witnessmark.judges.cache import WorkspaceNotes, close
from witnessmark.judges.panel import Panel
from witnessmark.judges.qualification import Qualification, qualification_of
from witnessmark.judges.specs import JudgeMaker, JudgeSpec

Use = Literal["one", "panel_at_high_stakes", "panel"]
_RANK = {"unknown": 0, "none": 1, "prompt": 2, "model": 3, "family": 4, "deterministic": 5}
NAMED_KEPT = 64


class JudgingSettings(Value, frozen=True):
    """How judges are used. `judges` names those to use, qualified or not; left out, a qualified one is chosen."""

    judges: tuple[str, ...] = ()
    use: Use = "panel_at_high_stakes"
    allow_same_family: bool = False
    cache: bool = True
    prices: str | None = None


class JudgeSettings(Protocol):
    """What of the settings concerns judges; `Settings` is one."""

    @property
    def judges(self) -> Mapping[str, JudgeSpec]:
        """The configured judges by name."""
        ...

    @property
    def judging(self) -> JudgingSettings:
        """How they are used."""
        ...

    @property
    def workspace(self) -> str:
        """Whose answers are remembered."""
        ...


class JudgePool:
    """The judges at hand: those that were named, or all that are configured."""

    def __init__(
        self,
        judges: Sequence[Judge],
        *,
        named: bool,
        allow_same_family: bool = False,
        use: Use = "panel_at_high_stakes",
        notes: Notes | None = None,
    ) -> None:
        self.judges, self.named, self._allow, self._use = tuple(judges), named, allow_same_family, use
        self._notes = notes
        self.qualified: dict[str, Qualification] | None = None
        self._panels: dict[tuple[str, ...], Panel] = {}

    async def prepare(self) -> None:
        """Look up which judges are qualified, once; named ones need not be."""
        if self.qualified is None:
            found = {judge.id: await qualification_of(judge, self._notes) for judge in self.judges}
            self.qualified = {name: passed for name, passed in found.items() if passed is not None and passed.qualified}

    def pick(self, executor_model: str | None, *, stakes: str = "normal") -> Judge:
        """A judge for work by this model, or ConfigError that says why there is none; high stakes may get a panel."""
        able = self._able()
        apart = [judge for judge in able if not self._own_family(judge, executor_model)]
        if self.named and len(apart) < len(able) and not self._allow:
            raise ConfigError(self._same_family(next(j for j in able if j not in apart), executor_model))
        chosen = able if self._allow and (self.named or not apart) else apart
        if not chosen:
            raise ConfigError(self._same_family(able[0], executor_model))
        if len(chosen) > 1 and self._together(stakes):
            return self._panel(chosen)
        return chosen[0]

    def own_reviewer(self, executor_model: str | None) -> Judge | None:
        """For option A: a judge of the maker's own family, where nobody else is at hand; None where nobody is."""
        return next((judge for judge in self._able() if self._own_family(judge, executor_model)), None)

    def independence(self, judge: Judge, executor_model: str | None) -> Independence:
        """How far the judge stands from whoever made the work; a panel as far as its nearest member."""
        if isinstance(judge, Panel):
            levels = [self.independence(member, executor_model) for member in judge.judges]
            return min(levels, key=_RANK.__getitem__)
        return families.independence(_model(judge), judge.family, executor_model)

    def others(self, used: Collection[str], executor_model: str | None) -> JudgePool | None:
        """For a second reading: the first of these judges that may judge work by this model and has not; None without."""
        members = {judge.id for panel in self._panels.values() if panel.id in used for judge in panel.judges}
        able = self.judges if self.named else [judge for judge in self.judges if judge.id in (self.qualified or {})]
        free = [judge for judge in able if judge.id not in used and judge.id not in members]
        apart = [judge for judge in free if not self._own_family(judge, executor_model)] or (
            free if self._allow else []
        )
        return JudgePool(apart[:1], named=True, allow_same_family=self._allow, notes=self._notes) if apart else None

    def price(self, input_tokens: int, output_tokens: int) -> float | None:
        """Dollars for so many tokens at the dearest of these judges; None where the price of one is unknown."""
        prices = [getattr(getattr(judge, "judge", judge), "price", None) for judge in self.judges]
        known: list[float] = [price.of(input_tokens, output_tokens) for price in prices if price is not None]
        return max(known) if known and len(known) == len(prices) else None

    def _able(self) -> list[Judge]:
        if self.named:
            return list(self.judges)
        able = [judge for judge in self.judges if judge.id in (self.qualified or {})]
        if not able:
            names = ", ".join(judge.id for judge in self.judges) or "none is configured"
            raise ConfigError(
                f"no judge is qualified ({names}); run `witnessmark judges qualify NAME`, or name one with --judge"
            )
        return able

    def _together(self, stakes: str) -> bool:
        """Several named ones are a panel; configured ones are where the settings say so."""
        return self.named or self._use == "panel" or (self._use == "panel_at_high_stakes" and stakes == "high")

    def _panel(self, judges: Sequence[Judge]) -> Panel:
        key = tuple(judge.id for judge in judges)
        if key not in self._panels:
            self._panels[key] = Panel(judges)
        return self._panels[key]

    def _own_family(self, judge: Judge, executor_model: str | None) -> bool:
        return families.is_own_family(judge.family, executor_model)

    def _same_family(self, judge: Judge, executor_model: str | None) -> str:
        placed = families.family_of(executor_model)
        why = f"is of the family {placed} too" if placed else "is a model nobody can place, so it counts as its family"
        return (
            f"judge {judge.id} may not judge this: the work is by {executor_model!r}, which {why}; configure a judge of "
            "another family, or set judging.allow_same_family = true"
        )

    async def close(self) -> None:
        """Close every judge."""
        for judge in self.judges:
            await close(judge)


def _model(judge: Judge) -> str:
    return str(getattr(judge, "model", "") or judge.id)


def maker(settings: JudgeSettings, store: Store | None = None) -> JudgeMaker:
    """What makes judges, with prices and a memory where there is a store for it."""
    chosen = settings.judging
    notes = notes_of(store)
    own = None if notes is None else WorkspaceNotes(notes, settings.workspace)
    return JudgeMaker(settings.judges, prices=metering.load(chosen.prices), notes=own, cache=chosen.cache)


def notes_of(store: object) -> Notes | None:
    """The store as a place for notes, where it is one; a store of somebody else's need not be."""
    return store if isinstance(store, Notes) else None


def judge_pool(settings: JudgeSettings, store: Store | None = None) -> JudgePool | None:
    """The judges at hand, or None where none is configured or named. `none` as a name means none."""
    chosen = settings.judging
    wanted = [name for name in chosen.judges if name != "none"]
    if not wanted and (chosen.judges or not settings.judges):
        return None
    made = maker(settings, store)
    return _pool(settings, store, made.named(wanted) if wanted else made.all(), named=bool(wanted))


class JudgesByName:
    """Finds the judge of a name, such as a request's verifier_model; close it when done.

    A name that comes with a request is no URL: whoever sends it could have our key and the work sent to a place of theirs.
    """

    def __init__(self, settings: JudgeSettings, store: Store | None = None) -> None:
        self._settings, self._store = settings, store
        self._maker = maker(settings, store)
        self._found = functools.lru_cache(maxsize=NAMED_KEPT)(self._made)

    def __call__(self, name: str) -> JudgePool:
        """The judge as a pool of one; made once, and those of one endpoint share its limits."""
        return self._found(name)

    def _made(self, name: str) -> JudgePool:
        if "://" in name and name not in self._settings.judges:
            raise ConfigError(
                "a request names a judge of the configuration, openai/MODEL or anthropic/MODEL, never a URL"
            )
        return _pool(self._settings, self._store, self._maker.named([name]), named=True)

    async def close(self) -> None:
        """Let go of the connections of every judge that was found, forgotten ones too."""
        await self._maker.close()


def _pool(settings: JudgeSettings, store: Store | None, judges: Sequence[Judge], *, named: bool) -> JudgePool:
    chosen = settings.judging
    return JudgePool(
        judges, named=named, allow_same_family=chosen.allow_same_family, use=chosen.use, notes=notes_of(store)
    )


def services(pool: JudgePool | None) -> dict[str, Any]:
    """What checks are handed: who answers their questions and at what price, where there is anyone."""
    return {} if pool is None else {"judges": pool, "price": pool.price}


async def prepare(judges: object) -> None:
    """Look up what a pool has to know before a judge is picked; judges of somebody else's need nothing."""
    if isinstance(judges, JudgePool):
        await judges.prepare()
