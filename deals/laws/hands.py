"""Laws 7, 13 and 14: are the right cards in each pocket of a board?"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deals.cards import Card, Seat
from deals.deal import Deal
from deals.laws.editions import Edition


@dataclass(frozen=True, slots=True)
class HandCount:
    """A pocket that does not hold 13 cards (Law 7B, Law 13)."""

    seat: Seat
    count: int

    @property
    def short(self) -> int:
        """How many cards are too few; 0 if too many."""
        return max(0, 13 - self.count)

    @property
    def long(self) -> int:
        """How many cards are too many; 0 if too few."""
        return max(0, self.count - 13)


@dataclass(frozen=True, slots=True)
class Displaced:
    """A card in another pocket than the deal's."""

    card: Card
    found: Seat
    belongs: Seat


@dataclass(frozen=True, slots=True)
class Law7Verdict:
    """Four pockets compared with a deal; the order of cards in a pocket means nothing (Law 7C)."""

    counts: tuple[HandCount, ...] = ()
    """Pockets that are short or long."""
    double: tuple[tuple[Card, tuple[Seat, ...]], ...] = ()
    """Cards there more than once, with the pocket of each (Law 1: 52 different cards)."""
    missing: tuple[Card, ...] = ()
    """Cards in no pocket (Law 14)."""
    foreign: tuple[Seat, ...] = ()
    """One entry a card that is not of the pack."""
    displaced: tuple[Displaced, ...] = ()
    """Cards in a wrong pocket, once each."""

    @property
    def right(self) -> bool:
        """Whether each pocket holds exactly its hand."""
        return self == Law7Verdict()

    def findings(self) -> list[tuple[str, dict[str, object]]]:
        """Codes and values for `deals.words.text`, in the order a person needs them."""
        found: list[tuple[str, dict[str, object]]] = []
        for hand in self.counts:
            code = "law7.hand_short" if hand.short else "law7.hand_long"
            found.append((code, {"hand": hand.seat, "count": hand.count}))
        found += [("law7.foreign", {"hand": seat}) for seat in self.foreign]
        found += [("law7.double", {"card": c, "hands": seats}) for c, seats in self.double]
        found += [("law7.missing", {"card": card}) for card in self.missing]
        found += [
            ("law7.displaced", {"card": d.card, "found": d.found, "belongs": d.belongs})
            for d in self.displaced
        ]
        return found


def law7(pockets: Mapping[Seat, Sequence[Card | None]], deal: Deal) -> Law7Verdict:
    """The Law 7 verdict: is each hand of *deal* in its pocket (7B2 of 2007 and 2017, 7B1 of 1997)?

    None stands for a card that is not of the pack. A seat without an entry has an empty pocket.
    """
    held = {seat: pockets.get(seat, ()) for seat in Seat}
    places: dict[Card, list[Seat]] = {}
    for seat, cards in held.items():
        for card in cards:
            if card is not None:
                places.setdefault(card, []).append(seat)
    displaced = []
    for card in sorted(places):
        home = deal.seat_of(card)
        wrong = Counter(seat for seat in places[card] if seat != home)
        displaced += [Displaced(card, seat, home) for seat in Seat if wrong[seat]]
    return Law7Verdict(
        tuple(HandCount(seat, len(cards)) for seat, cards in held.items() if len(cards) != 13),
        tuple((card, tuple(places[card])) for card in sorted(places) if len(places[card]) > 1),
        tuple(card for seat in Seat for card in deal.hand(seat) if card not in places),
        tuple(seat for seat, cards in held.items() for card in cards if card is None),
        tuple(displaced),
    )


class Stage(enum.Enum):
    """How far play of a board has come when its wrong number of cards is found (Law 13)."""

    BEFORE_CALL = "before a call"
    """No player whose hand is wrong has called."""
    PLAYING = "playing"
    ENDED = "ended"


def law13(stage: Stage, edition: Edition, *, seen: bool, surplus: bool = False) -> str:
    """The letter of Law 13 that fits; *seen*: somebody saw a card of another player's hand.

    *surplus*: a card that belongs to no hand of this deal. In 2007, once a player with a wrong hand
    has called, 13A (correct it and play on) or 13B (adjusted score) is for the Director to choose.
    """
    if edition is Edition.LAWS_2007:
        if surplus:
            return "13F"
        return {Stage.BEFORE_CALL: "13D", Stage.PLAYING: "13A or 13B", Stage.ENDED: "13C"}[stage]
    if edition is Edition.LAWS_1997:
        return "13C" if stage is Stage.ENDED else "13B" if seen else "13A"
    if surplus and stage is not Stage.ENDED:
        return "13C"
    return {Stage.BEFORE_CALL: "13A", Stage.PLAYING: "13B", Stage.ENDED: "13D"}[stage]
