"""Boards that are hard to print, and a heading that is too long."""

from __future__ import annotations

from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.deal import Deal
from deals.doubledummy.cache import table_from
from deals.records.model import Entry, Heading, Origin
from deals.scoring import par
from deals.tricks import Par, ParContract, Strain, TrickTable
from tests.unit.deals.strategies import shuffled

CODE = "KH7-4MQ-9RH"
HEADING = Heading(CODE, "Thursday pairs", "Club championship", "2026-11-30", "2", Origin.GENERATED)
LONG = "Το μεγάλο διασυλλογικό τουρνουά της Θεσσαλονίκης και των περιχώρων, " * 3


def table(seed: int) -> TrickTable:
    """Tricks that no deal needs to have; both partners make different numbers."""
    return table_from([(seed * 7 + place * 5 + place * place) % 14 for place in range(20)])


def entry(number: int, deal: Deal, **values: object) -> Entry:
    board = Board.standard(number, deal)
    tricks = table(number)
    return Entry(board, tricks, par(tricks, board.dealer, board.vulnerable), **values)


def hard() -> list[Entry]:
    """36 boards: whole suits, long suits, voids, high numbers, many par contracts, remarks."""
    found = [entry(number, shuffled(number)) for number in range(1, 30)]
    for turn in range(4):  # each seat one whole suit
        owners = bytes((suit + turn) % 4 for suit in range(4) for _ in range(13))
        found.append(entry(30 + turn, Deal(owners)))
    # Everyone makes the same everywhere: as many par contracts as can be.
    flat = table_from([7] * 20)
    board = Board(117, Seat.W, Vulnerability.ALL, shuffled(99))
    many = tuple(
        ParContract(side, 5, strain, doubled=True, result=-3)
        for side in ("EW", "N")
        for strain in Strain
    )
    found.append(Entry(board, flat, Par(800, many), replaces=True))
    long = Deal.from_pbn("N:AKQJT98765.2.2.2 .AKQJT9.AKQJT98. 432.87654.7654.3 .3.3.AKQJT987654")
    found.append(entry(1116, long, replaces=True))
    found.append(Entry(Board.standard(118, shuffled(5))))
    return found
