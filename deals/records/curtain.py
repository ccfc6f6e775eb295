"""Curtain cards: a slip for each hand, kept in its pocket, to check the hand against (Law 7B2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deals.boards import Board
from deals.cards import Seat, Suit
from deals.records.diagram import Rect, spaced
from deals.records.ink import colour_of
from deals.records.model import Entry, Heading, Style
from deals.records.pages import cells
from deals.records.pdf import GREY, MM, Align, Face, Paper, Pdf
from deals.words import term

_BORDER: Final = 8 * MM


def curtain_cards(
    boards: Sequence[Board],
    heading: Heading,
    style: Style | None = None,
    paper: Paper = Paper.A4,
) -> tuple[bytes, int]:
    """The PDF, two boards a page, to be cut along the lines, and its number of pages."""
    style = style or Style()
    pdf = Pdf(paper, title=style.word("curtain_title"), lang=style.lang)
    body = Rect(_BORDER, _BORDER, pdf.width - 2 * _BORDER, pdf.height - 2 * _BORDER)
    slips = [(board, seat) for board in boards for seat in Seat]
    pages = max(1, -(-len(slips) // 8))
    for page in range(pages):
        if page:
            pdf.next_page()
        here = slips[page * 8 : page * 8 + 8]
        for (board, seat), cell in zip(here, cells(body, 2, 4), strict=False):
            _slip(pdf, cell, board, seat, heading, style)
    return pdf.to_bytes(), pages


def _slip(pdf: Pdf, cell: Rect, board: Board, seat: Seat, heading: Heading, style: Style) -> None:
    pdf.box(cell.x, cell.y, cell.width, cell.height, line=0.4, colour=GREY)
    inner = cell.inner(5 * MM, 4 * MM)
    right = inner.x + inner.width
    name = term(seat.word, style.lang)
    width = pdf.text(inner.x, inner.y + 26, str(board.number), 32, face=Face.BOLD)
    pdf.text(inner.x + width + 8, inner.y + 26, name, 20, face=Face.BOLD, room=110)
    room = inner.width - width - 126
    marks = f"{style.vulnerable(board.vulnerable)}"
    pdf.text(right, inner.y + 9, style.dealer(board), 9, align=Align.RIGHT, room=room)
    noun = style.word("vulnerability")
    pdf.text(right, inner.y + 20, noun, 9, align=Align.RIGHT, room=room)
    pdf.text(right, inner.y + 31, marks, 9, face=Face.BOLD, align=Align.RIGHT, room=room)
    size = 19.0
    for suit in Suit:
        y = inner.y + 58 + suit * 1.22 * size
        pdf.text(inner.x, y, suit.symbol, size, colour=colour_of(suit, style))
        room = inner.width - 1.2 * size
        cards = spaced(style.holding(Entry(board), seat, suit), size, room)
        pdf.text(inner.x + 1.2 * size, y, cards, size, room=room)
    bottom = inner.y + inner.height
    code = style.set_line(heading)
    taken = pdf.text(right, bottom, code, 8, align=Align.RIGHT)
    occasion = style.occasion(heading) or style.title(heading)
    pdf.text(inner.x, bottom, occasion, 8, room=inner.width - taken - 10)
