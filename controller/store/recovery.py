"""After a crash: where is each card? A pure function over the rows of the journal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

CARDS: Final = 52
TRAY: Final = 4
"""The tray's number where N E S W are 0 to 3; it is the wire's number too, a test says so."""


class Kind(StrEnum):
    """What a row of the journal tells."""

    RUN = "run"
    """A run of the belt begins: feeds count from 1, all cards but the landed are in the hopper."""
    CREDIT = "credit"
    """The MCU is about to be allowed to feed up to this feed number."""
    SEEN = "seen"
    MEASURED = "measured"
    READ = "read"
    INTENT = "intent"
    """The card's pocket is decided; the route has not been sent yet."""
    SUSPECT = "suspect"
    """Length, thickness or back are not those of one card of the pack."""
    VOID = "void"
    """What the card was read as is in doubt after all; where it lies is not."""
    LANDED = "landed"
    """The card passed the sensor of its pocket, or of the tray (`TRAY`)."""
    HELD = "held"
    STOPPED = "stopped"
    NOTE = "note"


class Where(StrEnum):
    """What is known of a card's place."""

    LANDED = "landed"
    TRAY = "tray"
    IN_FLIGHT = "in flight"
    HOPPER = "hopper"


@dataclass(frozen=True, slots=True)
class JournalRow:
    """One row of the journal, opened."""

    number: int
    run: int
    kind: Kind
    feed: int | None
    card: int | None
    pocket: int | None
    detail: str
    mono_us: int


@dataclass(frozen=True, slots=True)
class CardFate:
    """Where the card is that was, or would be, feed number `feed` of run `run`."""

    run: int
    feed: int
    where: Where
    pocket: int | None = None
    card: int | None = None


def fates(rows: Iterable[JournalRow]) -> tuple[CardFate, ...]:
    """Every card of the board: landed cards of all runs, then the last run's others, feed by feed.

    A card counts as in flight as soon as the MCU may have fed it, so the journal must hold the
    credit before the MCU gets it; then a card called "in the hopper" has certainly not moved.
    """
    runs = [_Run(0)]
    for row in rows:
        if row.kind is Kind.RUN:
            runs.append(_Run(row.run))
        runs[-1].take(row)
    landed = [fate for run in runs for fate in run.landed()]
    earlier = sum(len(run.pockets) for run in runs[:-1])
    return (*landed, *runs[-1].others(CARDS - earlier))


class _Run:
    def __init__(self, number: int) -> None:
        self.number = number
        self.may_be_fed = 0
        self.cards: dict[int, int] = {}
        self.pockets: dict[int, int | None] = {}
        self.tray: set[int] = set()

    def take(self, row: JournalRow) -> None:
        if row.feed is None:
            return
        self.may_be_fed = max(self.may_be_fed, row.feed)
        if row.card is not None and row.kind in (Kind.READ, Kind.INTENT):
            self.cards[row.feed] = row.card
        if row.kind is Kind.VOID:
            self.cards.pop(row.feed, None)
        if row.kind is not Kind.LANDED:
            return
        if row.pocket == TRAY:
            self.tray.add(row.feed)
        else:
            self.pockets[row.feed] = row.pocket

    def landed(self) -> list[CardFate]:
        return [
            CardFate(self.number, feed, Where.LANDED, pocket, self.cards.get(feed))
            for feed, pocket in sorted(self.pockets.items())
        ]

    def others(self, cards: int) -> list[CardFate]:
        found = []
        for feed in range(1, max(cards, self.may_be_fed) + 1):
            if feed in self.pockets:
                continue
            if feed in self.tray:
                where = Where.TRAY
            elif feed <= self.may_be_fed:
                where = Where.IN_FLIGHT
            else:
                where = Where.HOPPER
            found.append(CardFate(self.number, feed, where, None, self.cards.get(feed)))
        return found
