"""Double-dummy facts as values: tricks of each declarer in each strain, par score and contracts."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from deals.cards import Seat


class Strain(enum.IntEnum):
    """What is trump; suits as in `deals.cards.Suit`."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3
    NOTRUMP = 4

    @property
    def letter(self) -> str:
        """S H D C or N."""
        return "SHDCN"[self]

    @classmethod
    def parse(cls, text: str) -> Strain | None:
        """From "S" or "NT"; None if it is neither."""
        at = "SHDCN".find(text.strip().upper().replace("NT", "N") or "?")
        return None if at < 0 else cls(at)


@dataclass(frozen=True, slots=True)
class TrickTable:
    """Tricks 0 .. 13 that a declarer makes in a strain; what is not stated is not in it."""

    tricks: Mapping[tuple[Seat, Strain], int]

    def of(self, declarer: Seat, strain: Strain) -> int | None:
        """Tricks of *declarer* in *strain*, None if not stated."""
        return self.tricks.get((declarer, strain))

    @property
    def complete(self) -> bool:
        """Whether all 20 are stated."""
        return len(self.tricks) == 20


@dataclass(frozen=True, slots=True)
class ParContract:
    """A contract of the par result: "NS" or a seat, level, strain; `result` is +n, 0, -n or None."""

    side: str
    level: int
    strain: Strain
    doubled: bool
    result: int | None = None


@dataclass(frozen=True, slots=True)
class Par:
    """Par of a board: the score as NS see it, None if only contracts are stated."""

    score_ns: int | None
    contracts: tuple[ParContract, ...] = ()
