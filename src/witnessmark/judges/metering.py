"""What calls cost: a price table anyone can edit, tokens estimated before a call, dollars counted after it.

Reserves from the budget of the case that is running (`witnessmark.core.budget.active`) before anything is sent. Knows nothing
about transport or prompts.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from witnessmark.core import budget
from witnessmark.core.budget import Reservation
from witnessmark.core.errors import BudgetError, ConfigError, InputError
from witnessmark.core.protocols import Question
from witnessmark.core.values import NotNegative, Value
from witnessmark.core.verdict import Usage

CHARS_A_TOKEN = 3
"""Bytes, on the safe side for English (about 4); a character of another script has more bytes and so more tokens."""
OVERHEAD_TOKENS = 32
SHORTEST_REPLY = 0.25
"""The share of its usual room that a reply needs at least."""
_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$")


class Price(Value, frozen=True):
    """Dollars a million tokens."""

    input: NotNegative
    output: NotNegative

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """Dollars for this many tokens."""
        return (input_tokens * self.input + output_tokens * self.output) / 1_000_000


Prices = Mapping[str, Price]


@functools.cache
def shipped() -> Prices:
    """The table that comes with Witnessmark."""
    return parsed(
        resources.files("witnessmark.judges").joinpath("prices.toml").read_text(encoding="utf-8"), "prices.toml"
    )


def load(path: str | None) -> Prices:
    """The shipped table with the user's laid over it."""
    if path is None:
        return shipped()
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise ConfigError(f"judging.prices: {path} cannot be read ({exc})") from None
    return {**shipped(), **parsed(text, Path(path).name)}


def parsed(text: str, where: str) -> Prices:
    """A table of prices from TOML: each model with the dollars a million tokens cost in and out."""
    try:
        data: dict[str, Any] = tomllib.loads(text)
        return {model.lower(): Price(**price) for model, price in data.get("models", {}).items()}
    except (tomllib.TOMLDecodeError, InputError, TypeError, AttributeError) as exc:
        raise ConfigError(f'{where}: {exc}; a line reads "model" = {{ input = 0.15, output = 0.60 }}') from None


def price_of(model: str, prices: Prices) -> Price | None:
    """The price of a model, whoever relays it and whichever dated release it is; None where nobody wrote it down."""
    name = model.lower()
    for known in (name, _DATED.sub("", name), _DATED.sub("", name.rpartition("/")[2])):
        if known in prices:
            return prices[known]
    return None


def estimate(question: Question) -> int:
    """Tokens the question takes, on the safe side."""
    return (_bytes(question.system) + _bytes(question.user)) // CHARS_A_TOKEN + OVERHEAD_TOKENS


def _bytes(text: str) -> int:
    """Bytes of a text as it is sent; unlike what `encode` gives, these stay with the text until it is."""
    return len(text) if text.isascii() else memoryview(msgspec.Raw(text)).nbytes


def reserve(question: Question, price: Price | None) -> tuple[Question, Reservation | None]:
    """Set aside what one call may cost; BudgetError before anything is sent. Nothing to reserve from: None.

    A reply seldom takes all the room it is given. Where the most it could take does not fit into what is left, the room is made
    smaller, down to a quarter, instead of refusing a call that would have cost a fraction: the limit still holds to the cent.
    """
    available = budget.active.get()
    if available is None:
        return question, None
    tokens = estimate(question)
    try:
        return question, _reserved(question, tokens, price, available)
    except BudgetError:
        smaller = _affordable(question, tokens, price, available)
        if smaller is question:
            raise
    return smaller, _reserved(smaller, tokens, price, available)


def _reserved(question: Question, tokens: int, price: Price | None, available: budget.Budget) -> Reservation:
    usd = None if price is None else price.of(tokens, question.max_tokens)
    return available.reserve(tokens + question.max_tokens, usd)


def _affordable(question: Question, tokens: int, price: Price | None, available: budget.Budget) -> Question:
    """The question with as much room for its reply as is left; itself where that is too little, or not what it lacks."""
    tokens_left, usd_left = available.left()
    room = float(question.max_tokens)
    if tokens_left is not None:
        room = min(room, tokens_left - tokens)
    if usd_left is not None and price is not None and price.output > 0:
        room = min(room, (usd_left - price.of(tokens, 0)) * 1_000_000 / price.output)
    if room >= question.max_tokens or room < question.max_tokens * SHORTEST_REPLY:
        return question
    return replace(question, max_tokens=int(room))


def used(question: Question, price: Price | None, tokens: tuple[int, int] | None) -> Usage:
    """What a call cost. An endpoint that does not say gets the estimate, and with a dollar budget that is not enough."""
    if tokens is None:
        available = budget.active.get()
        if available is not None and available.limits_dollars:
            raise BudgetError(
                "the endpoint does not say what the call used, and a dollar budget is set; lift the budget"
            )
        tokens = (estimate(question), question.max_tokens)
    cost = None if price is None else price.of(*tokens)
    return Usage(judge_calls=1, tokens=sum(tokens), cost_usd=cost)
