"""Hand records as PDF: 18, 4, 2 or 1 boards a page, or in large type, with the heading on each page."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from deals.records.diagram import Rect, Type, draw_board
from deals.records.model import Entry, Heading, Origin, Style
from deals.records.pdf import GREY, Align, Face, Paper, Pdf, text_width

MARGIN: Final = 20.0
"""Points left free on each side; office printers reach to about 12."""


class Layout(enum.Enum):
    """Boards a page, and how large; 36 boards fit both sides of one sheet in FULL."""

    FULL = "18"
    FOUR = "4"
    TWO = "2"
    ONE = "1"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class _Grid:
    columns: int
    rows: int
    widths: float
    """Width of a cell in type sizes of the cards: what the hands need side by side."""
    tall: bool
    small: float
    """Size of the small type in that of the cards."""
    heading: float
    """Type size of the heading."""


_GRIDS: Final = {
    Layout.FULL: _Grid(3, 6, 20.5, False, 0.82, 8.5),
    Layout.FOUR: _Grid(2, 2, 16.2, True, 0.78, 9.5),
    Layout.TWO: _Grid(1, 2, 21.5, False, 0.72, 10),
    Layout.ONE: _Grid(1, 1, 16.5, True, 0.70, 11),
    Layout.LARGE: _Grid(2, 2, 14.6, True, 0.88, 14),
}


def hand_records(
    entries: Sequence[Entry],
    heading: Heading,
    style: Style | None = None,
    layout: Layout = Layout.FULL,
    paper: Paper = Paper.A4,
) -> tuple[bytes, int]:
    """The PDF of *entries*, in their order, and its number of pages."""
    style = style or Style()
    grid = _GRIDS[layout]
    pdf = Pdf(paper, title=style.title(heading), lang=style.lang)
    per_page = grid.columns * grid.rows
    pages = max(1, -(-len(entries) // per_page))
    for page in range(pages):
        if page:
            pdf.next_page()
        frame = Frame(pdf, heading, style, grid.heading)
        frame.draw(page + 1, pages)
        here = entries[page * per_page : (page + 1) * per_page]
        _lines(pdf, frame.body, grid, len(here))
        for entry, cell in zip(here, cells(frame.body, grid.columns, grid.rows), strict=False):
            _board(pdf, cell, entry, style, grid)
    return pdf.to_bytes(), pages


def cells(body: Rect, columns: int, rows: int) -> Iterator[Rect]:
    """The cells of a page, row by row."""
    width, height = body.width / columns, body.height / rows
    for row in range(rows):
        for column in range(columns):
            yield Rect(body.x + column * width, body.y + row * height, width, height)


def _board(pdf: Pdf, cell: Rect, entry: Entry, style: Style, grid: _Grid) -> None:
    inner = cell.inner(cell.width * 0.03, cell.height * 0.023)
    lines = 12.44 * 1.18 + (0.5 + 5 * 1.25 * grid.small if grid.tall else 0)
    size = min(inner.width / grid.widths, inner.height / lines)
    form = Type(size, grid.small * size, 1.9 * size, grid.tall)
    draw_board(pdf, inner, entry, style, form)


def _lines(pdf: Pdf, body: Rect, grid: _Grid, count: int) -> None:
    """Thin lines between the cells that are used."""
    rows = -(-count // grid.columns)
    width, height = body.width / grid.columns, body.height / grid.rows
    bottom = body.y + rows * height
    for column in range(1, grid.columns):
        x = body.x + column * width
        pdf.line(x, body.y, x, bottom, width=0.4, colour=GREY)
    for row in range(1, rows + 1):
        y = body.y + row * height
        pdf.line(body.x, y, body.x + body.width, y, width=0.4, colour=GREY)


class Frame:
    """Heading and foot of a page; `body` is what is left for its content."""

    def __init__(
        self, pdf: Pdf, heading: Heading, style: Style, size: float, kind: str = "title"
    ) -> None:
        """*size* in points is the type of the small lines; *kind* names what the paper is."""
        self._pdf, self._heading, self._style, self._size = pdf, heading, style, size
        self._kind = kind
        top = MARGIN + 2.9 * size
        foot = MARGIN + 2.2 * size
        width = pdf.width - 2 * MARGIN
        self.body = Rect(MARGIN, top, width, pdf.height - foot - top)

    def draw(self, page: int, pages: int, legend: bool = True) -> None:
        """Title, occasion, set code and page above; origin and legend below."""
        pdf, style, heading, size = self._pdf, self._style, self._heading, self._size
        right = pdf.width - MARGIN
        width = pdf.width - 2 * MARGIN
        code = style.word("set", code=heading.set_code)
        number = style.word("page", page=page, pages=pages)
        taken = max(text_width(code, 1.25 * size, Face.BOLD), text_width(number, size))
        room = width - taken - 2 * size
        y = MARGIN + 1.15 * size
        title = style.title(heading, self._kind)
        pdf.text(MARGIN, y, title, 1.45 * size, face=Face.BOLD, room=room)
        pdf.text(right, y, code, 1.25 * size, face=Face.BOLD, align=Align.RIGHT)
        y += 1.35 * size
        pdf.text(MARGIN, y, style.occasion(heading), size, room=room)
        pdf.text(right, y, number, size, align=Align.RIGHT)
        self._rule(self.body.y)
        self._foot(legend)

    def _rule(self, y: float) -> None:
        self._pdf.line(MARGIN, y, self._pdf.width - MARGIN, y, width=0.8)

    def _foot(self, legend: bool) -> None:
        pdf, style = self._pdf, self._style
        size = self._size * 0.84
        y = pdf.height - MARGIN - 0.3 * size
        width = pdf.width - 2 * MARGIN
        origin = style.origin(self._heading)
        face = Face.BOLD if self._heading.origin is Origin.TEACHING else Face.REGULAR
        if legend:
            pdf.text(MARGIN, y, style.word("legend"), size, colour=GREY, room=width)
            y -= 1.15 * size
        shown = style.logbook(self._heading)
        taken = text_width(shown, 0.9 * size) + size if shown else 0.0
        pdf.text(MARGIN, y, origin, size, face=face, room=width - taken)
        if shown:
            right = pdf.width - MARGIN
            pdf.text(right, y, shown, 0.9 * size, colour=GREY, align=Align.RIGHT)
