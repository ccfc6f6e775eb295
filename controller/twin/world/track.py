"""The belt with its gates and chutes: where each card is and when its next thing happens.

A card's place is its leading edge, in belt steps from the hopper's exit. The rollers in the chutes
are driven by the belt, so a card in a chute stands when the belt stands. A flap is a line at its
gate: a card is over it from when its leading edge meets it until its trailing edge has passed.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from controller.twin.world.drives import Flap, Gate
from controller.twin.world.inputs import Inputs
from controller.twin.world.layout import CARD, GRIP, WINDOW, Layout, Waypoint, What
from controller.twin.world.pins import In
from controller.twin.world.things import PhysicalCard

STICKS_BEHIND_WINDOW: Final = 300
"""A card that sticks over the window stands this far past its sensor."""
STICKS_BEFORE_POCKET: Final = 200
"""A card that sticks in its chute stands this far short of the sensor, still across the gate."""


@dataclass(slots=True, eq=False)
class Passage:
    """One card on its way from the feeder to a pocket or the tray."""

    card: PhysicalCard
    feed: int
    """Which feed since the board was put in brought it; two cards of a double feed share it."""
    offset: int
    """Belt step at which its leading edge would have been at the hopper's exit."""
    way: tuple[Waypoint, ...]
    shift_mm: float
    tilt_deg: float
    next: int = 0
    chute: int | None = None
    stands_at: int | None = None
    limit: int | None = None
    """It cannot get farther than this: another card stands there, or it will stick there."""
    ticket: int = 0
    """Number of its one valid entry in the heap."""
    covers: list[int] = field(default_factory=list)
    over: list[int] = field(default_factory=list)
    """Gates that it lies over."""
    sticks: bool = False
    """Will stick in the next chute that it goes down; a fault."""


@dataclass(frozen=True, slots=True)
class Reports:
    """Whom the track tells what happens on it."""

    left_feeder: Callable[[], None]
    passing: Callable[[int], None]
    """A leading edge has come to the passing sensor of this gate's pocket, or TRAY_GATE."""
    landed: Callable[[Passage, int], None]
    """With the gate whose pocket it fell towards, or TRAY_GATE."""
    jammed: Callable[[Passage], None]


class Track:
    """All cards between hopper and pockets."""

    def __init__(self, plan: Layout, inputs: Inputs, gate_travel_us: int, reports: Reports) -> None:
        self.belt = 0
        """Belt steps that really moved the belt."""
        self.now_us = 0
        self.gates = [Gate(gate_travel_us) for _ in plan.order]
        self.cards: list[Passage] = []
        """In the order in which they came."""
        self.stick_next = False
        """The next card that goes down a chute sticks there; a fault."""
        self._plan = plan
        self._inputs = inputs
        self._reports = reports
        self._heap: list[tuple[int, int, Passage]] = []
        self._tickets = 0

    def lead(self, passage: Passage) -> int:
        """Where its leading edge is."""
        return self.belt - passage.offset if passage.stands_at is None else passage.stands_at

    def enter(
        self, card: PhysicalCard, feed: int, behind: int, shift_mm: float, tilt_deg: float
    ) -> Passage:
        """The belt grips a card, or another that lies on it *behind* steps back."""
        offset = self.belt - GRIP + behind
        passage = Passage(card, feed, offset, self._plan.straight, shift_mm, tilt_deg)
        self.cards.append(passage)
        self._plan_next(passage)
        if self._something_stands():
            self._queue_up()
        return passage

    def stick_over_window(self, passage: Passage) -> None:
        """The card will stop over the window; a fault."""
        passage.limit = WINDOW + STICKS_BEHIND_WINDOW
        self._plan_next(passage)

    def slip(self, passage: Passage, steps: int) -> None:
        """The card comes so much later; a fault."""
        passage.offset += steps
        self._plan_next(passage)

    def next_step(self) -> int | None:
        """The belt step at which the next thing happens."""
        heap = self._heap
        while heap and heap[0][2].ticket != heap[0][1]:
            heapq.heappop(heap)
        return heap[0][0] if heap else None

    def advance(self, belt: int, now_us: int) -> None:
        """The belt has come to step *belt*."""
        self.belt = belt
        self.now_us = now_us
        heap = self._heap
        while heap and heap[0][0] <= belt:
            _, ticket, passage = heapq.heappop(heap)
            if passage.ticket == ticket:
                self._arrive(passage)

    def drive_gate(self, gate: int, on: bool, now_us: int) -> None:
        """The coil of a gate is switched; a card over a flap that begins to move is jammed."""
        self.now_us = now_us
        if self.gates[gate].drive(on, now_us):
            for passage in [card for card in self.cards if gate in card.over]:
                self._jam(passage, self.lead(passage))

    def take(self) -> list[PhysicalCard]:
        """A person takes everything off the belt and out of the chutes."""
        taken = sorted(self.cards, key=self.lead, reverse=True)
        for passage in taken:
            self._remove(passage)
        return [passage.card for passage in taken]

    def over_window(self) -> Iterable[Passage]:
        """Cards that cover the window sensor, first come first."""
        return (passage for passage in self.cards if In.WINDOW in passage.covers)

    def _arrive(self, passage: Passage) -> None:
        waypoint = passage.way[passage.next]
        if passage.limit is not None and passage.limit < waypoint.at:
            self._jam(passage, passage.limit)
            return
        passage.next += 1
        what = waypoint.what
        if what is What.MEET_GATE:
            self._meet_gate(passage, waypoint.gate)
        elif what is What.CLEAR_GATE:
            passage.over.remove(waypoint.gate)
        elif what is What.PASS_ON:
            self._cover(passage, self._plan.pass_pins[waypoint.gate])
            self._reports.passing(waypoint.gate)
        elif what is What.LAND:
            self._remove(passage)
            self._reports.landed(passage, waypoint.gate)
            return
        elif what is What.WINDOW_ON:
            self._cover(passage, In.WINDOW)
        elif what is What.WINDOW_OFF:
            self._uncover(passage, In.WINDOW)
        else:
            self._reports.left_feeder()
        if passage.stands_at is None:
            self._plan_next(passage)

    def _meet_gate(self, passage: Passage, gate: int) -> None:
        passage.over.append(gate)
        flap = self.gates[gate].flap(self.now_us)
        if flap is Flap.MOVING:
            self._jam(passage, self._plan.gates[gate])
        elif flap is Flap.OPEN:
            passage.chute = gate
            passage.way = self._plan.diverted[gate]
            passage.next = 0
            passage.limit = None
            if passage.sticks or self.stick_next:
                passage.sticks, self.stick_next = True, False
                passage.limit = passage.way[1].at - STICKS_BEFORE_POCKET
            if self._something_stands():
                self._queue_up()

    def _plan_next(self, passage: Passage) -> None:
        at = passage.way[passage.next].at
        if passage.limit is not None and passage.limit < at:
            at = passage.limit
        self._tickets += 1
        passage.ticket = self._tickets
        heapq.heappush(self._heap, (passage.offset + at, self._tickets, passage))

    def _jam(self, passage: Passage, at: int) -> None:
        if passage.stands_at is not None:
            return
        passage.stands_at = at
        passage.ticket = 0
        self._reports.jammed(passage)
        self._queue_up()

    def _something_stands(self) -> bool:
        return any(passage.stands_at is not None for passage in self.cards)

    def _queue_up(self) -> None:
        """Cards behind one that stands run up to its trailing edge and stand there, too."""
        standing = [card for card in self.cards if card.stands_at is not None]
        for passage in self.cards:
            if passage.stands_at is not None:
                continue
            lead = self.lead(passage)
            limits = [
                at
                for card in standing
                if (at := _limit(card, passage, lead, self._plan.gates)) is not None
            ]
            if not limits:
                continue
            limit = min(limits)
            if limit <= lead:
                self._jam(passage, lead)
                return  # that has queued up all the others
            if passage.limit is None or limit < passage.limit:
                passage.limit = limit
                self._plan_next(passage)

    def _cover(self, passage: Passage, pin: int) -> None:
        passage.covers.append(pin)
        self._inputs.cover(pin)
        if pin == In.WINDOW:
            self._weigh()

    def _uncover(self, passage: Passage, pin: int) -> None:
        passage.covers.remove(pin)
        self._inputs.uncover(pin)
        if pin == In.WINDOW:
            self._weigh()

    def _weigh(self) -> None:
        over = [passage.card for passage in self.over_window()]
        # The back sensor looks down: of two cards it sees the one that lies on top, the later one.
        back = over[-1].seen_from_above if over else 0
        self._inputs.analog(sum(card.thickness_um for card in over), back)

    def _remove(self, passage: Passage) -> None:
        for pin in list(passage.covers):
            self._uncover(passage, pin)
        passage.ticket = 0
        self.cards.remove(passage)


def _limit(standing: Passage, follower: Passage, lead: int, gates: tuple[int, ...]) -> int | None:
    """How far *follower* can go for the sake of *standing*; None if that is not in its way."""
    if standing.stands_at is None or lead > standing.stands_at:
        return None
    rear = standing.stands_at - CARD
    same_chute = standing.chute is not None and follower.chute == standing.chute
    on_belt = standing.chute is None or rear < gates[standing.chute]
    return rear if same_chute or (on_belt and follower.chute is None) else None
