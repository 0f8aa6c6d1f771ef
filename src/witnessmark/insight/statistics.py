"""The arithmetic of insight, in plain Python: intervals, agreement, ranking, calibration error, monotone and logistic fits.

Every function takes sequences of numbers and returns numbers, None where the sample does not allow one. Knows no record.
"""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from collections.abc import Sequence

Z95 = 1.959963984540054
RESAMPLED, THINNED_TO = 400, 2_000


def wilson(successes: float, n: float) -> tuple[float, float] | None:
    """The Wilson interval of a share."""
    if n <= 0 or not 0 <= successes <= n:
        return None
    share, square = successes / n, Z95 * Z95
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = Z95 * math.sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def binomial_cdf(k: int, n: int, p: float) -> float:
    """The chance of at most k out of n, each with chance p."""
    if k >= n or p <= 0.0:
        return 1.0
    if k < 0 or p >= 1.0:
        return 0.0
    log_p, log_q = math.log(p), math.log1p(-p)
    whole = math.lgamma(n + 1)
    terms = (whole - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * log_p + (n - i) * log_q for i in range(k + 1))
    return min(1.0, math.fsum(math.exp(term) for term in terms))


def upper_bound(wrong: int, n: int, confidence: float) -> float:
    """The exact (Clopper-Pearson) one-sided upper bound of a rate: it lies below with at least this confidence."""
    if n == 0 or wrong >= n:
        return 1.0
    low, high = wrong / n, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if binomial_cdf(wrong, n, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def point_biserial(xs: Sequence[float], good: Sequence[bool]) -> float | None:
    """The correlation of a number with a yes or no."""
    if len(set(good)) < 2 or max(xs) - min(xs) < 1e-12:
        return None
    return statistics.correlation(xs, good)


def auroc(xs: Sequence[float], good: Sequence[bool]) -> float | None:
    """The chance that good work gets the higher number; ties count half."""
    yes = sum(good)
    no = len(good) - yes
    if not yes or not no:
        return None
    order = sorted(range(len(xs)), key=xs.__getitem__)
    ranks, at = 0.0, 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and xs[order[end + 1]] == xs[order[at]]:
            end += 1
        middle = (at + end) / 2 + 1
        ranks += middle * sum(good[order[i]] for i in range(at, end + 1))
        at = end + 1
    return (ranks - yes * (yes + 1) / 2) / (yes * no)


def auroc_interval(xs: Sequence[float], good: Sequence[bool]) -> tuple[float, float] | None:
    """A 95 % bootstrap interval; a large sample is thinned first, since its interval is narrow anyway."""
    drawn = random.Random(0)  # noqa: S311 - resampling, not secrets
    place = {x: number for number, x in enumerate(sorted(set(xs)))}
    coded = [2 * place[x] + g for x, g in zip(xs, good, strict=True)]
    if len(coded) > THINNED_TO:
        coded = drawn.sample(coded, THINNED_TO)
    values = []
    for _ in range(RESAMPLED):
        value = _auroc_coded(Counter(drawn.choices(coded, k=len(coded)) if coded else ()), len(place))
        if value is not None:
            values.append(value)
    if len(values) < RESAMPLED // 2:
        return None
    values.sort()
    return values[int(0.025 * len(values))], values[min(len(values) - 1, int(0.975 * len(values)))]


def _auroc_coded(counted: Counter[int], places: int) -> float | None:
    """The same from how often each number came with bad work (even codes) and with good (odd ones)."""
    below, won, yes = 0, 0.0, 0
    for at in range(places):
        bad, fine = counted[2 * at], counted[2 * at + 1]
        won += fine * (below + bad / 2)
        below += bad
        yes += fine
    return won / (yes * below) if yes and below else None


def kappa(a: Sequence[object], b: Sequence[object]) -> float | None:
    """Cohen's kappa: agreement beyond chance."""
    n = len(a)
    if not n:
        return None
    same = sum(x == y for x, y in zip(a, b, strict=True)) / n
    of_a, of_b = Counter(a), Counter(b)
    chance = sum((of_a[word] / n) * (of_b[word] / n) for word in of_a)
    return None if chance > 1 - 1e-12 else (same - chance) / (1 - chance)


def brier(ps: Sequence[float], good: Sequence[bool]) -> float | None:
    """The mean squared distance of a probability from what happened."""
    if not ps:
        return None
    return math.fsum((p - g) ** 2 for p, g in zip(ps, good, strict=True)) / len(ps)


def bins(ps: Sequence[float], good: Sequence[bool], count: int = 10) -> list[tuple[int, float | None, float | None]]:
    """For each bin of equal width: how many, what was said on average, and how often it was so."""
    said: list[list[float]] = [[] for _ in range(count)]
    was: list[int] = [0] * count
    for p, g in zip(ps, good, strict=True):
        at = min(int(p * count + 1e-9), count - 1)
        said[at].append(p)
        was[at] += g
    return [
        (len(some), math.fsum(some) / len(some) if some else None, hits / len(some) if some else None)
        for some, hits in zip(said, was, strict=True)
    ]


def ece(ps: Sequence[float], good: Sequence[bool]) -> float | None:
    """The expected calibration error over bins of equal width."""
    if not ps:
        return None
    gaps = (n * abs((said or 0.0) - (was or 0.0)) for n, said, was in bins(ps, good) if n)
    return math.fsum(gaps) / len(ps)


def isotonic(xs: Sequence[float], good: Sequence[bool]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The rising step function nearest to the data (pool adjacent violators), as points to draw lines between."""
    grouped: dict[float, list[int]] = {}
    for x, g in zip(xs, good, strict=True):
        had = grouped.setdefault(x, [0, 0])
        had[0] += g
        had[1] += 1
    blocks: list[tuple[float, int, float, float]] = []  # mean, weight, lowest x, highest x
    for x in sorted(grouped):
        hits, weight = grouped[x]
        block = (hits / weight, weight, x, x)
        while blocks and blocks[-1][0] >= block[0]:
            mean, n, low, _ = blocks.pop()
            block = ((mean * n + block[0] * block[1]) / (n + block[1]), n + block[1], low, block[3])
        blocks.append(block)
    points = [(x, mean) for mean, _, low, high in blocks for x in dict.fromkeys((low, high))]
    return tuple(x for x, _ in points), tuple(y for _, y in points)


def between(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """The value at x of the line through the points; flat beyond its ends."""
    if x <= xs[0]:
        return ys[0]
    for left in range(len(xs) - 1):
        if x <= xs[left + 1]:
            width = xs[left + 1] - xs[left]
            part = 1.0 if width == 0 else (x - xs[left]) / width
            return ys[left] + part * (ys[left + 1] - ys[left])
    return ys[-1]


def platt(xs: Sequence[float], good: Sequence[bool]) -> tuple[float, float]:
    """Slope and offset of the logistic curve, with Platt's own smoothing of the targets, by Newton's method."""
    yes = sum(good)
    no = len(good) - yes
    high, low = (yes + 1) / (yes + 2), 1 / (no + 2)
    slope, offset = 0.0, math.log((yes + 1) / (no + 1))
    for _ in range(100):
        g0 = g1 = h00 = h01 = h11 = 0.0
        for x, g in zip(xs, good, strict=True):
            p = logistic(slope * x + offset)
            gap, weight = (high if g else low) - p, max(p * (1 - p), 1e-12)
            g0, g1 = g0 + gap * x, g1 + gap
            h00, h01, h11 = h00 + weight * x * x, h01 + weight * x, h11 + weight
        h00, h11 = h00 + 1e-9, h11 + 1e-9
        base = h00 * h11 - h01 * h01
        if base < 1e-18:
            break
        by_slope, by_offset = (h11 * g0 - h01 * g1) / base, (h00 * g1 - h01 * g0) / base
        slope, offset = slope + by_slope, offset + by_offset
        if abs(by_slope) + abs(by_offset) < 1e-10:
            break
    return slope, offset


def logistic(x: float) -> float:
    """1 / (1 + e^-x), for any x."""
    if x >= 0:
        return 1 / (1 + math.exp(-min(x, 700.0)))
    raised = math.exp(max(x, -700.0))
    return raised / (1 + raised)


def mcnemar(only_a: int, only_b: int) -> float | None:
    """The exact two-sided p that two set-ups differ by chance, from the cases that only one of them had right."""
    n = only_a + only_b
    return None if not n else min(1.0, 2 * binomial_cdf(min(only_a, only_b), n, 0.5))


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value that this share of the others lies below, between neighbours where it falls between them."""
    if not values:
        return None
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])
