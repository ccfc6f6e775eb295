"""A reader that errs as it is told, for scenarios."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from controller.bench.identity import IdentityReader
from deals.cards import Card
from vision.reading import CardReading, Kind


@dataclass
class Misreads:
    """Reads as the identity reader, but the cards of *wrong* as another, their first *times* times,
    and those of *blind* not at all. *rival* is how like the true card is to the one that is named.
    """

    wrong: dict[str, str] = field(default_factory=dict)
    blind: frozenset[str] = frozenset()
    times: int = 1
    rival: float | None = None
    read: Counter[str] = field(default_factory=Counter)

    def read_card(self, true: Card) -> CardReading:
        name = str(true)
        self.read[name] += 1
        if name in self.blind and self.read[name] <= self.times:
            return CardReading(Kind.UNSURE)
        erring = self.read[name] <= self.times
        card = Card.parse(self.wrong.get(name, name)) if erring else true
        scores = {}
        if self.rival is not None:
            scores = {str(card): 0.9}
            if card != true:
                scores[name] = 0.9 * self.rival
        return CardReading(Kind.CARD, card, card, 0.99, None, evidence={"scores": scores})


class ErringReader:
    """The `Reads` of a twin whose reader errs."""

    def __init__(self, misreads: Misreads) -> None:
        self._misreads = misreads
        self._reader = IdentityReader()

    def read(self, image: Any) -> CardReading:
        """The reading of one window image."""
        reading = self._reader.read(image)
        if reading.card is None:
            return reading
        return self._misreads.read_card(reading.card)
