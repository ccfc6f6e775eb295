"""Card faces drawn by our own code, and faces loaded from pictures; all BGR uint8, portrait, 880 x 570 px.

Two designs: "standard" (two colours, ordinary index) and "jumbo" (four colours, large index), and the same
cards with the letters of other languages: "dutch" (A H V B) and "danish" (E K D B). Every
face has the same index in two opposite corners, so its corner looks the same after half a turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from deals.cards import CARDS, Card
from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.sources import VisionError, labelled_files, load_image, on_white
from vision.synthetic.canvas import COLS, PAPER, PX_PER_MM, ROWS, Colour, Face, blank, paint
from vision.synthetic.courts import BLACK, BLUE, HALF_MM, RED, WIDTH_MM, half_figure
from vision.synthetic.glyphs import BOOK, POSTER, Style, glyph
from vision.synthetic.national import LETTERS
from vision.synthetic.outlines import Mask, mask
from vision.synthetic.special import back, joker, stop_card
from vision.synthetic.suits import suit_shape

__all__ = [
    "DESIGNS",
    "NATIONAL",
    "Face",
    "back",
    "blank",
    "face",
    "joker",
    "load_art",
    "load_face",
    "stop_card",
]

GREEN: Final[Colour] = (40, 110, 20)
ORANGE: Final[Colour] = (10, 110, 235)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where a design prints what; millimetres from the card's top left corner."""

    style: Style
    colours: dict[str, Colour]
    index_x: float
    rank_top: float
    rank_height: float
    rank_width: float
    suit_y: float
    suit_height: float
    pip_x: tuple[float, float]
    pip_top: float
    pip_height: float
    frame_x: float
    frame_top: float
    letters: dict[str, str] = field(default_factory=dict)
    """What is printed for a rank, where it is not its English letter."""


_LAYOUTS: Final = {
    "standard": _Layout(
        BOOK,
        {"S": BLACK, "H": RED, "D": RED, "C": BLACK},
        *(5.3, 4.0, 7.6, 5.6, 15.2, 5.4),
        *((17.8, 39.2), 15.0, 11.5, 12.0, 8.0),
    ),
    "jumbo": _Layout(
        POSTER,
        {"S": BLACK, "H": RED, "D": ORANGE, "C": GREEN},
        *(8.2, 3.6, 12.4, 9.6, 21.6, 8.4),
        *((22.0, 35.0), 14.0, 9.5, 15.6, 8.0),
    ),
}
DESIGNS: Final = tuple(_LAYOUTS)
_OTHER_LETTERS: Final = {
    "dutch": replace(_LAYOUTS["standard"], letters={"K": "H", "Q": "V", "J": "B"}),
    "danish": replace(_LAYOUTS["jumbo"], letters={"A": "E", "Q": "D", "J": "B"}),
}
NATIONAL: Final = tuple(_OTHER_LETTERS)
_ALL: Final = _LAYOUTS | _OTHER_LETTERS

_SIDES_4: Final = ((0, 0.0), (2, 0.0), (0, 2.0), (2, 2.0))
_SIDES_6: Final = (*_SIDES_4, (0, 1.0), (2, 1.0))
_SIDES_8: Final = (*_SIDES_4, (0, 2 / 3), (2, 2 / 3), (0, 4 / 3), (2, 4 / 3))
_PIPS: Final[dict[str, tuple[tuple[int, float], ...]]] = {
    # column (0 left, 1 middle, 2 right) and height: 0 top row, 1 middle of the card, 2 bottom row
    "2": ((1, 0.0), (1, 2.0)),
    "3": ((1, 0.0), (1, 1.0), (1, 2.0)),
    "4": _SIDES_4,
    "5": (*_SIDES_4, (1, 1.0)),
    "6": _SIDES_6,
    "7": (*_SIDES_6, (1, 0.5)),
    "8": (*_SIDES_6, (1, 0.5), (1, 1.5)),
    "9": (*_SIDES_8, (1, 1.0)),
    "T": (*_SIDES_8, (1, 1 / 3), (1, 5 / 3)),
}


@cache
def _stamp(shape_of: str, style: Style | None, width: float, height: float) -> Mask:
    """A rank (with a style) or suit as a mask that fills width x height mm."""
    if style is None:
        shape = suit_shape(shape_of).moved(height, height, width / 2, height / 2)
    else:
        figure = LETTERS[shape_of](style) if shape_of in LETTERS else glyph(shape_of, style)
        scale_x = min(height, width / figure.width)
        shape = figure.shape.moved(scale_x, height, (width - figure.width * scale_x) / 2, 0)
    size = (round(height * PX_PER_MM) + 2, round(width * PX_PER_MM) + 2)
    return mask(shape.moved(1, 1, 0.1, 0.1), size, PX_PER_MM)


def _index(card: Face, layout: _Layout, which: Card) -> None:
    colour = layout.colours[which.suit.letter]
    letter = layout.letters.get(which.rank.letter, which.rank.letter)
    rank = _stamp(letter, layout.style, layout.rank_width, layout.rank_height)
    paint(card, rank, colour, layout.index_x, layout.rank_top + layout.rank_height / 2)
    suit = _stamp(which.suit.letter, None, layout.suit_height * 1.05, layout.suit_height)
    paint(card, suit, colour, layout.index_x, layout.suit_y)


def _pips(card: Face, layout: _Layout, which: Card) -> None:
    columns = (layout.pip_x[0], CARD_WIDTH_MM / 2, layout.pip_x[1])
    pip = _stamp(which.suit.letter, None, layout.pip_height * 1.05, layout.pip_height)
    middle = CARD_HEIGHT_MM / 2
    for column, row in _PIPS[which.rank.letter]:
        y = layout.pip_top + row * (middle - layout.pip_top)
        upright = pip if row <= 1 else pip[::-1, ::-1]
        paint(card, upright, layout.colours[which.suit.letter], columns[column], y)


def _ace(card: Face, layout: _Layout, which: Card) -> None:
    height = 30.0 if which.suit.letter == "S" else 17.0
    colour = layout.colours[which.suit.letter]
    middle = (CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2)
    paint(card, _stamp(which.suit.letter, None, height * 1.05, height), colour, *middle)
    if which.suit.letter == "S":
        paint(card, _stamp("S", None, 21.5, 20.5), PAPER, *middle)
        paint(card, _stamp("S", None, 18.5, 17.6), colour, *middle)
        paint(card, _stamp("D", None, 6.4, 6.1), PAPER, middle[0], middle[1] + 0.8)


def _court(card: Face, layout: _Layout, which: Card) -> Face:
    left, top = layout.frame_x, layout.frame_top
    width = CARD_WIDTH_MM - 2 * left
    scale = 2
    half_height = round((CARD_HEIGHT_MM / 2 - top) * PX_PER_MM)
    half = half_figure(which.rank.letter, which.suit.letter, PX_PER_MM * scale)
    cols = round(width * PX_PER_MM)
    rows = round(HALF_MM * PX_PER_MM * width / WIDTH_MM)
    half = np.asarray(cv2.resize(half, (cols, rows), interpolation=cv2.INTER_AREA), np.uint8)
    half = half[-half_height:] if rows >= half_height else half
    x0, y1 = round(left * PX_PER_MM), ROWS // 2
    card[y1 - half.shape[0] : y1, x0 : x0 + cols] = np.minimum(half, np.array(PAPER, np.uint8))
    for inset, thick in ((0, 3), (6, 2)):
        corner = (x0 - 8 + inset, round(top * PX_PER_MM) - 8 + inset)
        cv2.rectangle(card, corner, (COLS - 1 - corner[0], ROWS - 1 - corner[1]), BLUE, thick)
    height = min(layout.pip_height * 0.72, 7.0)
    pip = _stamp(which.suit.letter, None, height * 1.05, height)
    paint(card, pip, layout.colours[which.suit.letter], left + 4.4, top + 4.6)
    card[y1:] = card[:y1][::-1, ::-1]
    return card


def _draw(layout: _Layout, which: Card) -> Face:
    card = blank()
    if which.rank.letter in "KQJ":
        card = _court(card, layout, which)
    elif which.rank.letter == "A":
        _ace(card, layout, which)
    else:
        _pips(card, layout, which)
    for _ in range(2):
        _index(card, layout, which)
        card = card[::-1, ::-1]
    return np.ascontiguousarray(card)


@cache
def _cached(design: str, index: int) -> Face:
    card = _draw(_ALL[design], CARDS[index])
    card.flags.writeable = False
    return card


def face(design: str, card: Card) -> Face:
    """The face of *card* in one of our designs; shared and read-only: copy before you draw on it."""
    if design not in _ALL:
        raise VisionError("vision.no_art", design=design, known=list(DESIGNS))
    return _cached(design, card.index)


def load_face(path: Path) -> Face:
    """One picture of any size as a face, stretched to a card's; VisionError if it cannot be read."""
    picture = on_white(load_image(path))
    how = cv2.INTER_AREA if picture.shape[0] > ROWS else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (COLS, ROWS), interpolation=how), np.uint8)


def load_art(folder: Path) -> dict[Card, Face]:
    """The 52 faces of *folder* (SA.png, HT.jpg, H10.png ..), any size, stretched to a card's.

    Raises VisionError naming the card that is missing, is there twice or cannot be read.
    """
    found: dict[Card, Face] = {}
    paths: dict[Card, Path] = {}
    for card, path in labelled_files(folder):
        if card in paths:
            raise VisionError(
                "vision.art_twice", card=card, first=paths[card].name, second=path.name
            )
        paths[card] = path
        found[card] = load_face(path)
    missing = [card for card in CARDS if card not in found]
    if missing:
        raise VisionError("vision.art_missing", cards=missing, folder=folder)
    return found
