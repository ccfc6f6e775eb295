"""Labels for boards and boxes: number, box with its colour, which way is north, a code for readers.

The code says set, box and board, and is the same whatever the deals are: it is never made from a
board's deal. A label without set is for good; one with the set is for an event. Sizes are those of
common sheets: A4 with 3 x 8 labels of 70 x 37 mm, Letter with 3 x 10 of 66.7 x 25.4 mm.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from deals.boards import Board
from deals.cards import Seat
from deals.errors import DealError
from deals.files import ranges
from deals.records.diagram import Rect
from deals.records.model import Heading, Style
from deals.records.pages import cells
from deals.records.pdf import BLACK, GREY, MM, WHITE, Align, Colour, Face, Paper, Pdf
from deals.setcode import check_set_code

COLOURS: Final[dict[str, Colour]] = {
    "red": (0.80, 0.0, 0.05),
    "blue": (0.0, 0.15, 0.65),
    "green": (0.0, 0.42, 0.10),
    "yellow": (1.0, 0.80, 0.0),
    "orange": (1.0, 0.50, 0.0),
    "violet": (0.45, 0.10, 0.55),
    "black": (0.0, 0.0, 0.0),
    "white": (1.0, 1.0, 1.0),
}
"""Colours of boxes; the name is printed too, for printers without colour."""
_NO_SET: Final = "-"
_BOX: Final = re.compile(r"[A-Za-z0-9]{1,8}")
_CODE: Final = re.compile(r"PREDEAL:(-|[0-9A-Z-]{9,11}):([A-Za-z0-9]{1,8}):(\d{1,6})")


@dataclass(frozen=True, slots=True)
class LabelCode:
    """What the code on a label says; board 0 is the box itself, set None a label for good."""

    box: str
    board: int
    set_code: str | None = None

    def __post_init__(self) -> None:
        if not _BOX.fullmatch(self.box):
            raise DealError("label.box", box=self.box)

    def text(self) -> str:
        """As it is coded: "PREDEAL:KH7-4MQ-9RH:A:12"."""
        return f"PREDEAL:{self.set_code or _NO_SET}:{self.box}:{self.board}"

    @classmethod
    def parse(cls, text: str) -> LabelCode:
        """What a reader saw; DealError or SetCodeError if it is no label of ours."""
        found = _CODE.fullmatch(text.strip())
        if found is None:
            raise DealError("label.unknown", text=text)
        code = None if found[1] == _NO_SET else check_set_code(found[1])
        return cls(found[2], int(found[3]), code)


@dataclass(frozen=True, slots=True)
class Box:
    """A box of boards: a short name (letters and digits) and one of COLOURS."""

    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class _Sheet:
    columns: int
    rows: int
    width: float
    height: float
    left: float
    top: float


_SHEETS: Final = {
    Paper.A4: _Sheet(3, 8, 70 * MM, 37 * MM, 0.0, 0.5 * MM),
    # Three columns of 2 5/8 inches with gaps of 1/8 inch, 3/16 inch from the left.
    Paper.LETTER: _Sheet(3, 10, 198.0, 72.0, 9.0, 36.0),
}
_SAFE: Final = 5 * MM
"""Left free within a label: printers do not reach the edge, sheets lie a little askew."""


def board_labels(
    boards: Sequence[Board],
    box: Box,
    style: Style | None = None,
    paper: Paper = Paper.A4,
    set_code: str | None = None,
    *,
    teaching: bool = False,
) -> tuple[bytes, int]:
    """The PDF of a label for each board and its number of pages."""
    style = style or Style()
    sheet = _SHEETS[paper]
    pdf = Pdf(paper, title=style.word("box", box=box.name), lang=style.lang)
    body = Rect(sheet.left, sheet.top, sheet.columns * sheet.width, sheet.rows * sheet.height)
    per_page = sheet.columns * sheet.rows
    pages = max(1, -(-len(boards) // per_page))
    for page in range(pages):
        if page:
            pdf.next_page()
        here = boards[page * per_page : (page + 1) * per_page]
        for board, cell in zip(here, cells(body, sheet.columns, sheet.rows), strict=False):
            code = LabelCode(box.name, board.number, set_code)
            inner = cell.inner(_SAFE, 0.09 * cell.height)
            _board(pdf, inner, board, _last_line(box, style, teaching), box, code, style)
    return pdf.to_bytes(), pages


def box_label(
    boards: Sequence[Board],
    box: Box,
    heading: Heading,
    style: Style | None = None,
    paper: Paper = Paper.A4,
) -> tuple[bytes, int]:
    """One page, upper half, to be folded or cut: what is in the box."""
    style = style or Style()
    pdf = Pdf(paper, title=style.word("box", box=box.name), lang=style.lang)
    x, y, width = 15 * MM, 15 * MM, pdf.width - 30 * MM
    height = pdf.height / 2 - 25 * MM
    pdf.box(x, y, width, height, line=1.0)
    _bar(pdf, Rect(x, y, 14 * MM, height), box)
    inner = Rect(x + 20 * MM, y + 8 * MM, width - 26 * MM, height - 14 * MM)
    side = 45 * MM
    room = inner.width - side - 10
    name = style.word("box", box=box.name)
    pdf.text(inner.x, inner.y + 44, name, 52, face=Face.BOLD, room=room)
    shown = style.word("boards", boards=ranges([board.number for board in boards]))
    pdf.text(inner.x, inner.y + 84, shown, 26, room=room)
    pdf.text(inner.x, inner.y + 112, style.word(f"colour_{box.colour}"), 18, room=room)
    pdf.text(
        inner.x,
        inner.y + inner.height - 44,
        style.title(heading),
        20,
        face=Face.BOLD,
        room=inner.width,
    )
    pdf.text(inner.x, inner.y + inner.height - 22, style.occasion(heading), 14, room=inner.width)
    code = style.set_line(heading)
    pdf.text(inner.x, inner.y + inner.height, code, 18, face=Face.BOLD, room=inner.width)
    text = LabelCode(box.name, 0, heading.set_code).text()
    pdf.qr(inner.x + inner.width - side, inner.y, side, text)
    return pdf.to_bytes(), 1


def _last_line(box: Box, style: Style, teaching: bool) -> str:
    # The mark takes the place of the colour's name: there is no room for both.
    last = style.word("teaching" if teaching else f"colour_{box.colour}")
    return f"{style.word('box', box=box.name)} · {last}"


def _board(
    pdf: Pdf, rect: Rect, board: Board, last: str, box: Box, code: LabelCode, style: Style
) -> None:
    """Bar in the box's colour, arrow to north, number, markings, code."""
    size = rect.height
    bar = Rect(rect.x, rect.y, 0.11 * size, size)
    _bar(pdf, bar, box)
    _arrow(pdf, Rect(bar.x + bar.width + 0.07 * size, rect.y, 0.3 * size, size), style)
    side = 0.78 * size
    left = bar.x + bar.width + 0.45 * size
    right = rect.x + rect.width - side
    room = right - left - 0.04 * size
    centre = left + room / 2
    number = str(board.number)
    pdf.text(
        centre,
        rect.y + 0.47 * size,
        number,
        0.56 * size,
        face=Face.BOLD,
        align=Align.CENTRE,
        room=room,
    )
    small = 0.115 * size
    lines = (style.dealer(board), style.vulnerable(board.vulnerable), last)
    for row, line in enumerate(lines):
        y = rect.y + 0.66 * size + row * 1.3 * small
        face = Face.BOLD if row == 1 else Face.REGULAR
        pdf.text(centre, y, line, small, face=face, align=Align.CENTRE, room=room)
    pdf.qr(right, rect.y, side, code.text())
    if code.set_code:
        middle, y = right + side / 2, rect.y + 0.92 * size
        pdf.text(middle, y, code.set_code, small, align=Align.CENTRE, room=side)


def _bar(pdf: Pdf, rect: Rect, box: Box) -> None:
    fill = COLOURS[box.colour]
    edge = 0.8 if fill == WHITE else 0.0
    pdf.box(rect.x, rect.y, rect.width, rect.height, line=edge, colour=GREY, fill=fill)


def _arrow(pdf: Pdf, rect: Rect, style: Style) -> None:
    """An arrow that points to the top of the label, the seat's letter in its foot."""
    x, y, width, height = rect.x, rect.y, rect.width, rect.height
    middle, head = x + width / 2, y + 0.36 * height
    stem = 0.20 * width
    pdf.shape(
        [
            (middle, y),
            (x + width, head),
            (middle + stem, head),
            (middle + stem, y + 0.66 * height),
            (middle - stem, y + 0.66 * height),
            (middle - stem, head),
            (x, head),
        ],
        fill=BLACK,
    )
    letter = style.seat(Seat.N)
    size = 0.34 * height
    pdf.text(middle, y + 0.98 * height, letter, size, face=Face.BOLD, align=Align.CENTRE)
