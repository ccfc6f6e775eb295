"""Chi-square without SciPy: tail of the distribution, and the power of a test."""

from __future__ import annotations

import math

import numpy as np


def tail(statistic: float, freedom: int) -> float:
    """The chance that chi-square with *freedom* degrees is *statistic* or more."""
    a, x = freedom / 2, statistic / 2
    front = math.exp(a * math.log(x) - x - math.lgamma(a)) if x > 0 else 0.0
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return 1 - front * total
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return front * h


def critical(freedom: int, alpha: float) -> float:
    """The statistic that is reached with chance *alpha*."""
    low, high = 0.0, 50.0 * freedom + 200
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, freedom) > alpha else (low, middle)
    return high


def power(freedom: int, alpha: float, noncentrality: float) -> float:
    """The chance that the test at level *alpha* notices: a Poisson mixture of central tails."""
    limit, half = critical(freedom, alpha), noncentrality / 2
    weights = ((j, math.exp(-half + j * math.log(half) - math.lgamma(j + 1))) for j in range(2000))
    return sum(w * tail(limit, freedom + 2 * j) for j, w in weights if w > 1e-15)


def statistic(counts: np.ndarray, expected: np.ndarray) -> float:
    """Pearson's sum; every expectation must be at least 5."""
    assert expected.min() >= 5, "join rare classes first"
    return float(((counts - expected) ** 2 / expected).sum())
