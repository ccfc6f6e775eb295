"""A pass that reads what is fed instead of dealing it: where a card goes does not depend on a deal.

Unlike a board, nothing here has to be finished in one run: where images and strobes no longer fit,
the pass ends, and what was not read is fed again. Reading a pocket's hand back into that pocket
keeps a board whole, whatever was read.
"""

from __future__ import annotations

from typing import Final, Protocol

from controller.devices.happenings import (
    CardSeen,
    Happening,
    ReadingArrived,
    RunEnded,
)
from controller.engine import stops
from controller.engine.board import BLIND_AFTER
from controller.engine.cardpass import CardPass
from controller.engine.ledger import FedCard, SetAside
from controller.engine.orders import Credit, Order, RestartCamera, RouteCard
from controller.engine.phases import Phase
from controller.engine.stops import Fault, Step, Stop, Then
from controller.engine.tie import Match
from controller.protocol.messages import Pocket
from deals.cards import Card
from vision.reading import Kind

TIES_LOST_BEFORE_RESTART: Final = 2
TIES_LOST_AT_MOST: Final = 4


class Router(Protocol):
    """Where each card goes. It is asked once for each, in the order of feed."""

    def pocket(self, entry: FedCard) -> Pocket | None:
        """The way of a card; `entry.card` is None where it could not be read. None: to the tray, to
        be fed again.
        """
        ...

    def taken_back(self, entry: FedCard) -> None:
        """The card did not reach the pocket that `pocket` gave."""
        ...


class AllRead:
    """Every card that was fed was seen, and is where it was sent."""


class ReadingPass(CardPass[AllRead]):
    """Reads lots of cards, pass by pass. `entries` are the cards of the last pass in feed order."""

    def __init__(self, pitch_us: int, look_gap_us: int) -> None:
        super().__init__(pitch_us, look_gap_us, 0)
        self.router: Router = _ToTray()
        self.stop_card_seen = False
        self._ties_lost = 0
        self._unreadable_in_a_row = 0

    def begin_pass(self, expected: int, named: tuple[Card, ...] = ()) -> list[Order]:
        """A run was started: gives the first credit for about `expected` cards. Nobody names a card
        here: a name would be no reading.
        """
        if named:
            raise ValueError("a reading pass takes no names")
        self._begin(expected)
        self._unreadable_in_a_row = 0
        self.stop_card_seen = False
        return self._more_credit()

    def handle(self, happening: Happening) -> list[Order]:
        """Takes one happening; gives the orders that follow from it."""
        phase, self.phase = self.phase, Phase.UNKNOWN  # what an exception leaves behind
        self._now_us = happening.at_us
        match phase:
            case Phase.DEALING:
                return self._reading(happening)
            case Phase.ENDING:
                return self._ending(happening)
            case Phase.ENDED:
                self.phase = phase
        return []

    @property
    def next_due_us(self) -> int | None:
        """When TimePassed has something to do, or None."""
        return self._next_look_us if self.phase is Phase.DEALING else None

    @property
    def entries(self) -> tuple[FedCard, ...]:
        """The cards of this pass in the order of feed, stop cards excepted."""
        fed = self.ledger.fed
        return tuple(fed[feed] for feed in sorted(fed) if not fed[feed].is_stop_card)

    @property
    def kept(self) -> tuple[FedCard, ...]:
        """Those of them that are where they were sent; the others lie in the tray."""
        return tuple(entry for entry in self.entries if entry.set_aside is None)

    # -- one function per state ------------------------------------------------------------

    def _reading(self, happening: Happening) -> list[Order]:
        self.phase = Phase.DEALING
        orders = self._common(happening)
        if self.phase is Phase.ENDED:
            return orders
        if isinstance(happening, ReadingArrived):
            orders += self._read(happening)
        else:
            found, mismatch = self._sight.see(happening)
            orders += found
            for entry in self._sight.take_confirmed():
                orders += self._settle(entry)
            if mismatch is not None:
                orders += self._lose_tie(mismatch.revoked)
        return orders + self._end_of_lot() + self._more_credit()

    def _ending(self, happening: Happening) -> list[Order]:
        self.phase = Phase.ENDING
        orders = self._common(happening)
        if self.phase is Phase.ENDED:
            return orders
        match happening:
            case CardSeen():
                why = SetAside.SURPLUS if self._plan.end_seen else SetAside.NO_IMAGE
                orders += self._unread(self.ledger.card(happening.feed), why)
            case ReadingArrived():
                orders += self._read(happening)
            case RunEnded():
                self._conclude()
                return orders
        return orders + self._finish_when_empty()

    # -- readings --------------------------------------------------------------------------

    def _settle(self, entry: FedCard) -> list[Order]:
        """The last reading of a card is to be trusted."""
        if entry.decided:
            return []
        reading = entry.readings[max(entry.readings)]
        if reading.kind is Kind.STOP_CARD:
            entry.is_stop_card = self._plan.end_seen = self.stop_card_seen = True
            return [self._send(entry, Pocket.TRAY)]
        if self._stop is not None or self._plan.end_seen:
            return [self._set_aside(entry, SetAside.SURPLUS)]
        entry.card = reading.card if reading.kind is Kind.CARD else None
        self._unreadable_in_a_row = 0 if entry.card else self._unreadable_in_a_row + 1
        if self._unreadable_in_a_row >= BLIND_AFTER:
            return [self._set_aside(entry, SetAside.UNREADABLE), *self._blind(entry)]
        pocket = None if entry.flags else self.router.pocket(entry)
        if pocket is None:
            return [self._set_aside(entry, SetAside.UNREADABLE)]
        return [self._send(entry, pocket)]

    def _blind(self, entry: FedCard) -> list[Order]:
        """Card after card is unread: first the camera is doubted, then what it looks at."""
        self._unreadable_in_a_row = 0
        if self._ties_lost >= TIES_LOST_BEFORE_RESTART:
            self._stop = stops.unreadable_pack(entry.feed, some_read=True)
        # The camera starts anew now, not at the next doubt.
        self._ties_lost = TIES_LOST_BEFORE_RESTART - 1
        return self._lose_tie(None)

    def _lose_tie(self, revoked: Match | None) -> list[Order]:
        """Nothing that is seen from here on can be trusted: the pass ends with what is on the belt."""
        self._ties_lost += 1
        orders: list[Order] = []
        if revoked is not None and not self._sight.drop(revoked):
            entry = self.ledger.card(revoked.feed)
            if entry.decided and max(entry.readings, default=0) == revoked.look:
                # What was read in an image that nothing confirmed may be another card's.
                self._stop = stops.camera(revoked.feed)
        if self._ties_lost >= TIES_LOST_BEFORE_RESTART:
            orders.append(RestartCamera())  # blind for a while: until the next pass it sees again
        if self._ties_lost > TIES_LOST_AT_MOST:
            self._ties_lost = 0
            self._stop = stops.camera(self.ledger.last_feed or None)
        for feed in sorted(self.ledger.fed):
            orders += self._unread(self.ledger.fed[feed], SetAside.NO_IMAGE)
        return orders + self._begin_ending()

    def _unread(self, entry: FedCard, why: SetAside) -> list[Order]:
        if entry.decided or self._sight.is_waited_for(entry):
            return []
        return [self._set_aside(entry, why)]

    def _send(self, entry: FedCard, pocket: Pocket) -> RouteCard:
        entry.pocket = pocket
        return RouteCard(entry.feed, pocket, entry.card)

    def _set_aside(self, entry: FedCard, why: SetAside) -> RouteCard:
        self._withdraw(entry, why)
        entry.pocket = Pocket.TRAY
        return RouteCard(entry.feed, Pocket.TRAY, None)

    def _withdraw(self, entry: FedCard, why: SetAside) -> None:
        if entry.set_aside is None and entry.pocket is not None:
            self.router.taken_back(entry)
        super()._withdraw(entry, why)

    # -- credit and the end ----------------------------------------------------------------

    def _more_credit(self) -> list[Order]:
        if self.phase is not Phase.DEALING or self._plan.end_seen:
            return []
        credit = self._plan.credit(self.ledger.decided_up_to, self._credit)
        if credit is None:
            return []
        self._credit = credit
        return [Credit(credit)]

    def _end_of_lot(self) -> list[Order]:
        if self.phase is not Phase.DEALING:
            return []
        decided = self.ledger.decided_up_to
        empty = self._plan.is_empty(decided, self._credit, self._now_us)
        if self._plan.end_seen or (decided == self.ledger.last_feed and empty):
            return self._begin_ending()
        return []

    def _begin_ending(self) -> list[Order]:
        self.phase = Phase.ENDING
        orders = self._take_back_credit()
        if self._plan.end_seen:
            for entry in self.ledger.fed.values():
                orders += self._unread(entry, SetAside.SURPLUS)
        return orders + self._finish_when_empty()

    def _conclude(self) -> None:
        aside = [entry for entry in self.entries if entry.set_aside is not None]
        if self._stop is not None:
            self._end(self._stop)
        elif any(entry.set_aside is SetAside.SURPLUS for entry in aside):
            self._end(stops.surplus(aside[0].feed))
        elif aside:
            steps = (Step.REFEED_SET_ASIDE,)
            first = aside[0]
            self._end(Stop(_fault_of(first), first.feed, None, steps, Then.REFEED, len(aside)))
        else:
            self._ties_lost = 0
            self._end(AllRead())


class _ToTray:
    """No decision is made: a card without one can only go to the tray."""

    def pocket(self, entry: FedCard) -> Pocket | None:
        return None

    def taken_back(self, entry: FedCard) -> None:
        return None


def _fault_of(entry: FedCard) -> Fault:
    why = entry.set_aside
    return Fault.LATE_ROUTE if why in (None, SetAside.LATE) else Fault(why.value)
