"""Looks for a taught index anywhere in a picture whose scale is unknown: bare corners, white on white.

Slow (some tenths of a second): the machine's window images never come here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.align import coarse_ink
from vision.corner import Model, index_extent
from vision.features import Floats
from vision.geometry import CARD_HEIGHT_MM
from vision.patch import COLS, PX_PER_MM, ROWS, Corner

_COARSE: Final = 1
"""Pixels a millimetre of the patch."""
_STEP: Final = 1.09
"""Ratio of neighbouring scales."""
_SMALLEST_SHARE: Final = 0.5
"""A card's long side as a share of the picture's, at least."""
_WIDEST_INDEX: Final = 0.75
"""The index as a share of the picture's width, at most."""

_AT_ONCE: Final = 1 << 18
"""Numbers in a band of windows; all windows of a picture at once take 40 MB, which the reading process keeps."""


@dataclass(frozen=True, slots=True, eq=False)
class _Hit:
    score: float
    corner: Corner


class Search:
    """The model's indices made coarse, to be slid over pictures."""

    def __init__(self, model: Model, zoom: float) -> None:
        self._zoom = zoom
        factor = PX_PER_MM // _COARSE
        size = (COLS // factor, ROWS // factor)
        rows, cols = index_extent(model)
        self._top, self._left = rows.start // factor, cols.start // factor
        foot, right = -(-rows.stop // factor), -(-cols.stop // factor)
        self._shape = (foot - self._top, right - self._left)
        pictures = []
        for picture in model.pictures:
            small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)
            part = small[self._top : foot, self._left : right].ravel()
            part = part - part.mean()
            pictures.append(part / max(float(np.linalg.norm(part)), 1e-6))
        self._pictures = np.stack(pictures)

    def hits(self, image: NDArray[np.uint8], count: int = 14) -> Iterator[Corner]:
        """The *count* likeliest corners, best first; the picture may be turned by quarters."""
        found: list[_Hit] = []
        for px_per_mm in self._scales(image.shape):
            found += self._at_scale(image, px_per_mm)
        found.sort(key=lambda hit: -hit.score)
        kept: list[_Hit] = []
        for hit in found:
            if len(kept) == count:
                break
            if not any(_same_place(hit.corner, other.corner) for other in kept):
                kept.append(hit)
                yield hit.corner

    def _scales(self, shape: tuple[int, ...]) -> Iterator[float]:
        """Image pixels per millimetre of the patch, from whole cards to tight corners."""
        low = max(shape[:2]) * _SMALLEST_SHARE / CARD_HEIGHT_MM * min(self._zoom, 1.0)
        high = _WIDEST_INDEX * min(shape[:2]) / (self._shape[1] / _COARSE)
        scale = max(low, 1.2)
        while scale < high:
            yield scale
            scale *= _STEP

    def _at_scale(self, image: NDArray[np.uint8], px_per_mm: float) -> list[_Hit]:
        factor = _COARSE / px_per_mm
        size = (round(image.shape[1] * factor), round(image.shape[0] * factor))
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        grow = np.array([image.shape[1] / size[0], image.shape[0] / size[1]])
        ink = coarse_ink(small)
        hits = []
        for quarter in range(4):
            turned = np.ascontiguousarray(np.rot90(ink, quarter))
            for score, row, col in self._best(turned):
                corner = _corner(row - self._top, col - self._left, quarter, size, grow, px_per_mm)
                hits.append(_Hit(score, corner))
        return hits

    def _best(self, ink: Floats) -> list[tuple[float, int, int]]:
        """Score and place of the few best matches in an upright picture."""
        rows, cols = self._shape
        if ink.shape[0] < rows or ink.shape[1] < cols:
            return []
        windows: Any = sliding_window_view(ink, self._shape)
        shape = windows.shape[:2]
        scores = np.empty(shape, np.float32)
        band = max(1, _AT_ONCE // (shape[1] * rows * cols))
        for top in range(0, shape[0], band):
            flat = windows[top : top + band].reshape(-1, rows * cols)
            flat = flat - flat.mean(axis=1, keepdims=True)
            norms = np.maximum(np.linalg.norm(flat, axis=1), 0.08 * np.sqrt(rows * cols))
            best = (flat @ self._pictures.T).max(axis=1) / norms
            scores[top : top + band] = best.reshape(-1, shape[1])
        found = []
        for _ in range(2):
            row, col = (int(v) for v in np.unravel_index(int(scores.argmax()), shape))
            found.append((float(scores[row, col]), row, col))
            scores[max(row - 3, 0) : row + 4, max(col - 3, 0) : col + 4] = -1
        return found


def _corner(
    row: int,
    col: int,
    quarter: int,
    size: tuple[int, int],
    grow: NDArray[np.float64],
    px_per_mm: float,
) -> Corner:
    """From a place in the turned coarse picture back to the image; one patch mm is one coarse px."""
    wide, high = size
    # np.rot90 turns counter-clockwise: turned (x, y) -> coarse image (x, y), pixel edges.
    back = {
        0: [[1, 0, 0], [0, 1, 0]],
        1: [[0, -1, wide], [1, 0, 0]],
        2: [[-1, 0, wide], [0, -1, high]],
        3: [[0, 1, 0], [-1, 0, high]],
    }[quarter]
    turned = np.vstack([np.array(back, float), [0, 0, 1]])
    place = np.array([[1, 0, col], [0, 1, row], [0, 0, 1.0]])
    to_image = np.diag([grow[0], grow[1], 1.0])
    to_image[:2, 2] = -0.5
    return Corner(to_image @ turned @ place, "search")


def _same_place(one: Corner, other: Corner) -> bool:
    size = one.px_per_mm()
    gaps = [
        np.hypot(*np.subtract(one.at(x, y), other.at(x, y))) for x, y in ((0, 0), (8, 0), (0, 14))
    ]
    return max(float(gap) for gap in gaps) < 1.2 * size
