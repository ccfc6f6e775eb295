"""Knows the stop card by the mark in its index corners; nothing else carries one."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import STOP_MARK_ID, STOP_MARK_OFFSET_MM, STOP_MARK_SIZE_MM
from vision.patch import Corner, cut

_PX_PER_MM: Final = 4
_ROOM_MM: Final = 1.5
"""By so much the mark may be away from its place."""
_CELLS: Final = 7
_BORDER_MM: Final = STOP_MARK_SIZE_MM / _CELLS
_SPOILT: Final = 3
"""Cells that dirt may have changed, one of them of the 25 within the border; marks differ in many more."""
_DARKER: Final = 0.75
"""Print as a share of the paper's light, at most."""
_RINGED: Final = 0.6
"""How much darker than the paper about it the mark's border must be; print that is no mark stays below 0.45."""
_SETTLED: Final = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.005)


@cache
def _detector() -> Any:
    parameters = cv2.aruco.DetectorParameters()
    parameters.errorCorrectionRate = 0.0
    marks = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    return cv2.aruco.ArucoDetector(marks, parameters)


def find_marks(image: NDArray[np.uint8]) -> dict[int, NDArray[np.float64]]:
    """Corners (4, 2) in pixels of every mark in a BGR image, clockwise from the mark's own top left, by its number."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, ids, _ = _detector().detectMarkers(grey)
    if ids is None:
        return {}
    found = {}
    for points, number in zip(corners, ids.ravel(), strict=True):
        fine = cv2.cornerSubPix(
            grey, points.reshape(-1, 1, 2).astype(np.float32), (6, 6), (-1, -1), _SETTLED
        )
        found[int(number)] = fine.reshape(4, 2).astype(np.float64)
    return found


def has_stop_mark(image: NDArray[np.uint8]) -> bool:
    """Whether the stop card's mark is anywhere in a BGR image."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    _, ids, _ = _detector().detectMarkers(grey)
    return ids is not None and STOP_MARK_ID in ids


def is_stop_corner(image: NDArray[np.uint8], corner: Corner) -> bool:
    """Whether the mark is at an index corner."""
    end = STOP_MARK_OFFSET_MM + STOP_MARK_SIZE_MM + STOP_MARK_OFFSET_MM + _ROOM_MM
    size, origin = (end + _ROOM_MM, end + _ROOM_MM), (-_ROOM_MM, -_ROOM_MM)
    part = cut(image, corner, size, origin, _PX_PER_MM)
    return _has_ring(part) and (has_stop_mark(part) or _has_cells(part))


def _has_cells(part: NDArray[np.uint8]) -> bool:
    """Whether the mark's cells are where the card's edges have them.

    The detector follows the mark's outline, which a scratch across it or the end of the image breaks.
    """
    grey = cv2.blur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (3, 3)).astype(np.float32)
    reach = round(_ROOM_MM * _PX_PER_MM)
    first = _ROOM_MM + STOP_MARK_OFFSET_MM + _BORDER_MM / 2
    at = np.round((first + _BORDER_MM * np.arange(_CELLS)) * _PX_PER_MM - 0.5).astype(int)
    moves = np.arange(-reach, reach + 1)
    rows, cols = at + moves[:, None], at + moves[:, None]
    seen = grey[rows[:, None, :, None], cols[None, :, None, :]]
    light = _light_cells()
    bright, dark = seen[..., light].mean(axis=-1), seen[..., ~light].mean(axis=-1)
    wrong = (seen > ((bright + dark) / 2)[..., None, None]) != light
    inner = wrong[..., 1:-1, 1:-1].sum(axis=(-1, -2))
    fits = (inner <= 1) & (wrong.sum(axis=(-1, -2)) <= _SPOILT) & (dark < _DARKER * bright)
    return bool(fits.any())


@cache
def _light_cells() -> NDArray[np.bool_]:
    """(7, 7): which cells of the mark are paper."""
    marks = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    packed = marks.bytesList[STOP_MARK_ID : STOP_MARK_ID + 1]
    inner = cv2.aruco.Dictionary.getBitsFromByteList(packed, _CELLS - 2)
    return np.pad(np.asarray(inner, np.bool_), 1)


def _has_ring(part: NDArray[np.uint8]) -> bool:
    """Whether there is a dark ring with paper about it where the mark should be.

    The detector of marks takes many times as long, above all where there is much print.
    """
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    _, dark = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    side = STOP_MARK_SIZE_MM
    ring = _ring(dark, side - 2 * _BORDER_MM + 0.4, side - 0.4)
    paper = _ring(dark, side + 1.2, side + 4.0)
    middle = round((_ROOM_MM + STOP_MARK_OFFSET_MM + side / 2) * _PX_PER_MM)
    reach = round(_ROOM_MM * _PX_PER_MM)
    near = slice(middle - reach, middle + reach + 1)
    return float((ring - paper)[near, near].max()) > _RINGED


def _ring(dark: Any, inner_mm: float, outer_mm: float) -> NDArray[np.float32]:
    """Share of dark pixels in a square ring about every pixel."""
    inner, outer = (round(mm * _PX_PER_MM) | 1 for mm in (inner_mm, outer_mm))
    sums = [
        cv2.boxFilter(dark, cv2.CV_32F, (k, k), normalize=False, borderType=cv2.BORDER_REPLICATE)
        for k in (inner, outer)
    ]
    return np.asarray((sums[1] - sums[0]) / (outer**2 - inner**2), np.float32)
