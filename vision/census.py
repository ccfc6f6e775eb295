"""Of two readings of one card, which to doubt: what speaks against a sure reading.

A card that is still missing is never given to a reading: had X been read as Y and the real Y then not at all,
that would call the real Y "X" and nobody would notice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from deals.cards import Card
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
