"""Where a design prints rank and suit: found from 52 labelled pictures, whatever letters it uses.

Pixels that four cards of a rank share and other ranks do not are the rank's; pixels that thirteen cards of
a suit share and other suits do not are the suit's. Nothing is assumed but that both are near a corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.align import coarse_ink
from vision.features import Floats
from vision.geometry import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    CORNER_HEIGHT_MM,
    CORNER_WIDTH_MM,
)
from vision.patch import COLS, PX_PER_MM, ROWS, Corner, cut

CANVAS_PX_PER_MM: Final = 2
_MARGIN_MM: Final = 1.4
_ZOOMS: Final = (0.8, 3.3)
_LOW: Final = [0, 11, 12]
"""Ace, three, two: no pip in the corner of the picture."""
_HIGH: Final = list(range(4, 11))
"""Ten to four: a pip there."""
_FAINT: Final = 0.03
_BESIDE_MM: Final = 2.5
"""A rank may be so much wider than the suit below it."""
_BELOW_MM: Final = 16.0
"""How far a rank may lie below its suit, in designs that print it there."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the card, mm from the top left corner."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Where rank and suit are; None where nothing was found."""

    rank: Box | None
    suit: Box | None

    @property
    def zoom(self) -> float:
        """Millimetres of the card that one millimetre of the patch should hold to show the index."""
        boxes = [box for box in (self.rank, self.suit) if box]
        if len(boxes) < 2:
            return 1.0
        wide = max(box.x1 for box in boxes) + _MARGIN_MM
        high = max(box.y1 for box in boxes) + _MARGIN_MM
        zoom = max(wide / CORNER_WIDTH_MM, high / CORNER_HEIGHT_MM)
        return float(np.clip(zoom, *_ZOOMS))


def index_area(layout: Layout, zoom: float) -> Floats:
    """(112, 64): 1 on the pixels of a patch where rank and suit are printed, 0 elsewhere."""
    area = np.zeros((ROWS, COLS), np.float32)
    scale = PX_PER_MM / zoom
    for box in (layout.rank, layout.suit):
        if box:
            x0, y0, x1, y1 = (round(v * scale) for v in (box.x0, box.y0, box.x1, box.y1))
            area[max(y0 - 1, 0) : y1 + 1, max(x0 - 1, 0) : x1 + 1] = 1
    return area


def canvas(image: NDArray[np.uint8], corner: Corner) -> Floats:
    """The whole card's ink from one corner on, 2 px/mm: float32 of (176, 114)."""
    return coarse_ink(
        cut(image, corner, (CARD_WIDTH_MM, CARD_HEIGHT_MM), px_per_mm=CANVAS_PX_PER_MM)
    )


def find_layout(canvases: Floats) -> Layout:
    """From (52, 176, 114) canvases in index order; a mistaken label or two does no harm."""
    grid = canvases.reshape(4, 13, *canvases.shape[1:])
    by_rank = np.median(grid, axis=0)
    ranks = _purity(by_rank, np.abs(grid - by_rank[None]).mean(axis=(0, 1)))
    suits = np.minimum(*(_suit_purity(grid[:, group]) for group in (_LOW, _HIGH)))
    suit = _nearest(suits)
    if suit is None:
        return Layout(None, None)
    for foot in (suit.y1, suit.y1 + _BELOW_MM):
        rank = _extent(ranks, suit, foot)
        if rank is not None:
            return Layout(rank, suit)
    return Layout(_beside(ranks, suit), suit)


def _suit_purity(grid: Floats) -> Floats:
    by_suit = np.median(grid, axis=1)
    return _purity(by_suit, np.abs(grid - by_suit[:, None]).mean(axis=(0, 1)))


def _purity(wanted: Floats, rest: Floats) -> Floats:
    """How much a pixel says about what is wanted, less what else changes there."""
    signal = np.abs(wanted - wanted.mean(axis=0)).mean(axis=0)
    pure = signal * (signal > 1.2 * rest)
    return np.asarray(cv2.GaussianBlur(pure.astype(np.float32), (0, 0), 1.0), np.float32)


def _nearest(purity: Floats) -> Box | None:
    """The patch of purity nearest to the top left corner among those that are strong."""
    peak = float(purity.max())
    if peak < _FAINT:
        return None
    marks = (purity > 0.3 * peak).astype(np.uint8)
    joined: Any = cv2.dilate(marks, np.ones((3, 3), np.uint8))
    count, numbers = cv2.connectedComponents(joined)
    found: list[tuple[float, float, Box]] = []
    for number in range(1, count):
        rows, cols = np.nonzero((numbers == number) & (marks > 0))
        box = _box(rows, cols)
        found.append((float(purity[rows, cols].sum()), float(np.hypot(box.x0, box.y0)), box))
    strongest = max(strength for strength, _, _ in found)
    near = [(away, box) for strength, away, box in found if strength > 0.3 * strongest]
    return min(near, key=lambda item: item[0])[1]


def _extent(purity: Floats, suit: Box, foot: float) -> Box | None:
    """The extent of the rank's pixels towards the corner from the suit."""
    to_px = CANVAS_PX_PER_MM
    part = purity[: round(foot * to_px), : round((suit.x1 + _BESIDE_MM) * to_px)].copy()
    part[round(suit.y0 * to_px) : round(suit.y1 * to_px), round(suit.x0 * to_px) :] = 0
    if not part.size or part.max() < _FAINT:
        return None
    rows, cols = np.nonzero(part > 0.3 * part.max())
    return _box(rows, cols)


def _beside(purity: Floats, suit: Box) -> Box | None:
    """The rank's pixels on any side of the suit, in pictures that are not upright."""
    to_px = CANVAS_PX_PER_MM
    x0, y0, x1, y1 = (round(v * to_px) for v in (suit.x0, suit.y0, suit.x1, suit.y1))
    reach = 3 * max(x1 - x0, y1 - y0)
    near = np.zeros_like(purity)
    rows, cols = slice(max(y0 - reach, 0), y1 + reach), slice(max(x0 - reach, 0), x1 + reach)
    near[rows, cols] = purity[rows, cols]
    near[y0:y1, x0:x1] = 0
    return _nearest(near)


def _box(rows: NDArray[np.intp], cols: NDArray[np.intp]) -> Box:
    return Box(
        float(cols.min()) / CANVAS_PX_PER_MM,
        float(rows.min()) / CANVAS_PX_PER_MM,
        float(cols.max() + 1) / CANVAS_PX_PER_MM,
        float(rows.max() + 1) / CANVAS_PX_PER_MM,
    )
