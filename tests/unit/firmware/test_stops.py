"""Stops: what causes them, how fast outputs go low, the first reason, and the way back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.protocol.messages import (
    Clear,
    Config,
    Feed,
    Home,
    InputChanged,
    Key,
    Landed,
    NakReason,
    Pocket,
    Route,
    Seen,
    Start,
    State,
    Stop,
    Stopped,
    StopReason,
)
from tests.unit.firmware.library import (
    BOARD,
    ENABLE,
    ESTOP,
    GATE_N,
    LID,
    PASS_N,
    STROBE,
    TRAY,
    WINDOW,
)
from tests.unit.firmware.plant import Card
from tests.unit.firmware.rig import RUN, Rig, bring

Bench = Callable[..., Rig]
SAFE_INPUTS = [
    (ESTOP, StopReason.ESTOP, 1_000),
    (LID, StopReason.LID_OPEN, 5_000),
    (BOARD, StopReason.BOARD_OUT, 5_000),
]


@pytest.mark.parametrize("state", State)
def test_stop_is_taken_in_every_state(rig: Rig, state: State) -> None:
    bring(rig, state)
    rig.send(Stop())
    assert rig.view.outputs == 0
    assert rig.state == State.STOPPED
    assert rig.stopped.reason == StopReason.HOST_STOP
    belt, feeder = rig.view.belt, rig.view.feeder
    rig.run(500_000)
    assert (rig.view.belt, rig.view.feeder, rig.view.outputs) == (belt, feeder, 0)


@pytest.mark.parametrize(("pin", "reason", "within_us"), SAFE_INPUTS)
@pytest.mark.parametrize("offset_us", [0, 1, 137, 500, 999])
@pytest.mark.parametrize("state", [State.HOMING, State.RUNNING, State.HOLDING, State.FINISHING])
def test_an_unsafe_input_stops_in_time(
    rig: Rig, state: State, offset_us: int, pin: int, reason: StopReason, within_us: int
) -> None:
    bring(rig, state)
    rig.run(offset_us)
    begun = rig.view.now_us
    rig.input(pin, 0)
    assert rig.run(10_000, lambda: not rig.view.outputs >> ENABLE & 1)
    assert rig.view.now_us - begun <= within_us
    assert rig.view.outputs == 0
    assert rig.stopped.reason == reason
    assert rig.state == State.STOPPED


@pytest.mark.parametrize(("pin", "reason", "_"), SAFE_INPUTS)
@pytest.mark.parametrize("state", [State.UNKNOWN, State.READY])
def test_an_unsafe_input_at_rest_is_only_told(
    rig: Rig, state: State, pin: int, reason: StopReason, _: int
) -> None:
    bring(rig, state)
    rig.input(pin, 0)
    rig.run(20_000)
    assert rig.state == state
    (event,) = rig.of(InputChanged)
    assert (event.pin, event.level) == (pin, 0)
    command = Start(RUN) if state == State.READY else Home()
    assert rig.refused(command) == NakReason.INPUTS


@pytest.mark.parametrize(("pin", "reason", "_"), SAFE_INPUTS)
def test_clear_needs_the_reason_and_the_cause_gone(
    rig: Rig, pin: int, reason: StopReason, _: int
) -> None:
    bring(rig, State.RUNNING)
    rig.input(pin, 0)
    rig.run_until_stopped()
    other = StopReason.MISFEED
    assert rig.refused(Clear(other)) == NakReason.WRONG_REASON
    assert rig.refused(Clear(reason)) == NakReason.INPUTS
    rig.input(pin, 1)
    rig.run(50_000)
    assert rig.state == State.STOPPED  # release alone never restarts
    assert rig.view.outputs == 0
    assert rig.refused(Start(RUN)) == NakReason.WRONG_STATE
    assert rig.refused(Home()) == NakReason.WRONG_STATE
    assert (rig.status.run, rig.status.on_belt) == (RUN, 3)
    rig.ok(Clear(reason))
    assert (rig.status.run, rig.status.on_belt) == (0, 0)
    assert rig.state == State.UNKNOWN
    assert rig.refused(Start(RUN)) == NakReason.WRONG_STATE


def test_a_latched_stop_keeps_its_first_reason(rig: Rig) -> None:
    bring(rig, State.RUNNING)
    rig.input(LID, 0)
    rig.run_until_stopped()
    rig.input(ESTOP, 0)
    rig.input(BOARD, 0)
    rig.run(20_000)
    rig.send(Stop())
    assert rig.status.stop_reason == StopReason.LID_OPEN
    assert len(rig.of(Stopped)) == 1
    for pin in (LID, ESTOP, BOARD):
        rig.input(pin, 1)
    rig.run(20_000)
    assert rig.refused(Clear(StopReason.ESTOP)) == NakReason.WRONG_REASON
    assert rig.refused_raw(Clear.TYPE, b"\0") == NakReason.WRONG_REASON
    rig.ok(Clear(StopReason.LID_OPEN))
    assert rig.refused(Clear(StopReason.LID_OPEN)) == NakReason.WRONG_STATE


def test_after_clear_and_home_a_run_begins_anew(rig: Rig) -> None:
    bring(rig, State.RUNNING)
    rig.send(Stop())
    rig.run(10_000)
    # A person takes the cards off the belt.
    rig.plant.cards.clear()
    rig._at_belt.clear()
    for pin in (WINDOW, *range(PASS_N, PASS_N + 5)):
        rig.input(pin, 0)
    rig.run(10_000)
    rig.ok(Clear(StopReason.HOST_STOP))
    rig.home()
    before = len(rig.events)
    rig.open_run(run=8)
    rig.routes = {1: 3, 2: 2}
    rig.ok(Feed(8, 2))
    rig.run(2_000_000, lambda: len(rig.events) > before and len(rig.of(Landed)) >= 2)
    landed = [(e.run, e.card, e.pocket) for e in rig.events[before:] if isinstance(e, Landed)]
    assert landed == [(8, 2, 2), (8, 1, 3)] or landed == [(8, 1, 3), (8, 2, 2)]


def test_a_stop_forgets_the_look_that_was_armed(rig: Rig) -> None:
    rig.feed([0])
    assert rig.run(1_000_000, lambda: bool(rig.of(Seen)))
    rig.send(Stop())
    rig._at_belt.clear()
    rig.input(WINDOW, 0)
    rig.run(10_000)
    rig.ok(Clear(StopReason.HOST_STOP))
    rig.edges.clear()
    rig.home()
    assert not any(out >> STROBE & 1 for _, _, out in rig.edges)


def test_a_contradicting_route_stops(rig: Rig) -> None:
    rig.start()
    rig.ok(Feed(RUN, 1))
    assert rig.run(500_000, lambda: bool(rig.of(Seen)))
    rig.ok(Route(RUN, 1, 2))
    rig.ok(Route(RUN, 1, 2))
    assert rig.state == State.RUNNING
    assert rig.refused(Route(RUN, 1, 3)) == NakReason.CONTRADICTION
    assert (rig.stopped.reason, rig.stopped.card) == (StopReason.ROUTE_CONTRADICTION, 1)
    assert rig.view.outputs == 0


# --- cards that do not come, or come where they should not ---


def test_a_card_that_never_leaves_the_feeder_is_a_misfeed(bench: Bench) -> None:
    rig = bench(make=lambda n: Card(n, lost=n == 4))
    rig.feed([0] * 6)
    stop = rig.run_until_stopped()
    assert (stop.reason, stop.card, stop.pocket) == (StopReason.MISFEED, 4, 255)
    begun = rig.plant.cards[2].place + rig.config[Key.PITCH] - 467
    limit = 400 + 150 + 400
    assert limit <= rig.view.belt - begun <= limit + 60


def test_a_card_may_slip_as_far_as_the_misfeed_limit(bench: Bench) -> None:
    rig = bench(make=lambda n: Card(n, late=430 if n == 2 else 0))
    rig.feed([0, 1, 2])
    rig.land_all()
    assert rig.landed == rig.routes


def test_a_card_stuck_at_the_window_is_a_jam(bench: Bench) -> None:
    rig = bench(make=lambda n: Card(n, stuck_at="window" if n == 3 else ""))
    rig.feed([0] * 6)
    stop = rig.run_until_stopped()
    assert (stop.reason, stop.card) == (StopReason.JAM_WINDOW, 3)
    travel = rig.view.belt - rig.plant.cards[2].place
    assert 990 < travel <= 1_010


@pytest.mark.parametrize("where", ["gate", "pocket"])
@pytest.mark.parametrize("pocket", range(4))
def test_a_card_stuck_on_its_way_to_a_pocket_is_a_jam(
    bench: Bench, where: str, pocket: int
) -> None:
    rig = bench(make=lambda n: Card(n, stuck_at=where if n == 3 else ""))
    rig.feed([(pocket + n) % 4 for n in (1, 2, 0, 3, 1)])
    stop = rig.run_until_stopped()
    assert (stop.reason, stop.card, stop.pocket) == (StopReason.JAM_POCKET, 3, pocket)
    due = rig.plant.cards[2].place + rig.config[Key(Key.GATE_N + pocket)] + 600 + 150
    latest = due + (570 if where == "pocket" else 0)
    overdue_us = (rig.view.belt - latest) * 1_000_000 // rig.config[Key.BELT_SPEED]
    assert 0 < overdue_us <= 60_000
    assert rig.view.outputs == 0


@pytest.mark.parametrize("where", ["gate", "pocket"])
def test_a_card_stuck_on_its_way_to_the_tray_is_a_jam(bench: Bench, where: str) -> None:
    rig = bench(make=lambda n: Card(n, stuck_at=where if n == 3 else ""))
    rig.feed([0, 1, TRAY, 0, 1])
    stop = rig.run_until_stopped()
    assert (stop.reason, stop.card, stop.pocket) == (StopReason.JAM_BELT, 3, TRAY)


def test_a_card_in_a_wrong_pocket_stops_at_that_card(bench: Bench) -> None:
    rig = bench(make=lambda n: Card(n, astray=1 if n == 3 else None))
    rig.feed([0, 1, 3, 0, 1])
    stop = rig.run_until_stopped()
    assert (stop.reason, stop.card, stop.pocket) == (StopReason.WRONG_POCKET, 3, Pocket.E)


def test_swapped_pocket_sensors_are_a_wrong_pocket(bench: Bench) -> None:
    rig = bench(make=lambda n: Card(n, sensed_at=0 if n == 3 else None))
    rig.feed([0, 1, 3, 0, 1])
    stop = rig.run_until_stopped()
    assert (stop.reason, stop.card, stop.pocket) == (StopReason.WRONG_POCKET, 3, Pocket.N)


def test_a_gate_that_does_not_open_is_seen_at_the_tray(bench: Bench) -> None:
    rig = bench(make=lambda n: Card(n, astray=9 if n == 3 else None))
    rig.feed([0, 1, 2, 0, 1])
    stop = rig.run_until_stopped()
    assert (stop.reason, stop.card, stop.pocket) == (StopReason.JAM_POCKET, 3, Pocket.S)


@pytest.mark.parametrize(("pin", "pocket"), [(PASS_N + 1, 1), (PASS_N + 4, TRAY), (WINDOW, 255)])
def test_a_card_that_nobody_expects_stops(rig: Rig, pin: int, pocket: int) -> None:
    rig.start()
    rig.run(100_000)
    rig.input(pin, 1)
    stop = rig.run_until_stopped(10_000)
    assert (stop.reason, stop.card, stop.pocket) == (StopReason.UNEXPECTED_CARD, 0, pocket)


@pytest.mark.parametrize("pin", [WINDOW, *range(PASS_N, PASS_N + 5)])
def test_a_sensor_that_never_clears_fails_home(rig: Rig, pin: int) -> None:
    rig.input(pin, 1)
    rig.configure()
    rig.ok(Home())
    stop = rig.run_until_stopped()
    assert stop.reason == StopReason.HOME_FAILED
    assert stop.pocket == (255 if pin == WINDOW else pin - PASS_N)


@pytest.mark.parametrize("pin", [WINDOW, *range(PASS_N, PASS_N + 5)])
def test_no_run_begins_with_a_sensor_covered(rig: Rig, pin: int) -> None:
    rig.configure()
    rig.home()
    rig.input(pin, 1)
    rig.run(10_000)
    assert rig.refused(Start(RUN)) == NakReason.INPUTS
    rig.input(pin, 0)
    rig.run(10_000)
    rig.ok(Start(RUN))


def test_home_pulses_every_gate_and_runs_the_belt_empty(rig: Rig) -> None:
    rig.configure()
    rig.input(PASS_N + 2, 1)  # a card left in a sensor that the belt carries off
    rig.at_belt(2_000, lambda: rig.input(PASS_N + 2, 0))
    rig.home()
    gates = [out >> GATE_N & 0xF for _, _, out in rig.edges if out >> GATE_N & 0xF]
    assert gates == [1, 2, 4, 8]
    assert rig.view.belt >= rig.config[Key.TRAY] + 2 * rig.config[Key.LENGTH_MAX]
    assert rig.view.outputs == 0


def test_a_gate_that_stays_open_too_long_is_overtime(bench: Bench) -> None:
    rig = bench(make=lambda n: Card(n, length=1_600))
    rig.config |= {Key.LENGTH_MIN: 1_500, Key.LENGTH_MAX: 1_700, Key.PITCH: 2_500}
    rig.config |= {Key.BELT_SPEED: 500, Key.BELT_ACCELERATION: 10_000}
    rig.feed([3] * 2)
    stop = rig.run_until_stopped(40_000_000)
    assert stop.reason == StopReason.OUTPUT_OVERTIME
    assert rig.view.outputs == 0
    opened = [us for us, _, out in rig.edges if out >> (GATE_N + 3) & 1][-1]
    assert abs(stop.tick - opened - 3_000_000) <= 1_000


def test_a_configuration_cannot_change_under_a_run(rig: Rig) -> None:
    bring(rig, State.RUNNING)
    assert rig.refused(Config(Key.PITCH, 900)) == NakReason.WRONG_STATE
