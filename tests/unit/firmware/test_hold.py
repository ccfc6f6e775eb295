"""The hold, and the cards that lose their route."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from struct import pack

import pytest

from controller.protocol.messages import (
    CardFlag,
    Feed,
    Finish,
    Held,
    Key,
    Landed,
    Measured,
    NakReason,
    Route,
    Seen,
    State,
)
from tests.unit.firmware.library import GATE_N, TRAY
from tests.unit.firmware.plant import Card
from tests.unit.firmware.rig import RUN, Rig

Bench = Callable[..., Rig]


def test_a_late_route_holds_the_belt_and_then_goes_on(rig: Rig) -> None:
    rig.feed([2, 0, 3, 1, 1], delay_us=300_000)
    rig.land_all()
    assert rig.landed == {1: 2, 2: 0, 3: 3, 4: 1, 5: 1}
    assert [card.landed for card in rig.plant.cards[:5]] == [2, 0, 3, 1, 1]
    assert not any(event.expired for event in rig.of(Landed))
    assert [event.on for event in rig.of(Held)][:2] == [1, 0]
    assert rig.plant.jams == []


def test_a_held_card_stands_before_the_hold_line_and_everything_with_it(rig: Rig) -> None:
    rig.start()
    rig.ok(Feed(RUN, 9))
    assert rig.run(1_000_000, lambda: bool(rig.of(Held)))
    assert rig.state == State.HOLDING
    rig.run(60_000)
    belt, feeder, held = rig.view.belt, rig.view.feeder, rig.of(Held)[0].card
    left = rig.plant.cards[held - 1].place + rig.config[Key.HOLD_LINE] - belt
    assert 0 < left <= 40
    rig.run(500_000)
    assert (rig.view.belt, rig.view.feeder) == (belt, feeder)
    rig.ok(Route(RUN, held, 3))
    rig.run(2_000)
    assert rig.state == State.RUNNING
    assert rig.of(Held)[-1].on == 0


def test_pitch_survives_a_hold_in_the_middle_of_a_feed(rig: Rig) -> None:
    for delay in range(140_000, 220_000, 9_000):
        bench = Rig(rig.lib)
        bench.feed([0, 1, 2, 3, 0, 1, 2, 3], delay_us=delay)
        bench.land_all()
        places = [card.place for card in bench.plant.cards[:8]]
        gaps = [b - a for a, b in pairwise(places)]
        assert min(gaps) >= bench.config[Key.PITCH] - 3
        assert bench.landed == bench.routes
        bench.close()


def test_a_hold_expires_and_the_card_runs_to_the_tray(rig: Rig) -> None:
    rig.feed([1, 1, 1])
    del rig.routes[2]
    rig.run(5_000_000, lambda: len(rig.landed) == 3)
    assert rig.landed == {1: 1, 2: TRAY, 3: 1}
    assert {event.card: event.expired for event in rig.of(Landed)} == {1: 0, 2: 1, 3: 0}
    on, off = rig.of(Held)
    assert (on.card, on.on, off.card, off.on) == (2, 1, 2, 0)
    assert abs(off.tick - on.tick - 1_000_000) <= 1_000
    assert rig.refused(Route(RUN, 2, 1)) == NakReason.LATE


def test_the_longest_hold_is_configured(rig: Rig) -> None:
    rig.config[Key.HOLD_MAX] = 250
    rig.start()
    rig.ok(Feed(RUN, 1))
    rig.run(2_000_000, lambda: len(rig.landed) == 1)
    on, off = rig.of(Held)
    assert abs(off.tick - on.tick - 250_000) <= 1_000


def test_a_landed_card_is_too_late_for_a_route(rig: Rig) -> None:
    rig.feed([1, 1])
    assert rig.run(2_000_000, lambda: len(rig.landed) == 2)
    rig.run(200_000)
    assert rig.refused(Route(RUN, 1, 1)) == NakReason.LATE
    assert rig.refused(Route(RUN, 2, 3)) == NakReason.LATE
    assert rig.state == State.RUNNING


def test_no_route_before_the_card_is_seen(rig: Rig) -> None:
    rig.start()
    rig.ok(Feed(RUN, 2))
    assert rig.refused(Route(RUN, 1, 0)) == NakReason.NO_SUCH_CARD
    assert rig.run(500_000, lambda: bool(rig.of(Seen)))
    assert rig.refused_raw(Route.TYPE, pack("<HHB", RUN, 0, 0)) == NakReason.NO_SUCH_CARD
    assert rig.refused(Route(RUN, 2, 0)) == NakReason.NO_SUCH_CARD
    answer = rig.ok(Route(RUN, 1, 0))
    assert (answer.card, answer.pocket) == (1, 0)


@pytest.mark.parametrize(
    ("card", "flag"),
    [
        (Card(2, length=700), CardFlag.TOO_LONG),
        (Card(2, length=530), CardFlag.TOO_SHORT),
        (Card(2, thickness=600), CardFlag.TOO_THICK),
        (Card(2, length=650, thickness=600), CardFlag.TOO_LONG | CardFlag.TOO_THICK),
    ],
    ids=["long", "short", "thick", "long and thick"],
)
def test_a_suspect_card_loses_the_route_that_was_acknowledged(
    bench: Bench, card: Card, flag: CardFlag
) -> None:
    rig = bench(make=lambda n: card if n == 2 else Card(n))
    rig.feed([1, 1, 1], delay_us=5_000)
    rig.run(3_000_000, lambda: len(rig.landed) == 3)
    assert rig.landed == {1: 1, 2: TRAY, 3: 1}
    assert card.landed == TRAY
    (measured,) = [event for event in rig.of(Measured) if event.card == 2]
    assert measured.flags == flag
    assert rig.of(Held) == []
    assert rig.plant.jams == []


def test_a_suspect_card_can_only_be_routed_to_the_tray(bench: Bench) -> None:
    rig = bench(make=lambda n: Card(n, thickness=600))
    rig.start()
    rig.ok(Feed(RUN, 1))
    assert rig.run(1_000_000, lambda: bool(rig.of(Measured)))
    assert rig.refused(Route(RUN, 1, 2)) == NakReason.SUSPECT
    rig.ok(Route(RUN, 1, TRAY))
    assert rig.refused(Route(RUN, 1, 2)) == NakReason.SUSPECT
    rig.run(1_000_000)
    assert rig.landed == {1: TRAY}


def test_a_card_too_close_behind_another_sends_both_to_the_tray(bench: Bench) -> None:
    rig = bench(make=lambda n: Card(n, late={3: 180, 4: -80}.get(n, 0)))
    rig.config |= dict.fromkeys(range(Key.GATE_OPEN_N, Key.GATE_CLOSE_W + 1), 22_000)
    rig.feed([0, 1, 0, 1, 0], delay_us=5_000)
    rig.run(3_000_000, lambda: len(rig.landed) == 5)
    flags = {event.card: event.flags for event in rig.of(Measured)}
    assert flags[4] == CardFlag.TOO_CLOSE
    assert rig.landed == {1: 0, 2: 1, 3: TRAY, 4: TRAY, 5: 0}


def test_a_gate_stays_as_it_is_while_the_belt_holds(rig: Rig) -> None:
    rig.feed([3, 3, 3, 3])
    del rig.routes[4]
    assert rig.run(3_000_000, lambda: bool(rig.of(Held)))
    rig.run(60_000)
    gates = rig.view.outputs >> GATE_N & 0xF
    begun = len(rig.edges)
    rig.run(600_000)
    assert rig.view.outputs >> GATE_N & 0xF == gates
    assert len(rig.edges) == begun
    rig.ok(Route(RUN, 4, 0))
    rig.run(2_000_000, lambda: len(rig.landed) == 4)
    assert rig.landed == {1: 3, 2: 3, 3: 3, 4: 0}
    assert rig.plant.jams == []


@pytest.mark.parametrize("finish_first", [True, False])
def test_a_finishing_run_holds_too_and_still_ends(rig: Rig, finish_first: bool) -> None:
    rig.feed([1, 2])
    del rig.routes[2]
    if finish_first:
        assert rig.run(1_000_000, lambda: rig.status.fed == 2)
        rig.ok(Finish(RUN))
    assert rig.run(1_000_000, lambda: bool(rig.of(Held)))
    if not finish_first:
        assert rig.state == State.HOLDING
        rig.ok(Finish(RUN))
    assert rig.state == State.FINISHING
    rig.run(100_000)
    rig.ok(Route(RUN, 2, 0))
    rig.run(2_000)
    assert rig.of(Held)[-1].on == 0
    assert rig.state == State.FINISHING
    assert rig.run(2_000_000, lambda: rig.state == State.READY)
    assert rig.landed == {1: 1, 2: 0}
