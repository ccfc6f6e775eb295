"""How surely the cards of a proven board were read: what becomes of a design over months, and nothing of a deal."""

from __future__ import annotations

from controller.engine.ledger import Ledger
from deals.cards import CARDS, Card
from vision.reading import Kind


def margins(ledger: Ledger) -> dict[Card, float]:
    """Room within the design's limits that the first look at each card left: 1 all of it, 0 if it was not read then.

    In the order of the cards, whatever the order of the pack was. Empty if a reader tells no margins, or a person
    has named a card.
    """
    found: dict[Card, float] = {}
    for card in CARDS:
        entry = ledger.placed.get(card)
        if entry is None or entry.by_name or not entry.readings:
            return {}
        first = entry.readings.get(1)
        margin = 0.0
        if first is not None and first.kind is Kind.CARD:
            told = first.evidence.get("margin")
            if not isinstance(told, float | int):
                return {}
            margin = float(told)
        found[card] = margin
    return found
