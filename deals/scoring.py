"""Scores of duplicate bridge (Law 77), IMPs and matchpoints (Law 78), par from the 20 tricks.

All points are whole numbers as the declarer's side sees them, unless a name ends in `_ns`.
"""

from __future__ import annotations

import enum
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from deals.boards import Vulnerability
from deals.cards import Seat
from deals.errors import DealError
from deals.tricks import Par, ParContract, Strain, TrickTable

IMP_STEPS: Final = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750,
    2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip
"""Law 78B: the lowest difference in points for 1, 2, .. 24 IMPs."""
PASSED_OUT: Final = 0
"""Law 22: a board passed out scores 0 and is not dealt again."""
_MINORS: Final = (Strain.CLUBS, Strain.DIAMONDS)
_RISING: Final = (Strain.CLUBS, Strain.DIAMONDS, Strain.HEARTS, Strain.SPADES, Strain.NOTRUMP)


class Doubling(enum.IntEnum):
    """How often trick points count (Law 77)."""

    UNDOUBLED = 1
    DOUBLED = 2
    REDOUBLED = 4


@dataclass(frozen=True, slots=True)
class Contract:
    """What the declarer's side has to make: level 1..7 in a strain; DealError for another level."""

    level: int
    strain: Strain
    doubling: Doubling = Doubling.UNDOUBLED

    def __post_init__(self) -> None:
        if not 1 <= self.level <= 7:
            raise DealError("score.level", level=self.level)

    @property
    def trick_points(self) -> int:
        """Points for the tricks bid: 20 or 30 each, the first in no trump 40, times the doubling."""
        each = 20 if self.strain in _MINORS else 30
        first = 10 if self.strain is Strain.NOTRUMP else 0
        return (self.level * each + first) * self.doubling


def score(contract: Contract, tricks: int, vulnerable: bool) -> int:
    """Points of the declarer's side for *tricks* 0..13 (Law 77); negative if the contract fails."""
    if not 0 <= tricks <= 13:
        raise DealError("score.tricks", tricks=tricks)
    over = tricks - 6 - contract.level
    if over < 0:
        return -_undertricks(-over, contract.doubling, vulnerable)
    points = contract.trick_points
    bonus = 50 if points < 100 else 500 if vulnerable else 300
    if contract.level == 6:
        bonus += 750 if vulnerable else 500
    elif contract.level == 7:
        bonus += 1500 if vulnerable else 1000
    # For a contract made doubled 50, redoubled 100.
    bonus += {Doubling.UNDOUBLED: 0, Doubling.DOUBLED: 50, Doubling.REDOUBLED: 100}[
        contract.doubling
    ]
    return points + bonus + over * _overtrick(contract, vulnerable)


def _overtrick(contract: Contract, vulnerable: bool) -> int:
    if contract.doubling is Doubling.UNDOUBLED:
        return 20 if contract.strain in _MINORS else 30
    return (100 if vulnerable else 50) * contract.doubling


def _undertricks(count: int, doubling: Doubling, vulnerable: bool) -> int:
    if doubling is Doubling.UNDOUBLED:
        return count * (100 if vulnerable else 50)
    first = (200,) if vulnerable else (100, 200, 200)
    return (sum(first[:count]) + 300 * max(0, count - len(first))) * doubling // 2


def imps(difference: int) -> int:
    """International match points of a *difference* in points, with its sign (Law 78B): -24..24."""
    found = bisect_right(IMP_STEPS, abs(difference))
    return -found if difference < 0 else found


def matchpoints(scores: Sequence[int]) -> list[int]:
    """Matchpoints of each score of one board: 2 for each score beaten, 1 for each equal (Law 78A).

    Half points thus stay whole; the top is 2 * (count - 1).
    """
    return [
        sum((own > other) * 2 + (own == other) for other in scores) - 1  # not against itself
        for own in scores
    ]


@dataclass(frozen=True, slots=True)
class _Bid:
    """A contract as one side may bid it: its points for North-South, and who can declare it so."""

    side: int
    level: int
    strain: Strain
    doubled: bool
    points_ns: int
    tricks: int
    seats: tuple[Seat, ...]


def par(table: TrickTable, dealer: Seat, vulnerable: Vulnerability) -> Par:
    """Par score and contracts when both sides see all cards; DealError if one of 20 is missing.

    An exact search of the auction as a game between two sides: a bid that fails is doubled, one
    that makes is not, and whoever can do better bids on. Where both sides could profit from the
    same contract the dealer's side comes first.
    """
    bids = [_bids_of(table, side, vulnerable) for side in (0, 1)]
    # final[side][n]: points if that side holds its n-th contract and bidding is best from there.
    final: list[list[int]] = [[0] * 35, [0] * 35]
    best = [-(10**6), -(10**6)]  # what each side gets at best, as it sees it, by bidding above n
    for n in reversed(range(35)):
        held = []
        for side in (0, 1):
            stays = bids[side][n].points_ns
            other = 1 - side
            # The opponents pass, or bid on if that is better for them.
            held.append(_sign(other) * max(_sign(other) * stays, best[other]))
            final[side][n] = held[side]
        for side in (0, 1):
            best[side] = max(best[side], _sign(side) * held[side])
    first = dealer % 2
    # If the dealer's side passes, the others bid where they profit, or the board is passed out.
    result = _sign(first) * max(best[first], -max(best[1 - first], PASSED_OUT))
    return Par(result, tuple(_contracts(bids, final, result)))


def _sign(side: int) -> int:
    return -1 if side else 1


def _bids_of(table: TrickTable, side: int, vulnerable: Vulnerability) -> list[_Bid]:
    """The 35 contracts of a side in rising order, each by the partner who makes more tricks."""
    bids = []
    seats = (Seat(side), Seat(side + 2))
    for level in range(1, 8):
        for strain in _RISING:
            tricks = [_tricks(table, seat, strain) for seat in seats]
            most = max(tricks)
            doubled = most < level + 6
            doubling = Doubling.DOUBLED if doubled else Doubling.UNDOUBLED
            points = score(Contract(level, strain, doubling), most, vulnerable.includes(Seat(side)))
            able = tuple(seat for seat, n in zip(seats, tricks, strict=True) if n == most)
            bids.append(_Bid(side, level, strain, doubled, _sign(side) * points, most, able))
    return bids


def _tricks(table: TrickTable, seat: Seat, strain: Strain) -> int:
    tricks = table.of(seat, strain)
    if tricks is None:
        raise DealError("score.table_incomplete", hand=seat, strain=strain.letter)
    return tricks


def _contracts(
    bids: Sequence[Sequence[_Bid]], final: Sequence[Sequence[int]], result: int
) -> list[ParContract]:
    """Every contract that brings *result* and that the opponents cannot better."""
    found = []
    for n in range(35):
        for side in (0, 1):
            bid = bids[side][n]
            if not bid.points_ns == final[side][n] == result or result == PASSED_OUT:
                continue
            above = (_sign(side) * other.points_ns for other in bids[1 - side][n + 1 :])
            if min(above, default=_sign(side) * result) < _sign(side) * result:
                continue  # the auction would go on, if only to come back here higher
            who = ("NS", "EW")[side] if len(bid.seats) == 2 else bid.seats[0].letter
            over = bid.tricks - 6 - bid.level
            found.append(ParContract(who, bid.level, bid.strain, bid.doubled, over))
    return found
