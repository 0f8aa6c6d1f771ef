"""Who judges this work: of another family than its maker, and qualified, unless a judge was named.

A judge of the maker's own family is an error unless the settings allow it, and then the result says so. Knows nothing
about endpoints, prompts or cases.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from trueline.errors import ConfigError
from trueline.judges import families
from trueline.judges.cached import close
from trueline.judges.panel import Panel
from trueline.judges.qualification import Qualification, qualification_of
from trueline.protocols import Judge, Notes
from trueline.verdict import Independence

Use = Literal["one", "panel_at_high_stakes", "panel"]
_RANK = {"unknown": 0, "none": 1, "prompt": 2, "model": 3, "family": 4, "deterministic": 5}


class Bench:
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

    def independence(self, judge: Judge, executor_model: str | None) -> Independence:
        """How far the judge stands from whoever made the work; a panel as far as its nearest member."""
        if isinstance(judge, Panel):
            levels = [self.independence(member, executor_model) for member in judge.judges]
            return min(levels, key=_RANK.__getitem__)
        return families.independence(_model(judge), judge.family, executor_model)

    def others(self, used: Collection[str], executor_model: str | None) -> Bench | None:
        """For a second reading: the first of these judges that may judge work by this model and has not; None without."""
        members = {judge.id for panel in self._panels.values() if panel.id in used for judge in panel.judges}
        able = self.judges if self.named else [judge for judge in self.judges if judge.id in (self.qualified or {})]
        free = [judge for judge in able if judge.id not in used and judge.id not in members]
        apart = [judge for judge in free if not self._own_family(judge, executor_model)] or (
            free if self._allow else []
        )
        return Bench(apart[:1], named=True, allow_same_family=self._allow, notes=self._notes) if apart else None

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
                f"no judge is qualified ({names}); run `trueline judges qualify NAME`, or name one with --judge"
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
