"""How many threads OpenCV may use: one, so that reading leaves the other cores alone."""

from __future__ import annotations

import cv2


def one_thread() -> None:
    """For the process that reads: parallel filters on small images cost more than they gain."""
    cv2.setNumThreads(1)
