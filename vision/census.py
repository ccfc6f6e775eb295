"""Fifty-two readings of one pack: no card twice, and which reading to doubt when one is.

A card that is still missing is never given to a reading: had X been read as Y and the real Y then not at all,
that would call the real Y "X" and nobody would notice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from deals.cards import CARDS, Card
from vision.reading import CardReading

CLEARLY: Final = 1.25
"""By how much likelier one of two readings must be wrong before it alone is doubted."""


def likeness(reading: CardReading, others: Iterable[Card]) -> float | None:
    """How like the likest of *others* a sure reading is, the card that it named being 1.

    None where its evidence has no scores.
    """
    scores: dict[str, float] = dict(reading.evidence.get("scores", {}))
    own = scores.get(str(reading.card))
    if not own:
        return None
    return max((scores.get(str(card), 0.0) for card in others), default=0.0) / own


def doubt(reading: CardReading, others: Iterable[Card]) -> float:
    """How much there is to say that a sure reading should have been one of *others*; above 0."""
    return (likeness(reading, others) or 0.0) + (1 - reading.confidence) + 1e-3


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two readings of one card; at least one of them is wrong, unless a card came in twice."""

    card: Card
    earlier: int
    later: int
    suspect: int | None
    """The number of the reading that is likelier wrong; None: feed both again."""


@dataclass(slots=True)
class Census:
    """Readings by their number in the pack."""

    _readings: dict[int, CardReading] = field(default_factory=dict)
    _first: dict[Card, int] = field(default_factory=dict)

    @property
    def missing(self) -> frozenset[Card]:
        """Cards that no reading has named."""
        return frozenset(CARDS) - frozenset(self._first)

    @property
    def complete(self) -> bool:
        """Whether there are 52 readings of 52 different cards."""
        return len(self._readings) == len(CARDS) and not self.missing

    def add(self, number: int, reading: CardReading) -> Duplicate | None:
        """Takes one reading; tells if its card was read before. ValueError for a number used twice."""
        if number in self._readings:
            raise ValueError(f"reading {number} came twice")
        self._readings[number] = reading
        card = reading.card
        if card is None:
            return None
        if card not in self._first:
            self._first[card] = number
            return None
        earlier = self._first[card]
        return Duplicate(card, earlier, number, self._suspect(earlier, number))

    def _suspect(self, earlier: int, later: int) -> int | None:
        missing = self.missing
        doubts = {number: doubt(self._readings[number], missing) for number in (earlier, later)}
        calm, worse = sorted(doubts, key=lambda number: doubts[number])
        return worse if doubts[worse] > CLEARLY * doubts[calm] else None
