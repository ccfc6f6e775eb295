"""The belt's physics, one rule at a time, with nothing but a recorder in the chip's place."""

from __future__ import annotations

import random

import pytest

from controller.twin.trace import NoTrace
from controller.twin.world.inputs import Inputs
from controller.twin.world.layout import (
    CARD,
    GRIP,
    TRAY_GATE,
    WINDOW,
    gate_at,
    layout,
    pocket_at,
)
from controller.twin.world.pins import Analog, In
from controller.twin.world.things import PrintShop
from controller.twin.world.track import STICKS_BEFORE_POCKET, Passage, Reports, Track
from deals.cards import CARDS

TRAVEL_US = 12_000
US_PER_STEP = 100
PITCH = 900


class Recorder:
    """A chip that only remembers: (belt step, pin, level)."""

    def __init__(self) -> None:
        self.edges: list[tuple[int, int, int]] = []
        self.analogs: list[tuple[int, int]] = []
        self.now_us = self.belt = self.feeder = self.outputs = 0

    def input(self, pin: int, level: int) -> None:
        self.edges.append((self.belt, pin, level))

    def analog(self, channel: int, value: int) -> None:
        self.analogs.append((channel, value))

    def run(self, until_us: int, until_belt: int = 0, until_feeder: int = 0) -> int:
        raise NotImplementedError

    def rx(self, data: bytes) -> None:
        raise NotImplementedError

    def tx(self) -> bytes:
        raise NotImplementedError

    def reset(self, cause: int) -> None:
        raise NotImplementedError


class Bench:
    """A track whose belt is turned by hand."""

    def __init__(self) -> None:
        self.chip = Recorder()
        self.landed: list[tuple[str, int]] = []
        self.left: list[int] = []
        self.shop = PrintShop(random.Random(1))
        reports = Reports(
            lambda: self.left.append(self.chip.belt),
            lambda gate: None,
            lambda passage, gate: self.landed.append((passage.card.name, gate)),
            lambda passage: None,
        )
        self.track = Track(layout(), Inputs(self.chip, NoTrace()), TRAVEL_US, reports)

    def enter(self, index: int, behind: int = 0) -> Passage:
        return self.track.enter(self.shop.card(CARDS[index]), index, behind, 0.0, 0.0)

    def turn(self, to: int) -> None:
        """The belt to a step, stopping as the world does at every step that matters."""
        while (step := self.track.next_step()) is not None and step <= to:
            self._advance(step)
        self._advance(to)

    def gate(self, gate: int, on: bool) -> None:
        self.track.drive_gate(gate, on, self.chip.belt * US_PER_STEP)

    def edges(self, pin: int) -> list[tuple[int, int]]:
        return [(at, level) for at, which, level in self.chip.edges if which == pin]

    def _advance(self, step: int) -> None:
        self.chip.belt = step
        self.track.advance(step, step * US_PER_STEP)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_card_covers_the_window_sensor_for_its_length(bench: Bench) -> None:
    card = bench.enter(0)
    bench.turn(3000)
    start = WINDOW - GRIP
    assert bench.edges(In.WINDOW) == [(start, 1), (start + CARD, 0)]
    thickness = card.card.thickness_um
    values = [(Analog.THICKNESS, thickness), (Analog.BACK, 1)]
    assert bench.chip.analogs == [*values, (Analog.THICKNESS, 0), (Analog.BACK, 0)]
    assert bench.left == [CARD - GRIP]


def test_without_an_open_gate_a_card_runs_on_into_the_tray(bench: Bench) -> None:
    bench.enter(0)
    bench.turn(8000)
    assert bench.landed == [("SA", TRAY_GATE)]
    assert [level for _, level in bench.edges(In.PASS_TRAY)] == [1, 0]
    assert bench.track.cards == []


@pytest.mark.parametrize("gate", range(4))
def test_an_open_gate_sends_it_down_its_chute(bench: Bench, gate: int) -> None:
    bench.enter(0)
    bench.turn(gate_at(gate) - GRIP - 300)
    bench.gate(gate, True)
    bench.turn(8000)
    assert bench.landed == [("SA", gate)]
    at = pocket_at(gate) - GRIP
    assert bench.edges(In.PASS_N + gate) == [(at, 1), (at + CARD, 0)]


def test_a_card_that_meets_a_moving_gate_jams_there(bench: Bench) -> None:
    card = bench.enter(0)
    bench.turn(gate_at(1) - GRIP - 119)  # 11.9 ms: one step too late
    bench.gate(1, True)
    bench.turn(8000)
    assert card.stands_at == gate_at(1)
    assert bench.landed == []


def test_one_step_earlier_the_gate_is_at_rest_in_time(bench: Bench) -> None:
    bench.enter(0)
    bench.turn(gate_at(1) - GRIP - 120)
    bench.gate(1, True)
    bench.turn(8000)
    assert bench.landed == [("SA", 1)]


@pytest.mark.parametrize("before_clear", [1, 200, CARD - 1])
def test_a_gate_that_begins_to_move_under_a_card_jams_it(bench: Bench, before_clear: int) -> None:
    card = bench.enter(0)
    bench.turn(gate_at(0) - GRIP + CARD - before_clear)
    bench.gate(0, True)
    bench.turn(8000)
    assert card.stands_at == gate_at(0) + CARD - before_clear


def test_a_gate_may_move_as_soon_as_the_card_has_left_it(bench: Bench) -> None:
    bench.enter(0)
    bench.turn(gate_at(0) - GRIP + CARD)
    bench.gate(0, True)
    bench.turn(8000)
    assert bench.landed == [("SA", TRAY_GATE)]


def test_closing_under_a_card_jams_it_as_well(bench: Bench) -> None:
    bench.gate(2, True)
    card = bench.enter(0)
    bench.turn(gate_at(2) - GRIP + 100)
    bench.gate(2, False)
    bench.turn(8000)
    assert card.chute == 2
    assert card.stands_at == gate_at(2) + 100


def test_cards_behind_pile_up_against_one_that_stands(bench: Bench) -> None:
    first = bench.enter(0)
    bench.turn(PITCH)
    second = bench.enter(1)
    bench.turn(gate_at(3) - GRIP - 10)
    bench.gate(3, True)
    bench.turn(2 * PITCH + 1800)
    third = bench.enter(2)
    bench.turn(9000)
    assert first.stands_at == gate_at(3)
    assert second.stands_at == gate_at(3) - CARD
    assert third.stands_at == gate_at(3) - 2 * CARD
    assert bench.landed == []


def test_a_pile_reaches_back_over_the_window(bench: Bench) -> None:
    passages = []
    for number in range(8):
        passages.append(bench.enter(number))
        if number == 0:
            bench.turn(gate_at(0) - GRIP - 10)
            bench.gate(0, True)
        bench.turn(bench.chip.belt + PITCH)
    places = [passage.stands_at for passage in passages]
    assert places[:3] == [gate_at(0) - CARD * number for number in range(3)]
    assert bench.edges(In.WINDOW)[-1][1] == 1


def test_a_card_stuck_across_a_gate_blocks_the_belt_for_all(bench: Bench) -> None:
    bench.gate(0, True)
    stuck = bench.enter(0)
    stuck.sticks = True
    bench.turn(PITCH)
    behind = bench.enter(1)
    bench.turn(9000)
    assert stuck.stands_at == pocket_at(0) - STICKS_BEFORE_POCKET
    assert behind.stands_at == stuck.stands_at - CARD
    assert behind.chute is None


def test_a_card_stuck_down_in_a_chute_lets_others_pass(bench: Bench) -> None:
    bench.gate(0, True)
    stuck = bench.enter(0)
    bench.turn(pocket_at(0) - GRIP + 50)
    stuck.limit = pocket_at(0) + 60  # something in the pocket itself
    bench.track._plan_next(stuck)
    bench.turn(pocket_at(0) - GRIP + 80)
    bench.gate(0, False)
    bench.enter(1)
    bench.turn(bench.chip.belt + 7000)
    assert bench.landed == [("SK", TRAY_GATE)]
    bench.gate(0, True)
    third = bench.enter(2)
    bench.turn(bench.chip.belt + 7000)
    assert third.stands_at == pocket_at(0) + 60 - CARD


def test_a_card_behind_one_that_stands_may_still_leave_by_its_gate(bench: Bench) -> None:
    first = bench.enter(0)
    bench.turn(gate_at(1) - GRIP - 10)
    bench.gate(1, True)
    bench.turn(gate_at(1))
    assert first.stands_at == gate_at(1)
    second = bench.enter(1)
    bench.gate(0, True)
    bench.turn(bench.chip.belt + 9000)
    assert second.stands_at is None
    assert bench.landed == [("SK", 0)]


def test_two_cards_on_each_other_are_weighed_together(bench: Bench) -> None:
    below = bench.enter(0)
    above = bench.enter(1, behind=200)
    above.card.back = 2
    bench.turn(3000)
    thickness = [value for channel, value in bench.chip.analogs if channel == Analog.THICKNESS]
    backs = [value for channel, value in bench.chip.analogs if channel == Analog.BACK]
    one, other = below.card.thickness_um, above.card.thickness_um
    assert thickness == [one, one + other, other, 0]
    assert backs == [1, 2, 2, 0]
    start = WINDOW - GRIP
    assert bench.edges(In.WINDOW) == [(start, 1), (start + CARD + 200, 0)]


def test_hands_take_all_off_the_belt_and_the_sensors_are_free(bench: Bench) -> None:
    bench.enter(0)
    bench.turn(WINDOW - GRIP + 10)
    bench.enter(1)
    bench.turn(WINDOW - GRIP + 100)
    assert bench.edges(In.WINDOW)[-1][1] == 1
    assert [card.name for card in bench.track.take()] == ["SA", "SK"]
    assert bench.edges(In.WINDOW)[-1][1] == 0
    assert bench.track.next_step() is None
    bench.turn(9000)
    assert bench.landed == []
