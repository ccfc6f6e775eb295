"""The four hands of a board, read one at a time and each dealt back into its own pocket.

Where a card of a hand goes does not depend on what it is, so the board is whole afterwards whatever
was read. Readings that contradict each other are not believed: the hand is fed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from controller.engine.ledger import FedCard
from controller.engine.start import ALL_FULL
from controller.engine.stops import Fault, Step, request
from controller.jobs.feeding import Feeding, Lot, Progress
from controller.protocol.messages import Pocket
from deals.cards import CARDS, Card, Seat

HAND: Final = 13
READINGS_AT_MOST: Final = 3
"""So often a hand is fed before the program gives up telling what is in it."""

Hand = tuple[Card | None, ...]
"""As read; None stands for a card that cannot be read or is of no pack."""


@dataclass(slots=True)
class HandsRead:
    """What was read of one board."""

    pockets: dict[Seat, Hand] = field(default_factory=dict)
    unsettled: tuple[Seat, ...] = ()
    """Hands that were read differently each time."""
    readings: dict[Seat, int] = field(default_factory=dict)
    """How often each was fed."""

    @property
    def unread(self) -> int:
        """Cards without a name."""
        return sum(hand.count(None) for hand in self.pockets.values())

    @property
    def unread_where(self) -> dict[str, object]:
        """How many those are, and in which hands: values for the text "check.unread"."""
        return {
            "count": self.unread,
            "hands": tuple(seat for seat, hand in self.pockets.items() if None in hand),
        }

    @property
    def proven(self) -> bool:
        """52 different cards, each read for certain, 13 in each hand."""
        cards = [card for hand in self.pockets.values() for card in hand if card is not None]
        counts = [len(self.pockets.get(seat, ())) for seat in Seat]
        return counts == [HAND] * 4 and len(set(cards)) == len(CARDS) and not self.unsettled


class ToPocket:
    """Every card of a hand goes into its pocket; `last`: also one that cannot be read."""

    def __init__(self, pocket: Pocket, *, last: bool) -> None:
        self._pocket = pocket
        self._last = last

    def pocket(self, entry: FedCard) -> Pocket | None:
        """The pocket, or None for a card that shall be fed again."""
        return self._pocket if entry.card is not None or self._last else None

    def taken_back(self, entry: FedCard) -> None:
        """Every card has the same way."""


def read_hands(feeding: Feeding, told: Progress) -> HandsRead:
    """Has the board brought that `told` names, reads its hands N E S W, and those in doubt again."""
    bring = request(Fault.BOARD_DUE, Step.BRING_DEALT, board=told.board, copy=told.copy)
    empty = feeding.bring(bring, ALL_FULL, told)
    found = HandsRead()
    seen: dict[Seat, list[Hand]] = {seat: [] for seat in Seat}
    for seat in Seat:
        seen[seat].append(_read(feeding, seat, told, empty))
        found.pockets[seat] = seen[seat][-1]
    while seats := [seat for seat in doubtful(found.pockets) if not _settled(seen[seat])]:
        found.unsettled = tuple(s for s in seats if len(seen[s]) >= READINGS_AT_MOST)
        if found.unsettled:
            break
        for seat in seats:
            seen[seat].append(_read(feeding, seat, told, empty, again=True))
            found.pockets[seat] = seen[seat][-1]
    found.readings = {s: 0 if Pocket(s) in empty else len(hands) for s, hands in seen.items()}
    return found


def doubtful(pockets: Mapping[Seat, Hand]) -> list[Seat]:
    """Hands whose reading may be wrong, as the whole shows: with a card without a name, or one that
    was read more than once, or too short while cards are missing.

    52 different cards leave no doubt, wherever they lie: one misreading alone would make a double.
    """
    counts = Counter(card for hand in pockets.values() for card in hand)
    missing = any(card not in counts for card in CARDS)
    return [
        seat
        for seat, hand in pockets.items()
        if any(card is None or counts[card] > 1 for card in hand) or (missing and len(hand) < HAND)
    ]


def _settled(hands: list[Hand]) -> bool:
    """Whether the last reading of a hand agrees with one before it."""
    return hands[-1] in hands[:-1]


def _read(
    feeding: Feeding,
    seat: Seat,
    told: Progress,
    empty: Collection[Pocket],
    *,
    again: bool = False,
) -> Hand:
    """A hand as fed; of the pockets that came *empty* nothing can be."""
    pocket = Pocket(seat)
    if pocket in empty:
        return ()
    told.pocket = pocket
    # Turned half round a card shows its other index.
    steps = (Step.FEED_HAND, Step.TURN_HAND) if again else (Step.FEED_HAND,)
    lot = Lot(
        request=request(Fault.HAND_DUE, *steps, pocket=pocket, board=told.board),
        router=lambda kept, last: ToPocket(pocket, last=last),
        expected=HAND,
        held={other: other is not pocket for other in ALL_FULL if other not in empty},
        own=pocket,
    )
    entries = feeding.read(lot, told)
    told.pocket = None
    cards = sorted(entry.card for entry in entries if entry.card is not None)
    return (*cards, *[None] * (len(entries) - len(cards)))
