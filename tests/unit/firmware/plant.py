"""A tiny plant for the firmware's tests (the twin's world is product code and knows much more).

Cards move with the feeder up to the belt's grip and with the belt from there, meet gates, cover
sensors and land. A gate that turns while a card is at it is remembered as a jam.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from controller.geometry import Profile
from controller.protocol.messages import Key
from tests.unit.firmware.library import (
    GATE_N,
    GRIP_AT,
    HOPPER,
    LENGTH,
    PASS_N,
    PRESENT_N,
    TRAY,
    WINDOW,
    WINDOW_AT,
    View,
)

STANDS_US = 2_500
"""The feeder stands when it has made no step for so long."""


@dataclass
class Card:
    """A card and what is wrong with it."""

    number: int
    length: int = LENGTH
    thickness: int = 300
    late: int = 0
    """Slips this many steps on its way to the window."""
    lost: bool = False
    """Never leaves the feeder."""
    stuck_at: str = ""
    """'window', 'gate' or 'pocket': goes no further."""
    astray: int | None = None
    """Falls at this gate whatever the gates do."""
    sensed_at: int | None = None
    """Its landing is seen by this pocket's sensor, wherever it falls."""
    place: int = 0
    """Belt step of its leading edge at the window."""
    landed: int | None = None


class Machine(Protocol):
    """What the plant hangs on."""

    view: View
    profile: Profile
    config: dict[Key, int]

    def input(self, pin: int, level: int) -> None:
        """Drives an input pin."""

    def analog(self, channel: int, value: int) -> None:
        """Sets an analog channel."""

    def at_belt(self, step: int, do: Callable[[], None]) -> None:
        """Calls `do` at a belt step."""


class Plant:
    """Hopper, feeder, belt, gates and sensors."""

    def __init__(self, machine: Machine, hopper: int, make: Callable[[int], Card]) -> None:
        self.machine = machine
        self.view = machine.view
        self.config = machine.config
        self.hopper = hopper
        self.make = make
        self.cards: list[Card] = []
        self.jams: list[str] = []
        self.resting_until = 0
        self.grip: int | None = None
        """Feeder step at which the belt takes the card over; None between feeds."""
        self._feeding: Card | None = None
        self._last_feeder = 0
        self._gate_us = [-1_000_000] * 4

    def feeder_moved(self) -> None:
        """The feeder began a feed, or the belt takes over the card."""
        if self.grip is None:
            if len(self.cards) < self.hopper:
                self._take_one()
            return
        if self._feeding:
            self._ride(self._feeding)
        self._feeding = None
        self.grip = None
        self.rest()

    def _take_one(self) -> None:
        card = self.make(len(self.cards) + 1)
        self.cards.append(card)
        self._feeding = None if card.lost else card
        self.grip = self.view.feeder + GRIP_AT - 1
        self.machine.input(HOPPER, int(len(self.cards) < self.hopper))

    def fill(self, cards: int) -> None:
        """More cards into the hopper."""
        self.hopper += cards
        self.machine.input(HOPPER, 1)

    def rest(self) -> None:
        """The rest of a throw moves nothing; the next feed begins after the feeder has stood."""
        if self.view.feeder != self._last_feeder:
            self._last_feeder = self.view.feeder
            self.resting_until = self.view.now_us + STANDS_US

    def _ride(self, card: Card) -> None:
        card.place = self.view.belt + WINDOW_AT - GRIP_AT + card.late
        at = self.machine.at_belt
        at(card.place, lambda: self._window(card, True))
        if card.stuck_at == "window":
            return
        at(card.place + card.length, lambda: self._window(card, False))
        for gate in range(4):
            step = card.place + self.config[Key(Key.GATE_N + gate)]
            at(step, lambda gate=gate: self._at_gate(card, gate))
        at(card.place + self.config[Key.TRAY], lambda: self._land(card, TRAY))

    def _window(self, card: Card, covered: bool) -> None:
        self.machine.input(WINDOW, int(covered))
        self.machine.analog(0, card.thickness if covered else 0)
        self.machine.analog(1, 1 if covered else 0)

    def _at_gate(self, card: Card, gate: int) -> None:
        if card.landed is not None:
            return
        if self.view.now_us - self._gate_us[gate] < self.machine.profile.gate_travel_us:
            self.jams.append(f"card {card.number} meets gate {gate} as it turns")
        opened = bool(self.view.outputs >> (GATE_N + gate) & 1)
        falls = opened if card.astray is None else card.astray == gate
        if falls and card.stuck_at != "gate":
            card.landed = gate
            step = self.view.belt + self.config[Key.DROP]
            self.machine.at_belt(step, lambda: self._land(card, gate))

    def _land(self, card: Card, pocket: int) -> None:
        if card.stuck_at == "gate" or card.landed not in (None, pocket):
            return
        card.landed = pocket
        seen = pocket if card.sensed_at is None else card.sensed_at
        self.machine.input(PASS_N + seen, 1)
        if card.stuck_at != "pocket":
            step = self.view.belt + card.length
            self.machine.at_belt(step, lambda: self.machine.input(PASS_N + seen, 0))
        self.machine.input(PRESENT_N + pocket, 1)

    def outputs_moved(self, before: int) -> None:
        """Looks at the gates that turn now."""
        for gate in range(4):
            if (before ^ self.view.outputs) >> (GATE_N + gate) & 1:
                self._gate_us[gate] = self.view.now_us
                self._gate_turns(gate)

    def _gate_turns(self, gate: int) -> None:
        at = self.config[Key(Key.GATE_N + gate)]
        for card in self.cards:
            over = card.place and at <= self.view.belt - card.place <= at + card.length
            if over and card.landed in (None, gate) and self.view.outputs & 1:
                self.jams.append(f"gate {gate} turns under card {card.number}")
