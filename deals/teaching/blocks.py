"""Arranging teaching deals: the same deals for many tables, other numbers, other seats, lessons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deals.boards import MOST_BOARDS, Board, Vulnerability, dealer_of, vulnerability_of
from deals.deal import Deal
from deals.errors import DealError

_ACROSS = {Vulnerability.NS: Vulnerability.EW, Vulnerability.EW: Vulnerability.NS}


@dataclass(frozen=True, slots=True)
class Lesson:
    """Text for a TEACHING set: a title, and a text for the boards that have one."""

    title: str
    texts: Mapping[int, str] = field(default_factory=dict)


def block(deals: Sequence[Board], copies: int, first: int = 1) -> tuple[Board, ...]:
    """*deals* again and again for *copies* tables, in boards numbered from *first*.

    Each board keeps dealer and vulnerability of its deal, whatever its own number would give: the
    markings of the lesson are the true ones (Law 2: markings of one's own apply).
    """
    if copies < 1 or not deals or len(deals) * copies > MOST_BOARDS:
        raise DealError("teaching.no_block", deals=len(deals), copies=copies)
    return tuple(
        replace(board, number=first + table * len(deals) + place)
        for table in range(copies)
        for place, board in enumerate(deals)
    )


def origins(deals: Sequence[Board], copies: int, first: int = 1) -> dict[int, int]:
    """Which deal (by its own number) lies in which board of `block`."""
    boards = block(deals, copies, first)
    return {board.number: deals[i % len(deals)].number for i, board in enumerate(boards)}


def move(board: Board, numbers: Iterable[int]) -> Board:
    """*board* under the first of *numbers* whose own markings (Law 2) are those of the deal."""
    for number in numbers:
        if (dealer_of(number), vulnerability_of(number)) == (board.dealer, board.vulnerable):
            return replace(board, number=number)
    raise DealError(
        "teaching.no_fit", board=board.number, dealer=board.dealer, vulnerable=board.vulnerable
    )


def rotate(board: Board, steps: int) -> Board:
    """The same deal with every hand *steps* seats further clockwise, dealer and vulnerable too.

    The number stays, so the markings may no longer be those of Law 2: `move` finds one that fits.
    """
    owners = bytes((owner + steps) % 4 for owner in board.deal.owners)
    vulnerable = board.vulnerable
    if steps % 2:
        vulnerable = _ACROSS.get(vulnerable, vulnerable)
    return Board(board.number, board.dealer.next(steps), vulnerable, Deal(owners))
