"""Money and tokens: reserved before each paid call, settled after it. Knows nothing about who spends."""

from __future__ import annotations

from contextvars import ContextVar
from types import TracebackType

from trueline.errors import BudgetError
from trueline.verdict import NO_USAGE, Usage


class Budget:
    """What one case may still spend. Reserving fails closed: no price known and a dollar limit set means no call."""

    def __init__(self, tokens: int | None = 50_000, usd: float | None = None) -> None:
        self.tokens_left = tokens
        self.usd_left = usd
        self.spent = NO_USAGE

    def reserve(self, tokens: int, usd: float | None) -> Reservation:
        """Set this much aside for one call, or raise BudgetError before anything is spent."""
        if self.usd_left is not None and usd is None:
            raise BudgetError("the price of this call is unknown and a dollar budget is set; add the price, or lift it")
        if self.tokens_left is not None and tokens > self.tokens_left:
            raise BudgetError(f"the call needs {tokens} tokens and {self.tokens_left} are left")
        if self.usd_left is not None and usd is not None and usd > self.usd_left:
            raise BudgetError(f"the call needs ${usd:.4f} and ${self.usd_left:.4f} are left")
        self._take(tokens, usd or 0.0)
        return Reservation(self, tokens, usd or 0.0)

    def _take(self, tokens: int, usd: float) -> None:
        if self.tokens_left is not None:
            self.tokens_left -= tokens
        if self.usd_left is not None:
            self.usd_left -= usd


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
        self._budget._take(used.tokens - self._tokens, usd - self._usd)  # noqa: SLF001
        self._budget.spent += used

    def __enter__(self) -> Reservation:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        # A call that broke may still have been charged: count what was reserved, never less.
        self.settle(Usage(judge_calls=1, tokens=self._tokens, cost_usd=self._usd))


active: ContextVar[Budget | None] = ContextVar("trueline_budget", default=None)
"""The budget of the case that is running now; whoever makes paid calls reserves from it."""
