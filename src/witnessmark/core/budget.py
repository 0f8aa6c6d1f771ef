"""Money and tokens: reserved before each paid call, settled after it. Knows nothing about who spends.

Budgets nest: a call, a case, a mission and a day each have theirs, and a call is made only if all of them have room.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from types import TracebackType
from typing import TypeVar

from msgspec.structs import replace

from witnessmark.core.errors import BudgetError
from witnessmark.core.verdict import NO_USAGE, Usage

DAY_S = 86_400
FRESH_S = 5.0
"""How old what others spent today may be."""
N = TypeVar("N", int, float)


class Budget:
    """What may still be spent. Reserving fails closed: no price known and a dollar limit set means no call.

    `within` are the wider budgets this one lies in. `priced_only=False` lets a call of unknown price through; it is for
    limits that nobody set on purpose.
    """

    def __init__(
        self,
        tokens: int | None = 50_000,
        usd: float | None = None,
        *,
        call_tokens: int | None = None,
        call_usd: float | None = None,
        within: Sequence[Budget] = (),
        priced_only: bool = True,
        name: str = "",
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.tokens_left = tokens
        self.usd_left = usd
        self.spent = NO_USAGE
        self._call = (call_tokens, call_usd)
        self._within = tuple(within)
        self._priced_only = priced_only
        self._of = f" of the {name}" if name else ""
        self._clock, self._full = clock, (tokens, usd)
        self._day = clock() // DAY_S if clock else 0.0

    def reserve(self, tokens: int, usd: float | None) -> Reservation:
        """Set this much aside for one call, or raise BudgetError before anything is spent."""
        chain = self.chain()
        for budget in chain:
            budget.allow(tokens, usd)
        for budget in chain:
            budget.take(tokens, usd or 0.0)
        return Reservation(self, tokens, usd or 0.0)

    @property
    def limits_dollars(self) -> bool:
        """Whether it limits dollars by itself."""
        return self.usd_left is not None

    def chain(self) -> list[Budget]:
        """Itself and all it lies in."""
        if not self._within:
            return [self]
        return [self, *(inner for wider in self._within for inner in wider.chain())]

    def left(self) -> tuple[int | None, float | None]:
        """The tokens and the dollars that one call may take here and in all it lies in; None where nothing limits them."""
        tokens: int | None = None
        dollars: float | None = None
        for budget in self.chain():
            budget._new_day()  # noqa: SLF001 - of our own kind
            call_tokens, call_usd = budget._call  # noqa: SLF001
            tokens = _least(tokens, budget.tokens_left, call_tokens)
            dollars = _least(dollars, budget.usd_left, call_usd)
        return tokens, dollars

    def allow(self, tokens: int, usd: float | None) -> None:
        """Raise BudgetError where this budget has no room for the call."""
        self._new_day()
        most_tokens, most_usd = self._call
        limited = self.usd_left is not None or most_usd is not None
        if limited and usd is None and self._priced_only:
            raise BudgetError("the price of this call is unknown and a dollar budget is set; add the price, or lift it")
        if most_tokens is not None and tokens > most_tokens:
            raise BudgetError(f"the call needs {tokens} tokens and one call may take {most_tokens}")
        if most_usd is not None and usd is not None and usd > most_usd:
            raise BudgetError(f"the call needs ${usd:.4f} and one call may cost ${most_usd:.4f}")
        if self.tokens_left is not None and tokens > self.tokens_left:
            raise BudgetError(f"the call needs {tokens} tokens and {max(self.tokens_left, 0)} are left{self._of}")
        if self.usd_left is not None and usd is not None and usd > self.usd_left:
            raise BudgetError(f"the call needs ${usd:.4f} and ${max(self.usd_left, 0.0):.4f} are left{self._of}")

    def _new_day(self) -> None:
        if self._clock is not None and self._clock() // DAY_S != self._day:
            self._day = self._clock() // DAY_S
            self.tokens_left, self.usd_left = self._full

    def take(self, tokens: int, usd: float) -> None:
        """Count this much as spent; below zero gives it back."""
        if self.tokens_left is not None:
            self.tokens_left -= tokens
        if self.usd_left is not None:
            self.usd_left -= usd

    def settle(self, tokens: int, usd: float, used: Usage) -> None:
        """Correct what was set aside by the difference to what was used, here and in all it lies in."""
        for budget in self.chain():
            budget.take(tokens, usd)
            budget.spent += used


class SharedBudget(Budget):
    """The budgets of several who ask together in one call: each bears an equal share of it, and all must have room."""

    def __init__(self, budgets: Sequence[Budget]) -> None:
        super().__init__(None)
        self._budgets = tuple(budgets)

    @property
    def limits_dollars(self) -> bool:
        """Whether one of them limits dollars."""
        return any(budget.limits_dollars for budget in self._budgets)

    def reserve(self, tokens: int, usd: float | None) -> Reservation:
        """Set its share aside from each; BudgetError, and nothing set aside, where one of them has no room."""
        taken: list[tuple[Budget, int]] = []
        part_usd = None if usd is None else usd / len(self._budgets)
        try:
            for budget, part in zip(self._budgets, _parts(tokens, len(self._budgets)), strict=True):
                budget.reserve(part, part_usd)
                taken.append((budget, part))
        except BudgetError:
            for budget, part in taken:
                budget.settle(-part, -(part_usd or 0.0), NO_USAGE)
            raise
        return Reservation(self, tokens, usd or 0.0)

    def settle(self, tokens: int, usd: float, used: Usage) -> None:
        """Correct each share by its part of the difference to what was used."""
        count = len(self._budgets)
        parts = zip(self._budgets, _parts(tokens, count), usage_parts(used, count), strict=True)
        for budget, part, used_part in parts:
            budget.settle(part, usd / count, used_part)


def usage_parts(used: Usage, count: int) -> list[Usage]:
    """What a call cost, in as many equal parts as asked together in it; the call itself is counted with the first."""
    usd = None if used.cost_usd is None else used.cost_usd / count
    rest = [Usage(tokens=tokens, cost_usd=usd) for tokens in _parts(used.tokens, count)]
    return [replace(rest[0], judge_calls=used.judge_calls, cached=used.cached), *rest[1:]]


def _parts(tokens: int, count: int) -> list[int]:
    """A number of tokens in parts that differ by one at most."""
    each, more = divmod(tokens, count)
    return [each + (number < more) for number in range(count)]


def _least(least: N | None, left: N | None, most: N | None) -> N | None:
    """The smallest of three; None is no limit."""
    if left is not None and (least is None or left < least):
        least = left
    return most if most is not None and (least is None or most < least) else least


class DayBudget(Budget):
    """What may still be spent today, full again at midnight UTC, by all who keep what they spend in one store.

    What one has spent oneself counts at once, what others have once it is kept and was looked up. Of what the store says, what is
    beyond one's own is theirs: one's own is kept a moment after it is spent, so that others are never thought to have spent more.
    """

    def __init__(
        self, tokens: int | None = None, usd: float | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(tokens, usd, name="day", clock=clock)
        self._now = clock
        self._own = self._others = (0, 0.0)
        self._due: float | None = None

    async def count(self, spent_since: Callable[[float], Awaitable[Usage]]) -> None:
        """Take off what others spent; asked for where it is not known yet today, by all who come meanwhile, and now and then."""
        self._new_day()
        began = self._now()
        if self._due is not None and began < self._due:
            return
        known, self._due = self._due, None if self._due is None else began + FRESH_S
        try:
            told = await spent_since(began // DAY_S * DAY_S)
        finally:
            self._due = known
        self._new_day()
        if began // DAY_S != self._day:
            return
        ended = self._now()
        self._due = ended + max(FRESH_S, 20 * (ended - began))  # a store that takes long to say so is asked less often
        (own_tokens, own_usd), (their_tokens, their_usd) = self._own, self._others
        more_tokens = max(0, told.tokens - own_tokens - their_tokens)
        more_usd = max(0.0, (told.cost_usd or 0.0) - own_usd - their_usd)
        super().take(more_tokens, more_usd)
        self._others = (their_tokens + more_tokens, their_usd + more_usd)

    def take(self, tokens: int, usd: float) -> None:
        """Count this much as spent oneself; below zero gives it back."""
        super().take(tokens, usd)
        self._own = (self._own[0] + tokens, self._own[1] + usd)

    def _new_day(self) -> None:
        before = self._day
        super()._new_day()
        if self._day != before:
            self._own = self._others = (0, 0.0)
            self._due = None


class Reservation:
    """What was set aside for one call. Unless settled with the real usage, the whole of it counts as spent."""

    def __init__(self, budget: Budget, tokens: int, usd: float) -> None:
        self._budget, self._tokens, self._usd, self._open = budget, tokens, usd, True

    def settle(self, used: Usage) -> None:
        """Replace what was set aside by what was used; an unknown price keeps the reserved dollars."""
        if not self._open:
            return
        self._open = False
        usd = self._usd if used.cost_usd is None else used.cost_usd
        self._budget.settle(used.tokens - self._tokens, usd - self._usd, used)

    def __enter__(self) -> Reservation:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        # A call that broke may still have been charged: count what was reserved, never less.
        if self._open:
            self.settle(Usage(judge_calls=1, tokens=self._tokens, cost_usd=self._usd))


active: ContextVar[Budget | None] = ContextVar("witnessmark_budget", default=None)
"""The budget of the case that is running now; whoever makes paid calls reserves from it."""
