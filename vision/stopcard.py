"""Knows the stop card by the mark in its index corners; nothing else carries one."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import STOP_MARK_ID
from vision.patch import Corner, cut

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
    return has_stop_mark(cut(image, corner, (21.0, 21.0), (-1.5, -1.5), 8))
