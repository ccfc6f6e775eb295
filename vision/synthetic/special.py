"""Cards that are none of the 52: the stop card, jokers and backs; BGR uint8, portrait, 880 x 570 px."""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np

from vision.geometry import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    STOP_MARK_ID,
    STOP_MARK_OFFSET_MM,
    STOP_MARK_SIZE_MM,
)
from vision.synthetic.canvas import COLS, PX_PER_MM, ROWS, Colour, Face, blank, paint
from vision.synthetic.courts import BLACK, BLUE, RED, WHITE, YELLOW
from vision.synthetic.glyphs import BOOK, POSTER, Style, glyph
from vision.synthetic.outlines import Shape, cubic, ellipse, mask, points, stroke

_BACKS: Final[dict[str, Colour]] = {
    "red": (48, 36, 178),
    "blue": (140, 66, 30),
    "green": (58, 110, 30),
    "black": (40, 36, 34),
}


def _letter(letter: str, style: Style) -> Shape:
    """Capital letters that no rank has."""
    if letter in "KJ":
        return glyph(letter, style).shape
    if letter == "O":
        return Shape(
            [ellipse(0.33, 0.5, 0.33, 0.5)],
            [ellipse(0.33, 0.5, 0.33 - style.thick, 0.5 - style.thin)],
        )
    wide, thin = style.thick, max(style.thin, 0.09)
    bar = thin / 2
    stem = stroke(points(wide / 2 + 0.04, 0, wide / 2 + 0.04, 1), wide)
    bowl = stroke(cubic(points(0.1, bar), 0.62, 0.0, 0.62, 0.53, 0.1, 0.5), wide * 0.8)
    shapes = {
        "P": [stem, bowl],
        "R": [stem, bowl, stroke(points(0.30, 0.5, 0.58, 1.0), wide)],
        "E": [stem, *(stroke(points(0.1, y, 0.54, y), thin) for y in (bar, 0.5, 1 - bar))],
        "T": [stroke(points(0.32, 0, 0.32, 1), wide), stroke(points(0.0, bar, 0.64, bar), thin)],
        "S": [
            stroke(
                cubic(
                    points(0.54, 0.20),
                    *(0.48, -0.03, 0.10, 0.0, 0.10, 0.25),
                    *(0.10, 0.52, 0.55, 0.46, 0.55, 0.74),
                    *(0.55, 1.02, 0.10, 1.03, 0.06, 0.78),
                ),
                (thin, wide * 0.8, wide, wide * 0.8, thin),
            )
        ],
    }
    return Shape(shapes[letter])


def _write(
    card: Face,
    text: str,
    style: Style,
    colour: Colour,
    at: tuple[float, float],
    height: float,
    step: tuple[float, float],
) -> None:
    """Letters from *at* on, each *step* mm after the other."""
    for i, letter in enumerate(text):
        shape = _letter(letter, style).moved(height, height, height * 0.15, height * 0.1)
        stamp = mask(shape, (round(height * 12), round(height * 10)), PX_PER_MM)
        paint(card, stamp, colour, at[0] + i * step[0], at[1] + i * step[1])


@cache
def stop_card() -> Face:
    """The card between two packs: a mark in both index corners that readers know for sure."""
    card = blank()
    marks = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    side = round(STOP_MARK_SIZE_MM * PX_PER_MM)
    mark = cv2.aruco.generateImageMarker(marks, STOP_MARK_ID, side)
    start = round(STOP_MARK_OFFSET_MM * PX_PER_MM)
    card[start : start + side, start : start + side] = mark[:, :, None]
    card[ROWS - start - side : ROWS - start, COLS - start - side : COLS - start] = mark[
        ::-1, ::-1, None
    ]
    angles = np.deg2rad(np.arange(8) * 45 + 22.5)
    for radius, colour in ((23.5, RED), (22.3, WHITE), (21.4, RED)):
        ring = np.column_stack([28.5 + radius * np.cos(angles), 44 + radius * np.sin(angles)])
        cv2.fillPoly(card, [np.round(ring * 160).astype(np.int32)], colour, cv2.LINE_AA, shift=4)
    _write(card, "STOP", POSTER, WHITE, (14.7, 44.4), 12.0, (9.4, 0))
    card.flags.writeable = False
    return card


@cache
def joker(colour: str = "red") -> Face:
    """A joker, "red" or "black": its index is the word, letter under letter."""
    card = blank()
    ink = RED if colour == "red" else BLACK
    middle = np.array([28.5, 44.0])
    cap = points(-13, 2, -16, -13, -6, -5, 0, -18, 6, -5, 16, -13, 13, 2)
    for polygon, fill in (
        (ellipse(0, 8, 9.0, 11.5), (214, 232, 250)),
        (cap, ink),
        (points(0, -18, 6, -5, 16, -13, 13, 2, 0, 2), YELLOW if colour == "red" else BLUE),
        (points(-4.6, 5.2, -1.2, 5.2, -2.9, 8.4), BLACK),
        (points(4.6, 5.2, 1.2, 5.2, 2.9, 8.4), BLACK),
        (stroke(cubic(points(-4.8, 11.5), -3, 16, 3, 16, 4.8, 11.5), (0.3, 2.2, 0.3)), RED),
        *((ellipse(x, y, 1.7, 1.7), YELLOW) for x, y in ((-16, -13), (0, -18), (16, -13))),
    ):
        fixed = [np.round((polygon + middle) * 160).astype(np.int32)]
        cv2.fillPoly(card, fixed, fill, cv2.LINE_AA, shift=4)
        cv2.polylines(card, fixed, True, BLACK, 3, cv2.LINE_AA, shift=4)
    for _ in range(2):
        _write(card, "JOKER", BOOK, ink, (5.0, 5.8), 3.6, (0, 4.3))
        card = np.ascontiguousarray(card[::-1, ::-1])
    card.flags.writeable = False
    return card


@cache
def back(colour: str = "red") -> Face:
    """A back, "red", "blue", "green" or "black": a lattice inside a white border."""
    card = blank()
    ink = np.array(_BACKS[colour], np.float32)
    y, x = np.mgrid[0:ROWS, 0:COLS].astype(np.float32) / PX_PER_MM
    x, y = x - CARD_WIDTH_MM / 2 + 0.05, y - CARD_HEIGHT_MM / 2 + 0.05
    wave = np.abs(np.sin((x + y) * np.pi / 3.2)), np.abs(np.sin((x - y) * np.pi / 3.2))
    lines = np.clip((0.30 - np.minimum(*wave)) * 8, 0, 1)
    knots = np.clip((np.minimum(*wave) - 0.86) * 12, 0, 1)
    light = np.maximum(lines, knots)[:, :, None]
    print_ = ink * (1 - light) + np.array((248, 250, 250), np.float32) * light
    inside = (np.abs(x) < CARD_WIDTH_MM / 2 - 4) & (np.abs(y) < CARD_HEIGHT_MM / 2 - 4)
    card[inside] = np.round(print_[inside]).astype(np.uint8)
    edge = (round(4 * PX_PER_MM), round(4 * PX_PER_MM))
    cv2.rectangle(card, edge, (COLS - 1 - edge[0], ROWS - 1 - edge[1]), _BACKS[colour], 4)
    card.flags.writeable = False
    return card
