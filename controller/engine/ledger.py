"""The ledger of one attempt: every fed card by its feed number, and which cards lie where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from controller.engine.stops import Places
from controller.protocol.messages import CardFlag, Pocket
from deals.cards import Card
from vision.reading import CardReading

BACKS_KNOWN_BY: Final = 8
"""So many placed cards show what the backs of the pack look like."""


class SetAside(Enum):
    """Why a card was sent to the tray."""

    UNREADABLE = "unreadable_card"
    NO_IMAGE = "image_lost"
    SUSPECT = "double_feed"
    LATE = "late"
    DUPLICATE = "duplicate_card"
    SURPLUS = "surplus_card"


@dataclass(slots=True)
class FedCard:
    """One feed: what was seen of it, what it was taken for, where it was sent and where it landed."""

    feed: int
    images: dict[int, int] = field(default_factory=dict)
    """Look to image number."""
    readings: dict[int, CardReading] = field(default_factory=dict)
    """Look to reading."""
    wants_look_2: bool = False
    card: Card | None = None
    by_name: bool = False
    """A person named it, no reading did."""
    is_stop_card: bool = False
    pocket: Pocket | None = None
    """Where it was sent, None while undecided."""
    set_aside: SetAside | None = None
    landed: Pocket | None = None
    flags: CardFlag = CardFlag.NONE
    back: int | None = None
    """Colour class of its back."""

    @property
    def decided(self) -> bool:
        """Whether its way is settled."""
        return self.pocket is not None or self.landed is not None


@dataclass(frozen=True, slots=True)
class Twins:
    """Two feeds that were taken for the same card; `earlier` is in a pocket or on the way there."""

    card: Card
    earlier: FedCard
    later: FedCard


class Ledger:
    """All passes of one attempt. `placed` and `twins` outlive a pass, feed numbers do not."""

    def __init__(self) -> None:
        self.fed: dict[int, FedCard] = {}
        self.placed: dict[Card, FedCard] = {}
        """Cards on their way to, or in, the pocket of their hand."""
        self.twins: list[Twins] = []
        """Every duplicate of this attempt: the earlier card of each is in doubt as well."""
        self.passes = 0
        self.end_suspected = False
        """What may have been the stop card lies unread in the tray."""
        self.set_aside_in_all = 0
        """Feeds of all passes that were set aside."""
        self._decided = 0

    def begin_pass(self) -> None:
        """Feed numbers start anew; what lies in the pockets stays."""
        self.fed = {}
        self.passes += 1
        self.end_suspected = False
        self._decided = 0

    def card(self, feed: int) -> FedCard:
        """The entry of one feed, made on first mention."""
        entry = self.fed.get(feed)
        if entry is None:
            entry = self.fed[feed] = FedCard(feed)
        return entry

    def measured(self, entry: FedCard, back: int) -> None:
        """The card has passed the window, and its back was seen."""
        entry.back = back
        self.end_suspected |= self.may_be_stop_card(entry)

    @property
    def last_feed(self) -> int:
        """Highest feed number seen in this pass, 0 for none."""
        return max(self.fed, default=0)

    @property
    def decided_up_to(self) -> int:
        """Feeds 1..n of this pass are all decided."""
        while (entry := self.fed.get(self._decided + 1)) is not None and entry.decided:
            self._decided += 1
        return self._decided

    @property
    def all_landed(self) -> bool:
        """Whether no card of this pass is known to be on the belt."""
        return all(entry.landed is not None for entry in self.fed.values())

    def places(self, left: int | None) -> Places:
        """How many cards lie where, `left` of them still in the hopper."""
        seats = [pocket for pocket in Pocket if pocket is not Pocket.TRAY]
        lying = [entry.landed for entry in self.placed.values()]
        north, east, south, west = (lying.count(pocket) for pocket in seats)
        here = [entry.landed for entry in self.fed.values()]
        tray, way = here.count(Pocket.TRAY), here.count(None)
        return Places((north, east, south, west), tray, way, left)

    def in_tray(self) -> Iterator[FedCard]:
        """The cards of this pass that were set aside, stop card excepted."""
        return (entry for entry in self.fed.values() if entry.set_aside is not None)

    def is_measured(self, feed: int) -> bool:
        """Whether the back of a card is known, or never will be."""
        entry = self.fed.get(feed)
        return entry is None or entry.back is not None or entry.landed is not None

    def may_be_stop_card(self, entry: FedCard) -> bool:
        """Whether a card that was set aside unread has another back than the cards that were read."""
        known = entry.set_aside in (None, SetAside.DUPLICATE, SetAside.SURPLUS)
        if known or entry.back is None or len(self.placed) < BACKS_KNOWN_BY:
            return False
        return entry.back not in {one.back for one in self.placed.values()}

    @property
    def trusts_a_name(self) -> bool:
        """Whether a card lies in a pocket because a person named it."""
        return any(entry.by_name for entry in self.placed.values())

    def set_aside(self, entry: FedCard, why: SetAside) -> None:
        """The card does not go to a pocket, or not after all; the first reason stays."""
        if entry.card is not None and self.placed.get(entry.card) is entry:
            del self.placed[entry.card]
        if entry.set_aside is None:
            entry.set_aside = why
            self.set_aside_in_all += 1
        self.end_suspected |= self.may_be_stop_card(entry)
