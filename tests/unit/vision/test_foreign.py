"""Strangers that are made of a design's own print to set its limits are none of its cards."""

from __future__ import annotations

import cv2
import numpy as np

from vision.foreign import _covered
from vision.layout import Box


def test_half_of_a_narrow_print_is_covered_though_its_box_is_wide() -> None:
    """The box fits a ten; a six that lies in its left half must not be left whole."""
    patch = np.full((112, 64, 3), 200, np.uint8)
    cv2.putText(patch, "6", (10, 52), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (20, 20, 20), 2)
    printed = patch[:, :, 0] < 100
    for seed in range(40):
        hidden = _covered(patch, Box(2.0, 5.0, 12.0, 14.0), 1.0, np.random.default_rng(seed))
        changed = np.abs(hidden.astype(int) - cv2.GaussianBlur(patch, (0, 0), 0.7)).max(axis=2) > 15
        assert 0.3 < changed[printed].mean() < 0.75, seed
