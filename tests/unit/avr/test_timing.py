"""Time at the pins of the chip: steps, gates, interrupts, emergency stop. Measured in cycles of its clock."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest

from controller.geometry import PROFILES
from controller.machine.settings import settings
from controller.protocol.messages import Clear, Key, StopReason
from controller.twin.world.pins import In, Out
from tests.unit.avr.bench import MHZ, Bench, Edges
from tests.unit.avr.conftest import Recorded

BELT, FEEDER = 0, 1
JITTER_US = 30
INTERRUPTS_OFF_US = 30
ESTOP_US = 1_000
QUARTER_US = 250
COMPUTING_US = 400
"""BOARD_COMPUTING_US, from the look at the belt to a gate's coil."""
ROUND_US = 65_536 / 2
ODD_SPEED = 8_737
"""So that steps fall anywhere between two ticks; the profiles make a whole number of steps a tick."""

Boards = Callable[[str], Recorded]


def step_us(profile: str) -> float:
    """The time from step to step at full speed."""
    return 1e6 / settings(PROFILES[profile])[Key.BELT_SPEED]


@pytest.mark.parametrize("profile", ["standard", "stress"])
def test_steps_come_evenly(recorded: Boards, profile: str) -> None:
    jitter = recorded(profile).edges.jitter(BELT, step_us(profile))
    assert len(jitter) > 40_000
    assert jitter[-1] <= JITTER_US
    assert jitter[len(jitter) * 99 // 100] <= JITTER_US / 2


@pytest.mark.parametrize("profile", ["standard", "stress"])
@pytest.mark.parametrize("motor", [BELT, FEEDER])
def test_no_step_waits_a_round_of_its_timer(recorded: Boards, profile: str, motor: int) -> None:
    """That is what a compare match costs that is set too late: 33 ms."""
    times, nominal = recorded(profile).edges.steps[motor], step_us(profile)
    gaps = [b - a for a, b in itertools.pairwise(times)]
    assert len(gaps) > 10_000
    at_speed = [gap for before, gap in itertools.pairwise(gaps) if before < 1.5 * nominal]
    assert not [gap for gap in at_speed if ROUND_US * 0.9 < gap < ROUND_US * 1.1]


@pytest.mark.parametrize("profile", ["standard", "stress"])
def test_the_belt_runs_as_fast_as_it_should(recorded: Boards, profile: str) -> None:
    times, nominal = recorded(profile).edges.steps[BELT], step_us(profile)
    spans = sorted(b - a for a, b in zip(times, times[1000:], strict=False))
    assert spans[len(spans) // 2] / 1000 == pytest.approx(nominal, rel=0.0002)


@pytest.mark.parametrize("profile", ["standard", "stress"])
def test_interrupts_are_never_off_for_long(recorded: Boards, profile: str) -> None:
    board = recorded(profile)
    assert board.proven
    assert 0 < board.figures["interrupts_off"] <= INTERRUPTS_OFF_US * MHZ
    assert board.figures["lost"] == 0
    assert board.figures["watchdog_resets"] == 0


def window_edges(edges: Edges) -> list[int]:
    """Belt steps at which cards came to the window."""
    return [edges.belt(at) for at, pin, level in edges.inputs if pin == In.WINDOW and level]


@pytest.mark.parametrize("profile", ["standard", "stress"])
def test_gates_are_open_in_time_for_their_card(recorded: Boards, profile: str) -> None:
    """At rest the margin before the leading edge, although the chip needs time to compute; and
    commanded no more than that time and a tick too early.
    """
    edges, values = recorded(profile).edges, settings(PROFILES[profile])
    cards = window_edges(edges)
    tick = values[Key.BELT_SPEED] // 1000 + 1
    travel = values[Key.GATE_OPEN_N] * values[Key.BELT_SPEED] // 1_000_000
    needed = travel + values[Key.GATE_MARGIN]
    computing = COMPUTING_US * values[Key.BELT_SPEED] // 1_000_000
    openings = 0
    for gate in range(4):
        place = values[Key(Key.GATE_N + gate)]
        for at in edges.rising(Out.GATE_N + gate):
            if edges.belt(at) == edges.belt(at - 3_000):
                continue  # homing: the belt stands
            leads = [card + place - edges.belt(at) for card in cards]
            openings += 1
            assert any(needed <= lead <= needed + computing + tick for lead in leads), (gate, at)
    assert openings > 20


def test_light_and_trigger_rise_at_the_very_step(recorded: Boards) -> None:
    edges, values = recorded("standard").edges, settings(PROFILES["standard"])
    cards = window_edges(edges)
    strobes = edges.rising(Out.STROBE)
    assert strobes == edges.rising(Out.TRIGGER)
    looks = [values[Key.LOOK_1], values[Key.LOOK_2]]
    late = [at - edges.steps[BELT][edges.belt(at) - 1] for at in strobes]
    assert max(late) < 25
    for at in strobes:
        assert any(edges.belt(at) - card == look for card in cards for look in looks)
    falls = [at for at, pin, level in edges.outputs if pin == Out.STROBE and not level]
    widths = sorted(fall - rise for rise, fall in zip(strobes, falls, strict=True))
    assert values[Key.STROBE_1] <= widths[0]
    assert widths[-1] <= values[Key.STROBE_2] + 40


def test_the_emergency_stop_takes_the_motors_within_a_millisecond(bench: Bench) -> None:
    """At forty moments of homing: gates in motion, belt at speed. They stay off when the button is out."""
    rng = random.Random(8)
    bench.connect(ODD_SPEED)
    slowest = 0
    for _ in range(40):
        bench.home()
        bench.stay(rng.randint(0, 650_000))
        assert bench.high(Out.ENABLE)
        pressed_us = bench.chip.now_us
        bench.chip.input(In.ESTOP, 0)
        while bench.chip.outputs and bench.chip.now_us < pressed_us + 2 * ESTOP_US:
            bench.chip.run(pressed_us + 2 * ESTOP_US)
        assert bench.chip.outputs == 0
        slowest = max(slowest, bench.chip.now_us - pressed_us)
        while bench.chip.now_us < pressed_us + 5 * ESTOP_US:
            bench.chip.run(pressed_us + 5 * ESTOP_US)
            assert bench.chip.outputs == 0, "they rose again"
        bench.chip.input(In.ESTOP, 1)
        bench.stay(20_000)
        assert bench.chip.outputs == 0
        bench.link.request(Clear(StopReason.ESTOP))
    assert slowest <= QUARTER_US + INTERRUPTS_OFF_US < ESTOP_US


def test_a_press_shorter_than_a_tick_is_not_missed(bench: Bench) -> None:
    bench.connect()
    bench.home()
    bench.stay(100_000)
    bench.chip.input(In.ESTOP, 0)
    bench.chip.run(bench.chip.now_us + QUARTER_US + 10)
    bench.chip.input(In.ESTOP, 1)
    bench.stay(5_000)
    assert bench.chip.outputs == 0
    status = bench.link.status
    bench.link.beat(force=True)
    status = bench.link.status
    assert status is not None
    assert status.stop_reason == StopReason.ESTOP


def test_the_clock_never_slips(bench: Bench) -> None:
    """Asked at thousands of phases of its quarter, one of which is about to be counted."""
    rng = random.Random(9)
    bench.connect()
    offsets = []
    for _ in range(2_000):
        bench.chip.run(bench.chip.now_us + rng.randint(1, QUARTER_US))
        bench.link.beat(force=True)
        assert bench.link.status is not None
        offsets.append(bench.chip.now_us - bench.link.status.tick)
    assert max(offsets) - min(offsets) < QUARTER_US / 2
