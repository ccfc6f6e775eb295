"""What the MCU counts: each count against what the plant and the host really did."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.protocol.codec import encode_message
from controller.protocol.messages import (
    Feed,
    GetEvents,
    GetStatistics,
    GetTransit,
    Held,
    Key,
    Landed,
    Leg,
    NakReason,
    Route,
    Seen,
    State,
    Statistics,
)
from tests.unit.firmware.library import HOPPER, LID, PASS_N, TRAY
from tests.unit.firmware.plant import Card
from tests.unit.firmware.rig import RUN, Rig, bring

Bench = Callable[..., Rig]


def counts(rig: Rig) -> Statistics:
    """All of them."""
    found = rig.ask(GetStatistics())
    assert isinstance(found, Statistics)
    return found


def test_a_run_without_trouble_counts_nothing(rig: Rig) -> None:
    rig.feed([0, 1, 2, 3, TRAY])
    rig.land_all()
    assert counts(rig) == Statistics(0, 0, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("state", list(State))
def test_statistics_are_told_in_every_state(rig: Rig, state: State) -> None:
    bring(rig, state)
    counts(rig)
    assert rig.refused_raw(GetTransit.TYPE, bytes([len(Leg)])) == NakReason.BAD_VALUE
    assert rig.refused_raw(GetStatistics.TYPE, b"\0") == NakReason.BAD_LENGTH


def test_each_count_counts_what_happened(rig: Rig) -> None:
    rig.feed([0, 1, 2])
    rig.land_all()
    again = encode_message(Feed(RUN, 9), 200)
    for _ in range(4):
        rig.raw(again)  # the first is the command itself
    for _ in range(5):
        rig.raw(b"\1\2\3\0")
    for pin in (LID, HOPPER, PASS_N):
        rig.run(10_000)
        rig.input(pin, 1 - (rig.status.inputs >> pin & 1))
        rig.run(1_000)
        rig.input(pin, rig.status.inputs >> pin & 1)
    rig.run(10_000)
    rig.ok(GetEvents(rig.next_event))
    rig.ok(GetEvents(rig.next_event - 1))
    found = counts(rig)
    assert found == Statistics(3, 5, 3, 0, 0, 0, 2, 0)


def test_held_expired_and_late_cards_are_counted(rig: Rig) -> None:
    rig.start()
    rig.ok(Feed(RUN, 2))
    assert rig.run(9_000_000, lambda: len(rig.landed) == 2)
    held = sum(event.on for event in rig.of(Held))
    assert rig.refused(Route(RUN, 1, 0)) == NakReason.LATE
    found = counts(rig)
    assert (found.held, found.expired, found.late_routes) == (held, 2, 1)
    assert held >= 1


def test_transit_is_measured_leg_by_leg_and_anew_in_each_run(bench: Bench) -> None:
    rig = bench(make=lambda number: Card(number, late=10 * number))
    rig.feed([0, 1, 2, 3, TRAY, 0])
    rig.land_all()
    legs = [rig.ask(GetTransit(leg)) for leg in Leg]
    assert [leg.count for leg in legs] == [6, 2, 1, 1, 1, 1]
    assert legs[0].most - legs[0].least == 50
    for pocket, leg in enumerate(legs[1:]):
        key = Key.TRAY if pocket == TRAY else Key(Key.GATE_N + pocket)
        due = rig.config[key] + (0 if pocket == TRAY else rig.config[Key.DROP])
        ticks = rig.config[Key.BELT_SPEED] // 1_000 + 1
        # The edge is seen at the next tick.
        assert due <= leg.least <= leg.most <= due + ticks
        assert leg.least * leg.count <= leg.sum <= leg.most * leg.count
    seen = len(rig.of(Seen))
    rig.open_run(RUN + 1)
    assert [rig.ask(GetTransit(leg)).count for leg in Leg] == [0] * len(Leg)
    assert seen == len(rig.of(Landed)) == 6
