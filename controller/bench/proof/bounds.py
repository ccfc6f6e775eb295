"""How much so many images prove: the exact upper bound of a rate, after Clopper and Pearson."""

from __future__ import annotations

import math
from typing import Final

SURE: Final = 0.95
_STEPS: Final = 60


def upper_bound(found: int, n: int, sure: float = SURE) -> float:
    """The rate above which *found* or fewer in *n* would come in less than 1 - *sure* of all tries; 1 for no try.

    For none found it is the rule of three, 3/n.
    """
    if n <= 0 or found >= n:
        return 1.0
    low, high = found / n, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _at_most(found, n, middle) > 1 - sure:
            low = middle
        else:
            high = middle
    return high


def _at_most(found: int, n: int, rate: float) -> float:
    """Chance of *found* or fewer events in *n* tries."""
    if rate >= 1:
        return 0.0
    log, other = math.log(rate), math.log1p(-rate)
    whole = math.lgamma(n + 1)
    return sum(
        math.exp(whole - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * log + (n - k) * other)
        for k in range(found + 1)
    )
