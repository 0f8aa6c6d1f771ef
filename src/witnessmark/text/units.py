"""Units as people write them, each with its dimension and how many of the base unit it is. Figures are compared in the base unit."""

from __future__ import annotations

from typing import NamedTuple


class Unit(NamedTuple):
    """A dimension and the factor to its base unit; `offset` is for temperatures."""

    dimension: str
    factor: float = 1.0
    offset: float = 0.0


_TABLE: dict[str, tuple[tuple[float, str], ...]] = {
    "time": (
        (1, "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos"),
        (60, "min mins minute minutes minuten minuto minutos"),
        (3600, "h hr hrs hour hours stunde stunden heure heures hora horas"),
        (86_400, "day days tag tage tagen jour jours día días"),
        (604_800, "week weeks woche wochen semaine semaines semana semanas"),
        (2_629_800, "month months monat monate monaten mois mes meses"),
        (31_557_600, "year years yr yrs jahr jahre jahren an ans année années año años"),
        (315_576_000, "decade decades jahrzehnt jahrzehnte décennie décennies década décadas"),
        (0.001, "ms millisecond milliseconds"),
    ),
    "length": (
        (1, "m metre metres meter meters meter metern mètre mètres metro metros"),
        (1000, "km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres kilómetro kilómetros"),
        (0.01, "cm centimetre centimetres centimeter centimeters centimètres centímetros"),
        (0.001, "mm millimetre millimetres millimeter millimeters"),
        (1609.344, "mile miles mi meile meilen"),
        (0.3048, "ft foot feet"),
        (0.0254, "inch inches"),
        (0.9144, "yard yards yd"),
    ),
    "mass": (
        (1, "kg kilogram kilograms kilo kilos kilogramm kilogramme kilogrammes kilogramos"),
        (0.001, "g gram grams gramm grammes gramos"),
        (1000, "tonne tonnes tonnen toneladas t"),
        (907.185, "ton tons"),
        (0.45359237, "lb lbs pound pounds"),
        (0.0283495, "oz ounce ounces"),
        (0.000001, "mg milligram milligrams milligramm"),
    ),
    "volume": (
        (1, "l litre litres liter liters litern litro litros"),
        (0.001, "ml millilitre millilitres milliliter milliliters"),
        (3.785412, "gallon gallons"),
    ),
    "area": (
        (1, "m² sqm"),
        (1_000_000, "km² sq.km"),
        (10_000, "ha hectare hectares hektar hectáreas"),
        (4046.856, "acre acres"),
    ),
    "data": ((1, "byte bytes"), (1e3, "kb"), (1e6, "mb"), (1e9, "gb"), (1e12, "tb")),
    "power": ((1, "w watt watts"), (1e3, "kw"), (1e6, "mw"), (1e9, "gw")),
}
UNITS: dict[str, Unit] = {
    name: Unit(dimension, factor)
    for dimension, rows in _TABLE.items()
    for factor, names in rows
    for name in names.split()
}
UNITS |= {"°c": Unit("temperature"), "celsius": Unit("temperature"), "°f": Unit("temperature", 5 / 9, -32.0)}
UNITS |= {"fahrenheit": UNITS["°f"], "degrees": Unit("degrees"), "degree": Unit("degrees"), "grad": Unit("degrees")}
CURRENCIES = {
    "$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD", "dólares": "USD",
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "gbp": "GBP", "¥": "JPY", "jpy": "JPY",
    "yen": "JPY", "chf": "CHF", "franken": "CHF", "rupees": "INR", "₹": "INR",
}  # fmt: skip
PERCENT = frozenset({"%", "percent", "per cent", "pct", "prozent", "pour cent", "por ciento", "percentage"})
MAGNITUDES = {
    "hundred": 1e2, "thousand": 1e3, "k": 1e3, "tausend": 1e3, "tsd": 1e3, "mille": 1e3, "mil": 1e3,
    "million": 1e6, "millions": 1e6, "m": 1e6, "mn": 1e6, "mln": 1e6, "mm": 1e6, "mio": 1e6, "millionen": 1e6, "millón": 1e6, "millones": 1e6,
    "billion": 1e9, "billions": 1e9, "b": 1e9, "bn": 1e9, "mrd": 1e9, "milliarde": 1e9, "milliarden": 1e9, "milliard": 1e9,
    "milliards": 1e9, "trillion": 1e12, "tn": 1e12, "lakh": 1e5, "crore": 1e7,
}  # fmt: skip
ONLY_WITH_MONEY = frozenset({"k", "m", "b", "mn", "tn", "mm"})
"""Short magnitudes that mean something else without a currency sign: `5 m` is a length."""
