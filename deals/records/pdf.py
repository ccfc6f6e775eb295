"""The one module of the PDF library (reportlab, ADR 0030): a sheet of paper to draw text and shapes on.

All lengths are points (1/72 inch; `MM` is a millimetre), measured from the **top left** corner, y
downwards; text stands on the baseline y. Both faces hold Latin, Greek, Cyrillic, arrows and the suit
symbols, and are embedded, so that a page looks and prints the same everywhere. The same calls give
the same bytes: a reprint can be compared with the first print.
"""

from __future__ import annotations

import enum
import functools
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

MM: Final = 72 / 25.4
_FONTS: Final = Path(__file__).parent / "fonts"
_QUIET_ZONE: Final = 4
"""Modules of white that a QR code needs around it (ISO/IEC 18004)."""

Colour = tuple[float, float, float]
"""Red, green, blue, each 0..1."""
BLACK: Final[Colour] = (0.0, 0.0, 0.0)
WHITE: Final[Colour] = (1.0, 1.0, 1.0)
GREY: Final[Colour] = (0.45, 0.45, 0.45)


class Paper(enum.Enum):
    """Sizes of paper, width and height in points, upright."""

    A4 = (210 * MM, 297 * MM)
    LETTER = (612.0, 792.0)


class Face(enum.Enum):
    """The two faces; the value is the file's name."""

    REGULAR = "DejaVuSansCondensed"
    BOLD = "DejaVuSansCondensed-Bold"


class Align(enum.Enum):
    """Where x is in a text."""

    LEFT = 0.0
    CENTRE = 0.5
    RIGHT = 1.0


def text_width(text: str, size: float, face: Face = Face.REGULAR) -> float:
    """Width in points of *text* at *size* points."""
    return float(_font(face).stringWidth(printable(text), size))


def printable(text: str) -> str:
    """*text* on one line, with "?" for each sign that the faces do not hold."""
    signs = _signs()
    return "".join(sign if ord(sign) in signs else " " if sign.isspace() else "?" for sign in text)


class Pdf:
    """A document under construction: draw on the page, `next_page`, at last `to_bytes`."""

    def __init__(
        self, paper: Paper = Paper.A4, *, landscape: bool = False, title: str = "", lang: str = "en"
    ) -> None:
        from reportlab.pdfgen.canvas import Canvas  # late: only who prints needs the library

        short, long = paper.value
        self.width, self.height = (long, short) if landscape else (short, long)
        self._buffer = io.BytesIO()
        self._canvas: Any = Canvas(
            self._buffer,
            pagesize=(self.width, self.height),
            pageCompression=1,
            invariant=1,  # no date of printing in it
            initialFontName=_font(Face.REGULAR).fontName,  # else one that is not embedded
            lang=lang,
        )
        self._canvas.setTitle(title)
        self._canvas.setCreator("Predeal")
        self._canvas.setAuthor("")
        self.pages = 1

    def next_page(self) -> None:
        """End this page and begin the next."""
        self._canvas.showPage()
        self.pages += 1

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        face: Face = Face.REGULAR,
        colour: Colour = BLACK,
        align: Align = Align.LEFT,
        room: float | None = None,
    ) -> float:
        """Write *text* at *size* points; returns its width in points.

        Where *room* (points) is less than the text needs, the letters are made narrower, never cut.
        """
        shown = printable(text)
        width = text_width(shown, size, face)
        stretch = 1.0 if room is None or width <= room else room / width
        left = x - align.value * width * stretch
        line = self._canvas.beginText(left, self.height - y)
        line.setFont(_font(face).fontName, size)
        line.setFillColorRGB(*colour)
        if stretch < 1:
            line.setHorizScale(100 * stretch)
        line.textOut(shown)
        if stretch < 1:
            line.setHorizScale(100)
        self._canvas.drawText(line)
        return width * stretch

    def line(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        *,
        width: float = 0.5,
        colour: Colour = BLACK,
        dash: Sequence[float] = (),
    ) -> None:
        """A straight line *width* points thick; *dash* are lengths on and off."""
        canvas = self._canvas
        canvas.setLineWidth(width)
        canvas.setStrokeColorRGB(*colour)
        canvas.setDash(list(dash))
        canvas.line(x0, self.height - y0, x1, self.height - y1)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        line: float = 0.5,
        colour: Colour = BLACK,
        fill: Colour | None = None,
        radius: float = 0.0,
    ) -> None:
        """A rectangle from its top left corner; *line* 0 draws no border."""
        canvas = self._canvas
        canvas.setLineWidth(line)
        canvas.setDash([])
        canvas.setStrokeColorRGB(*colour)
        if fill is not None:
            canvas.setFillColorRGB(*fill)
        drawn = {"stroke": int(line > 0), "fill": int(fill is not None)}
        bottom = self.height - y - height
        if radius:
            canvas.roundRect(x, bottom, width, height, radius, **drawn)
        else:
            canvas.rect(x, bottom, width, height, **drawn)

    def shape(self, points: Sequence[tuple[float, float]], *, fill: Colour = BLACK) -> None:
        """A filled polygon."""
        path = self._canvas.beginPath()
        for number, (x, y) in enumerate(points):
            (path.lineTo if number else path.moveTo)(x, self.height - y)
        path.close()
        self._canvas.setFillColorRGB(*fill)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def qr(self, x: float, y: float, size: float, content: str) -> None:
        """A QR code with medium error correction; *size* points is its side with the white border."""
        from reportlab.graphics.barcode.qr import QrCodeWidget

        code = QrCodeWidget(content, barLevel="M").qr
        code.make()
        count = code.getModuleCount()
        unit = size / (count + 2 * _QUIET_ZONE)
        canvas = self._canvas
        canvas.setFillColorRGB(*BLACK)
        for row in range(count):
            start = None
            for column in range(count + 1):
                dark = column < count and code.isDark(row, column)
                if dark and start is None:
                    start = column
                elif not dark and start is not None:
                    left = x + (start + _QUIET_ZONE) * unit
                    bottom = self.height - y - (row + 1 + _QUIET_ZONE) * unit
                    canvas.rect(left, bottom, (column - start) * unit, unit, stroke=0, fill=1)
                    start = None

    def to_bytes(self) -> bytes:
        """The finished document; nothing can be drawn after it."""
        self._canvas.showPage()  # the last page counts even if it is empty
        self._canvas.save()
        return self._buffer.getvalue()


@functools.cache
def _font(face: Face) -> Any:
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    font = TTFont(f"Predeal-{face.name}", str(_FONTS / f"{face.value}.ttf"))
    registerFont(font)
    return font


@functools.cache
def _signs() -> frozenset[int]:
    return frozenset(_font(Face.REGULAR).face.charToGlyph) & frozenset(
        _font(Face.BOLD).face.charToGlyph
    )
