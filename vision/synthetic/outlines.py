"""A small vector toolkit: curves to points, strokes to polygons, polygons to smooth masks.

A *shape* is a list of closed polygons (float arrays of shape (n, 2), x right, y down, any unit); where
polygons of one shape overlap they unite, and those listed as holes are cut out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Mask = NDArray[np.float32]

SUPERSAMPLE = 4
_SHIFT = 4


@dataclass(frozen=True, slots=True)
class Shape:
    """Polygons that unite, the holes that are then cut out, and what is laid over the holes at last."""

    solid: Sequence[Points]
    holes: Sequence[Points] = field(default_factory=tuple)
    over: Sequence[Points] = field(default_factory=tuple)

    def moved(self, scale_x: float, scale_y: float, dx: float, dy: float) -> Shape:
        """The shape scaled about the origin, then moved."""

        def place(polygon: Points) -> Points:
            return polygon * (scale_x, scale_y) + (dx, dy)

        return self._mapped(place)

    def turned(self, degrees: float) -> Shape:
        """The shape turned clockwise (as seen on the card) about the origin."""
        angle = np.deg2rad(degrees)
        cos, sin = np.cos(angle), np.sin(angle)
        matrix = np.array([[cos, sin], [-sin, cos]])
        return self._mapped(lambda polygon: polygon @ matrix)

    def _mapped(self, place: Callable[[Points], Points]) -> Shape:
        return Shape(
            [place(p) for p in self.solid],
            [place(p) for p in self.holes],
            [place(p) for p in self.over],
        )


def points(*values: float) -> Points:
    """Points from a flat list x, y, x, y, ..."""
    return np.asarray(values, dtype=float).reshape(-1, 2)


def cubic(start: Points, *controls: float, steps: int = 14) -> Points:
    """A chain of cubic curves from the last point of *start*; six numbers a curve. Returns all points."""
    path = [np.asarray(start, dtype=float).reshape(-1, 2)]
    here = path[0][-1]
    t = np.linspace(0, 1, steps + 1)[1:, None]
    for i in range(0, len(controls), 6):
        a, b, end = points(*controls[i : i + 6])
        path.append(
            (1 - t) ** 3 * here + 3 * (1 - t) ** 2 * t * a + 3 * (1 - t) * t**2 * b + t**3 * end
        )
        here = end
    return np.vstack(path)


def mirrored(path: Points, axis: float = 0.0) -> Points:
    """The path and its mirror image about the vertical line x = *axis*, closed into one polygon."""
    other = path[::-1].copy()
    other[:, 0] = 2 * axis - other[:, 0]
    return np.vstack([path, other])


def ellipse(
    cx: float, cy: float, rx: float, ry: float, start: float = 0, end: float = 360
) -> Points:
    """Points of an ellipse, angles in degrees clockwise from the x axis (y runs down)."""
    steps = max(8, int(abs(end - start) / 7))
    t = np.deg2rad(np.linspace(start, end, steps))
    return np.column_stack([cx + rx * np.cos(t), cy + ry * np.sin(t)])


def stroke(path: Points, width: float | Sequence[float]) -> Points:
    """The outline of a stroke along *path*; several widths are spread evenly along its length."""
    path = np.asarray(path, dtype=float)
    steps = np.diff(path, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    keep = np.r_[True, lengths > 1e-9]
    path, steps = path[keep], np.diff(path[keep], axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    along = np.r_[0, np.cumsum(lengths)] / max(lengths.sum(), 1e-9)
    widths = np.atleast_1d(np.asarray(width, dtype=float))
    half = np.interp(along, np.linspace(0, 1, len(widths)), widths)[:, None] / 2
    unit = steps / lengths[:, None]
    tangent = np.vstack([unit[:1], (unit[:-1] + unit[1:]) / 2, unit[-1:]])
    tangent /= np.maximum(np.hypot(tangent[:, 0], tangent[:, 1]), 0.35)[:, None]
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    return np.vstack([path + normal * half, (path - normal * half)[::-1]])


def cut(polygon: Points, top: float, foot: float) -> Points:
    """The part of a polygon between two horizontal lines."""
    for limit, sign in ((top, 1.0), (foot, -1.0)):
        inside = (polygon[:, 1] - limit) * sign >= 0
        kept = []
        for here, after, a, b in zip(
            polygon, np.roll(polygon, -1, 0), inside, np.roll(inside, -1), strict=True
        ):
            if a:
                kept.append(here)
            if a != b:
                kept.append(here + (after - here) * (limit - here[1]) / (after[1] - here[1]))
        polygon = np.array(kept).reshape(-1, 2)
    return polygon


def box(x0: float, y0: float, x1: float, y1: float) -> Points:
    """A rectangle."""
    return points(x0, y0, x1, y0, x1, y1, x0, y1)


def mask(shape: Shape, size: tuple[int, int], scale: float) -> Mask:
    """The shape drawn smoothly: float32 of (rows, cols) = *size*, 0..1; *scale* is px a unit."""
    rows, cols = size
    canvas: Any = np.zeros((rows * SUPERSAMPLE, cols * SUPERSAMPLE), np.uint8)
    factor = scale * SUPERSAMPLE * (1 << _SHIFT)
    half = (1 << _SHIFT) / 2
    for polygons, value in ((shape.solid, 255), (shape.holes, 0), (shape.over, 255)):
        for polygon in polygons:
            fixed = np.round(polygon * factor - half).astype(np.int32)
            cv2.fillPoly(canvas, [fixed], value, lineType=cv2.LINE_8, shift=_SHIFT)
    small = cv2.resize(canvas, (cols, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(small / np.float32(255), np.float32)
