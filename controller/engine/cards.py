"""Decisions on single cards: which pocket a reading means, which card is in doubt, how many may
still come.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from controller.engine.ledger import FedCard, Ledger, SetAside, Twins
from controller.engine.orders import RouteCard
from controller.protocol.messages import Pocket
from deals.cards import CARDS, Card
from deals.deal import Deal
from vision.reading import CardReading, Kind

PACK: Final = 52
SEQUENCE: Final = 10
"""So many cards in sequence at the front of a pack are no accident."""
CREDIT_AHEAD: Final = 6
"""Feeds allowed beyond the last decided card: what the belt can hold before its hold line, and one
more.
"""
LEAVING_US: Final = 300_000
"""Longest way of a card from the hopper's switch to the window."""


class CardDecisions:
    """Looks cards up in the deal. Elimination never names a card: only a reading or a person does."""

    def __init__(self, deal: Deal, ledger: Ledger) -> None:
        self._deal = deal
        self._ledger = ledger
        self._named: deque[Card] = deque()
        self._first: list[int] = []
        self.unreadable_in_a_row = 0

    def begin_pass(self, named: tuple[Card, ...]) -> None:
        """`named`: what a person says the cards of this pass are, in the order in which they lie in
        the hopper.
        """
        self._named = deque(named)
        self._first = []
        self.unreadable_in_a_row = 0

    @property
    def in_known_order(self) -> bool:
        """Whether the first cards of this pass run in sequence, up or down (design.md section 8)."""
        pairs = zip(self._first, self._first[1:], strict=False)
        steps = {(after - before) % PACK for before, after in pairs}
        return len(self._first) == SEQUENCE and steps in ({1}, {PACK - 1})

    @property
    def missing(self) -> tuple[Card, ...]:
        """Cards of the deal that are neither in their pocket nor on the way there."""
        return tuple(card for card in CARDS if card not in self._ledger.placed)

    def decide(self, entry: FedCard, reading: CardReading) -> tuple[RouteCard, SetAside | None]:
        """The order for a read card, and why it is set aside if it is."""
        if reading.kind is Kind.STOP_CARD:
            entry.is_stop_card = True
            return self.to_tray(entry), None
        card, entry.by_name = self._card(reading)
        if card is None:
            self.unreadable_in_a_row += 1
            return self._aside(entry, SetAside.UNREADABLE)
        self.unreadable_in_a_row = 0
        if len(self._first) < SEQUENCE:
            self._first.append(card.index)
        entry.card = card
        if not self.missing:
            return self._aside(entry, SetAside.SURPLUS)
        if card in self._ledger.placed:
            self._ledger.twins.append(Twins(card, self._ledger.placed[card], entry))
            return self._aside(entry, SetAside.DUPLICATE)
        if entry.flags:
            return self._aside(entry, SetAside.SUSPECT)
        entry.pocket = Pocket(self._deal.seat_of(card))
        self._ledger.placed[card] = entry
        return RouteCard(entry.feed, entry.pocket, card), None

    def to_tray(self, entry: FedCard) -> RouteCard:
        """The order that sends a card to the tray."""
        entry.pocket = Pocket.TRAY
        return RouteCard(entry.feed, Pocket.TRAY, None)

    def _card(self, reading: CardReading) -> tuple[Card | None, bool]:
        """The card, and whether it is a person's word alone."""
        named = self._named.popleft() if self._named else None
        if reading.kind is Kind.CARD:
            # A person's word does not overrule a sure reading: where they differ the card stays
            # unread.
            return (reading.card if named in (None, reading.card) else None), False
        return named, named is not None

    def _aside(self, entry: FedCard, why: SetAside) -> tuple[RouteCard, SetAside]:
        self._ledger.set_aside(entry, why)
        return self.to_tray(entry), why


@dataclass(slots=True)
class PassPlan:
    """How many cards this pass may feed.

    `expected` cards and the end of the pack behind them. A double feed takes two cards with one
    number, so that the end may come one feed earlier for each; from there on cards are fed one by
    one, each only when the one before is decided, so that no card of the next pack is drawn in.
    """

    expected: int
    doubles: int = 0
    end_seen: bool = False
    """The stop card was read."""
    empty_since_us: int | None = None
    """When the hopper's switch told that the last card had left it."""

    @property
    def surely_empty_at_us(self) -> int | None:
        """From then on no card can still be on its way from the hopper to the window."""
        return None if self.empty_since_us is None else self.empty_since_us + LEAVING_US

    def is_empty(self, decided: int, credit: int, now_us: int) -> bool:
        """Whether the empty hopper is the end of the pack: nothing can be on its way from there.

        Cards up to `decided` are decided; up to `credit` may have been fed.
        """
        if self.surely_empty_at_us is None:
            return False
        return decided >= max(self.sure, credit) or now_us >= self.surely_empty_at_us

    @property
    def sure(self) -> int:
        """Feeds that certainly belong to this pack."""
        return max(0, self.expected - self.doubles)

    def is_all_out(self, decided: int) -> bool:
        """Whether double feeds have drawn in so many that the end of the pack must be among them."""
        return self.doubles > 0 and decided + self.doubles > self.expected

    def credit(self, decided: int, given: int) -> int | None:
        """Up to which feed number credit may be given now, or None for no more than is given.

        An order for every card would be as many commands again as routes: half a window is waited
        for.
        """
        if decided >= self.sure:
            return decided + 1 if decided + 1 > given else None
        credit = min(self.sure, decided + CREDIT_AHEAD)
        worth_it = credit - given >= CREDIT_AHEAD // 2 or credit == self.sure
        return credit if credit > given and worth_it else None
