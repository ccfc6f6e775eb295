"""Moves a corner until its patch fits a taught index: small steps by fit, larger ones by search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.corner import Model, Opinion
from vision.features import Floats, darkest
from vision.geometry import CORNER_HEIGHT_MM, CORNER_WIDTH_MM
from vision.patch import COLS, PX_PER_MM, ROWS, Corner, Matrix, cut

COARSE: Final = 2
"""Pixels a millimetre of the coarse search."""


def nudged(corner: Corner, opinion: Opinion) -> Corner:
    """The corner moved, turned and grown as the fit to the likeliest card asks."""
    return corner.changed(step_of(opinion))


def step_of(opinion: Opinion) -> Matrix:
    """3x3, in mm of the patch: where the patch should have been cut instead, one careful step of it."""
    dx, dy, turn, growth = (float(v) for v in opinion.nudge)
    limit = PX_PER_MM * 1.5
    dx, dy = np.clip((dx, dy), -limit, limit) / PX_PER_MM
    turn, growth = float(np.clip(turn, -0.06, 0.06)), float(np.clip(growth, -0.06, 0.06))
    # Seen ink = picture + dx * d(picture)/dx + ..: the picture sits at x - dx.
    cos, sin = np.cos(turn) * (1 - growth), np.sin(turn) * (1 - growth)
    mx, my = CORNER_WIDTH_MM / 2, CORNER_HEIGHT_MM / 2
    about = np.array([[1, 0, mx], [0, 1, my], [0, 0, 1.0]])
    change = np.array([[cos, -sin, -dx], [sin, cos, -dy], [0, 0, 1.0]])
    back = np.array([[1, 0, -mx], [0, 1, -my], [0, 0, 1.0]])
    return np.asarray(about @ change @ back)


@dataclass(eq=False)
class Finder:
    """Looks for a taught index near a place; holds the model's pictures made coarse."""

    model: Model

    @cached_property
    def _area(self) -> tuple[slice, slice]:
        """The part of a coarse patch that tells cards apart."""
        zone = cv2.resize(self.model.zone, (COLS // 2, ROWS // 2), interpolation=cv2.INTER_AREA)
        rows = np.flatnonzero((zone > 0.12).any(axis=1))
        cols = np.flatnonzero((zone > 0.12).any(axis=0))
        if not len(rows) or not len(cols):
            return slice(0, ROWS // 2), slice(0, COLS // 2)
        return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(cols[0]), int(cols[-1]) + 1)

    @cached_property
    def _pictures(self) -> Floats:
        rows, cols = self._area
        flat = []
        for picture in self.model.pictures:
            small = cv2.resize(picture, (COLS // 2, ROWS // 2), interpolation=cv2.INTER_AREA)
            part = np.asarray(small, np.float32)[rows, cols].ravel()
            part = part - part.mean()
            flat.append(part / max(float(np.linalg.norm(part)), 1e-6))
        return np.stack(flat)

    def near(
        self, image: NDArray[np.uint8], corner: Corner, reach_mm: float, count: int
    ) -> Iterator[tuple[float, Corner]]:
        """The *count* likeliest corners within *reach_mm* of *corner*, best first, each with its likeness.

        The likeness is the correlation with the card that fits best there, -1..1.
        """
        size = (CORNER_WIDTH_MM + 2 * reach_mm, CORNER_HEIGHT_MM + 2 * reach_mm)
        wide = cut(image, corner, size, (-reach_mm, -reach_mm), COARSE)
        ink = coarse_ink(wide)
        rows, cols = self._area
        steps = round(2 * reach_mm * COARSE) + 1
        part = ink[rows.start :, cols.start :]
        shape = (rows.stop - rows.start, cols.stop - cols.start)
        part = part[: shape[0] + steps - 1, : shape[1] + steps - 1]
        views: Any = sliding_window_view(part, shape).reshape(-1, shape[0] * shape[1])
        # The pictures have no mean, so the views need none taken out before the product.
        products = (views @ self._pictures.T).max(axis=1)
        squares = np.einsum("ij,ij->i", views, views) - views.shape[1] * views.mean(axis=1) ** 2
        scores = products / np.sqrt(np.maximum(squares, 0.25))
        scores = scores.reshape(part.shape[0] - shape[0] + 1, part.shape[1] - shape[1] + 1)
        for _ in range(count):
            row, col = (int(v) for v in np.unravel_index(int(scores.argmax()), scores.shape))
            place = corner.moved(col / COARSE - reach_mm, row / COARSE - reach_mm)
            yield float(scores[row, col]), place
            scores[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2] = -1


def coarse_ink(wide: NDArray[np.uint8]) -> Floats:
    """Ink of a larger cut-out at 2 px/mm: darkest channel against the paper around it."""
    kernel = np.ones((13, 13), np.uint8)
    white = cv2.blur(cv2.dilate(wide, kernel), (13, 13))
    share = cv2.divide(wide, np.maximum(white, 12), scale=255, dtype=cv2.CV_8U)
    return np.asarray((255 - darkest(np.asarray(share, np.uint8))) / np.float32(255), np.float32)
