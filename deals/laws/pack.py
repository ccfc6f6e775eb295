"""Laws 1 and 6: is this a pack, and is it in a known order?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from deals.cards import CARDS, Card
from deals.deal import Deal
from deals.laws.editions import DEFAULT, Edition, Topic

HOPPER_CARDS: Final = 10
"""So many cards of a hopper are looked at; its order would leak the hands (design, secrecy)."""
_STEPS_IN_ORDER: Final = 8


@dataclass(frozen=True, slots=True)
class PackVerdict:
    """What keeps some cards from being a pack of 52 different ones (Law 1)."""

    missing: tuple[Card, ...] = ()
    double: tuple[Card, ...] = ()
    """Cards there more than once."""
    foreign: int = 0
    """How many cards are of no pack."""
    backs: int = 0
    """How many cards have another back than the rest."""
    edition: Edition = DEFAULT

    @property
    def right(self) -> bool:
        """Whether it is a pack."""
        return not (self.missing or self.double or self.foreign or self.backs)

    def findings(self) -> list[tuple[str, dict[str, object]]]:
        """Codes and values for `deals.words.text`."""
        found: list[tuple[str, dict[str, object]]] = []
        if self.missing:
            found.append(("law.pack_missing", {"cards": self.missing}))
        if self.double:
            found.append(("law.pack_double", {"cards": self.double}))
        if self.foreign:
            found.append(("law.pack_foreign", {"count": self.foreign}))
        if self.backs:
            law = Topic.BACKS_SYMMETRIC.law(self.edition)
            found.append(("law.pack_backs", {"count": self.backs, "law": law}))
        return found


def law1(cards: Iterable[Card | None], backs: int = 0, edition: Edition = DEFAULT) -> PackVerdict:
    """Whether *cards* are a pack; None stands for a card that is of no pack.

    *backs*: how many of them have another back than the rest (1C of 2017; 1 before).
    """
    counts = Counter(cards)
    return PackVerdict(
        tuple(card for card in CARDS if not counts[card]),
        tuple(card for card in CARDS if counts[card] > 1),
        counts[None],
        backs,
        edition,
    )


def shows_pack_order(deal: Deal) -> bool:
    """Whether *deal* looks like an unshuffled pack (Law 6D2): suits dealt one by one or whole.

    True if within each suit the same seats take turns all the way down, ace high or ace low; a
    random deal does that less than once in 10^20. Odd shapes alone are never flagged.
    """
    owners = deal.owners
    for base in (0, 13, 26, 39):
        high = owners[base : base + 13]
        low = high[1:] + high[:1]
        if not (high[4:] == high[:-4] or low[4:] == low[:-4]):
            return False
    return True


def runs_in_order(cards: Sequence[Card]) -> bool:
    """Whether the first ten cards of a hopper run in sequence: "Shuffle this pack" (Law 6A).

    In sequence: at least eight of the nine steps go to the next card of the suit (ace above king or
    below two), all up or all down; or the ten are of at most four neighbouring ranks and the ranks
    never turn back. A shuffled pack does so less than once in a million times. Fewer than ten cards
    say nothing.
    """
    if len(cards) < HOPPER_CARDS:
        return False
    first = cards[:HOPPER_CARDS]
    steps = [(b.rank - a.rank) % 13 if a.suit is b.suit else 0 for a, b in pairwise(first)]
    if max(steps.count(1), steps.count(12)) >= _STEPS_IN_ORDER:
        return True
    for ace in (0, 13):
        ranks = [card.rank or ace for card in first]
        one_way = ranks in (sorted(ranks), sorted(ranks, reverse=True))
        if one_way and max(ranks) - min(ranks) <= 3:
            return True
    return False
