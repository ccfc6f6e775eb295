"""Numbered boards: dealer and vulnerability by number (Law 2), or as the director marked them."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

from deals.cards import Seat
from deals.deal import Deal
from deals.errors import DealError


class Vulnerability(enum.Enum):
    """Who is vulnerable; the value is the export spelling of PBN."""

    NONE = "None"
    NS = "NS"
    EW = "EW"
    ALL = "All"

    @property
    def word(self) -> str:
        """Name of its term in the catalogue."""
        return f"vulnerability.{self.name.lower()}"

    def includes(self, seat: Seat) -> bool:
        """Whether *seat*'s side is vulnerable."""
        if self is Vulnerability.ALL:
            return True
        return self is (Vulnerability.EW if seat % 2 else Vulnerability.NS)


class Scheme(enum.Enum):
    """How number gives dealer and vulnerability."""

    DUPLICATE = "duplicate"
    """Law 2: repeats every 16 boards."""
    CHICAGO = "chicago"
    """Four deals: none, dealer's side, dealer's side, all (the rules page: "a cycle of four")."""
    CHICAGO_OTHER_SIDE = "chicago-other-side"
    """The variant: the side that does not deal is vulnerable on deals 2 and 3."""


MOST_BOARDS: Final = 100_000
"""No set is larger; a range beyond it is a slip of the finger."""
_SEATS: Final = tuple(Seat)
_N, _V, _E, _A = Vulnerability.NONE, Vulnerability.NS, Vulnerability.EW, Vulnerability.ALL
_CYCLES = {
    Scheme.DUPLICATE: (_N, _V, _E, _A, _V, _E, _A, _N, _E, _A, _N, _V, _A, _N, _V, _E),
    Scheme.CHICAGO: (_N, _E, _V, _A),
    Scheme.CHICAGO_OTHER_SIDE: (_N, _V, _E, _A),
}


def dealer_of(number: int) -> Seat:
    """The dealer of board *number* >= 1 (Law 2): N E S W in turn."""
    return _SEATS[(_positive(number) - 1) % 4]


def vulnerability_of(number: int, scheme: Scheme = Scheme.DUPLICATE) -> Vulnerability:
    """The vulnerability of board *number* >= 1 (Law 2; 17 is as 1)."""
    cycle = _CYCLES[scheme]
    return cycle[(_positive(number) - 1) % len(cycle)]


@dataclass(frozen=True, slots=True)
class Board:
    """A deal under its number, with the markings that apply to it (Law 2)."""

    number: int
    dealer: Seat
    vulnerable: Vulnerability
    deal: Deal

    def __post_init__(self) -> None:
        _positive(self.number)

    @classmethod
    def standard(cls, number: int, deal: Deal, scheme: Scheme = Scheme.DUPLICATE) -> Board:
        """A board whose markings follow from its number."""
        return cls(number, dealer_of(number), vulnerability_of(number, scheme), deal)

    @property
    def is_standard(self) -> bool:
        """Whether the markings are those of Law 2 for this number."""
        number = self.number
        return (self.dealer, self.vulnerable) == (dealer_of(number), vulnerability_of(number))


def _positive(number: int) -> int:
    if number < 1:
        raise DealError("board.number_not_positive", number=number)
    return number


def parse_numbers(text: str) -> tuple[int, ...]:
    """Board numbers from "1-16" or "1-4,7", in order, each once; DealError if it is neither."""
    numbers: set[int] = set()
    for part in text.split(","):
        low, dash, high = (piece.strip() for piece in part.partition("-"))
        if not (low.isdecimal() and (high.isdecimal() or not dash)) or len(low + high) > 12:
            raise DealError("board.no_range", text=text)
        first, last = int(low), int(high or low)
        if not 1 <= first <= last or last - first > MOST_BOARDS:
            raise DealError("board.no_range", text=text)
        numbers.update(range(first, last + 1))
    return tuple(sorted(numbers))
