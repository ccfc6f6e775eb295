"""How a pass ended: proven, or the stop that says what is open."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from controller.engine import stops
from controller.engine.ledger import FedCard, Ledger, SetAside
from controller.engine.proof import unproven
from controller.engine.stops import Fault, Stop
from deals.cards import Card
from deals.deal import Deal

_FAULT_OF: Final = {
    SetAside.UNREADABLE: Fault.UNREADABLE_CARD,
    SetAside.NO_IMAGE: Fault.IMAGE_LOST,
    SetAside.SUSPECT: Fault.DOUBLE_FEED,
    SetAside.LATE: Fault.LATE_ROUTE,
    SetAside.DUPLICATE: Fault.DUPLICATE_CARD,
    SetAside.SURPLUS: Fault.SURPLUS_CARD,
}


@dataclass(frozen=True, slots=True)
class Proven:
    """The hands lie as the deal says, and nothing is open."""


Outcome = Proven | Stop


def outcome_of(
    deal: Deal, ledger: Ledger, missing: tuple[Card, ...], passes: int, *, again: bool
) -> Outcome:
    """The outcome of a pass that ended by itself, `passes` being how many there were.

    Cards in the tray come first: they are fed again, whatever else is missing.
    """
    aside = list(ledger.in_tray())
    if aside:
        return _feed_again(aside, missing, passes, again=again)
    if missing:
        return stops.missing(missing)
    return unproven(deal, ledger) or _foreign_back(ledger) or Proven()


def _feed_again(
    aside: list[FedCard], missing: tuple[Card, ...], passes: int, *, again: bool
) -> Stop:
    reasons = [entry.set_aside for entry in aside]
    first = aside[0]
    if SetAside.SURPLUS in reasons:
        return stops.surplus(first.feed, again=again)
    if not missing:
        return stops.foreign_card(first.feed)
    unreadable = all(reason is SetAside.UNREADABLE for reason in reasons)
    if unreadable and passes > 1 and len(missing) > 1:
        return stops.several_unreadable(first.feed)
    fault = _FAULT_OF[first.set_aside or SetAside.UNREADABLE]
    return stops.set_aside(fault, first.feed, len(aside), name=unreadable and passes > 1)


def _foreign_back(ledger: Ledger) -> Stop | None:
    entries = list(ledger.placed.values())
    usual = Counter(entry.back for entry in entries).most_common(1)[0][0]
    odd = [entry.feed for entry in entries if entry.back != usual]
    return stops.foreign_back(odd[0]) if odd else None
