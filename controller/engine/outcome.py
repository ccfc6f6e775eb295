"""How a pass ended: proven, or the stop that says what is open."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from controller.engine import doubts, stops
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
    deal: Deal, ledger: Ledger, missing: tuple[Card, ...], *, again: bool, more_behind: bool
) -> Outcome:
    """The outcome of a pass that ended by itself. `more_behind`: cards lie behind its stop card.

    Cards in the tray come first: they are fed again, whatever else is missing.
    """
    aside = list(ledger.in_tray())
    if aside:
        return _feed_again(aside, ledger, missing, again=again)
    if missing:
        return stops.missing(missing, more_behind=more_behind)
    if ledger.twins and ledger.trusts_a_name:
        # The earlier of two like cards may be what the person called the other one.
        return stops.duplicate(ledger.twins[0].later.feed, replace_pack=again)
    return unproven(deal, ledger) or _foreign_back(ledger) or Proven()


def _feed_again(
    aside: list[FedCard], ledger: Ledger, missing: tuple[Card, ...], *, again: bool
) -> Stop:
    reasons = [entry.set_aside for entry in aside]
    first = aside[0]
    if SetAside.SURPLUS in reasons:
        return stops.stop_card_in_pack(first.feed) if missing else stops.surplus(first.feed)
    if not missing and ledger.passes == 1 and all(map(ledger.may_be_stop_card, aside)):
        return stops.set_aside(Fault.UNREADABLE_CARD, first.feed, len(aside), name=False)
    if not missing:
        twice = SetAside.DUPLICATE in reasons
        return stops.surplus(first.feed) if twice else stops.foreign_card(first.feed)
    if SetAside.DUPLICATE in reasons:
        return doubts.at_the_end(ledger, missing, len(aside))
    fault = _FAULT_OF[first.set_aside or SetAside.UNREADABLE]
    unreadable = all(reason is SetAside.UNREADABLE for reason in reasons)
    if not unreadable or ledger.passes == 1:
        return stops.set_aside(fault, first.feed, len(aside), name=False)
    if ledger.twins:
        return stops.duplicate(ledger.twins[0].later.feed, replace_pack=again)
    if len(missing) > 1:
        return stops.several_unreadable(first.feed)
    return stops.set_aside(fault, first.feed, len(aside), name=True)


def _foreign_back(ledger: Ledger) -> Stop | None:
    entries = list(ledger.placed.values())
    usual = Counter(entry.back for entry in entries).most_common(1)[0][0]
    odd = [entry.feed for entry in entries if entry.back != usual]
    return stops.foreign_back(odd[0]) if odd else None
