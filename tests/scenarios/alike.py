"""Deals with both chips, the host build and the simulated ATmega2560, and holds one against the other.

Same seed, same world, same faults: the chips differ in microseconds only. So each card must meet the
same events in the same order, and each board must end the same way.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from room import Evening, deal

from controller.devices.happenings import (
    BeltHeld,
    CardLanded,
    CardMeasured,
    CardSeen,
    MachineStopped,
    RouteRefused,
    RunEnded,
    Strobed,
)

OF_A_CARD = (CardSeen, Strobed, CardMeasured, BeltHeld, CardLanded, RouteRefused)
LEFT_OUT = ("at_us", "feed", "length_mm")
STEP_MM = 0.1
"""A false pulse may fall before a step in one chip and behind it in the other."""


def by_card(evening: Evening, holds: bool) -> dict[tuple[int, int], list[tuple[Any, ...]]]:
    """What happened to each card of each run, in order, without the times."""
    kinds = OF_A_CARD if holds else tuple(kind for kind in OF_A_CARD if kind is not BeltHeld)
    found: dict[tuple[int, int], list[tuple[Any, ...]]] = defaultdict(list)
    run = 0
    for happening in evening.happenings:
        run += isinstance(happening, RunEnded | MachineStopped)
        if isinstance(happening, kinds):
            slots = [name for name in happening.__slots__ if name not in LEFT_OUT]
            told = [getattr(happening, name) for name in slots]
            found[run, happening.feed].append((type(happening).__name__, *told))
    return dict(found)


def lengths(evening: Evening) -> list[float]:
    """Of all cards, as measured."""
    return [one.length_mm for one in evening.happenings if isinstance(one, CardMeasured)]


def outcome(evening: Evening) -> list[Any]:
    """How it ended, board by board."""
    return [evening.true, evening.faults, [(one.proven, one.parked) for one in evening.results]]


def alike(*faults: str, numbers: tuple[int, ...], holds: bool = True, **how: Any) -> Evening:
    """Deals with both chips and holds one against the other."""
    host = deal(*faults, numbers=numbers, **how)
    avr = deal(*faults, numbers=numbers, firmware="avr", **how)
    assert outcome(avr) == outcome(host)
    cards = by_card(avr, holds)
    assert cards == by_card(host, holds)
    assert lengths(avr) == pytest.approx(lengths(host), abs=1.5 * STEP_MM)
    assert len(cards) >= 52
    assert avr.proven_means_true()
    return avr
