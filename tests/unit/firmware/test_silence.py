"""Silence of the host: the dead-man stops feeding first, then the machine."""

from __future__ import annotations

import pytest

from controller.protocol.messages import (
    Finish,
    Held,
    Key,
    Landed,
    State,
    Stopped,
    StopReason,
)
from tests.unit.firmware.library import (
    TRAY,
)
from tests.unit.firmware.rig import RUN, Rig, bring


@pytest.mark.parametrize("silent_from_us", range(150_000, 260_000, 13_000))
def test_the_dead_man_stops_feeder_and_machine_in_time(rig: Rig, silent_from_us: int) -> None:
    rig.feed([3] * 30, delay_us=5_000)
    rig.run(silent_from_us)
    rig.beating = False
    rig._next_beat = rig.view.now_us + 10_000_000
    rig.routes.clear()
    rig._at_time.clear()
    begun = rig.view.now_us
    rig.run(300_000)
    feeder = rig.view.feeder
    fed = len(rig.plant.cards)
    rig.run(700_000, lambda: bool(rig.of(Stopped)))
    assert rig.view.feeder == feeder
    assert rig.stopped.reason == StopReason.DEAD_MAN
    assert rig.view.outputs == 0
    assert rig.view.now_us - begun <= 1_000_000
    # Every card that the belt had has left it: routed ones in the pocket, the others in the tray.
    assert len(rig.landed) == len([card for card in rig.plant.cards[:fed] if card.place])


def test_the_dead_man_stops_an_empty_belt_at_once(rig: Rig) -> None:
    rig.start()
    rig.run(200_000)
    assert rig.status
    rig._next_beat = rig.view.now_us + 10_000_000
    begun = rig.view.now_us
    rig.run(1_000_000, lambda: bool(rig.of(Stopped)))
    assert rig.stopped.reason == StopReason.DEAD_MAN
    assert 299_000 <= rig.view.now_us - begun <= 300_000


def test_the_dead_man_does_not_wait_for_the_longest_hold(rig: Rig) -> None:
    bring(rig, State.HOLDING)
    rig.beating = False
    rig._next_beat = rig.view.now_us + 10_000_000
    begun = rig.view.now_us
    rig.run(1_000_000, lambda: bool(rig.of(Stopped)))
    assert rig.stopped.reason == StopReason.DEAD_MAN
    assert rig.of(Held)[1].on == 0
    assert rig.of(Held)[1].tick - begun <= 301_000
    assert {event.pocket for event in rig.of(Landed)} == {TRAY}


@pytest.mark.parametrize("state", [State.HOMING, State.FINISHING])
def test_silence_stops_other_motion_too(rig: Rig, state: State) -> None:
    rig.config[Key.TRAY] = 25_000
    if state == State.HOMING:
        bring(rig, state)
    else:
        rig.feed([TRAY] * 3)
        rig.run(500_000)
        rig.ok(Finish(RUN))
    rig.beating = False
    rig._next_beat = rig.view.now_us + 10_000_000
    begun = rig.view.now_us
    rig.run(1_100_000, lambda: bool(rig.of(Stopped)))
    assert rig.stopped.reason == StopReason.DEAD_MAN
    assert rig.view.outputs == 0
    assert rig.view.now_us - begun <= 1_000_000


def test_a_short_silence_only_delays(rig: Rig) -> None:
    rig.feed([0, 1, 2, 3] * 3)
    rig.run(400_000)
    rig._next_beat = rig.view.now_us + 280_000
    rig.land_all()
    assert rig.landed == rig.routes
