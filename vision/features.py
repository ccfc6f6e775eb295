"""From a patch to numbers: ink, colour and edge directions, independent of light and paper.

`look_at` takes the patch apart once; everything else works on what it returns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.patch import COLS, PX_PER_MM, ROWS, Patch

Floats = NDArray[np.float32]

CELL: Final = 8
DIRECTIONS: Final = 8
_COLOUR_GRID: Final = (4, 7)
LENGTH: Final = (COLS // CELL) * (ROWS // CELL) * DIRECTIONS + 2 * _COLOUR_GRID[0] * _COLOUR_GRID[1]
"""Numbers in a feature vector."""
ROUNDED_MM: Final = 3.6
"""Cards are rounded off by about this radius; what lies beyond belongs to the background."""
_EDGE_MM: Final = 0.7
_GREY: Final = 2
"""Difference of channels up to which a pixel has no colour."""
_RED_IS_DARKER: Final = 1.35
"""Red ink takes about this much more from the darkest channel than from the grey value."""
_RED_TINT: Final = 0.85
"""Tint of red print as a share of its ink."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A patch without its light: `ink` (112, 64) and `tint` (112, 64, 2), float32; 0 is bare paper."""

    ink: Floats
    tint: Floats
    paper: float
    """Grey value of the paper, 0..255."""
    contrast: float
    """Spread of the ink, 0..1: near 0 on blank paper."""
    known: NDArray[np.bool_] | None = None
    """(112, 64): which pixels the image really showed; None for all of them."""

    def filled(self, ink: Floats) -> Seen:
        """With *ink*, in the known ink's own colour, where nothing is known."""
        if self.known is None or not self.known.any():
            return self
        seen = self.known.astype(np.float32)
        unseen_ink = ink * (1 - seen)
        hue = seen.ravel() @ self.tint.reshape(-1, 2)
        hue /= max(float(seen.ravel() @ self.ink.ravel()), 1e-3)
        tint = self.tint * seen[:, :, None] + unseen_ink[:, :, None] * hue
        return replace(self, ink=self.ink * seen + unseen_ink, tint=tint)


def darkest(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The least of the three channels."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def brightest(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The greatest of the three channels."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


@cache
def inside_card() -> NDArray[np.bool_]:
    """Which pixels of a patch lie well inside a card with rounded corners."""
    y, x = (np.mgrid[0:ROWS, 0:COLS] + 0.5) / PX_PER_MM
    inside = (x > _EDGE_MM) & (y > _EDGE_MM)
    away = np.hypot(ROUNDED_MM - x, ROUNDED_MM - y) > ROUNDED_MM - _EDGE_MM
    return np.asarray(inside & ~((x < ROUNDED_MM) & (y < ROUNDED_MM) & away))


@cache
def _outside_255() -> NDArray[np.uint8]:
    return np.where(inside_card(), 0, 255).astype(np.uint8)


def look_at(patch: Patch, known: NDArray[np.bool_] | None = None) -> Seen:
    """Takes light and paper out of *patch*; *known* tells which of its pixels the image showed."""
    white = _paper(patch)
    share = cv2.divide(patch, white, scale=255, dtype=cv2.CV_8U)
    cv2.copyTo(_all_white(), _outside_255(), share)
    blue, green, red = cv2.split(share)
    ink = np.asarray((255 - cv2.min(cv2.min(blue, green), red)) / np.float32(255), np.float32)
    b, g, r = (np.asarray(channel, np.float32) for channel in (blue, green, red))
    tint = np.asarray(np.dstack([r - 0.5 * (g + b), g - b]) / np.float32(255), np.float32)
    return Seen(ink, tint, float(white.mean()), float(ink.std()), known)


@cache
def _all_white() -> Patch:
    return np.full((ROWS, COLS, 3), 255, np.uint8)


def _paper(patch: Patch) -> NDArray[np.uint8]:
    """The paper's level at every pixel and in every channel, as if nothing were printed."""
    inner = patch[4:, 4:]
    small = cv2.resize(inner, (16, 28), interpolation=cv2.INTER_AREA)
    small = cv2.dilate(small, np.ones((7, 5), np.uint8))
    floor = _upper_middle(small) * 0.6
    small = np.maximum(small, np.maximum(floor, 12)).astype(np.uint8)
    small = cv2.blur(small, (7, 7))
    return np.asarray(cv2.resize(small, (COLS, ROWS), interpolation=cv2.INTER_LINEAR), np.uint8)


def is_grey(patch: Patch) -> bool:
    """Whether a patch has no colour at all: a picture stored in grey, never a camera's own."""
    some = patch[::4, ::4]
    return int((some.max(axis=2) - some.min(axis=2)).max()) <= _GREY


def reddened(seen: Seen) -> Seen:
    """What a grey patch shows, were all its ink red: that is paler in grey than black ink, and by how much is known."""
    ink = np.minimum(seen.ink * _RED_IS_DARKER, 1).astype(np.float32)
    return replace(seen, ink=ink, tint=np.dstack([ink * _RED_TINT, np.zeros_like(ink)]))


def _upper_middle(small: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The 60th percentile of every channel, as `np.percentile` has it, in a fifth of its time."""
    levels = np.sort(small.reshape(-1, 3), axis=0).astype(np.float64)
    place = 0.6 * (len(levels) - 1)
    below = int(place)
    return np.asarray(levels[below] + (place - below) * (levels[below + 1] - levels[below]))


@cache
def _compass() -> Floats:
    angles = np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
    return np.column_stack([np.cos(angles), np.sin(angles), np.full(DIRECTIONS, -0.55)]).astype(
        np.float32
    )


def describe(seen: Seen) -> Floats:
    """The feature vector: float32 of (LENGTH,), about unit length."""
    ink = cv2.GaussianBlur(seen.ink, (0, 0), 0.8)
    gx = cv2.Sobel(ink, cv2.CV_32F, 1, 0, ksize=3)
    gy = cv2.Sobel(ink, cv2.CV_32F, 0, 1, ksize=3)
    size = cv2.magnitude(gx, gy)
    parts: Any = cv2.transform(cv2.merge([gx, gy, size]), _compass())
    np.maximum(parts, 0, out=parts)
    parts = cv2.blur(parts, (CELL + 3, CELL + 3))
    cells = parts[CELL // 2 :: CELL, CELL // 2 :: CELL].reshape(-1)
    cells = np.sqrt(np.maximum(cells, 0))
    cells /= max(float(np.linalg.norm(cells)), 1e-3)
    tint = np.asarray(cv2.resize(seen.tint, _COLOUR_GRID, interpolation=cv2.INTER_AREA))
    colour = tint.reshape(-1) * (0.12 / max(float(seen.ink.mean()), 0.03))
    return np.concatenate([cells, colour]).astype(np.float32)
