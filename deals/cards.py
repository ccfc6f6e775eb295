"""Suits, ranks, seats and the 52 cards (Law 1), each card one shared immutable object."""

from __future__ import annotations

import enum
from typing import Final, NoReturn

from deals.errors import DealError

RANK_LETTERS: Final = "AKQJT98765432"
SUIT_LETTERS: Final = "SHDC"
SEAT_LETTERS: Final = "NESW"


class Suit(enum.IntEnum):
    """In the order of deal files: spades 0, hearts 1, diamonds 2, clubs 3."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3

    @property
    def letter(self) -> str:
        """S, H, D or C, as in files."""
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """The suit's pip."""
        return "♠♥♦♣"[self]

    @property
    def word(self) -> str:
        """Name of its term in the catalogue."""
        return f"suit.{self.name.lower()}"


class Rank(enum.IntEnum):
    """In the order of deal files, high to low: ace 0 .. two 12."""

    ACE = 0
    KING = 1
    QUEEN = 2
    JACK = 3
    TEN = 4
    NINE = 5
    EIGHT = 6
    SEVEN = 7
    SIX = 8
    FIVE = 9
    FOUR = 10
    THREE = 11
    TWO = 12

    @property
    def letter(self) -> str:
        """A K Q J T 9 .. 2, as in files."""
        return RANK_LETTERS[self]

    @property
    def word(self) -> str:
        """Name of its term in the catalogue."""
        return f"rank.{self.name.lower()}"


class Seat(enum.IntEnum):
    """Clockwise: north 0, east 1, south 2, west 3."""

    N = 0
    E = 1
    S = 2
    W = 3

    @property
    def letter(self) -> str:
        """N, E, S or W, as in files."""
        return SEAT_LETTERS[self]

    @property
    def word(self) -> str:
        """Name of its term in the catalogue."""
        return ("seat.north", "seat.east", "seat.south", "seat.west")[self]

    @property
    def partner(self) -> Seat:
        """The seat across the table."""
        return Seat((self + 2) % 4)

    def next(self, steps: int = 1) -> Seat:
        """The seat *steps* places clockwise."""
        return Seat((self + steps) % 4)

    @classmethod
    def parse(cls, text: str) -> Seat:
        """From "N", "e", "South" ...; DealError "seat.unknown" otherwise."""
        seat = _SEAT_BY_TEXT.get(text)
        if seat is None:
            seat = _SEAT_BY_TEXT.get(text.strip().upper())
        if seat is None:
            raise DealError("seat.unknown", text=text)
        return seat


_SEAT_BY_TEXT: Final = {seat.letter: seat for seat in Seat} | {
    "NORTH": Seat.N,
    "EAST": Seat.E,
    "SOUTH": Seat.S,
    "WEST": Seat.W,
}


class Card:
    """One of the 52. `Card(suit, rank)` returns the shared object, so `is` and `==` are the same.

    `index` is 0..51 in the order SA SK .. S2, HA .. C2, the order of every machine format.
    """

    __slots__ = ("_text", "index", "rank", "suit")

    suit: Suit
    rank: Rank
    index: int
    _text: str

    def __new__(cls, suit: Suit, rank: Rank) -> Card:
        return CARDS[suit * 13 + rank]

    @classmethod
    def _make(cls, index: int) -> Card:
        card = object.__new__(cls)
        suit, rank = divmod(index, 13)
        put = object.__setattr__
        put(card, "suit", Suit(suit))
        put(card, "rank", Rank(rank))
        put(card, "index", index)
        put(card, "_text", SUIT_LETTERS[suit] + RANK_LETTERS[rank])
        return card

    @classmethod
    def parse(cls, text: str) -> Card:
        """From "SA", "ht", "H10"; DealError "card.unknown" otherwise."""
        short = text.strip().upper().replace("10", "T")
        card = _BY_TEXT.get(short)
        if card is None:
            raise DealError("card.unknown", text=text)
        return card

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self._text}: a card does not change")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{self._text}: a card does not change")

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Card({self._text})"

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return (Card, (self.suit, self.rank))


CARDS: Final[tuple[Card, ...]] = tuple(Card._make(index) for index in range(52))
"""The pack in index order."""
_BY_TEXT: Final = {str(card): card for card in CARDS}
