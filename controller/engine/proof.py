"""The proof of a board: not what was ordered but what landed, held against the deal (Law 7)."""

from __future__ import annotations

from controller.engine.ledger import Ledger
from controller.engine.stops import Fault, Step, Stop
from controller.protocol.messages import Pocket
from deals.cards import Card, Seat
from deals.deal import Deal
from deals.laws import law7


def landed(ledger: Ledger) -> dict[Seat, list[Card]]:
    """The cards that each pocket's passing sensor confirmed."""
    lying: dict[Seat, list[Card]] = {seat: [] for seat in Seat}
    for card, entry in ledger.placed.items():
        if entry.landed is not None and entry.landed is not Pocket.TRAY:
            lying[Seat(entry.landed)].append(card)
    return lying


def unproven(deal: Deal, ledger: Ledger) -> Stop | None:
    """None when the four hands that landed are those of `deal`; otherwise the stop that says they
    are not.
    """
    if law7(landed(ledger), deal).right:
        return None
    return Stop(Fault.WRONG_POCKET, steps=(Step.COLLECT_ALL,))
