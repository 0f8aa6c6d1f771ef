"""Which figures want a person, how badly, and what to do about it. Delivering them is somebody else's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from trueline.insight.figure import Figure
from trueline.values import Value


class Alert(Value, frozen=True):
    """A figure that is where it should not be."""

    name: str
    title: str
    severity: Literal["high", "medium"]
    figure: Figure
    message: str
    advice: str


def alerts(figures: Mapping[str, Figure]) -> tuple[Alert, ...]:
    """The alerts these figures raise, the gravest first."""
    raise NotImplementedError
