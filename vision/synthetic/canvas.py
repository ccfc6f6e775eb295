"""The sheet that faces are painted on: 880 x 570 px, 10 px/mm, BGR uint8."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.synthetic.outlines import Mask

Face = NDArray[np.uint8]
Colour = tuple[int, int, int]

PX_PER_MM: Final = 10
ROWS: Final = round(CARD_HEIGHT_MM * PX_PER_MM)
COLS: Final = round(CARD_WIDTH_MM * PX_PER_MM)
PAPER: Final[Colour] = (250, 252, 252)


def blank() -> Face:
    """A card without print."""
    return np.full((ROWS, COLS, 3), PAPER, np.uint8)


def paint(card: Face, stamp: Mask, colour: Colour, x_mm: float, y_mm: float) -> None:
    """Prints *stamp* in *colour* with its middle at (x, y) mm; what lies outside is cut off."""
    top = round(y_mm * PX_PER_MM - stamp.shape[0] / 2)
    left = round(x_mm * PX_PER_MM - stamp.shape[1] / 2)
    area = card[max(top, 0) : top + stamp.shape[0], max(left, 0) : left + stamp.shape[1]]
    cover = stamp[max(-top, 0) :, max(-left, 0) :][: area.shape[0], : area.shape[1], None]
    area[:] = np.round(area * (1 - cover) + np.array(colour) * cover)
