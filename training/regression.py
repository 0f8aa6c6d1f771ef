"""Logistic regression in a page: Newton's method on standardised columns, and with bounds on the signs of coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

STEPS, CLOSE = 30, 1e-4


@dataclass(frozen=True)
class Line:
    """Log odds as an intercept and a slope for each column."""

    intercept: float
    slopes: np.ndarray

    def odds(self, x: np.ndarray) -> np.ndarray:
        """The log odds of each row."""
        return self.intercept + x @ self.slopes

    def says(self, x: np.ndarray) -> np.ndarray:
        """The probability of each row."""
        return chances(self.odds(x))


def chances(odds: np.ndarray) -> np.ndarray:
    """Probabilities of log odds."""
    return 1 / (1 + np.exp(-np.clip(odds, -30, 30)))


def fit(x: np.ndarray, truth: np.ndarray, strength: float, weight: np.ndarray | None = None, free: int = 0) -> Line:
    """The line that a penalty of 1/`strength` on squared standardised slopes allows, but for the last `free` ones; `weight` by row."""
    mean, spread = x.mean(0), x.std(0) + 1e-9
    rows = np.hstack([np.ones((len(x), 1)), (x - mean) / spread])
    each = np.ones(len(x)) if weight is None else weight
    held = np.diag([1e-6] + [1 / strength] * (x.shape[1] - free) + [1e-6] * free)
    found = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        said = chances(rows @ found)
        slope = rows.T @ (each * (said - truth)) + held @ found
        step = np.linalg.solve((rows * (each * said * (1 - said))[:, None]).T @ rows + held, slope)
        found = found - step
        if np.abs(step).max() < CLOSE:
            break
    return _unfolded(found, mean, spread)


def fit_signed(x: np.ndarray, truth: np.ndarray, strength: float, signs: Sequence[int]) -> Line:
    """The same with each slope kept at or above 0 (sign 1), at or below 0 (-1), or free (0)."""
    mean, spread = x.mean(0), x.std(0) + 1e-9
    rows = np.hstack([np.ones((len(x), 1)), (x - mean) / spread])
    side = 2 * truth - 1

    def cost(found: np.ndarray) -> tuple[float, np.ndarray]:
        margin = side * (rows @ found)
        slope = -rows.T @ (side * chances(-margin)) * strength
        slope[1:] += found[1:]
        return float(np.logaddexp(0, -margin).sum() * strength + (found[1:] ** 2).sum() / 2), slope

    bounds = [(None, None)] + [(0 if sign > 0 else None, 0 if sign < 0 else None) for sign in signs]
    start = np.zeros(rows.shape[1])
    return _unfolded(minimize(cost, start, jac=True, method="L-BFGS-B", bounds=bounds).x, mean, spread)


def _unfolded(found: np.ndarray, mean: np.ndarray, spread: np.ndarray) -> Line:
    slopes = found[1:] / spread
    return Line(float(found[0] - slopes @ mean), slopes)
