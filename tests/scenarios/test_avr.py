"""The program that is flashed, in a simulated ATmega2560: what it does must be what the host build does.

Same seed, same world, same faults: the chips differ in microseconds only. So each card must meet the same
events in the same order, and each board must end the same way. A missing tool chain fails here.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from room import Evening, deal, seeds

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
from controller.twin.faults import KINDS

OF_A_CARD = (CardSeen, Strobed, CardMeasured, BeltHeld, CardLanded, RouteRefused)
LEFT_OUT = ("at_us", "feed", "length_mm")
STEP_MM = 0.1
"""A false pulse may fall before a step in one chip and behind it in the other."""
NOISE = ("link_noise", "link_noise_5", "link_noise_20")
"""Which frames are hit depends on how bytes fall into frames in time: cards fare differently."""
FOUR = (1, 2, 3, 4)

# The rows that the firmware has a part in, those of the camera and of the cards' faces left out.
ROWS = {"F1", "F1b", "F2", "F3", "F4", "F4c", "F9", "F10", "F11", "F12", "F13", "F14", "F15", "F24"}
QUICK = [name for name, kind in KINDS.items() if kind.row in ROWS and name not in NOISE]
REST = [name for name in KINDS if name not in QUICK and name not in NOISE]


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


@pytest.mark.parametrize("seed", seeds(12, of=11))
def test_clean_boards_are_dealt_alike(seed: int) -> None:
    evening = alike(numbers=FOUR, seed=seed)
    assert evening.true == [True] * 4
    assert evening.stops == []


@pytest.mark.parametrize("profile", ["fast", "stress"])
def test_every_profile_is_dealt_alike(profile: str) -> None:
    """At these speeds a route is due so soon that half a millisecond decides whether the belt waits."""
    assert alike(numbers=(1, 2), profile=profile, holds=False).true == [True] * 2


@pytest.mark.parametrize("fault", QUICK)
def test_faults_of_the_machine_end_alike(fault: str) -> None:
    assert all(result.proven for result in alike(fault, numbers=(1, 2)).results)


@pytest.mark.parametrize("fault", ["link_noise", "link_noise_5"])
def test_noise_loses_no_board(fault: str) -> None:
    evening = deal(fault, numbers=(1, 2), firmware="avr")
    assert evening.true == [True, True]


@pytest.mark.long
@pytest.mark.parametrize("fault", REST)
def test_all_other_faults_end_alike(fault: str) -> None:
    assert all(result.proven for result in alike(fault, numbers=(1, 2)).results)


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(20, of=13))
def test_at_any_noise_proven_means_true(seed: int) -> None:
    assert deal("link_noise_20", numbers=(1,), seed=seed, firmware="avr").proven_means_true()


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(50, of=17))
def test_two_hundred_more_clean_boards(seed: int) -> None:
    assert alike(numbers=FOUR, seed=seed).true == [True] * 4


@pytest.mark.long
@pytest.mark.parametrize("card", range(1, 53))
@pytest.mark.parametrize("fault", ["mcu_reset", "estop", "link_cut"])
def test_at_every_card_it_ends_alike(fault: str, card: int) -> None:
    assert alike(f"{fault}@1.{card}", numbers=(1,)).results[0].proven
