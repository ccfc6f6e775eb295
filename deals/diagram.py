"""A board as text: the four hands at their compass places, for a terminal or a plain page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deals import words
from deals.boards import Board
from deals.cards import Seat, Suit

_COLUMN: Final = 20
VOID: Final = "—"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line; `suit` is set for a suit symbol, so that it can be coloured."""

    text: str
    suit: Suit | None = None


Line = tuple[Span, ...]


def diagram(board: Board, lang: str | None = None) -> list[Line]:
    """A heading and 12 lines: north above, west and east side by side, south below."""
    hands = {seat: _hand(board, seat) for seat in Seat}
    heading = words.text(
        "diagram.heading",
        {"board": board.number, "dealer": board.dealer, "vulnerable": board.vulnerable},
        lang,
    )
    lines: list[Line] = [(Span(heading),)]
    lines += [(Span(" " * _COLUMN), *spans) for spans in hands[Seat.N]]
    for west, east in zip(hands[Seat.W], hands[Seat.E], strict=True):
        width = sum(len(span.text) for span in west)
        lines.append((*west, Span(" " * (2 * _COLUMN - width)), *east))
    lines += [(Span(" " * _COLUMN), *spans) for spans in hands[Seat.S]]
    return lines


def plain(lines: list[Line]) -> str:
    """Lines without colour."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def _hand(board: Board, seat: Seat) -> list[Line]:
    holdings = board.deal.hand_pbn(seat).split(".")
    return [
        (Span(suit.symbol, suit), Span(" " + (" ".join(holding).replace("T", "10") or VOID)))
        for suit, holding in zip(Suit, holdings, strict=True)
    ]
