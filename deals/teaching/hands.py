"""What can be said of many hands at once: points, lengths, shapes, controls, losers; with NumPy."""

from __future__ import annotations

from itertools import permutations
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from deals.cards import Card, Seat, Suit
from deals.generate.bulk import Owners

Numbers = npt.NDArray[np.int16]
Truths = npt.NDArray[np.bool_]
Seats = tuple[Seat, ...]
_POINTS: Final = (4, 3, 2, 1)
_CONTROLS: Final = (2, 1)
_PLACES: Final = np.array([1, 14, 14**2, 14**3], np.int32)


def _weights() -> npt.NDArray[np.float32]:
    """52 rows; columns: length, points and controls of each suit, then all of each."""
    table = np.zeros((52, 15), np.float32)
    for suit in range(4):
        table[13 * suit : 13 * suit + 13, suit] = 1
        table[13 * suit : 13 * suit + 4, 4 + suit] = _POINTS
        table[13 * suit : 13 * suit + 2, 8 + suit] = _CONTROLS
    for kind in range(3):
        table[:, 12 + kind] = table[:, 4 * kind : 4 * kind + 4].sum(axis=1)
    return table


_WEIGHTS: Final = _weights()
_LENGTH, _HCP, _CONTROL = range(3)
# Larger products are spread over all cores by BLAS, whose threads then wait and burn time.
_FEW: Final = 256


class Hands:
    """A batch of deals (rows of owners); every answer has one entry a deal."""

    def __init__(self, owners: Owners) -> None:
        self._owners = owners
        self._tables: dict[Seat, Numbers] = {}

    def __len__(self) -> int:
        return len(self._owners)

    def rows(self, places: npt.NDArray[np.intp]) -> Hands:
        """Only these deals."""
        return Hands(self._owners[places])

    def hcp(self, seats: Seats, suit: Suit | None = None) -> Numbers:
        """High-card points (ace 4 .. jack 1), in one suit or all."""
        return self._sum(seats, _HCP, suit)

    def length(self, seats: Seats, suit: Suit) -> Numbers:
        """Cards in *suit*."""
        return self._sum(seats, _LENGTH, suit)

    def controls(self, seats: Seats, suit: Suit | None = None) -> Numbers:
        """Aces count 2, kings 1."""
        return self._sum(seats, _CONTROL, suit)

    def losers(self, seat: Seat, suit: Suit | None = None) -> Numbers:
        """Missing ace, king and queen, in each suit no more than its length."""
        if suit is None:
            each = [self.losers(seat, one) for one in Suit]
            return np.asarray(np.sum(each, axis=0), np.int16)
        length = self.length((seat,), suit)
        base = 13 * suit
        lost: Numbers = np.zeros(len(self), np.int16)
        for place in range(3):
            lost += (self._owners[:, base + place] != seat) & (length > place)
        return lost

    def top(self, seats: Seats, suit: Suit, count: int) -> Numbers:
        """How many of the *count* highest cards of *suit*."""
        held = self._held(seats, slice(13 * suit, 13 * suit + count))
        return np.asarray(held.sum(axis=1), np.int16)

    def has(self, seats: Seats, cards: tuple[Card, ...]) -> Truths:
        """Whether all of *cards* are there."""
        places = [card.index for card in cards]
        return np.asarray(self._held(seats, places).all(axis=1), np.bool_)

    def lengths(self, seat: Seat) -> Numbers:
        """Four columns: spades, hearts, diamonds, clubs."""
        return self._table(seat)[:, :4]

    def shape(self, seat: Seat, patterns: frozenset[tuple[int, ...]]) -> Truths:
        """Whether the lengths (spades to clubs) are among *patterns*."""
        wanted = np.zeros(14**4, np.bool_)
        for pattern in patterns:
            wanted[np.array(pattern) @ _PLACES] = True
        return np.asarray(wanted[self.lengths(seat) @ _PLACES], np.bool_)

    def longest(self, seat: Seat) -> Numbers:
        """Cards in the longest suit."""
        return np.asarray(self.lengths(seat).max(axis=1), np.int16)

    def shortest(self, seat: Seat) -> Numbers:
        """Cards in the shortest suit."""
        return np.asarray(self.lengths(seat).min(axis=1), np.int16)

    def _held(self, seats: Seats, places: slice | list[int]) -> Truths:
        owners = self._owners[:, places]
        found = owners == seats[0]
        for seat in seats[1:]:
            found |= owners == seat
        return np.asarray(found, np.bool_)

    def _sum(self, seats: Seats, kind: int, suit: Suit | None) -> Numbers:
        column = 12 + kind if suit is None else 4 * kind + suit
        found = self._table(seats[0])[:, column]
        for seat in seats[1:]:
            found = found + self._table(seat)[:, column]
        return found

    def _table(self, seat: Seat) -> Numbers:
        if seat not in self._tables:
            held: Any = (self._owners == seat).astype(np.float32)
            table: Numbers = np.empty((len(held), _WEIGHTS.shape[1]), np.int16)
            for at in range(0, len(held), _FEW):
                table[at : at + _FEW] = held[at : at + _FEW] @ _WEIGHTS
            self._tables[seat] = table
        return self._tables[seat]


BALANCED: Final = frozenset(
    shape for base in ((4, 3, 3, 3), (4, 4, 3, 2), (5, 3, 3, 2)) for shape in permutations(base)
)
SEMI_BALANCED: Final = BALANCED | frozenset(
    shape for base in ((5, 4, 2, 2), (6, 3, 2, 2)) for shape in permutations(base)
)


def shape_patterns(text: str) -> frozenset[tuple[int, ...]] | None:
    """Lengths that fit "5431", "5-4-3-1", "any 4432" or "5xxx"; None if *text* is no shape."""
    words = text.split()
    anyhow = len(words) == 2 and words[0] == "any"
    if len(words) != 1 + anyhow:
        return None
    parts = words[-1].split("-") if "-" in words[-1] else list(words[-1])
    if len(parts) != 4 or not all(p == "x" or (p.isdecimal() and p.isascii()) for p in parts):
        return None
    wanted = [None if part == "x" else int(part) for part in parts]
    orders = set(permutations(wanted)) if anyhow else {tuple(wanted)}
    found = frozenset(
        shape
        for shape in _ALL_SHAPES
        if any(all(w in (None, n) for w, n in zip(o, shape, strict=True)) for o in orders)
    )
    return found or None


_ALL_SHAPES: Final = [
    (s, h, d, 13 - s - h - d) for s in range(14) for h in range(14 - s) for d in range(14 - s - h)
]
