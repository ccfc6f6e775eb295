"""A pack in no order: each of its cards gets a proposal, and a person gets all of them to look at.

A proposal is no label. Teaching holds labels against the same reader that proposes here, so whoever takes a
proposal over without looking has checked nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS, Card
from vision.reading import CardReading, Kind

SURE: Final = 0.7
"""Below that a proposal is no more than a hint."""
_ACROSS: Final = 8
_CELL: Final = (136, 176)
"""Rows and columns of one card on the sheet."""
_MOST: Final = (100, 160)
"""Of its picture."""


class Proposes(Protocol):
    """Whoever reads without a design: `vision.propose.Proposer`."""

    def read(self, image: Any) -> CardReading:
        """What the image may show."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """What the card at one place may be."""

    place: int
    card: Card | None
    confidence: float
    stop_card: bool = False
    doubled: bool = False
    """Another place has the same proposal."""

    @property
    def stem(self) -> str:
        """Name of its pictures, less the look: as teaching reads it once a person has looked."""
        return f"{self.card or 'unknown'}-{self.place:02}"


def propose(reader: Proposes, looks: Sequence[tuple[int, Any]]) -> list[Proposal]:
    """A proposal for each place of *looks* (place, image), from the look that tells most."""
    best: dict[int, CardReading] = {}
    for place, image in looks:
        reading = reader.read(image)
        if place not in best or _weight(reading) > _weight(best[place]):
            best[place] = reading
    counts = Counter(one.proposal for one in best.values() if one.proposal is not None)
    return [
        Proposal(
            place,
            reading.proposal,
            round(reading.confidence, 3),
            reading.kind is Kind.STOP_CARD,
            counts[reading.proposal] > 1 if reading.proposal is not None else False,
        )
        for place, reading in sorted(best.items())
    ]


def missing(proposals: Sequence[Proposal]) -> list[Card]:
    """Cards that nobody is proposed to be."""
    there = {one.card for one in proposals}
    return [card for card in CARDS if card not in there]


def sheet(proposals: Sequence[Proposal], looks: Sequence[tuple[int, Any]]) -> NDArray[np.uint8]:
    """All first looks with place and proposal, (rows, cols, 3) BGR; a mark where to look twice."""
    images = dict(reversed(looks))
    rows, cols = _CELL
    shown = [one for one in proposals if not one.stop_card]
    picture = np.full((rows * -(-len(shown) // _ACROSS), cols * _ACROSS, 3), 255, np.uint8)
    for number, one in enumerate(shown):
        top, left = number // _ACROSS * rows, number % _ACROSS * cols
        small = _small(images[one.place])
        high, wide = small.shape[:2]
        picture[top + 28 : top + 28 + high, left + 8 : left + 8 + wide] = small
        doubtful = one.card is None or one.doubled or one.confidence < SURE
        words = f"{one.place}: {one.card or '?'}{' <<' if doubtful else ''}"
        colour = (0, 0, 200) if doubtful else (0, 0, 0)
        canvas: Any = picture
        at = (left + 8, top + 20)
        cv2.putText(canvas, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.55, colour, 1, cv2.LINE_AA)
    return picture


def _small(image: Any) -> Any:
    """An image as large as fits into its place."""
    high, wide = image.shape[:2]
    share = min(_MOST[0] / high, _MOST[1] / wide)
    size = (max(1, round(wide * share)), max(1, round(high * share)))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)


def _weight(reading: CardReading) -> tuple[bool, float]:
    return reading.kind is Kind.STOP_CARD, reading.confidence
