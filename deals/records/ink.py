"""Text with suit symbols in it: each symbol in its colour, the line squeezed as a whole."""

from __future__ import annotations

import re
from typing import Final

from deals.cards import Suit
from deals.records.model import Style
from deals.records.pdf import BLACK, Align, Colour, Face, Pdf, text_width

_TWO: Final[tuple[Colour, ...]] = (BLACK, (0.80, 0.0, 0.05), (0.80, 0.0, 0.05), BLACK)
# Blue, red, amber, green, dark enough for a grey printer: no suit is lighter than 45 % grey.
_FOUR: Final[tuple[Colour, ...]] = (
    (0.0, 0.15, 0.65),
    (0.80, 0.0, 0.05),
    (0.80, 0.40, 0.0),
    (0.0, 0.42, 0.10),
)
_SYMBOLS: Final = "♠♥♦♣"
_PARTS: Final = re.compile(f"[{_SYMBOLS}]|[^{_SYMBOLS}]+")


def colour_of(suit: Suit, style: Style) -> Colour:
    """The colour of a suit's symbol."""
    return (_FOUR if style.four_colours else _TWO)[suit]


def rich_text(
    pdf: Pdf,
    x: float,
    y: float,
    text: str,
    size: float,
    style: Style,
    *,
    face: Face = Face.REGULAR,
    align: Align = Align.LEFT,
    room: float | None = None,
) -> float:
    """Write *text* with coloured symbols; returns its width in points, at most *room*."""
    width = text_width(text, size, face)
    shrink = 1.0 if room is None or width <= room else room / width
    at = x - align.value * width * shrink
    for part in _PARTS.findall(text):
        place = _SYMBOLS.find(part) if len(part) == 1 else -1
        colour = BLACK if place < 0 else colour_of(Suit(place), style)
        least = text_width(part, size, face) * shrink
        pdf.text(at, y, part, size, face=face, colour=colour, room=least)
        at += least
    return width * shrink


def wrapped(parts: list[str], size: float, room: float, most: int) -> list[str]:
    """*parts* joined by commas on at most *most* lines of *room* points; the last may be longer."""
    lines: list[str] = []
    for piece in _pieces(parts, size, room):
        longer = f"{lines[-1]} {piece}" if lines else piece
        if lines and (text_width(longer, size) <= room or len(lines) == most):
            lines[-1] = longer
        else:
            lines.append(piece)
    return lines


def _pieces(parts: list[str], size: float, room: float) -> list[str]:
    """*parts* with their commas, and only those that are too long for a line cut at blanks."""
    told = [f"{part}," for part in parts[:-1]] + parts[-1:]
    return [
        piece
        for part in told
        for piece in ([part] if text_width(part, size) <= room else part.split())
    ]
