"""The judges at hand: put together from the settings, and who of them judges this work.

A judge is of another family than the maker of the work, and qualified, unless it was named. A judge of the maker's own
family is an error unless the settings allow it, and then the result says so. Knows nothing about prompts or cases.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from witnessmark.core.case import Case
from witnessmark.core.errors import ConfigError, InputError
from witnessmark.core.protocols import Judge, Notes
from witnessmark.core.record import Store
from witnessmark.core.values import Value
from witnessmark.core.verdict import Independence
from witnessmark.judges import families, metering
from witnessmark.judges.cache import WorkspaceNotes, close
from witnessmark.judges.panel import Panel
from witnessmark.judges.qualification import Qualification, qualification_of
from witnessmark.judges.specs import JudgeMaker, JudgeSpec

Purpose = Literal["criteria", "grounding", "goal", "plan", "consistency", "discussion", "measures", "writing"]
"""What a judge is asked for; `[judging.purposes]` may name judges for each."""
Use = Literal["one", "panel_at_high_stakes", "panel"]
_RANK = {"unknown": 0, "none": 1, "prompt": 2, "model": 3, "family": 4, "deterministic": 5}
NAMED_KEPT = 64
CHOICES_KEPT = 256


class JudgingSettings(Value, frozen=True):
    """How judges are used. `judges` names those to use, qualified or not; left out, a qualified one is chosen."""

    judges: tuple[str, ...] = ()
    use: Use = "panel_at_high_stakes"
    purposes: dict[Purpose, tuple[str, ...]] = {}
    """Judges for one purpose, in place of `judges`: {"grounding": ["fast"]}."""
    high_stakes: tuple[str, ...] = ()
    """Judges for what is at high stakes, or near its threshold."""
    requests: tuple[str, ...] | None = None
    """Judges that a request or a case may name; left out, those that the settings name."""
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


@dataclass(frozen=True, slots=True)
class JudgeRoutes:
    """Judges for one purpose, for high stakes, and by the name that a case gives."""

    purposes: Mapping[str, tuple[Judge, ...]] = field(default_factory=dict)
    high_stakes: tuple[Judge, ...] = ()
    by_name: Callable[[str], Judge] | None = None
    close: Callable[[], Awaitable[None]] | None = None

    def judges_for(self, stakes: str, purpose: str, named: str | None) -> tuple[Judge, ...]:
        """Who is to be asked; none where nothing is said about it."""
        if named is not None:
            if self.by_name is None:
                raise InputError(
                    f"verifier_model: {named!r} is not among the judges that may be named here (none is listed)"
                )
            return (self.by_name(named),)
        if stakes == "high" and self.high_stakes:
            return self.high_stakes
        return tuple(self.purposes.get(purpose, ()))


_MEND = "configure a judge of another family, or allow it with --allow-same-family (judging.allow_same_family)"


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
        routes: JudgeRoutes | None = None,
    ) -> None:
        self.judges, self.named, self._allow, self._use = tuple(judges), named, allow_same_family, use
        self._notes, self._routes = notes, routes or JudgeRoutes()
        self.qualified: dict[str, Qualification] | None = None
        self._panels: dict[tuple[str, ...], Panel] = {}
        self._picked: dict[tuple[str | None, str, str], Judge] = {}
        self._aside: dict[tuple[str | None, str, str], tuple[str, ...]] = {}
        self._chosen_from: object = None

    async def prepare(self) -> None:
        """Look up which judges are qualified, once; named ones need not be."""
        if self.qualified is None:
            found = {judge.id: await qualification_of(judge, self._notes) for judge in self.judges}
            self.qualified = {name: passed for name, passed in found.items() if passed is not None and passed.qualified}
            self._chosen_from = None

    def pick(
        self, executor_model: str | None, *, stakes: str = "normal", purpose: str = "", named: str | None = None
    ) -> Judge:
        """A judge for work by this model, or ConfigError that says why there is none; high stakes may get a panel.

        Who may be asked: the judge that the case names, those of the purpose, those for high stakes, or all at hand, in this
        order. Of them one of another family than the maker's is asked; one of unknown family only where there is none.
        """
        if named is not None:
            return self._chosen(executor_model, stakes, purpose, named)
        asked = (executor_model, stakes, purpose)
        self._forget_old_choices()
        if asked not in self._picked:
            self._picked[asked] = self._chosen(executor_model, stakes, purpose, None)
        return self._picked[asked]

    def _chosen(self, executor_model: str | None, stakes: str, purpose: str, named: str | None) -> Judge:
        able = self._able(stakes, purpose, named)
        levels = {judge.id: self.independence(judge, executor_model) for judge in able}
        apart = [judge for judge in able if levels[judge.id] not in ("prompt", "model")]
        apart.sort(key=lambda judge: levels[judge.id] == "unknown")
        chosen = able if self._allow and (self.named or not apart) else apart
        if not chosen:
            raise ConfigError("; ".join([*(self._same_family(one, executor_model) for one in able[:3]), _MEND]))
        if len(chosen) > 1 and self._together(stakes):
            return self._panel(chosen)
        return chosen[0]

    def own_reviewer(self, executor_model: str | None) -> Judge | None:
        """For option A: a judge of the maker's own family, where nobody else is at hand; None where nobody is."""
        return next(
            (judge for judge in self._able("normal", "plan", None) if self._own_family(judge, executor_model)), None
        )

    def set_aside(
        self, executor_model: str | None, *, stakes: str = "normal", purpose: str = "", named: str | None = None
    ) -> tuple[str, ...]:
        """Which of the judges that were named for this may not be asked, each with the reason."""
        if named is not None:
            return self._not_asked(executor_model, stakes, purpose, named)
        asked = (executor_model, stakes, purpose)
        self._forget_old_choices()
        if asked not in self._aside:
            self._aside[asked] = self._not_asked(executor_model, stakes, purpose, None)
        return self._aside[asked]

    def _forget_old_choices(self) -> None:
        """Choices hold while the judges are the same; not too many, since a case may say anything about who made the work."""
        if self._chosen_from is not self.judges or max(len(self._picked), len(self._aside)) >= CHOICES_KEPT:
            self._picked.clear()
            self._aside.clear()
            self._chosen_from = self.judges

    def _not_asked(self, executor_model: str | None, stakes: str, purpose: str, named: str | None) -> tuple[str, ...]:
        able = self._able(stakes, purpose, named)
        if self._allow or not (self.named or self._routes.judges_for(stakes, purpose, named)):
            return ()
        return tuple(self._same_family(one, executor_model) for one in able if self._own_family(one, executor_model))

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
        prices = [getattr(getattr(judge, "judge", judge), "price", None) for judge in self._everyone()]
        known: list[float] = [price.of(input_tokens, output_tokens) for price in prices if price is not None]
        return max(known) if known and len(known) == len(prices) else None

    def _able(self, stakes: str, purpose: str, named: str | None) -> list[Judge]:
        """Who may be asked, before anybody looks at who made the work."""
        routed = self._routes.judges_for(stakes, purpose, named)
        if routed:
            return list(routed)
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
        return self._use == "panel" or (self._use == "panel_at_high_stakes" and stakes == "high")

    def _panel(self, judges: Sequence[Judge]) -> Panel:
        key = tuple(judge.id for judge in judges)
        if key not in self._panels:
            self._panels[key] = Panel(judges)
        return self._panels[key]

    def _own_family(self, judge: Judge, executor_model: str | None) -> bool:
        return families.is_own_family(_model(judge), judge.family, executor_model)

    def _same_family(self, judge: Judge, executor_model: str | None) -> str:
        same = families.same_model(_model(judge), executor_model or "")
        how = "by that model itself" if same else f"by {executor_model!r}, which is of the family {judge.family} too"
        return f"judge {judge.id} may not judge this: the work is {how}"

    def _everyone(self) -> list[Judge]:
        routed = [judge for judges in self._routes.purposes.values() for judge in judges]
        return list({judge.id: judge for judge in (*self.judges, *routed, *self._routes.high_stakes)}.values())

    def find(self, name: str) -> Judge:
        """The judge that a case names; InputError where it is not among those that may be named."""
        (judge,) = self._routes.judges_for("normal", "", name)
        return judge

    async def close(self) -> None:
        """Close every judge."""
        for judge in self._everyone():
            await close(judge)
        if self._routes.close is not None:
            await self._routes.close()


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
    if not wanted and (chosen.judges or not (settings.judges or chosen.purposes or chosen.high_stakes)):
        return None
    made = maker(settings, store)
    return _pool(settings, store, made.named(wanted) if wanted else made.all(), made, named=bool(wanted))


class JudgesByName:
    """Finds the judge that a request names, such as its verifier_model, among those that the operator lists; close it when done.

    A request never names a URL or a model of its own choice: whoever sends it could have our key and the work sent to a
    place of theirs, or spend our money on the dearest model there is.
    """

    def __init__(self, settings: JudgeSettings, store: Store | None = None) -> None:
        self._settings, self._store = settings, store
        self._maker = maker(settings, store)
        self._found = functools.lru_cache(maxsize=NAMED_KEPT)(self._made)

    def __call__(self, name: str) -> JudgePool:
        """The judge as a pool of one; made once, and those of one endpoint share its limits."""
        return self._found(name)

    def _made(self, name: str) -> JudgePool:
        listed = self._maker.named([listed_name(self._settings, name)])
        return _pool(self._settings, self._store, listed, self._maker, named=True)

    async def close(self) -> None:
        """Let go of the connections of every judge that was found, forgotten ones too."""
        await self._maker.close()


def listed_name(settings: JudgeSettings, asked: str) -> str:
    """The listed judge that is asked for, by its name or by its model's; InputError names those that there are."""
    chosen = settings.judging
    names = chosen.requests
    if names is None:
        routed = [name for given in chosen.purposes.values() for name in given]
        names = tuple(dict.fromkeys([*settings.judges, *chosen.judges, *routed, *chosen.high_stakes]))
    names = tuple(name for name in names if name != "none")
    if asked in names:
        return asked
    models = {name: settings.judges[name].model if name in settings.judges else name.partition("#")[2] or name.partition("/")[2]
              for name in names}  # fmt: skip
    same = [name for name, model in models.items() if families.same_model(model, asked)]
    if len(same) == 1:
        return same[0]
    if same:
        raise InputError(f"verifier_model: {asked!r} is the model of {', '.join(same)}; name one of them")
    known = ", ".join(names) or "none is listed"
    raise InputError(f"verifier_model: {asked!r} is not among the judges that may be named here ({known})")


def _pool(
    settings: JudgeSettings, store: Store | None, judges: Sequence[Judge], made: JudgeMaker, *, named: bool
) -> JudgePool:
    chosen = settings.judging
    routes = JudgeRoutes(
        {purpose: tuple(made.named(names)) for purpose, names in chosen.purposes.items()},
        tuple(made.named(chosen.high_stakes)),
        lambda name: made.named([listed_name(settings, name)])[0],
        made.close,
    )
    return JudgePool(
        judges,
        named=named,
        allow_same_family=chosen.allow_same_family,
        use=chosen.use,
        notes=notes_of(store),
        routes=routes,
    )


def services(pool: JudgePool | None) -> dict[str, Any]:
    """What checks are handed: who answers their questions and at what price, where there is anyone."""
    return {} if pool is None else {"judges": pool, "price": pool.price}


def named_judge(case: Case) -> str | None:
    """The judge that a mission or a task asks for by name, in context.verifier_model."""
    named = case.context.get("verifier_model")
    if named is None:
        return None
    if not isinstance(named, str) or not named.strip():
        raise InputError("context.verifier_model: should be the name of a judge, or none")
    return named.strip()


async def prepare(judges: object, case: Case) -> None:
    """Look up what a pool has to know before a judge is picked; judges of somebody else's need nothing.

    Raises:
        InputError: where the case names a judge that may not be named.

    """
    named = named_judge(case)
    if isinstance(judges, JudgePool):
        if judges.qualified is None:
            await judges.prepare()
        if named not in (None, "none"):
            judges.find(str(named))


def refuse_unlisted(case: Case, settings: JudgeSettings) -> None:
    """Raise InputError where a case names a judge that nobody lists, though no check of it may ask one."""
    if (name := named_judge(case)) in (None, "none"):
        return
    try:
        listed_name(settings, str(name))
    except InputError as exc:
        raise InputError(f"context.{exc}") from None
