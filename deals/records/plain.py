"""Hand records as plain text: for mail, for a screen reader, for who copies and pastes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deals.cards import Seat, Suit
from deals.records.model import STRAINS, Entry, Heading, Style

_SIDE: Final = 20
"""Columns of west, and of what stands left of north."""
_WIDTH: Final = 78


def plain_records(entries: Sequence[Entry], heading: Heading, style: Style | None = None) -> str:
    """The text of *entries*; lines end in LF and are at most about 78 signs long."""
    style = style or Style()
    head = [
        style.title(heading),
        style.occasion(heading),
        style.word("set", code=heading.set_code),
        style.origin(heading),
        style.logbook(heading),
    ]
    blocks = ["\n".join(line for line in head if line)]
    blocks += ["\n".join(_board(entry, style)) for entry in entries]
    return ("\n" + "-" * _WIDTH + "\n").join(blocks) + "\n"


def _board(entry: Entry, style: Style) -> list[str]:
    board = entry.board
    vulnerable = f"{style.word('vulnerability')}: {style.vulnerable(board.vulnerable)}"
    number = style.word("board", number=board.number)
    lines = [f"{number}   {style.dealer(board)}   {vulnerable}", *style.remarks(entry)]
    hands = {seat: _hand(entry, seat, style) for seat in Seat}
    indent = " " * _SIDE
    lines += [indent + line for line in hands[Seat.N]]
    for west, east in zip(hands[Seat.W], hands[Seat.E], strict=True):
        lines.append(f"{west:<{2 * _SIDE}}{east}")
    lines += [indent + line for line in hands[Seat.S]]
    points = "  ".join(f"{style.seat(seat)} {entry.points(seat)}" for seat in Seat)
    lines.append(f"{style.word('points')}: {points}")
    if entry.table is not None:
        lines.append("    " + "".join(f"{style.strain(strain):>4}" for strain in STRAINS))
        for seat in (Seat.N, Seat.S, Seat.E, Seat.W):
            tricks = (entry.table.of(seat, strain) for strain in STRAINS)
            cells = "".join(f"{'?' if n is None else n:>4}" for n in tricks)
            lines.append(f"   {style.seat(seat)}{cells}")
    if entry.par is not None:
        contracts = ", ".join(style.par_contracts(entry.par))
        score = f"{style.word('par')} {style.par_score(entry.par)}"
        lines.append(f"{score}: {contracts}" if contracts else score)
    return lines


def _hand(entry: Entry, seat: Seat, style: Style) -> list[str]:
    return [f"{suit.symbol} {' '.join(style.holding(entry, seat, suit))}" for suit in Suit]
