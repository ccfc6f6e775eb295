"""The engine of one attempt at one board: happenings in, orders out, an outcome at the end.

An enum that starts at UNKNOWN, one function per state. Any exception out of `handle` leaves the
engine UNKNOWN, never in its old state, and the job stops the machine.
"""

from __future__ import annotations

from typing import Final

from controller.devices.happenings import (
    CardSeen,
    Happening,
    ImageArrived,
    Input,
    InputMoved,
    LinkWasLost,
    McuWasRestarted,
    ReadingArrived,
    RunEnded,
)
from controller.engine import doubts, stops
from controller.engine.cardpass import CardPass
from controller.engine.cards import CardDecisions
from controller.engine.ledger import FedCard, SetAside
from controller.engine.orders import Credit, Order, RestartCamera, VoidReading
from controller.engine.outcome import Proven, outcome_of
from controller.engine.phases import Phase
from controller.engine.stops import Fault, Places, Step, Stop, Then
from controller.engine.tie import Doubt, Match, Mismatch
from deals.cards import Card
from deals.deal import Deal
from vision.reading import CardReading, Kind

EMPTYING_US: Final = 400_000
"""After the last card was seen: time for a card under way in the feeder, for late images, for
landing.
"""
RESYNCS_BEFORE_RESTART: Final = 1
RESYNCS_AT_MOST: Final = 3
BLIND_AFTER: Final = 4
"""So many cards in a row that cannot be read are the camera's fault, not the cards'."""


class BoardEngine(CardPass[Proven]):
    """Deals one board, pass by pass, until it is proven or stopped.

    `again` says that the attempt before this one stopped for the cards themselves, so that this
    time the pack is doubted and not the reading. `departure_us`: so long after look 1 a card is sent
    off at the latest, on trust if look 2 has not come; None: it waits, and the belt holds.
    """

    def __init__(
        self,
        deal: Deal,
        pitch_us: int,
        look_gap_us: int,
        departure_us: int | None = None,
        *,
        again: bool = False,
    ) -> None:
        super().__init__(pitch_us, look_gap_us, len(deal.owners), departure_us)
        self.deal = deal
        self._again = again
        self._decisions = CardDecisions(deal, self.ledger)
        self._empty_at_us = 0
        self._failed_resyncs = 0

    # -- passes ----------------------------------------------------------------------------

    def begin_pass(self, expected: int, named: tuple[Card, ...] = ()) -> list[Order]:
        """A run was started: gives the first credit. `named`: what a person named, in order."""
        self._begin(expected)
        self._decisions.begin_pass(named)
        return self._more_credit()

    def handle(self, happening: Happening) -> list[Order]:
        """Takes one happening; gives the orders that follow from it."""
        phase, self.phase = self.phase, Phase.UNKNOWN  # what an exception leaves behind
        self._now_us = happening.at_us
        match phase:
            case Phase.UNKNOWN:
                orders = []
            case Phase.DEALING | Phase.PROBING:
                orders = self._dealing(phase, happening)
            case Phase.EMPTYING:
                orders = self._emptying(happening)
            case Phase.ENDING:
                orders = self._ending(happening)
            case Phase.ENDED:
                self.phase = phase
                orders = self._between_passes(happening)
        return orders

    @property
    def next_due_us(self) -> int | None:
        """When TimePassed has something to do, or None."""
        if self.phase is Phase.EMPTYING:
            return self._empty_at_us
        if self.phase not in (Phase.DEALING, Phase.PROBING):
            return None
        departs_us = self._sight.departs_at_us if self.phase is Phase.DEALING else None
        dues = (self._next_look_us, departs_us)
        return min((due for due in dues if due is not None), default=None)

    @property
    def places(self) -> Places:
        """What lies where, as far as sensors have told."""
        left = max(0, self._plan.sure - self.ledger.last_feed)
        return self.ledger.places(left or None)

    @property
    def missing(self) -> tuple[Card, ...]:
        """Cards of the deal that are in no pocket yet."""
        return self._decisions.missing

    # -- one function per state ------------------------------------------------------------

    def _dealing(self, phase: Phase, happening: Happening) -> list[Order]:
        self.phase = phase
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
                orders += self._lose_tie(happening.at_us, mismatch)
        if self.phase is Phase.DEALING:  # a probe is never on trust: it shall show that all fits
            for entry in self._sight.take_departing(happening.at_us):
                orders += self._settle(entry)
        return orders + self._end_of_pack(happening.at_us) + self._more_credit()

    def _emptying(self, happening: Happening) -> list[Order]:
        self.phase = Phase.EMPTYING
        orders = self._common(happening)
        if self.phase is not Phase.EMPTYING:
            return orders
        match happening:
            case CardSeen():
                self._empty_at_us = happening.at_us + EMPTYING_US
                orders += self._unread(self.ledger.card(happening.feed))
            case ImageArrived():
                self._sight.see(happening)  # so that its picture is known when it comes again
            case ReadingArrived():
                orders += self._read(happening)  # of a card from before the mismatch
        if happening.at_us >= self._empty_at_us:
            if not self.ledger.all_landed:
                self._empty_at_us = happening.at_us + EMPTYING_US
            else:
                orders += self._probe()
        return orders

    def _ending(self, happening: Happening) -> list[Order]:
        self.phase = Phase.ENDING
        orders = self._common(happening)
        if self.phase is Phase.ENDED:
            return orders
        match happening:
            case CardSeen() if self._stop is not None or self._plan.end_seen:
                orders += self._aside(self.ledger.card(happening.feed), SetAside.SURPLUS)
            case ReadingArrived():
                orders += self._read(happening)
            case RunEnded():
                self._conclude()
        return orders + self._finish_when_empty()

    def _between_passes(self, happening: Happening) -> list[Order]:
        """While a person feeds set-aside cards again the board must stay watched and in its place."""
        if not (isinstance(self.outcome, Stop) and self.outcome.then is Then.REFEED):
            return []
        match happening:
            case InputMoved(input=Input.BOARD | Input.LID, on=False):
                self._end(Stop(Fault.BOARD_ABSENT, steps=(Step.PUT_BOARD_BACK, Step.COLLECT_ALL)))
            case LinkWasLost():
                self._end(stops.link_lost(None))
            case McuWasRestarted():
                self._end(stops.mcu_restarted(None))
        return []

    # -- images and readings ---------------------------------------------------------------

    def _settle(self, entry: FedCard) -> list[Order]:
        """The last reading of a card is to be trusted: its way is decided."""
        if entry.decided:
            return []
        reading = entry.readings[max(entry.readings)]
        if self.phase is Phase.PROBING:
            self.phase = Phase.DEALING
            if reading.kind in (Kind.CARD, Kind.STOP_CARD):
                self._failed_resyncs = 0
        return self._decide(entry, reading)

    def _decide(self, entry: FedCard, reading: CardReading) -> list[Order]:
        if self._plan.end_seen or self._stop is not None:
            return self._aside(entry, SetAside.SURPLUS)
        order, doubt = self._decisions.decide(entry, reading)
        if entry.is_stop_card:
            self._plan.end_seen = True
        if doubt is SetAside.DUPLICATE:
            left = self._plan.sure - entry.feed + 1
            stop = doubts.at_once(self.ledger, entry.feed, left, again=self._again)
            return [order] if stop is None else [order, *self._end_with(stop)]
        if doubt is SetAside.SURPLUS:
            return [order, *self._end_with(stops.surplus(entry.feed))]
        if self._decisions.in_known_order:
            return [order, *self._end_with(stops.known_order(entry.feed))]
        if self._decisions.unreadable_in_a_row >= BLIND_AFTER:
            return [order, *self._blind(entry)]
        return [order]

    def _blind(self, entry: FedCard) -> list[Order]:
        """Card after card is unread: first the camera is doubted, then what it looks at."""
        self._decisions.unreadable_in_a_row = 0
        if self._failed_resyncs > RESYNCS_BEFORE_RESTART and self._sight.on_trust is None:
            some_read = bool(self.ledger.placed)
            return self._end_with(stops.unreadable_pack(entry.feed, some_read=some_read))
        self._failed_resyncs = max(self._failed_resyncs, RESYNCS_BEFORE_RESTART)
        return self._lose_tie(self._now_us, Mismatch(Doubt.BLIND, None))

    # -- losing and finding the tie --------------------------------------------------------

    def _lose_tie(self, now_us: int, mismatch: Mismatch) -> list[Order]:
        self.phase = Phase.EMPTYING
        self._failed_resyncs += 1
        self._empty_at_us = now_us + EMPTYING_US
        first = mismatch.feed or self.ledger.last_feed
        orders: list[Order] = [Credit(self.ledger.last_feed)]
        self._credit = self.ledger.last_feed
        for feed in sorted(self.ledger.fed):
            entry = self.ledger.fed[feed]
            if feed >= first or not entry.readings:
                orders += self._unread(entry)
        if mismatch.revoked is not None:
            orders += self._revoke(mismatch.revoked)
        elif self._sight.on_trust is not None:  # the tie fits still: what is seen in it does not
            orders += self._void(self._sight.on_trust)
        if self.phase is Phase.ENDING:
            return orders
        if self._failed_resyncs > RESYNCS_AT_MOST:
            orders += self._end_with(stops.camera(mismatch.feed))
        elif self._failed_resyncs > RESYNCS_BEFORE_RESTART:
            orders.append(RestartCamera())
        return orders

    def _revoke(self, match: Match) -> list[Order]:
        """The last match was never confirmed: what was decided on its image is void."""
        entry = self.ledger.card(match.feed)
        if self._sight.drop(match):
            return self._unread(entry)
        return self._void(entry) if max(entry.readings, default=0) == match.look else []

    def _void(self, entry: FedCard) -> list[Order]:
        """The card was sent off on the strength of what may be another card's image."""
        if entry.card is not None:
            return [VoidReading(entry.feed), *self._end_with(stops.camera(entry.feed))]
        if entry.is_stop_card:
            # Whatever it is, it lies in the tray, and the end of the pack was not seen after all.
            entry.is_stop_card = self._plan.end_seen = False
            self.ledger.set_aside(entry, SetAside.NO_IMAGE)
        return []

    def _unread(self, entry: FedCard) -> list[Order]:
        """The card has no image that can be trusted; one that was decided before the doubt stays."""
        if entry.decided or self._sight.is_waited_for(entry):
            return []
        return self._aside(entry, SetAside.NO_IMAGE)

    def _probe(self) -> list[Order]:
        ended = self._plan.end_seen or self._end_came_unread(self.ledger.decided_up_to)
        if ended or self._plan.empty_since_us is not None:
            return self._begin_ending()
        self._sight.begin()
        self.phase = Phase.PROBING
        self._credit = self.ledger.last_feed + 1
        return [Credit(self._credit)]

    # -- credit and the end ----------------------------------------------------------------

    def _more_credit(self) -> list[Order]:
        if self.phase is not Phase.DEALING or self._plan.end_seen:
            return []
        decided = self.ledger.decided_up_to
        if self._end_came_unread(decided) or (
            decided >= self._plan.sure and not self.ledger.is_measured(decided)
        ):
            return []  # behind the last sure card nothing is fed that may be of the next pack
        credit = self._plan.credit(decided, self._credit)
        if credit is None:
            return []
        self._credit = credit
        return [Credit(credit)]

    def _end_of_pack(self, now_us: int) -> list[Order]:
        if self.phase is not Phase.DEALING or self._sight.on_trust is not None:
            return []
        decided = self.ledger.decided_up_to
        if self._plan.end_seen:
            return self._begin_ending()
        if decided < self.ledger.last_feed:
            return []
        at_end = self._plan.is_empty(decided, self._credit, now_us)
        return self._begin_ending() if at_end or self._end_came_unread(decided) else []

    def _end_came_unread(self, decided: int) -> bool:
        """The stop card must be in the tray: alone, known by its back, or under another card."""
        return self.ledger.end_suspected or self._plan.is_all_out(decided)

    def _end_with(self, stop: Stop) -> list[Order]:
        """Stops feeding for `stop`, lets the belt run empty, then ends."""
        self._stop = stop
        return self._begin_ending()

    def _begin_ending(self) -> list[Order]:
        self.phase = Phase.ENDING
        orders = self._take_back_credit()
        if self._stop is not None:
            for entry in self.ledger.fed.values():
                if not entry.decided:
                    orders += self._aside(entry, SetAside.SURPLUS)
        return orders + self._finish_when_empty()

    def _conclude(self) -> None:
        plan = self._plan
        more_behind = plan.end_seen and plan.empty_since_us is None
        self._end(
            self._stop
            or outcome_of(
                self.deal, self.ledger, self.missing, again=self._again, more_behind=more_behind
            )
        )

    def _aside(self, entry: FedCard, why: SetAside) -> list[Order]:
        self.ledger.set_aside(entry, why)
        return [self._decisions.to_tray(entry)]
