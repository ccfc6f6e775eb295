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
    LinkWasLost,
    MachineStopped,
    McuWasRestarted,
    RouteRefused,
    RunEnded,
    Strobed,
)

OF_A_CARD = (CardSeen, Strobed, CardMeasured, BeltHeld, CardLanded, RouteRefused)
BROKEN_OFF = (McuWasRestarted, LinkWasLost)
ENDS = (RunEnded, MachineStopped, *BROKEN_OFF)
LEFT_OUT = ("at_us", "feed", "length_mm")
STEP_MM = 0.1
"""A false pulse may fall before a step in one chip and behind it in the other."""


def by_card(evening: Evening, holds: bool) -> dict[tuple[int, int], list[tuple[Any, ...]]]:
    """What happened to each card of each run, in order, without the times."""
    kinds = OF_A_CARD if holds else tuple(kind for kind in OF_A_CARD if kind is not BeltHeld)
    found: dict[tuple[int, int], list[tuple[Any, ...]]] = defaultdict(list)
    run = 0
    for happening in evening.happenings:
        run += isinstance(happening, ENDS)
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


def all_but_last(one: list[Any], other: list[Any]) -> bool:
    """The last event of a run that a reset or a pulled cable broke off may have been on the wire."""
    short, long = sorted((one, other), key=len)
    return long[:-1] == short


def alike(*faults: str, numbers: tuple[int, ...], holds: bool = True, **how: Any) -> Evening:
    """Deals with both chips and holds one against the other."""
    host = deal(*faults, numbers=numbers, **how)
    avr = deal(*faults, numbers=numbers, firmware="avr", **how)
    assert outcome(avr) == outcome(host)
    cards, others = by_card(avr, holds), by_card(host, holds)
    broken_off = sum(isinstance(one, BROKEN_OFF) for one in host.happenings)
    torn = [key for key in cards.keys() | others.keys() if cards.get(key) != others.get(key)]
    assert len(torn) <= broken_off, [(key, cards.get(key), others.get(key)) for key in torn]
    assert all(all_but_last(cards.get(key, []), others.get(key, [])) for key in torn), torn
    if not torn:
        assert lengths(avr) == pytest.approx(lengths(host), abs=1.5 * STEP_MM)
    assert len(cards) >= 52
    assert avr.proven_means_true()
    return avr
