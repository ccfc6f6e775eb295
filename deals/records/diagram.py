"""One board drawn into a rectangle of a page: hands, markings, points, tricks, par."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from deals.cards import Seat, Suit
from deals.records.ink import colour_of, rich_text, wrapped
from deals.records.model import STRAINS, Entry, Style
from deals.records.pdf import BLACK, GREY, WHITE, Align, Face, Pdf, text_width

_GAPS: Final = ("\u2004", "\u2005", "\u2009")
"""Between the cards of a suit, a third of an em, less where that is too wide: 10 8 is not 108. A
search or a copy still sees a blank."""
_LEAD: Final = 1.18
"""Line height in type sizes."""
_LEAST_LEAD: Final = 1.06
_BAND: Final = 0.22
"""Between north, the middle and south, in lines."""
_DARK: Final = (0.2, 0.2, 0.2)


@dataclass(frozen=True, slots=True)
class Rect:
    """A part of a page, points from its top left corner."""

    x: float
    y: float
    width: float
    height: float

    def inner(self, across: float, down: float) -> Rect:
        """Without a border."""
        return Rect(self.x + across, self.y + down, self.width - 2 * across, self.height - 2 * down)


@dataclass(frozen=True, slots=True)
class Type:
    """Sizes in points."""

    size: float
    """Of the cards."""
    small: float
    """Of all else but the number."""
    number: float
    tall: bool
    """Tricks and par below the hands; otherwise in the corners beside them."""


def draw_board(pdf: Pdf, rect: Rect, entry: Entry, style: Style, form: Type) -> None:
    """Draw *entry* into *rect*; what is too long is squeezed, never cut, never left out."""
    _Drawing(pdf, rect, entry, style, form).draw()


def spaced(cards: Sequence[str], size: float, room: float) -> str:
    """The cards of a suit on one line, as far apart as *room* points allow."""
    lines = (gap.join(cards) for gap in _GAPS)
    return next((line for line in lines if text_width(line, size) <= room), _GAPS[-1].join(cards))


class _Drawing:
    def __init__(self, pdf: Pdf, rect: Rect, entry: Entry, style: Style, form: Type) -> None:
        self.pdf, self.rect, self.entry, self.style, self.form = pdf, rect, entry, style, form
        self.remarks = " · ".join(style.remarks(entry))
        size = form.size
        below = form.small * 1.1 if self.remarks else 0.0
        lines = 12 + 2 * _BAND + (0.4 + 5 * form.small * 1.25 / (size * _LEAD) if form.tall else 0)
        self.lead = max(_LEAST_LEAD * size, min(_LEAD * size, (rect.height - below) / lines))
        self.compass = 2.7 * size
        self.middle = rect.x + rect.width * (0.5 if form.tall else 0.435)
        self.hand_x = self.middle - self.compass / 2 - 0.45 * size
        self.right_x = rect.x + rect.width * (0.675 if not form.tall else 0.73)
        self.gap = 0.35 * size

    def draw(self) -> None:
        rect, lead = self.rect, self.lead
        middle, low = rect.y + (4 + _BAND) * lead, rect.y + (8 + 2 * _BAND) * lead
        self._markings()
        edge = rect.x + rect.width if self.form.tall else self.right_x - self.gap
        beside = edge - self.hand_x
        self._hand(Seat.N, self.hand_x, rect.y, beside)
        west = self.middle - self.compass / 2 - self.gap
        self._hand(Seat.W, rect.x, middle, west - rect.x)
        east = self.middle + self.compass / 2 + self.gap
        self._hand(Seat.E, east, middle, rect.x + rect.width - east)
        self._compass(middle + 2 * lead)
        self._hand(Seat.S, self.hand_x, low, beside)
        if self.form.tall:
            self._points(rect.x + 0.2 * self.form.size, low)
            below = low + 4.4 * lead
            self._table(rect.x + rect.width - self._table_width(), below)
            room = rect.width - self._table_width() - 2 * self.form.small
            self._par(rect.x, below, room, 4)
        else:
            self._points(rect.x + 0.2 * self.form.size, low)
            top = low + 4 * lead - 5 * self.form.small * 1.16
            self._table(rect.x + rect.width - self._table_width(), top)
            self._par(self.right_x, rect.y, rect.x + rect.width - self.right_x, 3)
        if self.remarks:
            bottom = rect.y + rect.height - 0.2 * self.form.small
            self.pdf.text(
                rect.x, bottom, self.remarks, self.form.small, face=Face.BOLD, room=rect.width
            )

    def _markings(self) -> None:
        pdf, form, style, board = self.pdf, self.form, self.style, self.entry.board
        x, y = self.rect.x, self.rect.y
        room = self.hand_x - self.gap - x
        number = str(board.number)
        pdf.text(x, y + 0.8 * form.number, number, form.number, face=Face.BOLD, room=room)
        y += 0.8 * form.number + 1.25 * form.small
        pdf.text(x, y, style.dealer(board), form.small, room=room)
        y += 1.18 * form.small
        pdf.text(x, y, style.word("vulnerability"), form.small, room=room)
        y += 1.18 * form.small
        shown = style.vulnerable(board.vulnerable)
        pdf.text(x, y, shown, form.small, face=Face.BOLD, room=room)

    def _hand(self, seat: Seat, x: float, y: float, room: float) -> None:
        size = self.form.size
        for suit in Suit:
            line = y + suit * self.lead + 0.82 * self.lead
            colour = colour_of(suit, self.style)
            self.pdf.text(x, line, suit.symbol, size, colour=colour)
            cards = spaced(self.style.holding(self.entry, seat, suit), size, room - size)
            self.pdf.text(x + size, line, cards, size, room=room - size)

    def _compass(self, middle_y: float) -> None:
        """The four seats in a square; vulnerable ones white on dark, a dot at the dealer."""
        side, size = self.compass, 0.8 * self.form.small
        left, top = self.middle - side / 2, middle_y - side / 2
        self.pdf.box(left, top, side, side, line=0.4, colour=GREY)
        band = 1.15 * size
        board = self.entry.board
        for seat, x, y in (
            (Seat.N, self.middle, top + band / 2),
            (Seat.E, left + side - band / 2, middle_y),
            (Seat.S, self.middle, top + side - band / 2),
            (Seat.W, left + band / 2, middle_y),
        ):
            vulnerable = board.vulnerable.includes(seat)
            if vulnerable:
                across, down = (side, band) if seat % 2 == 0 else (band, side - 2 * band)
                self.pdf.box(x - across / 2, y - down / 2, across, down, line=0, fill=_DARK)
            colour = WHITE if vulnerable else BLACK
            letter = self.style.seat(seat)
            self.pdf.text(
                x, y + 0.36 * size, letter, size, colour=colour, face=Face.BOLD, align=Align.CENTRE
            )
            if seat is board.dealer:
                inward = 0.95 * band
                dot_x = x + (0, -inward, 0, inward)[seat]
                dot_y = y + (inward, 0, -inward, 0)[seat]
                radius = 0.16 * size
                box = (dot_x - radius, dot_y - radius, 2 * radius, 2 * radius)
                self.pdf.box(*box, line=0, fill=BLACK, radius=radius)

    def _points(self, x: float, y: float) -> None:
        """High card points at their compass places."""
        small = self.form.small
        step = 1.22 * small
        room = self.hand_x - self.gap - x
        self.pdf.text(x, y + 0.9 * small, self.style.word("points"), small, colour=GREY, room=room)
        half = min(1.5 * small, room / 2 - 0.6 * small)
        centre = x + half + 0.6 * small
        for seat, across, down in (
            (Seat.N, 0.0, 1),
            (Seat.W, -half, 2),
            (Seat.E, half, 2),
            (Seat.S, 0.0, 3),
        ):
            line = y + 0.9 * small + down * step
            points = str(self.entry.points(seat))
            self.pdf.text(centre + across, line, points, small, align=Align.CENTRE)

    def _table_width(self) -> float:
        return 1.2 * self.form.small + 5 * 1.52 * self.form.small

    def _table(self, x: float, y: float) -> None:
        """Tricks: a row a declarer, a column a strain."""
        table, small = self.entry.table, self.form.small
        if table is None:
            return
        step, column = 1.16 * small, 1.52 * small
        centres = [x + 1.2 * small + (place + 0.5) * column for place in range(5)]
        line = y + 0.85 * small
        for strain, centre in zip(STRAINS, centres, strict=True):
            shown = self.style.strain(strain)
            rich_text(
                self.pdf, centre, line, shown, small, self.style, align=Align.CENTRE, room=column
            )
        rule = line + 0.24 * small
        self.pdf.line(x, rule, x + self._table_width(), rule, width=0.3, colour=GREY)
        for row, seat in enumerate((Seat.N, Seat.S, Seat.E, Seat.W), 1):
            line = y + 0.9 * small + row * step
            self.pdf.text(x, line, self.style.seat(seat), small, face=Face.BOLD)
            for strain, centre in zip(STRAINS, centres, strict=True):
                tricks = table.of(seat, strain)
                shown = "?" if tricks is None else str(tricks)
                self.pdf.text(centre, line, shown, small, align=Align.CENTRE)

    def _par(self, x: float, y: float, room: float, most: int) -> None:
        par, small = self.entry.par, self.form.small
        if par is None:
            return
        step = 1.22 * small
        line = y + 0.95 * small
        score = f"{self.style.word('par')} {self.style.par_score(par)}"
        self.pdf.text(x, line, score, small, face=Face.BOLD, room=room)
        for text in wrapped(self.style.par_contracts(par), small, room, most):
            line += step
            rich_text(self.pdf, x, line, text, small, self.style, room=room)
