"""The program that is flashed, in a simulated ATmega2560: clean boards, dealt as the host build deals them.

A missing tool chain fails here. With the faults (test_avr_faults.py) these are 100 boards.
"""

from __future__ import annotations

import pytest
from alike import alike
from room import seeds

FOUR = (1, 2, 3, 4)


@pytest.mark.parametrize("seed", seeds(18, of=11))
def test_clean_boards_are_dealt_alike(seed: int) -> None:
    evening = alike(numbers=FOUR, seed=seed)
    assert evening.true == [True] * 4
    assert evening.stops == []


@pytest.mark.parametrize("profile", ["fast", "stress"])
def test_every_profile_is_dealt_alike(profile: str) -> None:
    """At these speeds a route is due so soon that half a millisecond decides whether the belt waits."""
    assert alike(numbers=(1,), profile=profile, holds=False).true == [True]


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(50, of=17))
def test_two_hundred_more_clean_boards(seed: int) -> None:
    assert alike(numbers=FOUR, seed=seed).true == [True] * 4
