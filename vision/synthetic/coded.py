"""Prints our bar code on a face: Code 128, on both long edges beside the index corner."""

from __future__ import annotations

from typing import Final

import numpy as np

from deals.cards import Card
from vision.barcode import payload
from vision.code128 import modules
from vision.synthetic.canvas import PX_PER_MM, Face
from vision.synthetic.courts import BLACK

MODULE_PX: Final = 3
"""0.3 mm a module."""
_START_MM: Final = 30.0
"""From the card's short edge to the first bar; the quiet zone lies before it."""
_ACROSS_MM: Final = (1.8, 6.8)


def with_code(face: Face, card: Card) -> Face:
    """A copy of *face* with the code of *card*; white is printed under the code and its quiet zones."""
    coded = face.copy()
    bars = np.repeat(modules(payload(card)), MODULE_PX)
    left, right = (round(mm * PX_PER_MM) for mm in _ACROSS_MM)
    first = round(_START_MM * PX_PER_MM)
    quiet = 10 * MODULE_PX
    for _ in range(2):
        coded[first - quiet : first + len(bars) + quiet, left - 6 : right + 6] = 252
        area = coded[first : first + len(bars), left:right]
        area[bars] = BLACK
        coded = np.ascontiguousarray(coded[::-1, ::-1])
    return coded
