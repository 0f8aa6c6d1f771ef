"""Units as people write them, each with its dimension and how many of the base unit it is. Figures are compared in the base unit."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from witnessmark.text import lang


class Unit(NamedTuple):
    """A dimension and the factor to its base unit; `offset` is for temperatures."""

    dimension: str
    factor: float = 1.0
    offset: float = 0.0


_SYMBOLS: dict[str, tuple[tuple[float, str], ...]] = {
    "time": ((1, "s"), (60, "min"), (3600, "h"), (1e-3, "ms msec"), (1e-6, "µs"), (1e-9, "ns")),
    "length": (
        (1, "m"),
        (1000, "km"),
        (0.01, "cm"),
        (0.001, "mm"),
        (1e-6, "µm"),
        (1e-9, "nm"),
        (1609.344, "mi"),
        (0.3048, "ft"),
        (0.9144, "yd"),
    ),
    "mass": (
        (1, "kg"),
        (0.001, "g"),
        (1000, "t"),
        (0.45359237, "lb lbs"),
        (0.0283495, "oz"),
        (0.000001, "mg"),
        (1e-9, "µg mcg"),
    ),
    "volume": ((1, "l"), (0.01, "cl"), (0.001, "ml cm³"), (1e-6, "µl"), (1000, "m³")),
    "area": ((1, "m² sqm"), (1_000_000, "km² sq.km"), (10_000, "ha")),
    "data": (
        (1e3, "kb"),
        (1e6, "mb"),
        (1e9, "gb"),
        (1e12, "tb"),
        (1e15, "pb"),
        (2**10, "kib"),
        (2**20, "mib"),
        (2**30, "gib"),
        (2**40, "tib"),
    ),
    "pressure": ((1, "pa"), (100, "hpa mbar"), (1e3, "kpa"), (1e5, "bar"), (6894.757, "psi")),
    "energy": ((1, "j"), (1e3, "kj"), (4184, "kcal"), (3600, "wh"), (3.6e6, "kwh"), (3.6e9, "mwh"), (3.6e12, "gwh")),
    "frequency": ((1, "hz"), (1e3, "khz"), (1e6, "mhz"), (1e9, "ghz")),
    "speed": ((1, "m/s"), (1 / 3.6, "km/h kph"), (0.44704, "mph")),
    "power": ((1, "w"), (1e3, "kw"), (1e6, "mw"), (1e9, "gw")),
}
"""What is written alike everywhere; the words for units are in lang/*.toml."""
_TEMPERATURES = {
    "°c": Unit("temperature"),
    "celsius": Unit("temperature"),
    "°f": Unit("temperature", 5 / 9, -32.0),
    "fahrenheit": Unit("temperature", 5 / 9, -32.0),
}
_CURRENCY_SIGNS = {
    "$": "USD", "us$": "USD", "usd": "USD", "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP", "¥": "JPY", "jpy": "JPY",
    "chf": "CHF", "₹": "INR",
}  # fmt: skip
_MAGNITUDE_SIGNS = {"k": 1e3, "m": 1e6, "mn": 1e6, "mln": 1e6, "mm": 1e6, "b": 1e9, "bn": 1e9, "tn": 1e12}
ONLY_WITH_MONEY = frozenset({"k", "m", "b", "mn", "tn", "mm"})
"""Short magnitudes that mean something else without a currency sign: `5 m` is a length."""


@lang.derived
def units() -> dict[str, Unit]:
    """Units by name, symbols and the words of every language."""
    found = {
        name.replace("_", " "): Unit(dimension, float(factor))
        for table in reversed(lang.tables("units"))
        for dimension, rows in table.items()
        for factor, names in rows.items()
        for name in names.split()
    }
    signs = {
        name: Unit(dimension, factor)
        for dimension, rows in _SYMBOLS.items()
        for factor, names in rows
        for name in names.split()
    }
    greek = {name.replace("µ", "μ"): unit for name, unit in signs.items() if "µ" in name}  # two letters that look alike
    return found | signs | greek | _TEMPERATURES


@lang.derived
def currencies() -> dict[str, str]:
    """Currencies by sign, code and word."""
    return lang.merged("numbers", "currencies") | _CURRENCY_SIGNS


@lang.derived
def percent() -> frozenset[str]:
    """The ways to write per cent."""
    return frozenset({"%", "pct"}) | lang.phrases("numbers", "percent")


@lang.derived
def magnitudes() -> dict[str, float]:
    """Thousand, million and the like."""
    return lang.merged("numbers", "magnitudes") | _MAGNITUDE_SIGNS


def unit_of_key(word: str) -> tuple[str, Unit] | None:
    """The dimension and unit of the values under a key that ends in this word: `timeout_minutes`, `price_eur`.

    One letter says too little, and what is one of a unit numbers or divides: `week 7`, `price/month`.
    """
    if word in currencies():
        return f"money:{currencies()[word]}", Unit("")
    if word in percent():
        return "percent", Unit("")
    found = units().get(word)
    single = any(word + ending in units() for ending in ("s", "es", "e", "n", "en"))
    return None if found is None or len(word) < 2 or single else (found.dimension, found)


_POWERS = str.maketrans("23", "²³", "()[]")
"""How a key writes what is squared: `area_km2`."""


def head_dimensions(head: Iterable[str]) -> set[str]:
    """What the values under a column's head are measured in; `per week` says what they are for, and not what they are.

    >>> head_dimensions(["duration", "(weeks)"]), head_dimensions(["per", "week"])
    ({'time'}, set())
    """
    known, rates = units(), lang.words("rates")
    found = (
        (before, known.get(word.strip("()[]")) or known.get(word.translate(_POWERS)))
        for before, word in pairwise(("", *head))
    )
    return {unit.dimension for before, unit in found if unit is not None and before not in rates}
