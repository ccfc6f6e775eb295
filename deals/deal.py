"""A deal: which seat holds each of the 52 cards, 13 a hand (Laws 1 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from deals.cards import CARDS, RANK_LETTERS, SEAT_LETTERS, Card, Seat
from deals.errors import DealError

_NOBODY: Final = 255
_EMPTY: Final = bytes([_NOBODY]) * 52
_RANK_AT: Final = {letter: place for place, letter in enumerate(RANK_LETTERS)}
_SPADE_AT, _HEART_AT, _DIAMOND_AT, _CLUB_AT = (
    {letter: base + place for letter, place in _RANK_AT.items()} for base in (0, 13, 26, 39)
)
_SEATS: Final = tuple(Seat)


class Deal:
    """Immutable and always legal: 52 distinct cards, 13 in each hand.

    `owners[i]` is the seat (0..3) of the card with index i. Build it from owners, hands or PBN.
    """

    __slots__ = ("_owners",)

    def __init__(self, owners: bytes) -> None:
        if len(owners) != 52:
            raise DealError("deal.not_52", count=len(owners))
        for seat in _SEATS:
            if (count := owners.count(seat)) != 13:
                raise _wrong_count(owners, seat, count)
        self._owners = owners

    @classmethod
    def from_owners(cls, owners: Iterable[int]) -> Deal:
        """From 52 seats 0..3 by card index; DealError names hand and card if it is no deal."""
        values = list(owners)
        for index, owner in enumerate(values[:52]):
            if owner not in (0, 1, 2, 3):
                raise DealError("deal.no_seat", card=CARDS[index], owner=owner)
        return cls(bytes(values))

    @classmethod
    def from_hands(cls, hands: Sequence[Iterable[Card]]) -> Deal:
        """From four hands N E S W; DealError names the hand and card that are wrong."""
        if len(hands) != 4:
            raise DealError("deal.not_four_hands", count=len(hands))
        owners = bytearray(_EMPTY)
        for seat, hand in zip(_SEATS, hands, strict=True):
            for card in hand:
                _give(owners, card, seat)
        return cls._complete(owners)

    @classmethod
    def from_pbn(cls, text: str) -> Deal:
        """From a PBN deal "N:AKQ.. ... ... ..." (any first seat, ranks in any order)."""
        owners = _quick_owners(text)
        if owners is not None:
            deal = object.__new__(cls)
            deal._owners = owners
            return deal
        return cls._from_wrong_pbn(text)

    @classmethod
    def _from_wrong_pbn(cls, text: str) -> Deal:
        """Read step by step, to find what is wrong; blanks to spare are let pass."""
        first, colon, rest = text.strip().partition(":")
        if not colon:
            raise DealError("deal.no_first_seat", text=text)
        seat = Seat.parse(first)
        hands = rest.split()
        if len(hands) != 4:
            raise DealError("deal.not_four_hands", count=len(hands))
        owners = bytearray(_EMPTY)
        for step, hand in enumerate(hands):
            _give_pbn(owners, hand, seat.next(step))
        return cls._complete(owners)

    @classmethod
    def _complete(cls, owners: bytearray) -> Deal:
        if _NOBODY in owners:
            counts = [owners.count(seat) for seat in _SEATS]
            if max(counts) <= 13:
                missing = [CARDS[i] for i, owner in enumerate(owners) if owner == _NOBODY]
                short = [seat for seat in _SEATS if counts[seat] < 13]
                raise DealError("deal.cards_missing", cards=missing, hands=short)
        return cls(bytes(owners))

    @property
    def owners(self) -> bytes:
        """52 seats 0..3 by card index."""
        return self._owners

    def seat_of(self, card: Card) -> Seat:
        """Who holds *card*."""
        return _SEATS[self._owners[card.index]]

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        """The 13 cards of *seat*, spades to clubs, high to low."""
        return tuple([CARDS[i] for i, owner in enumerate(self._owners) if owner == seat])

    def hand_pbn(self, seat: Seat) -> str:
        """The hand of *seat* as "AKQ.T98.765.5432"; a void is empty."""
        owners = self._owners
        return ".".join(
            [
                "".join([RANK_LETTERS[r] for r in range(13) if owners[base + r] == seat])
                for base in (0, 13, 26, 39)
            ]
        )

    def pbn(self, first: Seat = Seat.N) -> str:
        """The PBN deal, clockwise from *first*, ranks high to low."""
        hands = " ".join([self.hand_pbn(first.next(step)) for step in range(4)])
        return f"{first.letter}:{hands}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deal) and self._owners == other._owners

    def __hash__(self) -> int:
        return hash(self._owners)

    def __repr__(self) -> str:
        return f"Deal({self.pbn()!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Deal, (self._owners,))


def _quick_owners(text: str) -> bytes | None:
    """The owners of a faultless deal written in the plain way, None for any other text.

    Each hand has 13 letters and three dots; so if no card is left without an owner, none is twice.
    """
    seat = SEAT_LETTERS.find(text[:1])
    hands = text[2:].split(" ")
    if len(hands) != 4 or seat < 0 or text[1] != ":":
        return None
    owners = bytearray(_EMPTY)
    try:
        for hand in hands:
            spades, hearts, diamonds, clubs = hand.split(".")
            if len(hand) != 16:
                return None
            for letter in spades:
                owners[_SPADE_AT[letter]] = seat
            for letter in hearts:
                owners[_HEART_AT[letter]] = seat
            for letter in diamonds:
                owners[_DIAMOND_AT[letter]] = seat
            for letter in clubs:
                owners[_CLUB_AT[letter]] = seat
            seat = (seat + 1) % 4
    except (KeyError, ValueError):
        return None
    return None if _NOBODY in owners else bytes(owners)


def _give(owners: bytearray, card: Card, seat: Seat) -> None:
    held = owners[card.index]
    if held == seat:
        raise DealError("deal.card_twice", card=card, hand=seat)
    if held != _NOBODY:
        raise DealError("deal.card_in_two_hands", card=card, hand=_SEATS[held], other=seat)
    owners[card.index] = seat


def _give_pbn(owners: bytearray, hand: str, seat: Seat) -> None:
    suits = hand.split(".")
    if len(suits) != 4:
        raise DealError("deal.not_four_suits", hand=seat, text=hand)
    for base, holding in zip((0, 13, 26, 39), suits, strict=True):
        for letter in holding:
            place = _RANK_AT.get(letter)
            if place is None:
                raise DealError("deal.no_rank", hand=seat, text=letter)
            if owners[base + place] != _NOBODY:
                _give(owners, CARDS[base + place], seat)
            owners[base + place] = seat


def _wrong_count(owners: bytes, seat: Seat, count: int) -> DealError:
    missing = [CARDS[i] for i, owner in enumerate(owners) if owner > 3]
    if missing:
        return DealError("deal.hand_count_missing", hand=seat, count=count, cards=missing)
    return DealError("deal.hand_count", hand=seat, count=count)
