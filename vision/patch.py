"""Where an index corner lies in an image, and the upright patch of pixels cut from there.

A patch shows the top left 16 x 28 mm of an upright card at 4 px/mm: uint8 of (112, 64, 3), BGR.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CORNER_HEIGHT_MM, CORNER_WIDTH_MM

Patch = NDArray[np.uint8]
Matrix = NDArray[np.float64]

PX_PER_MM: Final = 4
ROWS: Final = round(CORNER_HEIGHT_MM * PX_PER_MM)
COLS: Final = round(CORNER_WIDTH_MM * PX_PER_MM)


@dataclass(frozen=True, slots=True, eq=False)
class Corner:
    """An index corner that may be there.

    `matrix` is 3x3 and takes (x, y, 1) in mm from the card's top left corner, upright, to image pixels
    (pixel centres at whole numbers). `source` says who found it: "window", "outline", "whole",
    "upright", "search", "mark".
    """

    matrix: Matrix
    source: str

    def moved(self, dx_mm: float, dy_mm: float) -> Corner:
        """The corner with its origin moved on the card."""
        return replace(
            self, matrix=self.matrix @ np.array([[1, 0, dx_mm], [0, 1, dy_mm], [0, 0, 1]])
        )

    def changed(self, by: Matrix) -> Corner:
        """The corner whose millimetres are *by* (3x3) of this one's."""
        return replace(self, matrix=self.matrix @ by)

    def scaled(self, factor: float) -> Corner:
        """The corner with every millimetre *factor* times as long."""
        return replace(self, matrix=self.matrix @ np.diag([factor, factor, 1.0]))

    def turned(self, degrees: float) -> Corner:
        """The corner turned clockwise about the middle of its patch."""
        angle = np.deg2rad(degrees)
        cos, sin = np.cos(angle), np.sin(angle)
        mx, my = CORNER_WIDTH_MM / 2, CORNER_HEIGHT_MM / 2
        about = np.array(
            [[cos, -sin, mx - cos * mx + sin * my], [sin, cos, my - sin * mx - cos * my], [0, 0, 1]]
        )
        return replace(self, matrix=self.matrix @ about)

    def at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Image pixel (x, y) of a place on the card."""
        x, y, w = self.matrix @ (x_mm, y_mm, 1.0)
        return float(x / w), float(y / w)

    def px_per_mm(self) -> float:
        """How fine the image is in the middle of the patch."""
        x0, y0 = self.at(CORNER_WIDTH_MM / 2, CORNER_HEIGHT_MM / 2)
        x1, y1 = self.at(CORNER_WIDTH_MM / 2 + 1, CORNER_HEIGHT_MM / 2)
        x2, y2 = self.at(CORNER_WIDTH_MM / 2, CORNER_HEIGHT_MM / 2 + 1)
        return float((np.hypot(x1 - x0, y1 - y0) + np.hypot(x2 - x0, y2 - y0)) / 2)


def straight_corner(origin: Any, right: Any, px_per_mm: float, source: str) -> Corner:
    """A corner seen without perspective: *origin* and the direction of the card's top edge, in pixels."""
    u = np.asarray(right, float) / np.hypot(*right) * px_per_mm
    matrix = np.array([[u[0], -u[1], origin[0]], [u[1], u[0], origin[1]], [0, 0, 1.0]])
    return Corner(matrix, source)


def cut(
    image: NDArray[np.uint8],
    corner: Corner,
    size_mm: tuple[float, float] = (CORNER_WIDTH_MM, CORNER_HEIGHT_MM),
    origin_mm: tuple[float, float] = (0.0, 0.0),
    px_per_mm: int = PX_PER_MM,
) -> NDArray[np.uint8]:
    """The upright pixels of *size_mm* from *origin_mm* on; what lies outside the image repeats its edge."""
    cols, rows = (round(size * px_per_mm) for size in size_mm)
    fine = corner.px_per_mm() / px_per_mm
    over = 2 if fine > 1.3 else 1
    if fine > 2 * over:
        image, corner = _shrunk(image, corner, fine / over / 1.5, origin_mm, size_mm)
    step = 1 / (px_per_mm * over)
    to_mm = np.array(
        [
            [step, 0, origin_mm[0] + step / 2],
            [0, step, origin_mm[1] + step / 2],
            [0, 0, 1],
        ]
    )
    matrix = corner.matrix @ to_mm
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (cols * over, rows * over)
    border = cv2.BORDER_REPLICATE
    if abs(matrix[2, 0]) < 1e-12 and abs(matrix[2, 1]) < 1e-12:
        affine = matrix[:2] / matrix[2, 2]
        seen = cv2.warpAffine(image, affine, size, flags=flags, borderMode=border)
    else:
        seen = cv2.warpPerspective(image, matrix, size, flags=flags, borderMode=border)
    if over > 1:
        seen = cv2.resize(seen, (cols, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(seen, np.uint8)


def known_pixels(shape: tuple[int, ...], corner: Corner) -> NDArray[np.bool_] | None:
    """Which pixels of a corner's patch lie inside an image of *shape*; None if all do."""
    ends = [
        corner.at(x, y)
        for x, y in (
            (0, 0),
            (CORNER_WIDTH_MM, 0),
            (0, CORNER_HEIGHT_MM),
            (CORNER_WIDTH_MM, CORNER_HEIGHT_MM),
        )
    ]
    low, high = np.min(ends, axis=0), np.max(ends, axis=0)
    if low.min() >= -0.5 and high[0] <= shape[1] - 0.5 and high[1] <= shape[0] - 0.5:
        return None
    x, y = _centres()
    px, py, w = (
        corner.matrix[k, 0] * x + corner.matrix[k, 1] * y + corner.matrix[k, 2] for k in range(3)
    )
    px, py = px / w, py / w
    return np.asarray((px > -0.5) & (py > -0.5) & (px < shape[1] - 0.5) & (py < shape[0] - 0.5))


@cache
def _centres() -> tuple[Matrix, Matrix]:
    """Places of the patch's pixels, mm."""
    y, x = (np.mgrid[0:ROWS, 0:COLS] + 0.5) / PX_PER_MM
    return x, y


def _shrunk(
    image: NDArray[np.uint8],
    corner: Corner,
    factor: float,
    origin_mm: tuple[float, float],
    size_mm: tuple[float, float],
) -> tuple[NDArray[np.uint8], Corner]:
    """The part to be cut, made *factor* times coarser, so that sampling it does not alias."""
    across = (origin_mm[0] - 2, origin_mm[0] + size_mm[0] + 2)
    down = (origin_mm[1] - 2, origin_mm[1] + size_mm[1] + 2)
    spots = [corner.at(x, y) for x in across for y in down]
    low = np.floor(np.min(spots, axis=0)).astype(int)
    high = np.ceil(np.max(spots, axis=0)).astype(int) + 1
    x0, x1 = np.clip((low[0], high[0]), 0, image.shape[1])
    y0, y1 = np.clip((low[1], high[1]), 0, image.shape[0])
    if x1 - x0 < 4 or y1 - y0 < 4:
        return image, corner
    part = image[y0:y1, x0:x1]
    size = (max(1, round((x1 - x0) / factor)), max(1, round((y1 - y0) / factor)))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    fx, fy = size[0] / (x1 - x0), size[1] / (y1 - y0)
    place = np.array([[fx, 0, fx * (0.5 - x0) - 0.5], [0, fy, fy * (0.5 - y0) - 0.5], [0, 0, 1]])
    return np.asarray(small, np.uint8), replace(corner, matrix=place @ corner.matrix)
