"""The sheet for dealing by hand: to which pocket each card of a sorted pack goes.

The fallback when the machine is down, for a board that it left half done too: cards that already
lie in their pockets are left out. Whoever deals sees seats in deck order, never a hand.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from deals.boards import Board
from deals.cards import CARDS, Card, Seat, Suit
from deals.records.diagram import Rect
from deals.records.ink import colour_of
from deals.records.model import Heading, Style
from deals.records.pages import MARGIN, Frame
from deals.records.pdf import GREY, Align, Face, Paper, Pdf

_BOARDS_A_PAGE: Final = 6
_LEFT_OUT: Final = "·"


def by_hand_sheet(
    boards: Sequence[Board],
    heading: Heading,
    style: Style | None = None,
    paper: Paper = Paper.A4,
    dealt: Collection[Card] = (),
) -> tuple[bytes, int]:
    """The PDF of *boards* and its pages; *dealt* are cards that are in their pockets already."""
    style = style or Style()
    pdf = Pdf(paper, title=style.word("by_hand_title"), lang=style.lang)
    pages = max(1, -(-len(boards) // _BOARDS_A_PAGE))
    for page in range(pages):
        if page:
            pdf.next_page()
        frame = Frame(pdf, heading, style, 9.5, kind="by_hand_title")
        frame.draw(page + 1, pages, legend=False)
        body = _explain(pdf, frame.body, style, bool(dealt), _counts(boards, style, dealt))
        height = body.height / _BOARDS_A_PAGE
        here = boards[page * _BOARDS_A_PAGE : (page + 1) * _BOARDS_A_PAGE]
        for place, board in enumerate(here):
            _board(
                pdf,
                Rect(body.x, body.y + place * height, body.width, height),
                board,
                style,
                dealt,
            )
    return pdf.to_bytes(), pages


def seats_in_deck_order(board: Board, dealt: Collection[Card] = ()) -> list[Seat | None]:
    """52 seats, SA SK .. S2, HA .. C2; None for a card that is dealt already."""
    return [None if card in dealt else board.deal.seat_of(card) for card in CARDS]


def _counts(boards: Sequence[Board], style: Style, dealt: Collection[Card]) -> str:
    """How many cards lie in each pocket of the one board that is half done; empty for none."""
    if not dealt or len(boards) != 1:
        return ""
    seats = [boards[0].deal.seat_of(card) for card in dealt]
    return "  ".join(f"{style.seat(seat)} {seats.count(seat)}" for seat in Seat)


def _explain(pdf: Pdf, body: Rect, style: Style, half: bool, counts: str) -> Rect:
    """How to sort and deal, above the boards; returns what is left."""
    size = 9.0
    lines = style.word("by_hand_how").split(". ")
    lines = [line if line.endswith(".") else f"{line}." for line in lines]
    if half:
        lines.append(style.word("by_hand_rest"))
    if counts:
        lines.append(style.word("by_hand_counts", counts=counts))
    y = body.y + 1.3 * size
    for line in lines:
        pdf.text(body.x, y, line, size, room=body.width)
        y += 1.25 * size
    top = y
    return Rect(body.x, top, body.width, body.y + body.height - top)


def _board(pdf: Pdf, cell: Rect, board: Board, style: Style, dealt: Collection[Card]) -> None:
    pdf.line(MARGIN, cell.y, pdf.width - MARGIN, cell.y, width=0.4, colour=GREY)
    left, top = cell.x + 78, cell.y + 5
    width, height = (cell.width - 78 - 18) / 13, (cell.height - 10) / 4
    pdf.text(cell.x, top + 26, str(board.number), 28, face=Face.BOLD, room=54)
    pdf.text(cell.x, top + 41, style.dealer(board), 9, room=54)
    shown = style.vulnerable(board.vulnerable)
    pdf.text(cell.x, top + 53, style.word("vulnerability"), 9, room=54)
    pdf.text(cell.x, top + 65, shown, 9, face=Face.BOLD, room=54)
    seats = seats_in_deck_order(board, dealt)
    for suit in Suit:
        y = top + suit * height
        colour = colour_of(suit, style)
        pdf.text(left - 8, y + height * 0.7, suit.symbol, 14, colour=colour, align=Align.RIGHT)
        for place in range(13):
            x = left + place * width
            pdf.box(x, y, width, height, line=0.3, colour=GREY)
            seat = seats[suit * 13 + place]
            letter = _LEFT_OUT if seat is None else style.seat(seat)
            pdf.text(
                x + width / 2,
                y + height * 0.72,
                letter,
                min(15.0, height * 0.75),
                face=Face.BOLD,
                align=Align.CENTRE,
            )
        rest = sum(seat is not None for seat in seats[: suit * 13 + 13])
        pdf.text(
            cell.x + cell.width, y + height * 0.7, str(rest), 7, colour=GREY, align=Align.RIGHT
        )
