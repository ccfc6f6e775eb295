"""A plant without physics: cards go where the engine sends them, one after the other.

It knows what each card is; the engine is told only what a scripted reader says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from controller.devices.happenings import (
    CardLanded,
    CardMeasured,
    CardSeen,
    Happening,
    ImageArrived,
    Input,
    InputMoved,
    ReadingArrived,
    RunEnded,
    Strobed,
    TimePassed,
)
from controller.engine.board import BoardEngine
from controller.engine.orders import Credit, FinishRun, Order, ReadImage, RouteCard
from controller.engine.outcome import Outcome
from controller.protocol.messages import CardFlag, Pocket
from deals.cards import Card
from vision.reading import CardReading, Kind

PITCH_US = 96_000
LOOK_GAP_US = 20_556

Reading = Callable[[Card, int], CardReading]
"""What the reader says of a card when it is read for the n-th time."""


def reads(card: Card) -> CardReading:
    """A sure reading."""
    return CardReading(Kind.CARD, card, card, 0.99)


def unsure() -> CardReading:
    """No reading."""
    return CardReading(Kind.UNSURE)


@dataclass
class Plant:
    """Hopper, pockets and tray of one attempt."""

    engine: BoardEngine
    reading: Reading
    pockets: dict[Pocket, list[Card]] = field(
        default_factory=lambda: {pocket: [] for pocket in Pocket}
    )
    now_us: int = 1_000_000
    images: int = 0
    too_long: frozenset[int] = frozenset()
    """Feeds that the window finds longer than a card."""
    fed: int = 0
    """How many cards the last pass drew in."""

    def run_pass(self, hopper: Iterable[Card], named: tuple[Card, ...] = ()) -> Outcome:
        """Feeds what lies in the hopper; gives the outcome."""
        cards = list(hopper)
        self._credit, self.fed, self._finish = 0, 0, False
        self._route: dict[int, Pocket] = {}
        self._shown: dict[int, Card] = {}
        self._times: dict[Card, int] = getattr(self, "_times", {})
        expected = len(self.engine.missing)
        self._obey(self.engine.begin_pass(expected, named))
        for _ in range(400):
            if self.engine.outcome is not None:
                return self.engine.outcome
            if self._finish:
                self._tell(RunEnded(self.now_us, self.fed))
            elif cards and self.fed < self._credit:
                self._feed(cards.pop(0), last=not cards)
            else:
                self.now_us += PITCH_US
                self._tell(TimePassed(self.now_us))
        raise AssertionError("the engine waits for ever")

    def _feed(self, card: Card, last: bool) -> None:
        self.fed += 1
        self.now_us += PITCH_US
        if last:
            self._tell(InputMoved(self.now_us, Input.HOPPER, False))
        self._tell(CardSeen(self.now_us, self.fed))
        for look in (1, 2):
            at_us = self.now_us + 9_000 + (look - 1) * LOOK_GAP_US
            self._tell(Strobed(at_us, self.fed, look))
            self.images += 1
            self._shown[self.images] = card
            digest = self.images.to_bytes(4, "big")
            self._tell(ImageArrived(at_us + 30_000, self.images, at_us, digest))
        flags = CardFlag.TOO_LONG if self.fed in self.too_long else CardFlag.NONE
        self._tell(CardMeasured(self.now_us + 64_000, self.fed, 57.0, 300, 1, flags))
        # The machine takes the route of a card that seems to be two.
        pocket = Pocket.TRAY if flags else self._route.get(self.fed, Pocket.TRAY)
        self.pockets[pocket].append(card)
        self._tell(CardLanded(self.now_us + 90_000, self.fed, pocket, False))

    def _tell(self, happening: Happening) -> None:
        self._obey(self.engine.handle(happening))

    def _obey(self, orders: list[Order]) -> None:
        for order in orders:
            match order:
                case Credit():
                    self._credit = order.up_to
                case RouteCard():
                    self._route.setdefault(order.feed, order.pocket)
                case FinishRun():
                    self._finish = True
                case ReadImage():
                    card = self._shown[order.number]
                    self._times[card] = self._times.get(card, 0) + 1
                    reading = self.reading(card, self._times[card])
                    self._tell(ReadingArrived(self.now_us + 45_000, order.number, reading))
