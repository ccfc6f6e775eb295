"""Finds the index corners in a window image from the card's edges; 10 px/mm, tilted by a few degrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.features import brightest
from vision.geometry import WINDOW_COLS, WINDOW_PX_PER_MM, WINDOW_ROWS
from vision.patch import Corner, straight_corner

_STEP: Final = 4
MIN_CONTRAST: Final = 18.0
"""Grey values between card and belt."""
_MIN_SUPPORT: Final = 20
"""Coarse pixels (8 mm) of an edge that must lie on one line."""
_GRAINY: Final = 0.3
"""Share of coarse pixels that differ from most about them, in noise; cards have at most half of that."""
_NEAR: Final = 0.9
"""Coarse pixels between an edge point and its line."""

Line = tuple[NDArray[np.float64], NDArray[np.float64]]
"""A point and a unit direction, in pixels of the image."""


@dataclass(frozen=True, slots=True)
class View:
    """What a window image shows at first sight."""

    corners: tuple[Corner, ...]
    level: float
    """Mean grey value of the image."""
    contrast: float
    """Grey values between its bright and its dark part."""
    covered: float
    """Share of the image that is bright."""


def is_window(image: NDArray[np.uint8]) -> bool:
    """Whether an image has the size of a window image."""
    return image.shape[:2] == (WINDOW_ROWS, WINDOW_COLS)


def look(image: NDArray[np.uint8]) -> View:
    """Finds the card's visible edges in a window image and the corners where two of them meet."""
    small = cv2.resize(
        image, (image.shape[1] // _STEP, image.shape[0] // _STEP), interpolation=cv2.INTER_AREA
    )
    grey = brightest(np.asarray(small, np.uint8))
    threshold, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    bright = grey > threshold
    level = float(grey.mean())
    if not bright.any() or bright.all():
        return View((), level, 0.0, float(bright.mean()))
    contrast = float(np.median(grey[bright])) - float(np.median(grey[~bright]))
    covered = float(bright.mean())
    if contrast < MIN_CONTRAST or np.mean(cv2.medianBlur(mask, 5) != mask) > _GRAINY:
        return View((), level, contrast, covered)
    lines = _edges(grey, float(threshold))
    return View(tuple(_corners(lines)), level, contrast, covered)


def _edges(grey: NDArray[np.uint8], threshold: float) -> dict[str, Line]:
    """Visible edges by the side they face: "top", "right", "bottom", "left"."""
    views: dict[str, Any] = {
        "top": grey,
        "bottom": grey[::-1],
        "left": grey.T,
        "right": grey.T[::-1],
    }
    lines: dict[str, Line] = {}
    for side, view in views.items():
        fitted = _first_bright_line(view, threshold)
        if fitted is None:
            continue
        slope, offset = fitted
        depth = view.shape[0]
        if side in ("bottom", "right"):
            slope, offset = -slope, depth - 1 - offset
        if side in ("top", "bottom"):
            point, direction = np.array([0.0, offset]), np.array([1.0, slope])
        else:
            point, direction = np.array([offset, 0.0]), np.array([slope, 1.0])
        point = (point + 0.5) * _STEP - 0.5
        lines[side] = (point, direction / np.hypot(*direction))
    return lines


def _first_bright_line(view: NDArray[np.uint8], threshold: float) -> tuple[float, float] | None:
    """Slope and offset of the line on which columns of *view* first turn bright, or None."""
    bright = view > threshold
    first = bright.argmax(axis=0)
    found = bright.any(axis=0)
    touching = found & (first == 0)
    if touching.sum() > 0.5 * found.sum():
        return None
    x = np.flatnonzero(found & (first > 0))
    if len(x) < _MIN_SUPPORT:
        return None
    here = view[first[x], x].astype(float)
    before = view[first[x] - 1, x].astype(float)
    y = first[x] - (here - threshold) / np.maximum(here - before, 1.0)
    return _robust_line(x.astype(float), y)


def _robust_line(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float] | None:
    """Least squares over the points near the line that most of them share."""
    gap = max(8, len(x) // 3)
    if len(x) <= gap:
        return None
    slopes = (y[gap:] - y[:-gap]) / (x[gap:] - x[:-gap])
    slope = (
        float(np.median(slopes[np.abs(slopes) < 0.35])) if (np.abs(slopes) < 0.35).any() else 0.0
    )
    offset = float(np.median(y - slope * x))
    near = np.abs(y - slope * x - offset) < 3 * _NEAR
    for _ in range(3):
        if near.sum() < _MIN_SUPPORT:
            return None
        slope, offset = _least_squares(x[near], y[near])
        near = np.abs(y - slope * x - offset) < _NEAR
    if near.sum() < max(_MIN_SUPPORT, 0.4 * len(x)):
        return None
    return slope, offset


def _least_squares(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """Slope and offset; ten times as fast as `np.polyfit`."""
    middle, level = float(x.mean()), float(y.mean())
    away = x - middle
    slope = float(away @ (y - level)) / max(float(away @ away), 1e-9)
    return slope, level - slope * middle


_MEETING: Final = (
    # the two sides of a corner, and which of them is the upright card's top edge, running how
    ("top", "right", "right", 1.0),
    ("top", "left", "top", 1.0),
    ("bottom", "left", "left", -1.0),
    ("bottom", "right", "bottom", -1.0),
)


def _corners(lines: dict[str, Line]) -> list[Corner]:
    """Corners where an upright card's top left could be, the machine's own first."""
    corners = []
    for one, other, top_edge, sign in _MEETING:
        if one not in lines or other not in lines:
            continue
        (p, u), (q, v) = lines[one], lines[other]
        if abs(float(u @ v)) > 0.06:
            continue
        along = np.linalg.solve(np.column_stack([u, -v]), q - p)
        origin = p + along[0] * u
        right = lines[top_edge][1] * sign
        corners.append(straight_corner(origin, right, WINDOW_PX_PER_MM, "window"))
    return corners
