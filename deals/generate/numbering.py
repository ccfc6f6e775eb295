"""A bijection between the numbers 0 .. D-1 and all deals, both ways.

Order: by North's hand, then East's, then South's. Hands of one seat stand in the order of their
cards' places among the cards that are still there (SA SK .. S2 HA .. C2), first place first: what
holds the spade ace comes before what does not. Deal 0 gives North the spades, East the hearts,
South the diamonds, West the clubs; deal D-1 gives North the clubs, East the diamonds, South the
hearts, West the spades.

    number = (north * C(39, 13) + east) * C(26, 13) + south,   C(n, k) = n! / (k! (n - k)!)

with north in 0 .. C(52, 13)-1 and so on, each the place of that hand in its order.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Final

from deals.deal import Deal
from deals.errors import DealError

DEALS: Final = 53_644_737_765_488_792_839_237_440_000
"""D, the number of all deals: 52! / 13!^4."""
_HANDS: Final = (13, 13, 13, 13)


def deal_of(number: int) -> Deal:
    """Deal number 0 .. D-1; DealError outside."""
    if not 0 <= number < DEALS:
        raise DealError("generate.no_such_deal", number=number)
    return Deal(unrank(number, _HANDS))


def number_of(deal: Deal) -> int:
    """The number 0 .. D-1 of *deal*."""
    return rank(deal.owners, _HANDS)


def unrank(number: int, sizes: Sequence[int]) -> bytes:
    """Owners (0, 1, ..) of the cards of a pack whose hands have *sizes* cards, by number."""
    parts = []
    rest = sizes[-1]
    for size in reversed(sizes[:-1]):
        rest += size
        number, part = divmod(number, comb(rest, size))
        parts.append(part)
    owners = bytearray([len(sizes) - 1]) * rest
    free = list(range(rest))
    for seat, size in enumerate(sizes[:-1]):
        hand = _hand(parts.pop(), len(free), size)
        for place in hand:
            owners[free[place]] = seat
        taken = set(hand)
        free = [card for place, card in enumerate(free) if place not in taken]
    return bytes(owners)


def rank(owners: bytes, sizes: Sequence[int]) -> int:
    """The number of the deal with these *owners*; the inverse of `unrank`."""
    number = 0
    free = list(range(len(owners)))
    for seat, size in enumerate(sizes[:-1]):
        places = [place for place, card in enumerate(free) if owners[card] == seat]
        number = number * comb(len(free), size) + _place(places, len(free), size)
        free = [card for card in free if owners[card] != seat]
    return number


def _hand(index: int, count: int, size: int) -> list[int]:
    """Which *size* of *count* places make hand *index*."""
    places = []
    for place in range(count):
        if size == 0:
            break
        with_it = comb(count - place - 1, size - 1)
        if index < with_it:
            places.append(place)
            size -= 1
        else:
            index -= with_it
    return places


def _place(places: Sequence[int], count: int, size: int) -> int:
    """The inverse of `_hand`: all hands that have an earlier card where this one skips it."""
    index = 0
    held = set(places)
    for place in range(count):
        if size == 0:
            break
        if place in held:
            size -= 1
        else:
            index += comb(count - place - 1, size - 1)
    return index
