"""Court pictures of our own: a half figure with head-dress, robe and attribute, to be set head to head.

All lengths are millimetres inside the frame: x 0..33, y 0 (top of the frame) .. 36 (middle of the card).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.outlines import (
    Points,
    box,
    cubic,
    ellipse,
    mirrored,
    points,
    stroke,
)

Colour = tuple[int, int, int]
Picture = NDArray[np.uint8]

WIDTH_MM, HALF_MM = 33.0, 36.0
AXIS = 16.5
_SCALE = 30
_SHIFT = 4

BLACK: Colour = (28, 24, 22)
RED: Colour = (40, 30, 205)
YELLOW: Colour = (60, 200, 248)
BLUE: Colour = (150, 72, 28)
WHITE: Colour = (252, 253, 253)
SKIN: Colour = (214, 232, 250)


class _Canvas:
    """A supersampled half picture on which polygons are painted back to front."""

    def __init__(self) -> None:
        size = (round(HALF_MM * _SCALE), round(WIDTH_MM * _SCALE), 3)
        self.image: Any = np.full(size, WHITE, np.uint8)

    def fill(self, polygon: Points, colour: Colour, line: float = 0.26) -> None:
        fixed = [np.round(polygon * _SCALE * (1 << _SHIFT)).astype(np.int32)]
        cv2.fillPoly(self.image, fixed, colour, lineType=cv2.LINE_AA, shift=_SHIFT)
        if line:
            self._ink(fixed, line, closed=True)

    def line(self, path: Points, width: float = 0.26) -> None:
        fixed = [np.round(path * _SCALE * (1 << _SHIFT)).astype(np.int32)]
        self._ink(fixed, width, closed=False)

    def _ink(self, fixed: list[NDArray[np.int32]], width: float, closed: bool) -> None:
        thick = max(1, round(width * _SCALE))
        cv2.polylines(
            self.image, fixed, closed, BLACK, thickness=thick, lineType=cv2.LINE_AA, shift=_SHIFT
        )

    def dot(self, x: float, y: float, r: float, colour: Colour, line: float = 0.18) -> None:
        self.fill(ellipse(x, y, r, r), colour, line)


def _hair(c: _Canvas, colour: Colour, long: float) -> None:
    for side in (-1, 1):
        lock = cubic(
            points(AXIS + side * 2.5, 7.2),
            *(AXIS + side * 7.5, 7.5, AXIS + side * 7.0, 13, AXIS + side * 7.8, long - 1),
            *(
                AXIS + side * 8.0,
                long + 1.6,
                AXIS + side * 4.4,
                long + 1.4,
                AXIS + side * 4.2,
                long - 1,
            ),
            *(AXIS + side * 4.0, 13, AXIS + side * 3.5, 10, AXIS + side * 2.5, 7.2),
        )
        c.fill(lock, colour)
        for offset in (4.9, 5.9, 6.9):
            c.line(
                cubic(
                    points(AXIS + side * (offset - 1.2), 9),
                    *(AXIS + side * offset, 12, AXIS + side * (offset - 0.5), 15),
                    *(AXIS + side * offset, long - 0.3),
                ),
                0.16,
            )
        c.line(ellipse(AXIS + side * 6.1, long - 0.4, 1.0, 0.9, 0, 300), 0.2)


def _face(c: _Canvas, look: int) -> None:
    c.fill(box(AXIS - 2, 15, AXIS + 2, 20.5), SKIN)
    half = cubic(points(AXIS, 6.6), AXIS + 4.6, 6.6, AXIS + 4.7, 11, AXIS + 4.2, 13.2)
    half = cubic(half, AXIS + 3.6, 16, AXIS + 1.8, 17.7, AXIS, 17.7)
    c.fill(mirrored(half, AXIS), SKIN, 0.3)
    for side in (-1, 1):
        x = AXIS + side * 1.95 + look * 0.25
        c.line(ellipse(x, 10.6, 1.15, 0.9, 200, 340), 0.3)
        c.fill(ellipse(x, 11.35, 0.95, 0.5), WHITE, 0.18)
        c.dot(x + look * 0.25, 11.35, 0.36, BLACK, 0)
    nose = points(AXIS + look * 0.25, 11.0, AXIS + look * 0.95, 13.7, AXIS - look * 0.1, 14.0)
    c.line(nose, 0.22)
    lips = cubic(points(AXIS - 1.1, 15.5), AXIS - 0.5, 14.9, AXIS + 0.5, 14.9, AXIS + 1.1, 15.5)
    lips = cubic(lips, AXIS + 0.5, 16.3, AXIS - 0.5, 16.3, AXIS - 1.1, 15.5)
    c.fill(lips, RED, 0.16)


def _robe(c: _Canvas, main: Colour, other: Colour, panel: Colour) -> None:
    half = cubic(points(AXIS, 19.2), AXIS + 4, 19.2, AXIS + 8, 20.4, AXIS + 11.2, 22.6)
    half = cubic(half, AXIS + 14.4, 25, AXIS + 14.6, 30, AXIS + 14.8, 36.3)
    half = np.vstack([half, points(AXIS, 36.3)])
    c.fill(mirrored(half, AXIS), main, 0.34)
    for side in (-1, 1):
        for i, reach in enumerate((13.2, 11.9, 10.6, 9.3)):
            sleeve = cubic(
                points(AXIS + side * (reach - 4.2 + i * 0.1), 20.9 + i * 0.4),
                *(AXIS + side * (reach - 0.6), 24, AXIS + side * reach, 29),
                *(AXIS + side * (reach + 0.1), 36.3),
            )
            inner = sleeve.copy()
            inner[:, 0] -= side * 0.75
            c.fill(np.vstack([sleeve, inner[::-1]]), other if i % 2 == 0 else YELLOW, 0.18)
    front = points(AXIS - 4.2, 19.6, AXIS + 4.2, 19.6, AXIS + 5.8, 36.3, AXIS - 5.8, 36.3)
    c.fill(front, panel, 0.3)
    for row in range(5):
        y = 23.6 + row * 3.0
        for col in (-1, 0, 1):
            x = AXIS + col * (3.0 + row * 0.22)
            lozenge = points(x, y - 1.35, x + 1.0, y, x, y + 1.35, x - 1.0, y)
            c.fill(lozenge, other if (row + col) % 2 else main, 0.16)
            c.dot(x, y, 0.3, WHITE, 0)


def _collar(c: _Canvas) -> None:
    half = cubic(points(AXIS, 22.4), AXIS + 3.6, 22.2, AXIS + 7.2, 21.4, AXIS + 9.8, 22.4)
    half = cubic(half, AXIS + 9.4, 20.2, AXIS + 6, 18.4, AXIS + 2.4, 18.0)
    half = cubic(half, AXIS + 1.6, 19.2, AXIS + 0.8, 19.6, AXIS, 19.6)
    c.fill(mirrored(half, AXIS), WHITE, 0.3)
    for x, y in ((1.3, 20.6), (3.4, 20.2), (5.4, 20.4), (7.4, 20.9)):
        for side in (-1, 1):
            c.fill(ellipse(AXIS + side * x, y, 0.22, 0.55), BLACK, 0)


def _belt(c: _Canvas, main: Colour, other: Colour) -> None:
    c.fill(box(1.2, 33.4, 31.8, 36.4), YELLOW, 0.3)
    for i in range(10):
        x = 3.2 + i * 2.95
        c.fill(
            points(x, 33.9, x + 1.1, 35.0, x, 36.1, x - 1.1, 35.0), main if i % 2 else other, 0.16
        )


def _king(c: _Canvas, main: Colour, other: Colour) -> None:
    beard = cubic(points(AXIS, 14.2), AXIS + 1.6, 13.6, AXIS + 3.2, 14.2, AXIS + 4.3, 12.6)
    beard = cubic(beard, AXIS + 5.4, 18, AXIS + 3.4, 21.6, AXIS, 22.8)
    c.fill(mirrored(beard, AXIS), YELLOW, 0.3)
    for x in (-3, -2, -1, 0, 1, 2, 3):
        c.line(
            cubic(
                points(AXIS + x * 1.05, 15.6 - abs(x) * 0.2),
                *(AXIS + x * 1.2, 17.5, AXIS + x * 0.5, 19, AXIS + x * 0.6, 21.8 - abs(x) * 0.7),
            ),
            0.15,
        )
    lips = ellipse(AXIS, 15.7, 1.1, 0.45)
    c.fill(lips, RED, 0.16)
    for side in (-1, 1):
        whisker = cubic(
            points(AXIS, 14.3),
            AXIS + side * 1.4,
            13.7,
            AXIS + side * 2.8,
            14.4,
            AXIS + side * 3.6,
            15.9,
        )
        c.fill(stroke(whisker, (0.9, 0.9, 0.1)), YELLOW, 0.18)
    crown = points(
        -4.9, 7.2, -6.4, 1.6, -3.4, 4.2, -2.6, 0.9, 0, 3.9, 2.6, 0.9, 3.4, 4.2, 6.4, 1.6, 4.9, 7.2
    )
    c.fill(crown + np.array([AXIS, 0.0]), main, 0.32)
    for jewel_x, jewel_y in ((-6.4, 1.6), (-2.6, 1.0), (2.6, 1.0), (6.4, 1.6)):
        c.dot(AXIS + jewel_x, jewel_y, 0.62, YELLOW)
    c.fill(box(AXIS - 5.1, 6.2, AXIS + 5.1, 8.2), YELLOW, 0.28)
    for i in range(-2, 3):
        c.dot(AXIS + i * 2.0, 7.2, 0.55, other if i % 2 else main)
    blade = points(27.4, 2.2, 28.5, 4.2, 28.3, 22.6, 26.5, 22.6, 26.3, 4.2)
    c.fill(blade, WHITE, 0.28)
    c.line(points(27.4, 4.4, 27.4, 22), 0.16)
    c.fill(box(24.2, 22.4, 30.6, 23.8), YELLOW, 0.28)
    c.fill(box(26.7, 23.8, 28.1, 28.4), other, 0.24)
    c.dot(27.4, 29.1, 1.0, YELLOW)
    _hand(c, 27.4, 26.0)


def _queen(c: _Canvas, main: Colour, other: Colour) -> None:
    crown = points(-4.4, 7.0, -5.2, 3.2, -2.6, 4.8, 0, 2.2, 2.6, 4.8, 5.2, 3.2, 4.4, 7.0)
    c.fill(crown + np.array([AXIS, 0.0]), YELLOW, 0.3)
    for x, y in ((-5.2, 3.0), (0, 2.0), (5.2, 3.0)):
        c.dot(AXIS + x, y, 0.75, main)
    band = cubic(points(AXIS - 4.6, 7.0), AXIS - 2, 6.0, AXIS + 2, 6.0, AXIS + 4.6, 7.0)
    c.fill(stroke(band, 1.3), other, 0.24)
    for i in range(-2, 3):
        c.dot(AXIS + i * 1.7, 6.45 + abs(i) * 0.12, 0.4, WHITE)
    for i in range(-3, 4):
        c.dot(AXIS + i * 1.15, 19.6 - abs(i) * 0.32, 0.46, WHITE)
    c.dot(AXIS, 20.9, 0.8, main)
    c.line(cubic(points(26.6, 26.5), 27.6, 22, 26.4, 19, 27.2, 14.5), 0.5)
    c.fill(ellipse(25.6, 20.6, 1.5, 0.6), (70, 140, 60), 0.2)
    c.fill(ellipse(28.6, 18.6, 1.5, 0.6), (70, 140, 60), 0.2)
    for i in range(6):
        angle = np.deg2rad(60 * i + 30)
        x, y = 27.2 + 1.55 * np.cos(angle), 12.9 + 1.55 * np.sin(angle)
        c.dot(float(x), float(y), 1.15, main, 0.22)
    c.dot(27.2, 12.9, 0.95, YELLOW, 0.22)
    _hand(c, 26.6, 26.4)


def _jack(c: _Canvas, main: Colour, other: Colour) -> None:
    cap = cubic(
        points(AXIS - 5.2, 7.6),
        *(AXIS - 7.6, 3.2, AXIS - 2.6, 1.4, AXIS + 0.6, 2.2),
        *(AXIS + 5.0, 2.4, AXIS + 7.4, 4.2, AXIS + 5.2, 7.6),
    )
    c.fill(cap, main, 0.32)
    c.line(cubic(points(AXIS - 3, 6.6), AXIS - 3.4, 4.6, AXIS - 1, 3.6, AXIS + 0.6, 2.4), 0.2)
    c.line(cubic(points(AXIS + 3, 6.6), AXIS + 3.6, 4.6, AXIS + 2, 3.6, AXIS + 0.6, 2.4), 0.2)
    c.fill(box(AXIS - 5.4, 6.5, AXIS + 5.4, 8.1), other, 0.28)
    for i in range(-4, 5):
        c.dot(AXIS + i * 1.15, 7.3, 0.32, YELLOW, 0.1)
    quill = cubic(points(AXIS + 4.4, 6.8), AXIS + 6.2, 4.4, AXIS + 8, 2.2, AXIS + 10.6, 1.6)
    c.fill(stroke(quill, (0.6, 2.0, 2.2, 0.3)), WHITE, 0.24)
    c.line(quill, 0.2)
    c.fill(box(27.0, 4.2, 28.0, 30.5), YELLOW, 0.24)
    axe = cubic(
        points(27.5, 5.6), 29.5, 6.4, 30.6, 5.4, 31.4, 4.4, 32.2, 7.4, 32.2, 9.6, 31.4, 12.6
    )
    axe = cubic(axe, 30.6, 11.4, 29.5, 10.6, 27.5, 11.2)
    c.fill(axe, WHITE, 0.28)
    c.fill(points(27.5, 0.6, 28.5, 4.6, 26.5, 4.6), WHITE, 0.24)
    c.fill(points(26.9, 6.6, 24.6, 8.4, 26.9, 10.2), WHITE, 0.24)
    _hand(c, 27.4, 25.8)


def _hand(c: _Canvas, x: float, y: float) -> None:
    c.fill(ellipse(x, y, 1.75, 1.45), SKIN, 0.26)
    for i in (-0.75, 0.0, 0.75):
        c.line(points(x - 1.4, y + i, x + 0.1, y + i), 0.16)
    c.fill(ellipse(x - 0.4, y + 2.3, 2.3, 0.95), WHITE, 0.24)


_FIGURES = {"K": _king, "Q": _queen, "J": _jack}
_COLOURS = {
    "S": (BLUE, RED, YELLOW),
    "H": (RED, BLUE, WHITE),
    "D": (RED, BLACK, YELLOW),
    "C": (BLUE, BLACK, WHITE),
}


@cache
def half_figure(rank_letter: str, suit_letter: str, scale: int) -> Picture:
    """The upper half of a court card's picture: BGR uint8, *scale* px/mm, white ground."""
    c = _Canvas()
    main, other, panel = _COLOURS[suit_letter]
    hair = YELLOW if suit_letter in "SD" else (48, 96, 168)
    _hair(c, hair, 17.5 if rank_letter == "K" else 19.0 if rank_letter == "Q" else 16.6)
    _robe(c, main, other, panel)
    _face(c, 1)
    _collar(c)
    _belt(c, main, other)
    _FIGURES[rank_letter](c, main, other)
    image = c.image
    if suit_letter in "HC":
        image = image[:, ::-1]
    size = (round(WIDTH_MM * scale), round(HALF_MM * scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
