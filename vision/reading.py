"""What the reader answers about one image."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from deals.cards import Card


class Kind(StrEnum):
    """What lies before the camera; "unsure" is a normal answer."""

    CARD = "card"
    STOP_CARD = "stop_card"
    NO_CARD = "no_card"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class CardReading:
    """The answer. `card` is set for kind CARD alone; `proposal` may be set whenever something fits."""

    kind: Kind
    card: Card | None = None
    proposal: Card | None = None
    confidence: float = 0.0
    """0..1; an accepted card has at least 0.9."""
    runner_up: Card | None = None
    method: str = "corner"
    """"corner", "barcode" or "strip": who has decided; `readers` of the evidence tells who agrees."""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """`reason` (why unsure), `scores` (card text to likeness, best first), `corner` (the patch, BGR), `readers` (who
    have read that card, joined with "+"), `margin` (room left within
    the limits, 1 for all of it)."""

    def __post_init__(self) -> None:
        if (self.kind is Kind.CARD) != (self.card is not None):
            raise ValueError(f"a reading of kind {self.kind} with card {self.card}")
