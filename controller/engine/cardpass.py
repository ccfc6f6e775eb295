"""What every pass of cards understands, whoever decides where they go: edges, landings, stops, the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from controller.devices.happenings import (
    BeltHeld,
    CardLanded,
    CardMeasured,
    CardSeen,
    Happening,
    Input,
    InputMoved,
    LinkWasLost,
    MachineStopped,
    McuWasRestarted,
    ReadingArrived,
    RouteRefused,
)
from controller.engine import stops
from controller.engine.cards import PassPlan
from controller.engine.ledger import FedCard, Ledger, SetAside
from controller.engine.orders import Credit, FinishRun, Halt, Order
from controller.engine.phases import Phase
from controller.engine.sight import Sight
from controller.engine.stops import Fault, Step, Stop
from controller.protocol.messages import CardFlag, Pocket

Good = TypeVar("Good")
"""The outcome of a pass that needs nobody."""


class CardPass(ABC, Generic[Good]):
    """Follows each card from the window to its landing; subclasses decide, and say how a pass ends."""

    def __init__(
        self, pitch_us: int, look_gap_us: int, expected: int, departure_us: int | None = None
    ) -> None:
        self.phase = Phase.UNKNOWN
        self.outcome: Good | Stop | None = None
        self.held = 0
        """How often the belt waited for a route."""
        self.ledger = Ledger()
        self._sight = Sight(self.ledger, pitch_us, look_gap_us, departure_us)
        self._plan = PassPlan(expected)
        self._credit = 0
        self._stop: Stop | None = None
        self._now_us = 0
        self._finishing = False

    def refused(self) -> None:
        """The machine would not start this pass."""
        self._end(stops.not_ready(begun=self.ledger.passes > 0))

    def stalled(self) -> None:
        """Nothing at all has happened for far too long: the pass ends."""
        self._end(Stop(Fault.INTERNAL, steps=(Step.COLLECT_ALL,)))

    @property
    def second_looks(self) -> int:
        """How often look 1 did not settle a card."""
        return self._sight.second_looks

    @abstractmethod
    def _settle(self, entry: FedCard) -> list[Order]:
        """The last reading of a card is to be trusted: its way is decided."""

    def _withdraw(self, entry: FedCard, why: SetAside) -> None:
        """The card does not go to a pocket, or not after all."""
        self.ledger.set_aside(entry, why)

    def _begin(self, expected: int) -> None:
        self.phase = Phase.DEALING
        self.outcome = None
        self._stop = None
        self.ledger.begin_pass()
        self._plan = PassPlan(expected)
        self._sight.begin()
        self._sight.forget()
        self._credit = 0
        self._finishing = False

    @property
    def _next_look_us(self) -> int | None:
        """When an image is late, or the hopper surely empty."""
        dues = [self._sight.next_due_us, self._plan.surely_empty_at_us]
        # What was due has been looked at: only what is still to come is worth waking up for.
        return min((due for due in dues if due is not None and due > self._now_us), default=None)

    # -- what every state understands ------------------------------------------------------

    def _common(self, happening: Happening) -> list[Order]:
        match happening:
            case CardSeen():
                self.ledger.card(happening.feed)
            case CardMeasured():
                self._measured(happening)
            case CardLanded():
                return self._landed(happening)
            case BeltHeld():
                self.held += happening.on
            case InputMoved(input=Input.HOPPER):
                self._plan.empty_since_us = None if happening.on else happening.at_us
            case RouteRefused():
                self._withdraw(self.ledger.card(happening.feed), SetAside.LATE)
            case MachineStopped():
                self._end(stops.stop_of_reason(happening.reason, happening.feed, happening.pocket))
            case LinkWasLost():
                self._end(stops.link_lost(self.ledger.last_feed or None))
            case McuWasRestarted():
                self._end(stops.mcu_restarted(self.ledger.last_feed or None))
        return []

    def _measured(self, happening: CardMeasured) -> None:
        entry = self.ledger.card(happening.feed)
        self.ledger.measured(entry, happening.back)
        if happening.flags:
            entry.flags = happening.flags
            self._withdraw(entry, SetAside.SUSPECT)
            if happening.flags & (CardFlag.TOO_LONG | CardFlag.TOO_THICK):
                self._plan.doubles += 1

    def _landed(self, happening: CardLanded) -> list[Order]:
        entry = self.ledger.card(happening.feed)
        entry.landed = happening.pocket
        if happening.pocket is Pocket.TRAY:
            if entry.pocket is not Pocket.TRAY and entry.set_aside is None:
                self._withdraw(entry, SetAside.LATE)
            return []
        if happening.pocket is not entry.pocket or entry.set_aside is not None:
            self._end(stops.wrong_pocket(happening.feed, happening.pocket))
            return [Halt()]
        return []

    def _read(self, happening: ReadingArrived) -> list[Order]:
        entry, orders = self._sight.take(happening)
        return orders if entry is None else self._settle(entry)

    # -- the end ---------------------------------------------------------------------------

    def _take_back_credit(self) -> list[Order]:
        """Nothing more is fed than has been seen."""
        if self._credit <= self.ledger.last_feed:
            return []
        self._credit = self.ledger.last_feed
        return [Credit(self._credit)]

    def _finish_when_empty(self) -> list[Order]:
        if self.phase is Phase.ENDING and not self._finishing and self.ledger.all_landed:
            self._finishing = True
            return [FinishRun()]
        return []

    def _end(self, outcome: Good | Stop) -> None:
        self.phase = Phase.ENDED
        self.outcome = outcome
