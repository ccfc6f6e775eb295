"""Travellers: a slip that goes with its board and takes the results of all tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deals.boards import Board
from deals.records.diagram import Rect
from deals.records.model import Heading, Style
from deals.records.pages import cells
from deals.records.pdf import GREY, MM, Align, Face, Paper, Pdf

_BORDER: Final = 8 * MM
_ROWS: Final = 14
_SHARES: Final = (2, 2, 2.9, 2.5, 2, 2.3, 2.3)
"""Widths of the columns: pairs, contract, declarer, tricks, points of either side."""


def travellers(
    boards: Sequence[Board],
    heading: Heading,
    style: Style | None = None,
    paper: Paper = Paper.A4,
) -> tuple[bytes, int]:
    """The PDF, four boards a page, and its number of pages; no card is on it."""
    style = style or Style()
    pdf = Pdf(paper, title=style.word("traveller_title"), lang=style.lang)
    body = Rect(_BORDER, _BORDER, pdf.width - 2 * _BORDER, pdf.height - 2 * _BORDER)
    pages = max(1, -(-len(boards) // 4))
    for page in range(pages):
        if page:
            pdf.next_page()
        here = boards[page * 4 : page * 4 + 4]
        for board, cell in zip(here, cells(body, 2, 2), strict=False):
            _slip(pdf, cell, board, heading, style)
    return pdf.to_bytes(), pages


def _slip(pdf: Pdf, cell: Rect, board: Board, heading: Heading, style: Style) -> None:
    pdf.box(cell.x, cell.y, cell.width, cell.height, line=0.4, colour=GREY)
    inner = cell.inner(4 * MM, 4 * MM)
    right = inner.x + inner.width
    width = pdf.text(inner.x, inner.y + 24, str(board.number), 30, face=Face.BOLD)
    left, room = inner.x + width + 8, inner.width - width - 16
    shown = style.vulnerable(board.vulnerable)
    pdf.text(left, inner.y + 10, style.dealer(board), 9, room=room / 2)
    pdf.text(left, inner.y + 23, f"{style.word('vulnerability')} {shown}", 9, room=room * 0.43)
    code = style.set_line(heading)
    pdf.text(right, inner.y + 10, code, 9, align=Align.RIGHT, room=room / 2)
    occasion = style.occasion(heading) or style.title(heading)
    pdf.text(right, inner.y + 23, occasion, 8, align=Align.RIGHT, room=room * 0.55)
    _table(pdf, Rect(inner.x, inner.y + 32, inner.width, inner.height - 32), style)


def _table(pdf: Pdf, rect: Rect, style: Style) -> None:
    names = style.word("traveller_columns").split("|")
    height = rect.height / (_ROWS + 1)
    unit = rect.width / sum(_SHARES)
    x = rect.x
    for name, share in zip(names, _SHARES, strict=True):
        middle = x + share * unit / 2
        y = rect.y + height * 0.68
        pdf.text(middle, y, name, 8, face=Face.BOLD, align=Align.CENTRE, room=share * unit - 3)
        x += share * unit
        if x < rect.x + rect.width - 1:
            pdf.line(x, rect.y, x, rect.y + rect.height, width=0.3, colour=GREY)
    pdf.box(rect.x, rect.y, rect.width, rect.height, line=0.8)
    for row in range(1, _ROWS + 1):
        y = rect.y + row * height
        pdf.line(rect.x, y, rect.x + rect.width, y, width=0.8 if row == 1 else 0.3, colour=GREY)
