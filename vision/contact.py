"""The contact sheet of a taught design: its 52 indices as learned, and the pairs most alike beside each other."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS
from vision.corner import Model
from vision.limits import weakest_pairs

PAIRS: Final = 6
_CELL: Final = (150, 84)
"""Rows and columns of one index with its name."""
_ACROSS: Final = 13
_GAP: Final = 24


def contact_sheet(model: Model) -> NDArray[np.uint8]:
    """Grey picture (rows, cols): a row a suit, aces first; below, pairs from the most alike on, with their likeness."""
    rows, cols = _CELL
    sheet = np.full((rows * 5 + 2 * _GAP, cols * _ACROSS), 255, np.uint8)
    for number, card in enumerate(CARDS):
        _put(sheet, (number // _ACROSS * rows, number % _ACROSS * cols), model, number, str(card))
    below = rows * 4 + _GAP
    for place, (one, other, likeness) in enumerate(weakest_pairs(model, PAIRS)):
        left = 2 * cols * place
        for step, card in enumerate((one, other)):
            _put(sheet, (below, left + step * cols), model, CARDS.index(card), str(card))
        _write(sheet, (left + 8, below + rows + 14), f"alike {likeness:.3f}")
    return sheet


def png(sheet: NDArray[np.uint8]) -> bytes:
    """The picture as a file."""
    _, data = cv2.imencode(".png", sheet)
    return data.tobytes()


def _put(
    sheet: NDArray[np.uint8], at: tuple[int, int], model: Model, number: int, name: str
) -> None:
    row, col = at
    ink = np.clip(model.pictures[number], 0, 1)
    picture = np.asarray(255 - 255 * ink, np.uint8)
    sheet[row + 26 : row + 26 + picture.shape[0], col + 10 : col + 10 + picture.shape[1]] = picture
    _write(sheet, (col + 24, row + 20), name)


def _write(sheet: NDArray[np.uint8], at: tuple[int, int], words: str) -> None:
    canvas: Any = sheet
    cv2.putText(canvas, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 0, 1, cv2.LINE_AA)
